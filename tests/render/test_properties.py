"""What holds for every page: no word twice, none glued, none split, and switches that choose nothing."""

import re

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.document.build import build_document
from tamis.document.spans import CLOSING_QUOTE, OPENING_QUOTE
from tamis.page import parse_page
from tamis.render.html import render_html
from tamis.render.markdown import render_markdown
from tamis.render.row_text import selected_text
from tamis.render.text import render_text

_NAMES = """
    p div span b i a em strong ul ol li dl dt dd table tr td th caption h1 h3 blockquote pre code figure figcaption
    section article sub sup del q figure figcaption figcaption
"""
_TAGS = _NAMES.split()
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


@st.composite
def markup(draw, depth=4):
    pieces = []
    for _ in range(draw(st.integers(1, 4))):
        kind = draw(st.integers(0, 3 if depth else 1))
        if kind == 0:
            pieces.append(draw(_WORDS))
        elif kind == 1:
            pieces.append(draw(st.sampled_from(_VOID)))
        else:
            tag = draw(st.sampled_from(_TAGS))
            given_ = draw(st.sampled_from(["", "", "", " hidden", " href=/x", " class=post"]))
            pieces.append(f"<{tag}{given_}>{draw(markup(depth=depth - 1))}</{tag}>")
    return "".join(pieces)


def numbered(text):
    """Make every word different, so that one that is twice, lost or glued is seen."""
    count = iter(range(10**6))
    return re.sub(
        r">([^<]*)", lambda run: ">" + re.sub(r"alpha|beta|gamma", lambda w: f"{w[0]}{next(count)}x", run[1]), text
    )


def unquoted(text):
    return text.replace(OPENING_QUOTE, "").replace(CLOSING_QUOTE, "")


@given(markup(), st.randoms(use_true_random=False))
def test_the_words_of_the_document_are_those_of_the_selected_rows(html, random):
    page = parse_page(numbered("<body>" + html))
    mask = page.shown & np.array([random.random() < 0.8 for _ in range(len(page))], dtype=bool)
    document = build_document(page, mask, "https://example.org/")
    # Marks of quotations aside: rows do not give those around several blocks (`rows_suffice`).
    fast, slow = (unquoted(said).split() for said in (selected_text(page, mask), render_text(document).text))
    # A caption that stands above what it belongs to, and a stray in a table, may change their order; nothing else.
    assert sorted(slow) == sorted(fast)
    chosen = re.findall(r"\w+", render_text(document).text)
    back = parse_page(render_html(document).text)
    assert sorted(re.findall(r"\w+", selected_text(back, back.shown))) == sorted(chosen)
    written = re.sub(
        r"\]\([^)]*\)|!\[picture|\\|</?\w+>",
        lambda mark: " " if mark[0] == "<br>" else "",
        render_markdown(document).text,
    )
    numbers = re.compile(r"(?:alpha|beta|gamma)\d+x")
    assert sorted(numbers.findall(written)) == sorted(numbers.findall(" ".join(fast)))


@given(markup(), st.booleans(), st.booleans(), st.booleans(), st.booleans(), st.booleans())
def test_switches_never_change_what_is_selected(html, links, images, tables, comments, with_metadata):
    plain = tamis.extract(html, extractor="cetd")
    other = tamis.extract(
        html,
        extractor="cetd",
        links=links,
        images=images,
        tables=tables,
        comments=comments,
        with_metadata=with_metadata,
    )
    for form in ("text", "markdown", "html", "json", "xml"):
        other.render(form)
    assert (plain.selection.mask == other.selection.mask).all()
    assert [block.text for block in plain.blocks] == [block.text for block in other.blocks]
    assert len(list(plain.document)) == len(list(other.document))
    assert not (other.selection.mask & _commented(other)).any()


def _commented(found):
    from tamis.document.detect.comments import find_comments  # noqa: PLC0415

    return find_comments(found.page, found.selection).mask
