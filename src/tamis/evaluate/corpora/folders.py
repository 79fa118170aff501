"""Formats with one folder per page, or with text files beside the pages."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Final

from tamis.compat.html2text import html2text
from tamis.errors import CorpusError
from tamis.evaluate.corpora.decode import decode_markup, decode_text, read_bytes
from tamis.evaluate.corpora.page import LabelledPage
from tamis.evaluate.corpora.reader import files_by_stem, sort_names
from tamis.evaluate.corpora.records import normalize_page_type, read_markup, read_record
from tamis.page import parse_page
from tamis.render.row_text import selected_text

#: The URL that the tests of Readability resolve links against.
_READABILITY_URL: Final = "http://fakehost/test/page.html"


def _visible_text(html: str) -> str:
    """Return the visible text of HTML that has content only."""
    page = parse_page(html)
    return selected_text(page, page.is_text & (page.hidden == 0))


def _subfolders(folder: Path, *names: str) -> list[str]:
    """Return the names of the subfolders that have at least one of the files."""
    return sort_names(
        {path.name for path in folder.iterdir() if path.is_dir() and any((path / name).is_file() for name in names)}
    )


def _read_markup(path: Path) -> tuple[str, str]:
    """Return the markup in a file, and its encoding."""
    if not path.is_file():
        raise CorpusError(f"has no {path.name}")
    data = read_bytes(path)
    if not data.strip():
        raise CorpusError("the page is empty")
    return decode_markup(data)


@dataclass(frozen=True, slots=True)
class Readability:
    """``SLUG/source.html`` and ``SLUG/expected.html``: the test pages of Mozilla's Readability.

    The gold texts are the output of one program, corrected by people, not labels that people assigned.
    """

    name: ClassVar[str] = "readability"
    files: ClassVar[str] = "*/source.html, */expected.html, */expected-metadata.json"

    def recognizes(self, folder: Path) -> bool:
        """Return whether subfolders have both files."""
        return any(folder.glob("*/source.html")) and any(folder.glob("*/expected.html"))

    def page_ids(self, folder: Path) -> list[str]:
        """Return the names of the pages."""
        return _subfolders(folder, "source.html", "expected.html")

    def read(self, folder: Path, page_id: str) -> LabelledPage:
        """Read one page."""
        page_folder = folder / page_id
        if not (page_folder / "expected.html").is_file():
            raise CorpusError("has no gold text")
        html, encoding = _read_markup(page_folder / "source.html")
        metadata = _read_metadata(page_folder / "expected-metadata.json")
        expected = decode_markup(read_bytes(page_folder / "expected.html"))[0]
        return LabelledPage(
            id=page_id,
            html=html,
            gold=_visible_text(expected),
            url=_READABILITY_URL,
            title=metadata.get("title"),
            author=metadata.get("byline"),
            date=metadata.get("publishedTime"),
            language=metadata.get("lang"),
            encoding=encoding,
            gold_markdown=html2text(expected, _READABILITY_URL),
        )


@dataclass(frozen=True, slots=True)
class Golden:
    """``SLUG/page.html``, ``SLUG/expected.txt`` and ``SLUG/meta.json``: the golden pages of this repository.

    Pages that test structure have ``SLUG/expected.md``, too.
    """

    name: ClassVar[str] = "golden"
    files: ClassVar[str] = "*/page.html, */expected.txt, */expected.md, */meta.json"

    def recognizes(self, folder: Path) -> bool:
        """Return whether subfolders have both files."""
        return any(folder.glob("*/page.html")) and any(folder.glob("*/expected.txt"))

    def page_ids(self, folder: Path) -> list[str]:
        """Return the names of the pages."""
        return _subfolders(folder, "page.html", "expected.txt")

    def read(self, folder: Path, page_id: str) -> LabelledPage:
        """Read one page."""
        page_folder = folder / page_id
        if not (page_folder / "expected.txt").is_file():
            raise CorpusError("has no gold text")
        html, encoding = _read_markup(page_folder / "page.html")
        gold = decode_text(read_bytes(page_folder / "expected.txt"))
        markdown = page_folder / "expected.md"
        page = LabelledPage(
            id=page_id,
            html=html,
            gold=gold,
            encoding=encoding,
            gold_markdown=decode_text(read_bytes(markdown)) if markdown.is_file() else None,
        )
        return _with_metadata(page, _read_metadata(page_folder / "meta.json"))


@dataclass(frozen=True, slots=True)
class Plain:
    """``ID.html`` beside ``ID.txt``; optionally ``ID.json`` with url, page_type, title, author, date and language."""

    name: ClassVar[str] = "plain"
    files: ClassVar[str] = "*.html beside *.txt"

    def recognizes(self, folder: Path) -> bool:
        """Return whether at least one page has a text beside it."""
        return bool(files_by_stem(folder).keys() & files_by_stem(folder, (".txt",)).keys())

    def page_ids(self, folder: Path) -> list[str]:
        """Return the names of the pages. A text without a page does not count: it may be a licence."""
        return sort_names(set(files_by_stem(folder)))

    def read(self, folder: Path, page_id: str) -> LabelledPage:
        """Read one page."""
        gold = folder / f"{page_id}.txt"
        if not gold.is_file():
            raise CorpusError("has no gold text")
        html, encoding = read_markup(folder, page_id)
        page = LabelledPage(id=page_id, html=html, gold=decode_text(read_bytes(gold)), encoding=encoding)
        return _with_metadata(page, _read_metadata(folder / f"{page_id}.json"))


def _read_metadata(path: Path) -> dict[str, Any]:
    return read_record(path) if path.is_file() else {}


def _with_metadata(page: LabelledPage, metadata: dict[str, Any]) -> LabelledPage:
    return replace(
        page,
        url=metadata.get("url"),
        page_type=normalize_page_type(metadata.get("page_type")),
        required=tuple(metadata.get("with") or ()),
        forbidden=tuple(metadata.get("without") or ()),
        title=metadata.get("title"),
        author=metadata.get("author"),
        date=metadata.get("date"),
        language=metadata.get("language"),
    )
