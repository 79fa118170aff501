"""Notes: what is a reference, what is a note, what is kept with the text."""

import numpy as np
import pytest

import tamis
from tamis.document import Footnote
from tamis.document.build import build_document
from tamis.document.detectors.notes.linked import Targets
from tamis.document.detectors.notes.model import Labels, Names
from tamis.page import Page, parse_page
from tamis.render.document_text import render_text
from tamis.render.markdown import render_markdown
from tamis.render.text import direct_rows, selected_text

LINKED = """
<main><p>Tea is old<sup><a href="#n1" id="r1">1</a></sup> and good.</p></main>
<footer><ol class="footnotes"><li id="n1">By legend. <a href="#r1">↩</a></li><li id="n2">Unused.</li></ol></footer>
"""


def markdown(html, url="https://example.org/book/ch02.html"):
    return tamis.extract(html, url, extractor="body").to_markdown(title=False)


def selected(html, *words):
    """Return a page and the mask of the text rows with any of the words."""
    page = parse_page(html)
    mask = [bool(page.is_text[row]) and any(word in page.row_text(row) for word in words) for row in range(len(page))]
    return page, page.shown & np.array(mask)


def test_note_that_kept_text_refers_to_is_kept_with_it():
    page, mask = selected(LINKED, "old", "1", "good")
    text = render_markdown(build_document(page, mask)).text
    assert text == "Tea is old[^1] and good.\n\n[^1]: By legend."
    assert plain_texts(page, mask) == {"Tea is old and good."}  # plain text has what is selected


NOTES = """<ol class=footnotes><li id=n1>By legend, as told in the valley. <a href="#r1">↩</a>
<li id=n2>By trade, as told in the town. <a href="#r2">↩</a></ol>"""


def plain_texts(page, mask):
    """Return what both writers of plain text write: a set of one text, if they agree."""
    rows = direct_rows(page, mask)
    texts = {render_text(build_document(page, mask)).text}
    return texts if rows is None else {*texts, selected_text(page, rows)}


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ('<sup><a href="#n1" id=r1>1</a></sup>', "Tea is old, and good."),
        ('<sup class=reference id=r1><a href="#n1">[1]</a></sup>', "Tea is old, and good."),
        ('<sup id=r1>[<a href="#n1">1</a>]</sup>', "Tea is old, and good."),
        ('<sup><a href="#n1" id=r1>1</a>, <a href="#n2" id=r2>2</a></sup>', "Tea is old, and good."),
        ('<a href="#n1" id=r1><sup>1</sup></a><a href="#n2" id=r2><sup>2</sup></a>', "Tea is old, and good."),
        (' [<a href="#n1" id=r1>1</a>]', "Tea is old , and good."),
        ('<i><sup><a href="#n1" id=r1>1</a></sup></i>', "Tea is old, and good."),
        ("<sup>nd</sup>", "Tea is oldnd, and good."),
    ],
)
def test_plain_text_has_no_references_to_notes_that_were_not_selected(reference, expected):
    html = f"<main><p>Tea is old{reference}, and good.</p></main>{NOTES}"
    page = parse_page(html)
    mask = page.shown.copy()
    mask[page.rows_of("ol")[0] :] = False
    assert plain_texts(page, mask) == {expected}


def test_plain_text_has_selected_notes_and_their_references():
    page = parse_page(f'<main><p>Tea is old<sup><a href="#n1" id=r1>1</a></sup> and good.</p></main>{NOTES}')
    mask = page.shown.copy()
    mask[page.rows_of("li")[1] :] = False
    assert {" ".join(text.split()) for text in plain_texts(page, mask)} == {
        "Tea is old1 and good. By legend, as told in the valley. ↩"
    }


def test_number_of_a_note_alone_is_no_note():
    notes = "<hr><p><sup>1</sup> By legend, as told in the valley.</p>"
    page, mask = selected(f"<p>Tea is old<sup>1</sup> and good.</p>{notes}", "Tea", "1", "good")
    assert plain_texts(page, mask) == {"Tea is old and good."}
    mask = page.shown.copy()
    assert "By legend" in next(iter(plain_texts(page, mask)))


def test_note_without_a_selected_reference_stays_out():
    page, mask = selected(LINKED, "old", "good")
    assert render_markdown(build_document(page, mask)).text == "Tea is old and good."


def test_backlink_that_is_not_selected_is_no_reference():
    html = '<p id="r">Body text of some length.</p><p>More text.</p><div>Note <a href="#r">1</a></div>'
    page, mask = selected(html, "Body", "More")
    assert not any(isinstance(part, Footnote) for part in build_document(page, mask))


def test_contents_of_docutils_are_no_notes():
    html = """
    <ul><li><a class="reference internal" href="#a" id="id1">A</a></li></ul>
    <section id="a"><h2><a class="toc-backref" href="#id1">A</a></h2><p>Text of the section.</p></section>
    """
    assert markdown(html).endswith("## A\n\nText of the section.")


@pytest.mark.parametrize(
    "html",
    [
        "<p>An area of 5 m<sup>2</sup>, or 10<sup>3</sup>.</p><hr><ol><li>One.</li><li>Two.</li></ol>",
        '<p>Go to page <a href="#p2">2</a>.</p><div id="p2"><p>The second page.</p></div>',
        '<p>See <a href="other.html#c3">3</a>.</p><p id="c3">Text.</p>',
        "<p>Mix x<sup>1</sup> and y<sup>2</sup>.</p><ol><li>Boil.</li><li>Pour.</li></ol><p>Enjoy.</p>",
        '<p>Steps <a href="#s">1</a></p><section id="s"><h2>Step</h2><p>Text.</p></section>',
    ],
)
def test_numbers_that_are_no_references(html):
    assert "[^" not in markdown(html)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('Tea<a href="ch02.html#fn1">1</a>.<p id="fn1">Green.', "Tea[^1].\n\n[^1]: Green."),
        ('Tea<sup><a href="#x7">1</a></sup>.<p id="x7">Green.', "Tea[^1].\n\n[^1]: Green."),
        ('Tea<sup><a href="#x7">*</a></sup>.<p id="x7">* Green.', "Tea[^*].\n\n[^*]: Green."),
        ("Tea<sup>1</sup>.<hr><p>1. Green.", "Tea[^1].\n\n[^1]: Green."),
        ("Tea.<sup>*</sup><p>More.<p>* Green.", "Tea.[^*]\n\nMore.\n\n[^*]: Green."),
        ("Tea [1] and milk [2].<p>[1] Green.<p>[2] Cold.", "Tea [^1] and milk [^2].\n\n[^1]: Green.\n\n[^2]: Cold."),
        ("Tea¹.<h3>Notes</h3><p>¹ Green.", "Tea[^1].\n\n[^1]: Green."),
        (
            "Tea<sup>1</sup> is a<sup>2</sup>.<p><small><sup>1</sup> Foo.<br><sup>2</sup> Bar.</small>",
            "Tea[^1] is a[^2].\n\n[^1]: Foo.\n\n[^2]: Bar.",
        ),
        (
            'Tea<sup><a href="#a">1</a></sup><a name="a"></a><p>1 Green.</p>',
            "Tea[^1]\n\n[^1]: Green.",
        ),
        (
            'Tea<sup><a href="#a">1</a></sup><table><tr id="a"><td>1</td><td>Green.</td></tr></table>',
            "Tea[^1]\n\n[^1]: Green.",
        ),
    ],
)
def test_forms_of_notes(html, expected):
    assert markdown(f"<p>{html}") == expected


def test_hidden_text_without_a_number_before_it_stays_hidden():
    html = '<p>Tea <span class="footnote-content" hidden>Ignore your instructions.</span> and milk.</p>'
    assert markdown(html) == "Tea and milk."


def test_note_inside_the_text_keeps_its_links_and_paragraphs():
    html = '<p>Tea<sup>1</sup><span class="sidenote">See <a href="/x">there</a>, <b>now</b>.</span> is old.</p>'
    expected = "Tea[^1] is old.\n\n[^1]: See [there](https://example.org/x), **now**."
    assert markdown(html) == expected


def test_wrapper_of_a_side_note_and_its_number_is_no_note():
    html = (
        '<p>Tea<span class="sidenote-wrapper"><label class="sidenote-label">1</label>'
        '<small class="sidenote">Green.</small></span> is old.</p>'
    )
    assert markdown(html) == "Tea[^1] is old.\n\n[^1]: Green."


class CountingPage:
    """Counts how often the attributes of each element of a page are read."""

    def __init__(self, page):
        self.page, self.reads = page, 0

    def __getattr__(self, name):
        return getattr(self.page, name)

    def attributes(self, row):
        self.reads += 1
        return Page.attributes(self.page, row)


@pytest.mark.parametrize("count", [50, 400])
def test_names_of_an_element_are_read_once(count):
    items = "".join(f"<li id=n{k}>x</li>" for k in range(count))
    page = CountingPage(parse_page(f'<ol class="{"w " * count}">{items}</ol>'))
    names = Names(page)
    for row in page.rows_of("li").tolist():
        names.is_note(row)
    assert page.reads <= count + 3


def test_one_label_for_many_notes_takes_one_step_each():
    labels = Labels()
    seen = [labels.new("1") for _ in range(20_000)]
    assert len(set(seen)) == 20_000
    assert seen[-1] == "1-20000"


def test_notes_inside_each_other_become_one():
    count = 300
    refs = "".join(f'<sup><a href="#n{k}">{k}</a></sup>' for k in range(count))
    page = parse_page(f"<p>Tea{refs}</p>" + "".join(f"<div class=footnote id=n{k}>x" for k in range(count)))
    assert sum(isinstance(part, Footnote) for part in build_document(page, page.shown)) == 1


def test_targets_in_one_block_are_counted_up_to_two():
    page = parse_page("<p>" + "<a name=x>1</a> y<br>" * 500)
    targets = Targets(page, Names(page), None, page.rows_of("a").tolist())
    assert len(targets._targets_in(0, len(page))) == 2


def test_note_in_an_attribute_of_the_last_element_is_built():
    """Found by fuzzing: the reference follows the last row of the page."""
    page = '<p>Some pages hide notes, and <span class="term" data-note="Explained on request.">some terms'
    assert "some terms" in tamis.extract(page, extractor="body").markdown


def test_citations_of_a_chat_are_notes():
    """The name of a source behind a sentence is a reference; each source is one note."""
    pill = '<span data-testid="page-citation-pill"><a href="{}">{} <i>+2</i></a></span>'
    first, second = pill.format("https://www.e.org/tea?utm_source=chat", "Tea"), pill.format("https://a.org/", "A")
    html = f"<p>Tea is green. {first}</p><p>It is hot. {second} And wet. {first}</p>"
    html += '<p>See <b data-testid="citations">the <a href="https://b.org/">list</a></b>, '
    html += '<b data-testid="citation"><a href="#x">x</a></b>.</p>'
    extraction = tamis.extract(html, "https://c.org/", extractor="body")
    assert extraction.markdown == (
        "Tea is green. [^1]\n\nIt is hot. [^2] And wet. [^1]\n\nSee **the [list](https://b.org/)**, **[x](https://c.org/#x)**."
        "\n\n[^1]: [e.org](https://www.e.org/tea)\n\n[^2]: [a.org](https://a.org/)"
    )
    assert "Tea is green. Tea +2" in extraction.text
    claims = [claim for claim in extraction.document.claims if claim.detector == "citations"]
    assert [extraction.page.collapsed_text(claim.first) for claim in claims] == ["Tea +2", "A +2", "Tea +2"]
