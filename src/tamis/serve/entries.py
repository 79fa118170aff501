"""`Entry`: a body with what a response needs besides it. Bodies of responses are kept compressed."""

import gzip
import hashlib
import json
import time
from dataclasses import dataclass
from typing import Any, Final

_ENTRY_OVERHEAD: Final = 500  #: bytes of an entry besides its body, about
#: An entry larger than this share of a cache is not kept: it would push out all the others.
MAX_SHARE: Final = 1 / 4
MIN_COMPRESSED_BYTES: Final = 1000  #: shorter bodies are not worth compressing


@dataclass(frozen=True, slots=True)
class Entry:
    """A body and its attributes.

    Attributes:
        body: the bytes, compressed with gzip if the attribute ``gzip`` is true.
        attributes: what else is known about it, as JSON values.
        created: when it was made, in seconds since 1970.
        expires: when it stops being fresh.
        etag: its HTTP ETag, made of the body and the attributes.
    """

    body: bytes
    attributes: dict[str, Any]
    created: float
    expires: float
    etag: str

    @classmethod
    def create(cls, body: bytes, attributes: dict[str, Any], ttl: float, etag: str | None = None) -> "Entry":
        """Return an entry that is fresh for `ttl` seconds, with an ETag of its content.

        >>> etag = Entry.create(b"tea", {}, 60).etag
        >>> etag == Entry.create(b"tea", {}, 90).etag, etag == Entry.create(b"tee", {}, 60).etag
        (True, False)
        """
        now = time.time()
        return cls(body, attributes, now, now + ttl, etag or make_etag(body, attributes))

    @property
    def size(self) -> int:
        """The approximate size in bytes."""
        return len(self.body) + _ENTRY_OVERHEAD

    def is_intact(self) -> bool:
        """Return whether the body and the attributes are those that the ETag was made of."""
        return self.etag == make_etag(self.body, self.attributes)

    def plain_body(self) -> bytes:
        """Return the body, decompressed. For large bodies, call this in a thread."""
        return gzip.decompress(self.body) if self.attributes.get("gzip") else self.body


def make_etag(body: bytes, attributes: dict[str, Any]) -> str:
    """Return the ETag of a body and its attributes. It is weak: content may be sent compressed or not."""
    digest = hashlib.blake2b(json.dumps(attributes, sort_keys=True).encode(), digest_size=8)
    digest.update(body)
    return f'W/"{digest.hexdigest()}"'


def compressed(body: bytes) -> tuple[bytes, bool]:
    """Return a body compressed if that is worthwhile, and whether it is. The same body gives the same bytes."""
    if len(body) < MIN_COMPRESSED_BYTES:
        return body, False
    smaller = gzip.compress(body, 6, mtime=0)
    return (smaller, True) if len(smaller) < len(body) else (body, False)
