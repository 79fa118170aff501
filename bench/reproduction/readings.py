"""The readings that are measured: each method as its paper prints it, and as Tamis reads it."""

from dataclasses import dataclass, replace
from typing import Final

from tamis.extractors import registry
from tamis.extractors.registry import Extractor
from tamis.papers.ceds import Ceds
from tamis.papers.cetd import Cectd, Cetd
from tamis.papers.coreex import preset
from tamis.papers.nodechar import NodeChar
from tamis.papers.ridge import Ridge

#: Name in the folder of corpora, name in tables.
CORPORA: Final = {
    "news/2005": "news 2005",
    "news/2009": "news 2009",
    "news/2013": "news 2013",
    "chinese": "Chinese",
    "cleaneval/final": "CleanEval",
    "l3s-gn1": "L3S-GN1",
    "dragnet": "Dragnet",
    "wcxb/dev": "WCXB dev",
}
NEWS: Final = ("news/2005", "news/2009", "news/2013")
#: Corpora on which the learned methods were trained: they do not measure these.
TRAINED_ON: Final = {
    "ridge": frozenset({"wcxb/dev", "dragnet", "l3s-gn1"}),
    "ridge, printed": frozenset({"wcxb/dev", "dragnet", "l3s-gn1"}),
}
BASELINES: Final = ("bte", "ccb", "cetr", "dsc", "fe", "kfe", "lqf", "body")


@dataclass(frozen=True)
class Reading:
    """An extractor that is measured.

    Attributes:
        name: its name in the results.
        extractor: the method with its options.
        everywhere: whether it runs on all corpora, or only where the paper's own table needs it.
    """

    name: str
    extractor: Extractor
    everywhere: bool = True

    @property
    def needs_layout(self) -> bool:
        """Whether Chromium must render the pages."""
        return registry.needs_layout(self.extractor)

    def runs_on(self, corpus: str) -> bool:
        """Return whether the reading is measured on a corpus."""
        needed = self.everywhere or corpus in {*NEWS, "l3s-gn1"}
        return needed and corpus not in TRAINED_ON.get(self.name, frozenset())


def readings() -> list[Reading]:
    """Return all readings."""
    out = [
        Reading("cetd", Cetd()),
        Reading("cetd, one block", Cetd(blocks="one")),
        Reading("cectd", Cectd()),
        Reading("cectd, one block", Cectd(blocks="one")),
        Reading("cectd-s", registry.get("cectd-s")),
        Reading("cehtd", registry.get("cehtd")),
        Reading("vips-leaf", registry.get("vips-leaf")),
        Reading("ceds, printed", Ceds(count="leaves")),
        Reading("ceds", Ceds()),
        Reading("coreex", registry.get("coreex")),
        Reading("nodechar, printed", NodeChar(neighbours="document", galleries=False)),
        Reading("nodechar", NodeChar()),
        Reading("ridge, printed", Ridge(fallback=False)),
        Reading("ridge", Ridge()),
    ]
    out += [Reading(f"coreex-r{number}", preset(number), everywhere=number == 5) for number in range(1, 7)]
    out += [
        Reading(f"coreex-r{number}, scripts", replace(preset(number), script_words=True), everywhere=False)
        for number in range(1, 5)
    ]
    return out + [Reading(name, registry.get(name)) for name in BASELINES]
