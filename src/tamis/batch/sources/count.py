"""How many pages sources have, where that is known without reading them."""

import zipfile
from collections.abc import Sequence
from typing import Any

from tamis.batch.sources.archives import page_members
from tamis.batch.sources.files import is_folder, list_folder, open_binary
from tamis.batch.sources.kinds import CONTAINER_SUFFIXES, URL_LIST_SUFFIXES
from tamis.batch.sources.lines import listed_urls
from tamis.errors import SourceError


def count_records(inputs: Sequence[str]) -> int | None:
    """Return the number of pages of all inputs; None if one does not tell it, as a stream of records does not.

    >>> count_records(["a.html", "https://example.org"]), count_records(["crawl.warc.gz"])
    (2, None)
    """
    try:
        counts = [_count(path) for name in inputs for path in _paths(name)]
    except (SourceError, OSError, ValueError, zipfile.BadZipFile):
        return None  # what is damaged is a row with an error, when it is read
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None


def _paths(name: str) -> list[str]:
    return [path for _, path in list_folder(name)] if name != "-" and is_folder(name) else [name]


def _count(path: str) -> int | None:
    lower = path.lower()
    if path == "-":
        return None
    if lower.startswith(("http://", "https://")) or not lower.endswith((*CONTAINER_SUFFIXES, *URL_LIST_SUFFIXES)):
        return 1
    if lower.endswith(URL_LIST_SUFFIXES):
        return len(listed_urls(path))
    if lower.endswith(".zip"):
        with open_binary(path) as file, zipfile.ZipFile(file) as archive:
            return len(page_members(archive))
    return _parquet_rows(path) if lower.endswith(".parquet") else None


def _parquet_rows(path: str) -> int | None:
    try:
        import pyarrow.parquet as pq  # noqa: PLC0415 (an extra)
    except ImportError:
        return None  # reported when the file is read
    with open_binary(path) as file:
        metadata: Any = pq.read_metadata(file)
        return int(metadata.num_rows)
