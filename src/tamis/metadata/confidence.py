"""How sure a value is: the share of such values that are right on labelled pages.

``python bench/metadata.py CORPORA --trust`` prints the table: of the chosen values of each kind of source, on the
pages of WCXB dev, `world-news` and `dates`, how many are right if one, two, or three and more sources of the page
have the same value. What a page says once is often wrong, and what it says three times hardly ever.
"""

from collections.abc import Sequence
from typing import Any, Final

from tamis.metadata.structured import Sourced

#: The share that is right, by field and kind of source, with one source, two, and three or more.
_SHARES: Final[dict[str, dict[str, tuple[float, float, float]]]] = {
    "title": {
        "h1": (0.68, 0.91, 0.96),
        "heading": (0.87, 0.89, 0.96),
        "json-ld": (0.60, 0.60, 0.94),
        "og": (0.63, 0.78, 0.78),
        "title": (0.75, 0.75, 0.80),
    },
    "authors": {
        "json-ld": (0.52, 0.91, 0.96),
        "meta": (0.75, 0.89, 0.96),
        "twitter": (0.75, 0.96, 0.98),
        "microdata": (0.70, 0.84, 0.84),
        "rel": (0.70, 0.84, 0.87),
        "author": (0.44, 0.95, 0.93),
        "visible": (0.73, 0.80, 0.89),
        "first": (0.88, 0.95, 0.88),
    },
    "date": {
        "json-ld": (0.41, 0.95, 0.99),
        "article": (0.89, 0.98, 0.99),
        "meta": (0.62, 0.92, 0.94),
        "visible": (0.85, 0.85, 0.90),
        "url": (0.95, 0.98, 0.98),
        "first": (0.60, 0.60, 0.90),
    },
}
_UPDATE: Final = 0.55  #: of a day that is known only as that of an update
_OTHERS: Final = (0.5, 0.75, 0.9)  #: sources that chose fewer than eight of these pages


def kind_of(source: str) -> str:
    """Return the kind of a source: its first word, without the properties of a vocabulary.

    >>> kind_of("json-ld author"), kind_of("og:title"), kind_of("visible byline")
    ('json-ld', 'og', 'visible')
    """
    return source.partition(" ")[0].partition(":")[0]


def confidence(name: str, same: Sequence[Sourced[Any]]) -> float | None:
    """Return the probability that a value is right, which one or several sources have.

    >>> confidence("date", [Sourced("2024-05-01", "json-ld datePublished")])
    0.41
    >>> confidence("favicon", [Sourced("https://example.org/a.png", "link icon")]) is None
    True
    """
    if name not in _SHARES:
        return None
    if same[0].source == "visible update":
        return _UPDATE
    shares = _SHARES[name].get(kind_of(same[0].source), _OTHERS)
    return shares[min(len({each.source for each in same}), len(shares)) - 1]
