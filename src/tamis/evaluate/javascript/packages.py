"""Install the JavaScript packages into a cache, at exact versions with checked hashes."""

import hashlib
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
    if not folder.is_dir():
        raise NodeError(f"Readability.js and defuddle are not installed; {INSTALL_HINT}")
    return folder


def find_program(name: str) -> str:
    """Return the path of ``node`` or ``npm``, or raise `NodeError`."""
    path = shutil.which(name)
    if path is None:
        raise NodeError(f"{name} is not installed; install Node.js 20 or later, which brings node and npm")
    return path


def install() -> Path:
    """Install the packages with ``npm ci`` if they are not there; return their folder.

    They are installed beside the cache and moved into it at the end, so that an interrupted installation leaves
    nothing half done. Scripts of packages are not run.
    """
    folder = cache_folder()
    find_program("node")
    if folder.is_dir():
        return folder
    npm = find_program("npm")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as temporary:
        target = Path(temporary) / folder.name
        target.mkdir()
        for name in _FILES:
            shutil.copy(_HERE / name, target)
        _run_npm([npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", str(target)], target)
        try:
            target.rename(folder)
        except OSError:
            if not folder.is_dir():  # else another process was faster
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
