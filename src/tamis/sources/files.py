"""Pages named on a command line: files (plain or gzipped), folders, ``-`` for standard input, URLs."""

import gzip
import io
import re
import sys
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final

from tamis.errors import SourceError

_URL: Final = re.compile(r"https?://", re.IGNORECASE)
PAGE_SUFFIXES: Final = (".html", ".htm", ".xhtml", ".html.gz", ".htm.gz")
_GZIP_MAGIC: Final = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class Source:
    """A page that can be read.

    Attributes:
        name: its name on the command line.
        stem: the path of its output in a folder, without the suffix. Pages of a folder keep their subfolders.
        relative: its path in the folder that was given, with its suffix; None if the page itself was given.
        body: its bytes, if they were read already.
    """

    name: str
    stem: str
    relative: str | None = None
    body: bytes | None = field(default=None, repr=False)

    @property
    def is_url(self) -> bool:
        """Whether the page is downloaded."""
        return _URL.match(self.name) is not None

    def read(self) -> tuple[bytes, str | None, str | None]:
        """Return the page's bytes, and for a URL the final URL and the declared encoding."""
        if self.body is not None:
            return self.body, None, None
        if self.is_url:
            from tamis.sources.fetch import fetch  # noqa: PLC0415 (needs the extra `fetch`)

            page = fetch(self.name, allow_private=True)
            return page.body, page.url, page.encoding
        if self.name == "-":
            return sys.stdin.buffer.read(), None, None
        return read_file(Path(self.name)), None, None


def read_file(path: Path, max_bytes: int | None = None) -> bytes:
    """Return the bytes of a file, decompressed if it is gzipped. Of a larger page, one byte more than allowed."""
    try:
        with path.open("rb") as file:
            return read_page(file, path.name, max_bytes)
    except OSError as error:
        if isinstance(error, SourceError):
            raise
        raise SourceError(f"cannot be read: {(error.strerror or str(error)).lower()}") from error


def read_page(file: IO[bytes], name: str, max_bytes: int | None = None) -> bytes:
    """Return the bytes of a page from an open file, as `read_file` does."""
    size = -1 if max_bytes is None else max_bytes + 1
    data = file.read(size)
    if not name.lower().endswith(".gz") or data[:2] != _GZIP_MAGIC:
        return data
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as unzipped:
            return unzipped.read(size)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise SourceError(f"broken gzip data ({error})") from error


def open_pages(names: Sequence[str]) -> Iterator[Source]:
    """Yield a source for each name. A folder stands for the pages in it and below, sorted by name.

    >>> [source.stem for source in open_pages(["a/b.html", "-", "https://example.org/x/y?z"])]
    ['b', 'stdin', 'example.org-x-y-z']
    """
    for name in names:
        if name == "-":
            yield Source(name, "stdin")
        elif _URL.match(name):
            yield Source(name, re.sub(r"[^\w.]+", "-", _URL.sub("", name)).strip("-")[:120] or "page")
        elif Path(name).is_dir():
            yield from _open_folder(Path(name), is_named=len(names) > 1)
        else:
            yield Source(name, _without_suffix(Path(name)).name)


def _open_folder(folder: Path, *, is_named: bool) -> Iterator[Source]:
    """Yield the pages of a folder. If it is one of several names, their outputs are in a folder with its name."""
    paths = sorted(path for path in folder.rglob("*") if path.name.lower().endswith(PAGE_SUFFIXES) and path.is_file())
    if not paths:
        raise SourceError(f"{folder} has no .html files")
    prefix = Path(folder.resolve().name if is_named else "")
    for path in paths:
        relative = prefix / path.relative_to(folder)
        yield Source(str(path), _without_suffix(relative).as_posix(), relative.as_posix())


def _without_suffix(path: Path) -> Path:
    return path.with_suffix("").with_suffix("") if path.suffix == ".gz" else path.with_suffix("")
