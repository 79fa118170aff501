"""Properties of every page: no word is lost, repeated, joined or split, and options never change the selection."""

import re

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import tamis
from tamis.document.build import build_document
from tamis.document.detectors.discussion import find_comments
from tamis.document.detectors.table import Effect
from tamis.html import tags
from tamis.html.text import CLOSING_QUOTE, OPENING_QUOTE
from tamis.page import parse_page
from tamis.render.document_text import render_text
from tamis.render.html import render_html
from tamis.render.markdown import render_markdown
from tamis.render.text import direct_rows, selected_text

_FLOW_NAMES = """
    p div span b i a em strong ul ol li dt dd h1 h3 blockquote pre code figure section article sub sup del q
"""
_FLOW_TAGS = _FLOW_NAMES.split()
#: The document puts a caption above its table or below its figure, and stray content before its table or ``dl``.
_REORDERED_TAGS = ["dl", "table", "tr", "td", "th", "caption", "figcaption", "figcaption", "figure"]
_VOID = ["<br>", "<hr>", "<img src=x.png alt=picture>", "<wbr>", " ", "\n", "<a href='#x'>#</a>"]
_WORDS = st.sampled_from(
    [
        "alpha",
        "beta ",
        " gamma",
        "δέλτα",
        "five*six",
        "7. ",
        "# ",
        "a_b",
        "漢字",
        "-",
        "\u200b",
        "beta \u200b",
        "\u200b gamma",
    ]
)
_ATTRIBUTES = ["", "", "", " hidden", " href=/x", " class=post"]
_NUMBERED_WORD = re.compile(r"(?:alpha|beta|gamma)\d+x")


@st.composite
def markup(draw, names, depth=4):
    pieces = []
    for _ in range(draw(st.integers(1, 4))):
        choice = draw(st.integers(0, 3 if depth else 1))
        if choice == 0:
            pieces.append(draw(_WORDS))
        elif choice == 1:
            pieces.append(draw(st.sampled_from(_VOID)))
        else:
            tag = draw(st.sampled_from(names))
            attributes = draw(st.sampled_from(_ATTRIBUTES))
            pieces.append(f"<{tag}{attributes}>{draw(markup(names, depth=depth - 1))}</{tag}>")
    return "".join(pieces)


def number_words(html):
    """Make every word different, so that one that is repeated, lost or joined is noticed."""
    count = iter(range(10**6))
    return re.sub(
        r">([^<]*)", lambda run: ">" + re.sub(r"alpha|beta|gamma", lambda w: f"{w[0]}{next(count)}x", run[1]), html
    )


def random_selection(html, random):
    page = parse_page(number_words("<body>" + html))
    return page, page.shown & np.array([random.random() < 0.8 for _ in range(len(page))], dtype=bool)


def has_hidden_space(page):
    """Tell whether an element hides white space or a line break. The writers differ about the words around it."""
    is_space = page.is_text | (page.tag == tags.IDS["br"])
    return bool((is_space & (page.hidden > 0) & (page.nonspace == 0)).any())


def words(text):
    """Return words without quotation marks: an image at the edge of a quotation parts its mark from the words."""
    return text.replace(OPENING_QUOTE, "").replace(CLOSING_QUOTE, "").split()


@pytest.mark.slow
@settings(max_examples=50)
@given(markup(_FLOW_TAGS), st.randoms(use_true_random=False))
def test_both_text_writers_write_the_same_words_in_the_same_order(html, random):
    page, mask = random_selection(html, random)
    rows = direct_rows(page, mask)
    assume(rows is not None and not has_hidden_space(page))
    assert words(selected_text(page, rows)) == words(render_text(build_document(page, mask)).text)


@pytest.mark.slow
@settings(max_examples=50)
@given(markup(_FLOW_TAGS + _REORDERED_TAGS), st.randoms(use_true_random=False))
def test_both_text_writers_write_the_same_words_where_the_document_changes_their_order(html, random):
    page, mask = random_selection(html, random)
    rows = direct_rows(page, mask)
    assume(rows is not None and not has_hidden_space(page))
    assert sorted(words(selected_text(page, rows))) == sorted(words(render_text(build_document(page, mask)).text))


@pytest.mark.slow
@given(markup(_FLOW_TAGS + _REORDERED_TAGS), st.randoms(use_true_random=False))
def test_html_and_markdown_have_the_words_of_the_text(html, random):
    page, mask = random_selection(html, random)
    document = build_document(page, mask, "https://example.org/")
    text_words = re.findall(r"\w+", render_text(document).text)
    parsed = parse_page(render_html(document).text)
    assert sorted(re.findall(r"\w+", selected_text(parsed, parsed.shown))) == sorted(text_words)
    markdown = re.sub(
        r"\]\([^)]*\)|!\[picture|\\|</?\w+>",
        lambda mark: " " if mark[0] == "<br>" else "",
        render_markdown(document).text,
    )
    assert sorted(_NUMBERED_WORD.findall(markdown)) == sorted(_NUMBERED_WORD.findall(" ".join(text_words)))


@pytest.mark.slow
@given(markup(_FLOW_TAGS + _REORDERED_TAGS), *[st.booleans()] * 5)
def test_render_options_never_change_the_selection(html, links, images, tables, comments, with_metadata):
    default = tamis.extract(html, extractor="cetd")
    changed = tamis.extract(html, extractor="cetd")
    for format_name in ("text", "markdown", "html", "json", "xml"):
        changed.render(
            format_name, links=links, images=images, tables=tables, comments=comments, with_metadata=with_metadata
        )
    assert (default.selection.mask == changed.selection.mask).all()
    assert [block.text for block in default.blocks] == [block.text for block in changed.blocks]
    assert len(list(default.document)) == len(list(changed.document))
    assert not (changed.selection.mask & find_comments(changed.page, changed.selection).mask).any()


@pytest.mark.slow
@given(markup(_FLOW_TAGS + _REORDERED_TAGS), st.randoms(use_true_random=False))
def test_a_selected_word_is_written_or_a_claim_says_why_not(html, random):
    page, mask = random_selection(html, random)
    document = build_document(page, mask)
    reasons = set()
    for claim in document.claims:
        if claim.effect & (Effect.DELETE | Effect.REPLACE):
            reasons.update(range(claim.first, claim.stop))
    written = "".join(re.findall(r"\w+", render_text(document).text))
    for row in np.flatnonzero(mask).tolist():
        for word in re.findall(r"\w+", page.row_text(row)):
            assert word in written or row in reasons
