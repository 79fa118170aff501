"""Learn a site: from some of its pages, with or without labels, to a `SiteProfile`."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

import numpy as np

from tamis.errors import OptionError
from tamis.extractors import registry
from tamis.page import Page, parse_page
from tamis.reprs import value_repr
from tamis.sift.extractor import Floats, Sift
from tamis.sift.site import (
    MIN_PAGES,
    BlockKeys,
    SiteProfile,
    SiteSketch,
    block_keys,
    raw_texts,
    sketch_page,
    template_path,
)
from tamis.sites.labels import (
    MAX_MARKED_OFFSET,
    MAX_OFFSET,
    BlockLabels,
    fit_offset,
    labels_from_marks,
    labels_from_text,
)
from tamis.sites.rules import normalize_host, page_host

#: Labelled pages that must have a template before their texts say something about it. One mark is enough.
_MIN_LABELLED: Final = 2
_MAX_NAMES: Final = 200  #: names of pages in a profile
_BEGINS: Final = 60  #: characters of a text that a profile shows


@dataclass(frozen=True, slots=True)
class SitePage:
    """A page to learn from.

    Attributes:
        html: the page.
        url: its URL, if it is known.
        name: its name in the profile.
        content: the text of its content, if somebody labelled it.
        marks: a JSON text of marked blocks (`tamis.sites.labels`), if somebody marked some.
    """

    html: str | bytes
    url: str | None = None
    name: str = ""
    content: str | None = None
    marks: str | None = None
    __repr__ = value_repr


@dataclass(frozen=True, slots=True)
class ScoredPage:
    """A page with the key, the logit and, if it is labelled, the label of each block."""

    page: Page
    keys: BlockKeys
    logits: Floats
    labels: BlockLabels | None = None


def score_page(sift: Sift, page: Page, labels: BlockLabels | None = None) -> ScoredPage:
    """Return a page with the keys and the logits of its blocks."""
    return ScoredPage(page, block_keys(page), sift.block_logits(page), labels)


def read_labels(page: Page, site_page: SitePage) -> BlockLabels | None:
    """Return the labels of the blocks of a page: its marks, else those of its content; None without labels."""
    if site_page.marks is not None:
        return labels_from_marks(page, site_page.marks, _marks_name(site_page))
    return labels_from_text(page, site_page.content) if site_page.content is not None else None


class SiteLearner:
    """Learns one site, page by page. Pages are not kept.

    Args:
        extractor: the extractor that uses the profile: sift, or another one of its kind.
    """

    def __init__(self, extractor: str = "sift") -> None:
        method = registry.get(extractor)
        if not isinstance(method, Sift):
            raise OptionError(f"a site is learned for sift or sift-open, not for {extractor}")
        self._sift = method
        self._sketch = SiteSketch()
        self._hosts: Counter[str] = Counter()
        self._names: list[str] = []
        self._begins: dict[int, str] = {}
        self._paths: dict[int, str] = {}
        self._labelled: list[tuple[BlockKeys, Floats, BlockLabels]] = []

    @property
    def hosts(self) -> Counter[str]:
        """The number of pages of each host."""
        return self._hosts

    @property
    def is_enough(self) -> bool:
        """Whether something can be learned: enough pages, or a labelled one."""
        return self._sketch.pages >= MIN_PAGES or bool(self._labelled)

    def add(self, site_page: SitePage) -> None:
        """Learn from a page."""
        page = parse_page(site_page.html)
        self.add_scored(score_page(self._sift, page, read_labels(page, site_page)), site_page.url, site_page.name)

    def add_scored(self, scored: "ScoredPage", url: str | None = None, name: str = "") -> None:
        """Learn from a page whose blocks have keys and logits."""
        page, keys, logits, labels = scored.page, scored.keys, scored.logits, scored.labels
        if not len(logits):
            return
        self._hosts[page_host(page, url)] += 1
        counted = self._sketch.add(sketch_page(keys, logits))
        if labels is not None:
            self._labelled.append((keys, logits, labels))
        if not counted and labels is None:
            return
        self._names.append(name)
        for key, text in zip(keys.text.tolist(), raw_texts(page), strict=True):
            if key in self._sketch.texts:
                self._begins.setdefault(key, " ".join(text[: 4 * _BEGINS].split())[:_BEGINS])
        for block, key in enumerate(keys.template.tolist()):
            if key not in self._paths and (labels is not None or key in self._sketch.templates):
                self._paths[key] = template_path(page, block)
        self._begins = {key: text for key, text in self._begins.items() if key in self._sketch.texts}

    def profile(self, host: str | None = None, date: str | None = None) -> SiteProfile:
        """Return the profile of the site.

        Without `host`, its host is that of most pages; without `date`, its day is today.

        Raises:
            OptionError: there are too few pages to learn from.
        """
        if not self.is_enough:
            pages = self._sketch.pages
            raise OptionError(
                f"a site is learned from {MIN_PAGES} different pages, or from labelled ones; got {pages}"
            )
        named = [name for name, _ in self._hosts.most_common() if name]
        profile = SiteProfile.from_sketch(
            normalize_host(host or (named[0] if named else "")),
            self._sketch,
            begins=self._begins,
            paths=self._paths,
            date=datetime.now(UTC).date().isoformat() if date is None else date,
            extractor=self._sift.name,
            page_names=tuple(name for name in self._names if name)[:_MAX_NAMES],
        )
        return self._with_labels(profile) if self._labelled else profile

    def _with_labels(self, profile: SiteProfile) -> SiteProfile:
        """Return a profile with what the labelled pages say: texts that are content, and an offset for templates."""
        content_texts = _content_texts(self._labelled)
        texts = {key: value for key, value in profile.texts.items() if key not in content_texts}
        by_text = SiteProfile(profile.host, profile.pages, texts=texts)
        parts: dict[int, list[tuple[int, float, float, float]]] = {}
        marked: set[int] = set()
        for number, (keys, logits, labels) in enumerate(self._labelled):
            shifted = logits + by_text.shifts(keys)
            for block in np.flatnonzero(labels.weight).tolist():
                key = int(keys.template[block])
                entry = number, float(shifted[block]), float(labels.content[block]), float(labels.weight[block])
                parts.setdefault(key, []).append(entry)
                if labels.is_marked:
                    marked.add(key)
        offsets = {}
        for key, entries in parts.items():
            pages = len({number for number, *_ in entries})
            if pages >= _MIN_LABELLED or key in marked:
                limit = MAX_MARKED_OFFSET if key in marked else MAX_OFFSET
                _, logits, content, weight = (
                    np.array(column, dtype=np.float64) for column in zip(*entries, strict=True)
                )
                offsets[key] = pages, fit_offset(logits, content, weight, limit), self._paths.get(key, "")
        return SiteProfile(
            profile.host, profile.pages, profile.date, profile.extractor, profile.page_names,
            texts, profile.templates, offsets,
        )  # fmt: skip


def _marks_name(site_page: SitePage) -> str:
    return f"the file of marks beside {site_page.name}" if site_page.name else "the marks"


def _content_texts(labelled: list[tuple[BlockKeys, Floats, BlockLabels]]) -> set[int]:
    """Return the texts that most labels call content."""
    votes: dict[int, float] = {}
    for keys, _, labels in labelled:
        for key, content, weight in zip(keys.text.tolist(), labels.content, labels.weight, strict=True):
            votes[key] = votes.get(key, 0.0) + float((content - 0.5) * weight)
    return {key for key, vote in votes.items() if vote > 0}


def learn_site(
    pages: Iterable[SitePage], *, host: str | None = None, extractor: str = "sift", date: str | None = None
) -> SiteProfile:
    """Learn a site from some of its pages: which blocks repeat, and what labels say about its templates.

    Args:
        pages: pages of one host. Four or more different ones, or labelled ones.
        host: the site's host; None for the one that most pages have or declare.
        extractor: the extractor that will use the profile: ``"sift"`` or ``"sift-open"``.
        date: the day of the profile, as YYYY-MM-DD; None for today.

    >>> html = "<ul><li>Home<li>About us<li>Contact</ul><p>{0} is a fine drink, and {0} is what we drink at four.</p>"
    >>> pages = [SitePage(html.format(drink)) for drink in ("Tea", "Milk", "Cocoa", "Juice", "Water")]
    >>> profile = learn_site(pages, host="example.org")
    >>> sorted(begins for _, begins in profile.texts.values())
    ['About us', 'Contact', 'Home']

    Raises:
        OptionError: there are too few pages, or a label is invalid.
    """
    learner = SiteLearner(extractor)
    for page in pages:
        learner.add(page)
    return learner.profile(host, date)
