"""Bylines: the author and the date of an article or a post, with the votes and the link that stand beside them.

A byline is a line that names an author, such as "Posted by Ann Lee on May 3, 2024". That of a forum post also has an
avatar (a picture or a single letter), a link to a profile, a rank, a number of posts, and often the date. The name is
the text of the element whose class says so, else the first link, else what precedes the date.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import chain
from typing import Final

import numpy as np

from tamis.document.detectors.post_parts import AUTHOR_ATTRIBUTES, MAX_LEVEL_ROWS, ROLE, DeclaredPosts, rows_between
from tamis.html import tags
from tamis.html.text import BYLINE_LABEL, ENGLISH_MONTHS, MAX_NAME_CHARS, MONTH_NAME
from tamis.lazy import lazy_pattern
from tamis.page import Page

#: Elements that may hold a byline or a name.
AUTHOR_SELECTOR: Final = (
    "[itemprop~='author'],[rel~='author'],[class*='author' i],[class*='username' i],[class*='user-name' i],"
    "[class*='user_name' i],[class*='poster' i],[class*='nick' i],.fn,.byline,cite.fn,[class*='user-link' i]"
)
_MAX_LEAD_CHARS: Final = 16  #: before the name in its line: "Posted by", an avatar's letter
_MAX_LINE_CHARS: Final = 2000  #: of a byline that are read, white space included
_MAX_LINE_ROWS: Final = 200  #: of a byline that are searched for a link
_MAX_AVATAR_ROWS: Final = 5  #: of a link that are searched for a class with "avatar"
_MAX_BYLINES: Final = 20  #: of one post that are read
_A: Final = tags.IDS["a"]
#: "Ann says:", as WordPress has it in English, German, French, Spanish, Italian, Dutch and Portuguese.
SAYS: Final = re.compile(r"\s+(?:says|said|wrote|sagt|dit|dice|ha detto|zegt|schreef|disse|diz)\b\s*:?.*$")
#: "2 days ago", "vor 2 Tagen", "il y a 2 jours", "2 giorni fa", "2日前".
_RELATIVE_DATE: Final = lazy_pattern(
    r"\s*\(?(?:\b(?:about |over |almost |edited )*(?:\d+|an?) ?(?:sec(?:ond)?s?|min(?:ute)?s?|h(?:ou)?rs?|days?|"
    r"weeks?|months?|y(?:ea)?rs?|[smhdwy]) ago\b|"
    r"\b(?:vor|il y a|hace|há|för)\s(?:\d+|eine[mr]|un[aeo]?|uma?|en|ett)\s\w+|"
    r"\b(?:\d+|un[ao]?|een|один|одну)\s\w+\s(?:fa|geleden|назад|temu|atrás|sedan|siden|önce)\b|"
    r"\d+\s?(?:秒|分|分钟|分鐘|小时|小時|時間|天|日|周|週間|个月|個月|か月|ヶ月|年|초|분|시간|일|주|개월|년)\s?(?:前|전)).*",
    re.IGNORECASE,
)
#: A day of today or yesterday, in the languages of forum software.
_TODAY: Final = (
    "today|yesterday|heute|gestern|aujourd['’]hui|hier|hoy|ayer|oggi|ieri|hoje|ontem|vandaag|gisteren|dzisiaj|dziś|"
    "wczoraj|сегодня|вчера|сьогодні|вчора|bugün|dün|idag|igår|i dag|i går|dnes|včera|今天|昨天|今日|昨日|오늘|어제"
)
#: Days in other languages. A name of a month needs a day before it, and a year or a comma after it: "ago" is August
#: in Spanish.
_DAYS: Final = (
    rf"\d{{1,2}}(?:\.|er|º)?\s(?:de\s)?(?:{MONTH_NAME})\b(?:\.?,|\.?\s(?:del?\s)?\d{{2,4}}\b)|"
    rf"(?:{_TODAY}),?\s(?:[\w@]{{1,2}}\s)?\d{{1,2}}[:.h]\d\d|"
    r"\d{4}\s?[年년]\s?\d{1,2}\s?[月월]|\d{4}\. \d{1,2}\. \d{1,2}\b|\d{1,4}[-/.]\d{1,2}[-/.]\d"
)
#: Where a date begins.
_DATE: Final = lazy_pattern(
    rf"(?:^|\s)\(?(?:on )?(?:(?:\d{{1,2}}(?:st|nd|rd|th|\.)? )?(?:{ENGLISH_MONTHS})[a-z]*\.? \d{{1,4}}\b|{_DAYS}|"
    r"\d{1,2}:\d\d).*",
    re.IGNORECASE,
)
_BY: Final = re.compile(r"\sby\s", re.IGNORECASE)
_BRACKETS: Final = re.compile(r"\s[(\[]")
_REPEATED: Final = re.compile(r"^(.{2,}?)(?: [–—-])? \1$")  # once visible, once for screen readers
_AVATAR_LETTER: Final = re.compile(r"^((\w)\S+) (?i:\2)$")  # instead of a picture, after the name
_EDGES: Final = " :,;·•|»-–—("


class Bylines:
    """The bylines of a page, selected once and searched for each post.

    Args:
        page: the page.
        date_rows: rows that may be dates, in order.
        author_rows: rows that may be bylines, in order; by default those that `AUTHOR_SELECTOR` matches.
    """

    def __init__(self, page: Page, date_rows: list[int], author_rows: list[int] | None = None) -> None:
        self.page, self.date_rows = page, date_rows
        self.author_rows = page.select(AUTHOR_SELECTOR) if author_rows is None else author_rows

    def author(self, start: int, stop: int) -> str | None:
        """Return the author named between row `start` (exclusive) and row `stop`, or None.

        >>> from tamis.page import parse_page
        >>> page = parse_page('<div><p class=byline>By <a href=/u/ann>Ann</a> 2 days ago</p><p>Tea.</p></div>')
        >>> Bylines(page, []).author(0, len(page))
        'Ann'
        """
        return next((name for name, _ in self.authors(start, stop)), None)

    def authors(self, start: int, stop: int) -> Iterator[tuple[str, int]]:
        """Yield the names between two rows, each with the row of its element."""
        for index in self._between(start, stop):
            if self.page.hidden[self.author_rows[index]]:
                continue
            row = self._profile_link(self._innermost(index))
            name = self._name(row)
            if name:
                yield name, row

    def dated(self, start: int, stop: int) -> tuple[str | None, int]:
        """Return the date written in a byline between two rows, and its row: some posts have no element for the date.

        >>> from tamis.page import parse_page
        >>> page = parse_page('<div><p class=author>by Ann » Sun Dec 17, 2023 8:39 pm</p><p>Tea.</p></div>')
        >>> date, row = Bylines(page, []).dated(0, len(page))
        >>> date, page.tag_name(row)
        ('Dec 17, 2023 8:39 pm', 'p')
        """
        for index in self._between(start, stop):
            row = self.author_rows[index]
            line = " ".join(self._text(row, int(self.page.end[row])).split())
            if len(line) <= 2 * MAX_NAME_CHARS and _DATE.search(line):
                return from_date(line), row
        return None, -1

    def _between(self, start: int, stop: int) -> Iterator[int]:
        """Yield the indices into `author_rows` of elements that end before `stop`: others hold the next post."""
        first = bisect_left(self.author_rows, start + 1)
        last = min(bisect_left(self.author_rows, stop), first + _MAX_BYLINES)
        yield from (index for index in range(first, last) if self.page.end[self.author_rows[index]] <= stop)

    def _name(self, row: int) -> str | None:
        """Return the name in an element, up to the date in it."""
        stop = int(self.page.end[row])
        index = bisect_left(self.date_rows, row + 1)
        if index < len(self.date_rows) and self.date_rows[index] < stop:
            before_date = self._text(row, self.date_rows[index])
            if before_date.strip():
                return clean_name(before_date)
        return clean_name(self._text(row, stop))

    def _text(self, row: int, stop: int) -> str:
        begin = int(self.page.offset[row])
        return self.page.text[begin : min(int(self.page.offset[stop]), begin + _MAX_LINE_CHARS)]

    def _is_near_start(self, row: int, inner: int) -> bool:
        """Return whether at most `_MAX_LEAD_CHARS` precede an inner row in its line."""
        return len(" ".join(self._text(row, inner).split())) <= _MAX_LEAD_CHARS

    def _innermost(self, index: int) -> int:
        """Return the innermost author element with a name that begins a byline, or the byline itself."""
        row = self.author_rows[index]
        for inner in self.author_rows[index + 1 : index + 1 + _MAX_BYLINES]:
            if inner >= self.page.end[row] or not self._is_near_start(row, inner):
                break
            if not self.page.hidden[inner] and self._name(inner):
                row = inner
        return row

    def _profile_link(self, row: int) -> int:
        """Return the first link in a byline that is neither an avatar nor a date, or the byline itself."""
        page = self.page
        for inner in range(row + 1, min(int(page.end[row]), row + _MAX_LINE_ROWS)):
            if page.tag[inner] != _A or page.hidden[inner]:
                continue
            if not self._is_near_start(row, inner):
                break
            if not self._is_avatar(inner) and self._name(inner):
                return inner
        return row

    def _is_avatar(self, link: int) -> bool:
        """Return whether a link shows a picture of the author or a single letter."""
        page = self.page
        rows = range(link, min(int(page.end[link]), link + _MAX_AVATAR_ROWS))
        return len(page.row_text(link).strip()) == 1 or any(
            "avatar" in page.attributes(row).get("class", "").lower() for row in rows if page.is_element[row]
        )


def from_date(text: str) -> str:
    """Return a text from its first date on, or all of it if it has none.

    >>> from_date("Ann commented May 3, 2024"), from_date("2 days ago")
    ('May 3, 2024', '2 days ago')
    """
    date = _DATE.search(text)
    return _BY.split(text[date.start() :], 1)[0].strip(" (").removeprefix("on ") if date else text


def clean_name(text: str) -> str | None:
    """Return the name in a byline, or None if it has none.

    >>> clean_name("by Ann Lee 2 years ago"), clean_name("Byron – Byron"), clean_name("May 3, 2024 at 6:26 pm")
    ('Ann Lee', 'Byron', None)
    >>> clean_name("byron55 B"), clean_name("Posted May 3, 2024 6:26 UTC by Ann Lee (guest) [Link]")
    ('byron55', 'Ann Lee')
    """
    line = " ".join(text.split())
    date = _DATE.search(line)
    by = _BY.search(line, date.start()) if date else None  # the name is behind the date, before brackets
    line = _BRACKETS.split(line[by.end() :], 1)[0] if by else line
    name = _DATE.sub("", _RELATIVE_DATE.sub("", BYLINE_LABEL.sub("", line)))
    name = _AVATAR_LETTER.sub(r"\1", SAYS.sub("", _REPEATED.sub(r"\1", name)).strip(_EDGES))
    is_name = 0 < len(name) <= MAX_NAME_CHARS and any(char.isalpha() for char in name) and "://" not in name
    return name if is_name else None


# The bylines of the posts of a thread.

#: Elements that may hold a date.
DATE_SELECTOR: Final = (
    "[datetime],time,[itemprop~='datePublished'],[itemprop~='dateCreated'],[data-time],"
    "[class*='date' i],[class*='time' i],[class*='posted' i],.age,.ago"
)
_AUTHOR_SELECTOR: Final = (
    f"{AUTHOR_SELECTOR},[class*='hnuser'],[class*='comment-user' i],[class*='display-name' i],[class*='creator' i],"
    "[class*='person-listing'],[class*='p-name'],[data-testid*='author' i],[data-testid='User-Name'],.name,"
    "[class*='user-details'],[class*='-byline' i],.postleft dt,[email][name],[class*='commenter' i],"
    "[data-testid*='member-name' i],.auteur,.autor,.autore,.pseudo,.verfasser,.benutzer,.usuario,.utente,.yazar"
)
#: Links to the page of a user, as forums address them.
PROFILE: Final = re.compile(
    r"/(?:users?|u|members?|profiles?|author|people|person)/|/[~@]\w|^mailto:|(?:member|profile)\.php|[?&]u=|"
    r"\bspace-uid-\d|\bmod=space&uid=|/ViewProfile\b"
)
_VOTE_SELECTOR: Final = (
    "[itemprop~='upvoteCount'],[class*='score' i],[class*='vote' i],[class*='points' i],[class*='likes' i],"
    "[class*='like-count' i],[class*='karma' i],[class*='reactions' i],[class*='like' i]"
)
_VOTES: Final = re.compile(
    r"^(?:\(score:\s?)?[+▲△⬆♥❤]?\s*(-?\d[\d,]*(?:\.\d+)?)\s*(k?)\s*"
    r"(?:points?|votes?|likes?|upvotes?|reactions?|favou?rites?|boosts?)?(?:,? ?[a-z]{0,20}\))?$",
    re.IGNORECASE,
)
#: A line that is a date and nothing else.
_WHOLE_DATE: Final = lazy_pattern(
    rf"^(?:on )?(?:\w{{2,9}}[.,]{{0,2}} )?(?:\d{{1,2}}(?:st|nd|rd|th|\.)? (?:{ENGLISH_MONTHS})|"
    rf"(?:{ENGLISH_MONTHS})[a-z]*\.? \d{{1,2}}|{_DAYS})[\w\s,.:@/()-]{{0,30}}$",
    re.IGNORECASE,
)
_PERMALINK: Final = frozenset({"bookmark", "u-url", "url", "permalink", "bylink"})
NUMBER: Final = re.compile(r"#\d{1,6}")  #: a link with the number of a post
_ISO: Final = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?)?")
_HANDLE: Final = re.compile(r"@[\w.-]+(?:@[\w.-]+)?")
MAX_NAME_WORDS: Final = 4
_MAX_DATE_BOXES: Final = 2  #: around a date
_MAX_NAME_LEVELS: Final = 4  #: from a name up to its link
_NOT_NAMES: Final = frozenset({
    "posted", "on", "date", "at", "published", "written", "reply", "re:", "#1", "updated", "edited", "asked",
    "answered", "permalink", "link", "share", "quote", "last", "joined",
    "am", "veröffentlicht", "geschrieben", "le", "posté", "publié", "el", "publicado", "il", "pubblicato", "em", "op",
    "geplaatst", "发表于", "发布于", "發表於", "投稿日", "投稿日時", "작성일",
})  # fmt: skip
#: What stands before the date of a change, or when an author joined.
_EDITED: Final = lazy_pattern(
    r"^\W*(?:(?:last )?(?:edited|modified|updated|joined|registered|active|seen)|zuletzt|geändert|registriert|"
    r"mitglied seit|dernière|modifi[ée]|édité|inscri[tp]|última|editado|registrad[oa]|se unió|ultima|modificato|"
    r"iscritt[oa]|laatst|gewijzigd|geregistreerd|lid sinds|ostatnio|rejestracja|dołączy|последн|изменен|отредакт|"
    r"зарегистр|en son|kayıt|katılım|senast|redigera|medlem|reg\b|最終|編集|登録|最后|编辑|注册|마지막|수정|가입)",
    re.IGNORECASE,
)
_MAX_DATE_ROWS: Final = 20  #: elements of a post that are read as dates
_MAX_DATE_CHARS: Final = 60
_MIN_EPOCH: Final = 10**9  #: a smaller number is not a time in seconds


class PostBylines:
    """Reads who wrote a post, when, how many votes it has and where it is.

    What was found before the bodies were is not in them: the element of a body has neither author nor date.

    Attributes:
        stops: the row after the own rows of each post.
        bodies: the elements of its body.
        links, author_rows: rows of the page, in order.
        chat_headings: headings above the messages of a chat.
    """

    def __init__(self, page: Page, declared: DeclaredPosts | None) -> None:
        self.page, self.declared = page, declared
        self.date_rows = declared.dates if declared and declared.dates else page.select(DATE_SELECTOR)
        given = declared.authors if declared and declared.authors else None
        self.author_rows = page.select(_AUTHOR_SELECTOR) if given is None else given
        self.item_authors = page.select("[itemprop~='author']") if given is None else []
        self.bylines = Bylines(page, self.date_rows, self.author_rows)
        self.vote_rows = page.select(_VOTE_SELECTOR)
        headings = np.flatnonzero(tags.HEADING[page.tag]).tolist() if page.attribute(ROLE) else []
        self.chat_headings = [row for row in headings if SAYS.search(page.collapsed_text(row))]
        self.links = page.rows_of("a").tolist()
        self.stops: dict[int, int] = {}
        self.bodies: dict[int, list[int]] = {}
        self._known: dict[tuple[int, int, int], tuple[str | None, int, str | None, int]] = {}

    def forget(self) -> None:
        """Read bylines anew: the bodies are known now."""
        self._known.clear()

    def href_around(self, row: int) -> str:
        """Return where the link that a row is or is in leads to; nothing if there is none."""
        around = (row, *self.page.ancestors(row, _MAX_NAME_LEVELS)) if row > 0 else ()
        return next((self.page.attribute_of(k, "href") or "" for k in around if self.page.tag[k] == _A), "")

    def byline(self, row: int, post: int) -> tuple[str | None, int, str | None, int]:
        """Return the author of a post and its row, and the date and its row.

        What was found before the bodies were is not in them: the element of a body has neither.
        """
        key = row, post, self.stops[post]
        if key not in self._known:
            self._known[key] = (*self._author(row, post), *self._date(row, post))
        return self._known[key]

    def in_body(self, row: int, post: int) -> bool:
        """Tell whether a row is in the body of a post."""
        return any(body <= row < self.page.end[body] for body in self.bodies.get(post, ()))

    def _author(self, row: int, post: int) -> tuple[str | None, int]:
        """Return the author of a post and the row of the name: attributes first, then bylines, then profiles."""
        page = self.page
        attributes = page.attributes(row)
        declared = clean_name(next((value for name in AUTHOR_ATTRIBUTES if (value := attributes.get(name))), ""))
        stop = self.stops[post]
        names = rows_between(self.chat_headings, post, row) if declared else []
        if names and (name := clean_name(page.collapsed_text(names[-1]))):
            return name, names[-1]
        if declared:
            return declared, self._named(declared, row, stop, post)
        own = [k for k in rows_between(self.item_authors, row + 1, stop) if not self.in_body(k, post)]
        if name := next(filter(None, map(self._item_name, own)), None):
            return name, self._named(name, row, stop, post)
        for author_rows in (own, None) if own else (None,):
            bylines = self.bylines if author_rows is None else Bylines(page, self.date_rows, author_rows)
            for name, name_row in bylines.authors(row, stop):
                if not self.in_body(name_row, post):
                    return name, name_row
        return (None, -1) if self.declared and self.declared.authors else self._linked_author(row, stop, post)

    def _linked_author(self, row: int, stop: int, post: int) -> tuple[str | None, int]:
        """Return the text of the first link to a profile, and its row."""
        page = self.page
        for link in rows_between(self.links, row + 1, stop):
            if not self.in_body(link, post) and PROFILE.search(page.attribute_of(link, "href") or ""):
                linked = clean_name(page.collapsed_text(link))
                if linked and len(linked.split()) <= MAX_NAME_WORDS and not page.hidden[link]:
                    return linked, link
        return None, -1

    def _item_name(self, author: int) -> str | None:
        """Return the name that the author of an item has for machines alone: that of a ``meta`` in it."""
        page = self.page
        for k in range(author, min(int(page.end[author]), author + MAX_LEVEL_ROWS)):
            attributes = page.attributes(k) if page.is_element[k] else {}
            is_name = k == author or "name" in attributes.get("itemprop", "").split()
            if is_name and (name := clean_name(attributes.get("content", ""))):
                return name
        return None

    def _named(self, name: str, row: int, stop: int, post: int) -> int:
        """Return the element between two rows that shows a name, or -1."""
        headings = (np.flatnonzero(tags.HEADING[self.page.tag[row:stop]]) + row).tolist()
        rows = rows_between(self.author_rows, row, stop) + rows_between(self.links, row, stop) + headings
        shown = (k for k in rows if self.page.collapsed_text(k).strip(" :@") == name and not self.in_body(k, post))
        return next(shown, -1)

    def _date(self, row: int, post: int) -> tuple[str | None, int]:  # noqa: C901 (one step per place)
        """Return the date of a post and its row: machine-readable attributes first, then the text."""
        page, stop = self.page, self.stops[post]
        own = page.attributes(row)
        rows = [k for k in rows_between(self.date_rows, row + 1, stop) if not self.in_body(k, post)][:_MAX_DATE_ROWS]
        rows = [k for k in rows if not self._is_edit(k)]
        for value in (own.get("created"), own.get("created-timestamp"), _epoch(own.get("data-timestamp"))):
            if value and may_be_date(value):
                return value, next((k for k in rows if page.shown[k : page.end[k]].any()), -1)
        for k in rows:
            attributes = page.attributes(k)
            values = (
                attributes.get("datetime"), attributes.get("content"), _epoch(attributes.get("data-time")),
                _title_date(attributes.get("title", "")),
            )  # fmt: skip
            for value in values:
                if value and may_be_date(value.strip()):
                    return value.strip(), k
        for k in rows:
            texts = self._shown_texts(k) if page.end[k] - k < _MAX_DATE_CHARS else []
            value = " ".join(texts)
            if may_be_date(value):
                return from_date(value), k
        for k in rows[:1]:
            inner = next(
                (
                    t
                    for t in range(k, int(page.end[k]))
                    if (page.attribute_of(t, "title") if page.is_element[t] else None)
                ),
                -1,
            )
            value = _title_date(page.attribute_of(inner, "title") or "") if inner >= 0 else ""
            if value and may_be_date(value):
                return value, k
        for k in range(row, stop):
            if page.shown[k] and not self.in_body(k, post) and page.nonspace[k] <= _MAX_DATE_CHARS:
                value = page.collapsed_text(k).strip(" ()[]|·»")
                if (_WHOLE_DATE.match(value) or _RELATIVE_DATE.fullmatch(value)) and not self._is_edit(k):
                    parent = int(page.parent[k])
                    return _title_date(page.attributes(parent).get("title", "")) or from_date(value), k
        return self.bylines.dated(row, stop)[0], -1

    def _shown_texts(self, row: int) -> list[str]:
        """Return the texts in an element: blocks of a date and a time have no space between them."""
        page = self.page
        return [page.collapsed_text(k).strip() for k in range(row, int(page.end[row])) if page.shown[k]]

    def _is_edit(self, row: int) -> bool:
        """Tell whether a date is that of a change, or when its author joined: the words before it say so."""
        page = self.page
        parent = int(page.parent[row])
        before = page.text[max(int(page.offset[parent]), int(page.offset[row]) - 40) : int(page.offset[row])]
        return bool(
            _EDITED.search(before) or _EDITED.search(page.text[int(page.offset[row]) : int(page.offset[row]) + 20])
        )

    def name_before(self, date_row: int, post: int) -> tuple[str | None, int]:
        """Return the name right before a date on its line, which no class marks as one, and its row."""
        page = self.page
        container = int(page.parent[date_row])
        for _ in range(_MAX_DATE_BOXES):  # elements with nothing but the date
            if page.collapsed_text(container).strip() != page.collapsed_text(date_row).strip():
                break
            date_row, container = container, int(page.parent[container])
        for row in range(date_row - 1, max(container, post), -1):
            if page.parent[row] != container or page.hidden[row]:
                continue
            name = " ".join(page.row_text(row).split()).strip(" :,·|-–—").rstrip(" @")
            if not name:
                continue
            words = name.split()
            fits = len(name) <= MAX_NAME_CHARS and len(words) <= MAX_NAME_WORDS and words[0].lower() not in _NOT_NAMES
            return (name, row) if fits and any(char.isalpha() for char in name) else (None, -1)
        return None, -1

    def votes(self, row: int, post: int) -> int | None:
        """Return the number of votes of a post, as its attributes or an element outside of its body say."""
        page = self.page
        own = page.attributes(row)
        for name in ("score", "data-score", "data-comment-score"):
            if own.get(name, "").lstrip("-").isdigit():
                return int(own[name])
        rows = [k for k in rows_between(self.vote_rows, row + 1, self.stops[post]) if not self.in_body(k, post)]
        rows.sort(key=lambda k: "unvoted" not in page.attributes(k).get("class", ""))  # not as if a reader had voted
        for k in rows:
            if page.end[k] - k > MAX_LEVEL_ROWS:
                continue
            attributes = page.attributes(k)
            for value in (
                attributes.get("data-value", ""),
                page.collapsed_text(k).strip(),
                attributes.get("title", ""),
            ):
                match = _VOTES.match(value)
                if match:
                    number = float(match[1].replace(",", "")) * (1000 if match[2] else 1)
                    return int(number)
        return None

    def permalink(self, row: int, post: int, date_row: int) -> str | None:
        """Return the URL of a post: as declared, of a link around its date or with its number, or its fragment."""
        page = self.page
        own = page.attributes(row)
        author = self.byline(row, post)[1]
        in_author = range(author, int(page.end[author])) if author > 0 else range(0)
        links = [
            (link, page.attribute_of(link, "href") or "")
            for link in rows_between(self.links, row, self.stops[post])
            if link not in in_author and not self.in_body(link, post)
        ]
        marked = (href for link, href in links if _is_permalink(page.attributes(link)) and not PROFILE.search(href))
        numbered = (href for link, href in links if NUMBER.fullmatch(page.collapsed_text(link).strip()))
        fragments = (f"#{name}" for name in (page.attributes(k).get("id") for k in (row, post)) if name)
        declared = (own.get("permalink"), own.get("data-permalink"))
        found = chain(declared, marked, self._links_of_date(row, date_row), numbered, fragments)
        return next((href for href in found if href and href != "#"), None)

    def _links_of_date(self, row: int, date_row: int) -> Iterator[str]:
        """Return the URLs of the links around a date and in it."""
        page = self.page
        if date_row <= 0:
            return
        for link in (date_row, *page.ancestors(date_row, 3)):
            if page.tag[link] == _A and link > row:
                yield page.attribute_of(link, "href") or ""
        for link in rows_between(self.links, date_row, int(page.end[date_row])):
            href = page.attribute_of(link, "href") or ""
            if not PROFILE.search(href):
                yield href

    def handle(self, author_row: int, post: int) -> str:
        """Return the account behind a name, with a link to the same profile: social networks show ``@ann@e.org``."""
        page = self.page
        end = int(page.end[author_row]) if author_row > 0 else len(page)
        after = range(end, min(self.stops[post], end + MAX_LEVEL_ROWS))
        row = next((k for k in after if page.shown[k] and page.nonspace[k]), -1)
        text = page.collapsed_text(row) if row > 0 else ""
        is_same = bool(_HANDLE.fullmatch(text)) and self.href_around(row) == self.href_around(author_row) != ""
        return text if is_same else ""


def _is_permalink(link: dict[str, str]) -> bool:
    """Tell whether a link says that it leads to what it is in; that of an author leads to another site."""
    words = f"{link.get('class', '')} {link.get('rel', '')} {link.get('itemprop', '')}".split()
    return "external" not in words and (not _PERMALINK.isdisjoint(words) or "permalink" in link.get("class", ""))


def _epoch(value: str | None) -> str | None:
    """Return seconds or milliseconds since 1970 as a date and time."""
    if not value or not value.isascii() or not value.isdigit() or len(value) > 13:  # noqa: PLR2004 (digits)
        return None
    number = int(value)
    number = number // 1000 if number >= _MIN_EPOCH * 1000 else number
    return datetime.fromtimestamp(number, UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if number >= _MIN_EPOCH else None


def _title_date(title: str) -> str:
    """Return the date that the title of an element has: "2024-01-05T10:00:00 1704448800" begins with it."""
    iso = _ISO.match(title.strip())
    if iso:
        return iso[0]
    return (
        title if re.search(r"\d{4}", title) and from_date(title) != "" and re.search(r"\d[-/. :]|\d,", title) else ""
    )


def may_be_date(value: str) -> bool:
    """Tell whether a text may be a date: a short one with a digit."""
    return 0 < len(value) <= _MAX_DATE_CHARS and any(char.isdigit() for char in value)
