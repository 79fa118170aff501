"""Sources of a batch: files, folders, URLs, JSON Lines, Parquet and Arrow, WARC and WACZ, zip and tar.

A source is told by its name. Its pages come in the same order in every run, so that a batch can be resumed.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from tamis.batch.records import Record
from tamis.batch.sources.count import count_records
from tamis.batch.sources.files import is_folder, list_folder
from tamis.batch.sources.kinds import reader_for

__all__ = ["count_records", "id_prefixes", "read_input", "read_records"]


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
        yield from reader_for(name)(name, max_bytes)
        return
    for relative, path in list_folder(name):
        read = reader_for(path)
        for record in read(path, max_bytes):
            is_page = record.id == path
            yield _renamed(record, relative if is_page else f"{relative}#{record.id}")


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
