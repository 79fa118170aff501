"""Install the JavaScript packages into a cache, at exact versions with checked hashes."""

import hashlib
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Final

from tamis.errors import NodeError

_HERE: Final = Path(__file__).parent
_FILES: Final = ("package.json", "package-lock.json")
#: Seconds for the installation: about sixty packages, 40 MB.
_INSTALL_TIMEOUT: Final = 600.0
#: The oldest major version of Node.js that runs the packages.
_MIN_NODE: Final = 20
INSTALL_HINT: Final = "install the JavaScript tools with: tamis eval --peers-js"


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
