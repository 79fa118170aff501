"""Transfer and content encodings of archived responses, undone without ever making more bytes than allowed."""

import io
from typing import Any, Final

from tamis.errors import FetchError, MissingExtraError, PageTooLargeError
from tamis.sources.decode import Decoder

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
    return PageTooLargeError(f"the page is larger than {max_bytes / 1_000_000:g} MB")


def _decode(body: bytes, encoding: str, max_bytes: int) -> bytes:
    if encoding == "chunked":
        return _without_chunks(body)
    if encoding in {"", "identity"} or body.lstrip()[:1] == b"<":  # decoded before it was stored
        return body
    if encoding in {"gzip", "x-gzip", "deflate"}:
        if encoding != "deflate" and not body.startswith(_GZIP):
            return body
        decoder = Decoder(encoding, max_bytes)
        decoder.feed(body)
        return decoder.finish()
    if encoding == "zstd":
        return _without_zstd(body, max_bytes) if body.startswith(_ZSTD) else body
    if encoding == "br":
        return _without_brotli(body, max_bytes)
    raise FetchError(f"unexpected content encoding: {encoding[:40]}")


def _without_zstd(body: bytes, max_bytes: int) -> bytes:
    try:
        import zstandard  # noqa: PLC0415 (an extra)
    except ImportError as error:
        raise MissingExtraError.for_module("zstandard", "batch") from error
    decompressor = zstandard.ZstdDecompressor(max_window_size=_MAX_WINDOW)
    try:
        with decompressor.stream_reader(io.BytesIO(body), read_across_frames=True) as stream:
            return stream.read(max_bytes + 1)
    except zstandard.ZstdError as error:
        raise FetchError(f"the page's compression is broken: {error}") from error


def _without_brotli(body: bytes, max_bytes: int) -> bytes:
    try:
        import brotli  # noqa: PLC0415 (an extra)
    except ImportError as error:
        raise MissingExtraError.for_module("brotli", "batch") from error
    decompressor: Any = brotli.Decompressor()
    decoded = bytearray()
    try:
        while len(decoded) <= max_bytes and not decompressor.is_finished():
            more = decompressor.process(body, output_buffer_limit=max_bytes + 1 - len(decoded))
            body = b""
            if not more:
                break  # truncated: as far as it goes, as in browsers
            decoded += more
    except brotli.error as error:
        raise FetchError("the page's compression is broken") from error
    return bytes(decoded)


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
