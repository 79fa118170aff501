"""WARC and WACZ: archived HTTP responses, plain or compressed (gz, zst, lz4), read by FastWARC.

Transfer and content encodings are undone by our own decoder, which has a limit of bytes: FastWARC's has none, and a
record of which it has read a part breaks its iterator. A damaged or truncated part of a file becomes one record with
an error, and reading goes on at the next record: the next gzip member, the next frame, or the next header.
"""

import io
import warnings
from collections.abc import Iterator
from dataclasses import replace
from typing import IO, Any, Final

from tamis.errors import FetchError, MissingExtraError, PageTooLargeError, SourceError, needs_extra
from tamis.sources.archives import BROKEN, open_zip
from tamis.sources.content_encodings import decode_body, too_large
from tamis.sources.files import open_binary
from tamis.sources.records import Record

_MEDIA_TYPES: Final = frozenset({"text/html", "application/xhtml+xml"})
#: What a gzip member, a zstd frame and an LZ4 frame begin with: each record of a compressed file is one.
_MARKERS: Final = (b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd", b"\x04\x22\x4d\x18")
_PLAIN: Final = b"WARC/1."
_WINDOW: Final = 1 << 20  #: bytes that are searched at once for the next record
_MAX_PAGE: Final = 1_000_000_000  #: bytes of a decoded page where the batch has no limit of its own


def read_warc(name: str, max_bytes: int | None) -> Iterator[Record]:
    """Yield the HTML responses of a WARC file."""
    try:
        with open_binary(name) as file:
            yield from _read_stream(file, name, max_bytes)
    except SourceError as error:
        yield Record("(end)", error=f"{name} could not be read to its end: {error}")


def read_wacz(name: str, max_bytes: int | None) -> Iterator[Record]:
    """Yield the HTML responses of the WARC files in a WACZ archive."""
    try:
        with open_zip(name) as archive:
            for member in sorted(
                each for each in archive.namelist() if each.startswith("archive/") and ".warc" in each
            ):
                try:
                    with archive.open(member) as warc:
                        yield from _read_stream(warc, member, max_bytes)
                except BROKEN as error:
                    yield Record(member, error=f"damaged in the archive: {error}")
    except (SourceError, *BROKEN) as error:
        yield Record("(end)", error=f"{name} could not be read to its end: {error}")


def _import_fastwarc() -> Any:  # noqa: ANN401 (FastWARC has no types)
    with needs_extra("fastwarc", "batch"), warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of FastWARC about its own modules
        from fastwarc import warc  # noqa: PLC0415 (an extra)
    return warc


def _read_stream(file: IO[bytes], name: str, max_bytes: int | None) -> Iterator[Record]:
    fastwarc = _import_fastwarc()
    marker = _marker(file)
    start, is_reported = 0, False
    while True:
        file.seek(start)
        position = 0  # of the last record, after `start`
        stream = file if start == 0 else _From(file, start)
        try:
            for record in fastwarc.ArchiveIterator(
                stream, record_types=fastwarc.WarcRecordType.response, parse_http=True
            ):
                position = record.stream_pos
                page = _page(record, max_bytes)
                is_reported = False
                if page is not None:
                    yield page
        except BaseException as error:
            if not isinstance(error, Exception) and type(error).__name__ != "PanicException":  # of FastWARC's Rust
                raise
            if isinstance(error, MissingExtraError):
                raise
            if not is_reported:  # a damaged part may look like several beginnings of records; it is one error
                yield Record(f"{name}@{start + position}", error=f"damaged WARC data: {error}")
                is_reported = True
            following = _find(file, marker, start + position + 1)
            if following is None:
                return
            start = following
        else:
            return


def _marker(file: IO[bytes]) -> bytes:
    """Return the bytes that every record of a file begins with: those of its compression, or of WARC itself."""
    file.seek(0)
    head = file.read(4)
    return next((marker for marker in _MARKERS if head.startswith(marker)), _PLAIN)


class _From(io.RawIOBase):
    """The rest of a file, as a file of its own."""

    def __init__(self, file: IO[bytes], start: int) -> None:
        self._file, self._start = file, start

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        return self._file.read(size)

    def tell(self) -> int:
        return self._file.tell() - self._start

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        target = offset + self._start if whence == io.SEEK_SET else offset
        return self._file.seek(target, whence) - self._start


def _find(file: IO[bytes], marker: bytes, position: int) -> int | None:
    """Return where some bytes are found next in a file, or None."""
    file.seek(position)
    tail = b""
    while chunk := file.read(_WINDOW):
        window = tail + chunk
        found = window.find(marker)
        if found >= 0:
            return position - len(tail) + found
        position += len(chunk)
        tail = window[1 - len(marker) :]
    return None


def _page(record: Any, max_bytes: int | None) -> Record | None:  # noqa: ANN401 (FastWARC has no types)
    """Return the page of a response; None if it is not HTML."""
    headers = record.http_headers
    media_type = (record.http_content_type or "").lower() if headers is not None else ""
    if media_type not in _MEDIA_TYPES:
        return None
    name, url = str(record.record_id).strip("<>"), record.headers.get("WARC-Target-URI")
    url = url.strip("<>") if url else None
    limit, size = _MAX_PAGE if max_bytes is None else max_bytes, record.content_length
    try:
        if size > limit:
            raise too_large(limit)  # without reading it: the iterator goes over it
        body = record.reader.read()
        if len(body) < size:
            raise _DamagedError(f"{name} is truncated: {len(body)} of {size} bytes")
        transfer, content = (headers.get(each, "") for each in ("Transfer-Encoding", "Content-Encoding"))
        found = Record(name, url, decode_body(body, transfer, content, limit), record.http_charset)
    except FetchError as error:
        found = Record(name, url, error=str(error), too_large=isinstance(error, PageTooLargeError))
    status = headers.status_code
    return replace(
        found,
        http_status=int(status) if status else None,
        crawled=record.headers.get("WARC-Date"),
    )


class _DamagedError(Exception):
    """A record is shorter than it says."""
