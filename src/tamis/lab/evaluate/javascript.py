"""Mozilla's Readability and defuddle as tools: their packages, and the process that runs them."""

import atexit
import contextlib
import hashlib
import itertools
import json
import os
import queue
import shutil
import subprocess
import tempfile
import threading
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

from tamis.api import extract
from tamis.errors import NodeError
from tamis.page import parse_page
from tamis.render.text import selected_text

__all__ = ["JAVASCRIPT_TOOLS", "JavaScriptTool", "install", "installed_folder", "open_javascript_tool"]

# Install the JavaScript packages into a cache, at exact versions with checked hashes.

_HERE: Final = Path(__file__).parent / "node"
_FILES: Final = ("package.json", "package-lock.json")
#: Seconds for the installation: about sixty packages, 40 MB.
_INSTALL_TIMEOUT: Final = 600.0
#: The oldest major version of Node.js that runs the packages.
_MIN_NODE: Final = 20
INSTALL_HINT: Final = "install the JavaScript tools with: tamis eval FOLDER --javascript-tools"


def cache_folder() -> Path:
    """Return the folder that the packages belong in. Its name has a hash of the pinned versions.

    >>> cache_folder().name.startswith("javascript-")
    True
    """
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    digest = hashlib.sha256((_HERE / "package-lock.json").read_bytes()).hexdigest()[:12]
    return (Path(base) if base else Path.home() / ".cache") / "tamis" / f"javascript-{digest}"


def installed_folder() -> Path:
    """Return the folder with the installed packages, or raise `NodeError`."""
    folder = cache_folder()
    if not _is_complete(folder):
        raise NodeError(f"Readability.js and defuddle are not installed; {INSTALL_HINT}")
    return folder


def _is_complete(folder: Path) -> bool:
    """Return whether a folder has all packages that the tools name. Programs that tidy up a cache may remove some."""
    names = json.loads((_HERE / "package.json").read_text("utf-8"))["dependencies"]
    return all((folder / "node_modules" / name / "package.json").is_file() for name in names)


def find_program(name: str) -> str:
    """Return the path of ``node`` or ``npm``, or raise `NodeError`."""
    path = shutil.which(name)
    if path is None:
        raise NodeError(f"{name} is not installed; install Node.js 20 or later, which brings node and npm")
    return path


def find_node() -> str:
    """Return the path of ``node``, or raise `NodeError` if it is missing or too old for the packages."""
    path = find_program("node")
    try:
        version = subprocess.run(  # noqa: S603 (the program that was found above)
            [path, "--version"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=30, check=False
        ).stdout.strip()
    except (OSError, subprocess.TimeoutExpired, UnicodeDecodeError) as error:
        raise NodeError(f"{path} does not run: {error}") from error
    major = version.removeprefix("v").partition(".")[0]
    if not major.isdecimal() or int(major) < _MIN_NODE:
        raise NodeError(f"{path} is Node.js {version or 'without a version'}; install Node.js {_MIN_NODE} or later")
    return path


def install() -> Path:
    """Install the packages with ``npm ci`` if they are not there; return their folder.

    They are installed beside the cache and moved into it at the end, so that an interrupted installation leaves
    nothing half done. Scripts of packages are not run.
    """
    folder = cache_folder()
    find_node()
    if _is_complete(folder):
        return folder
    npm = find_program("npm")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as temporary:
        target = Path(temporary) / folder.name
        target.mkdir()
        for name in _FILES:
            shutil.copy(_HERE / name, target)
        _run_npm([npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", str(target)], target)
        if not _is_complete(folder):
            shutil.rmtree(folder, ignore_errors=True)
        try:
            target.rename(folder)
        except OSError:
            if not _is_complete(folder):  # else another process was faster
                raise
    return folder


def _run_npm(command: list[str], folder: Path) -> None:
    try:
        result = subprocess.run(  # noqa: S603 (the program that was found above)
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            timeout=_INSTALL_TIMEOUT,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise NodeError(f"npm took longer than {_INSTALL_TIMEOUT:.0f} seconds") from error
    if result.returncode:
        raise NodeError(f"npm failed:\n{result.stderr.strip()[-2000:]}")


# A long-lived process of Node.js that answers JSON lines.

_PROGRAM: Final = _HERE / "server.mjs"
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


# Mozilla's Readability and defuddle as tools of the evaluation.

#: Both tools need a URL.
_DEFAULT_URL: Final = "https://example.org/"


def markdown_of_html(html: str, url: str | None) -> str:
    """Return the HTML that a tool gives as Markdown, all of it.

    >>> markdown_of_html("<p>Boil <b>water</b>.", None)
    'Boil **water**.'
    """
    return extract(html, url, extractor="body", rules=False).to_markdown(title=False, facts=False)


@dataclass(frozen=True, slots=True)
class JavaScriptTool:
    """A package of npm as a `tamis.lab.evaluate.tools.Tool`."""

    name: str
    package: str
    timeout: float = 50.0

    @property
    def version(self) -> str:
        """The installed version."""
        manifest = installed_folder() / "node_modules" / self.package / "package.json"
        version: str = json.loads(manifest.read_text("utf-8"))["version"]
        return version

    def text(self, html: str, url: str | None = None) -> str:
        """Return the text of the content of a page."""
        return self.timed_text(html, url)[0]

    def timed_text(self, html: str, url: str | None = None) -> tuple[str, float]:
        """Return the text of a page, and the CPU time of the tool in milliseconds, in the process of Node.js."""
        response = self._request(html, url, markdown=False)
        page = parse_page(response["html"])
        return selected_text(page, page.is_text & (page.hidden == 0)), float(response["cpu_ms"])

    def markdown(self, html: str, url: str | None = None) -> str:
        """Return the content of a page as Markdown: that of defuddle, or the HTML of Readability converted."""
        response = self._request(html, url, markdown=True)
        written = response.get("markdown")
        return markdown_of_html(response["html"], url) if written is None else str(written)

    def _request(self, html: str, url: str | None, *, markdown: bool) -> dict[str, Any]:
        return shared_process().request(
            tool=self.name, html=html, url=url or _DEFAULT_URL, markdown=markdown, timeout=self.timeout
        )


JAVASCRIPT_TOOLS: Final[dict[str, JavaScriptTool]] = {
    tool.name: tool
    for tool in (JavaScriptTool("readability-js", "@mozilla/readability"), JavaScriptTool("defuddle", "defuddle"))
}


def open_javascript_tool(name: str, timeout: float | None = None) -> JavaScriptTool:
    """Return a tool by name. Without Node.js or its package it raises `NodeError`."""
    find_node()
    installed_folder()
    tool = JAVASCRIPT_TOOLS[name]
    return tool if timeout is None else replace(tool, timeout=timeout)
