"""Pages named on a command line: files (plain or gzipped), folders, ``-`` for standard input, URLs."""

import gzip
import re
import sys
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tamis.errors import SourceError

_URL: Final = re.compile(r"https?://", re.IGNORECASE)
PAGE_SUFFIXES: Final = (".html", ".htm", ".xhtml", ".html.gz", ".htm.gz")
_GZIP_MAGIC: Final = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class Source:
    """A page that can be read.

    Attributes:
        name: its name on the command line.
        stem: the file name of its output, without the suffix.
    """

    name: str
    stem: str

    @property
    def is_url(self) -> bool:
        """Whether the page is downloaded."""
        return _URL.match(self.name) is not None

    def read(self) -> tuple[bytes, str | None, str | None]:
        """Return the page's bytes, and for a URL the final URL and the declared encoding."""
        if self.is_url:
            from tamis.sources.fetch import fetch  # noqa: PLC0415 (needs the extra `fetch`)

            page = fetch(self.name, allow_private=True)
            return page.body, page.url, page.encoding
        if self.name == "-":
            return sys.stdin.buffer.read(), None, None
        return read_file(Path(self.name)), None, None


def read_file(path: Path) -> bytes:
    """Return the bytes of a file, decompressed if it is gzipped."""
    try:
        data = path.read_bytes()
        return gzip.decompress(data) if path.suffix == ".gz" and data[:2] == _GZIP_MAGIC else data
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise SourceError(f"broken gzip data ({error})") from error
    except OSError as error:
        raise SourceError(f"cannot be read: {(error.strerror or str(error)).lower()}") from error


def open_pages(names: Iterable[str]) -> Iterator[Source]:
    """Yield a source for each name. A folder stands for the pages in it, sorted by name.

    >>> [source.stem for source in open_pages(["a/b.html", "-", "https://example.org/x/y?z"])]
    ['b', 'stdin', 'example.org-x-y-z']
    """
    for name in names:
        if name == "-":
            yield Source(name, "stdin")
        elif _URL.match(name):
            yield Source(name, re.sub(r"[^\w.]+", "-", _URL.sub("", name)).strip("-")[:120] or "page")
        elif Path(name).is_dir():
            paths = sorted(path for path in Path(name).rglob("*") if path.name.lower().endswith(PAGE_SUFFIXES))
            if not paths:
                raise SourceError(f"{name} has no .html files")
            yield from (Source(str(path), _stem(path)) for path in paths)
        else:
            yield Source(name, _stem(Path(name)))


def _stem(path: Path) -> str:
    return Path(path.stem).stem if path.suffix == ".gz" else path.stem
