"""The table of detectors: its order, and what each may do with words."""

import pytest

import tamis
from tamis.document.detectors import table
from tamis.document.detectors.table import DETECTORS, Effect
from tamis.page import parse_page
from tamis.render import text

PAGE = """
<h2 id=tea>Tea <a href="#tea">¶</a></h2><p>Water<sup><a id=r href="#n">1</a></sup> and \\(x^2\\).
</p><div><div class=code-header><span>Python</span><button>Copy</button></div>
<pre><code><i>1</i>a
<i>2</i>b
<i>3</i>c</code></pre></div><ol><li id=n>Cold. <a href="#r">↩</a></ol>
"""


def claims():
    return tamis.extract(PAGE, extractor="body").document.claims


def test_a_detector_comes_after_those_that_it_yields_to():
    names = [detector.name for detector in DETECTORS]
    assert len(set(names)) == len(names)
    for index, detector in enumerate(DETECTORS):
        assert set(detector.yields_to) <= set(names[:index])


def test_a_detector_does_only_what_the_table_says():
    effects = {detector.name: detector.effects for detector in DETECTORS}
    assert {claim.detector for claim in claims()} >= {"anchors", "notes", "formulas", "code"}
    assert all(claim.effect in effects[claim.detector] for claim in claims())


def test_deleted_words_have_a_reason_with_a_name():
    page = parse_page(PAGE)
    deleted = {}
    for claim in claims():
        if claim.effect is Effect.DELETE:
            texts = (page.row_text(row) for row in range(claim.first, claim.stop) if page.is_text[row])
            deleted.setdefault(claim.evidence, []).extend(text for text in texts if text.strip())
    assert deleted["line number"] == ["1", "2", "3"]
    assert deleted["permalink"] == ["¶"]


def test_claims_on_formulas_and_notes_say_what_the_page_has_of_them():
    page = (
        "<p>Here <math><mi>x</mi></math>, <img class=latex alt='y^{2}'>, <span class=katex><b>z</b></span> and "
        r"\(w\).<script src=/mathjax/tex-chtml.js></script></p>"
        "<p>Tea[1] is green[2].</p><p>[1] Cold.</p><p>[2] Hot.</p>"
    )
    found = tamis.extract(page, extractor="body").document.claims
    evidence = {claim.evidence for claim in found if claim.detector in {"formulas", "notes"}}
    assert evidence == {
        *("formula: MathML", "formula: picture", "formula: drawn signs", "formula in text: TeX"),
        *("note mark", "note without links"),
    }


def test_every_rewrite_of_plain_text_is_that_of_a_detector():
    assert set(text._REWRITES) <= {detector.name for detector in DETECTORS if detector.in_text}


def _dropping(monkeypatch, effect, *, in_text=True):
    """Add a detector that claims each ``b`` to the table."""

    def find(found):
        return found.subtrees("bold", effect, found.page.rows_of("b").tolist(), "a test")

    detector = table.Detector("bold", effect, lambda page, _: bool(page.tag_count("b")), find, in_text=in_text)
    for module in (table, text):
        monkeypatch.setattr(module, "DETECTORS", (*DETECTORS, detector))


def test_plain_text_lacks_what_a_detector_deletes_without_another_declaration(monkeypatch):
    _dropping(monkeypatch, Effect.DELETE)
    page = parse_page("<p>Boil the <b>hot </b>water.</p>")
    rows = text.direct_rows(page, page.is_text)
    assert text.selected_text(page, rows) == "Boil the water."


@pytest.mark.parametrize("effect", [Effect.REPLACE, Effect.MOVE, Effect.ADD])
def test_plain_text_is_that_of_the_document_where_a_detector_does_more_than_delete(monkeypatch, effect):
    _dropping(monkeypatch, effect)
    page = parse_page("<p>Boil the <b>hot </b>water.</p>")
    assert text.direct_rows(page, page.is_text) is None


def test_plain_text_is_that_of_the_rows_where_a_detector_only_marks(monkeypatch):
    page = parse_page("<p>Boil the <b>hot </b>water.</p>")
    _dropping(monkeypatch, Effect.MARK)
    assert text.direct_rows(page, page.is_text).mask is page.is_text
    _dropping(monkeypatch, Effect.ADD, in_text=False)
    assert text.direct_rows(page, page.is_text).mask is page.is_text


def test_a_detector_is_left_out_where_its_trigger_does_not_hold(monkeypatch):
    asked = []

    def follow(detector, _found, rows):
        asked.append(detector.name)
        return rows

    monkeypatch.setattr(text, "_written_rows", follow)
    page = parse_page("<p>Boil the water, and wait.</p>")
    assert text.direct_rows(page, page.is_text).mask is page.is_text
    assert asked == []
    page = parse_page(PAGE)
    text.direct_rows(page, page.is_text)
    assert asked == ["anchors", "notes", "formulas", "code"]
