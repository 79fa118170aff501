"""Pages with long hidden text, like those the paper reports for BBC and Yahoo!, written by us."""

from pathlib import Path

import pytest

from tamis.lab.evaluate import metrics
from tamis.lab.evaluate.corpora import open_corpus
from tamis.lab.evaluate.tools import open_tool

PAGES = list(open_corpus(Path(__file__).parent / "pages"))


@pytest.mark.parametrize("labelled", PAGES, ids=lambda page: page.id)
def test_visual_extractors_leave_out_hidden_text(chromium, labelled):  # noqa: ARG001
    by_text = metrics.lcs(open_tool("cectd").text(labelled.html), labelled.gold)
    assert by_text.precision < 0.5
    text = open_tool("cehtd").text(labelled.html)
    by_layout = metrics.lcs(text, labelled.gold)
    assert by_layout.precision > 0.95
    assert by_layout.recall > 0.95
    assert all(snippet in text for snippet in labelled.required)
    assert not any(snippet in text for snippet in labelled.forbidden)
