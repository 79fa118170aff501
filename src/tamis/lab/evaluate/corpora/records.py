"""Corpora in JSON: WCXB, article-extraction-benchmark, WebMainBench, the combined datasets."""

import json
import re
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from tamis.compat.html2text import html2text
from tamis.errors import CorpusError
from tamis.lab.evaluate.corpora.reader import (
    CorpusReader,
    LabelledPage,
    NamedFiles,
    decode_page,
    metadata_labels,
    read_record,
    sort_names,
)
from tamis.lab.evaluate.markdown import markdown_text

_PAGES: Final = NamedFiles("html")

# Formats with gold texts in JSON: WCXB and the article-extraction-benchmark.


class Wcxb(CorpusReader):
    """``html/ID.html.gz`` and ``ground-truth/ID.json``: M. Foley: WCXB, Web Content Extraction Benchmark, 2026."""

    name = "wcxb"
    files = "html/*.html.gz, ground-truth/*.json"
    pairs = ((_PAGES, NamedFiles("ground-truth", (".json",))),)

    def labels(self, gold: Path, _html: str) -> dict[str, Any]:
        """Return the gold text and the metadata."""
        record = read_record(gold)
        truth = record.get("ground_truth")
        if not isinstance(truth, dict) or not isinstance(truth.get("main_content"), str):
            raise CorpusError("its record has no main_content")
        page_type = ((record.get("_internal") or {}).get("page_type") or record.get("page_type") or {}).get("primary")
        own = {"url": record.get("url"), "page_type": page_type, "date": truth.get("publish_date")}
        return metadata_labels(truth | own) | {"gold": truth["main_content"]}


#: The gold texts are in one file, which is read once.
_read_benchmark_gold: Final = lru_cache(maxsize=4)(read_record)


class ArticleBenchmark(CorpusReader):
    """``html/ID.html.gz`` and one ``ground-truth.json``: the article-extraction-benchmark of Scrapinghub, 2020."""

    name = "article-benchmark"
    files = "html/*.html.gz, ground-truth.json"

    def recognizes(self, folder: Path) -> bool:
        """Return whether the folder and the file exist."""
        return (folder / "html").is_dir() and (folder / "ground-truth.json").is_file()

    def page_ids(self, folder: Path) -> list[str]:
        """Return the names of the pages."""
        return sort_names({*_PAGES.by_name(folder), *_read_benchmark_gold(folder / "ground-truth.json")})

    def read(self, folder: Path, page_id: str) -> LabelledPage:
        """Read one page."""
        record = _read_benchmark_gold(folder / "ground-truth.json").get(page_id)
        if not isinstance(record, dict) or not isinstance(record.get("articleBody"), str):
            raise CorpusError("has no gold text")
        html, encoding = decode_page(_PAGES.read(folder, page_id))
        return LabelledPage(
            id=page_id,
            html=html,
            gold=record["articleBody"],
            url=record.get("url"),
            page_type="article",
            title=record.get("headline"),
            encoding=encoding,
        )


# Formats with a page in each line of a JSON Lines file: what their readers share.

#: The longest line, and how many lines, that are read to recognize the format of a file.
_SAMPLE_BYTES: Final = 1 << 26
_SAMPLE_LINES: Final = 20
#: A quotation mark inside a JSON string has a backslash before it, so this is a key of the record.
_ID_PATTERN: Final = r'(?<!\\)"{}"\s{{0,8}}:\s{{0,8}}"([^"\\]{{1,500}})"'


def first_record(path: Path) -> dict[str, Any]:
    """Return the first record of a file, or an empty one if it has none. Damaged and empty lines are passed over."""
    if path.suffix != ".jsonl" or not path.is_file():
        return {}
    with path.open("rb") as file:
        for _ in range(_SAMPLE_LINES):
            try:
                record = json.loads(file.readline(_SAMPLE_BYTES))
            except ValueError:
                continue
            if isinstance(record, dict):
                return record
    return {}


@lru_cache(maxsize=64)
def record_offsets(path: Path, key: str) -> dict[str, int]:
    """Return where in a file each record begins, by its name; read once per process.

    The name is the value of `key`, or else the number of the line. Records are not parsed: their pages are large.
    """
    pattern = re.compile(_ID_PATTERN.format(key).encode())
    offsets: dict[str, int] = {}
    position = 0
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            match = pattern.search(line)
            name = match[1].decode("utf-8", "replace") if match else str(number)
            if line.strip():
                offsets[name if name not in offsets else f"{name}#{number}"] = position
            position += len(line)
    return offsets


def read_line(path: Path, key: str, page_id: str) -> dict[str, Any]:
    """Return a record by its name."""
    offset = record_offsets(path, key).get(page_id)
    if offset is None:
        raise CorpusError("has no record")
    with path.open("rb") as file:
        file.seek(offset)
        line = file.readline()
    try:
        record = json.loads(line)
    except ValueError as error:
        raise CorpusError(f"its line is not JSON: {error}") from error
    if not isinstance(record, dict):
        raise CorpusError("its line is not a JSON object")
    return record


def text_value(record: dict[str, Any], *keys: str) -> str | None:
    """Return the first value of the keys that is a text with more than white space."""
    return next((value for key in keys if isinstance(value := record.get(key), str) and value.strip()), None)


# WebMainBench: pages with their content as Markdown, in JSON Lines.
#
# M. Liu et al.: Dripper: Token-Efficient Main HTML Extraction with a Lightweight LM. arXiv 2511.23119 (2025).

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


class WebMainBench(CorpusReader):
    """A ``.jsonl`` file with ``html``, ``groundtruth_content`` or ``convert_main_content``, and ``meta``."""

    name = "webmainbench"
    files = "*.jsonl with html, groundtruth_content or convert_main_content, meta"

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
            gold=markdown_text(gold),
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


# The combined datasets of the web content extraction benchmark.
#
# J. Bevendorff, S. Gupta, J. Kiesel, B. Stein: An empirical comparison of web content extraction algorithms. SIGIR
# 2023.

_CHATNOIR_KEY: Final = "page_id"


class ChatNoir(CorpusReader):
    """``ground-truth/NAME.jsonl`` with ``page_id`` and ``plaintext``, and ``html/NAME/PAGE_ID.html.gz``.

    A dataset is a corpus of its own. The pages may also be beside the file, in a folder ``html`` or ``NAME``.
    """

    name = "chatnoir"
    files = "ground-truth/*.jsonl with page_id and plaintext, html/*/*.html.gz"

    def recognizes(self, folder: Path) -> bool:
        """Return whether a path is a file of such records with pages near it."""
        record = first_record(folder)
        return "page_id" in record and "plaintext" in record and _pages(folder).is_dir()

    def page_ids(self, folder: Path) -> list[str]:
        """Return the names of the pages."""
        return sort_names({*record_offsets(folder, _CHATNOIR_KEY), *NamedFiles("").by_name(_pages(folder))})

    def read(self, folder: Path, page_id: str) -> LabelledPage:
        """Read one page."""
        known = page_id in record_offsets(folder, _CHATNOIR_KEY)
        record = read_line(folder, _CHATNOIR_KEY, page_id) if known else {}
        text = record.get("plaintext")
        if not isinstance(text, str):
            raise CorpusError("has no gold text")
        html, encoding = decode_page(NamedFiles("").read(_pages(folder), page_id))
        return LabelledPage(id=page_id, html=html, gold=text, url=text_value(record, "url"), encoding=encoding)


def _pages(file: Path) -> Path:
    """Return the folder with the pages of a file of gold texts, or where they should be."""
    candidates = (
        file.parent.parent / "html" / file.stem,
        file.parent / "html" / file.stem,
        file.parent / file.stem,
        file.parent.parent / "html" / file.parent.name,
    )
    return next(filter(Path.is_dir, candidates), file.parent / "html")
