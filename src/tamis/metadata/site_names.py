"""How names and titles are compared, and which part of a title is the site's name."""

import re
import unicodedata
from typing import Final

from tamis.html.urls import hostname

#: What stands between a title and the site's name: a sign with space around it, or a bar or an angle without.
DIVIDERS: Final = re.compile(r"\s+[|\-–—·•:»›/~]+\s+|\s*[|»]\s*")
_PLAIN: Final = str.maketrans("’‘“”–—", "''\"\"--")
_SHORTEST: Final = 3  #: letters of a name: "co" and "uk" name no site


def folded(text: str) -> str:
    r"""Return text without case, with plain quotes and dashes.

    >>> folded("“Tea” — it’s")
    '"tea" - it\'s'
    """
    return " ".join(unicodedata.normalize("NFKC", text).casefold().translate(_PLAIN).split())


def letters(text: str) -> str:
    """Return the letters and digits of a text alone.

    >>> letters("Tea: it’s hot!")
    'teaitshot'
    """
    return re.sub(r"\W", "", folded(text))


def site_names(site: str | None, url: str | None) -> frozenset[str]:
    """Return what a site may be called, as letters alone: its name and the parts of its host.

    >>> sorted(site_names("The Kettle", "https://www.kettle.example.org/tea"))
    ['example', 'kettle', 'kettleexample', 'kettleexampleorg', 'org', 'thekettle']
    """
    host = hostname(url, strip_www=True)
    names = {letters(site or ""), letters(host), letters(host.rpartition(".")[0]), *map(letters, host.split("."))}
    return frozenset(name for name in names if len(name) >= _SHORTEST)


def is_site(text: str, names: frozenset[str]) -> bool:
    """Whether a part of a title is the site's name: one of its names, or little more than one, or inside one.

    >>> is_site("Kettle Blog", frozenset({"kettle"})), is_site("How to brew tea", frozenset({"kettle"}))
    (True, False)
    """
    found = letters(text)
    return bool(found) and any(
        found == name or (name in found and len(found) < 2 * len(name)) or (found in name and len(found) > _SHORTEST)
        for name in names
    )


def without_site(title: str, names: frozenset[str]) -> str:
    """Return a title without the site's name before or after it.

    >>> without_site("News | Brew tea - The Kettle", frozenset({"thekettle"}))
    'News | Brew tea'
    >>> without_site("The Kettle", frozenset({"thekettle"}))
    'The Kettle'
    """
    while cuts := list(DIVIDERS.finditer(title)):
        head, tail = title[: cuts[0].start()], title[cuts[-1].end() :]
        if is_site(tail, names):
            title = title[: cuts[-1].start()]
        elif is_site(head, names):
            title = title[cuts[0].end() :]
        else:
            break
    return title
