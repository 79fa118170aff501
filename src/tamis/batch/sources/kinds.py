"""Which reader opens a source, by its name."""

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Final, cast

from tamis.batch.records import Record

Reader = Callable[[str, int | None], Iterator[Record]]
#: The suffixes of each reader, as ``module:function``, imported on first use.
_READERS: Final = (
    ((".warc", ".warc.gz", ".warc.zst", ".warc.lz4"), "tamis.batch.sources.warc:read_warc"),
    ((".wacz",), "tamis.batch.sources.warc:read_wacz"),
    ((".jsonl", ".jsonl.gz", ".jsonl.zst", ".ndjson", ".ndjson.gz"), "tamis.batch.sources.lines:read_json_lines"),
    ((".txt", ".urls"), "tamis.batch.sources.lines:read_url_list"),
    ((".parquet", ".arrow", ".feather"), "tamis.batch.sources.arrow:read_arrow"),
    ((".zip",), "tamis.batch.sources.archives:read_zip"),
    ((".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz"), "tamis.batch.sources.archives:read_tar"),
)


def reader_for(name: str) -> Reader:
    """Return the function that reads a source.

    >>> reader_for("crawl.warc.gz").__name__, reader_for("page.html").__name__, reader_for("-").__name__
    ('read_warc', 'read_page', 'read_stdin')
    """
    lower = name.lower()
    path = "tamis.batch.sources.files:read_page"
    if name == "-":
        path = "tamis.batch.sources.lines:read_stdin"
    elif lower.startswith(("http://", "https://")):
        path = "tamis.batch.sources.lines:read_url"
    else:
        path = next((reader for suffixes, reader in _READERS if lower.endswith(suffixes)), path)
    module, _, function = path.partition(":")
    return cast("Reader", getattr(import_module(module), function))
