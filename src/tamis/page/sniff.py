"""Recognize data that is not a web page by its first bytes, as the MIME Sniffing standard does."""

from typing import Final

_SIGNATURES: Final = (
    (b"%PDF-", "a PDF document"),
    (b"\x89PNG\r\n\x1a\n", "a PNG image"),
    (b"GIF87a", "a GIF image"),
    (b"GIF89a", "a GIF image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"RIFF", "a RIFF file (WebP, WAVE or AVI)"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x1f\x8b\x08", "gzip-compressed data"),
    (b"\x28\xb5\x2f\xfd", "zstd-compressed data"),
    (b"\x00\x01\x00\x00", "a TrueType font"),
    (b"wOFF", "a WOFF font"),
    (b"wOF2", "a WOFF2 font"),
    (b"OggS", "Ogg media"),
    (b"ID3", "MP3 audio"),
    (b"\x7fELF", "an executable"),
    (b"SQLite format 3\x00", "an SQLite database"),
)
_HEADER_SIZE: Final = 1445  # bytes: the length of the standard's resource header
#: The standard's binary data bytes: control characters that text does not have.
_CONTROLS: Final = bytes([*range(0x09), 0x0B, *range(0x0E, 0x1B), *range(0x1C, 0x20)])
_BYTE_ORDER_MARKS: Final = (b"\xfe\xff", b"\xff\xfe", b"\xef\xbb\xbf")


def binary_type(data: bytes) -> str | None:
    """Return a description of binary data, or None if it may be a page.

    >>> binary_type(b"%PDF-1.7"), binary_type(b"<p>hello")
    ('a PDF document', None)
    """
    header = data[:_HEADER_SIZE]
    for signature, description in _SIGNATURES:
        if header.startswith(signature):
            return description
    if header.startswith(_BYTE_ORDER_MARKS) or b"<" in header:
        return None  # text with a byte-order mark, or markup with stray control characters
    controls = len(header) - len(header.translate(None, _CONTROLS))
    return "binary data" if controls else None
