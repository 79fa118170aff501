"""Names of people in bylines: without label, job title, URL or date."""

import re
from collections.abc import Iterator
from typing import Final

from tamis.html.text import BYLINE_LABEL, ENGLISH_MONTHS, MAX_NAME_CHARS
from tamis.metadata.date_formats import parse_day
from tamis.metadata.site import is_template_text

_MAX_NAME_WORDS: Final = 6
_MAX_ORGANIZATION_WORDS: Final = 12
_MAX_PEOPLE: Final = 50  #: of one page
_MAX_LINE_CHARS: Final = 2000  #: of a byline
#: What may follow a name: a separator, a job with the words before it, a newspaper, a date.
_AFTER_NAME: Final = re.compile(
    r"\s*(?:[|•·–—»›]|\((?![\w’'. -]{1,20}\) [A-Z][\w’'-]+$)|\s-\s|/(?=the )|"
    r",?\s+(?:on|updated|published|posted|staff writer|senior|editor|contributor|correspondent|last|"
    r"(?<!staff )reporter)\b|"
    r",\s+(?:[\w.'’/-]{1,20}\s+){1,4}(?:editor|writer|reporter|correspondent|manager)\b|"
    rf"\b\d{{1,2}}[./ ]|\b(?:{ENGLISH_MONTHS})\w*\s+\d).*$",
    re.IGNORECASE,
)
_BETWEEN_NAMES: Final = re.compile(r"\s*(?:;|\s&\s|\band\b|\bund\b|\bet\b|\by\b|,|、)\s*", re.IGNORECASE)
_ARCHIVE_LABEL: Final = re.compile(
    r"^(?:(?:view|see|read|show)?\s*(?:all|more|other)?\s*(?:posts|articles|stories) by|(?:published|posted) in)\s+",
    re.IGNORECASE,
)
#: The account of a house, which no person precedes: "Kettle Contributor".
_ROLE_ACCOUNT: Final = re.compile(r"[A-Z]\w*(?: Blog| News)? (?:Contributor|Editor|Correspondent)")
#: One person with the family name first, as library catalogues write it: "Lee, Ann T."
_LAST_NAME_FIRST: Final = re.compile(r"([^\W\d_a-z][\w'’-]+), ([^\W\d_a-z][\w.'’-]*(?: [^\W\d_a-z][\w.'’-]*)*)")
_TWICE: Final = re.compile(r"^[Bb]y(?=[Bb]y(?: |[A-Z]))")  #: the label in a style of its own: "Byby Ann Lee"
_ADDRESS: Final = re.compile(r"\S@\S|^@")  #: of an e-mail, or an account
_DEGREE_OF: Final = re.compile(r"[BMD]\.(?:A|S|Sc|Ed|Phil)\. \w+$")  #: "M.A. Journalism"
_NEVER_IN_NAMES: Final = frozenset("©®™{}<>=+")
_JOBS: Final = (
    r"\b(?:writer|director|manager|coordinator|strategist|analyst|consultant|president|founder|co-founder|ceo|cto)\b"
)
#: A job title that follows a name of two words.
_NAME_AND_JOB: Final = re.compile(
    r"^([A-Z][\w'’.-]+ [A-Z][\w'’.-]+) (?:(?i:senior|content|head|vice|marketing|managing|ap|sports|business|special|"
    rf"political|chief) .*)?(?i:{_JOBS}|head (?!of)\w+$|(?:lead|chief|senior) \w+(?: officer)?$).*$"
)
#: The employer or the place that follows a name of two words or more without a comma.
_NAME_AND_AGENCY: Final = re.compile(
    r"^(?!For |The )([A-Z][\w'’.-]+(?: [A-Z][\w'’.-]+){1,2}?) (?:(?i:(?:for |of )?(?:the )?associated press)|"
    r"The [A-Z]\w+|Reuters|AP|AFP|UPI|BBC|CNN)\b.*$"
)
#: The label of a job before a name.
_JOB_LABEL: Final = re.compile(
    r"^(?:(?:staff|guest|contributing) )?(?:writer|reporter|correspondent):\s+", re.IGNORECASE
)
#: A job title that follows a comma.
_JOB: Final = re.compile(
    rf"{_JOBS}|\b(?:expert|specialist|marketer|head of)\b|^former\b|\b(?:engineer|professor|attorney)$", re.IGNORECASE
)
#: An organisation, whose name may have "and" and commas in it.
_ORGANIZATION: Final = re.compile(
    r"^(?:the )?(?:cent(?:er|re)|department|institute|office|bureau|ministry|division|society|council) "
    r"(?:for|of|on)\b|,? (?:ltd|inc|llc|gmbh|plc)\.?$",
    re.IGNORECASE,
)
_JOB_AT: Final = re.compile(r"\w (?:at|of) [A-Z]")  #: "Trial Attorney at Lee & Ek"
_NOT_NAME_WORDS: Final = """
    admin administrator author authors editor editors editorial staff guest anonymous unknown team user webmaster
    none null undefined by website post posts reply permalink wordpress root default contributor home
    follow following connect subscribe share contact bio profile email linkedin twitter facebook instagram about
    more menu search login category categories comments comment edit print save reviewed updated posted published
    written english agencies al archive archives last first tools edited name
    mon tue wed thu fri sat sun monday tuesday wednesday thursday friday saturday sunday
"""
#: Countries and regions of two words, which look like names of people: bylines and accounts are of editions.
_PLACES: Final = (
    "new zealand", "south africa", "south korea", "north korea", "saudi arabia", "sri lanka", "costa rica",
    "puerto rico", "hong kong", "united states", "united kingdom", "great britain", "northern ireland", "middle east",
    "latin america", "north america", "south america", "new york", "los angeles", "san francisco", "el salvador",
    "burkina faso", "sierra leone", "papua new guinea", "united arab emirates", "czech republic",
)  # fmt: skip
_NOT_NAMES: Final = frozenset(
    {
        *_NOT_NAME_WORDS.split(),
        *("the author", "topic author", "written by", "posted by", "about the author", "authors list"),
        *(
            "google profile",
            "story highlights",
            "front page",
            "press release",
            "wire services",
            "wire reports",
            "our special",
        ),
        *_PLACES,
    }
)
#: Buttons beside a name: "View more posts", "Follow us", "Read full bio".
_BUTTON: Final = re.compile(
    r"(?:view|see|read|show|browse|meet|write|follow|connect|contact|email|visit|learn|subscribe|share|sign|log|click|join|"
    r"all)\b.{0,40}\b(?:posts?|articles?|stories|more|all|profile|bio|us|me|him|her|them|with|website|full|up|in|"
    r"here|authors?|team|by)\b",
    re.IGNORECASE,
)
_ARTICLES: Final = frozenset({"a", "an", "and", "of", "as", "who", "is"})
_LOWER_ENDS: Final = frozenset({"staff", "team", "editors", "reporter", "reporters", "news", "jr", "jr."})
_LEGAL_WORDS: Final = re.compile(
    r"\b(?:privacy|policy|cookies?|terms|conditions|licensed|certified)\b", re.IGNORECASE
)
_THEME: Final = re.compile(r"\b(?:theme|template|design|photos?) by\b", re.IGNORECASE)  #: credits of others
#: Degrees, orders and licences after a name, in lower case and without dots.
_DEGREE_WORDS: Final = """
    md phd msc bsc mba ma ba bs ms rn np dds dmd dvm vmd do pa jd llm llb esq od pharmd edd psyd dphil mphil mph
    msw lcsw lmft lpc rd rdn ldn cpa cfp cfa cissp pmp pe cpt cscs faan facp facs frcp frs mbbs mbchb bds bvsc
    mrcvs dacvb dabom foma lvt vts cnm aprn fnp crnp ccc slp otr dpt pt atc rph bcps obe cbe mbe kbe
    fand cpp psp
"""
#: "Reporter" after a name in Korean and Japanese; "reporter", "editor", "photographs" before it in Chinese.
_REPORTER: Final = re.compile(
    r"(?<=\w)\s?(?:기자|특파원|記者)$|^(?:文|撮影|作者|記者|记者|责编|责任编辑|责任編輯|编辑|編集)[/／:：]\s?"
)
_DEGREES: Final = frozenset(_DEGREE_WORDS.split())
_MIN_DEGREE_CHARS, _MAX_DEGREE_CHARS = 2, 7
#: Words of other languages and of dates that follow a name in a byline and belong to neither: "Gathmann am".
_PREPOSITIONS: Final = frozenset(
    {
        "am",
        "on",
        "in",
        "at",
        "um",
        "le",
        "el",
        "op",
        "vom",
        "den",
        "il",
        "em",
        "på",
        "for",
        "from",
        "with",
        "the",
        "via",
        "to",
    }
)
_DAYS: Final = frozenset({"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"})
#: Names of accounts: one word in lower case, with digits or signs, or that of a role.
_ACCOUNT: Final = re.compile(r"[^\sA-Z]+|\S*[\d._@]\S*|[A-Z]\w*[a-z][A-Z]+")
_ROLE: Final = re.compile(
    r"\b(?:admin|administrator|team|staff|editors?|editorial|webmaster|marketing|contributors?|newsroom|desk|support|"
    r"press|communications|content|web)\b",
    re.IGNORECASE,
)
#: A person's name, to tell it from an organisation's.
_PERSON: Final = re.compile(
    r"(?!The |.*\b(?i:inc|llc|ltd|pc|university|college|clinic|association|institute|news|media|group|team|official|"
    r"store|shop|company|corporation|agency|studios?|magazine|blog|center|centre|foundation|society|services|"
    r"solutions|construction|online|digital|data)\b)"
    r"[A-ZÀ-ÖØ-Þ][\w'’.-]*(?: (?:de|da|del|di|van|von|der|den|la|le|al|el|bin|ten|ter|y)){0,2}"
    r"(?: [A-ZÀ-ÖØ-Þ][\w'’.-]*(?: (?:de|da|van|von|der))?){1,3}$"
)


def find_people(lines: list[str]) -> tuple[str, ...]:
    """Return the names in some bylines, each once, in order.

    >>> find_people(["By Ann Lee, Senior Editor", "View all posts by Bo Ek"])
    ('Ann Lee', 'Bo Ek')
    >>> find_people(["Ek, Bo; Lee, Ann"])
    ('Bo Ek', 'Ann Lee')
    """
    names: dict[str, str] = {}
    for line in (line[:_MAX_LINE_CHARS] for line in lines):
        if "://" in line or _ADDRESS.search(line):
            continue
        without_labels = BYLINE_LABEL.sub("", _ARCHIVE_LABEL.sub("", _TWICE.sub("", " ".join(line.split()))))
        without_labels = "; ".join(map(_given_name_first, without_labels.split("; ")))
        first = ""  # name of the line
        is_account_of_role = _ROLE_ACCOUNT.fullmatch(without_labels)
        line_of_names = (
            without_labels if is_account_of_role else _AFTER_NAME.sub("", _JOB_LABEL.sub("", without_labels))
        )
        for part, after_comma in _split_names(line_of_names):
            name = _NAME_AND_JOB.sub(r"\1", BYLINE_LABEL.sub("", part).strip(" .,:;-–—|/"))
            name = _REPORTER.sub("", _strip_ends(_NAME_AND_AGENCY.sub(r"\1", name)))
            if names and (_JOB_AT.search(name) or ":" in name or name.startswith(("For ", "for ", "in ", "In "))):
                break  # what follows is the employer, or the label of something else
            if after_comma and " " in first and " " not in name:
                continue  # a place, or the beginning of a job title
            if _is_name(name) and not (names and _JOB.search(name)):
                names.setdefault(name.casefold(), name)
                first = first or name
    people = tuple(names.values())[:_MAX_PEOPLE]
    if people and is_person(people[0]):  # an organisation after them is their employer
        people = tuple(name for name in people if " " not in name or not is_house(name) or _ROLE.search(name))
    return people


def _given_name_first(line: str) -> str:
    """Return a line that is one person with the family name first in the usual order, and any other line as it is.

    >>> [_given_name_first(line) for line in ("Gillman, Steve", "Gillman, MD", "AFP, Steve Gillman", "Lee, Editor")]
    ['Steve Gillman', 'Gillman, MD', 'AFP, Steve Gillman', 'Lee, Editor']
    """
    parts = _LAST_NAME_FIRST.fullmatch(line)
    if parts is None:
        return line
    family, given = parts.groups()
    is_other = any(is_degree(part) or _ROLE.search(part) or part.casefold() in _NOT_NAMES for part in (family, given))
    is_agency = family.isupper() and not given.isupper()
    return line if is_other or is_agency or _JOB.search(given) else f"{given} {family}"


def _split_names(line: str) -> Iterator[tuple[str, bool]]:
    """Yield the names in a line, and whether a comma precedes each of them.

    >>> list(_split_names("Ann Lee, Oslo and Bo Ek")), list(_split_names("Office of Tea and Kettles"))
    ([('Ann Lee', False), ('Oslo', True), ('Bo Ek', False)], [('Office of Tea and Kettles', False)])
    """
    if _ORGANIZATION.search(line):
        yield line, False
        return
    start, after_comma = 0, False
    for separator in _BETWEEN_NAMES.finditer(line):
        yield line[start : separator.start()], after_comma
        start, after_comma = separator.end(), separator[0].strip() == ","
    yield line[start:], after_comma


def _strip_ends(name: str) -> str:
    """Return a name without degrees, prepositions and days of the week after it.

    >>> _strip_ends("Ann Lee MD"), _strip_ends("Ruth Gathmann am"), _strip_ends("Ma Li")
    ('Ann Lee', 'Ruth Gathmann', 'Ma Li')
    """
    words = name.split()
    while len(words) > 1 and (
        words[-1] in _PREPOSITIONS or ((is_degree(words[-1]) or words[-1] in _DAYS) and len(words) > 2)  # noqa: PLR2004
    ):
        words.pop()
    return " ".join(words).rstrip(" ,")


def is_degree(text: str) -> bool:
    """Return whether a text is a degree, an order or a licence.

    >>> is_degree("M.D."), is_degree("PhD"), is_degree("DABOM"), is_degree("Ma"), is_degree("Ann")
    (True, True, True, False, False)
    """
    plain = text.replace(".", "").strip()
    if not _MIN_DEGREE_CHARS <= len(plain) <= _MAX_DEGREE_CHARS or plain.istitle():
        return False
    return plain.lower() in _DEGREES


def is_account(name: str) -> bool:
    """Return whether a name is that of an account or a role and not of a person.

    >>> is_account("KatieS"), is_account("ann.lee"), is_account("NOC Admin"), is_account("Ann Lee")
    (True, True, True, False)
    """
    return bool(_ACCOUNT.fullmatch(name)) or bool(_ROLE.search(name))


def is_house(name: str) -> bool:
    """Return whether a name in Latin letters is that of a publisher and not of a person.

    >>> is_house("Condé Nast Media Group"), is_house("VnExpress"), is_house("Ann Lee"), is_house("신현주")
    (True, True, False, False)
    """
    return "A" <= name[:1] <= "Z" and not is_person(name)


def _is_name(name: str) -> bool:
    if (
        is_degree(name)
        or _DEGREE_OF.match(name)
        or _BUTTON.match(name)
        or name.casefold() in _PREPOSITIONS
        or parse_day(name)
        or is_template_text(name)
        or _THEME.search(name)
    ):
        return False
    max_words = _MAX_ORGANIZATION_WORDS if _ORGANIZATION.search(name) else _MAX_NAME_WORDS
    if not 1 < len(name) <= MAX_NAME_CHARS or len(name.split()) > max_words or name.casefold() in _NOT_NAMES:
        return False
    if name.startswith(("http", "www.", "/")) or set(name) & _NEVER_IN_NAMES:
        return False
    words = name.split()
    if len(words) > 1 and words[0] in _ARTICLES:
        return False  # "a founder of Kettles": what the author is
    if len(words) > 1 and words[0][0].isupper() and words[-1].islower() and words[-1].isascii():
        return words[-1] in _LOWER_ENDS  # "Personal finance", "recipient of": a topic or a piece of a sentence
    return any(char.isalpha() for char in name) and not _LEGAL_WORDS.search(name)


def is_person(name: str) -> bool:
    """Return whether a name may be a person's, for sites that are named after their author.

    >>> is_person("Ann Lee"), is_person("The Kettle"), is_person("Kettle News")
    (True, False, False)
    """
    return len(name) <= MAX_NAME_CHARS and bool(_PERSON.match(name))
