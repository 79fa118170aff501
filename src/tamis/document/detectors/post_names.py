"""What posts and their bodies are called: classes, ids, types and attributes that say that an element is one.

No rule here names a site: the conventions are those of schema.org, microformats, ARIA and the common forum software.
"""

import re
from collections.abc import Iterator
from itertools import chain
from typing import Final

import numpy as np

from tamis.html import tags
from tamis.page import Page
from tamis.page.sums import in_subtree

#: What a post may be called. "Post" and those in `_WEAK` are names of articles in a list as well.
_NAMES: Final = r"post|comment|message|reply|answer|question|status|email|entry|cite|thing|comtr|tweet"
_WEAK: Final = frozenset({"post", "entry", "article"})
#: Names of posts of which a thread may have one.
_SINGLE: Final = frozenset({"comment", "answer", "reply", "question", "thing", "typed", "declared"})
_CLASS: Final = re.compile(
    rf"^(?:[a-z]{{1,12}}[-_]{{1,2}}|(?-i:[a-z]{{1,5}}(?=[A-Z])))?({_NAMES})s?(?:[-_]+(?:item|container|wrapper|wrap|entry|"
    r"row|node|box|block|bubble|card|li|single|thread|group|post|-?level-+\d+|\d+)|(?-i:Post|Item|Box|Row|Wrapper))?$|"
    r"^(post)(?:bit(?:legacy)?|container)$",
    re.IGNORECASE,
)
_PLURAL_CLASS: Final = re.compile(r"(?:^|[-_])(?:posts|comments|messages|replies|answers)(?:$|[-_])", re.IGNORECASE)
_ID: Final = re.compile(
    r"^(?:js-|div-|el)?(post|comment|msg|message|reply|answer|issuecomment|pid|p)[-_]?\d+$", re.IGNORECASE
)
#: What classes and ids of posts contain, and the classes that name one as a whole.
_CLASS_PARTS: Final = ("post", "comment", "message", "reply", "answer", "question", "status")
_CLASS_WORDS: Final = frozenset({"email", "thing", "comtr", "h-entry", "h-cite"})
_ID_STARTS: Final = ("msg", "p", "POST", "Post", "issuecomment")
_TYPE_PARTS: Final = (
    "schema.org/Comment", "ForumPosting", "schema.org/Answer", "schema.org/Question", "UserComments",
)  # fmt: skip
_TYPEOF_PARTS: Final = ("Comment", "ForumPosting")
ROLE: Final = "data-message-author-role"  #: who wrote a message of a chat: "user", "assistant"
AUTHOR_ATTRIBUTES: Final = ("author", "data-author", ROLE)
_MESSAGE_ID: Final = "data-message-id"  #: of a message in a mailbox
_DECLARED_POSTS: Final = ",".join(
    ("[data-testid='tweet']", *(f"[{name}]" for name in (*AUTHOR_ATTRIBUTES, _MESSAGE_ID)))
)
MAIL: Final = "mail"  #: the group of its messages
#: Types of a post in schema.org. Its author and its number of likes are items of other types inside it.
_ITEM_TYPES: Final = frozenset({"Comment", "DiscussionForumPosting", "Answer", "Question", "UserComments"})
#: What holds the text of a post, by the last words of a class or an attribute.
_BODY_NAME: Final = re.compile(
    r"(?:^|[-_])(?:body|content|(?:rich-?)?text|copy|prose|md|cooked|bbwrapper|postcontent|commtext|message|markdown|"
    r"tweettext|md-div|postmsg|postbody|messagecontent|messagetext|markdown-body|text-body|body-inner)$|^post_message|^inner$|^[a-z]{0,5}RichText$",
    re.IGNORECASE,
)
#: Elements that have it by another attribute than their class.
_BODY_SELECTOR: Final = (
    "[itemprop~='text'],[itemprop~='articleBody'],[itemprop~='commentText'],[slot],[data-testid],[id^='post_message']"
)
_CONTAINERS: Final = tags.tag_mask("article blockquote li div section tr tbody table dd dl td")
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
    for row in _named_rows(page):
        if row <= page.body or not is_container[row]:
            continue
        number = int(ids[row])
        if number not in named:
            named[number] = group_of_class(classes[number - 1]) if number else ""
        name = named[number] or _group(page.attributes(row))
        if name:
            groups.setdefault(f"{page.tag_name(row)} {name}", []).append(row)
    return groups


def _named_rows(page: Page) -> list[int]:
    """Return the elements whose class, id, type or role may be that of a post, in document order."""
    numbers = page.class_numbers(*_CLASS_PARTS)
    numbers += [
        n for n in page.class_numbers(*_CLASS_WORDS) if not _CLASS_WORDS.isdisjoint(page.classes[n - 1].split())
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
            yield f"{re.sub(r'[0-9]+', '', word).lower()} {(match[1] or match[2]).lower()}"


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
    if attributes.get("role") == "article" or attributes.get("data-testid") == "tweet":
        return "tweet" if "data-testid" in attributes else "article"
    return ""


def item_type_of(attributes: dict[str, str]) -> str:
    """Return the type of a post in schema.org; nothing if it has none, or that of something else."""
    declared = attributes.get("itemtype", "") if "itemscope" in attributes else attributes.get("typeof", "")
    item_type = declared.rstrip("/").rpartition("/")[2].rpartition(":")[2]
    return item_type if item_type in _ITEM_TYPES else ""


def rows_with_body_names(page: Page) -> list[int]:
    """Return the elements of which `body_names` may return something, in document order."""
    words = [name.split() for name in page.classes]
    named = {word for word in set(chain.from_iterable(words)) if _BODY_NAME.search(word)}
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
    if attributes.get("id", "").startswith("post_message"):
        names.append("#post_message")
    return names
