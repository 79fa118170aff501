"""Names of people in the lines that name them: without the word "by", what they do, an address or a date."""

import re
from typing import Final

from tamis.document.detect.bylines import BYLINE_LABEL, MAX_NAME_CHARS
from tamis.document.detect.months import ENGLISH_MONTHS

_WORDS: Final = 6  #: of a name
_ENDS: Final = re.compile(
    r"\s*(?:[|•·–—(»›]|\s-\s|,?\s+(?:on|updated|published|posted|staff writer|senior|editor|contributor|reporter|"
    rf"correspondent|last)\b|\b\d{{1,2}}[./ ]|\b(?:{ENGLISH_MONTHS})\w*\s+\d).*$",
    re.IGNORECASE,
)
_DIVIDED: Final = re.compile(r"\s*(?:;|\s&\s|\band\b|\bund\b|\bet\b|\by\b|,)\s*", re.IGNORECASE)
_MORE: Final = re.compile(
    r"^(?:view|see|read|show)?\s*(?:all|more|other)?\s*(?:posts|articles|stories) by\s+", re.IGNORECASE
)
_LAST_FIRST: Final = re.compile(r"^[^\W\d_][\w'’-]+, [^\W\d_][\w .'’-]+$")
_SIGNS: Final = frozenset("©®™{}<>=")
_TITLES: Final = (
    r"\b(?:writer|director|manager|coordinator|strategist|analyst|consultant|president|founder|co-founder|ceo|cto)\b"
)
#: What somebody does, where it follows a name of two words.
_ROLE: Final = re.compile(
    rf"^([A-Z][\w'’.-]+ [A-Z][\w'’.-]+) (?:(?i:senior|content|head|vice|marketing|managing) .*)?(?i:{_TITLES}).*$"
)
#: … or stands behind a comma.
_DOES: Final = re.compile(rf"{_TITLES}|\b(?:expert|specialist|marketer|head of)\b", re.IGNORECASE)
_NOT_NAMES: Final = """
    admin administrator author authors editor editors editorial staff guest anonymous unknown team user webmaster
    none null undefined by website post posts reply permalink wordpress root default contributor home
    mon tue wed thu fri sat sun monday tuesday wednesday thursday friday saturday sunday
"""
_NOBODY: Final = frozenset(
    {*_NOT_NAMES.split(), "the author", "topic author", "written by", "posted by", "about the author"}
)
#: A name as people have it, where a site has the same.
_PERSON: Final = re.compile(
    r"(?!The |.*\b(?i:inc|llc|ltd|pc|university|college|clinic|association|institute|news|media|group|team|official|"
    r"store|shop|company|corporation|agency|studios?|magazine|blog|center|centre|foundation|society|services|"
    r"solutions|construction|online|digital|data)\b)[A-Z][\w'’.-]+(?: [A-Z][\w'’.-]*){1,2}$"
)


def people_in(values: list[str]) -> tuple[str, ...]:
    """Return the people in some lines.

    >>> people_in(["By Ann Lee, Senior Editor", "View all posts by Bo Ek"]), people_in(["Ek, Bo", "Lee, Ann"])
    (('Ann Lee', 'Bo Ek'), ('Bo Ek', 'Ann Lee'))
    """
    out: dict[str, str] = {}
    if len(values) > 1 and all(_LAST_FIRST.match(value) for value in values):  # as catalogues have it
        values = [" ".join(reversed(value.split(", "))) for value in values]
    for value in values:
        if "://" in value or "@" in value:
            continue
        whole = _ENDS.sub("", BYLINE_LABEL.sub("", _MORE.sub("", " ".join(value.split()))))
        for part in _DIVIDED.split(whole):
            name = _ROLE.sub(r"\1", BYLINE_LABEL.sub("", part).strip(" .,:;-–—|/"))
            if _is_name(name) and not (out and _DOES.search(name)):
                out.setdefault(name.casefold(), name)
    return tuple(out.values())[:50]


def _is_name(name: str) -> bool:
    if not 1 < len(name) <= MAX_NAME_CHARS or len(name.split()) > _WORDS or name.casefold() in _NOBODY:
        return False
    return (
        any(char.isalpha() for char in name) and not name.startswith(("http", "www.", "/")) and not set(name) & _SIGNS
    )


def is_person(name: str) -> bool:
    """Tell whether a name may be a person's, where a site has the same.

    >>> is_person("Ann Lee"), is_person("The Kettle"), is_person("Kettle News")
    (True, False, False)
    """
    return bool(_PERSON.match(name))
