"""Compressed and archived bodies, decoded in pieces: never more bytes than allowed."""

import io
import zlib
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final, Protocol

from tamis.errors import FetchError, PageTooLargeError, needs_extra

# Compressed bodies, decoded in pieces: never more bytes than allowed, however much a small body expands.
#
# gzip and deflate always; br and zstd if ``brotli`` and ``zstandard`` are installed.

_GZIP_OR_ZLIB: Final = 32 + zlib.MAX_WBITS
_RAW_DEFLATE: Final = -zlib.MAX_WBITS
_BROKEN: Final = "the page's compression is broken"
#: gzip members of a body. Servers that append write few; a body of empty members costs time and gives nothing.
_MAX_EMPTY_MEMBERS: Final = 16
_MAX_MEMBERS: Final = 1000
#: The largest window of zstd in HTTP, RFC 9659.
_ZSTD_WINDOW: Final = 8 * 1024 * 1024
#: Bytes of zstd that are decoded at a time. A block of at least 4 bytes expands to 128 kB at most, so a step gives
#: 8 MB at most; the decoder has no limit of its own.
_ZSTD_STEP: Final = 256


def accepted_encodings() -> str:
    """Return the content encodings that can be decoded here, as a value of ``Accept-Encoding``."""
    names = ["gzip", "deflate"]
    names += ["br"] if _has_bounded_brotli() else []
    names += ["zstd"] if find_spec("zstandard") else []
    return ", ".join(names)


class _Codec(Protocol):
    def decode(self, chunk: bytes, room: int) -> bytes:
        """Return what a chunk decodes to, or about `room` bytes of it if it is more."""
        ...


class Decoder:
    """Decodes a body up to a limit of bytes.

    >>> decoder = Decoder("gzip", max_bytes=100)
    >>> decoder.feed(zlib.compress(b"tea"))
    >>> decoder.finish()
    b'tea'
    """

    def __init__(self, encoding: str, max_bytes: int) -> None:
        self._max_bytes, self._body, self._received = max_bytes, bytearray(), 0
        self._codec = _make_codec(encoding.strip().lower())

    def feed(self, chunk: bytes) -> None:
        """Decode the next piece. Too many bytes, encoded or decoded, are an error."""
        self._received += len(chunk)
        if self._received <= self._max_bytes:
            room = self._max_bytes - len(self._body) + 1
            self._body += chunk if self._codec is None else self._codec.decode(chunk, room)
        if max(len(self._body), self._received) > self._max_bytes:
            raise too_large(self._max_bytes)

    def finish(self) -> bytes:
        """Return the body. A truncated body is returned as far as it goes, as in browsers."""
        return bytes(self._body)


def _make_codec(encoding: str) -> _Codec | None:
    if encoding in {"", "identity"}:
        return None
    if encoding in {"gzip", "x-gzip", "deflate"}:
        return _Zlib(may_be_raw=encoding == "deflate")
    if encoding == "br" and _has_bounded_brotli():
        return _Brotli()
    if encoding == "zstd" and find_spec("zstandard"):
        return _Zstandard()
    raise FetchError("the page has a content encoding that was not requested")


class _Zlib:
    """gzip, with any number of members, and deflate. Some servers send deflate without its zlib header."""

    def __init__(self, *, may_be_raw: bool) -> None:
        self._inflate = zlib.decompressobj(_GZIP_OR_ZLIB)
        self._may_be_raw = may_be_raw
        self._members = self._empty_members = 0

    def decode(self, chunk: bytes, room: int) -> bytes:
        body = bytearray()
        member_start = 0
        while chunk and len(body) < room:
            try:
                body += self._inflate.decompress(chunk, room - len(body))
            except zlib.error as error:
                if not self._may_be_raw or body:
                    raise FetchError(_BROKEN) from error
                self._inflate, self._may_be_raw = zlib.decompressobj(_RAW_DEFLATE), False
                continue
            self._may_be_raw = False
            chunk = self._inflate.unconsumed_tail
            if self._inflate.eof and self._inflate.unused_data[:2] == b"\x1f\x8b":  # gzip: another member follows
                chunk = self._inflate.unused_data
                self._count_member(empty=len(body) == member_start)
                member_start = len(body)
                self._inflate = zlib.decompressobj(_GZIP_OR_ZLIB)
        return bytes(body)

    def _count_member(self, *, empty: bool) -> None:
        self._members += 1
        self._empty_members += empty
        if self._empty_members > _MAX_EMPTY_MEMBERS or self._members > _MAX_MEMBERS:
            raise FetchError(_BROKEN)


class _Brotli:
    def __init__(self) -> None:
        self._module: Any = import_module("brotli")
        self._decompressor = self._module.Decompressor()

    def decode(self, chunk: bytes, room: int) -> bytes:
        body = bytearray()
        try:
            body += self._decompressor.process(chunk, output_buffer_limit=room)
            while len(body) < room and not self._decompressor.can_accept_more_data():
                body += self._decompressor.process(b"", output_buffer_limit=room - len(body))
        except self._module.error as error:
            raise FetchError(_BROKEN) from error
        return bytes(body)


class _Zstandard:
    def __init__(self) -> None:
        self._module: Any = import_module("zstandard")
        self._decompressor = self._module.ZstdDecompressor(max_window_size=_ZSTD_WINDOW).decompressobj()

    def decode(self, chunk: bytes, room: int) -> bytes:
        body = bytearray()
        try:
            for start in range(0, len(chunk), _ZSTD_STEP):
                if len(body) >= room or self._decompressor.eof:
                    break
                body += self._decompressor.decompress(chunk[start : start + _ZSTD_STEP])
        except self._module.ZstdError as error:
            raise FetchError(_BROKEN) from error
        return bytes(body)


def _has_bounded_brotli() -> bool:
    """Return whether brotli is installed, with a limit of its output (since 1.2)."""
    if not find_spec("brotli"):
        return False
    return hasattr(import_module("brotli").Decompressor, "can_accept_more_data")


# Transfer and content encodings of archived responses, undone without ever making more bytes than allowed.

_GZIP: Final = b"\x1f\x8b"
_ZSTD: Final = b"\x28\xb5\x2f\xfd"
_MAX_WINDOW: Final = 1 << 27  #: bytes that a zstd frame may keep: what browsers allow and more
_CHUNK_HEADER: Final = 100  #: bytes of the line before a chunk


def decode_body(body: bytes, transfer: str, content: str, max_bytes: int) -> bytes:
    r"""Return a body without its transfer and content encodings. Archives often store it decoded, with old headers.

    >>> decode_body(b"5\r\n<p>te\r\n1\r\na\r\n0\r\n\r\n", "chunked", "", 100)
    b'<p>tea'
    >>> decode_body(b"<p>tea", "chunked", "gzip", 100)
    b'<p>tea'

    Raises:
        PageTooLargeError: the body, decoded or not, has more than `max_bytes`.
        FetchError: it cannot be decoded.
        MissingExtraError: the package that decodes it is not installed.
    """
    encodings = [part.strip().lower() for part in f"{content},{transfer}".split(",")]
    for encoding in reversed(encodings):
        if len(body) > max_bytes:
            raise too_large(max_bytes)
        body = _decode(body, encoding, max_bytes)
    if len(body) > max_bytes:
        raise too_large(max_bytes)
    return body


def too_large(max_bytes: int) -> PageTooLargeError:
    """Return the error for a page with too many bytes."""
    return PageTooLargeError(f"the page is larger than {max_bytes / 1_000_000:g} MB; see --max-bytes")


def _decode(body: bytes, encoding: str, max_bytes: int) -> bytes:
    if encoding == "chunked":
        return _without_chunks(body)
    if encoding in {"", "identity"} or body.lstrip()[:1] == b"<":  # decoded before it was stored
        return body
    if encoding == "zstd":
        return _without_zstd(body, max_bytes) if body.startswith(_ZSTD) else body
    if encoding not in {"gzip", "x-gzip", "deflate", "br"}:
        raise FetchError(f"unexpected content encoding: {encoding[:40]}")
    if encoding.endswith("gzip") and not body.startswith(_GZIP):
        return body
    if encoding == "br":
        with needs_extra("brotli", "batch"):
            import_module("brotli")
    decoder = Decoder(encoding, max_bytes)
    decoder.feed(body)
    return decoder.finish()


def _without_zstd(body: bytes, max_bytes: int) -> bytes:
    with needs_extra("zstandard", "batch"):
        import zstandard  # noqa: PLC0415 (an extra)
    decompressor = zstandard.ZstdDecompressor(max_window_size=_MAX_WINDOW)
    try:
        with decompressor.stream_reader(io.BytesIO(body), read_across_frames=True) as stream:
            return stream.read(max_bytes + 1)
    except zstandard.ZstdError as error:
        raise FetchError(f"the page's compression is broken: {error}") from error


def _without_chunks(body: bytes) -> bytes:
    """Return a chunked body in one piece; the body itself if it is not chunked, or only what is whole of it."""
    parts: list[bytes] = []
    position = 0
    while True:
        end = body.find(b"\r\n", position, position + _CHUNK_HEADER)
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
