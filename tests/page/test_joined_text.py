"""A comment, a script or a style between two texts is nothing: both texts are one run."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.page import parse_page

NOTHING = [
    "<!-- c -->",
    "<!----><!-- d -->",
    "<script>x()</script>",
    "<style>p{}</style>",
    "<!--c--><script></script>",
]


@pytest.mark.parametrize("nothing", NOTHING)
def test_words_on_both_sides_are_one_run(nothing):
    page = parse_page(f"<p>wo{nothing}rd <b>an{nothing}d</b> more{nothing}</p>{nothing}end{nothing}")
    plain = parse_page("<p>word <b>and</b> more</p>end")
    assert [page.row_text(row) for row in page.shown.nonzero()[0]] == ["word ", "and", " more", "end"]
    assert page.text == plain.text
    assert page.words[page.shown].tolist() == plain.words[plain.shown].tolist()


PIECES = ["one ", "two", "<b>", "</b>", "<p>", "<br>", "<i>x</i>", " ", "&amp;"]


@pytest.mark.slow
@given(st.lists(st.sampled_from(PIECES), max_size=30), st.sampled_from(NOTHING[:2]), st.data())
def test_comments_in_text_change_no_output(pieces, nothing, data):
    plain = "".join(pieces)
    commented = "".join(piece + (nothing if data.draw(st.booleans()) else "") for piece in pieces)
    for name in ("text", "markdown", "html"):
        outputs = [tamis.extract(html, extractor="body").render(name).text for html in (plain, commented)]
        assert outputs[0] == outputs[1], name


def test_a_million_comments_in_one_text():
    page = parse_page("<p>" + "a<!---->" * 200_000)
    assert page.row_text(5) == "a" * 200_000
