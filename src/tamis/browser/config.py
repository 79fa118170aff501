"""Chromium: where it is found, the flags that it is started with, and `BrowserConfig`."""

import os
import re
import shutil
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Final

from tamis.errors import BrowserError, MissingExtraError, OptionError
from tamis.sources.fetch import FetchLimits
from tamis.sources.guard import Policy

# Find Chromium, and the flags that it is started with.

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
#: Chromium makes no connection but those to the guard, which is a proxy on loopback, and resolves no name.
_GUARD_FLAGS: Final = (
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    "--dns-prefetch-disable",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--no-pings",
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


def check_available(executable: str | None = None) -> None:
    """Raise an error that says what is missing, if pages cannot be rendered here."""
    if find_spec("playwright") is None:
        raise MissingExtraError.for_module("playwright", "browser")
    find_chromium(executable)


def launch_flags() -> list[str]:
    """Return the flags that Chromium is started with, besides the guard as its proxy."""
    return [*_BASE_FLAGS, *_GUARD_FLAGS]


def can_sandbox() -> bool:
    """Return whether Chromium's sandbox can be used.

    Chromium does not start as root unless it is given --no-sandbox; playwright adds that flag when this is false.
    This is the only place that decides it. Run as an ordinary user to have the sandbox.
    """
    return not hasattr(os, "geteuid") or os.geteuid() != 0


# `BrowserConfig`: how pages are rendered, as a value.

#: Seconds that one page may take, from its markup to its layout.
DEFAULT_TIMEOUT: Final = 60.0
#: A page with more rows is not rendered: its layout would take hundreds of megabytes on the way from the browser.
#: The largest of the 2,855 labelled pages that we measure on has 34,450.
MAX_ROWS: Final = 300_000
_VIEWPORT: Final = re.compile(r"(\d{2,5})[x×](\d{2,5})")


@dataclass(frozen=True, slots=True)
class BrowserConfig:
    """How pages are rendered. One browser process serves all pages of one configuration.

    >>> BrowserConfig().width, BrowserConfig(scripts=True).network
    (1280, False)

    Attributes:
        width: width of the viewport in CSS pixels. The default is a screen of the papers' time.
        height: height of the viewport in CSS pixels.
        device_scale: device pixels per CSS pixel.
        mobile: emulate a phone: honour ``meta viewport``, have touch.
        scripts: run the page's scripts.
        network: let the page load its resources. If false, no request leaves the browser.
        policy: the addresses and ports that pages may load from, as for fetching. Metadata services of clouds are
            closed always.
        fetch_limits: seconds for connecting to a server, and bytes of one connection and of a loaded document.
        media: load images, sounds, videos and fonts.
        timeout: seconds per page.
        settle: seconds that a page with scripts or network may go on loading after its ``load`` event, or after a
            script left it.
        concurrency: number of pages rendered at once.
        executable: path of the browser; if None, ``TAMIS_CHROMIUM``, then the PATH.
    """

    width: int = 1280
    height: int = 1024
    device_scale: float = 1.0
    mobile: bool = False
    scripts: bool = False
    network: bool = False
    policy: Policy = field(default_factory=Policy)
    fetch_limits: FetchLimits = field(default_factory=FetchLimits)
    media: bool = True
    timeout: float = DEFAULT_TIMEOUT
    settle: float = 5.0
    concurrency: int = min(4, os.cpu_count() or 1)
    executable: str | None = None


#: A phone: the size and pixel density that most phones report today.
PHONE: Final = BrowserConfig(width=390, height=844, device_scale=3.0, mobile=True)


def parse_viewport(text: str) -> tuple[int, int]:
    """Return the width and the height of a viewport written as WIDTHxHEIGHT.

    >>> parse_viewport("800x600")
    (800, 600)
    """
    match = _VIEWPORT.fullmatch(text.strip().lower())
    if match is None:
        raise OptionError(f"invalid viewport {text!r}; write it as 1280x1024")
    return int(match[1]), int(match[2])
