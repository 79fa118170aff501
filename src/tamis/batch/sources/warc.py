"""WARC and WACZ: archived HTTP responses, plain or compressed (gz, zst, lz4), read by FastWARC.

Transfer and content encodings are undone by our own decoder, which has a limit of bytes: FastWARC's has none, and a
record of which it has read a part breaks its iterator. A damaged part of a file becomes one record with an error, and
reading goes on at the next member of a gzipped file.
"""

import io
import warnings
import zipfile
from collections.abc import Iterator
from typing import IO, Any, Final

from tamis.batch.records import Record
from tamis.batch.sources.files import open_binary
from tamis.errors import FetchError, MissingExtraError, SourceError
from tamis.sources.decode import Decoder

_MEDIA_TYPES: Final = frozenset({"text/html", "application/xhtml+xml"})
_GZIP_MEMBER: Final = b"\x1f\x8b\x08"
_WINDOW: Final = 1 << 20  #: bytes that are searched at once for the next member
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
        with open_binary(name) as file, zipfile.ZipFile(file) as archive:
            for member in sorted(
                each for each in archive.namelist() if each.startswith("archive/") and ".warc" in each
            ):
                with archive.open(member) as warc:
                    yield from _read_stream(warc, member, max_bytes)
    except (SourceError, OSError, zipfile.BadZipFile) as error:
        yield Record("(end)", error=f"{name} could not be read to its end: {error}")


def _read_stream(file: IO[bytes], name: str, max_bytes: int | None) -> Iterator[Record]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of FastWARC about its own modules
            from fastwarc.warc import ArchiveIterator, WarcRecordType  # noqa: PLC0415 (an extra)
    except ImportError as error:
        raise MissingExtraError.for_module("fastwarc", "batch") from error
    start = 0
    while True:
        file.seek(start)
        position = 0  # of the last record, after `start`
        stream = file if start == 0 else _From(file, start)
        try:
            for record in ArchiveIterator(stream, record_types=WarcRecordType.response, parse_http=True):
                position = record.stream_pos
                page = _page(record, max_bytes)
                if page is not None:
                    yield page
        except BaseException as error:
            if not isinstance(error, Exception) and type(error).__name__ != "PanicException":  # of FastWARC's Rust
                raise
            yield Record(f"{name}@{start + position}", error=f"damaged WARC data: {error}")
            following = _next_member(file, start + position + 1)
            if following is None:
                return
            start = following
        else:
            return


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


def _next_member(file: IO[bytes], position: int) -> int | None:
    """Return where the next gzip member begins, or None."""
    file.seek(position)
    tail = b""
    while chunk := file.read(_WINDOW):
        window = tail + chunk
        found = window.find(_GZIP_MEMBER)
        if found >= 0:
            return position - len(tail) + found
        position += len(chunk)
        tail = window[-2:]
    return None


def _page(record: Any, max_bytes: int | None) -> Record | None:  # noqa: ANN401 (FastWARC has no types)
    """Return the page of a response; None if it is no HTML."""
    headers = record.http_headers
    media_type = (record.http_content_type or "").lower() if headers is not None else ""
    body = record.reader.read()  # always to its end: see above
    if media_type not in _MEDIA_TYPES:
        return None
    name, url = str(record.record_id).strip("<>"), record.headers.get("WARC-Target-URI")
    url = url.strip("<>") if url else None
    try:
        decoded = decode_body(
            body,
            headers.get("Transfer-Encoding", ""),
            headers.get("Content-Encoding", ""),
            _MAX_PAGE if max_bytes is None else max_bytes,
        )
    except FetchError as error:
        return Record(name, url, error=str(error))
    return Record(name, url, decoded, record.http_charset)


def decode_body(body: bytes, transfer: str, content: str, max_bytes: int) -> bytes:
    r"""Return a body without its transfer and content encodings. Archives often store it decoded, with old headers.

    >>> decode_body(b"5\r\n<p>te\r\n1\r\na\r\n0\r\n\r\n", "chunked", "", 100)
    b'<p>tea'
    >>> decode_body(b"<p>tea", "chunked", "gzip", 100)
    b'<p>tea'
    """
    if "chunked" in transfer.lower():
        body = _without_chunks(body)
    for encoding in reversed([part.strip().lower() for part in content.split(",")]):
        if encoding in {"", "identity"} or (encoding in {"gzip", "x-gzip"} and not body.startswith(b"\x1f\x8b")):
            continue
        if encoding in {"br", "zstd"} and body.lstrip()[:1] == b"<":
            continue
        decoder = Decoder(encoding, max_bytes)
        decoder.feed(body)
        body = decoder.finish()
    if len(body) > max_bytes:
        raise FetchError(f"the page is larger than {max_bytes / 1_000_000:g} MB")
    return body


def _without_chunks(body: bytes) -> bytes:
    """Return a chunked body in one piece; the body itself if it is not chunked, or only what is whole of it."""
    parts: list[bytes] = []
    position = 0
    while True:
        end = body.find(b"\r\n", position, position + 100)
        if end < 0:
            return b"".join(parts) if parts else body
        try:
            size = int(body[position:end].partition(b";")[0].strip() or b"x", 16)
        except ValueError:
            return b"".join(parts) if parts else body
        if size <= 0:
            return b"".join(parts) if size == 0 else body
        parts.append(body[end + 2 : end + 2 + size])
        position = end + 2 + size + 2
