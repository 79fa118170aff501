"""An extractor that takes long for one page."""

import time
from dataclasses import dataclass
from typing import ClassVar

from tamis.extractors.base import Selection


@dataclass(frozen=True)
class SlowFirst:
    """Selects everything, and waits a second where a page is number 0."""

    name: ClassVar[str] = "slow-first"
    summary: ClassVar[str] = "for tests"
    source: ClassVar[str] = "tests"

    def select(self, page):
        if "This is page 0," in page.text and "<title>Page 0<" in str(page.markup):
            time.sleep(1)
        return Selection.from_mask(page, page.is_text)
