"""Facts about text: surrogates, invisible characters, scripts, signs, words that many rooms look for, and URLs."""

import re
from functools import lru_cache
from typing import Final
from urllib.parse import SplitResult, urljoin, urlsplit

from tamis.lazy import lazy_pattern

_SURROGATE: Final = lazy_pattern("[\ud800-\udfff]")
_JSON_ESCAPE: Final = lazy_pattern(
    r"\\u[dD][89aAbB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}"
)
_PAIR: Final = 12  # characters of two escapes


def replace_surrogates(text: str) -> str:
    r"""Return a text in which U+FFFD takes the place of each lone surrogate. Its length is the same.

    >>> replace_surrogates("tea \ud83d \U0001f375")
    'tea \ufffd \U0001f375'
    """
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", text)
    return text


def replace_json_surrogates(text: str) -> str:
    r"""Return JSON in which escapes of lone surrogates are escapes of U+FFFD.

    >>> replace_json_surrogates('"\\ud83d\\udf75 \\ud83d"')
    '"\\ud83d\\udf75 \\ufffd"'
    """
    if "\\ud" not in text and "\\uD" not in text:
        return text
    return _JSON_ESCAPE.sub(lambda match: match[0] if len(match[0]) == _PAIR else "\\ufffd", text)


def unescape(text: str) -> str:
    """Return a text without character references. Their table is imported where there is one.

    >>> unescape("Salt &amp; pepper")
    'Salt & pepper'
    """
    if "&" not in text:
        return text
    from html import unescape as unescape_references  # noqa: PLC0415 (few pages need it)

    return unescape_references(text)


# Invisible characters: they are removed from every output, and counted for warnings.
#
# Zero-width characters hide text inside words, bidirectional controls change the order in which a line is read, and
# tag characters carry whole sentences that no reader sees. Joiners stay where scripts need them: after letters of
# Arabic and of the scripts of India and South-East Asia, and within emoji.

_ZERO_WIDTH: Final = "\u00ad\u180e\u200b\u2060-\u2064\ufeff\U000e0000-\U000e007f\U000e0100-\U000e01ef"
_BIDI: Final = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_BEFORE_JOINER: Final = "\u0600-\u1fff\u2190-\u2bff\u3000-\udfff\uf900-\ufdff\ufe0f\ufe70-\ufefe\U00010000-\U000dffff"
_INVISIBLE: Final = lazy_pattern(f"[{_ZERO_WIDTH}{_BIDI}]|(?<![{_BEFORE_JOINER}])[\u200c\u200d]")
_BIDI_CONTROL: Final = lazy_pattern(f"[{_BIDI}]")


def strip_invisible(text: str) -> str:
    """Return text without invisible characters.

    >>> strip_invisible("pass\u200bword \u202eevil\u202c"), strip_invisible("می\u200cخواهم")
    ('password evil', 'می\u200cخواهم')
    """
    return text if text.isascii() else _INVISIBLE.sub("", text)


def count_invisible(text: str) -> tuple[int, int]:
    """Return how many zero-width characters and how many bidi controls `strip_invisible` removes.

    >>> count_invisible("pass\u200bword \u202eevil\u202c")
    (1, 2)
    """
    if text.isascii():
        return 0, 0
    invisible = len(_INVISIBLE.findall(text))
    bidi = len(_BIDI_CONTROL.findall(text))
    return invisible - bidi, bidi


#: Scripts written without spaces: kana, Han, Thai, Lao, Khmer, Burmese.
UNSPACED: Final = lazy_pattern(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
#: The text of links from a heading to itself.
ANCHOR_SIGNS: Final = "#¶§🔗⚓∞"

# Which languages are written from right to left, for pages that leave the direction to their style sheets.

_RIGHT_TO_LEFT: Final = frozenset(
    ("ar", "arc", "ckb", "dv", "fa", "he", "iw", "ks", "ps", "sd", "syr", "ug", "ur", "yi")
)


def is_right_to_left(language: str) -> bool:
    """Tell whether a language, as ``lang`` names it, is written from right to left.

    >>> is_right_to_left("ar-EG"), is_right_to_left("HE"), is_right_to_left("en"), is_right_to_left("")
    (True, True, False, False)
    """
    return language.partition("-")[0].lower() in _RIGHT_TO_LEFT


# The marks that browsers draw around a ``q`` element.

OPENING_QUOTE: Final = "\N{LEFT DOUBLE QUOTATION MARK}"
CLOSING_QUOTE: Final = "\N{RIGHT DOUBLE QUOTATION MARK}"


#: Rule of thumb of the makers of language models: a token is about four characters of English. Bytes instead of
#: characters, because scripts with more bytes per character have more tokens per character.
BYTES_PER_TOKEN: Final = 4


def estimate_tokens(text: str) -> int:
    """Return about how many tokens a language model reads.

    >>> estimate_tokens("Boil the water."), estimate_tokens("")
    (4, 0)
    """
    return -(-len(text.encode("utf-8", "replace")) // BYTES_PER_TOKEN)


# Words that several rooms look for, in the languages of the web: months, labels of bylines, copyright lines.

# The names of the months.

#: English, German, French, Spanish, Italian, Dutch, Portuguese, Swedish, Danish, Polish, Czech, Romanian, Turkish,
#: Indonesian, Hungarian, Finnish, Russian, Ukrainian, Greek; what abbreviates the name differently from English last.
_NAMES_BY_MONTH: Final = """
    january jan januar jänner janvier enero gennaio januari janeiro stycznia ledna ianuarie ocak január tammikuuta
    января січня ιανουαρίου janv ene gen;
    february feb februar février fevrier febrero febbraio februari fevereiro lutego února februarie şubat február
    helmikuuta февраля лютого φεβρουαρίου févr fev;
    march mar märz maerz mars marzo maart março marts marca března martie mart maret március maaliskuuta марта
    березня μαρτίου mrt;
    april apr avril abril aprile kwietnia dubna aprilie nisan április huhtikuuta апреля квітня απριλίου avr abr;
    may mai mayo maggio mei maio maj maja května mayıs május toukokuuta мая травня μαΐου mag;
    june jun juni juin junio giugno junho czerwca června iunie haziran június kesäkuuta июня червня ιουνίου giu;
    july jul juli juillet julio luglio julho lipca července iulie temmuz július heinäkuuta июля липня ιουλίου juil
    lug;
    august aug août aout agosto augustus augusti sierpnia srpna ağustos agustus augusztus elokuuta августа серпня
    αυγούστου ago;
    september sep sept septembre septiembre settembre setembro września září septembrie eylül szeptember syyskuuta
    сентября вересня σεπτεμβρίου set;
    october oct oktober octobre octubre ottobre outubro okt października října octombrie ekim október lokakuuta
    октября жовтня οκτωβρίου ott;
    november nov novembre noviembre novembro listopada listopadu noiembrie kasım marraskuuta ноября листопада
    νοεμβρίου;
    december dec dezember décembre decembre diciembre dicembre dezembro dez grudnia prosince decembrie aralık
    desember joulukuuta декабря грудня δεκεμβρίου déc dic
"""
_NAMES: Final = tuple(_NAMES_BY_MONTH.split(";"))
#: The number of each month, by its name in lower case.
MONTHS: Final = {name: number for number, names in enumerate(_NAMES, 1) for name in names.split()}
#: A regular expression for one of these names, the longest first.
MONTH_NAME: Final = "|".join(sorted(MONTHS, key=len, reverse=True))
#: A regular expression for the first three letters of the English months.
ENGLISH_MONTHS: Final = "|".join(names.split()[0][:3] for names in _NAMES)


# Bylines: lines that name an author.

MAX_NAME_CHARS: Final = 60  #: of the name of a person
_VERBS: Final = (
    r"written|authored|post|posted|published|words|story|text|reported|reviewed|edited|photos?|commented|answered|"
    r"asked"
)
#: The label before a name, in the languages of the web: "By", "Posted by:", "von", "Autor:", "记者".
BYLINE_LABEL: Final = lazy_pattern(
    rf"^(?:(?:{_VERBS})\s+)?(?:(?P<by>by\b[:\s]*|(?-i:[Bb]y(?=[A-Z])))|(?:von|par|por|di|door|af|av)\s*:?\s+)"
    r"|^(?:authors?|autor(?:en|es)?|auteurs?|autori)\b(?![-_])\s*:?\s*"
    r"|^(?:автор|текст|بقلم|كتب|كتبت|लेखक|लेखिका|著者|筆者|作者|记者|記者|撰文)(?:\s*[:：]\s*|\s+)",
    re.IGNORECASE,
)


def is_byline(line: str) -> bool:
    """Return whether a line is a byline: "by" or a label with a colon, then a word that is not in lower case.

    The words for "by" in other languages do not suffice: names and headlines begin with them too ("Di Stefano").

    >>> is_byline("By Ann Lee"), is_byline("By following these tips"), is_byline("Author: Ann"), is_byline("Authors")
    (True, False, True, False)
    """
    label = BYLINE_LABEL.match(line)
    if label is None or not (label["by"] or label[0].rstrip().endswith((":", "："))):
        return False
    first = line[label.end() : label.end() + 1]
    return first.isalpha() and not first.islower()


# Copyright lines.

#: The sign or the word that begins a copyright notice, and the rest of its line.
COPYRIGHT_NOTICE: Final = lazy_pattern(r"(?:©|\(c\)\s|copyright\b).*", re.IGNORECASE)
#: The words of such a notice that name nobody.
COPYRIGHT_WORD: Final = lazy_pattern(r"copyright|\(c\)", re.IGNORECASE)
_LEGAL: Final = lazy_pattern(
    r"©|\(c\) ?(?:19|20)\d\d|copyright|rights reserved|rechte vorbehalten|droits réservés|derechos reservados"
    r"|diritti riservati|direitos reservados|права защищены|版权所有|著作権|無断",
    re.IGNORECASE,
)
_MAX_LEGAL_CHARS: Final = 200  #: of such a line, without white space
_MAX_LEGAL_SOURCE: Final = 1000  #: with white space


def is_copyright_line(text: str) -> bool:
    """Return whether a line is short and names the owner of a page, as the last lines of pages do.

    >>> is_copyright_line("© 2026 The Mill. All rights reserved."), is_copyright_line("The mill was rebuilt in 1824.")
    (True, False)
    """
    if len(text) > _MAX_LEGAL_SOURCE or not _LEGAL.search(text):
        return False
    return len("".join(text.split())) <= _MAX_LEGAL_CHARS


# URLs as pages write them: split without exceptions, made absolute, and restricted to schemes that run nothing.

#: Schemes that links and images may have; the empty one is that of a relative URL.
SCHEMES: Final = frozenset({"http", "https", "mailto", "tel", ""})
#: Characters of a URL: what Internet Explorer accepted, and sites have kept to since. A relative URL is short and
#: becomes as long as the base: without a limit, outputs of 300 MB could come from a page of 0.4 MB.
MAX_URL_CHARS: Final = 2083
#: Attributes in which pages that load images and players lazily keep the URL, in order of trust.
LAZY_URLS: Final = (
    "data-src",
    "data-original",
    "data-lazy-src",
    "data-lazy",
    "data-url",
    "data-image",
    "data-hi-res-src",
    "data-image-loader",
    "data-full-src",
    "data-large-file",
    "data-orig-file",
    "data-original-src",
    "data-lazyload",
    "data-img-src",
    "data-actualsrc",
    "data-echo",
    "data-delayed-url",
    "data-litespeed-src",
)
LAZY_SRCSETS: Final = ("data-srcset", "data-lazy-srcset")


def split_url(url: str | None) -> SplitResult | None:
    """Return the parts of a URL, or None if it is missing or malformed.

    >>> split_url("https://example.org/tea").path, split_url("http://["), split_url("")
    ('/tea', None, None)
    """
    try:
        return urlsplit(url) if url else None
    except ValueError:
        return None


def hostname(url: str | None, *, strip_www: bool = False) -> str:
    """Return the host of a URL in lower case, or an empty string if it has none or is malformed.

    >>> hostname("https://www.Example.org:8080/tea"), hostname("https://www.example.org/tea", strip_www=True)
    ('www.example.org', 'example.org')
    >>> hostname("http://["), hostname("/tea"), hostname(None)
    ('', '', '')
    """
    parts = split_url(url)
    host = (parts.hostname or "") if parts else ""
    return host.removeprefix("www.") if strip_www else host


#: Two dots, a semicolon, or a question mark or hash sign at the end are left to the parser of URLs.
_PLAIN_URL: Final = lazy_pattern(
    r"https?://[a-z0-9.-]+/(?!\.)(?:[\w!$%&'()*+,:=@~/-]|\.(?![./]))*(?:\?[\w!$%&'()*+,:=@~./-]+)?(?:#[\w!$%&'()*+,:=@~./-]+)?",
    re.ASCII,
)

#: A fragment, or a path without empty and dot segments, from the root of the site or the folder of the page.
_PLAIN_REFERENCE: Final = lazy_pattern(
    r"(#[\w!$%&'()*+,:;=?@~./-]+)"
    r"|(?:(/(?:[\w!$%&'()*+,=@~:-][\w!$%&'()*+,=@~:.-]*/)*(?:[\w!$%&'()*+,=@~:-][\w!$%&'()*+,=@~:.-]*)?)"
    r"|[\w!$%&'()*+,=@~-][\w!$%&'()*+,=@~.-]*(?:/[\w!$%&'()*+,=@~-][\w!$%&'()*+,=@~.-]*)*/?)"
    r"(?:\?[\w!$%&'()*+,:;=?@~./-]+)?(?:#[\w!$%&'()*+,:;=?@~./-]+)?",
    re.ASCII,
)


@lru_cache(maxsize=64)
def _prefixes(base: str) -> tuple[str, str, str] | None:
    """Return what stands before a path from the folder of a page, a fragment and a path from the root.

    None where the parser of URLs has to see each reference: the page has no ``http`` URL.
    """
    parts = split_url(base)
    if parts is None or parts.scheme not in {"http", "https"}:
        return None
    return urljoin(base, "x")[:-1], urljoin(base, "#x")[:-2], urljoin(base, "/x")[:-2]


def safe_url(url: str, base: str | None) -> str | None:
    r"""Return a URL made absolute, or None if it is malformed, too long, or its scheme is not in `SCHEMES`.

    >>> safe_url("/a?b=1", "https://example.org/x"), safe_url("java\tscript:alert(1)", None)
    ('https://example.org/a?b=1', None)
    >>> safe_url("x" * 3000, None) is None
    True
    """
    if len(url) > MAX_URL_CHARS and len(url.strip()) > MAX_URL_CHARS:
        return None
    if _PLAIN_URL.fullmatch(url):  # most links: absolute already, and nothing about them to resolve
        return url if len(url) <= MAX_URL_CHARS else None
    plain = _PLAIN_REFERENCE.fullmatch(url)
    prefixes = (_prefixes(base) if base else ("", "", "")) if plain else None
    if plain and prefixes:  # most other links: nothing about them to resolve either
        url = prefixes[plain.lastindex or 0] + url
        return url if len(url) <= MAX_URL_CHARS else None
    url = url.strip()
    if not url.isprintable():
        url = "".join(char for char in url if char > "\x1f")  # browsers drop control characters too
    try:
        if base:
            url = urljoin(base, url)
        scheme = urlsplit(url).scheme.lower()
    except ValueError:
        return None
    return url if scheme in SCHEMES and len(url) <= MAX_URL_CHARS else None


#: Parameters that say where a reader came from. They change nothing on the page that a link leads to.
_TRACKING: Final = lazy_pattern(
    r"(?:utm_\w+|fbclid|gclid|gclsrc|dclid|wbraid|gbraid|msclkid|yclid|twclid|igshid|mc_cid|mc_eid|_hsenc|_hsmi"
    r"|mkt_tok|_gl|_ga|oly_(?:anon|enc)_id|vero_id|wickedid|s_cid|ref_src|__twitter_impression)=",
    re.IGNORECASE,
)


def clean_url(url: str) -> str:
    """Return a URL without the parameters that track readers.

    >>> clean_url("https://e.org/tea?id=1&utm_source=x#pot"), clean_url("https://e.org/tea?fbclid=1")
    ('https://e.org/tea?id=1#pot', 'https://e.org/tea')
    """
    base, question_mark, rest = url.partition("?")
    if not question_mark or _TRACKING.search(rest) is None:
        return url
    query, hash_sign, fragment = rest.partition("#")
    kept = "&".join(pair for pair in query.split("&") if not _TRACKING.match(pair))
    return base + (f"?{kept}" if kept else "") + hash_sign + fragment


# E-mail addresses that Cloudflare hides from harvesters: decode them, as its script does in a browser.
#
# The address is in hexadecimal digits. The first byte is a key, every other byte a character XOR that key.

EMAIL_PATH: Final = "/cdn-cgi/l/email-protection"


def decode_email(digits: str) -> str:
    """Return the address in hexadecimal digits; ``""`` if there is none.

    >>> decode_email("422736022736236c2b2d"), decode_email("tea")
    ('et@eta.io', '')
    """
    try:
        key, *encoded = bytes.fromhex(digits.strip())
        address = bytes(byte ^ key for byte in encoded).decode()
    except ValueError:
        return ""
    is_address = "@" in address and address.isprintable() and not any(char in " <>" for char in address)
    return address if is_address else ""


def unprotected_url(href: str, digits: str | None = None) -> str:
    """Return the ``mailto:`` URL of a link to a protected address, and any other URL as it is.

    >>> unprotected_url("/cdn-cgi/l/email-protection#422736022736236c2b2d"), unprotected_url("/tea")
    ('mailto:et@eta.io', '/tea')
    """
    path, _, fragment = href.partition("#")
    if not path.endswith(EMAIL_PATH):
        return href
    query = fragment.partition("?")[2]
    address = decode_email(fragment.partition("?")[0]) or decode_email(digits or "")
    return f"mailto:{address}" + (f"?{query}" if query else "") if address else ""
