"""What posts, their bodies and their authors are called, and what is known of each post.

No rule here names a site: the conventions are those of schema.org, microformats, ARIA and the common forum software.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import Final

import numpy as np

from tamis.html import tags
from tamis.page import Page
from tamis.page.sums import Bools, in_subtree

#: What a post may be called. "Post" and those in `_WEAK` are names of articles in a list as well.
_NAMES: Final = r"post|comment|message|reply|answer|question|status|email|entry|cite|thing|comtr|tweet"
#: The same in other languages, by the name above that each means.
_TRANSLATED: Final = {
    "post": "beitrag wpis inlagg",
    "comment": "kommentar commentaire comentario commento komentarz komentar yorum",
    "message": "mensaje messaggio mensagem mesaj bericht",
    "reply": "antwort reponse respuesta risposta resposta reactie odpowiedz",
}
_MEANS: Final = {word: name for name, words in _TRANSLATED.items() for word in words.split()}
_WEAK: Final = frozenset({"post", "entry", "article"})
#: Names of posts of which a thread may have one.
_SINGLE: Final = frozenset({"comment", "answer", "reply", "question", "thing", "typed", "declared"})
_CLASS: Final = re.compile(
    rf"^(?:[a-z]{{1,12}}[-_]{{1,2}}(?:widget_)?|(?-i:[a-z]{{1,5}}(?=[A-Z])))?(?:({_NAMES})s?|({'|'.join(_MEANS)}))"
    r"(?:[-_]+(?:item|container|wrapper|wrap|entry|row|node|box|block|bubble|card|li|single|thread|group|post|"
    r"-?level-+\d+|\d+)|(?-i:Post|Item|Box|Row|Wrapper))?$|"
    r"^(post)(?:bit(?:legacy)?|container)$",
    re.IGNORECASE,
)
_PLURAL_CLASS: Final = re.compile(
    r"(?:^|[-_])(?:posts|comments|messages|replies|answers)(?:$|[-_](?!node$|item$))", re.IGNORECASE
)
_ID: Final = re.compile(
    r"^(?:js-|div-|el)?(post|comment|msg|message|reply|answer|issuecomment|pid|p)[-_]?\d+$", re.IGNORECASE
)
#: What classes and ids of posts contain, and the classes that name one as a whole.
_CLASS_PARTS: Final = ("post", "comment", "message", "reply", "answer", "question", "status", *_MEANS)
_CLASS_WORDS: Final = frozenset({"email", "thing", "comtr", "h-entry", "h-cite"})
CLASSES: Final = (*_CLASS_PARTS, *sorted(_CLASS_WORDS))  #: what is searched for in classes
_ID_STARTS: Final = ("msg", "p", "POST", "Post", "issuecomment")
_TYPE_PARTS: Final = (
    "schema.org/Comment", "ForumPosting", "schema.org/Answer", "schema.org/Question", "UserComments",
)  # fmt: skip
_TYPEOF_PARTS: Final = ("Comment", "ForumPosting")
ROLE: Final = "data-message-author-role"  #: who wrote a message of a chat: "user", "assistant"
AUTHOR_ATTRIBUTES: Final = ("author", "data-author", ROLE)
_TWEETS: Final = ("tweet", "postThreadItem", "feedItem-by")  #: what ``data-testid`` calls posts of social networks
_MESSAGE_ID: Final = "data-message-id"  #: of a message in a mailbox
_DECLARED_POSTS: Final = ",".join(
    (
        "[data-testid='tweet']",
        "[data-testid^='postThreadItem']",
        "[data-testid^='feedItem-by']",
        *(f"[{name}]" for name in (*AUTHOR_ATTRIBUTES, _MESSAGE_ID)),
    )
)
#: Attributes that `_group` reads besides the id: without one of them, an element has no group.
_DECLARING: Final = ("itemtype", "typeof", *AUTHOR_ATTRIBUTES, _MESSAGE_ID, "role", "data-testid")
MAIL: Final = "mail"  #: the group of its messages
#: Types of a post in schema.org. Its author and its number of likes are items of other types inside it.
_ITEM_TYPES: Final = frozenset({"Comment", "DiscussionForumPosting", "Answer", "Question", "UserComments"})
#: What holds the text of a post, by the last words of a class or an attribute.
_BODY_NAME: Final = re.compile(
    r"(?:^|[-_])(?:body|content|(?:rich-?)?text|texte|contenu|inhalt|texto|contenido|testo|contenuto|tekst|tresc|metin|"
    r"copy|prose|md|cooked|bbwrapper|postcontent|commtext|message|markdown|"
    r"commentbody|commenttext|commentcontent|formattedcomment|tweettext|md-div|postmsg|postbody|messagecontent|messagetext|markdown-body|text-body|body-inner)$|^post_message|^inner$|^[a-z]{0,5}RichText$",
    re.IGNORECASE,
)
#: What such a word of a class ends with: most end otherwise.
_BODY_ENDINGS: Final = (
    "body", "content", "text", "copy", "prose", "md", "cooked", "bbwrapper", "message", "markdown", "md-div",
    "postmsg", "inner", "formattedcomment", "texte", "contenu", "inhalt", "texto", "contenido", "testo", "contenuto",
    "tekst", "tresc", "metin",
)  # fmt: skip
#: Elements that have it by another attribute than their class.
_BODY_SELECTOR: Final = (
    "[itemprop~='text'],[itemprop~='articleBody'],[itemprop~='commentText'],[slot],[data-testid],[id^='post_message'],"
    "[id^='postmessage_']"
)
_CONTAINERS: Final = tags.tag_mask("article blockquote li div section tr tbody table dd dl td details")
_MAX_POSTS: Final = 5000  #: of one page


def is_strong(group: str, attributes: dict[str, str]) -> bool:
    """Tell whether an element is surely a post: by its name, its type, or a number that blogs do not give."""
    names = {group, *groups_of_class(attributes.get("class", ""))}
    if any(name.rpartition(" ")[2] not in _WEAK for name in names) or item_type_of(attributes):
        return True
    return has_number(attributes)


def has_number(attributes: dict[str, str]) -> bool:
    """Tell whether the id of an element is that of a post, and it is not an article of a blog."""
    is_article = "hentry" in attributes.get("class", "") or "type-" in attributes.get("class", "")
    return bool(_ID.match(attributes.get("id", ""))) and not is_article


def find_candidates(page: Page, min_posts: int) -> dict[int, str]:
    """Return the rows that may be posts, each with its group: its tag and what it is called.

    A group has at least `min_posts` elements, or a type that says what it is.
    """
    if "groups of posts" not in page.memo:
        page.memo["groups of posts"] = _groups(page)
    groups: dict[str, list[int]] = page.memo["groups of posts"]
    if sum(map(len, groups.values())) < min_posts:
        return {}
    found = {
        row: group
        for group, rows in groups.items()
        if len(rows) >= min_posts or group.rpartition(" ")[2] in _SINGLE
        for row in rows
    }
    return {row: found[row] for row in sorted(found)[:_MAX_POSTS]}


def _groups(page: Page) -> dict[str, list[int]]:
    """Return the rows that may be posts by group."""
    groups: dict[str, list[int]] = {}
    ids, classes = page.class_column, page.classes
    named: dict[int, str] = {}  # by class: a page has far fewer classes than elements
    is_container = _CONTAINERS[page.tag] | (page.tag == tags.OTHER)
    chars = page.shown_chars
    declared = {row for name in _DECLARING for row in page.attribute(name)}
    declared.update(row for row, value in page.attribute("id").items() if _ID.match(value))
    for row in _named_rows(page):
        if row <= page.body or not is_container[row] or chars[page.end[row]] == chars[row]:
            continue  # an empty one is the target of a link
        number = int(ids[row])
        if number not in named:
            named[number] = group_of_class(classes[number - 1]) if number else ""
        name = named[number] or (_group(page.attributes(row)) if row in declared else "")
        if name:
            groups.setdefault(f"{page.tag_name(row)} {name}", []).append(row)
    return groups


def _named_rows(page: Page) -> list[int]:
    """Return the elements whose class, id, type or role may be that of a post, in document order."""
    numbers = page.class_numbers(*_CLASS_PARTS)
    numbers += [
        n
        for n in page.class_numbers(*CLASSES[len(_CLASS_PARTS) :])
        if not _CLASS_WORDS.isdisjoint(page.classes[n - 1].split())
    ]
    rows: set[int] = set()
    if numbers:
        wanted = np.zeros(len(page.classes) + 1, dtype=np.bool_)
        wanted[numbers] = True
        rows.update(np.flatnonzero(wanted[page.class_column]).tolist())
    ids = page.attribute("id").items()
    rows.update([k for k, value in ids if value.startswith(_ID_STARTS)])
    types = page.attribute("itemtype").items()
    rows.update(k for k, value in types if any(part in value for part in _TYPE_PARTS))
    kinds = page.attribute("typeof").items()
    rows.update(k for k, value in kinds if any(part in value for part in _TYPEOF_PARTS))
    if "feed" in page.attribute("role").values():
        rows.update(page.select("[role='feed'] [role='article'],[role='feed'] article"))
    rows.update(page.select(_DECLARED_POSTS))
    if rows and page.tag_count("template"):
        in_template = in_subtree(page.end, page.rows_of("template"))
        rows = {row for row in rows if not in_template[row]}
    return sorted(rows)


def group_of_class(classes: str) -> str:
    """Return what posts of one thread are called, by their class; nothing if that does not say it."""
    return next(groups_of_class(classes), "")


def groups_of_class(classes: str) -> Iterator[str]:
    """Return what each word of a class calls a post."""
    for word in classes.split():
        match = _CLASS.match(word)
        if match and not _PLURAL_CLASS.search(word):
            name = (match[1] or match[2] or match[3]).lower()
            yield f"{re.sub(r'[0-9]+', '', word).lower()} {_MEANS.get(name, name)}"


def _group(attributes: dict[str, str]) -> str:
    """Return what posts have in common besides their class, which comes first.

    Forums give the first post of a thread another type than its answers.
    """
    item_type = item_type_of(attributes)
    if item_type:
        return f"{item_type} typed"
    if any(attributes.get(name) for name in AUTHOR_ATTRIBUTES):
        return "declared"
    if attributes.get(_MESSAGE_ID):
        return MAIL
    match = _ID.match(attributes.get("id", ""))
    if match:
        return f"#{match[1].lower()}"
    if attributes.get("data-testid", "").startswith(_TWEETS):
        return "tweet"
    return "article" if attributes.get("role") == "article" else ""


def item_type_of(attributes: dict[str, str]) -> str:
    """Return the type of a post in schema.org; nothing if it has none, or that of something else."""
    declared = attributes.get("itemtype", "") if "itemscope" in attributes else attributes.get("typeof", "")
    item_type = declared.rstrip("/").rpartition("/")[2].rpartition(":")[2]
    return item_type if item_type in _ITEM_TYPES else ""


def rows_with_body_names(page: Page) -> list[int]:
    """Return the elements of which `body_names` may return something, in document order."""
    words = [name.split() for name in page.classes]
    endings = {word for word in set(chain.from_iterable(words)) if word.lower().endswith(_BODY_ENDINGS)}
    named = {word for word in endings if _BODY_NAME.search(word)}
    has_name = np.array([False, *(not named.isdisjoint(each) for each in words)])
    return sorted({*np.flatnonzero(has_name[page.class_column]).tolist(), *page.select(_BODY_SELECTOR)})


def body_names(attributes: dict[str, str]) -> list[str]:
    """Return what the class and the attributes of an element call the body of a post."""
    names = [word for word in attributes.get("class", "").split() if _BODY_NAME.search(word)]
    names += [
        f"[{word}]"
        for word in attributes.get("itemprop", "").split()
        if word in {"text", "articleBody", "commentText"}
    ]
    names += [
        attributes[name]
        for name in ("slot", "data-testid")
        if _BODY_NAME.search(attributes.get(name, "")) or attributes.get(name) == "comment"
    ]
    if attributes.get("id", "").startswith(("post_message", "postmessage_")):
        names.append("#post_message")
    return names


# What is known of the posts of a page: facts by post, how deep each is, and which rows are whose.

_IMG: Final = tags.IDS["img"]
_DEPTH_CLASS: Final = re.compile(r"\b(?:depth|level|indent)[-_]{0,2}(\d{1,2})\b", re.IGNORECASE)
_DEPTH_ATTRIBUTES: Final = ("depth", "data-depth", "data-level", "aria-level", "indent", "data-indent")
_INDENTATION: Final = re.compile(r"(?:margin|padding)-(?:left|inline-start)\s*:\s*(\d+(?:\.\d+)?)", re.IGNORECASE)
MAX_LEVEL_ROWS: Final = 12  #: of a post that are read for its indentation
_MAX_INDENTS: Final = 12  #: elements around a post that may indent it


@dataclass(frozen=True, slots=True)
class PostFacts:
    """What is known of a post besides its text.

    Attributes:
        author: its author's name.
        date: its date: as machines read it, else as written.
        level: its depth in the thread; 0 for posts that answer no other.
        author_row: the row of the author's name, else -1.
        date_row: the row of the date, else -1.
        votes: how many votes, points or likes it has.
        permalink: its URL, as the page has it.
        comment: whether it is about what stands above the thread.
        handle: the account of the author, if the page shows it behind the name.
    """

    author: str | None
    date: str | None
    level: int = 0
    author_row: int = -1
    date_row: int = -1
    votes: int | None = None
    permalink: str | None = None
    comment: bool = False
    handle: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Thread:
    """The posts of a page, by row.

    Attributes:
        posts: what is known of each.
        body: the text rows of their bodies.
        byline: the text rows of their authors and dates.
        chrome: the other text rows in posts.
        around: all rows in posts that are not in the element of a body.
        is_discussion: whether they are surely posts, and not articles in a list.
        bodies: the elements of their bodies. Some software writes a body as a ``blockquote``, which quotes nothing.
        quotes: boxes in bodies that quote another post, and whose tag does not say it.
    """

    posts: dict[int, PostFacts]
    body: Bools
    byline: Bools
    chrome: Bools
    around: Bools
    is_discussion: bool
    bodies: frozenset[int] = frozenset()
    quotes: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class DeclaredPosts:
    """What the rule of a site says of its posts: rows, each with its group, and those of their parts."""

    groups: dict[int, str]
    authors: list[int] = field(default_factory=list)
    dates: list[int] = field(default_factory=list)
    bodies: list[int] = field(default_factory=list)


def rows_between(rows: list[int], start: int, stop: int) -> list[int]:
    """Return the rows of a sorted list that are between two rows."""
    return rows[bisect_left(rows, start) : bisect_left(rows, stop)]


def own_stops(page: Page, rows: list[int]) -> dict[int, int]:
    """Return where the own text of each post ends: before the first post inside it."""
    return {
        row: min(int(page.end[row]), rows[index + 1]) if index + 1 < len(rows) else int(page.end[row])
        for index, row in enumerate(rows)
    }


def thread_levels(page: Page, rows: list[int]) -> dict[int, int]:
    """Return the depth of each post: as declared, as indented, or how many posts it is inside of."""
    declared = {row: _declared_level(page, row) for row in rows}
    numbers = [level for level in declared.values() if level is not None]
    nested: dict[int, int] = {}
    open_rows: list[int] = []
    for row in rows:
        while open_rows and page.end[open_rows[-1]] <= row:
            open_rows.pop()
        nested[row] = len(open_rows)
        open_rows.append(row)
    if numbers and max(numbers) > min(numbers):
        lowest = min(numbers)
        return {row: nested[row] if (level := declared[row]) is None else level - lowest for row in rows}
    indents = {row: _indentation(page, row) for row in rows}
    if len(set(indents.values())) > 1 and not any(nested.values()):
        stack: list[float] = []
        levels = {}
        for row in rows:
            while stack and stack[-1] >= indents[row]:
                stack.pop()
            levels[row] = len(stack)
            stack.append(indents[row])
        return levels
    return nested


def _declared_level(page: Page, row: int) -> int | None:
    """Return the number of a depth that an attribute or a class of a post or of its first elements declares."""
    for k in range(row, min(row + MAX_LEVEL_ROWS, int(page.end[row]))):
        if not page.is_element[k]:
            continue
        attributes = page.attributes(k)
        for name in _DEPTH_ATTRIBUTES:
            if attributes.get(name, "").isdigit() and len(attributes[name]) < 4:  # noqa: PLR2004 (digits)
                return int(attributes[name])
        match = _DEPTH_CLASS.search(attributes.get("class", ""))
        if match:
            return int(match[1])
    return None


def _indentation(page: Page, row: int) -> float:
    """Return the width before a post: of a margin, or of a spacer image in its first elements."""
    inside = sum(
        "indented" in (page.attribute_of(k, "class") or "").split() for k in page.ancestors(row, _MAX_INDENTS)
    )
    if inside:
        return float(inside)
    for k in (row, int(page.parent[row])):
        match = _INDENTATION.search(page.attributes(k).get("style", ""))
        if match:
            return float(match[1])
    for k in range(row, min(row + MAX_LEVEL_ROWS, int(page.end[row]))):
        if page.tag[k] == _IMG and page.is_element[k]:
            attributes = page.attributes(k)
            if attributes.get("height", "") in {"0", "1"} and attributes.get("width", "").isdigit():
                return float(attributes["width"])
    return 0.0


_MIN_THREAD_SHARE: Final = 0.3  #: of the selected characters, which are in posts


def is_content(page: Page, mask: Bools, thread: Thread) -> bool:
    """Tell whether a thread is the content of a page, by the selected rows."""
    selected = np.where(mask, page.nonspace, 0)
    inside = int(selected[thread.body | thread.byline | thread.chrome].sum())
    return thread.is_discussion and inside > 0 and inside >= _MIN_THREAD_SHARE * int(selected.sum())
