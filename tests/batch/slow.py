"""An extractor for which one page waits for the others."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from tamis.extractors.registry import Selection
from tests.waiting import wait_until


@dataclass(frozen=True)
class SlowFirst:
    """Selects everything. Page 0 waits until rows of other pages are written (to the file ``TAMIS_TEST_FILE``)."""

    name: ClassVar[str] = "slow-first"
    summary: ClassVar[str] = "for tests"
    source: ClassVar[str] = "tests"

    def select(self, page):
        output = Path(os.environ["TAMIS_TEST_FILE"])
        if "This is page 0," in page.text and "<title>Page 0<" in str(page.markup):
            wait_until(lambda: output.stat().st_size)
        return Selection.from_mask(page, page.is_text)
