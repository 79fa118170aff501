"""How pages are rendered, as a value."""

import os
import re
from dataclasses import dataclass
from typing import Final

from tamis.errors import OptionError

#: Seconds that one page may take, from its markup to its layout.
SECONDS: Final = 60.0
#: A page with more rows is not rendered: its boxes would take hundreds of megabytes on the way from the browser.
#: The largest of the 2,855 labelled pages that we measure on has 34,450.
MOST_ROWS: Final = 300_000
_SIZE: Final = re.compile(r"(\d{2,5})[x×](\d{2,5})")


@dataclass(frozen=True, slots=True)
class Settings:
    """How pages are snapshot. A value: one browser serves all pages that are rendered the same way.

    >>> Settings().width, Settings(scripts=True).network
    (1280, False)

    Attributes:
        width: of the viewport, in CSS pixels; a screen of the paper's time.
        height: of the viewport.
        scale: device pixels for a CSS pixel.
        mobile: behave as a phone does: honour ``meta viewport``, have touch.
        scripts: run the page's scripts.
        network: let the page load what it asks for. Without, nothing leaves the browser.
        timeout: seconds for each page.
        pages: how many pages are rendered at once.
        executable: the browser's path; else ``TAMIS_CHROMIUM`` is asked, then the PATH.
    """

    width: int = 1280
    height: int = 1024
    scale: float = 1.0
    mobile: bool = False
    scripts: bool = False
    network: bool = False
    timeout: float = SECONDS
    pages: int = min(4, os.cpu_count() or 1)
    executable: str | None = None


#: A phone: the size and density that most phones report today.
PHONE: Final = Settings(width=390, height=844, scale=3.0, mobile=True)


def read_size(text: str) -> tuple[int, int]:
    """Return the width and height that a person wrote.

    >>> read_size("800x600")
    (800, 600)
    """
    found = _SIZE.fullmatch(text.strip().lower())
    if found is None:
        raise OptionError(f"a viewport is written like 1280x1024, not {text!r}")
    return int(found[1]), int(found[2])
