"""The command line: a thin client of the library. Heavy imports wait until a command needs them."""

import atexit
import gc
import os
import sys

__all__ = ["main", "program"]


def main() -> None:
    """Run the command of ``sys.argv``; the end is a `SystemExit`."""
    from tamis.cli.app import main as run  # noqa: PLC0415 (click loads with the first command)

    run()


def program() -> None:
    """Run the command as a program of its own, which ends with it.

    Of the CPU time of ``tamis page.html``, a tenth went into the search for cycles among what is imported, and a
    sixth into taking it apart at the end (`python bench/start.py`). So nothing is collected until there are many
    pages, and the process ends at once if nothing waits for its end.
    """
    gc.disable()
    try:
        main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
        waits = getattr(atexit, "_ncallbacks", lambda: 1)()  # CPython's; elsewhere the process ends as usual
        if waits or len(sys.modules["threading"].enumerate() if "threading" in sys.modules else [0]) > 1:
            raise
        sys.stderr.flush()
        sys.stdout.flush()
        os._exit(code)
