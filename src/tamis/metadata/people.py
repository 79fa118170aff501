"""Names of people in bylines: without label, job title, URL or date."""

import re
from typing import Final

from tamis.document.detect.bylines import BYLINE_LABEL, MAX_NAME_CHARS
from tamis.document.detect.months import ENGLISH_MONTHS

_MAX_NAME_WORDS: Final = 6
_MAX_PEOPLE: Final = 50  #: of one page
#: What may follow a name: a separator, a job, a date.
_AFTER_NAME: Final = re.compile(
    r"\s*(?:[|•·–—(»›]|\s-\s|,?\s+(?:on|updated|published|posted|staff writer|senior|editor|contributor|reporter|"
    rf"correspondent|last)\b|\b\d{{1,2}}[./ ]|\b(?:{ENGLISH_MONTHS})\w*\s+\d).*$",
    re.IGNORECASE,
)
_BETWEEN_NAMES: Final = re.compile(r"\s*(?:;|\s&\s|\band\b|\bund\b|\bet\b|\by\b|,)\s*", re.IGNORECASE)
_ARCHIVE_LABEL: Final = re.compile(
    r"^(?:view|see|read|show)?\s*(?:all|more|other)?\s*(?:posts|articles|stories) by\s+", re.IGNORECASE
)
_LAST_NAME_FIRST: Final = re.compile(r"^[^\W\d_][\w'’-]+, [^\W\d_][\w .'’-]+$")
_NEVER_IN_NAMES: Final = frozenset("©®™{}<>=")
_JOBS: Final = (
    r"\b(?:writer|director|manager|coordinator|strategist|analyst|consultant|president|founder|co-founder|ceo|cto)\b"
)
#: A job title that follows a name of two words.
_NAME_AND_JOB: Final = re.compile(
    rf"^([A-Z][\w'’.-]+ [A-Z][\w'’.-]+) (?:(?i:senior|content|head|vice|marketing|managing) .*)?(?i:{_JOBS}).*$"
)
#: A job title that follows a comma.
_JOB: Final = re.compile(rf"{_JOBS}|\b(?:expert|specialist|marketer|head of)\b", re.IGNORECASE)
_NOT_NAME_WORDS: Final = """
    admin administrator author authors editor editors editorial staff guest anonymous unknown team user webmaster
    none null undefined by website post posts reply permalink wordpress root default contributor home
    mon tue wed thu fri sat sun monday tuesday wednesday thursday friday saturday sunday
"""
_NOT_NAMES: Final = frozenset(
    {*_NOT_NAME_WORDS.split(), "the author", "topic author", "written by", "posted by", "about the author"}
)
#: A person's name, to tell it from an organisation's.
_PERSON: Final = re.compile(
    r"(?!The |.*\b(?i:inc|llc|ltd|pc|university|college|clinic|association|institute|news|media|group|team|official|"
    r"store|shop|company|corporation|agency|studios?|magazine|blog|center|centre|foundation|society|services|"
    r"solutions|construction|online|digital|data)\b)[A-Z][\w'’.-]+(?: [A-Z][\w'’.-]*){1,2}$"
)


def find_people(lines: list[str]) -> tuple[str, ...]:
    """Return the names in some bylines, each once, in order.

    >>> find_people(["By Ann Lee, Senior Editor", "View all posts by Bo Ek"])
    ('Ann Lee', 'Bo Ek')
    >>> find_people(["Ek, Bo", "Lee, Ann"])
    ('Bo Ek', 'Ann Lee')
    """
    names: dict[str, str] = {}
    if len(lines) > 1 and all(_LAST_NAME_FIRST.match(line) for line in lines):  # as library catalogues have it
        lines = [" ".join(reversed(line.split(", "))) for line in lines]
    for line in lines:
        if "://" in line or "@" in line:
            continue
        without_labels = BYLINE_LABEL.sub("", _ARCHIVE_LABEL.sub("", " ".join(line.split())))
        for part in _BETWEEN_NAMES.split(_AFTER_NAME.sub("", without_labels)):
            name = _NAME_AND_JOB.sub(r"\1", BYLINE_LABEL.sub("", part).strip(" .,:;-–—|/"))
            if _is_name(name) and not (names and _JOB.search(name)):
                names.setdefault(name.casefold(), name)
    return tuple(names.values())[:_MAX_PEOPLE]


def _is_name(name: str) -> bool:
    if not 1 < len(name) <= MAX_NAME_CHARS or len(name.split()) > _MAX_NAME_WORDS or name.casefold() in _NOT_NAMES:
        return False
    if name.startswith(("http", "www.", "/")) or set(name) & _NEVER_IN_NAMES:
        return False
    return any(char.isalpha() for char in name)


def is_person(name: str) -> bool:
    """Return whether a name may be a person's, for sites that are named after their author.

    >>> is_person("Ann Lee"), is_person("The Kettle"), is_person("Kettle News")
    (True, False, False)
    """
    return bool(_PERSON.match(name))
