"""Text from the data that a page gives to its scripts, for pages that show no content.

A page that a framework builds in the browser brings its content as JSON: Next.js in ``__NEXT_DATA__``, others in a
script of type ``application/json`` or in an assignment such as ``window.__INITIAL_STATE__ = {…}``. The content is one
long string, often HTML, or a list of paragraphs.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from tamis.page import Page, parse_page

_MAX_CHARS: Final = 4_000_000  #: of the scripts that are read, together
_MAX_ASSIGNMENTS: Final = 50  #: of a script that are read
_MAX_VALUES: Final = 50_000  #: values that are visited
_MAX_DEPTH: Final = 60  #: of the values
#: A global variable with the state of a page. The names differ, but they are written in capitals or end in "state".
_ASSIGNMENT: Final = re.compile(
    r"(?:window\.|var |self\.|globalThis\.)(?:__\w{1,60}|\w{0,40}[sS]tate)\s{0,9}=\s{0,9}(?=[{\[])"
)
#: Names of values that are content. Others are settings, messages of the program, navigation.
_CONTENT_NAMES: Final = re.compile(
    r"body|content|html|text|article|paragraph|description|value|children|blocks|markdown|story|excerpt|summary",
    re.IGNORECASE,
)
#: Names of values that have long texts and are no content of the page.
_OTHER_NAMES: Final = re.compile(
    r"translation|locale|messages|i18n|config|setting|cookie|consent|footer|navigation|menu|legal|terms|policy|style|css|"
    r"script|related|recommend|comments",
    re.IGNORECASE,
)
_MIN_WORDS: Final = 5  #: of a paragraph; shorter strings are labels
_TAG: Final = re.compile(r"<(?:p|div|br|h[1-6]|ul|ol|li|span|strong|em|a)\b", re.IGNORECASE)


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
        node = page.nodes[row]
        media_type = (node.attr("type") or "").partition(";")[0].strip().lower()
        if media_type not in {"", "application/json", "text/javascript", "application/javascript", "module"}:
            continue
        source = node.text
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
    """Return the value that begins at a position and where it ends; nothing if it is no JSON."""
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
    return "\n".join(line for line in lines if len(line.split()) >= _MIN_WORDS)


def _as_text(value: str) -> str:
    """Return the text of a string, which may be HTML, in lines; ``""`` for URLs, code and other data."""
    if " " not in value.strip():
        return ""
    if not _TAG.search(value):
        return "" if value.lstrip()[:1] in "{[<" else "\n".join(" ".join(line.split()) for line in value.splitlines())
    page = parse_page(value)
    blocks = page.blocks
    texts = (page.text[page.offset[a] : page.offset[b]] for a, b in zip(blocks.start, blocks.stop, strict=True))
    return "\n".join(" ".join(text.split()) for text in texts)
