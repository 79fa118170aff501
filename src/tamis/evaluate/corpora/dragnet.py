"""Dragnet: gold texts with comments after a marker.

M. Peters, D. Lecocq: Content extraction using diverse feature sets. WWW 2013 companion.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Final

from tamis.errors import CorpusError
from tamis.evaluate.corpora.decode import decode_markup, decode_text, read_bytes
from tamis.evaluate.corpora.page import LabelledPage
from tamis.evaluate.corpora.reader import FolderPair

#: The line between content and comments in a gold file, from the README of the corpus. The spaces after it vary.
_MARKER: Final = "!@#$%^&*()"


def read_gold(text: str) -> tuple[str, str | None]:
    r"""Return the content and the comments of a gold file.

    >>> read_gold("The news.\n!@#$%^&*()  COMMENTS\nFirst!")
    ('The news.', 'First!')
    """
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if line.strip().startswith(_MARKER):
            return "\n".join(lines[:number]).strip(), "\n".join(lines[number + 1 :]).strip()
    return text.strip(), None


@dataclass(frozen=True, slots=True)
class Dragnet:
    """``input/ID.html`` and ``GoldStandard/ID.txt``, or ``HTML/`` and ``Corrected/`` as first published."""

    name: ClassVar[str] = "dragnet"
    files: ClassVar[str] = "input/*.html, GoldStandard/*.txt (or HTML/, Corrected/) with a COMMENTS marker"
    folders: ClassVar[FolderPair] = FolderPair((("input", "GoldStandard"), ("HTML", "Corrected")))

    def recognizes(self, folder: Path) -> bool:
        """Return whether both folders exist. Formats with tags in their gold texts are tried before this one."""
        return self.folders.folders(folder) is not None

    def page_ids(self, folder: Path) -> list[str]:
        """Return the names of the pages."""
        return self.folders.page_ids(folder)

    def read(self, folder: Path, page_id: str) -> LabelledPage:
        """Read one page."""
        page, gold = self.folders.files(folder, page_id)
        data = read_bytes(page)
        if not data.strip():
            raise CorpusError("the page is empty")
        html, encoding = decode_markup(data)
        text, comments = read_gold(decode_text(read_bytes(gold)))
        return LabelledPage(id=page_id, html=html, gold=text, comments=comments, encoding=encoding)
