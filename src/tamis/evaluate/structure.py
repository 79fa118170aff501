"""How much of the structure of a page was kept: F1 by element, between two Markdown texts.

An element is right if the other text has the same one: code without regard to white space, a formula, the words of a
heading, the words and the URL of a link. Code blocks and tables that differ a little count in part.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from typing import Any, Final
from urllib.parse import urldefrag, urljoin

from tamis.evaluate.markdown import Elements, read_elements
from tamis.evaluate.metrics import Match
from tamis.evaluate.words import split_words

#: Code blocks and tables count in part if they have this share of their lines (or cells) in common.
MIN_SIMILARITY: Final = 0.5
#: How many code blocks or tables without an equal one are compared with one another.
_MAX_COMPARED: Final = 100

#: An element as it is compared: equal keys are equal elements; the parts are for those that count in part.
_Key = tuple[Hashable, ...]


def structure(predicted: str, gold: str, url: str | None = None) -> dict[str, Match]:
    r"""Compare the elements of two Markdown texts, type by type.

    Types that neither text has are left out. `url` is what relative links are resolved against.

    >>> structure("# Tea\n\nSee [pot](/pot).", "## Tea\n\n[pot](http://a.example/pot) $x$", "http://a.example/")["links"].f1
    1.0
    >>> {name: match.f1 for name, match in structure("# Tea\n\n# Pot", "# Tea\n\n$x$").items()}
    {'formulas': 0.0, 'headings': 0.6666666666666666}
    """
    left, right = read_elements(predicted), read_elements(gold)
    matches = {}
    for name, read_keys in _TYPES.items():
        left_keys, right_keys = read_keys(left, url), read_keys(right, url)
        if left_keys or right_keys:
            partial = _partial_overlap if name in {"code", "tables"} else _no_overlap
            matches[name] = _match(left_keys, right_keys, partial)
    return matches


def _code(elements: Elements, _url: str | None) -> list[_Key]:
    blocks = (tuple(" ".join(line.split()) for line in block.splitlines()) for block in elements.code)
    return [lines for block in blocks if (lines := tuple(line for line in block if line))]


def _inline_code(elements: Elements, _url: str | None) -> list[_Key]:
    return [("".join(code.split()),) for code in elements.inline_code if code.strip()]


def _formulas(elements: Elements, _url: str | None) -> list[_Key]:
    return [("".join(formula.split()),) for formula in elements.formulas if formula.strip()]


def _tables(elements: Elements, _url: str | None) -> list[_Key]:
    tables: list[_Key] = []
    for rows in elements.tables:
        cells = [(column, " ".join(split_words(cell))) for row in rows for column, cell in enumerate(row) if cell]
        if cells:
            tables.append(tuple(cells))
    return tables


def _headings(elements: Elements, _url: str | None) -> list[_Key]:
    return [words for heading in elements.headings if (words := tuple(split_words(heading)))]


def _links(elements: Elements, url: str | None) -> list[_Key]:
    keys: list[_Key] = []
    for text, target in elements.links:
        words = tuple(split_words(text))
        if words:
            keys.append((words, _resolve(target, url)))
    return keys


def _resolve(target: str, url: str | None) -> str:
    """Return an absolute URL without its scheme and its fragment; tools differ in both.

    If the URL of the page is not known, hosts are not compared: one of the two texts may have relative links.

    >>> _resolve("/pot#lid", "https://a.example/tea"), _resolve("https://a.example/pot", None)
    ('a.example/pot', 'pot')
    """
    try:
        absolute = urldefrag(urljoin(url or "", target)).url or target
    except ValueError:  # malformed, such as an unclosed bracket
        return target
    rest = (absolute.partition("://")[2] or absolute).rstrip("/")
    if url is not None:
        return rest
    path = rest.partition("/")[2] if "://" in absolute else rest.lstrip("/")
    return path or rest


_TYPES: Final[dict[str, Callable[[Elements, str | None], list[Any]]]] = {
    "code": _code,
    "inline_code": _inline_code,
    "formulas": _formulas,
    "tables": _tables,
    "headings": _headings,
    "links": _links,
}
#: The types of elements, in the order of the columns of a table.
ELEMENT_TYPES: Final = tuple(_TYPES)


def _match(left: Sequence[_Key], right: Sequence[_Key], partial: Callable[[list[_Key], list[_Key]], float]) -> Match:
    equal = Counter(left) & Counter(right)
    overlap = partial(list((Counter(left) - equal).elements()), list((Counter(right) - equal).elements()))
    return Match.from_counts(equal.total() + overlap, len(left), len(right))


def _no_overlap(_left: list[_Key], _right: list[_Key]) -> float:
    return 0.0


def _partial_overlap(left: list[_Key], right: list[_Key]) -> float:
    """Pair similar elements, the most similar ones first, and return the sum of their similarities."""
    bags = [Counter(key) for key in right[:_MAX_COMPARED]]
    pairs = []
    for row, key in enumerate(left[:_MAX_COMPARED]):
        bag = Counter(key)
        for column, other in enumerate(bags):
            similarity = 2 * (bag & other).total() / (bag.total() + other.total())
            if similarity >= MIN_SIMILARITY:
                pairs.append((-similarity, row, column))
    total, rows, columns = 0.0, set(), set()
    for negative, row, column in sorted(pairs):
        if row not in rows and column not in columns:
            rows.add(row)
            columns.add(column)
            total -= negative
    return total
