"""The pages of all kinds of sources, and how many there are.

Sources are files, folders, URLs, JSON Lines, Parquet and Arrow, WARC and WACZ, zip and tar. A source is told by its
name. Its pages come in the same order in every run, so that a batch can be resumed.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any, Final

from tamis.errors import MissingExtraError
from tamis.sources.archives import open_zip, page_members
from tamis.sources.files import is_folder, list_folder, open_binary
from tamis.sources.lines import listed_urls
from tamis.sources.records import Record

__all__ = ["count_records", "id_prefixes", "read_input", "read_records"]
from tamis.sources.files import CONTAINER_SUFFIXES, URL_LIST_SUFFIXES, reader_for

_MAX_REASON: Final = 300  #: characters of an error that is not ours


def count_records(inputs: Sequence[str]) -> int | None:
    """Return the number of pages of all inputs; None if one does not tell it, as a stream of records does not.

    >>> count_records(["a.html", "https://example.org"]), count_records(["crawl.warc.gz"])
    (2, None)
    """
    try:
        counts = [_count(path) for name in inputs for path in _paths(name)]
    except Exception:  # noqa: BLE001 (what is damaged is a row with an error, when it is read)
        return None
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
        with open_zip(path) as archive:
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


def read_records(inputs: Sequence[str], max_bytes: int | None = None) -> Iterator[Record]:
    """Yield the pages of all inputs, one after another.

    The id of a page is its path relative to the given folder, or its name in a container. With several inputs, it
    begins with the name of the input.

    Args:
        inputs: paths, URLs, paths of fsspec (``s3://…``), or ``-`` for lines of URLs or JSON on standard input.
        max_bytes: the size above which a page is not read; its record has an error.
    """
    for prefix, name in zip(id_prefixes(inputs), inputs, strict=True):
        yield from read_input(name, max_bytes, prefix)


def read_input(name: str, max_bytes: int | None = None, prefix: str = "") -> Iterator[Record]:
    """Yield the pages of one input. Their ids begin with the prefix, unless an id is the path of a page."""
    for record in _read(name, max_bytes):
        is_path = record.path is not None and record.id == record.path
        yield record if not prefix or is_path else _renamed(record, prefix + record.id)


def _read(name: str, max_bytes: int | None) -> Iterator[Record]:
    if not is_folder(name):
        yield from _read_one(name, max_bytes)
        return
    for relative, path in list_folder(name):
        for record in _read_one(path, max_bytes):
            is_page = record.id == path
            yield _renamed(record, relative if is_page else f"{relative}#{record.id}")


def _read_one(path: str, max_bytes: int | None) -> Iterator[Record]:
    """Yield the pages of a file. Whatever its format's library raises is a record with an error."""
    try:
        yield from reader_for(path)(path, max_bytes)
    except MissingExtraError:
        raise
    except Exception as error:  # noqa: BLE001 (libraries of formats raise what they like for damaged data)
        reason = f"{type(error).__name__}: {error}"[:_MAX_REASON]
        yield Record("(end)", error=f"{path} could not be read to its end: {reason}")


def id_prefixes(inputs: Sequence[str]) -> list[str]:
    """Return what the ids of each input's pages begin with: nothing for a single input, else its name.

    >>> id_prefixes(["crawl/a.warc.gz"]), id_prefixes(["crawl/a.warc.gz", "crawl/b.warc.gz"])
    ([''], ['a.warc.gz/', 'b.warc.gz/'])
    """
    if len(inputs) < 2:  # noqa: PLR2004 (one name is never ambiguous)
        return [""] * len(inputs)
    names = [PurePosixPath(name.rstrip("/")).name for name in inputs]
    counts = Counter(names)
    return [
        f"{short if counts[short] == 1 else name.rstrip('/')}/" for name, short in zip(inputs, names, strict=True)
    ]


def _renamed(record: Record, name: str) -> Record:
    return replace(record, id=name)
