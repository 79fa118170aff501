"""How names and titles are compared, and which part of a title is the site's name."""

import re
import unicodedata
from collections.abc import Callable
from typing import Final

from tamis.html.urls import hostname

#: What separates a title from the site's name: a sign with space around it, or a bar or an angle without.
SEPARATORS: Final = re.compile(r"\s+[|\-–—·•:»›/~]+\s+|\s*[|»]\s*")
_PLAIN_SIGNS: Final = str.maketrans("’‘“”–—", "''\"\"--")
MIN_NAME_CHARS: Final = 3  #: letters and digits of a site's name: "co" and "uk" name no site


def normalize(text: str) -> str:
    r"""Return a text without case, with plain quotes and dashes and single spaces.

    >>> normalize("“Tea” — it’s")
    '"tea" - it\'s'
    """
    return " ".join(unicodedata.normalize("NFKC", text).casefold().translate(_PLAIN_SIGNS).split())


def alnum_key(text: str) -> str:
    """Return the letters and digits of a text, by which names and titles are compared.

    >>> alnum_key("Tea: it’s hot!")
    'teaitshot'
    """
    return re.sub(r"\W", "", normalize(text))


def site_names(site: str | None, url: str | None) -> frozenset[str]:
    """Return the keys of a site's possible names: its name and the parts of its host.

    >>> sorted(site_names("The Kettle", "https://www.kettle.example.org/tea"))
    ['example', 'kettle', 'kettleexample', 'kettleexampleorg', 'org', 'thekettle']
    """
    host = hostname(url, strip_www=True)
    names = (site or "", host, host.rpartition(".")[0], *host.split("."))
    return frozenset(key for key in map(alnum_key, names) if len(key) >= MIN_NAME_CHARS)


def is_site_name(text: str, names: frozenset[str]) -> bool:
    """Return whether a part of a title is one of a site's names, little more than one, or inside one.

    >>> is_site_name("Kettle Blog", frozenset({"kettle"})), is_site_name("How to brew tea", frozenset({"kettle"}))
    (True, False)
    """
    key = alnum_key(text)
    return bool(key) and any(
        key == name or (name in key and len(key) < 2 * len(name)) or (key in name and len(key) > MIN_NAME_CHARS)
        for name in names
    )


def strip_site_name(title: str, names: frozenset[str]) -> str:
    """Return a title without the site's name before or after it.

    >>> strip_site_name("News | Brew tea - The Kettle", frozenset({"thekettle"}))
    'News | Brew tea'
    >>> strip_site_name("The Kettle", frozenset({"thekettle"}))
    'The Kettle'
    """
    return strip_ends(title, lambda part: is_site_name(part, names))


def strip_ends(title: str, is_cut: Callable[[str], bool]) -> str:
    """Return a title without those parts at its end and at its beginning that are to be cut; one part always stays.

    >>> strip_ends("Home | News | Brew tea - Home", lambda part: part == "Home")
    'News | Brew tea'
    """
    separators = list(SEPARATORS.finditer(title))
    first, last = 0, len(separators)  # the parts from `first` to `last` stay
    while first < last:
        start = separators[first - 1].end() if first else 0
        stop = separators[last].start() if last < len(separators) else len(title)
        if is_cut(title[separators[last - 1].end() : stop]):
            last -= 1
        elif is_cut(title[start : separators[first].start()]):
            first += 1
        else:
            break
    start = separators[first - 1].end() if first else 0
    return title[start : separators[last].start() if last < len(separators) else len(title)]
