"""Bytes that are not in the encoding that their page declares.

Browsers obey the declaration. People who read a page that was saved, converted or served by a wrong template get
characters that mean nothing. Where the bytes contradict the declaration, what they are is known or can be guessed.
"""

import re
from typing import Final

import turbohtml.detect  # registers the codecs of the standard, by the name whatwg-…

_DECLARATION: Final = re.compile(rb"charset|encoding", re.IGNORECASE)
_BYTE_ORDER_MARKS: Final = (b"\xef\xbb\xbf", b"\xfe\xff", b"\xff\xfe")
#: With one or two characters beyond ASCII, text in a legacy encoding may be valid UTF-8 by chance; with more, hardly.
_MIN_CHARACTERS: Final = 3
#: A page whose undecodable bytes are a tenth of those beyond ASCII is damaged; above, it is in another encoding.
_MAX_INVALID_SHARE: Final = 0.1


def decode(markup: bytes, encoding: str) -> str:
    """Decode bytes as the parser does."""
    if encoding.lower() == "utf-8":
        try:
            return markup.decode("utf-8")  # for valid UTF-8 the standard's decoder gives the same, more slowly
        except UnicodeDecodeError:
            pass
    return markup.decode("whatwg-" + encoding)


def true_encoding(markup: bytes, declared: str) -> str | None:
    """Return the encoding of bytes that contradict their declaration; None where they do not.

    >>> true_encoding("这是正文".encode(), "GBK")
    'UTF-8'
    >>> true_encoding("Это русский текст, который написан давно.".encode("windows-1251"), "UTF-8")
    'windows-1251'
    >>> true_encoding("Größe".encode("windows-1252"), "windows-1252") is None
    True
    """
    if (
        markup.isascii()
        or markup.startswith(_BYTE_ORDER_MARKS)
        or declared.upper().startswith(("UTF-16", "ISO-2022"))
    ):
        return None
    if declared.upper() != "UTF-8" and _is_utf8(markup):
        return "UTF-8"
    text = decode(markup, declared)
    invalid = text.count("\ufffd")
    beyond_ascii = sum(map(len, re.findall("[^\x00-\x7f]+", text)))
    if invalid <= _MAX_INVALID_SHARE * beyond_ascii:
        return None
    options = turbohtml.detect.Detection(excluded=frozenset({declared}))
    guess = turbohtml.detect.detect(_DECLARATION.sub(b"x", markup), options).encoding
    if guess is None or decode(markup, guess).count("\ufffd") >= invalid:
        return None
    return guess


def _is_utf8(markup: bytes) -> bool:
    try:
        text = markup.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return len(markup) - len(text) >= _MIN_CHARACTERS  # each character beyond ASCII has at least one byte more
