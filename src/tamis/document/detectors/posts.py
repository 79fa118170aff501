"""Posts of a thread, and readers' comments: elements that repeat, each with an author or a date, and a body.

Forums, comment sections and mailing lists repeat one element many times. An element counts as a post if its type,
its class, its id or its attributes say so, if the page has another one like it, and if it names an author or a date.
No rule here names a site: the conventions are those of schema.org, microformats, ARIA and the common forum software.

A post has a byline (author and date), a body, and chrome around it: buttons, ranks, avatars, signatures. The body is
the element with the class or property that all posts of a group have for it (`body_names`). Replies are inside of
the post that they answer, or have a number of their depth, or are indented.
"""

import re
from bisect import bisect_left
from collections import Counter
from dataclasses import replace
from typing import Final

import numpy as np
import numpy.typing as npt

from tamis.document.detectors.bylines import (
    AUTHOR_SELECTOR,
    DATE_SELECTOR,
    MAX_NAME_WORDS,
    NUMBER,
    PROFILE,
    PostBylines,
    clean_name,
    may_be_date,
)
from tamis.document.detectors.post_parts import (
    MAIL,
    DeclaredPosts,
    PostFacts,
    Thread,
    body_names,
    find_candidates,
    groups_of_class,
    has_number,
    is_strong,
    item_type_of,
    own_stops,
    rows_between,
    rows_with_body_names,
    thread_levels,
)
from tamis.html import tags
from tamis.page import Page
from tamis.page.sums import Bools, in_subtree, prefix_sums

Rows = npt.NDArray[np.int64]

#: Names of posts that are about something else: an article, a story, another post.
_COMMENTS: Final = frozenset({"comment", "comtr", "reply", "status", "cite", "mail"})
#: Links that show what a post refers to: its picture, its title and what it is about.
_CARD_CLASS: Final = re.compile(r"(?:^|[\s_-])(?:card|link-?preview|embed)(?:$|[\s_-])", re.IGNORECASE)
#: What does not belong to the text inside of a body.
_CHROME_SELECTOR: Final = (
    "button,select,textarea,nav,[role='button'],[class*='signature' i],[class*='expandlink' i],.quote-controls,"
    "[class*='post-buttons' i],[class*='share' i],.reply,[class*='edited' i],.notice,[class*='action-bar' i],"
    "[class*='lastedited' i],[class*='post-edit' i]"
)
#: Quotations of other posts that are not a ``blockquote``.
_QUOTE_SELECTOR: Final = (
    "div.bbcode_quote,div.quotebox,div.bb-quote,div.quote,div.quotetop+div.quotemain,div.comment_quote"
)
_LISTS: Final = tags.tag_mask("ul ol dl table tbody thead tr")
_CONTROLS: Final = tags.tag_mask("a button form select textarea label nav")
_UNSEEN_CLASS: Final = re.compile(r"sr-only|visually-?hidden|screen-?reader", re.IGNORECASE)
_TITLES: Final = frozenset(tags.IDS[name] for name in ("h1", "h2", "h3"))
_A, _IMG, _BR, _BLOCKQUOTE = (tags.IDS[name] for name in ("a", "img", "br", "blockquote"))
#: The line before the message that another one answers.
_WROTE: Final = re.compile(
    r"(?:\bwrote|\bschrieb(?: [\w .<>@-]{1,80})?|\ba écrit|\bescribió|\bha scritto|\bescreveu|\bschreef|\bpisze|"
    r"\bпишет) ?:$"
)
_MAX_BYLINE_CHARS: Final = 160
_MAX_LABEL_CHARS: Final = 60  #: of a block of buttons, ranks or counts
_MIN_BODY_SHARE: Final = 0.7  #: of the text that the widest body has, which the innermost must have
_MIN_OWN_CHARS: Final = 200  #: of an item around other posts that is a post itself
_MIN_OWN_SHARE: Final = 0.3  #: of the text of the posts, which a body has at least
_MAX_LEAD: Final = 300  #: characters of the line before what a message answers
_MAX_SIGNATURE: Final = 10  #: lines of a signature, with the dashes above it
_MIN_PAIRS: Final = 2  #: posts of two elements each
_MIN_REPEATS: Final = 3  #: posts that have a line of a few words in common, which is chrome


def find_posts(page: Page, min_posts: int = 2) -> dict[int, PostFacts]:
    """Return the posts of a page by row; none if there are fewer than `min_posts`.

    >>> from tamis.page import parse_page
    >>> post = '<div class="post"><b class="author">{}</b><p>Hello.</p></div>'
    >>> page = parse_page(post.format("Ann") + post.format("Bob"))
    >>> [facts.author for facts in find_posts(page).values()]
    ['Ann', 'Bob']
    """
    thread = find_thread(page, min_posts)
    return thread.posts if thread else {}


def find_thread(page: Page, min_posts: int = 2, declared: "DeclaredPosts | None" = None) -> Thread | None:
    """Return the thread of a page; None if it has fewer than `min_posts` posts.

    `declared` are what the rule of a site says that posts are; it has precedence.
    """
    candidates = declared.groups if declared else find_candidates(page, min_posts)
    if not candidates:
        return _mail(page) if min_posts == 1 or not declared else None
    known = {} if declared else page.memo.setdefault("threads", {})  # who reads comments asks with other limits
    rows = tuple(candidates)
    if rows not in known:
        known[rows] = _read_thread(_Finder(page, candidates, declared))
    thread, count = known[rows]
    return thread if count >= min_posts else None


def _read_thread(finder: "_Finder") -> tuple[Thread | None, int]:
    """Return the thread of some candidates, and how many posts there are, with those that are articles in a list."""
    posts = finder.posts()
    if not posts:
        return None, 0
    strong = {
        row
        for row in posts
        if finder.declared
        or is_strong(finder.groups[finder.inner[row]], finder.page.attributes(finder.inner[row]))
        or has_number(finder.page.attributes(row))
    }
    kept = {row: facts for row, facts in posts.items() if row in strong or (facts.author and facts.date)}
    return finder.thread(kept if strong else posts, is_discussion=bool(strong)), len(posts)


class _Finder:
    """Finds the parts of posts among candidates."""

    def __init__(self, page: Page, groups: dict[int, str], declared: DeclaredPosts | None) -> None:
        self.page, self.groups, self.declared = page, groups, declared
        self.read = PostBylines(page, declared)
        self._chars = page.shown_chars
        self.inner: dict[int, int] = {}  # the named element of each post

    def posts(self) -> dict[int, PostFacts]:
        """Return the candidates that are posts, with what is known of each."""
        page = self.page
        found = self._with_bylines(sorted(self.groups))
        # An element around a post that has no byline of its own before it is only its wrapper.
        rows = self.inner = self._lifted(found)
        self.read.stops = own_stops(page, sorted(rows))
        self._find_bodies(rows)
        posts: dict[int, PostFacts] = {}
        for row, inner in sorted(rows.items()):
            author, author_row, date, date_row = self.read.byline(inner, row)
            if author is None and date_row > 0:
                author, author_row = self.read.name_before(date_row, row)
            if author is None and date is None:
                continue
            handle = self.read.handle(author_row, row) if author else ""
            posts[row] = PostFacts(
                author, date, 0, author_row, date_row, self.read.votes(inner, row),
                self.read.permalink(inner, row, date_row), handle=handle,
            )  # fmt: skip
            self.groups.setdefault(row, self.groups[inner])
        levels = thread_levels(page, sorted(posts))
        comments = self._comments([row for row in posts if levels[row] == 0])
        if comments and not any(levels.values()):  # the posts of a forum follow each other
            levels = self._levels_by_mentions(posts)
        topic = next(iter(posts)) if comments and next(iter(posts)) not in comments else -1
        return {
            row: replace(facts, level=levels[row], comment=bool(comments) and row != topic)
            for row, facts in posts.items()
        }

    def _comments(self, rows: list[int]) -> list[int]:
        """Return which of the posts that answer no other are comments; none if these are posts of a forum.

        A post that all others answer, or that has a name of its own before comments, opens the discussion.
        """
        names = [self._called(row) for row in rows]
        has_topic = len(rows) > 1 and (names[0] not in names[1:] or names[0].rpartition(" ")[2] not in _COMMENTS)
        comments = rows[1:] if has_topic else rows
        are_comments = all(name.rpartition(" ")[2] in _COMMENTS for name in names[-len(comments) :])
        return comments if len(rows) > 1 and are_comments else []

    def _called(self, row: int) -> str:
        """Return the group of a post; of one that may be anything, what the last word of its class or its tag is."""
        group = self.groups[row]
        if group.rpartition(" ")[2] not in {"declared", "thing"}:
            return group
        inner = self.inner[row]
        *_, named = "", *groups_of_class(self.page.attribute_of(inner, "class") or "")
        return named or next(groups_of_class(self.page.tag_name(inner)), group)

    def _levels_by_mentions(self, posts: dict[int, PostFacts]) -> dict[int, int]:
        """Return the depth of each post: one that begins with ``@`` and the author of a post before it answers that.

        Whoever a link above all posts leads to is the author of what they are about.
        """
        page, levels = self.page, dict.fromkeys(posts, 0)
        links = rows_between(self.read.links, page.body, min(posts, default=0))
        above = {page.attribute_of(link, "href") for link in links}
        answered: list[tuple[str, int]] = []  # posts that may be answered: the profile of the author, and the level
        for row, facts in posts.items():
            body = (self.read.bodies.get(row) or [self.read.stops[row]])[0]
            text = next((k for k in range(body, self.read.stops[row]) if page.shown[k] and page.nonspace[k]), -1)
            mention = self.read.href_around(text) if page.row_text(text).lstrip().startswith("@") else ""
            if mention and mention not in above:
                while answered and answered[-1][0] != mention:
                    answered.pop()
                levels[row] = answered[-1][1] + 1 if answered else 0
            else:
                answered = []
            answered.append((self.read.href_around(facts.author_row), levels[row]))
        return levels

    def _with_bylines(self, candidates: list[int]) -> list[int]:
        """Return the candidates without those that only wrap another, or are a part of one."""
        page = self.page
        self.read.stops = own_stops(page, candidates)
        out: list[int] = []
        open_posts: list[int] = []
        named = [
            (author is not None, date is not None)
            for author, _, date, _ in map(self.read.byline, candidates, candidates)
        ]
        for index, row in enumerate(candidates):
            while open_posts and page.end[open_posts[-1]] <= row:
                open_posts.pop()
            has_author, has_date = named[index]
            if open_posts and self.groups[row] != self.groups[open_posts[-1]] and not (has_author and has_date):
                has_author = has_date = self._is_half(open_posts[-1])  # a part of the post around it
            last = bisect_left(candidates, int(page.end[row]))
            is_item = any(map(any, named[index + 1 : last])) and bool(item_type_of(page.attributes(row)))
            if is_item and (not has_author or self._chars[self.read.stops[row]] - self._chars[row] < _MIN_OWN_CHARS):
                continue  # the item of the whole page
            if has_author or has_date:
                out.append(row)
                open_posts.append(row)
        # One byline is in the innermost candidate that has all of it: an author in one and a date in another are
        # those of the outer one.
        kept: list[int] = []
        for index, row in enumerate(out):
            following = out[index + 1] if index + 1 < len(out) else -1
            inside = 0 < following < page.end[row]
            if (
                inside
                and self.groups[row] != self.groups[following]
                and self._is_half(row)
                and self._is_half(following)
            ):
                out[index + 1] = row
                continue
            if not kept or kept[-1] != row:
                kept.append(row)
        return self._paired(kept)

    def _paired(self, rows: list[int]) -> list[int]:
        """Return posts; of two side by side, one with the date and one with the name, the element around them.

        bbPress writes the posts of a thread so, each in an item of a list.
        """
        page = self.page
        count = Counter(int(page.parent[row]) for row in rows)
        pairs = [parent for parent, number in count.items() if number == 2 and parent > page.body]  # noqa: PLR2004
        if 2 * len(pairs) < len(rows) or len(rows) < 2 * _MIN_PAIRS:
            return rows
        first_of = {int(page.parent[row]): row for row in reversed(rows)}
        first_of = {parent: first_of[parent] for parent in pairs}
        halves = [self._has_author(row) for row in rows if self._is_half(row)]
        if len(halves) < len(rows) or halves != [bool(index % 2) == halves[1] for index in range(len(rows))]:
            return rows
        for parent, row in first_of.items():
            self.groups[parent] = self.groups[row]
        self.read.stops |= own_stops(page, sorted(first_of))
        return sorted(first_of)

    def _has_author(self, row: int) -> bool:
        return self.read.byline(row, row)[0] is not None

    def _is_half(self, row: int) -> bool:
        author, _, date, _ = self.read.byline(row, row)
        return (author is None) != (date is None)

    def _lifted(self, rows: list[int]) -> dict[int, int]:
        """Return for each post the outermost element that begins with it and has no other beside it, and the post.

        Software that writes replies behind a post puts both in one element: a reply is then inside of that element.
        """
        page = self.page
        lifted = list(rows)
        text = prefix_sums(page.shown & ~in_subtree(page.end, np.array(self.read.chat_headings, dtype=np.int64)))
        while lifted:
            parents = [int(page.parent[row]) for row in lifted]
            bare = all(
                parent > page.body and text[row] == text[parent] and not _LISTS[page.tag[parent]]
                for parent, row in zip(parents, lifted, strict=True)
            )
            if not bare or len(set(parents)) < len(parents) or set(parents) & set(lifted):
                break
            lifted = parents
        return dict(zip(lifted, rows, strict=True))

    def _find_bodies(self, rows: dict[int, int]) -> None:
        """Find the element with the text of each post: the one that is called alike in all posts of its group.

        It has neither the author nor the date. Of elements in each other, the innermost with most of the text is it.
        """
        page = self.page
        chars = self._chars
        if self.declared and self.declared.bodies:
            for post in rows:
                own = rows_between(self.declared.bodies, post, self.read.stops[post])
                self.read.bodies[post] = own[:1]
            self.read.forget()
            return
        named = rows_with_body_names(page)
        by_group: dict[str, dict[str, dict[int, int]]] = {}  # group, name, post: element
        for post, inner in rows.items():
            names = by_group.setdefault(self.groups[inner], {})
            stop = self.read.stops[post]
            _, author_row, date, date_row = self.read.byline(inner, post)
            if date and date_row < 0:
                date_row = self.read.bylines.dated(inner, stop)[1]
            bylines = [row for row in (author_row, date_row) if row > 0]
            for k in rows_between(named, inner + 1, stop):
                end = int(page.end[k])
                has_text = chars[min(end, stop)] > chars[k]
                if end > stop or not has_text or any(k <= row < end for row in bylines):
                    continue
                for name in body_names(page.attributes(k)):
                    names.setdefault(name, {}).setdefault(post, k)
        for group, names in by_group.items():
            posts = [post for post, inner in rows.items() if self.groups[inner] == group]
            self._choose_body(posts, names, chars)
        for post, bodies in self.read.bodies.items():
            bodies.extend(self._cards(int(page.end[bodies[0]]), self.read.stops[post]))

    def _cards(self, start: int, stop: int) -> list[int]:
        """Return the links between two rows that show the page which they lead to, with a picture."""
        page = self.page
        return [
            link
            for link in rows_between(self.read.links, start, stop)
            if _CARD_CLASS.search(page.attribute_of(link, "class") or "")
            and (page.tag[link : page.end[link]] == _IMG).any()
            and not PROFILE.search(page.attribute_of(link, "href") or "")
            and self._chars[page.end[link]] > self._chars[link]
        ]

    def _choose_body(self, posts: list[int], names: dict[str, dict[int, int]], chars: Rows) -> None:
        page = self.page
        remaining = set(posts)
        while remaining and names:
            counts = {name: sum(post in remaining for post in found) for name, found in names.items()}
            most = max(counts.values())
            if not most:
                break
            sizes = {
                name: sum(int(chars[page.end[k]] - chars[k]) for post, k in names[name].items() if post in remaining)
                for name, count in counts.items()
                if count >= 0.8 * most
            }
            widest = max(sizes.values())
            if widest < _MIN_OWN_SHARE * sum(int(chars[self.read.stops[post]] - chars[post]) for post in remaining):
                break
            fitting = [name for name, size in sizes.items() if size >= _MIN_BODY_SHARE * widest]
            depth = {name: max(int(page.depth[k]) for k in names[name].values()) for name in fitting}
            name = max(fitting, key=lambda each: (counts[each], depth[each], each))
            for post, k in names.pop(name).items():
                if post in remaining:
                    self.read.bodies[post] = [k]
                    remaining.discard(post)

    def thread(self, posts: dict[int, PostFacts], *, is_discussion: bool) -> Thread:
        """Return the thread of some posts: which rows are their bodies, bylines and chrome."""
        page = self.page
        rows = sorted(posts)
        in_post = page.shown & in_subtree(page.end, np.array(rows, dtype=np.int64))
        byline = np.zeros(len(page), dtype=np.bool_)
        body, in_body = byline.copy(), byline.copy()
        open_rows: list[int] = []  # of posts without an element that is their body
        for row in rows:
            facts = posts[row]
            for k in (facts.author_row, facts.date_row):
                if k > row:
                    byline[k : page.end[k]] = True
            if self.read.bodies.get(row):
                for k in self.read.bodies[row]:
                    body[k : page.end[k]] = in_body[k : page.end[k]] = True
            else:
                open_rows.append(row)
                in_body[row : self.read.stops[row]] = True
        whole = sorted({*rows, *(k for row in rows for k in self.read.bodies.get(row, ()))})
        in_chrome = in_subtree(page.end, _without_posts(page, page.select(_CHROME_SELECTOR), whole))
        in_chrome |= self._mail_chrome(posts)
        body &= ~in_chrome
        if open_rows:
            other = _in_control(page, rows) | _in_bylines(page, posts, rows) | in_chrome
            texts = Counter(
                text for row in rows for text in {page.collapsed_text(k).strip().lower() for k in self._texts(row)}
            )
            for row in open_rows:
                is_mail = self.groups[row].rpartition(" ")[2] == MAIL  # its writers sign each message
                for k in self._texts(row):
                    text = page.collapsed_text(k).strip().lower()
                    is_new = is_mail or texts[text] < _MIN_REPEATS or len(text.split()) > MAX_NAME_WORDS
                    body[k] = not other[k] and is_new and not NUMBER.fullmatch(text)
        body &= in_post & ~byline
        body |= self._headings(posts, rows, body) & in_post
        byline &= in_post
        around = in_subtree(page.end, np.array(rows, dtype=np.int64)) & ~in_body
        chrome = in_post & ~body & ~byline & (self._is_short() | in_chrome)
        bodies = frozenset(body for row in rows for body in self.read.bodies.get(row, ()))
        boxes = (k for k in page.select(_QUOTE_SELECTOR) if in_body[k] and k not in bodies)
        quotes = frozenset(k for k in boxes if not self._is_around_quote(k))
        return Thread(posts, body, byline, chrome, around, is_discussion, bodies, quotes)

    def _is_around_quote(self, box: int) -> bool:
        """Tell whether all text of a box is in one ``blockquote``, which is the quotation."""
        chars, end = self._chars, self.page.end
        inner = next((k for k in range(box + 1, int(end[box])) if self.page.tag[k] == _BLOCKQUOTE), -1)
        return inner > 0 and bool(chars[end[inner]] - chars[inner] == chars[end[box]] - chars[box])

    def _mail_chrome(self, posts: dict[int, PostFacts]) -> Bools:
        """Return the rows of messages that mail programs fold: whom it is to, what it answers, and the signature.

        What it answers is at its end, in quotations, and in a message before it.
        """
        page = self.page
        out = np.zeros(len(page), dtype=np.bool_)
        mails = [row for row in posts if self.groups[row].rpartition(" ")[2] == MAIL]
        in_quote = in_subtree(page.end, page.rows_of("blockquote")) if mails else out
        above: set[str] = set()  # the lines of the messages so far
        for row in mails:
            facts, stop = posts[row], self.read.stops[row]
            if 0 < facts.author_row < facts.date_row:
                out[page.end[facts.author_row] : facts.date_row] = True
            known = [int(page.end[k]) for k in (facts.author_row, facts.date_row) if k > row]
            lines = self._lines(max((row, *known)), stop)
            quoted = [bool(in_quote[first]) or text.startswith(">") for first, text in lines]
            own = max((number for number, is_quoted in enumerate(quoted) if not is_quoted), default=0)
            is_lead = own > 0 and len(lines[own][1]) <= _MAX_LEAD and _WROTE.search(lines[own][1])
            if not is_lead and own + 1 < len(lines):  # the line is a quotation too
                own += 1
                is_lead = len(lines[own][1]) <= _MAX_LEAD and _WROTE.search(lines[own][1])
            if is_lead and not above.isdisjoint(text.lstrip("> ") for _, text in lines[own + 1 :]):
                out[lines[own][0] : stop] = True
            signed = [number for number, (_, text) in enumerate(lines) if text == "--"][-1:]
            if signed and 0 < signed[0] >= len(lines) - _MAX_SIGNATURE:
                out[lines[signed[0]][0] : stop] = True
            above.update(text for (_, text), is_quoted in zip(lines, quoted, strict=True) if not is_quoted)
        return out

    def _lines(self, start: int, stop: int) -> list[tuple[int, str]]:
        """Return the lines between two rows: the first row of each, and its text."""
        page = self.page
        rows = np.flatnonzero(page.shown[start:stop] & (page.nonspace[start:stop] > 0)) + start
        breaks = np.cumsum(page.tag[start:stop] == _BR)[rows - start]
        pieces: dict[tuple[int, int], list[int]] = {}
        for key, row in zip(
            zip(page.inline_run[rows].tolist(), breaks.tolist(), strict=True), rows.tolist(), strict=True
        ):
            pieces.setdefault(key, []).append(row)
        return [(found[0], " ".join(" ".join(map(page.row_text, found)).split())) for found in pieces.values()]

    def _is_short(self) -> Bools:
        """Return the rows of blocks that may be buttons and labels. A long one is text, whatever it is called."""
        blocks = self.page.blocks
        short = self.page.block_chars <= _MAX_LABEL_CHARS
        return (blocks.block_of >= 0) & short[blocks.block_of]

    def _texts(self, row: int) -> list[int]:
        """Return the shown text rows of a post before the first post inside it."""
        return (np.flatnonzero(self.page.shown[row : self.read.stops[row]]) + row).tolist()

    def _headings(self, posts: dict[int, PostFacts], rows: list[int], body: Bools) -> Bools:
        """Return the headings above bodies that say something new: neither the title again nor its answer."""
        page = self.page
        out = np.zeros(len(page), dtype=np.bool_)
        above = np.flatnonzero(tags.HEADING[page.tag[: rows[0]]]).tolist()
        seen = {_key(page.collapsed_text(k)) for k in [*page.rows_of("h1").tolist(), *above]}
        for row in rows:
            for k in np.flatnonzero(tags.HEADING[page.tag[row : self.read.stops[row]]]).tolist():
                heading = row + k
                end = int(page.end[heading])
                key = _key(page.collapsed_text(heading))
                named = posts[row].author_row, posts[row].date_row, *rows_between(self.read.author_rows, heading, end)
                is_byline = any(heading <= r < end for r in named)
                if body[heading:end].any() or not key or is_byline or self.read.bodies.get(row, [end])[0] < heading:
                    continue
                hidden = _UNSEEN_CLASS.search(page.attribute_of(heading, "class") or "")
                if key not in seen and page.tag[heading] in _TITLES and not hidden:
                    out[heading:end] = True
                seen.add(key)
        return out


def _key(text: str) -> str:
    return " ".join(text.casefold().rpartition("re:")[2].split())


def _mail(page: Page) -> Thread | None:
    """Return the one message of a page of a mail archive: a bold name, an address, a date, and preformatted text."""
    for link in page.select("a[href^='mailto:']") if page.tag_count("pre") else ():
        before = [k for k in range(max(page.body, link - 4), link) if page.tag[k] == tags.IDS["b"]]
        after = [k for k in range(link, min(len(page), link + 12)) if page.tag[k] == tags.IDS["i"]]
        texts = [k for k in page.rows_of("pre").tolist() if k > link]
        if not (before and after and texts) or not may_be_date(page.collapsed_text(after[0]).strip()):
            continue
        row, stop = texts[0], int(page.end[texts[0]])
        facts = PostFacts(
            clean_name(page.collapsed_text(before[-1])),
            page.collapsed_text(after[0]).strip(),
            0,
            before[-1],
            after[0],
        )
        body, byline = np.zeros(len(page), dtype=np.bool_), np.zeros(len(page), dtype=np.bool_)
        body[row:stop] = page.shown[row:stop]
        for k in (before[-1], after[0]):
            byline[k : page.end[k]] = page.shown[k : page.end[k]]
        chrome = page.shown & ~body & ~byline & ~in_subtree(page.end, page.rows_of("h1"))  # links to other messages
        return Thread({row: facts}, body, byline, chrome, np.zeros_like(body), is_discussion=True)
    return None


def _in_bylines(page: Page, posts: dict[int, PostFacts], rows: list[int]) -> Bools:
    """Return the rows in short elements that name the author or date of a post, and do not contain one."""
    named = {facts.author_row for facts in posts.values() if facts.author_row > 0}
    candidates = sorted({*page.select(AUTHOR_SELECTOR), *page.select(DATE_SELECTOR), *named} - set(posts))
    chars = page.shown_chars
    bylines = [row for row in candidates if chars[page.end[row]] - chars[row] <= _MAX_BYLINE_CHARS]
    return in_subtree(page.end, _without_posts(page, bylines, rows))


def _in_control(page: Page, rows: list[int]) -> Bools:
    """Return the rows in links, buttons and forms, except links in a paragraph: those belong to the comment."""
    controls = np.flatnonzero(_CONTROLS[page.tag] & page.is_element)
    in_paragraph = in_subtree(page.end, page.rows_of("p"))
    controls = controls[~((page.tag[controls] == _A) & in_paragraph[controls])]
    return in_subtree(page.end, _without_posts(page, controls.tolist(), rows))


def _without_posts(page: Page, elements: list[int], posts: list[int]) -> Rows:
    """Return the elements that contain no post."""
    return np.array(
        [row for row in elements if bisect_left(posts, row) == bisect_left(posts, int(page.end[row]))], dtype=np.int64
    )
