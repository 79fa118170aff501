"""HTML in the page's own structure: the page minus the noise."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.page import parse_page
from tamis.render.original import original_html


def words(text):
    return re.findall(r"\w+", text)


@pytest.mark.parametrize("name", ["sift", "ridge"])  # blocks of any size, and cells of the source
def test_what_was_selected_is_kept_and_nothing_else(golden, name):
    extraction = tamis.extract(golden.html, "https://example.org/a", extractor=name)
    selected = "".join(f" {extraction.page.row_text(row)}" for row in np.flatnonzero(extraction.selection.mask))
    page = parse_page(extraction.render("html", structure="original").text)
    assert "".join(words("".join(page.row_text(row) for row in np.flatnonzero(page.shown)))) == "".join(
        words(selected)
    )


def test_classes_ids_and_ancestors_stay():
    html = '<div id=page class="a b"><nav>Home</nav><main><article class=post><p>Boil <b>water</b>.</main></div>'
    page = parse_page(html)
    mask = page.shown & np.array([page.row_text(row) != "Home" for row in range(len(page))])
    assert original_html(page, mask) == (
        '<div id="page" class="a b"><main><article class="post"><p>Boil <b>water</b>.</p></article></main></div>'
    )


def test_images_and_breaks_inside_the_content_stay_and_others_go():
    html = (
        '<img src="logo.png"><div><p>One<br>two</p><figure><a href="/big"><img src="/a.png" alt="A"></a>'
        "<figcaption>Three</figcaption></figure></div><hr>"
    )
    extraction = tamis.extract(html, "https://example.org/", extractor="body")
    assert extraction.render("html", structure="original").text == (
        "<div><p>One<br>two</p><figure>"
        '<a href="https://example.org/big"><img src="https://example.org/a.png" alt="A"></a>'
        "<figcaption>Three</figcaption></figure></div>"
    )
    assert "<img" not in extraction.render("html", structure="original", images=False).text
    assert "href" not in extraction.render("html", structure="original", links=False).text


def test_players_are_links_and_images_have_their_best_url():
    html = (
        "<div><p>One</p><video poster=/p.jpg src=/v.mp4 title=Tea></video>"
        "<iframe src=//www.youtube.com/embed/x></iframe><p>Two <a href=/w>three <video src=/w.mp4></video></a></p>"
        "<p><img src=/blank.gif data-src=/a.png></p>Four</div>"
    )
    extraction = tamis.extract(html, "https://example.org/", extractor="body")
    assert extraction.render("html", structure="original").text == (
        '<div><p>One</p> <img src="https://example.org/p.jpg" alt="Tea"> '
        '<a href="https://example.org/v.mp4">▶ Tea</a> '
        ' <a href="https://www.youtube.com/watch?v=x">▶ youtube.com</a> '
        '<p>Two <a href="https://example.org/w">three </a></p>'
        '<p><img src="https://example.org/a.png"></p>Four</div>'
    )
    text_only = extraction.render("html", structure="original", images=False).text
    assert "<img" not in text_only
    assert "https://example.org/v.mp4" in text_only


def test_without_tables_a_layout_table_stays():
    html = "<table><tr><td><p>Story</p><table><tr><th>a<th>b<tr><td>1<td>2</table></td></tr></table>"
    extraction = tamis.extract(html, extractor="body")
    assert words(extraction.render("html", structure="original", tables=False).text) == words(
        "table tbody tr td p Story p td tr tbody table"
    )


ATTACKS = [
    '<p onclick="evil()" style="x">text</p>',
    '<a href="javascript:evil()">text</a>',
    '<a href="java\tscript:evil()">text</a>',
    "<svg><a xlink:href='javascript:evil()'><text>text</text></a></svg>",
    '<form action="https://evil"><p>text</p></form>',
    "<custom-element onload=evil()>text</custom-element>",
    '<p class="&quot;&gt;&lt;script&gt;evil()">text</p>',
    "<p>text &lt;script&gt;evil()&lt;/script&gt;</p>",
    '<iframe src="https://evil"></iframe><p>text</p>',
    "<p>text</p><video src='javascript:evil()' poster='javascript:evil()'></video><p>end</p>",
    "<p>text</p><video src='/v' title='\"><script>evil()</script>' onerror=evil()></video><p>end</p>",
    "<math><mtext><style>evil</style>text</mtext></math>",
]


@pytest.mark.parametrize("html", ATTACKS)
def test_nothing_that_runs_is_written(html):
    written = tamis.extract(html, extractor="body").render("html", structure="original").text
    assert "text" in written
    page = parse_page(written)
    for row in np.flatnonzero(page.is_element):
        assert page.tag_name(row) not in {"script", "style", "iframe", "form", "svg", "math", "custom-element"}
        for name, value in page.attributes(row).items():
            assert not name.startswith("on")
            assert name != "style"
            assert "script:" not in value


@given(
    st.lists(
        st.sampled_from(
            ["<div class=a>", "</div>", "<p>", "<b>", "</b>", "<td>", "<table>", "x ", "&lt;", "<!--c-->"]
        )
    )
)
def test_what_is_written_parses_back_to_the_same_text(pieces):
    extraction = tamis.extract("".join(pieces), extractor="body")
    selected = "".join(extraction.page.row_text(row) for row in np.flatnonzero(extraction.selection.mask))
    page = parse_page(extraction.render("html", structure="original").text)
    assert "".join(page.text.split()) == "".join(selected.split())


def test_deep_nesting_and_many_images_are_written():
    page = parse_page("<div>" * 500 + "deep" + "<b><img src=a>" * 5000)
    written = original_html(page, page.shown)
    assert written.count("<div>") == written.count("</div>") == 500
    assert written.count("<img") == 5000


def test_an_unknown_structure_is_an_error():
    with pytest.raises(tamis.OptionError, match="no structure is named 'origin'; did you mean original"):
        tamis.extract("<p>x").to_html(structure="origin")
