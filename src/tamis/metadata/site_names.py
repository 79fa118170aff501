"""How names and titles are compared, and which part of a title is the site's name."""

import re
import unicodedata
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
    while separators := list(SEPARATORS.finditer(title)):
        head, tail = title[: separators[0].start()], title[separators[-1].end() :]
        if is_site_name(tail, names):
            title = title[: separators[-1].start()]
        elif is_site_name(head, names):
            title = title[separators[0].end() :]
        else:
            break
    return title
