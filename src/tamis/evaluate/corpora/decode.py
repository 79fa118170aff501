"""From the bytes of a corpus to text, decided once."""

import re
from pathlib import Path
from typing import Final

import turbohtml
import turbohtml.detect  # registers the codecs of the Encoding Standard

from tamis.errors import CorpusError, SourceError
from tamis.sources.files import read_file

_LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def read_bytes(path: Path) -> bytes:
    """Return a file's bytes (a ``.gz`` uncompressed); a `CorpusError` when it is missing or broken."""
    try:
        return read_file(path)
    except SourceError as error:
        raise CorpusError(f"{path.name} {error}") from error


def decode_markup(data: bytes, label: str | None = None) -> tuple[str, str]:
    r"""Return markup as text, and the encoding it was in, by the steps of the HTML standard.

    `label` is what the corpus notes beside the page; it ranks like an HTTP header, unless it is no encoding or does
    not fit the bytes.

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
    r"""Return a plain text: UTF-8 where it is that, else what its bytes look like.

    >>> decode_text(b"caf\xe9")
    'café'
    """
    match = turbohtml.detect.detect(data)
    return _decode(data, match.encoding or "utf-8")


def _decode(data: bytes, encoding: str) -> str:
    text = data.decode(f"whatwg-{encoding.lower()}").removeprefix("\ufeff")
    # No extractor should fail because a corpus holds half a character.
    return _LONE_SURROGATE.sub("\ufffd", text)
