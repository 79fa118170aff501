"""Pages with long text that nobody sees: what the paper reports for BBC and Yahoo, on pages of our own."""

from pathlib import Path

import pytest

from tamis.evaluate import metrics
from tamis.evaluate.corpora import open_corpus
from tamis.evaluate.tools import open_tool

PAGES = list(open_corpus(Path(__file__).parent / "pages"))


@pytest.mark.parametrize("labelled", PAGES, ids=lambda page: page.id)
def test_hidden_text_is_left_out_when_boxes_are_looked_at(chromium, labelled):  # noqa: ARG001
    by_text = metrics.lcs(open_tool("cectd").text(labelled.html), labelled.gold)
    by_boxes = metrics.lcs(open_tool("cehtd").text(labelled.html), labelled.gold)
    assert by_text.precision < 0.5
    assert by_boxes.precision > 0.95
    assert by_boxes.recall > 0.95
    chosen = metrics.lcs(open_tool("cetd-auto").text(labelled.html), labelled.gold)
    assert chosen.f1 > 0.95  # no script will ever show what is hidden there, so boxes are believed
    text = open_tool("cehtd").text(labelled.html)
    assert all(piece in text for piece in labelled.required)
    assert not any(piece in text for piece in labelled.forbidden)
