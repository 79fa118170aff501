"""Corpora of folders and plain files: Readability's test pages, golden pages, and pages beside their texts."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from tamis.errors import CorpusError
from tamis.evaluate.corpora.decode import decode_markup, decode_text, read_bytes
from tamis.evaluate.corpora.layout import in_order, stems
from tamis.evaluate.corpora.page import LabelledPage
from tamis.evaluate.corpora.records import page_type_named, read_markup, read_record
from tamis.page import parse_page
from tamis.render.row_text import selected_text


def _text_of(html: str) -> str:
    """Return all visible text of clean HTML."""
    page = parse_page(html)
    return selected_text(page, page.is_text & (page.hidden == 0))


def _slugs(folder: Path, *names: str) -> list[str]:
    """Return the folders inside that have one of the files."""
    return in_order(
        {path.name for path in folder.iterdir() if path.is_dir() and any((path / name).is_file() for name in names)}
    )


def _markup(path: Path) -> tuple[str, str]:
    if not path.is_file():
        raise CorpusError(f"has no {path.name}")
    data = read_bytes(path)
    if not data.strip():
        raise CorpusError("the page is empty")
    return decode_markup(data)


@dataclass(frozen=True, slots=True)
class Readability:
    """``SLUG/source.html`` and ``SLUG/expected.html``: the test pages of Mozilla's Readability.

    They are what one program gives, corrected by people, rather than what people marked.
    """

    name: ClassVar[str] = "readability"
    shape: ClassVar[str] = "*/source.html, */expected.html, */expected-metadata.json"

    def fits(self, folder: Path) -> bool:
        """Return whether some folder has both files."""
        return any(folder.glob("*/source.html")) and any(folder.glob("*/expected.html"))

    def ids(self, folder: Path) -> list[str]:
        """Return the names of the pages."""
        return _slugs(folder, "source.html", "expected.html")

    def read(self, folder: Path, page_id: str) -> LabelledPage:
        """Read one page."""
        home = folder / page_id
        if not (home / "expected.html").is_file():
            raise CorpusError("has no gold text")
        html, encoding = _markup(home / "source.html")
        told = home / "expected-metadata.json"
        meta = read_record(told) if told.is_file() else {}
        return LabelledPage(
            id=page_id,
            html=html,
            gold=_text_of(decode_markup(read_bytes(home / "expected.html"))[0]),
            title=meta.get("title"),
            author=meta.get("byline"),
            date=meta.get("publishedTime"),
            language=meta.get("lang"),
            encoding=encoding,
        )


@dataclass(frozen=True, slots=True)
class Golden:
    """``SLUG/page.html``, ``SLUG/expected.txt`` and ``SLUG/meta.json``: Tamis's own golden pages."""

    name: ClassVar[str] = "golden"
    shape: ClassVar[str] = "*/page.html, */expected.txt, */meta.json"

    def fits(self, folder: Path) -> bool:
        """Return whether some folder has both files."""
        return any(folder.glob("*/page.html")) and any(folder.glob("*/expected.txt"))

    def ids(self, folder: Path) -> list[str]:
        """Return the names of the pages."""
        return _slugs(folder, "page.html", "expected.txt")

    def read(self, folder: Path, page_id: str) -> LabelledPage:
        """Read one page."""
        home = folder / page_id
        if not (home / "expected.txt").is_file():
            raise CorpusError("has no gold text")
        html, encoding = _markup(home / "page.html")
        told = home / "meta.json"
        return _with_meta(
            LabelledPage(
                id=page_id, html=html, gold=decode_text(read_bytes(home / "expected.txt")), encoding=encoding
            ),
            read_record(told) if told.is_file() else {},
        )


@dataclass(frozen=True, slots=True)
class Plain:
    """``ID.html`` beside ``ID.txt``, and if you like ``ID.json`` with url, page_type, title, author, date, language."""

    name: ClassVar[str] = "plain"
    shape: ClassVar[str] = "*.html beside *.txt"

    def fits(self, folder: Path) -> bool:
        """Return whether some page has a text beside it."""
        return bool(stems(folder).keys() & stems(folder, (".txt",)).keys())

    def ids(self, folder: Path) -> list[str]:
        """Return the names of the pages. A lone text is no page: it may be a licence."""
        return in_order(set(stems(folder)))

    def read(self, folder: Path, page_id: str) -> LabelledPage:
        """Read one page."""
        gold = folder / f"{page_id}.txt"
        if not gold.is_file():
            raise CorpusError("has no gold text")
        html, encoding = read_markup(folder, page_id)
        told = folder / f"{page_id}.json"
        page = LabelledPage(id=page_id, html=html, gold=decode_text(read_bytes(gold)), encoding=encoding)
        return _with_meta(page, read_record(told) if told.is_file() else {})


def _with_meta(page: LabelledPage, meta: dict[str, Any]) -> LabelledPage:
    return LabelledPage(
        id=page.id,
        html=page.html,
        gold=page.gold,
        url=meta.get("url"),
        page_type=page_type_named(meta.get("page_type")),
        required=tuple(meta.get("with") or ()),
        forbidden=tuple(meta.get("without") or ()),
        title=meta.get("title"),
        author=meta.get("author"),
        date=meta.get("date"),
        language=meta.get("language"),
        encoding=page.encoding,
    )
