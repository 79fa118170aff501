"""The quick look at a selection must never miss what a detector would find."""

from pathlib import Path

import numpy as np
import pytest

import tamis
from tamis.document.detectors.code import find_code_blocks
from tamis.document.detectors.formulas.find import content_formulas
from tamis.document.detectors.notes.find import find_notes
from tamis.document.detectors.table import DETECTORS
from tamis.document.detectors.text import Clues, find_anchors, find_clues, protected_emails
from tamis.page import parse_page
from tests.sampling import sampled

TESTS = Path(__file__).parents[1]
SIGNS = next(detector for detector in DETECTORS if detector.name == "anchors")
PAGES = sorted([*(TESTS / "structure").rglob("page.html"), *(TESTS / "pages").rglob("page.html")])


def selections(page):
    """Yield what several extractors select, and each third of the page."""
    for name in ("sift", "body", "cectd"):
        yield tamis.extract(page, extractor=name).selection.mask
    rows = np.flatnonzero(page.shown)
    for part in np.array_split(rows, 3):
        mask = np.zeros(len(page), dtype=np.bool_)
        mask[part] = True
        yield mask


@pytest.mark.parametrize("path", sampled(PAGES, 3), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_what_a_detector_finds_has_a_clue(path):
    page = parse_page(path.read_bytes())
    for mask in selections(page):
        clues = find_clues(page, mask)
        code = find_code_blocks(page, mask)
        notes = find_notes(page, mask)
        changed = (notes.kept_with(page, mask) != mask).any()
        assert clues.code or not (code.blocks or any(mask[row] for row in code.dropped))
        assert clues.formulas or not content_formulas(page, mask)
        assert clues.notes or not (notes.embedded or notes.defined or notes.dropped or changed)
        assert clues.emails or not any(mask[row] for row in protected_emails(page))
        assert SIGNS.trigger(page, clues) or not find_anchors(page, mask)


@pytest.mark.parametrize(
    "html",
    [
        "<p>From $5 to $6, or 3 + 4 = 7.",
        "<p>Read <a href='#chapter'>the second chapter of the book</a>.",
        "<p class=noteworthy>The 21<sup>st</sup> century.",
        "<ul><li>1<li>2<li>3</ul>",
        "<nav><code>x</code><math><mi>y</mi></math></nav><p>A paragraph of plain text.</p>",
    ],
)
def test_plain_text_has_no_clue(html):
    page = parse_page(html)
    rows = page.shown & (page.nonspace != 1) if "<nav" in html else page.shown
    assert find_clues(page, rows) == Clues()


def test_a_button_in_a_heading_is_found_on_a_page_without_other_signs():
    html = "<h2>Installing the kettle <button>Copy link</button></h2><p>Fill it with water.</p>"
    assert tamis.extract(html, extractor="body").text == "Installing the kettle\n\nFill it with water."
