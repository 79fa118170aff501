"""Sketches: what pages say about their site, counted in bounded memory. They hold hashes, no text."""

from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from tamis.sites.block_keys import BlockKeys, Hashes

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
            least = self.pages * _PRUNE_SHARE
            self.texts = {key: count for key, count in self.texts.items() if count >= least}
            self.templates = {key: value for key, value in self.templates.items() if value[0] >= least}
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
