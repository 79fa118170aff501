"""Decode the files of a corpus, so that all tools receive the same text."""

import re
from pathlib import Path
from typing import Final

import turbohtml
import turbohtml.detect  # registers the codecs of the Encoding Standard

from tamis.errors import CorpusError, SourceError
from tamis.sources.files import read_file

_LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a file, decompressed if it is gzip; raise `CorpusError` if it is missing or broken."""
    try:
        return read_file(path)
    except SourceError as error:
        raise CorpusError(f"{path.name} {error}") from error


def decode_markup(data: bytes, label: str | None = None) -> tuple[str, str]:
    r"""Decode markup as the HTML standard prescribes; return the text and the encoding.

    `label` is the encoding that the corpus declares for the page. It takes precedence like an HTTP header, unless it
    is unknown or does not decode the bytes.

    >>> decode_markup(b"<meta charset=iso-8859-1>\x93tea\x94")[0]
    '<meta charset=iso-8859-1>“tea”'
    >>> decode_markup("thé".encode(), "utf8")
    ('thé', 'UTF-8')
    """
    if label is not None:
        try:
            encoding = turbohtml.parse(data[:4], encoding=label).encoding
        except LookupError:
            encoding = None
        if encoding is not None:
            text = _decode(data, encoding)
            if "\ufffd" not in text:
                return text, encoding
    encoding = turbohtml.parse(data, detect_encoding=True, positions=False).encoding or "windows-1252"
    return _decode(data, encoding), encoding


def decode_text(data: bytes) -> str:
    r"""Decode a plain text: as UTF-8 if it is valid, else in the detected encoding.

    >>> decode_text(b"caf\xe9")
    'café'
    """
    match = turbohtml.detect.detect(data)
    return _decode(data, match.encoding or "utf-8")


def _decode(data: bytes, encoding: str) -> str:
    text = data.decode(f"whatwg-{encoding.lower()}").removeprefix("\ufeff")
    # No tool should fail because a corpus has half a surrogate pair.
    return _LONE_SURROGATE.sub("\ufffd", text)
