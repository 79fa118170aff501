"""Formats with one folder per page, or with text files beside the pages."""

import json
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Final

from tamis.compat.html2text import html2text
from tamis.errors import CorpusError
from tamis.lab.evaluate.corpora.reader import (
    LabelledPage,
    decode_markup,
    decode_page,
    decode_text,
    files_by_stem,
    read_bytes,
    sort_names,
)
from tamis.lab.evaluate.corpora.records import normalize_page_type, read_markup, read_record
from tamis.lab.evaluate.markdown import html_table_rows, markdown_text
from tamis.page import parse_page
from tamis.render.text import selected_text

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
    return decode_page(read_bytes(path))


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

    Pages that test structure also have ``SLUG/expected.md``.
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


# The test pages of defuddle, a JavaScript extractor that writes Markdown.

#: The metadata before the Markdown: a code block of JSON.
_PREAMBLE: Final = re.compile(r"\A\s*```json\n(.*?)\n```[ \t]*\n?", re.DOTALL)
#: The URL may be in a comment with JSON at the top of the page, before or after its document type.
_COMMENT: Final = re.compile(
    r"\A\s{0,100}(?:<!doctype[^>]{0,200}>\s{0,100})?<!--\s{0,100}(\{[^>]{1,5000}\})\s{0,100}-->", re.IGNORECASE
)
#: Or the file has its name, after a category and with colons for slashes.
_CATEGORY: Final = re.compile(r"\A[a-z-]+?--")


@dataclass(frozen=True, slots=True)
class Defuddle:
    """``fixtures/NAME.html`` and ``expected/NAME.md``.

    The gold texts are the output of one program, reviewed by people, not labels that people assigned.
    """

    name: ClassVar[str] = "defuddle"
    files: ClassVar[str] = "fixtures/*.html, expected/*.md"

    def recognizes(self, folder: Path) -> bool:
        """Return whether both folders exist and have such files."""
        return any((folder / "fixtures").glob("*.html")) and any((folder / "expected").glob("*.md"))

    def page_ids(self, folder: Path) -> list[str]:
        """Return the names of the pages."""
        return sort_names({*files_by_stem(folder / "fixtures"), *files_by_stem(folder / "expected", (".md",))})

    def read(self, folder: Path, page_id: str) -> LabelledPage:
        """Read one page."""
        gold = folder / "expected" / f"{page_id}.md"
        if not gold.is_file():
            raise CorpusError("has no gold text")
        html, encoding = read_markup(folder / "fixtures", page_id)
        markdown, metadata = split_preamble(decode_text(read_bytes(gold)))
        return LabelledPage(
            id=page_id,
            html=html,
            gold=markdown_text(markdown),
            url=_page_url(html, page_id),
            title=metadata.get("title"),
            author=metadata.get("author"),
            date=metadata.get("published"),
            encoding=encoding,
            gold_markdown=markdown,
        )


def split_preamble(markdown: str) -> tuple[str, dict[str, Any]]:
    r"""Return the Markdown after the metadata, and the metadata.

    >>> split_preamble('```json\n{"title": "Tea"}\n```\n\nPour.')
    ('Pour.', {'title': 'Tea'})
    """
    match = _PREAMBLE.match(markdown)
    metadata = _json_object(match[1]) if match else {}
    return (markdown[match.end() :].lstrip("\n") if match and metadata else markdown), metadata


def _page_url(html: str, page_id: str) -> str | None:
    comment = _COMMENT.match(html)
    url = _json_object(comment[1]).get("url") if comment else None
    if isinstance(url, str):
        return url
    name = _CATEGORY.sub("", page_id).replace(":", "/")
    return f"https://{name}" if "." in name.split("/", 1)[0] else None


def _json_object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


@dataclass(frozen=True, slots=True)
class TypedParts:
    """``origin/ID.html`` and ``groundtruth/ID.jsonl``: the main content as HTML and as a list of typed parts."""

    name: ClassVar[str] = "typed-parts"
    files: ClassVar[str] = "origin/*.html, groundtruth/*.jsonl"

    def recognizes(self, folder: Path) -> bool:
        """Return whether both folders have files."""
        return any(folder.glob("origin/*.html")) and any(folder.glob("groundtruth/*.jsonl"))

    def page_ids(self, folder: Path) -> list[str]:
        """Return the names of the pages."""
        return sort_names({path.stem for path in (folder / "groundtruth").glob("*.jsonl")})

    def read(self, folder: Path, page_id: str) -> LabelledPage:
        """Read one page."""
        record = json.loads(read_bytes(folder / "groundtruth" / f"{page_id}.jsonl").decode().splitlines()[0])
        html, encoding = _read_markup(folder / "origin" / f"{page_id}.html")
        parts = [part for group in record.get("content_list") or [] for part in _typed_parts(group)]
        markdown = "\n\n".join(filter(None, map(_part_markdown, parts)))
        return LabelledPage(
            id=page_id,
            html=html,
            gold=record.get("content") or markdown,
            url=record.get("url"),
            encoding=encoding,
            gold_markdown=markdown,
        )


def _typed_parts(value: object) -> list[dict[str, Any]]:
    if isinstance(value, dict) and "type" in value:
        return [value]
    return [part for inner in value for part in _typed_parts(inner)] if isinstance(value, list) else []


def _part_markdown(part: dict[str, Any]) -> str:
    """Return a part as Markdown: code, formulas, tables and headings, and the text of others, escaped."""
    content: Any = part.get("content")
    match part["type"], content:
        case "code", {"code_content": str(code)} if not part.get("inline"):
            fence = "`" * max(3, *(len(run) + 1 for run in re.findall("`+", code)), 0)
            return f"{fence}{content.get('language') or ''}\n{code}\n{fence}"
        case "equation-interline", {"math_content": str(tex)}:
            return f"$$\n{tex.strip().replace('$$', '')}\n$$"
        case "title", {"title_content": str(title)}:
            return f"{'#' * int(content.get('level') or 1)} {_escaped(title)}"
        case (("table" | "simple_table" | "complex_table"), {"html": str(table)}):
            return _table_markdown(table)
        case _, list(spans):
            return "".join(_span_markdown(span) for span in spans if isinstance(span, dict))
        case _:
            return ""


def _table_markdown(table: str) -> str:
    """Return a table as a pipe table as wide as its widest row: a row beyond the header's width would be cut.

    Breaks in its cells are escaped twice, and its formulas are TeX between dollars.
    """
    rows = [tuple(map(_cell_markdown, row)) for row in html_table_rows(table) if row]
    width = max(map(len, rows), default=0)
    lines = ["| " + " | ".join((*row, *("" for _ in range(width - len(row))))) + " |" for row in rows]
    return "\n".join((*lines[:1], "| " + " | ".join("---" for _ in range(width)) + " |", *lines[1:])) if rows else ""


def _span_markdown(span: dict[str, Any]) -> str:
    text = str(span.get("c") or "")
    match span.get("t"):
        case "code-inline":
            ticks = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
            return f"{ticks} {text} {ticks}" if "`" in text else f"`{text}`"
        case "equation-inline":
            return f"${text.strip()}$"
        case _:
            return _escaped(text)


def _cell_markdown(cell: str) -> str:
    pieces = re.split(r"\$([^$]+)\$", cell.replace("<br>", " ").replace("|", " "))
    return "".join(f"${piece.strip()}$" if number % 2 else _escaped(piece) for number, piece in enumerate(pieces))


def _escaped(text: str) -> str:
    """Return text in which nothing is a mark of Markdown."""
    return re.sub(r"[\\`*_\[\]<>$#|~]", r"\\\g<0>", text)
