"""An extractor that does to its process what a page says."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np

from tamis.extractors.registry import Selection
from tests.waiting import hang


@dataclass(frozen=True)
class Counting:
    """Selects everything, and leaves a file named for its process in a folder."""

    folder: str
    name: ClassVar[str] = "counting"
    summary: ClassVar[str] = "for tests"
    source: ClassVar[str] = "tests"

    def select(self, page):
        Path(self.folder, str(os.getpid())).touch()
        return Selection.from_mask(page, page.is_text & np.array(page.hidden == 0))


@dataclass(frozen=True)
class Hostile:
    """Selects everything, unless the page says to hang, to crash, to swell or to raise."""

    name: ClassVar[str] = "hostile"
    summary: ClassVar[str] = "for tests"
    source: ClassVar[str] = "tests"

    def select(self, page):
        if "hang now" in page.text:
            hang()
        if "crash now" in page.text:
            os._exit(7)
        if "swell now" in page.text:
            bytearray(40_000_000_000)
        if "raise now" in page.text:
            raise ValueError("unsupported page")
        return Selection.from_mask(page, page.is_text & np.array(page.hidden == 0))
