r"""Text that was decoded wrongly before it was saved.

A program that reads a page in GBK as windows-1252 and saves it in UTF-8 leaves "ÖÐ¹ú" where "中国" was. The bytes are
valid UTF-8, so that no declaration helps. But nothing is lost: the characters are the bytes of the page, and those
can be decoded as what they are.

The same happens to UTF-8, where libraries assume Latin-1 for pages whose server names no encoding: "itâ€™s". Each
sequence of characters that are the bytes of one character is replaced, and the rest stays: pages are often joined
from parts of which one is wrong. Other text in a Latin script is left alone: such characters may be meant.
"""

import codecs
import re
from typing import Final

from tamis.lazy import lazy_pattern

#: The characters that windows-1252 has in place of the controls of Latin-1, and the bytes they stand for.
_BYTES: Final = {ord(bytes((byte,)).decode("cp1252", "replace")): byte for byte in range(0x80, 0xA0)}
_LAST: Final = "\u2122"  #: the last of these characters, a trade mark sign
_DECLARED: Final = lazy_pattern(r"(?:charset|encoding)\s{0,5}=\s{0,5}[\"']?\s{0,5}([\w-]{2,30})", re.IGNORECASE)
_LATIN: Final = frozenset({"ascii", "cp1252", "iso8859-1", "iso8859-15"})
#: Decoders that also have the characters which programs write although a page declares the smaller encoding.
_LARGER: Final = {"gb2312": "gb18030", "gbk": "gb18030", "euc_kr": "cp949", "shift_jis": "cp932", "big5": "cp950"}
#: How the first two bytes of quotation marks and dashes in UTF-8 look when they were decoded as Latin-1 and
#: windows-1252. No language has such words.
_SIGNS: Final = ("â\x80", "â€")
_FIRST_OF_SIGNS: Final = "â"  #: one character is found faster than two
_MIN_SIGNS: Final = 2
_SAMPLE: Final = 600  #: characters in the middle that are looked at first
_HEAD: Final = 4000  #: characters in which the encoding is declared
_MIN_HIGH: Final = 20  #: of the sample: fewer characters may be anything
_MIN_SHARE: Final = 0.25  #: of the sample's characters: accents of Latin scripts are fewer
_HIGH: Final = bytes(range(0x80, 0x100))
_SINGLE: Final = lazy_pattern(rb"(?<![\x80-\xff])[\x80-\xff](?![\x80-\xff])")
_MAX_SINGLE: Final = 0.2  #: of these bytes, which may be alone: the accents of a Latin script mostly are
#: Encodings in which not every sequence of bytes is text, so that text in them is known by that.
_MULTIBYTE: Final = frozenset({"utf-8", "gb18030", "cp950", "big5hkscs", "cp932", "euc_jp", "cp949"})
_MAX_INVALID: Final = 0.01  #: of the characters beyond ASCII
_MIN_OTHER_SCRIPT: Final = 0.8  #: of the characters beyond ASCII
_FIRST_OTHER_SCRIPT: Final = "\u0370"  #: Greek; what is before it is Latin, with accents and signs
_FOLLOWING: Final = "".join(map(chr, (*range(0x80, 0xC0), *_BYTES)))
#: Characters that may be the bytes of one character in UTF-8.
_SEQUENCE: Final = lazy_pattern(
    f"[\u00c2-\u00df][{_FOLLOWING}]|[\u00e0-\u00ef][{_FOLLOWING}]{{2}}|[\u00f0-\u00f4][{_FOLLOWING}]{{3}}"
)


def may_be_mojibake(text: str) -> bool:
    r"""Tell quickly whether the text of a page may have been decoded as windows-1252 although it is something else.

    >>> may_be_mojibake("ÖÐ¹ú" * 20), may_be_mojibake("中国" * 20), may_be_mojibake("Un été, trop court. " * 20)
    (True, False, False)
    >>> may_be_mojibake("â€œItâ€™s tea.â€\x9d")
    True
    """
    if text.isascii():
        return False
    if _FIRST_OF_SIGNS in text and sum(map(text.count, _SIGNS)) >= _MIN_SIGNS:
        return True
    middle = max(0, (len(text) - _SAMPLE) // 2)
    sample = _as_bytes(text[middle : middle + _SAMPLE])
    if sample is None:
        return False
    high = len(sample) - len(sample.translate(None, _HIGH))
    return high >= _MIN_HIGH and high >= _MIN_SHARE * len(sample)


def actual_encoding(source: str) -> str | None:
    """Return the encoding of markup that was decoded as windows-1252 although it is in another encoding, or None.

    >>> spoilt = "中国人民的生活水平不断提高。".encode("gbk").decode("latin-1") * 4
    >>> actual_encoding("<meta charset=gb2312>" + spoilt), actual_encoding("Été à la façade, déjà. " * 9)
    ('gb18030', None)
    """
    if sum(map(source.count, _SIGNS)) >= _MIN_SIGNS:
        return "utf-8"
    data = _as_bytes(source)
    if data is None:
        return None
    declared = _DECLARED.search(source[:_HEAD])
    from turbohtml.detect import detect  # noqa: PLC0415 (few pages need it)

    names = ["utf-8", declared[1] if declared else "", detect(data).encoding or ""]
    return next((found for found in map(_decoder, names) if found and _suits(data, found)), None)


def fix_mojibake(source: str, encoding: str) -> str:
    """Return markup as it was before it was decoded as windows-1252.

    >>> fix_mojibake("ÖÐ¹ú", "gb18030"), fix_mojibake("Itâ€™s an été.", "utf-8")
    ('中国', 'It’s an été.')
    """
    if encoding == "utf-8":
        return _SEQUENCE.sub(_decode_sequence, source)
    data = _as_bytes(source)
    return source if data is None else data.decode(encoding, "replace")


def _decode_sequence(match: re.Match[str]) -> str:
    """Return the character whose bytes some characters are, or these characters."""
    try:
        return match[0].translate(_BYTES).encode("latin-1").decode("utf-8")
    except UnicodeError:
        return match[0]


def _as_bytes(text: str) -> bytes | None:
    """Return the bytes that windows-1252 or Latin-1 have decoded to a text; None if it has other characters."""
    for encoding in ("cp1252", "latin-1"):  # most texts are in the first, or have a letter of neither
        try:
            return text.encode(encoding)
        except UnicodeEncodeError:
            pass
    if max(text) > _LAST:
        return None
    try:
        return text.translate(_BYTES).encode("latin-1")  # windows-1252, with Latin-1 where it has no character
    except UnicodeEncodeError:
        return None


def _decoder(name: str) -> str | None:
    """Return the name of Python's decoder for an encoding; None if there is none that could be meant."""
    try:
        found = codecs.lookup(name).name
    except LookupError:
        return None
    return None if found in _LATIN else _LARGER.get(found, found)


def _suits(data: bytes, encoding: str) -> bool:
    if encoding not in _MULTIBYTE:
        high = len(data) - len(data.translate(None, _HIGH))
        if len(_SINGLE.findall(data)) > _MAX_SINGLE * high:
            return False
    text = data.decode(encoding, "replace")
    beyond_ascii = [character for character in text if character > "\x7f"]
    others = sum(character >= _FIRST_OTHER_SCRIPT for character in beyond_ascii)
    invalid = text.count("\ufffd")
    return invalid <= _MAX_INVALID * len(beyond_ascii) and others - invalid >= _MIN_OTHER_SCRIPT * len(beyond_ascii)
