"""Text from metadata and from the data of scripts, for pages that show no content."""

import json
import math
import re
from collections.abc import Iterator
from typing import Any, Final

from tamis._core.features import IDEOGRAPHIC
from tamis.lazy import lazy_pattern
from tamis.page import Page, parse_page
from tamis.page.parse import parse_json_ld

# Text from the data that a page gives to its scripts, for pages that show no content.
#
# A page that a framework builds in the browser brings its content as JSON: Next.js in ``__NEXT_DATA__``, others in
# a script of type ``application/json`` or in an assignment such as ``window.__INITIAL_STATE__ = {…}``. The content
# is one long string, often HTML, or a list of paragraphs.

_MAX_CHARS: Final = 4_000_000  #: of the scripts that are read, together
_MAX_ASSIGNMENTS: Final = 50  #: of a script that are read
_MAX_VALUES: Final = 50_000  #: values that are visited
_MAX_DEPTH: Final = 60  #: of the values
#: A global variable with the state of a page, or a list to which it is added piece by piece while a page streams. The
#: names differ, but they are written in capitals or end in "state".
_ASSIGNMENT: Final = lazy_pattern(
    r"(?:(?:window|self|globalThis)\.|var |window\[[\"'])(?:__\w{1,60}|\w{0,40}[sS]tate)(?:[\"']\])?"
    r"(?:\s{0,9}=\s{0,9}|\.push\()(?=[{\[])"
)
#: Names of values that are content. Others are settings, messages of the program, navigation.
_CONTENT_NAMES: Final = lazy_pattern(
    r"body|content|html|text|article|paragraph|description|value|children|blocks|markdown|story|excerpt|summary",
    re.IGNORECASE,
)
#: Names of values that have long texts that are not content of the page.
_OTHER_NAMES: Final = lazy_pattern(
    r"translation|locale|messages|i18n|config|setting|cookie|consent|footer|navigation|menu|legal|terms|policy|style|css|"
    r"script|related|recommend|comments",
    re.IGNORECASE,
)
_MIN_WORDS: Final = 5  #: of a paragraph; shorter strings are labels
_TAG: Final = lazy_pattern(r"<(?:p|div|br|h[1-6]|ul|ol|li|span|strong|em|a)\b", re.IGNORECASE)


def script_text(page: Page) -> str:
    """Return the longest text in the data of a page's scripts, in lines; ``""`` if there is none.

    >>> text = "Boil the water, and wait a little. " * 3
    >>> page = parse_page(f'<script type="application/json">{{"post": {{"body": "<p>{text}</p>"}}}}</script>')
    >>> script_text(page)[:14]
    'Boil the water'
    """
    best = ""
    for value in _script_values(page):
        found = _longest_text(value)
        if len(found) > len(best):
            best = found
    return best


def _script_values(page: Page) -> Iterator[Any]:
    left = _MAX_CHARS
    for row in page.rows_of("script").tolist():
        media_type = (page.attribute_of(row, "type") or "").partition(";")[0].strip().lower()
        if media_type not in {"", "application/json", "text/javascript", "application/javascript", "module"}:
            continue
        source = page.raw_text(row)
        left -= len(source)
        if left < 0:
            return
        if media_type == "application/json":
            yield from (value for value, _ in _decode(source.lstrip(), 0))
        else:
            yield from _assigned_values(source)


def _assigned_values(source: str) -> Iterator[Any]:
    """Yield the values that a script assigns. What is inside a value that was read is not read again."""
    position = 0
    for _ in range(_MAX_ASSIGNMENTS):
        match = _ASSIGNMENT.search(source, position)
        if match is None:
            return
        position = match.end()
        for value, end in _decode(source, position):
            position = end
            yield value


def _decode(source: str, start: int) -> list[tuple[Any, int]]:
    """Return the value that begins at a position and where it ends; nothing if it is not JSON."""
    try:
        return [json.JSONDecoder(strict=False).raw_decode(source, start)]
    except (ValueError, RecursionError):
        return []


def _longest_text(value: Any) -> str:  # noqa: ANN401 (any JSON)
    """Return the longest text among the values: a string, or the paragraphs of a list."""
    best = ""
    stack: list[tuple[Any, str, int]] = [(value, "", 0)]
    visited = 0
    while stack and visited < _MAX_VALUES:
        inner, name, depth = stack.pop()
        visited += 1
        if depth > _MAX_DEPTH:
            continue
        if isinstance(inner, str):
            found = _as_text(inner) if len(inner) > len(best) and _CONTENT_NAMES.search(name) else ""
        elif isinstance(inner, list):
            found = _paragraphs(inner) if _CONTENT_NAMES.search(name) else ""
            stack += [(item, name, depth + 1) for item in inner if isinstance(item, (dict, list))]
        elif isinstance(inner, dict):
            found = ""
            stack += [
                (item, key, depth + 1)
                for key, item in inner.items()
                if isinstance(item, (str, dict, list)) and not _OTHER_NAMES.search(key)
            ]
        else:
            continue
        if len(found) > len(best):
            best = found
    return best


def _paragraphs(items: list[Any]) -> str:
    """Return the paragraphs in a list, in order: strings, or objects that contain them."""
    lines: list[str] = []
    visited = 0
    stack: list[tuple[Any, str, int]] = [(item, "", 0) for item in reversed(items)]
    while stack and visited < _MAX_VALUES:
        item, name, depth = stack.pop()
        visited += 1
        if isinstance(item, str):
            if not name or _CONTENT_NAMES.search(name):
                lines.append(_as_text(item))
        elif isinstance(item, dict) and depth < _MAX_DEPTH:
            stack += [
                (inner, key, depth + 1) for key, inner in reversed(item.items()) if not _OTHER_NAMES.search(key)
            ]
        elif isinstance(item, list) and depth < _MAX_DEPTH:
            stack += [(inner, name, depth + 1) for inner in reversed(item)]
    return "\n".join(line for line in lines if count_words(line) >= _MIN_WORDS)


def _as_text(value: str) -> str:
    """Return the text of a string, which may be HTML, in lines; ``""`` for URLs, code and other data."""
    if " " not in value.strip() and not _WIDE.search(value):
        return ""
    if not _TAG.search(value):
        return "" if value.lstrip()[:1] in "{[<" else "\n".join(" ".join(line.split()) for line in value.splitlines())
    page = parse_page(value)
    blocks = page.blocks
    texts = (page.text[page.offset[a] : page.offset[b]] for a, b in zip(blocks.start, blocks.stop, strict=True))
    return "\n".join(" ".join(text.split()) for text in texts)


_WIDE: Final = lazy_pattern(r"[\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3]")  #: kana, Han, hangul


def count_words(text: str) -> int:
    """Return the number of words of a text, comparable across scripts, as the sizes of blocks are.

    >>> count_words("Boil the water"), count_words("水烧开后再等三分钟。"), count_words("물을 끓입니다")
    (3, 6, 4)
    """
    wide = len(_WIDE.findall(text))
    return max(len(text.split()), math.ceil(wide / IDEOGRAPHIC))


# Text from a page's metadata and from the data of its scripts, for pages that show no content.
#
# A page that scripts build has no text in its HTML, but often describes itself to search engines: an article's body
# or a product's description in JSON-LD, a description in ``meta``. Or it has its content as data for its scripts
# (`tamis.sift.fallback`). If that text is long enough to be content, it replaces the missing content, and the
# extraction says so.

#: Shorter descriptions advertise a page, longer ones are its first paragraphs: on the held-out pages of WCXB that
#: show nothing, those without content have at most 51 words, those with content 65 and more.
_MIN_FALLBACK_WORDS: Final = 60
#: Data of scripts has more that is not content: a page of WCXB that shows nothing and has no content brings 89 words.
_MIN_SCRIPT_WORDS: Final = 120
#: A page with fewer words, and with data of eight times as many, shows a message or a menu until its script runs.
LITTLE_SHOWN, _TIMES_SHOWN = 60, 8
_JSON_LD_PROPERTIES: Final = ("articleBody", "text", "description", "reviewBody")
_META_NAMES: Final = frozenset({"description", "og:description", "twitter:description"})
_MAX_JSON_VALUES: Final = 2000  #: JSON-LD values that are visited


def metadata_fallback(page: Page, *, has_content: bool = False) -> tuple[str, str] | None:
    """Return the longest text in a page's metadata or scripts and its source, or None if it is too short.

    A page that has content has a fallback only if it shows next to nothing beside what its scripts have.

    >>> from tamis.page import parse_page
    >>> text = "Boil the water, and wait a little. " * 40
    >>> page = parse_page(f'<meta property="og:description" content="{text}"><script>build()</script>')
    >>> fallback, source = metadata_fallback(page)
    >>> fallback[:14], source
    ('Boil the water', 'meta og:description')
    >>> data = '<script type="application/json">{"body": "' + text + '"}</script>'
    >>> metadata_fallback(parse_page(f"<p>Loading …</p>{data}"), has_content=True)[1]
    'data of a script'
    """
    shown = int(page.words[page.blocks.rows].sum()) if has_content else 0
    if has_content and (shown >= LITTLE_SHOWN or not page.tag_count("script")):
        return None
    in_script = script_text(page)
    script_words = count_words(in_script)
    if has_content and script_words < max(_MIN_SCRIPT_WORDS, _TIMES_SHOWN * shown):
        return None
    candidates = _metadata_texts(page)
    if script_words >= _MIN_SCRIPT_WORDS:
        candidates.append((in_script, "data of a script"))
    longest = max(candidates, key=lambda pair: len(pair[0]), default=("", ""))
    return longest if count_words(longest[0]) >= _MIN_FALLBACK_WORDS else None


def _metadata_texts(page: Page) -> list[tuple[str, str]]:
    """Return the texts in ``meta`` elements and JSON-LD, with their sources."""
    candidates: list[tuple[str, str]] = []
    for row in page.rows_of("meta").tolist():
        attributes = page.attributes(row)
        name = (attributes.get("property") or attributes.get("name") or "").strip().lower()
        if name in _META_NAMES:
            candidates.append((attributes.get("content", ""), f"meta {name}"))
    stack: list[Any] = [parse_json_ld(page, row) for row in page.rows_of("script").tolist()]
    for _ in range(_MAX_JSON_VALUES):
        if not stack:
            break
        value = stack.pop()
        if isinstance(value, dict):
            for name, inner in value.items():
                if name in _JSON_LD_PROPERTIES and isinstance(inner, str):
                    candidates.append((inner, f"json-ld {name}"))
                else:
                    stack.append(inner)
        elif isinstance(value, list):
            stack.extend(value)
    return candidates
