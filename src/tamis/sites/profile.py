"""`SiteProfile`: what was learned about a site, as evidence for sift and as a small file."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date as Date  # noqa: N812 (a type, beside the attribute of that name)
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tamis.errors import OptionError
from tamis.page import Page
from tamis.sites.block_keys import BlockKeys, Hashes, block_keys
from tamis.sites.sketch import SiteSketch

Floats = npt.NDArray[np.float64]

FORMAT: Final = "tamis site 1"
# The constants below were chosen on the hosts of docs/sites.md, which has the sweep.
#: Pages of a site that must be known before anything counts as repeated.
MIN_PAGES: Final = 4
#: The share of the pages that a text or a template must be on.
MIN_SHARE: Final = 2 / 3
#: The logits that repeated text loses.
TEXT_PENALTY: Final = 5.0
#: Blocks on each side that are looked at: repeated text is boilerplate if most of the words around it repeat, too. A
#: label between values that differ is content.
NEIGHBOURS: Final = 2
MIN_NEIGHBOUR_SHARE: Final = 0.5
#: Templates whose mean logit is lower are boilerplate, whatever text they have. None loses more than the penalty.
MAX_TEMPLATE_LOGIT: Final = -5.0
#: Below this share of known texts and templates, a page does not look like the site that was learned.
MIN_FAMILIAR: Final = 0.2
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
        adjusted = logits + self.shifts(keys)
        before, after = (float((size / (1 + np.exp(-np.clip(each, -30, 30)))).sum()) for each in (logits, adjusted))
        if after < MIN_LEFT * before:
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
            least = MIN_SHARE * sketch.pages
            texts = {key: (n, (begins or {}).get(key, "")) for key, n in sketch.texts.items() if n >= least}
            templates = {
                key: (n, total / n, (paths or {}).get(key, ""))
                for key, (n, total) in sketch.templates.items()
                if n >= least
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
