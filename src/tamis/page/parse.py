"""From markup to a `Page`: sniffing, decoding, repairs, one parse, and one walk over the parser's nodes."""

import codecs
import json
import re
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
import turbohtml

from tamis._core.loader import core, find_code, has_surrogates, may_reopen, release_memory, scan
from tamis.errors import EncodingNameError, MarkupTypeError
from tamis.html.attributes import LISTED
from tamis.html.text import MAX_URL_CHARS, replace_json_surrogates, replace_surrogates, safe_url, split_url
from tamis.lazy import lazy_pattern
from tamis.page.columns import LARGE, Page, Parsed, int32s
from tamis.page.layout import Layout, with_layout
from tamis.page.selectors import leave_out
from tamis.page.visibility import hidden_rows

# Text that was decoded wrongly before it was saved.
#
# A program that reads a page in GBK as windows-1252 and saves it in UTF-8 leaves "ÖÐ¹ú" where "中国" was. The bytes
# are valid UTF-8, so that no declaration helps. But nothing is lost: the characters are the bytes of the page, and
# those can be decoded as what they are.

#: The characters that windows-1252 has in place of the controls of Latin-1, and the bytes they stand for.
_BYTES: Final = {ord(bytes((byte,)).decode("cp1252", "replace")): byte for byte in range(0x80, 0xA0)}
#: A character that neither has; one that stands for bytes without a meaning counts as that.
_NEITHER: Final = lazy_pattern(f"[^\0-\xff{''.join(map(chr, _BYTES.keys() - {0xFFFD}))}]")
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
    if _NEITHER.search(text):
        return None
    for encoding in ("cp1252", "latin-1"):  # most texts are in one of them
        with suppress(UnicodeEncodeError):
            return text.encode(encoding)
    return text.translate(_BYTES).encode("latin-1")  # windows-1252, with Latin-1 where it has no character


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


# Data that is not a web page is recognized by its first bytes, as the MIME Sniffing standard does.

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
_MAX_CONTROLS: Final = 0.05  #: of the header of a page; 27 of the 256 bytes are such characters
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
    if header.startswith(_BYTE_ORDER_MARKS):
        return None
    if b"<" in header:  # markup with stray control characters, in UTF-16 perhaps; random bytes have one in ten
        controls = len(header) - len(header.translate(None, _CONTROLS.replace(b"\0", b"")))
        return "binary data" if controls > _MAX_CONTROLS * len(header) else None
    return "binary data" if len(header) > len(header.translate(None, _CONTROLS)) else None


# Close a ``title`` that the page leaves open.
#
# The content of ``title`` is plain text up to its end tag, so a missing end tag makes the whole page its title. A
# browser shows an empty page then. Archived pages have such titles because they were cut and edited by programs: 7 of
# the 621 pages of L3S-GN1.

_START: Final = lazy_pattern(r"<title(?=[\s/>])[^>]{0,2000}>", re.IGNORECASE)
_NEXT: Final = lazy_pattern(r"<title(?=[\s/>])|</title", re.IGNORECASE)
_STOP: Final = lazy_pattern(r"[<\n\r]")
_MAX_TITLE: Final = 300  #: characters; a longer open title is cut here
_CLOSED: Final = frozenset(" \t\n\f\r/>")  #: what may follow the name in an end tag


class Repair(NamedTuple):
    """Where a repair inserts text into the source, and which."""

    position: int
    inserted: str

    def apply(self, source: str) -> str:
        """Return the repaired source.

        >>> Repair(1, "-").apply("ab")
        'a-b'
        """
        return source[: self.position] + self.inserted + source[self.position :]


def needs_repair(markup: str | bytes) -> bool:
    """Tell whether the first title of a page may be open. A well-formed title is recognized without searching on.

    >>> needs_repair("<title>Tea</title>"), needs_repair(b"<TITLE>Tea<p>"), needs_repair("<p>Tea")
    (False, True, False)
    """
    for names in (("<title", "</title>"), ("<TITLE", "</TITLE>"), ("<Title", "</Title>")):
        begin, end = names if isinstance(markup, str) else (names[0].encode(), names[1].encode())
        start = markup.find(begin)  # type: ignore[arg-type]
        if start >= 0:
            stop = markup.find(end, start)  # type: ignore[arg-type]
            return stop < 0 or markup.find(begin, start + 1, stop) >= 0  # type: ignore[arg-type]
    return False


def find_repair(source: str) -> Repair | None:
    r"""Return what closes the first title of a page; None where nothing needs to.

    A title without an end tag before the next ``title`` ends at the first ``<`` or line break, or after 300
    characters. In ``</title`` followed by anything else, the tag is completed.

    >>> find_repair("<title>Tea\n<p>Boil water."), find_repair("<title>Tea</title<p>")
    (Repair(position=10, inserted='</title>'), Repair(position=17, inserted='>'))
    >>> find_repair("<title>Tea</title >")
    """
    start = _START.search(source)
    if start is None:
        return None
    following = _NEXT.search(source, start.end())
    if following is None or following.group()[1] != "/":
        first = start.end()
        while first < len(source) and source[first].isspace():
            first += 1
        stop = _STOP.search(source, first, first + _MAX_TITLE)
        return Repair(stop.start() if stop else min(first + _MAX_TITLE, len(source)), "</title>")
    after = source[following.end() : following.end() + 1]
    if after and after in _CLOSED:
        return None
    return Repair(following.end(), ">" if after in {"", "<"} else " ")


# Formatting elements that are left open.
#
# The standard reopens every open ``b`` or ``font`` after each paragraph that ends: 110 kB of ``<p><b id=b1>x`` make a
# million elements. The parser has no limit of its own, so that such pages are recognized before they are parsed.

_FORMATTING: Final = ("b", "big", "code", "em", "font", "i", "s", "small", "strike", "strong", "tt", "u")
_MIN_REOPENING: Final = 7_000  #: characters of a page that has a hundred thousand elements so
_MAX_REOPENED: Final = 512  #: elements that the parser keeps open
_MAX_EQUAL: Final = 3  #: equal elements that the standard reopens
_FORMATTING_START: Final = rb"<[bBcCeEfFiIsStTuU](?:ig|ode|m|ont|mall|trike|trong|t)?[\s/]"
_ANY_TAG: Final = (
    rf"<(?P<end>/?)(?:(?P<name>{'|'.join(_FORMATTING)})(?=[\s/>])|(?P<table>table)\b|(?P<cell>td|th|caption)\b|"
    r"(?P<block>p|div|li|h[1-6]|ul|ol|dl|dt|dd|blockquote|center|pre|section|article|main|form|address|aside)\b)"
    r"[^>]{0,200}"
)


@cache
def _pattern(pattern: str, *, of_bytes: bool) -> "re.Pattern[Any]":
    return re.compile(pattern.encode() if of_bytes else pattern, re.IGNORECASE)


def _may_reopen(markup: str | bytes, max_nodes: int) -> bool:
    """Tell quickly whether elements that are opened again may be more than `max_nodes`."""
    if may_reopen is not None:
        return may_reopen(markup, max_nodes)
    source = markup if isinstance(markup, bytes) else markup.encode("utf-8", "surrogatepass")
    starts = len(re.findall(_FORMATTING_START, source, re.IGNORECASE))
    return starts * source.count(b"<") >= max_nodes


def reopening_limit(markup: str | bytes, max_nodes: int) -> int | None:  # noqa: C901 (one case per kind of tag)
    """Return how much of a page is parsed before elements that are opened again are an eighth of `max_nodes`.

    None if all of it can be. A node takes a kilobyte, and no real page has a twentieth of the default.

    >>> page = "".join(f"<p><b id=b{k}>x" for k in range(3000))
    >>> reopening_limit(page, 1_000_000) < len(page), reopening_limit("<p><b>x" * 9000, 1_000_000)
    (True, None)
    """
    max_nodes //= 8
    if len(markup) < _MIN_REOPENING:
        return None
    of_bytes = isinstance(markup, bytes)
    if not _may_reopen(markup, max_nodes):
        return None
    reopened = 0
    open_tags: dict[Any, list[Any]] = {}  # by name
    equal: Counter[Any] = Counter()
    outer: list[int] = []  # by table: elements that are not reopened in its cells
    active = 0
    for match in _pattern(_ANY_TAG, of_bytes=of_bytes).finditer(markup):
        if match["table"]:
            if not match["end"]:
                outer.append(active)
            elif outer:
                active = outer.pop()
        elif match["cell"]:
            active = 0 if outer else active
        elif match["block"]:
            reopened += min(active, _MAX_REOPENED)
            if reopened > max_nodes:
                return match.start()
        else:
            tags_of_name = open_tags.setdefault(match["name"].lower(), [])
            if not match["end"]:
                tags_of_name.append(match[0])
                equal[match[0]] += 1
                active += equal[match[0]] <= _MAX_EQUAL
            elif tags_of_name:
                tag = tags_of_name.pop()
                active -= active > 0 and equal[tag] <= _MAX_EQUAL
                equal[tag] -= 1
    return None


# Bytes that are not in the encoding that their page declares.
#
# Browsers obey the declaration. People who read a page that was saved, converted or served by a wrong template get
# characters that mean nothing. Where the bytes contradict the declaration, what they are is known or can be guessed.

_DECLARATION: Final = lazy_pattern(rb"charset|encoding", re.IGNORECASE)
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
    import turbohtml.detect  # noqa: F401, PLC0415 (it registers these codecs; most pages are UTF-8)

    return markup.decode("whatwg-" + encoding)


def known_encoding(label: str | None) -> str | None:
    """Return the label of an encoding if it is known; None if not. A server may declare anything.

    >>> known_encoding("latin1"), known_encoding("klingon"), known_encoding(None)
    ('latin1', None, None)
    """
    if label is None:
        return None
    try:
        turbohtml.parse(b"", encoding=label)
    except LookupError:
        return None
    return label


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
    from turbohtml.detect import Detection, detect  # noqa: PLC0415 (few pages need it)

    options = Detection(excluded=frozenset({declared}))
    guess = detect(_DECLARATION.sub(b"x", markup), options).encoding
    if guess is None or decode(markup, guess).count("\ufffd") >= invalid:
        return None
    return guess


_PIECE: Final = 1 << 15


def _is_utf8(markup: bytes) -> bool:
    characters = start = 0
    while start < len(markup):  # in pieces: the text of a large page does not fit into the cache
        stop = start + _PIECE
        try:
            text, used = codecs.utf_8_decode(markup[start:stop], "strict", stop >= len(markup))
        except UnicodeDecodeError:
            return False
        characters += len(text)
        start += used
    return len(markup) - characters >= _MIN_CHARACTERS  # each character beyond ASCII has at least one byte more


# From markup to a `Page`: one parse and one walk over the parser's nodes.


def parse_page(markup: str | bytes, *, encoding: str | None = None) -> Page:
    """Parse markup into a `Page`.

    Bytes are decoded in the order of the standard: byte-order mark, `encoding` (from the HTTP header), the document's
    declaration, a guess from the bytes. Where the bytes contradict the document's declaration, they are decoded as
    what they are, and `Page.declared_encoding` has what was declared (`tamis.page.parse`). Text that a program
    has decoded wrongly before it was saved is decoded again (`tamis.page.parse`). A title without an end tag
    is closed (`tamis.page.parse`). Binary data is not parsed: its page is empty, and has a
    `Page.binary_type`.

    >>> page = parse_page("<p>Hello <b>world</b>")
    >>> page.text
    'Hello world'
    """
    if not isinstance(markup, (str, bytes)):
        raise MarkupTypeError(f"expected str or bytes, got {type(markup).__name__}")
    if isinstance(markup, str):
        markup = _without_surrogates(markup)
    elif (binary := binary_type(markup)) is not None:
        return replace(_read("", None, encoding, None), markup=markup, binary_type=binary)
    page = _read(markup, encoding, encoding, None)
    if isinstance(markup, bytes) and encoding is None and _may_be_misdeclared(page):
        declared = page.encoding
        actual = true_encoding(markup, declared or "UTF-8")
        if actual is not None:
            page = _read(markup, actual, None, declared)
    return _without_mojibake(page)


def _without_surrogates(text: str) -> str:
    return text if has_surrogates is not None and not has_surrogates(text) else replace_surrogates(text)


def _without_mojibake(page: Page) -> Page:
    """Return a page as it was before a program decoded it wrongly and saved it; other pages as they are."""
    if not may_be_mojibake(page.text):
        return page
    source = page.markup if isinstance(page.markup, str) else decode(page.markup, page.encoding or "UTF-8")
    source = source.removeprefix("\ufeff")
    encoding = actual_encoding(source)
    if encoding is None:
        return page
    source = fix_mojibake(source, encoding)
    document = _with_closed_title(_parse(source, None), source)
    return _page(
        _scan_or_walk(document), Parsed(document), page.markup, page.encoding, page.header_encoding,
        page.declared_encoding, encoding,
    )  # fmt: skip


_PRESCANNED: Final = 1024  #: bytes, in which the standard looks for a declaration
#: A declaration of UTF-8, what every mention of an encoding says then, and comments, which declare nothing.
_UTF8_NAMES: Final = frozenset({"utf-8", "utf8"})
_UTF8: Final = lazy_pattern(rb"<meta\s[^>]*?charset\s*=\s*[\"']?\s*utf-?8[\"'\s/>;]", re.IGNORECASE)
_UTF8_CHARSET: Final = lazy_pattern(rb"charset\s*=\s*[\"']?\s*utf-?8[\"'\s/>;]", re.IGNORECASE)
#: A declaration after those bytes, for which the parser begins again.
_LATE: Final = lazy_pattern(rb"<meta\s[^>]{0,300}?charset\s*=\s*[\"']?\s*([^\"'\s/>;]*)", re.IGNORECASE)
_SMALL_BIT: Final = np.uint8(32)  #: of a letter of ASCII
_LATE_CHARS: Final = 310  #: of the beginning of such a declaration
_COMMENT: Final = lazy_pattern(rb"<!--(?:-?>|.*?(?:-->|\Z))", re.DOTALL)


def _is_utf8_for_certain(markup: bytes, encoding: str | None) -> bool:
    """Return whether the standard reads bytes as UTF-8 if they are it. Python decodes it faster than the parser."""
    if markup.startswith(_BYTE_ORDER_MARKS):
        return False
    if encoding is not None:
        return encoding.lower() in _UTF8_NAMES
    head = markup[:_PRESCANNED]
    if b"<!--" in head:
        head = _COMMENT.sub(b"", head)
    mentions = head.lower().count(b"charset")
    if mentions:
        return len(_UTF8_CHARSET.findall(head)) == mentions and _UTF8.search(head) is not None
    return _late_names(markup) <= {name.encode() for name in _UTF8_NAMES} and _is_utf8(markup)


def _late_names(markup: bytes) -> set[bytes]:
    """Return the encodings that markup declares, in small letters. A word is found faster than a pattern.

    >>> _late_names(b"<title>charset</title><META name=x Charset='KOI8-R'>")
    {b'koi8-r'}
    """
    # One bit makes letters small; `lower` takes ten times as long.
    letters = (np.frombuffer(markup, dtype=np.uint8) | _SMALL_BIT).tobytes()
    names: set[bytes] = set()
    place = letters.find(b"charset")
    while place >= 0:
        start = letters.rfind(b"<meta", max(0, place - _LATE_CHARS), place)
        match = _LATE.match(markup, start) if start >= 0 else None
        if match is not None:
            names.add(match[1].lower())
        place = letters.find(b"charset", place + 1)
    return names


# Code is set aside before a page is parsed. On an average page it is half of the bytes: scripts with the data of
# the page, and style sheets. The parser copies it, the serialization copies it, both wait for memory, and most of it
# is never read. So a mark stands for each long piece, and `Page.raw_text` reads the piece from the markup.
#
# `find_code` reads markup without a tree, and may be wrong where the tree decides (SVG) or an attribute has tags. So
# the scanner of the serialization has to find each mark alone in a script or style. Then the parser was there in the
# state in which it reads code, and reads the rest as it does with the code. Else the page is parsed as it is: none of
# 3,300 pages of seven corpora is.

_MIN_CODE: Final = 64  #: characters; a shorter piece costs more than it saves
_MARK: Final = "\x01"  #: CODE_MARK of scan.h


class Code(NamedTuple):
    r"""The code of scripts and styles that is set aside before markup is parsed.

    >>> code = Code("<script>brew()\r\n</script>", [(8, 16)])
    >>> code.rest, code.text(0)
    ('<script>\x010</script>', 'brew()\n')
    """

    markup: str | bytes
    places: list[tuple[int, int]]

    @property
    def rest(self) -> str | bytes:
        """The markup with a mark for each piece of code."""
        markup, last = self.markup, 0
        pieces: list[Any] = []
        for number, (start, stop) in enumerate(self.places):
            mark = f"{_MARK}{number}"
            pieces += (markup[last:start], mark if isinstance(markup, str) else mark.encode())
            last = stop
        pieces.append(markup[last:])
        return "".join(pieces) if isinstance(markup, str) else b"".join(pieces)

    def text(self, number: int) -> str:
        """Return a piece of code as the parser has it."""
        start, stop = self.places[number]
        piece = self.markup[start:stop]
        text = piece if isinstance(piece, str) else piece.decode("utf-8", "replace")
        return text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")


def _read(markup: str | bytes, encoding: str | None, header_encoding: str | None, declared: str | None) -> Page:
    found = _read_without_code(markup, encoding)
    if found is None:
        document, decoded_as = _read_document(markup, encoding)
        columns, parsed = _scan_or_walk(document), Parsed(document)
    else:
        columns, document, decoded_as = found
        parsed = Parsed(document, lambda: _read_document(markup, encoding)[0])
    page = _page(columns, parsed, markup, decoded_as, header_encoding, declared)
    if len(page) >= LARGE and "nodes" not in page.__dict__:
        del document, parsed, found
        page = replace(page, parsed=Parsed(None, lambda: _read_document(markup, encoding)[0]))
        release_unused(page)
    return page


def _read_without_code(
    markup: str | bytes, encoding: str | None
) -> tuple[tuple[Any, ...], turbohtml.Document, str | None] | None:
    """Return the columns of a page, its tree and its encoding, all without code; None where that is not possible."""
    if find_code is None or scan is None or needs_repair(markup):
        return None
    places = find_code(markup, _MIN_CODE)
    if not places or (isinstance(markup, bytes) and not _is_utf8_for_certain(markup, encoding)):
        return None
    code = Code(markup, places)
    rest = code.rest
    try:
        text = rest if isinstance(rest, str) else rest.decode()
    except UnicodeDecodeError:
        return None
    document = _parse(text, None)
    columns = scan(document.serialize(), code)
    return None if columns is None else (columns, document, "UTF-8" if text is not rest else document.encoding)


def release_unused(page: Page) -> None:
    """Give memory back to the system that a step of a large page does not use any more."""
    if release_memory is not None and len(page) >= LARGE:
        release_memory()


def _read_document(markup: str | bytes, encoding: str | None) -> tuple[turbohtml.Document, str | None]:
    """Return the parser's document of a page, and the encoding that it was decoded with."""
    text = None
    if isinstance(markup, bytes) and _is_utf8_for_certain(markup, encoding):
        with suppress(UnicodeDecodeError):
            text = markup.decode()
    document = _parse(markup, encoding) if text is None else _parse(text, None)
    decoded_as = document.encoding if text is None else "UTF-8"
    if needs_repair(markup):
        source = markup if isinstance(markup, str) else decode(markup, decoded_as or "UTF-8")
        document = _with_closed_title(document, source)
    return document, decoded_as


def _with_closed_title(document: turbohtml.Document, source: str) -> turbohtml.Document:
    """Return the document, or that of the repaired source if its title is open, as `find_positions` repairs it."""
    repair = find_repair(source) if needs_repair(source) else None
    return _parse(repair.apply(source), None) if repair else document


def _parse(markup: str | bytes, encoding: str | None) -> turbohtml.Document:
    try:
        return turbohtml.parse(
            markup,
            encoding=encoding if isinstance(markup, bytes) else None,
            detect_encoding=isinstance(markup, bytes),
            positions=False,
            # A declarative shadow root stays a template here; `hidden_rows` knows that a browser shows it.
            allow_declarative_shadow_roots=False,
        )
    except LookupError as error:
        raise EncodingNameError(f"unknown encoding: {encoding}") from error


def _may_be_misdeclared(page: Page) -> bool:
    """Tell quickly whether the bytes of a page may not be what it declares: a legacy encoding, or invalid UTF-8."""
    return (page.encoding or "").upper() != "UTF-8" or "\ufffd" in page.text


def restore_page(
    markup: str | bytes,
    encoding: str | None,
    layout: Layout | None,
    removed: tuple[tuple[int, int], ...],
    excluded: npt.NDArray[np.int64],
) -> Page:
    """Return a pickled page: parse its markup again, add its layout, and leave out what was left out."""
    page = parse_page(markup, encoding=encoding)
    page = page if layout is None else with_layout(page, layout)
    page = leave_out(page, np.isin(np.arange(len(page)), excluded)) if len(excluded) else page
    return page.with_removed(removed) if removed else page


#: Elements whose attributes may hide them, or say that their text is preformatted; most pages have hundreds of
#: other styles.
_HIDERS: Final = ("hidden", "aria-hidden", "style")
_HIDING: Final = (
    "[hidden]", '[aria-hidden="true" i]', '[style*="none" i]', '[style*="visib" i]', '[style*="white-space" i]',
)  # fmt: skip


def _scan_or_walk(document: turbohtml.Document) -> tuple[Any, ...]:
    columns = None if scan is None else scan(document.serialize())
    return _walk(document) if columns is None else columns


def _page(
    columns: tuple[Any, ...],
    parsed: Parsed,
    markup: str | bytes,
    encoding: str | None,
    header_encoding: str | None,
    declared: str | None,
    again: str | None = None,
) -> Page:
    node_type, tag, parent, end, depth, offset, link, pre, block_ancestor, inline_run, text, *attributes = columns
    source, class_column, classes, listed = attributes
    hidden, panels = hidden_rows(source, listed, tag, parent, end, offset, text, (class_column, classes))
    page = Page(
        node_type=node_type,
        tag=tag,
        parent=parent,
        end=end,
        depth=depth,
        offset=offset,
        link=link.view(np.bool_),
        hidden=hidden,
        panels=panels,
        pre=pre.view(np.bool_),
        block_ancestor=block_ancestor,
        inline_run=inline_run,
        text=_without_surrogates(text),
        parsed=parsed,
        attribute_source=source,
        class_column=class_column,
        classes=classes,
        listed=listed,
        markup=markup,
        encoding=encoding,
        header_encoding=header_encoding,
        declared_encoding=declared,
        mojibake_encoding=again,
    )
    if isinstance(source, core.NodeAttributes):
        page.__dict__["nodes"] = source.nodes
    return page


def _walk(document: turbohtml.Document) -> tuple[Any, ...]:
    """Return what `scan` returns, from the nodes of the parser."""
    nodes, node_type, tag, parent, end, depth, offset, link, pre, block_ancestor, inline_run, texts = core.walk(
        document
    )
    selected = document.select(",".join(_HIDING + tuple(f"[{name}]" for name in LISTED if name not in _HIDERS)))
    class_column, classes = core.class_ids(nodes, node_type)
    return (
        _uint8(node_type), _uint8(tag), int32s(parent), int32s(end), int32s(depth), int32s(offset), _uint8(link),
        _uint8(pre), int32s(block_ancestor), int32s(inline_run), "".join(texts), core.NodeAttributes(nodes),
        int32s(class_column), classes, core.list_attributes(nodes, selected, LISTED),
    )  # fmt: skip


def _uint8(column: Any) -> npt.NDArray[np.uint8]:  # noqa: ANN401 (any buffer)
    return np.frombuffer(column, dtype=np.uint8)


# What a page declares in its markup: the URL that relative URLs begin with, and JSON-LD.

# The URL against which the relative URLs of a page are resolved.


def base_url(page: Page, url: str | None) -> str | None:
    """Return the URL of the page's ``base`` element if it has a usable one, else the page's own URL.

    >>> from tamis.page import parse_page
    >>> base_url(parse_page('<base href="/docs/">'), "https://example.org/a")
    'https://example.org/docs/'
    """
    if url is not None and len(url) > MAX_URL_CHARS:
        url = None
    for row in page.rows_of("base").tolist():
        href = page.attributes(row).get("href")
        if href:
            base = safe_url(href, url)
            parts = split_url(base)
            return base if parts and parts.scheme in {"http", "https"} else url
    return url


# The JSON-LD of a page, as plain values.

_TRAILING_COMMA: Final = lazy_pattern(r",\s*([}\]])")


def parse_json_ld(page: Page, row: int) -> list[Any]:
    """Return the value of a JSON-LD script in a list, or an empty list if the script is not valid JSON-LD.

    Line breaks inside strings and trailing commas are accepted.
    """
    media_type = page.attribute_of(row, "type")
    if media_type is None or media_type.partition(";")[0].strip().lower() != "application/ld+json":
        return []
    text = replace_json_surrogates(page.raw_text(row))
    for repaired in (False, True):  # commas are removed only where the text is invalid as it stands
        try:
            return [json.loads(_TRAILING_COMMA.sub(r"\1", text) if repaired else text, strict=False)]
        except (ValueError, RecursionError):
            continue
    return []
