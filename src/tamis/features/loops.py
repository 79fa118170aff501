"""The loops of `fill`, `scan` and `twins` in this package: compiled where they were, else as they stand.

See `tamis.page.loops`.
"""

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING or os.environ.get("TAMIS_PURE"):
    from tamis.features import fill, scan, twins
else:
    try:
        from tamis.features import _fill as fill
        from tamis.features import _scan as scan
        from tamis.features import _twins as twins
    except ImportError:
        from tamis.features import fill, scan, twins

count_twins = twins.count_twins
cover = fill.cover
fill_heights = fill.fill_heights
fill_own = fill.fill_own
fill_places = fill.fill_places
fill_prose = fill.fill_prose
fill_templates = twins.fill_templates
find_heads = fill.find_heads
mark = scan.mark
notions_of = scan.notions_of
overlap = scan.overlap
read_names = scan.read_names
repeated = twins.repeated
