"""Close a ``title`` that the page leaves open.

The content of ``title`` is plain text up to its end tag, so a missing end tag makes the whole page its title. A
browser shows an empty page then. Archived pages have such titles because they were cut and edited by programs: 7 of
the 621 pages of L3S-GN1.
"""

import re
from typing import Final, NamedTuple

_START: Final = re.compile(r"<title(?=[\s/>])[^>]{0,2000}>", re.IGNORECASE)
_NEXT: Final = re.compile(r"<title(?=[\s/>])|</title", re.IGNORECASE)
_STOP: Final = re.compile(r"[<\n\r]")
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
