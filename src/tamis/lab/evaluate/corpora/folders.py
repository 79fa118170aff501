"""Formats with one folder per page, or with text files beside the pages."""

import json
import re
from pathlib import Path
from typing import Any, Final

from tamis.compat.html2text import html2text
from tamis.lab.evaluate.corpora.reader import (
    CorpusReader,
    NamedFiles,
    decode_markup,
    decode_text,
    metadata_labels,
    read_bytes,
    read_record,
    sort_names,
)
from tamis.lab.evaluate.markdown import html_table_rows, markdown_text
from tamis.page import parse_page
from tamis.render.text import selected_text

#: The URL that the tests of Readability resolve links against.
_READABILITY_URL: Final = "http://fakehost/test/page.html"


def _visible_text(html: str) -> str:
    """Return the visible text of HTML that has content only."""
    page = parse_page(html)
    return selected_text(page, page.is_text & (page.hidden == 0))


class Readability(CorpusReader):
    """``SLUG/source.html`` and ``SLUG/expected.html``: the test pages of Mozilla's Readability.

    The gold texts are the output of one program, corrected by people, not labels that people assigned.
    """

    name = "readability"
    files = "*/source.html, */expected.html, */expected-metadata.json"
    pairs = ((NamedFiles("", ("/source.html",)), NamedFiles("", ("/expected.html",))),)

    def labels(self, gold: Path, _html: str) -> dict[str, Any]:
        """Return the gold text and the metadata."""
        metadata = _read_metadata(gold.with_name("expected-metadata.json"))
        expected = decode_markup(read_bytes(gold))[0]
        return {
            "gold": _visible_text(expected),
            "url": _READABILITY_URL,
            "title": metadata.get("title"),
            "author": metadata.get("byline"),
            "date": metadata.get("publishedTime"),
            "language": metadata.get("lang"),
            "gold_markdown": html2text(expected, _READABILITY_URL),
        }


class Golden(CorpusReader):
    """``SLUG/page.html``, ``SLUG/expected.txt`` and ``SLUG/meta.json``: the golden pages of this repository.

    Pages that test structure also have ``SLUG/expected.md``.
    """

    name = "golden"
    files = "*/page.html, */expected.txt, */expected.md, */meta.json"
    pairs = ((NamedFiles("", ("/page.html",)), NamedFiles("", ("/expected.txt",))),)

    def labels(self, gold: Path, _html: str) -> dict[str, Any]:
        """Return the gold text and the metadata."""
        markdown = gold.with_suffix(".md")
        return metadata_labels(_read_metadata(gold.with_name("meta.json"))) | {
            "gold": decode_text(read_bytes(gold)),
            "gold_markdown": decode_text(read_bytes(markdown)) if markdown.is_file() else None,
        }


class Plain(CorpusReader):
    """``ID.html`` beside ``ID.txt``; optionally ``ID.json`` with url, page_type, title, author, date and language."""

    name = "plain"
    files = "*.html beside *.txt"
    pairs = ((NamedFiles(""), NamedFiles("", (".txt",))),)

    def page_ids(self, folder: Path) -> list[str]:
        """Return the names of the pages. A text without a page does not count: it may be a licence."""
        return sort_names(set(self.pairs[0][0].by_name(folder)))

    def labels(self, gold: Path, _html: str) -> dict[str, Any]:
        """Return the gold text and the metadata."""
        metadata = _read_metadata(gold.with_suffix(".json"))
        return metadata_labels(metadata) | {"gold": decode_text(read_bytes(gold))}


def _read_metadata(path: Path) -> dict[str, Any]:
    return read_record(path) if path.is_file() else {}


# The test pages of defuddle, a JavaScript extractor that writes Markdown.

#: The metadata before the Markdown: a code block of JSON.
_PREAMBLE: Final = re.compile(r"\A\s*```json\n(.*?)\n```[ \t]*\n?", re.DOTALL)
#: The URL may be in a comment with JSON at the top of the page, before or after its document type.
_COMMENT: Final = re.compile(
    r"\A\s{0,100}(?:<!doctype[^>]{0,200}>\s{0,100})?<!--\s{0,100}(\{[^>]{1,5000}\})\s{0,100}-->", re.IGNORECASE
)
#: Or the file has its name, after a category and with colons for slashes.
_CATEGORY: Final = re.compile(r"\A[a-z-]+?--")


class Defuddle(CorpusReader):
    """``fixtures/NAME.html`` and ``expected/NAME.md``.

    The gold texts are the output of one program, reviewed by people, not labels that people assigned.
    """

    name = "defuddle"
    files = "fixtures/*.html, expected/*.md"
    pairs = ((NamedFiles("fixtures"), NamedFiles("expected", (".md",))),)

    def labels(self, gold: Path, html: str) -> dict[str, Any]:
        """Return the gold text and the metadata."""
        markdown, metadata = split_preamble(decode_text(read_bytes(gold)))
        return {
            "gold": markdown_text(markdown),
            "url": _page_url(html, gold.stem),
            "title": metadata.get("title"),
            "author": metadata.get("author"),
            "date": metadata.get("published"),
            "gold_markdown": markdown,
        }


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


class TypedParts(CorpusReader):
    """``origin/ID.html`` and ``groundtruth/ID.jsonl``: the main content as HTML and as a list of typed parts."""

    name = "typed-parts"
    files = "origin/*.html, groundtruth/*.jsonl"
    pairs = ((NamedFiles("origin"), NamedFiles("groundtruth", (".jsonl",))),)

    def labels(self, gold: Path, _html: str) -> dict[str, Any]:
        """Return the gold text, as text and as Markdown. A page without parts was not labelled, and has none."""
        record = json.loads(read_bytes(gold).decode().splitlines()[0])
        parts = [part for group in record.get("content_list") or [] for part in _typed_parts(group)]
        markdown = "\n\n".join(filter(None, map(_part_markdown, parts)))
        return {
            "gold": record.get("content") or markdown,
            "url": record.get("url"),
            "gold_markdown": markdown or None,
        }


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
