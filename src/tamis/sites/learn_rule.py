"""Learn a rule of a site: the CSS selectors that give, on some of its pages, what was selected there.

Candidates are the selectors that authors of pages give to elements themselves: ids, classes, and elements such as
``main``. Those with digits are left out, as generators make them new for each build. A candidate is judged by the
characters of the elements that it matches beside those that were selected (F1, the mean over the pages), so that a
selector that is missing on some pages or matches too much loses.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from tamis.errors import OptionError
from tamis.html.text import split_url
from tamis.page import Page
from tamis.page.sums import Bools, prefix_sums
from tamis.sites.rules import Rule, normalize_host, page_url

_WORD: Final = re.compile(r"-?[A-Za-z_][A-Za-z_-]*")
_ELEMENTS: Final = frozenset({"main", "article", "h1", "time"})
_ATTRIBUTES: Final = ("role", "itemprop", "data-testid")
_MIN_F1: Final = 0.5  #: below it, no selector says where the content is
_MIN_GAIN: Final = 0.02  #: of F1, for which one more selector is worth reading
_MAX_SELECTORS: Final = 3  #: of content
_MAX_EXCLUDED: Final = 10
_MAX_KEPT_SHARE: Final = 0.02  #: of the characters in what is left out that were selected
_MIN_EXCLUDED_SHARE: Final = 0.01  #: of the characters of the content, which leaving out must save
_MAX_PART_CHARS: Final = 80  #: of an element with an author or a date
#: Of the selected characters: with fewer outside of its posts, a thread has no content.
_MIN_OUTSIDE_SHARE: Final = 0.2


@dataclass(frozen=True, slots=True)
class PostRows:
    """Where a post and its parts are; -1 for a part that it lacks."""

    row: int
    author: int = -1
    date: int = -1


@dataclass(frozen=True)
class RulePage:
    """A page to learn a rule from.

    Attributes:
        selected: the text rows that are content.
        name: where it can be read again: a URL or the name of a file.
        posts: its posts, if it is a thread.
        bodies: the text rows of the bodies of its posts.
    """

    page: Page
    selected: Bools
    url: str | None
    name: str
    title: str | None = None
    posts: Sequence[PostRows] = ()
    bodies: Bools = field(default_factory=lambda: np.zeros(0, dtype=np.bool_))

    @cached_property
    def labels(self) -> dict[str, list[int]]:
        """The rows of the elements that each candidate matches, in document order."""
        page, found = self.page, defaultdict(list)
        for row in page.is_element.nonzero()[0].tolist():
            if row > page.body:
                for label in _labels(page, row):
                    found[label].append(row)
        return dict(found)

    @cached_property
    def shown(self) -> "npt.NDArray[np.int64]":
        """The shown characters before each row."""
        return prefix_sums(np.where(self.page.shown, self.page.nonspace, 0))

    def chars(self, mask: Bools) -> "npt.NDArray[np.int64]":
        """Return the characters of some text rows before each row."""
        return prefix_sums(np.where(mask, self.page.nonspace, 0))

    def ranges(self, selectors: Iterable[str]) -> list[tuple[int, int]]:
        """Return the rows in elements that selectors match, those inside of others left out."""
        found: list[tuple[int, int]] = []
        for row in sorted(row for selector in selectors for row in self.labels.get(selector, ())):
            if not found or row >= found[-1][1]:
                found.append((row, int(self.page.end[row])))
        return found


def _chars_in(sums: "npt.NDArray[np.int64]", ranges: Iterable[tuple[int, int]]) -> int:
    """Return the characters of some ranges of rows, from those before each row."""
    return sum(int(sums[stop] - sums[start]) for start, stop in ranges)


def _labels(page: Page, row: int) -> list[str]:
    """Return the selectors that name an element.

    >>> from tamis.page import parse_page
    >>> _labels(parse_page('<div id=text class="story css-1x9" role=main>'), 4)
    ['#text', 'div.story', "[role='main']"]
    """
    attributes, tag = page.attributes(row), page.tag_name(row)
    labels = [tag] if tag in _ELEMENTS else []
    if _WORD.fullmatch(attributes.get("id") or ""):
        labels.append(f"#{attributes['id']}")
    labels += [f"{tag}.{name}" for name in (attributes.get("class") or "").split() if _WORD.fullmatch(name)]
    labels += [
        f"[{name}='{attributes[name]}']" for name in _ATTRIBUTES if _WORD.fullmatch(attributes.get(name) or "")
    ]
    return labels


def learn_rule(pages: Sequence[RulePage], name: str | None = None, host: str | None = None) -> Rule:
    """Return the rule that gives what was selected on some pages of a site.

    >>> from tamis.page import parse_page
    >>> html = "<ul class=menu><li>Home</ul><div class=story><p>{} is here.<p class=ad>Buy a kettle!</div>"
    >>> pages = [parse_page(html.format(word)) for word in ("Rain", "Snow")]
    >>> masks = [page.shown & (np.arange(len(page)) == page.rows_of("p")[0] + 1) for page in pages]
    >>> rule = learn_rule([RulePage(p, m, "https://valley.example/1", "") for p, m in zip(pages, masks)])
    >>> rule.content, rule.exclude, rule.hosts
    (('div.story',), ('p.ad',), ('valley.example',))

    Raises:
        OptionError: there are no pages with content, their host is unknown, or no selector says where it is.
    """
    pages = [each for each in pages if each.selected.any()]
    if not pages:
        raise OptionError("a rule is learned from pages with content; there are none")
    urls = [page_url(each.page, each.url) or "" for each in pages]
    hosts = (host,) if host else tuple(sorted({normalize_host(url) for url in urls if url}))
    if not hosts:
        raise OptionError("the host of the pages is unknown: give --site-host")
    threads = [each for each in pages if each.posts]
    posts = _post_selectors(threads) if len(threads) * 2 > len(pages) else {}
    content = _content(pages, posts.get("post"))
    if not content and not posts:
        raise OptionError("no id, class or element says where the content of these pages is")
    return Rule(
        name or hosts[0],
        hosts,
        _paths(urls),
        content,
        _excluded(pages, [*content, *filter(None, [posts.get("post")])]),
        _title(pages),
        **posts,
        pages=tuple(each.name for each in pages if each.name),
    )


def _content(pages: Sequence[RulePage], post: str | None) -> tuple[str, ...]:
    """Return the selectors of the content; that of a thread is what is outside of its posts."""
    truths = []
    for each in pages:
        truth = each.selected.copy()
        for start, stop in each.ranges([post]) if post else ():
            truth[start:stop] = False
        truths.append(truth)
    total = sum(int(each.chars(each.selected)[-1]) for each in pages)
    outside = sum(int(each.chars(truth)[-1]) for each, truth in zip(pages, truths, strict=True))
    if post and outside < total * _MIN_OUTSIDE_SHARE:
        return ()
    chosen: list[str] = []
    best = _MIN_F1 - _MIN_GAIN
    while len(chosen) < _MAX_SELECTORS:
        found = _best(pages, truths, chosen)
        if found is None or found[0] < best + _MIN_GAIN:
            break
        best = found[0]
        chosen.append(found[1])
    return tuple(chosen)


def _best(pages: Sequence[RulePage], truths: Sequence[Bools], chosen: Sequence[str]) -> tuple[float, str] | None:
    """Return the selector that adds most to those that were chosen, with the F1 of all of them."""
    sums = [each.chars(truth) for each, truth in zip(pages, truths, strict=True)]
    scores: defaultdict[str, float] = defaultdict(float)
    for each, right in zip(pages, sums, strict=True):
        for label in each.labels:
            ranges = each.ranges([*chosen, label])
            matched, hits = _chars_in(each.shown, ranges), _chars_in(right, ranges)
            scores[label] += 2 * hits / (matched + int(right[-1])) if hits else 0
    # Of equals, the name that is easier to read: an id before a class, a short one before a long one.
    best = max(scores, key=lambda label: (round(scores[label], 6), label.startswith("#"), -len(label)), default=None)
    return None if best is None else (scores[best] / len(pages), best)


def _excluded(pages: Sequence[RulePage], content: Sequence[str]) -> tuple[str, ...]:
    """Return the selectors of what is inside of the content and was not selected on most pages that have it."""
    kept: Counter[str] = Counter()
    left_out: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    total = 0
    for each in pages:
        is_body = each.bodies if len(each.bodies) else np.zeros_like(each.selected)
        ranges, right = each.ranges(content), each.chars(each.selected | is_body)
        total += _chars_in(each.shown, ranges)
        starts, stops = np.array([start for start, _ in ranges]), np.array([stop for _, stop in ranges])
        for label in each.labels:
            inside = [
                (start, stop)
                for start, stop in each.ranges([label])
                if (number := int(np.searchsorted(starts, start, "right")) - 1) >= 0 and stop <= stops[number]
            ]
            kept[label] += _chars_in(right, inside)
            left_out[label] += _chars_in(each.shown, inside)
            seen[label] += bool(inside)
    chosen: list[str] = []
    for label, chars in left_out.most_common():
        if chars < max(1, total * _MIN_EXCLUDED_SHARE) or len(chosen) == _MAX_EXCLUDED:
            break
        is_common = seen[label] * 2 >= len(pages) and label not in content
        if is_common and kept[label] <= chars * _MAX_KEPT_SHARE and _adds(pages, chosen, label):
            chosen.append(label)
    return tuple(chosen)


def _adds(pages: Sequence[RulePage], chosen: Sequence[str], label: str) -> bool:
    """Tell whether a selector matches an element that is not inside of those that were chosen."""
    return any(len(each.ranges([*chosen, label])) > len(each.ranges(chosen)) for each in pages)


def _title(pages: Sequence[RulePage]) -> str:
    """Return the selector whose first element is the title on all pages."""
    counts: Counter[str] = Counter()
    for each in pages:
        title = " ".join((each.title or "").split())
        counts.update(label for label, rows in each.labels.items() if each.page.collapsed_text(rows[0]) == title)
    sure = [label for label, count in counts.items() if count == len(pages)]
    return min(sure, key=lambda label: (label != "h1", len(label)), default="")


def _post_selectors(pages: Sequence[RulePage]) -> dict[str, str]:
    """Return the selectors of posts and of their parts."""
    truths = [{post.row for post in each.posts} for each in pages]
    post = _best_rows(pages, truths)
    if not post:
        return {}
    found = {"post": post}
    for part in ("author", "date"):
        rows = [{getattr(each_post, part) for each_post in each.posts} - {-1} for each in pages]
        selector = _best_rows(pages, rows, within=post)
        if selector:
            found[part] = selector
    body = _best(pages, [each.bodies for each in pages], ())
    if body and body[0] >= _MIN_F1 and body[1] != post:
        found["body"] = body[1]
    return found


def _best_rows(pages: Sequence[RulePage], truths: Sequence[set[int]], within: str | None = None) -> str:
    """Return the selector that matches some rows best; in posts, the smallest elements with one of them each."""
    scores: defaultdict[str, float] = defaultdict(float)
    chars: Counter[str] = Counter()
    for each, truth in zip(pages, truths, strict=True):
        wanted = np.array(sorted(truth), dtype=np.int64)
        starts = np.array([start for start, _ in each.ranges([within])] if within else [], dtype=np.int64)
        for label, found in each.labels.items():
            rows = np.array(found, dtype=np.int64)
            if within:
                before = np.searchsorted(starts, rows) - 1  # the post around or before each
                rows = rows[(before >= 0) & (each.page.end[starts[before]] >= each.page.end[rows])]
            ends = each.page.end[rows]
            hits = len(truth.intersection(found))
            if within:
                hits = int((np.searchsorted(wanted, ends) - np.searchsorted(wanted, rows) == 1).sum())
            scores[label] += 2 * hits / (len(rows) + len(truth)) if hits else 0
            chars[label] += int((each.shown[ends] - each.shown[rows]).sum())
    if within:  # a byline is short; without such a name, the general evidence finds it
        counts = {label: sum(len(each.labels.get(label, ())) for each in pages) for label in scores}
        scores = defaultdict(
            float,
            {label: score for label, score in scores.items() if chars[label] <= _MAX_PART_CHARS * counts[label]},
        )
    best = max(scores.values(), default=0)
    if best < _MIN_F1 * len(pages):
        return ""
    # Elements around the wanted ones match as often as those: the smallest are meant, even if one has another name.
    minimum = best - _MIN_GAIN * len(pages)
    return min((label for label in scores if scores[label] >= minimum), key=lambda label: (chars[label], len(label)))


def _paths(urls: Sequence[str]) -> tuple[str, ...]:
    """Return the pattern of the paths of the pages: what they begin with, folder by folder.

    >>> _paths(["https://a.example/news/1", "https://a.example/news/2/x"]), _paths(["https://a.example/1", ""])
    (('/news/*',), ('*',))
    """
    folders = [(parts.path.split("/")[1:-1] if (parts := split_url(url)) else []) for url in urls]
    shared = []
    for names in zip(*folders, strict=False):
        if len(set(names)) > 1 or any(character.isdigit() for character in names[0]):
            break
        shared.append(names[0])
    return (f"/{'/'.join(shared)}/*",) if shared else ("*",)
