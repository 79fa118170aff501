"""WebMainBench: pages with their content as Markdown, in JSON Lines.

M. Liu et al.: Dripper: Token-Efficient Main HTML Extraction with a Lightweight LM. arXiv 2511.23119 (2025).
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Final

from tamis.compat.html2text import html2text
from tamis.errors import CorpusError
from tamis.evaluate.corpora.json_lines import first_record, read_line, record_offsets, text_value
from tamis.evaluate.corpora.page import LabelledPage
from tamis.evaluate.corpora.reader import sort_names
from tamis.evaluate.markdown import plain_text

#: The labels are attributes of the markup; a tool must not see them. The program of the annotators has left
#: attributes and elements of its own, which were not on the page either.
_LABEL: Final = re.compile(
    r"""\s(?:cc-select|data-anno-uid)(?:\s{0,8}=\s{0,8}(?:"[^"]{0,200}"|'[^']{0,200}'|[^\s"'>]{1,200})|(?=[\s/>]))""",
    re.IGNORECASE,
)
_ANNOTATION_TAG: Final = re.compile(r"</?marked-(?:text|tail|inline)(?:\s[^<>]{0,2000})?>", re.IGNORECASE)
#: The content as Markdown: corrected by people, or converted from the labelled markup. "content" is an older name.
_GOLD_KEYS: Final = ("groundtruth_content", "convert_main_content", "content")
_KEY: Final = "track_id"


@dataclass(frozen=True, slots=True)
class WebMainBench:
    """A ``.jsonl`` file with ``html``, ``groundtruth_content`` or ``convert_main_content``, and ``meta``."""

    name: ClassVar[str] = "webmainbench"
    files: ClassVar[str] = "*.jsonl with html, groundtruth_content or convert_main_content, meta"

    def recognizes(self, folder: Path) -> bool:
        """Return whether a path is a file of such records."""
        record = first_record(folder)
        return isinstance(record.get("html"), str) and any(key in record for key in (*_GOLD_KEYS[:2], "main_html"))

    def page_ids(self, folder: Path) -> list[str]:
        """Return the names of the pages."""
        return sort_names(set(record_offsets(folder, _KEY)))

    def read(self, folder: Path, page_id: str) -> LabelledPage:
        """Read one page."""
        record = read_line(folder, _KEY, page_id)
        html = text_value(record, "html")
        if html is None:
            raise CorpusError("has a gold text but no page")
        url = text_value(record, "url")
        gold = text_value(record, *_GOLD_KEYS)
        if gold is None and (main_html := text_value(record, "main_html")):
            gold = html2text(remove_labels(main_html), url or "")
        if gold is None and any(isinstance(record.get(key), str) for key in _GOLD_KEYS):
            gold = ""  # the page has no content
        if gold is None:
            raise CorpusError("has no gold text")
        meta = record["meta"] if isinstance(record.get("meta"), dict) else {}
        values: dict[str, Any] = {**record, **meta}
        style = text_value(values, "style", "content_type")
        return LabelledPage(
            id=page_id,
            html=remove_labels(html),
            gold=plain_text(gold),
            url=url,
            page_type=re.sub(r"[\s_]+", "-", style).lower() if style else None,
            language=text_value(values, "language"),
            level=text_value(values, "level", "difficulty"),
            tags=_tags(values),
            gold_markdown=gold,
        )


def remove_labels(html: str) -> str:
    """Return markup without the labels and without what the program of the annotators has left in it.

    >>> remove_labels('<p cc-select="true" data-anno-uid=7><marked-text cc-select=true>Tea</marked-text></p>')
    '<p>Tea</p>'
    """
    return _ANNOTATION_TAG.sub("", _LABEL.sub("", html))


def _tags(values: dict[str, Any]) -> tuple[str, ...]:
    """Return what a page has (code, table, equation), and the tags of its record.

    >>> _tags({"code": ["inline"], "table": [], "equation": [], "tags": ["news"]})
    ('code', 'news')
    """
    named = [name for name in ("code", "table", "equation") if values.get(name)]
    tags = values.get("tags")
    return (*named, *(str(tag) for tag in (tags if isinstance(tags, list) else ())))
