"""An extractor for which one page waits for the others."""

import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from tamis.extractors.base import Selection


@dataclass(frozen=True)
class SlowFirst:
    """Selects everything. Page 0 waits until another page was read, which leaves a file (``TAMIS_TEST_FILE``)."""

    name: ClassVar[str] = "slow-first"
    summary: ClassVar[str] = "for tests"
    source: ClassVar[str] = "tests"

    def select(self, page):
        other_was_read = Path(os.environ["TAMIS_TEST_FILE"])
        if "This is page 0," in page.text and "<title>Page 0<" in str(page.markup):
            for _ in range(600):
                if other_was_read.exists():
                    break
                time.sleep(0.1)
            time.sleep(0.5)
        else:
            other_was_read.touch()
        return Selection.from_mask(page, page.is_text)
