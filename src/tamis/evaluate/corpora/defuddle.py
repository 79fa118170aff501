"""The test pages of defuddle, a JavaScript extractor that writes Markdown."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Final

from tamis.errors import CorpusError
from tamis.evaluate.corpora.decode import decode_text, read_bytes
from tamis.evaluate.corpora.page import LabelledPage
from tamis.evaluate.corpora.reader import files_by_stem, sort_names
from tamis.evaluate.corpora.records import read_markup
from tamis.evaluate.markdown import plain_text

#: The metadata before the Markdown: a code block of JSON.
_PREAMBLE: Final = re.compile(r"\A\s*```json\n(.*?)\n```[ \t]*\n?", re.DOTALL)
#: The URL may be in a comment with JSON at the top of the page.
_COMMENT: Final = re.compile(r"\A\s{0,100}<!--\s{0,100}(\{[^>]{1,5000}\})\s{0,100}-->")
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
            gold=plain_text(markdown),
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
