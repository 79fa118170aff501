"""How much of the structure of a page was kept: the elements that two Markdown texts have in common, by type.

An element is right if the other text has the same one: a heading with its level and words, an item of a list with its
nesting and words, code without regard to white space, a formula, the words and the URL of a link.
"""

from collections import Counter
from collections.abc import Callable, Hashable
from typing import Final
from urllib.parse import unquote, urldefrag, urljoin

from tamis.html.text import clean_url
from tamis.lab.evaluate.markdown import Elements, read_elements
from tamis.lab.evaluate.metrics import split_words

POOLED_PARTS: Final = ("equal", "predicted", "gold")  #: what is counted of each type
#: An element as it is compared: equal keys are equal elements. Empty ones do not count.
_Key = tuple[Hashable, ...]


def pooled(predicted: str, gold: str, url: str | None = None) -> dict[str, tuple[int, int, int]]:
    r"""Return for each type how many elements are equal, how many the first text has, and how many the second.

    Types that neither text has are left out. `url` is what relative links are resolved against.

    >>> pooled("## Tea\n\n- green", "# Tea\n\n- green\n  - black")
    {'headings': (0, 1, 1), 'heading_text': (1, 1, 1), 'items': (1, 1, 2)}
    """
    out = {}
    for name, (left, right) in compared_elements(predicted, gold, url).items():
        out[name] = ((left & right).total(), left.total(), right.total())
    return out


def compared_elements(
    predicted: str, gold: str, url: str | None = None
) -> dict[str, tuple[Counter[_Key], Counter[_Key]]]:
    """Return the elements of two texts by type, as they are compared: below the title."""
    left, right = read_elements(predicted), read_elements(gold)
    _drop_title(left, right)
    pairs = {name: (Counter(read(left, url)), Counter(read(right, url))) for name, read in _TYPES.items()}
    return {name: pair for name, pair in pairs.items() if pair[0] or pair[1]}


def _drop_title(predicted: Elements, gold: Elements) -> None:
    """Drop the heading of level 1 that the first text has as its title, and the heading of these words in the gold.

    Whether a page's first heading is its title is scored with the metadata, and corpora differ in it: some golds have
    it as a heading of level 2, others in a record of its own. So it counts neither for nor against a tool.
    """
    title = next((heading for heading in predicted.headings if heading[0] == 1), None)
    if title is None:
        return
    predicted.headings.remove(title)
    same = next((heading for heading in gold.headings if _words(heading[1]) == _words(title[1])), None)
    if same is not None:
        gold.headings.remove(same)


def _words(text: str) -> _Key:
    return tuple(split_words(text))


def _leveled(elements: list[tuple[int, str]]) -> list[_Key]:
    return [(level, *words) for level, text in elements if (words := _words(text))]


def _texts(texts: list[str]) -> list[_Key]:
    return [words for words in map(_words, texts) if words]


def _without_space(texts: list[str]) -> list[_Key]:
    return [(key,) for text in texts if (key := "".join(text.split()))]


def _code(elements: Elements, *, language: bool) -> list[_Key]:
    keys: list[_Key] = []
    for name, text in elements.code:
        lines = tuple(" ".join(line.split()) for line in text.splitlines() if line.strip())
        if lines:
            keys.append((name, *lines) if language else lines)
    return keys


def _cells(elements: Elements) -> list[_Key]:
    return _texts([cell for table in elements.tables for row in table for cell in row])


def _links(elements: Elements, url: str | None) -> list[_Key]:
    return [(*words, _resolve(target, url)) for text, target in elements.links if (words := _words(text))]


def _resolve(target: str, url: str | None) -> str:
    """Return an absolute URL without its scheme, its fragment and what tracks readers; tools differ in these.

    If the URL of the page is not known, hosts are not compared: one of the two texts may have relative links.

    >>> _resolve("/pot#lid", "https://a.example/tea"), _resolve("https://a.example/pot", None)
    ('a.example/pot', 'pot')
    >>> _resolve("https://e.org/tea?id=1&utm_source=chat", "https://a.example")
    'e.org/tea?id=1'
    """
    target = unquote(clean_url(target))
    try:
        absolute = urldefrag(urljoin(url or "", target)).url or target
    except ValueError:  # malformed, such as an unclosed bracket
        return target
    rest = (absolute.partition("://")[2] or absolute).rstrip("/")
    if url is not None:
        return rest
    path = rest.partition("/")[2] if "://" in absolute else rest.lstrip("/")
    return path or rest


def _file_name(target: str) -> str:
    """Return the name of a file, whatever service delivers it, and in whatever size.

    >>> _file_name("https://cdn.example/w_600/https%3A%2F%2Fe.org%2Fcat.png?x=1")
    'cat.png'
    """
    return unquote(target).partition("?")[0].rstrip("/").rpartition("/")[2]


_TYPES: Final[dict[str, Callable[[Elements, str | None], list[_Key]]]] = {
    "headings": lambda elements, _: _leveled(elements.headings),
    "heading_text": lambda elements, _: _texts([text for _level, text in elements.headings]),
    "items": lambda elements, _: _leveled(elements.items),
    "code": lambda elements, _: _code(elements, language=False),
    "code_language": lambda elements, _: _code(elements, language=True),
    "inline_code": lambda elements, _: _without_space(elements.inline_code),
    "cells": lambda elements, _: _cells(elements),
    "formulas": lambda elements, _: _without_space(elements.formulas),
    "references": lambda elements, _: [(label,) for label in elements.references],
    "notes": lambda elements, _: _texts(elements.notes),
    "links": _links,
    "pictures": lambda elements, url: [(_resolve(target, url),) for target in elements.pictures],
    "picture_files": lambda elements, _: [(_file_name(target),) for target in elements.pictures],
    "callouts": lambda elements, _: [(kind, *_words(text)) for kind, text in elements.callouts],
    "quotes": lambda elements, _: _texts(elements.quotes),
}
#: The types of elements, in the order of the columns of a table.
POOLED_TYPES: Final = tuple(_TYPES)
