"""Which browser is started, and with which flags."""

import os
import shutil
from typing import Final

from tamis.errors import BrowserError

VARIABLE: Final = "TAMIS_CHROMIUM"
_NAMES: Final = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome")
_INSTALL: Final = (
    "install it (Debian and Ubuntu: apt-get install chromium; Fedora: dnf install chromium) "
    f"or set {VARIABLE} to its path"
)

#: Nothing but the page: no updates, no reports, no first-run pages, no graphics card.
_FLAGS: Final = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
)
#: Requests are refused one by one where they are made; this stops what is no request: name look-ups and
#: connections made ahead, web sockets, WebRTC.
_OFFLINE: Final = (
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--dns-prefetch-disable",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
)


def find_chromium(given: str | None = None) -> str:
    """Return the path of the browser: the one given, the one that ``TAMIS_CHROMIUM`` names, or one on the PATH."""
    wanted = given or os.environ.get(VARIABLE)
    if wanted:
        found = shutil.which(wanted)
        if found is None:
            raise BrowserError(f"{wanted} is no program that can be started; {_INSTALL}")
        return found
    for name in _NAMES:
        found = shutil.which(name)
        if found is not None:
            return found
    raise BrowserError(f"there is no Chromium on the PATH; {_INSTALL}")


def flags(*, network: bool) -> list[str]:
    """Return the flags that Chromium is started with."""
    return [*_FLAGS, *(() if network else _OFFLINE)]


def sandboxed() -> bool:
    """Return whether Chromium's sandbox can be used.

    Chromium refuses to start as root unless it is told --no-sandbox; playwright adds that flag when this is false.
    This is the one place where that is decided. Run as an ordinary user to have the sandbox.
    """
    return not hasattr(os, "geteuid") or os.geteuid() != 0
