"""The loops of `walk`, `hide` and `runs` in this package: compiled where they were compiled, else as they stand.

Set ``TAMIS_PURE=1`` to run without compiled code, to compare or to debug.
"""

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING or os.environ.get("TAMIS_PURE"):
    from tamis.page import hide as hiding
    from tamis.page import runs
    from tamis.page import walk as walking

    COMPILED = False
else:
    try:
        from tamis.page import _hide as hiding
        from tamis.page import _runs as runs
        from tamis.page import _walk as walking

        COMPILED = True
    except ImportError:
        from tamis.page import hide as hiding
        from tamis.page import runs
        from tamis.page import walk as walking

        COMPILED = False

chosen = runs.chosen
class_names = walking.class_names
cut = runs.cut
enclosing = walking.enclosing
guards = hiding.guards
hand_down = hiding.hand_down
hide = hiding.hide
rows_among = walking.rows_among
tally = runs.tally
values_of = walking.values_of
walk = walking.walk
