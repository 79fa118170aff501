"""A batch that a test starts as a program of its own. If asked to, it kills itself before a file changes."""

import os
import signal
import sys
from pathlib import Path

from tamis.batch import BatchOptions, RowOptions, run

CALLS = {"flush", "fsync", "replace", "truncate", "unlink", "rmdir", "mkdir"}


def kill_before(count):
    """Kill this process before its n-th call of `CALLS`; worker processes and threads do not count."""
    left = count

    def profile(_frame, event, function):
        nonlocal left
        if event == "c_call" and function.__name__ in CALLS and not isinstance(function.__self__, str):
            left -= 1
            if not left:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.setprofile(profile)


if __name__ == "__main__":
    source, output, *count = sys.argv[1:]
    columns = RowOptions(("text", "title", "page_type", "confidence", "authors"))
    options = BatchOptions(workers=1, resume=True, chunk_rows=4)
    if count:
        kill_before(int(count[0]))
    run([source], Path(output), options=options, row_options=columns)
