"""The page's title above the content, in every format."""

import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.document import Heading
from tamis.lab.evaluate.tools import TamisTool
from tamis.render.markdown import render_markdown
from tamis.render.shown import with_title

BODY = "<p>Boil the water and wait a little, then pour.</p>"
#: Pages with the title "How to brew tea", and whether it is shown as it stands there.
PAGES = {
    "no heading": BODY,
    "the same": f"<h1>How to brew tea</h1>{BODY}",
    "another case": f"<h1>HOW TO BREW TEA</h1>{BODY}",
    "other spacing": f"<h1>How to\n  brew&nbsp; tea</h1>{BODY}",
    "other punctuation": f"<h1>How to brew tea!</h1>{BODY}",
    "more words": f"<h1>How to brew tea at home</h1>{BODY}",
    "a lower heading": f"<h2>How to brew tea</h2>{BODY}",
    "a bold line": f"<p><b>How to brew tea</b></p>{BODY}",
    "after a kicker": f"<p>Kitchen</p><h1>How to brew tea</h1>{BODY}",
    "in a post": f"<article class=post><h2>How to brew tea</h2>{BODY}</article>",
}


def extract(body, **options):
    return tamis.extract(f"<title>How to brew tea</title>{body}", extractor="body", **options)


def shown_levels(body):
    document, _ = with_title(extract(body).document, "How to brew tea")
    return [len(marks) for marks, _ in headings(render_markdown(document).text)]


def headings(markdown):
    return re.findall(r"^(#+) (.*)", markdown, re.MULTILINE)


def test_markdown_html_and_xml_begin_with_the_title_by_default():
    extraction = extract(BODY)
    assert extraction.markdown.startswith("# How to brew tea\n\nBoil")
    assert extraction.html.startswith("<h1>How to brew tea</h1><p>Boil")
    assert '<body><div><div type="section" n="1"><head>How to brew tea</head><p>Boil' in extraction.xml


def test_text_of_programs_has_the_title_only_on_request():
    assert extract(BODY).text == "Boil the water and wait a little, then pour."
    titled = extract(BODY).to_text(title=True)
    assert titled == "How to brew tea\n\nBoil the water and wait a little, then pour."
    assert extract(BODY).to_text(title=False) == extract(BODY).text
    assert extract(BODY).render("text", title=True).text == titled


def test_title_false_leaves_it_out_of_every_format():
    extraction = extract(BODY)
    assert extraction.to_markdown(title=False) == extraction.text
    assert extraction.to_html(title=False) == BODY
    assert "<head>" not in extraction.to_xml(title=False)
    assert extraction.render("markdown", title=False).text == extraction.to_markdown(title=False)


@pytest.mark.parametrize("name", PAGES)
def test_the_title_is_shown_once_as_the_only_heading_of_level_1(name):
    extraction = extract(PAGES[name])
    texts = (extraction.to_text(title=True), extraction.render("text", title=True).text)
    for text in (extraction.markdown, extraction.html, *texts):
        assert text.casefold().count("brew") == 1, text
    if name != "in a post":  # its heading belongs to the post
        assert [level for level, _ in headings(extraction.markdown)] == ["#"]


@pytest.mark.parametrize("name", PAGES)
def test_both_text_writers_agree_on_the_title(name):
    extraction = extract(PAGES[name])
    assert extraction.to_text(title=True).split() == extraction.render("text", title=True).text.split()


def test_a_bold_line_becomes_a_heading_without_emphasis():
    assert extract(PAGES["a bold line"]).markdown.startswith("# How to brew tea\n\nBoil")


def test_evaluation_measures_the_text_without_the_title():
    assert TamisTool("body").text(f"<title>How to brew tea</title>{BODY}") == extract(BODY).text


def test_a_title_far_below_the_beginning_does_not_count():
    body = BODY * 9 + "<h2>How to brew tea</h2>"
    assert headings(extract(body).markdown) == [("#", "How to brew tea"), ("##", "How to brew tea")]
    assert extract(body).to_text(title=True).startswith("How to brew tea\n\nBoil")


def test_headings_below_the_title_follow_in_order():
    body = f"{BODY}<h2>Kettles</h2>{BODY}<h1>Leaves</h1>{BODY}<h2>Green</h2>{BODY}<h6>Note</h6>{BODY}"
    assert shown_levels(body) == [1, 2, 2, 3, 6]
    assert headings(extract(body).to_markdown(title=False))[1] == ("#", "Leaves")


def test_parts_are_found_in_an_output_whose_headings_moved():
    extraction = extract(f"<h1>How to brew tea</h1>{BODY}<blockquote><h1>Leaves</h1>{BODY}</blockquote>")
    heading = [part for part in extraction.document if isinstance(part, Heading)][1]
    assert heading.level == 1
    assert extraction.render("markdown").text_of(heading) == "## Leaves"
    assert extraction.render("html").text_of(heading) == "<h2>Leaves</h2>"


def test_a_page_without_content_has_no_title():
    for page in ("<title>Tea</title>", b"%PDF-1.7"):
        extraction = tamis.extract(page, extractor="body")
        assert (extraction.to_text(title=True), extraction.markdown, extraction.html) == ("", "", "")


def test_original_html_has_the_title_on_request():
    extraction = extract(f"<div id=main>{BODY}</div>")
    assert extraction.to_html(structure="original") == f'<div id="main">{BODY}</div>'
    titled = extraction.to_html(structure="original", title=True)
    assert titled == f'<h1>How to brew tea</h1><div id="main">{BODY}</div>'


def test_joined_pages_have_one_title():
    pages = [tamis.extract(f"<title>Tea</title><p>Part {n}.", extractor="body") for n in (1, 2)]
    assert tamis.join_pages(pages).markdown == "# Tea\n\nPart 1.\n\nPart 2."


@given(st.lists(st.integers(1, 6), max_size=8))
def test_levels_keep_their_order_whatever_they_are(levels):
    body = BODY + "".join(f"<h{level}>H{number}</h{level}>{BODY}" for number, level in enumerate(levels))
    shown = shown_levels(body)
    assert shown[0] == 1
    assert all(level > 1 for level in shown[1:])
    first = levels.index(1) if 1 in levels else len(levels)
    assert shown[1 : first + 1] == levels[:first]
    lowered = sorted(set(zip(levels[first:], shown[first + 1 :], strict=True)))
    assert all(new - old in {0, 1} for old, new in lowered)
    assert all(before < after or old == 6 for (_, before), (old, after) in itertools.pairwise(lowered))


def test_headings_below_a_level_that_the_page_leaves_out_stay():
    assert shown_levels(f"{BODY}<h1>Leaves</h1>{BODY}<h3>Green</h3>{BODY}") == [1, 2, 3]


def test_headings_keep_the_levels_of_the_page_below_the_title():
    body = f"<h1>How to brew tea</h1>{BODY}<h4>Kettles</h4>{BODY}<h5>Steel</h5><h4>Pots</h4>{BODY}<h3>Cups</h3>{BODY}"
    assert shown_levels(body) == [1, 4, 5, 4, 3]
    assert [len(marks) for marks, _ in headings(extract(body).to_markdown(title=False))] == [1, 4, 5, 4, 3]


def test_a_date_below_the_title_is_no_heading():
    html = "<h1>Tea</h1><h6>Wednesday, 26 February 2025</h6><p>Boil it.</p><h2>Pot</h2><p>Pour it.</p>"
    markdown = tamis.extract(html, extractor="body").markdown
    assert markdown == "# Tea\n\nWednesday, 26 February 2025\n\nBoil it.\n\n## Pot\n\nPour it."


def test_what_stands_above_the_title_or_a_heading_without_a_section_is_no_heading():
    html = (
        "<title>Tea</title><h2>Friday, December 19, 2025</h2><h3>Kitchen</h3><h1>Tea</h1><p>Boil it.</p>"
        "<h2>Thursday, December 18, 2025</h2><h2>Pot</h2><p>Pour it.</p><h2>May 3, 2024</h2><p>Drink it.</p>"
    )
    extraction = tamis.extract(html, extractor="body")
    assert extraction.markdown == (
        "Friday, December 19, 2025\n\nKitchen\n\n# Tea\n\nBoil it.\n\nThursday, December 18, 2025\n\n"
        "## Pot\n\nPour it.\n\n## May 3, 2024\n\nDrink it."
    )
