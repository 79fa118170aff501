"""A long-lived process of Node.js that answers JSON lines."""

import atexit
import contextlib
import itertools
import json
import os
import queue
import subprocess
import threading
from functools import cache
from pathlib import Path
from typing import Any, Final

from tamis.errors import NodeError
from tamis.evaluate.javascript.packages import find_program, installed_folder

_PROGRAM: Final = Path(__file__).parent / "server.mjs"
#: Seconds that the process has beyond the time limit of a page, to start and to stop a thread.
_GRACE: Final = 10.0


class NodeProcess:
    """A process that runs ``server.mjs`` in a folder of packages. It starts when needed, and again after its end."""

    def __init__(self, folder: Path, program: Path = _PROGRAM) -> None:
        self._command = [find_program("node"), str(program)]
        self._folder = folder
        self._process: subprocess.Popen[str] | None = None
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._ids = itertools.count(1)

    @property
    def pid(self) -> int | None:
        """The id of the process, or None if it does not run."""
        return self._process.pid if self._process is not None and self._process.poll() is None else None

    def request(self, *, timeout: float, **values: object) -> dict[str, Any]:
        """Send a request and return its response. A page that takes too long or fails raises `NodeError`."""
        if self.pid is None:
            self._start()
        number = next(self._ids)
        try:
            self._send(json.dumps({"id": number, "timeout": timeout, **values}))
            line = self._lines.get(timeout=timeout + _GRACE)
        except queue.Empty:
            self.close()
            raise NodeError(f"took longer than {timeout:g} s") from None
        except OSError:
            line = ""
        if not line:
            self.close()
            raise NodeError("ended the process of Node.js")
        response: dict[str, Any] = json.loads(line)
        if response["id"] != number:
            self.close()
            raise NodeError("Node.js answered another request")
        if error := response.get("error"):
            raise NodeError(str(error))
        return response

    def _start(self) -> None:
        environment = {**os.environ, "NODE_OPTIONS": "", "NODE_NO_WARNINGS": "1"}
        self.close()
        self._process = subprocess.Popen(  # noqa: S603 (node and our own program)
            self._command,
            cwd=self._folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
        )
        self._lines = queue.SimpleQueue()
        threading.Thread(target=_read_lines, args=(self._process, self._lines), daemon=True).start()

    def _send(self, line: str) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):  # what was not sent is lost with the process
                    stream.close()


def _read_lines(process: "subprocess.Popen[str]", lines: "queue.SimpleQueue[str]") -> None:
    """Put each line of the output into the queue, and an empty one at its end."""
    with contextlib.suppress(OSError, ValueError):  # closed while it was read
        assert process.stdout is not None
        for line in process.stdout:
            lines.put(line)
    lines.put("")


@cache
def shared_process() -> NodeProcess:
    """Return the process of Node.js that all tools of this process share."""
    process = NodeProcess(installed_folder())
    atexit.register(process.close)
    return process
