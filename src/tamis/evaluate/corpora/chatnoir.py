"""The combined datasets of the web content extraction benchmark.

J. Bevendorff, S. Gupta, J. Kiesel, B. Stein: An empirical comparison of web content extraction algorithms. SIGIR
2023.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Final

from tamis.errors import CorpusError
from tamis.evaluate.corpora.json_lines import first_record, read_line, record_offsets, text_value
from tamis.evaluate.corpora.page import LabelledPage
from tamis.evaluate.corpora.reader import files_by_stem, sort_names
from tamis.evaluate.corpora.records import read_markup

_KEY: Final = "page_id"


@dataclass(frozen=True, slots=True)
class ChatNoir:
    """``ground-truth/NAME.jsonl`` with ``page_id`` and ``plaintext``, and ``html/NAME/PAGE_ID.html.gz``.

    A dataset is a corpus of its own. The pages may also be beside the file, in a folder ``html`` or ``NAME``.
    """

    name: ClassVar[str] = "chatnoir"
    files: ClassVar[str] = "ground-truth/*.jsonl with page_id and plaintext, html/*/*.html.gz"

    def recognizes(self, folder: Path) -> bool:
        """Return whether a path is a file of such records with pages near it."""
        record = first_record(folder)
        return "page_id" in record and "plaintext" in record and _pages(folder) is not None

    def page_ids(self, folder: Path) -> list[str]:
        """Return the names of the pages."""
        pages = _pages(folder)
        return sort_names({*record_offsets(folder, _KEY), *(files_by_stem(pages) if pages else ())})

    def read(self, folder: Path, page_id: str) -> LabelledPage:
        """Read one page."""
        if page_id not in record_offsets(folder, _KEY):
            raise CorpusError("has no gold text")
        record = read_line(folder, _KEY, page_id)
        text = record.get("plaintext")
        if not isinstance(text, str):
            raise CorpusError("has no gold text")
        pages = _pages(folder)
        if pages is None:
            raise CorpusError("has a gold text but no page")
        html, encoding = read_markup(pages, page_id)
        return LabelledPage(id=page_id, html=html, gold=text, url=text_value(record, "url"), encoding=encoding)


def _pages(file: Path) -> Path | None:
    """Return the folder with the pages of a file of gold texts."""
    candidates = (
        file.parent.parent / "html" / file.stem,
        file.parent / "html" / file.stem,
        file.parent / file.stem,
        file.parent.parent / "html" / file.parent.name,
        file.parent / "html",
    )
    return next((folder for folder in candidates if folder.is_dir()), None)
