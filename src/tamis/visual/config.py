"""`BrowserConfig`: how pages are rendered, as a value."""

import os
import re
from dataclasses import dataclass
from typing import Final

from tamis.errors import OptionError

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
        timeout: seconds per page.
        concurrency: number of pages rendered at once.
        executable: path of the browser; if None, ``TAMIS_CHROMIUM``, then the PATH.
    """

    width: int = 1280
    height: int = 1024
    device_scale: float = 1.0
    mobile: bool = False
    scripts: bool = False
    network: bool = False
    timeout: float = DEFAULT_TIMEOUT
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
