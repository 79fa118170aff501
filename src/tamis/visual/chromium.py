"""Find Chromium, and the flags that it is started with."""

import os
import shutil
from typing import Final

from tamis.errors import BrowserError

PATH_VARIABLE: Final = "TAMIS_CHROMIUM"
_PROGRAM_NAMES: Final = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome")
_INSTALL_HINT: Final = (
    "install it (Debian and Ubuntu: apt-get install chromium; Fedora: dnf install chromium) "
    f"or set {PATH_VARIABLE} to its path"
)

#: Only the page: no updates, no reports, no first-run pages, no graphics card.
_BASE_FLAGS: Final = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
)
#: Requests are blocked one by one by the engine. These flags block what is not a request: DNS lookups, preconnects,
#: web sockets and WebRTC.
_OFFLINE_FLAGS: Final = (
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--dns-prefetch-disable",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
)


def find_chromium(executable: str | None = None) -> str:
    """Return the path of the browser: `executable`, else ``TAMIS_CHROMIUM``, else the first one on the PATH."""
    requested = executable or os.environ.get(PATH_VARIABLE)
    if requested:
        path = shutil.which(requested)
        if path is None:
            raise BrowserError(f"{requested} is not an executable file; {_INSTALL_HINT}")
        return path
    for name in _PROGRAM_NAMES:
        path = shutil.which(name)
        if path is not None:
            return path
    raise BrowserError(f"no Chromium on the PATH; {_INSTALL_HINT}")


def launch_flags(*, network: bool) -> list[str]:
    """Return the flags that Chromium is started with."""
    return [*_BASE_FLAGS, *(() if network else _OFFLINE_FLAGS)]


def can_sandbox() -> bool:
    """Return whether Chromium's sandbox can be used.

    Chromium does not start as root unless it is given --no-sandbox; playwright adds that flag when this is false.
    This is the only place that decides it. Run as an ordinary user to have the sandbox.
    """
    return not hasattr(os, "geteuid") or os.geteuid() != 0
