"""Formats with gold texts in JSON: WCXB and the article-extraction-benchmark."""

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

from tamis.errors import CorpusError
from tamis.evaluate.corpora.decode import decode_markup, read_bytes
from tamis.evaluate.corpora.page import LabelledPage
from tamis.evaluate.corpora.reader import files_by_stem, find_file, sort_names


def read_record(path: Path) -> dict[str, Any]:
    """Return the object in a JSON file."""
    try:
        record = json.loads(read_bytes(path))
    except ValueError as error:
        raise CorpusError(f"{path.name} is not JSON: {error}") from error
    if not isinstance(record, dict):
        raise CorpusError(f"{path.name} is not a JSON object")
    return record


def read_markup(folder: Path, page_id: str) -> tuple[str, str]:
    """Return the markup of a page, and its encoding."""
    path = find_file(folder, page_id)
    if path is None:
        raise CorpusError("has a gold text but no page")
    data = read_bytes(path)
    if not data.strip():
        raise CorpusError("the page is empty")
    return decode_markup(data)


def normalize_page_type(name: str | None) -> str | None:
    """Return the page type under its current name: "category" is an older name of WCXB's "collection".

    >>> normalize_page_type("category"), normalize_page_type(None)
    ('collection', None)
    """
    return "collection" if name == "category" else name


@dataclass(frozen=True, slots=True)
class Wcxb:
    """``html/ID.html.gz`` and ``ground-truth/ID.json``: M. Foley: WCXB, Web Content Extraction Benchmark, 2026."""

    name: ClassVar[str] = "wcxb"
    files: ClassVar[str] = "html/*.html.gz, ground-truth/*.json"

    def recognizes(self, folder: Path) -> bool:
        """Return whether both folders exist, the second with records."""
        return (folder / "html").is_dir() and any((folder / "ground-truth").glob("*.json"))

    def page_ids(self, folder: Path) -> list[str]:
        """Return the names of the pages."""
        return sort_names({*files_by_stem(folder / "html"), *files_by_stem(folder / "ground-truth", (".json",))})

    def read(self, folder: Path, page_id: str) -> LabelledPage:
        """Read one page."""
        path = find_file(folder / "ground-truth", page_id, (".json",))
        if path is None:
            raise CorpusError("has no gold text")
        record = read_record(path)
        truth = record.get("ground_truth")
        if not isinstance(truth, dict) or not isinstance(truth.get("main_content"), str):
            raise CorpusError("its record has no main_content")
        html, encoding = read_markup(folder / "html", page_id)
        internal = record.get("_internal") or {}
        page_type = (internal.get("page_type") or record.get("page_type") or {}).get("primary")
        return LabelledPage(
            id=page_id,
            html=html,
            gold=truth["main_content"],
            url=record.get("url"),
            page_type=normalize_page_type(page_type),
            required=tuple(truth.get("with") or ()),
            forbidden=tuple(truth.get("without") or ()),
            title=truth.get("title"),
            author=truth.get("author"),
            date=truth.get("publish_date"),
            encoding=encoding,
        )


@lru_cache(maxsize=4)
def _read_benchmark_gold(path: Path) -> dict[str, Any]:
    """Return all gold texts. They are in one file, which is read once."""
    return read_record(path)


@dataclass(frozen=True, slots=True)
class ArticleBenchmark:
    """``html/ID.html.gz`` and one ``ground-truth.json``: the article-extraction-benchmark of Scrapinghub, 2020."""

    name: ClassVar[str] = "article-benchmark"
    files: ClassVar[str] = "html/*.html.gz, ground-truth.json"

    def recognizes(self, folder: Path) -> bool:
        """Return whether the folder and the file exist."""
        return (folder / "html").is_dir() and (folder / "ground-truth.json").is_file()

    def page_ids(self, folder: Path) -> list[str]:
        """Return the names of the pages."""
        return sort_names({*files_by_stem(folder / "html"), *_read_benchmark_gold(folder / "ground-truth.json")})

    def read(self, folder: Path, page_id: str) -> LabelledPage:
        """Read one page."""
        record = _read_benchmark_gold(folder / "ground-truth.json").get(page_id)
        if not isinstance(record, dict) or not isinstance(record.get("articleBody"), str):
            raise CorpusError("has no gold text")
        html, encoding = read_markup(folder / "html", page_id)
        return LabelledPage(
            id=page_id,
            html=html,
            gold=record["articleBody"],
            url=record.get("url"),
            page_type="article",
            title=record.get("headline"),
            encoding=encoding,
        )
