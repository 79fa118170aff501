"""The loops of `tamis.page.walk`: compiled where they were compiled, else as they stand.

Set ``TAMIS_PURE=1`` to run without compiled code, to compare or to debug.
"""

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING or os.environ.get("TAMIS_PURE"):
    from tamis.page import walk as loops

    COMPILED = False
else:
    try:
        from tamis.page import _walk as loops

        COMPILED = True
    except ImportError:
        from tamis.page import walk as loops

        COMPILED = False

chosen = loops.chosen
class_names = loops.class_names
cut = loops.cut
enclosing = loops.enclosing
guards = loops.guards
hand_down = loops.hand_down
hide = loops.hide
rows_among = loops.rows_among
tally = loops.tally
values_of = loops.values_of
walk = loops.walk
