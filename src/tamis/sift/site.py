"""The evidence of a site: keys of its blocks, counts of them, and `SiteProfile`, which shifts logits."""

import json
import math
from collections.abc import Mapping
from dataclasses import field
from datetime import date as Date  # noqa: N812 (a type, beside the attribute of that name)
from functools import cached_property
from hashlib import blake2b
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tamis._core.choice import SHORT_PAGE
from tamis.errors import OptionError
from tamis.html import tags
from tamis.lazy import dataclass, lazy_pattern
from tamis.page import Page

# Keys of blocks: what makes two blocks of different pages of a site the same text, or the same template.

_DIGITS: Final = lazy_pattern(r"\d+")
#: Their classes identify the page, not the layout (``page-id-123``).
_PAGE_TAGS: Final = tags.tag_mask("html body")
_PATH_LEVELS: Final = 5  #: elements of a path that is written for people

Hashes = npt.NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class BlockKeys:
    """The keys of the blocks of a page, in document order.

    Attributes:
        text: a hash of each block's text, without regard to case and white space.
        template: a hash of the tags and classes from the root down to the block's container.
        words: the number of words of each block.
    """

    text: Hashes
    template: Hashes
    words: npt.NDArray[np.int64]


def block_keys(page: Page) -> BlockKeys:
    """Return the keys of a page's blocks. Numbers in class names do not count (``post-17``).

    >>> from tamis.page import parse_page
    >>> first = block_keys(parse_page("<div class=post-1><p>One.</p></div><div class=post-2><p>ONE.</p></div>"))
    >>> first.text[0] == first.text[1], first.template[0] == first.template[1]
    (np.True_, np.True_)
    """
    texts = [" ".join(text.lower().split()) for text in raw_texts(page)]
    text = [text_key(each) for each in texts]
    return BlockKeys(
        np.array(text, dtype=np.uint64),
        np.array(_templates(page), dtype=np.uint64),
        np.array([len(each.split()) for each in texts], dtype=np.int64),
    )


def raw_texts(page: Page) -> list[str]:
    """Return the text of each block as the page has it."""
    start, stop = page.offset[page.blocks.start].tolist(), page.offset[page.blocks.stop].tolist()
    return [page.text[a:b] for a, b in zip(start, stop, strict=True)]


def text_key(text: str) -> int:
    """Return the key of a text."""
    return _hash(" ".join(text.lower().split()))


def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "replace"), digest_size=8).digest(), "little")


def element_name(page: Page, row: int, class_name: str) -> str:
    """Return the tag and the classes of an element as a CSS selector, without numbers."""
    if _PAGE_TAGS[page.tag[row]]:
        return page.tag_name(row)
    names = sorted({_DIGITS.sub("#", name) for name in class_name.split()})
    return ".".join([page.tag_name(row), *names])


def _templates(page: Page) -> list[int]:
    """Return the hash of each block's template. Each element is looked at once, whatever its depth."""
    ids, _ = page.class_ids
    classes = page.attribute("class")
    parents, tag_ids, class_ids = page.parent.tolist(), page.tag.tolist(), ids.tolist()
    known: dict[int, int] = {-1: 0, 0: 0}  # the hash of each element
    hash_of: dict[tuple[int, int, int], int] = {}
    out = []
    for container in page.blocks.container.tolist():
        chain = []
        row = container
        while row not in known:
            chain.append(row)
            row = parents[row]
        above = known[row]
        for each in reversed(chain):
            key = (above, tag_ids[each], class_ids[each])
            if key not in hash_of:
                hash_of[key] = _hash(f"{above:x} {element_name(page, each, classes.get(each, ''))}")
            above = known[each] = hash_of[key]
        out.append(above)
    return out


def template_path(page: Page, block: int) -> str:
    """Return the innermost elements of a block's template, for people.

    >>> from tamis.page import parse_page
    >>> template_path(parse_page("<div class='menu top-2'><ul><li>Home"), 0)
    'html > body > div.menu.top-# > ul > li'
    """
    classes = page.attribute("class")
    row = int(page.blocks.container[block])
    names: list[str] = []
    while row > 0 and len(names) < _PATH_LEVELS:
        names.append(element_name(page, row, classes.get(row, "")))
        row = int(page.parent[row])
    return " > ".join(reversed(names))


# Sketches: what pages say about their site, counted in bounded memory. They hold hashes, no text.

#: Pages of one site that are counted: more say nothing new about what is on two thirds of them.
MAX_PAGES: Final = 64
#: After each of these numbers of pages, keys on less than a third of them are forgotten: at most three times the
#: blocks of a page are left.
_PRUNE_AT: Final = frozenset({6, 12, 24, 48})
_PRUNE_SHARE: Final = 1 / 3
_MAX_BLOCKS: Final = 4000  #: of one page that are counted


@dataclass(frozen=True, slots=True)
class PageSketch:
    """What a page says about its site.

    Attributes:
        texts: the hashes of its texts, each once.
        templates: the hashes of its templates, each once.
        logits: the mean logit of the blocks of each template, weighted by words.
        content: a hash of the texts that are likely content. Pages with the same one are copies, and count once.
    """

    texts: Hashes
    templates: Hashes
    logits: npt.NDArray[np.float32]
    content: int


def sketch_page(keys: BlockKeys, logits: npt.NDArray[np.float64]) -> PageSketch:
    """Return the sketch of a page: its keys, and the logit of each block."""
    text, template = keys.text[:_MAX_BLOCKS], keys.template[:_MAX_BLOCKS]
    weight = keys.words[:_MAX_BLOCKS] + 1.0
    templates, index = np.unique(template, return_inverse=True)
    # Logits far from 0 say no more than "certain": without a limit, one block would decide for its template.
    limited = np.clip(logits[:_MAX_BLOCKS], -8.0, 8.0)
    sums = np.bincount(index, weight * limited, len(templates))
    mean = sums / np.maximum(np.bincount(index, weight, len(templates)), 1.0)
    likely = np.unique(text[logits[:_MAX_BLOCKS] > 0])
    content = hash(tuple(likely.tolist()))  # of numbers: the same in every process
    return PageSketch(np.unique(text), templates, mean.astype(np.float32), content)


@dataclass(slots=True)
class SiteSketch:
    """The counts of the pages of one site.

    Attributes:
        pages: the number of pages that were counted.
        texts: the number of pages with each text.
        templates: the number of pages with each template, and the sum of its mean logits.
    """

    pages: int = 0
    texts: dict[int, int] = field(default_factory=dict)
    templates: dict[int, tuple[int, float]] = field(default_factory=dict)
    _contents: set[int] = field(default_factory=set)

    def __len__(self) -> int:
        """Return the number of keys: what the sketch costs."""
        return len(self.texts) + len(self.templates)

    def add(self, sketch: PageSketch) -> bool:
        """Count a page, unless enough pages or a copy of it were counted; return whether it was."""
        if self.pages >= MAX_PAGES or sketch.content in self._contents:
            return False
        self.pages += 1
        self._contents.add(sketch.content)
        for key in sketch.texts.tolist():
            self.texts[key] = self.texts.get(key, 0) + 1
        for key, logit in zip(sketch.templates.tolist(), sketch.logits.tolist(), strict=True):
            count, total = self.templates.get(key, (0, 0.0))
            self.templates[key] = count + 1, total + logit
        if self.pages in _PRUNE_AT:
            minimum = self.pages * _PRUNE_SHARE
            self.texts = {key: count for key, count in self.texts.items() if count >= minimum}
            self.templates = {key: value for key, value in self.templates.items() if value[0] >= minimum}
        return True


class CrawlSketches:
    """The sketches of the sites of a crawl, in bounded memory.

    Args:
        max_keys: the number of keys of all sites together. Beyond it, the sites with the fewest pages are forgotten:
            their pages are decided as without sketches.

    >>> import numpy as np
    >>> sketches = CrawlSketches(max_keys=2)
    >>> for host, text in (("a.org", 1), ("a.org", 2), ("b.org", 3), ("c.org", 4)):
    ...     array = np.array([text], dtype=np.uint64)
    ...     sketches.add(host, PageSketch(array, array[:0], np.zeros(0, dtype=np.float32), text))
    >>> sorted(sketches.sites)
    ['a.org']
    """

    def __init__(self, max_keys: int = 10_000_000) -> None:
        self.sites: dict[str, SiteSketch] = {}
        self._max_keys = max_keys
        self._keys = 0

    def add(self, host: str, sketch: PageSketch) -> None:
        """Count a page of a host."""
        site = self.sites.setdefault(host, SiteSketch())
        before = len(site)
        site.add(sketch)
        self._keys += len(site) - before
        if self._keys > self._max_keys:
            self._forget()

    def _forget(self) -> None:
        """Forget sites with the fewest pages, until half of the room is free or one site is left."""
        for host in sorted(self.sites, key=lambda name: (self.sites[name].pages, name))[:-1]:
            self._keys -= len(self.sites.pop(host))
            if self._keys <= self._max_keys // 2:
                break


# `SiteProfile`: what was learned about a site, as evidence for sift and as a small file.

Floats = npt.NDArray[np.float64]

FORMAT: Final = "tamis site 1"
# The constants below were chosen on the hosts of docs/lab/sites.md, which has the sweep.
#: Pages of a site that must be known before anything counts as repeated.
MIN_PAGES: Final = 4
#: The share of the pages that a text or a template must be on.
MIN_SHARE: Final = 2 / 3
#: The logits that repeated text loses.
TEXT_PENALTY: Final = 5.0
#: Blocks on each side that are looked at: repeated text is boilerplate if most of the words around it also repeat. A
#: label between values that differ is content.
NEIGHBOURS: Final = 2
MIN_NEIGHBOUR_SHARE: Final = 0.5
#: Templates whose mean logit is lower are boilerplate, whatever text they have. None loses more than the penalty.
MAX_TEMPLATE_LOGIT: Final = -5.0
#: Below this share of known texts and templates, a page does not look like the site that was learned.
MIN_FAMILIAR: Final = 0.2
#: The most that the networks count for on a short page, where they take everything for content.
_SHORT_PAGE_LOGIT: Final = 1.0
#: If less than this share of the expected content is left, the pages that were learned from have the same content.
MIN_LEFT: Final = 0.05
_HASHES: Final = 1 << 64  #: the number of hashes
_MAX_LISTED: Final = 400  #: texts, and templates, in a profile


@dataclass(frozen=True)
class SiteProfile:
    """What was learned about a site.

    Attributes:
        host: the site's host, without ``www.``.
        pages: the number of pages that were learned from.
        date: the day it was learned, as YYYY-MM-DD.
        extractor: the extractor whose logits were seen.
        page_names: the names of the pages.
        texts: the texts that are on most pages: the hash of each, the number of pages, and how it begins.
        templates: the templates that are on most pages: the hash, the number of pages, the mean logit, and the path.
        offsets: templates that labelled pages say something about: the hash, the number of labelled pages, the logits
            to add, and the path.
    """

    host: str
    pages: int
    date: str = ""
    extractor: str = "sift"
    page_names: tuple[str, ...] = ()
    texts: Mapping[int, tuple[int, str]] = field(default_factory=dict)
    templates: Mapping[int, tuple[int, float, str]] = field(default_factory=dict)
    offsets: Mapping[int, tuple[int, float, str]] = field(default_factory=dict)

    @cached_property
    def _text_keys(self) -> Hashes:
        return np.array(sorted(self.texts), dtype=np.uint64)

    @cached_property
    def _template_keys(self) -> Hashes:
        return np.array(sorted(self.templates), dtype=np.uint64)

    def familiarity(self, keys: BlockKeys) -> float:
        """Return the share of the profile's texts and templates that a page has; 1 for a profile without any."""
        known = len(self._text_keys) + len(self._template_keys)
        if not known:
            return 1.0
        found = np.isin(self._text_keys, keys.text).sum() + np.isin(self._template_keys, keys.template).sum()
        return float(found / known)

    def shifts(self, keys: BlockKeys) -> Floats:
        """Return the logits to add to each block."""
        repeated = np.isin(keys.text, self._text_keys)
        _, index, count = np.unique(keys.text, return_inverse=True, return_counts=True)
        # Text that a page has several times is a label of its records, not a part of the frame around them.
        once = repeated & (count[index] == 1)
        out = -TEXT_PENALTY * once * _neighbour_share(repeated, keys.words.astype(np.float64) + 1.0)
        templates = {key: logit for key, (_, logit, _) in self.templates.items() if logit <= MAX_TEMPLATE_LOGIT}
        by_template = {key: max(logit, -TEXT_PENALTY) for key, logit in templates.items()}
        labelled = {key: offset for key, (_, offset, _) in self.offsets.items()}
        if by_template or labelled:
            names = keys.template.tolist()
            out += np.array([labelled[key] if key in labelled else by_template.get(key, 0.0) for key in names])
        return np.asarray(out)

    def adjust(self, page: Page, size: Floats, logits: Floats) -> tuple[Floats, str | None]:
        """Return the logits of a page's blocks with the evidence of its site, and a warning if it was left out.

        Args:
            page: the page.
            size: the size of each block, as sift measures it.
            logits: of each block; above 0 is likely content.
        """
        keys = block_keys(page)
        familiar = self.familiarity(keys)
        if familiar < MIN_FAMILIAR:
            return logits, (
                f"the site has changed since {self.date or 'it was learned'}: the page has {familiar:.0%} of what "
                f"the profile of {self.host} knows; the profile was not used"
            )
        shifts = self.shifts(keys)
        is_short = float(size.sum()) < SHORT_PAGE
        if is_short:  # the evidence of the site outweighs that it is alone on the page
            adjusted = np.where(shifts < 0, np.minimum(logits, _SHORT_PAGE_LOGIT), logits) + shifts
        else:
            adjusted = logits + shifts
        before, after = (float((size / (1 + np.exp(-np.clip(each, -30, 30)))).sum()) for each in (logits, adjusted))
        if after < (2 * MIN_LEFT if is_short else MIN_LEFT) * before:  # one line is more of a short page
            return logits, (
                f"the content of this page is on most pages that the profile of {self.host} was learned from; the "
                "profile was not used"
            )
        return adjusted, None

    def as_json(self) -> str:
        """Return the profile as the text of a file."""
        content = {
            "format": FORMAT,
            "extractor": self.extractor,
            "host": self.host,
            "date": self.date,
            "pages": self.pages,
            "page_names": list(self.page_names),
            "texts": [
                {"hash": f"{key:016x}", "pages": pages, "begins": begins}
                for key, (pages, begins) in _most_frequent(self.texts)
            ],
            "templates": [
                {"hash": f"{key:016x}", "pages": pages, "logit": round(logit, 2), "path": path}
                for key, (pages, logit, path) in _most_frequent(self.templates)
            ],
            "offsets": [
                {"hash": f"{key:016x}", "pages": pages, "logits": round(logits, 2), "path": path}
                for key, (pages, logits, path) in _most_frequent(self.offsets)
            ],
        }
        # One line per entry: readable, and a version control shows what changed.
        lines = []
        for name, value in content.items():
            if isinstance(value, list) and value:
                entries = ",\n  ".join(json.dumps(each, ensure_ascii=False) for each in value)
                lines.append(f'"{name}": [\n  {entries}\n ]')
            else:
                lines.append(f'"{name}": {json.dumps(value, ensure_ascii=False)}')
        return "{\n " + ",\n ".join(lines) + "\n}\n"

    @classmethod
    def from_json(cls, content: Mapping[str, Any], name: str = "the profile") -> "SiteProfile":
        """Return the profile in a JSON object. An `OptionError` says what is wrong with it."""
        if content.get("format") != FORMAT:
            raise OptionError(f"{name} is not a site profile of this version ({FORMAT})")
        try:
            Date.fromisoformat(content["date"] or "2000-01-01")
            return cls(
                host=str(content["host"]),
                pages=int(content["pages"]),
                date=content["date"],
                extractor=str(content["extractor"]),
                page_names=tuple(map(str, content["page_names"])),
                texts={_read_hash(each): (int(each["pages"]), str(each["begins"])) for each in content["texts"]},
                templates={
                    _read_hash(each): (int(each["pages"]), _read_logit(each["logit"]), str(each["path"]))
                    for each in content["templates"]
                },
                offsets={
                    _read_hash(each): (int(each["pages"]), _read_logit(each["logits"]), str(each["path"]))
                    for each in content["offsets"]
                },
            )
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise OptionError(f"{name} is damaged: {type(error).__name__}: {error}") from error

    @classmethod
    def from_sketch(
        cls,
        host: str,
        sketch: SiteSketch,
        *,
        begins: Mapping[int, str] | None = None,
        paths: Mapping[int, str] | None = None,
        date: str = "",
        extractor: str = "sift",
        page_names: tuple[str, ...] = (),
        offsets: Mapping[int, tuple[int, float, str]] | None = None,
    ) -> "SiteProfile":
        """Return the profile of a site whose pages were counted: what is on most of them.

        `begins` and `paths` describe texts and templates for people, by their hash.
        """
        texts: dict[int, tuple[int, str]] = {}
        templates: dict[int, tuple[int, float, str]] = {}
        if sketch.pages >= MIN_PAGES:
            minimum = MIN_SHARE * sketch.pages
            texts = {key: (n, (begins or {}).get(key, "")) for key, n in sketch.texts.items() if n >= minimum}
            templates = {
                key: (n, total / n, (paths or {}).get(key, ""))
                for key, (n, total) in sketch.templates.items()
                if n >= minimum
            }
        return cls(
            host, sketch.pages, date, extractor, page_names,
            dict(_most_frequent(texts)), dict(_most_frequent(templates)), dict(offsets or {}),
        )  # fmt: skip


def _read_hash(entry: Mapping[str, Any]) -> int:
    """Return the hash of an entry. A person may have edited the file: it must fit into the columns of hashes."""
    value = int(entry["hash"], 16)
    if not 0 <= value < _HASHES:
        raise ValueError(f"{entry['hash']!r} is not a hash of 64 bits")
    return value


def _read_logit(value: str | float) -> float:
    logit = float(value)
    if not math.isfinite(logit):
        raise ValueError(f"{value!r} is not a number of logits")
    return logit


def _most_frequent(entries: Mapping[int, Any]) -> list[tuple[int, Any]]:
    """Return entries, those on the most pages first, and not too many."""
    return sorted(entries.items(), key=lambda entry: (-entry[1][0], entry[0]))[:_MAX_LISTED]


def _neighbour_share(repeated: npt.NDArray[np.bool_], weight: Floats) -> Floats:
    """Return how far the share of repeated words around each block is above `MIN_NEIGHBOUR_SHARE`, from 0 to 1."""
    window = np.ones(2 * NEIGHBOURS + 1)
    middle = slice(NEIGHBOURS, NEIGHBOURS + len(weight))
    share = np.convolve(repeated * weight, window)[middle] / np.convolve(weight, window)[middle]
    return np.asarray(np.clip((share - MIN_NEIGHBOUR_SHARE) / (1 - MIN_NEIGHBOUR_SHARE), 0.0, 1.0))
