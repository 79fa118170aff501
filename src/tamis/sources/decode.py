"""Compressed bodies, decoded a piece at a time: never more than allowed, whatever a small body unfolds to."""

import zlib

from tamis.errors import FetchError

_GZIP_OR_ZLIB = 32 + zlib.MAX_WBITS
_BARE = -zlib.MAX_WBITS


class Decoder:
    """Decodes a body up to a limit of bytes.

    >>> decoder = Decoder("gzip", limit=100)
    >>> decoder.feed(zlib.compress(b"tea"))
    >>> decoder.done()
    b'tea'
    """

    def __init__(self, encoding: str, limit: int) -> None:
        self._limit, self._body, self._taken = limit, bytearray(), 0
        encoding = encoding.strip().lower()
        if encoding not in {"", "identity", "gzip", "x-gzip", "deflate"}:
            raise FetchError(f"the page is encoded as {encoding[:40]}, which was not asked for")
        self._inflate = None if encoding in {"", "identity"} else zlib.decompressobj(_GZIP_OR_ZLIB)
        self._may_be_bare = encoding == "deflate"  # some servers send deflate without its zlib header

    def feed(self, chunk: bytes) -> None:
        """Decode the next piece; too much is an error."""
        self._taken += len(chunk)
        if self._inflate is None:
            self._body += chunk
        else:
            try:
                self._unfold(chunk)
            except zlib.error as error:
                raise FetchError("the page's compression is broken") from error
        if max(len(self._body), self._taken) > self._limit:
            raise FetchError(f"the page is larger than {self._limit / 1_000_000:g} MB")

    def _unfold(self, chunk: bytes) -> None:
        inflate = self._inflate
        while chunk and inflate is not None and len(self._body) <= self._limit:
            try:
                self._body += inflate.decompress(chunk, self._limit - len(self._body) + 1)
            except zlib.error:
                if not self._may_be_bare or self._body:
                    raise
                inflate = zlib.decompressobj(_BARE)
                self._may_be_bare = False
                continue
            self._may_be_bare = False
            chunk = inflate.unconsumed_tail
            if inflate.eof and inflate.unused_data[:2] == b"\x1f\x8b":  # gzip: another member follows
                chunk = inflate.unused_data
                inflate = zlib.decompressobj(_GZIP_OR_ZLIB)
        self._inflate = inflate

    def done(self) -> bytes:
        """Return the body; one that was cut short is what came of it, as in browsers."""
        return bytes(self._body)
