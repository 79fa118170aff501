"""The loops of `tamis.features.scan` and `tamis.features.fill`: compiled where they were, else as they stand.

See `tamis.page.loops`.
"""

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING or os.environ.get("TAMIS_PURE"):
    from tamis.features import fill, scan
else:
    try:
        from tamis.features import _fill as fill
        from tamis.features import _scan as scan
    except ImportError:
        from tamis.features import fill, scan

count_twins = fill.count_twins
cover = fill.cover
fill_heights = fill.fill_heights
fill_own = fill.fill_own
fill_places = fill.fill_places
fill_prose = fill.fill_prose
fill_templates = fill.fill_templates
find_heads = fill.find_heads
mark = scan.mark
notions_of = scan.notions_of
overlap = scan.overlap
read_names = scan.read_names
repeated = scan.repeated
