"""Compressed bodies, decoded in pieces: never more bytes than allowed, however much a small body expands."""

import zlib

from tamis.errors import FetchError, PageTooLargeError

_GZIP_OR_ZLIB = 32 + zlib.MAX_WBITS
_RAW_DEFLATE = -zlib.MAX_WBITS


class Decoder:
    """Decodes a body up to a limit of bytes.

    >>> decoder = Decoder("gzip", max_bytes=100)
    >>> decoder.feed(zlib.compress(b"tea"))
    >>> decoder.finish()
    b'tea'
    """

    def __init__(self, encoding: str, max_bytes: int) -> None:
        self._max_bytes, self._body, self._received = max_bytes, bytearray(), 0
        encoding = encoding.strip().lower()
        if encoding not in {"", "identity", "gzip", "x-gzip", "deflate"}:
            raise FetchError(f"unexpected content encoding: {encoding[:40]}")
        self._inflate = None if encoding in {"", "identity"} else zlib.decompressobj(_GZIP_OR_ZLIB)
        self._may_be_raw = encoding == "deflate"  # some servers send deflate without its zlib header

    def feed(self, chunk: bytes) -> None:
        """Decode the next piece. Too many bytes, encoded or decoded, are an error."""
        self._received += len(chunk)
        if self._inflate is None:
            self._body += chunk
        else:
            try:
                self._decompress(chunk)
            except zlib.error as error:
                raise FetchError("the page's compression is broken") from error
        if max(len(self._body), self._received) > self._max_bytes:
            raise PageTooLargeError(f"the page is larger than {self._max_bytes / 1_000_000:g} MB")

    def _decompress(self, chunk: bytes) -> None:
        inflate = self._inflate
        while chunk and inflate is not None and len(self._body) <= self._max_bytes:
            try:
                self._body += inflate.decompress(chunk, self._max_bytes - len(self._body) + 1)
            except zlib.error:
                if not self._may_be_raw or self._body:
                    raise
                inflate = zlib.decompressobj(_RAW_DEFLATE)
                self._may_be_raw = False
                continue
            self._may_be_raw = False
            chunk = inflate.unconsumed_tail
            if inflate.eof and inflate.unused_data[:2] == b"\x1f\x8b":  # gzip: another member follows
                chunk = inflate.unused_data
                inflate = zlib.decompressobj(_GZIP_OR_ZLIB)
        self._inflate = inflate

    def finish(self) -> bytes:
        """Return the body. A truncated body is returned as far as it goes, as in browsers."""
        return bytes(self._body)
