"""Which reader opens a source, by its name."""

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Final, cast

from tamis.batch.records import Record

Reader = Callable[[str, int | None], Iterator[Record]]
#: The suffixes of each reader of containers, as ``module:function``, imported on first use.
_CONTAINERS: Final = (
    ((".warc", ".warc.gz", ".warc.zst", ".warc.lz4"), "tamis.batch.sources.warc:read_warc"),
    ((".wacz",), "tamis.batch.sources.warc:read_wacz"),
    (
        (".jsonl", ".jsonl.gz", ".jsonl.zst", ".ndjson", ".ndjson.gz", ".ndjson.zst"),
        "tamis.batch.sources.lines:read_json_lines",
    ),
    ((".parquet", ".arrow", ".feather"), "tamis.batch.sources.arrow:read_arrow"),
    ((".zip",), "tamis.batch.sources.archives:read_zip"),
    ((".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz"), "tamis.batch.sources.archives:read_tar"),
)
#: Lists of URLs are read where they are named; a text in a folder of pages is no list.
URL_LIST_SUFFIXES: Final = (".txt", ".urls")
_READERS: Final = (*_CONTAINERS, (URL_LIST_SUFFIXES, "tamis.batch.sources.lines:read_url_list"))
#: Suffixes of containers, which are opened where they lie in a folder.
CONTAINER_SUFFIXES: Final = tuple(suffix for suffixes, _ in _CONTAINERS for suffix in suffixes)


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
