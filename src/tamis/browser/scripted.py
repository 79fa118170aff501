"""Pages that scripts build: which ones are worth a browser, and whether it helped.

The command, the batch and the service all decide by `needs_browser` and `is_better`.
"""

from dataclasses import dataclass
from typing import Final, Self

from tamis.api import Extraction
from tamis.page import Page

#: Pages below this confidence, which is the expected F1, may be rendered.
MIN_CONFIDENCE: Final = 0.5
#: A page with scripts and fewer visible characters than these has its content from elsewhere: a paragraph has more.
_FEW_CHARACTERS: Final = 300
#: Elements that frameworks fill: React and Vue by their guides, Next, Nuxt, Gatsby, Angular, Ember, Docusaurus.
_MOUNT_IDS: Final = frozenset({
    "app", "root", "react-root", "app-root", "main-app", "__next", "__nuxt", "___gatsby", "__docusaurus",
    "ember-application", "svelte", "vue-app", "spa-root",
})  # fmt: skip
_SCRIPT_TYPES: Final = frozenset({"", "module", "text/javascript", "application/javascript", "text/babel"})


def needs_browser(extraction: Extraction) -> bool:
    """Return whether a page shows next to nothing or has low confidence, and scripts build it.

    >>> from tamis import extract
    >>> needs_browser(extract("<div id=app></div><script src=/app.js></script>"))
    True
    >>> needs_browser(extract("<p></p>")), needs_browser(extract("<p>A page of words, and of no scripts.</p>"))
    (False, False)
    """
    if extraction.page.binary_type is not None:
        return False
    confidence = extraction.confidence
    is_weak = _selected_characters(extraction) < _FEW_CHARACTERS or (
        confidence is not None and confidence < MIN_CONFIDENCE
    )
    return is_weak and is_script_built(extraction.page)


def _selected_characters(extraction: Extraction) -> int:
    """Return the characters of the page that were selected; what metadata stand in for is not on the page."""
    return int((extraction.page.nonspace * extraction.selection.mask).sum())


def is_script_built(page: Page) -> bool:
    """Return whether a page leaves its content to scripts.

    It has scripts, and it shows next to nothing, has an empty element that a framework fills, or says that it needs
    JavaScript.
    """
    types = page.attribute("type")
    scripts = page.rows_of("script").tolist()
    if not any(types.get(row, "").strip().lower() in _SCRIPT_TYPES for row in scripts):
        return False
    shown = page.nonspace * page.shown
    if int(shown.sum()) < _FEW_CHARACTERS:
        return True
    mounts = [row for row, name in page.attribute("id").items() if name.lower() in _MOUNT_IDS]
    if any(not shown[row : page.end[row]].any() for row in mounts):
        return True
    return any("javascript" in page.row_text(row).lower() for row in page.rows_of("noscript").tolist())


@dataclass(frozen=True, slots=True)
class Measure:
    """What an extraction found, as far as `is_better` compares it."""

    characters: int
    confidence: float | None

    @classmethod
    def of(cls, extraction: Extraction) -> Self:
        """Return the measure of an extraction."""
        return cls(_selected_characters(extraction), extraction.confidence)


def is_better(rendered: Measure, served: Measure) -> bool:
    """Return whether a page has more content after its scripts ran, and content that can be trusted as before.

    >>> is_better(Measure(900, 0.8), Measure(10, 0.2)), is_better(Measure(900, 0.1), Measure(800, 0.7))
    (True, False)
    """
    if rendered.characters <= served.characters:
        return False
    trusted = min(MIN_CONFIDENCE, served.confidence or 0.0)
    return rendered.confidence is None or rendered.confidence >= trusted
