"""The loops of `tamis.page.walk`: compiled where they were compiled, else as they stand.

Set ``TAMIS_PURE=1`` to run without compiled code, to compare or to debug.
"""

import os
from typing import TYPE_CHECKING, Final

__all__ = [
    "COMPILED",
    "chosen",
    "class_names",
    "cut",
    "hand_down",
    "hiding",
    "inherit",
    "rows_among",
    "tally",
    "walk",
]

_PURE: Final = bool(os.environ.get("TAMIS_PURE"))

if TYPE_CHECKING or _PURE:
    from tamis.page.walk import chosen, class_names, cut, hand_down, hiding, inherit, rows_among, tally, walk

    COMPILED = False
else:
    try:
        from tamis.page._walk import chosen, class_names, cut, hand_down, hiding, inherit, rows_among, tally, walk

        COMPILED = True
    except ImportError:
        from tamis.page.walk import chosen, class_names, cut, hand_down, hiding, inherit, rows_among, tally, walk

        COMPILED = False
