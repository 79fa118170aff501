import pickle

import numpy as np
import pytest

import tamis
from tamis.page import parse_page
from tamis.sift.features import measure, prune, read_element_names
from tests.conftest import golden_pages

TEXT = "<p>" + "Boil the water, and wait. Then pour it over the leaves. " * 6 + "</p>"
LINKS = "".join(f"<li><a href=/{k}>Section {k}</a></li>" for k in range(12))


def measured(html):
    page = parse_page(html)
    return page, prune(page, read_element_names(page))


def left(html):
    """Return the words of the blocks that the network judges."""
    _, page = measured(html)
    return " ".join(" ".join(page.row_text(row) for row in page.blocks.rows).split())


@pytest.mark.parametrize(
    "boilerplate",
    [
        f"<nav><ul>{LINKS}</ul></nav>",
        f"<header><a href=/>Logo</a><ul>{LINKS}</ul></header>",
        f"<div class=site-menu>{LINKS}</div>",
        f"<div role=navigation>{LINKS}</div>",
        f"<ul>{LINKS}</ul>",
        "<footer>Tea Ltd. All rights reserved.</footer>",
        "<div id=footer><a href=/terms>Terms</a> <a href=/privacy>Privacy</a></div>",
        "<div class=cookie-banner><p>We and our partners store cookies.</p><button>Accept</button></div>",
        "<select><option>English<option>Deutsch</select>",
    ],
)
def test_evident_boilerplate_is_left_out(boilerplate):
    assert left(boilerplate + TEXT) == left(TEXT)
    assert left(TEXT + boilerplate) == left(TEXT)


@pytest.mark.parametrize(
    "line",
    [
        "<div><p>Tea Ltd. All rights reserved. <a href=/terms>Terms</a></p></div>",
        "<p>© 2026 Tea Ltd</p>",
        "<div>Copyright Tea Ltd<br>Made by hand</div>",
        "<p>Alle Rechte vorbehalten</p><p>© Tee</p>",
        "<div>© Tea Ltd<nav><a href=/a>Home</a></nav></div>",
    ],
)
def test_last_lines_that_name_the_owner_are_left_out(line):
    assert left(TEXT + line) == left(TEXT)
    assert left(TEXT + line + f"<nav>{LINKS}</nav>") == left(TEXT)  # more boilerplate may follow
    assert left(TEXT + line + TEXT) != left(TEXT + TEXT)  # before other text it may be a source
    assert left(f"<article>{TEXT}{line}</article>") != left(TEXT)
    assert left(line) == left(line) != ""  # nothing else would be left


def test_long_last_paragraph_about_copyright_is_judged():
    assert "copyright" in left(TEXT + "<p>" + "The law of copyright is old, and changes often. " * 6)


@pytest.mark.parametrize(
    "content",
    [
        f"<nav>{TEXT}</nav>",  # a menu has no long paragraphs
        f"<article><ul>{LINKS}</ul></article>",  # a list of links in an article may be its content
        f"<main><footer>{TEXT}</footer></main>",  # the foot of a post
        "<ul>" + "<li><a href=/x>The long title of an article about tea and water</a></li>" * 12 + "</ul>",
        f"<div class=cookie-recipes>{TEXT * 4}</div>",
        "<ul><li><a href=/a>One</a><li><a href=/b>Two</a></ul>",  # too few to be a menu
    ],
)
def test_what_may_be_content_is_judged(content):
    page, reduced = measured(content + TEXT)
    assert reduced is page


def test_page_that_would_be_left_without_text_is_judged_as_it_is():
    page, reduced = measured(f"<nav><ul>{LINKS}</ul></nav>" * 3)
    assert reduced is page


def test_removed_rows_count_in_no_feature():
    """The features of a page with a menu and a footer more are those of the page."""
    plain, more = (
        f"<main>{TEXT}{TEXT}</main>",
        f"<nav>{LINKS}</nav><main>{TEXT}{TEXT}</main><footer>Tea Ltd.</footer>",
    )
    _, page = measured(f"<body><div>{plain}</div>")
    _, reduced = measured(f"<body><div>{more}</div>")
    assert reduced.removed
    np.testing.assert_array_equal(measure(page).matrix, measure(reduced).matrix)


def test_rows_keep_their_numbers_and_pickling_keeps_what_was_removed():
    page, reduced = measured(f"<nav>{LINKS}</nav>{TEXT}")
    assert len(page) == len(reduced)
    assert reduced.text == page.text
    again = pickle.loads(pickle.dumps(reduced))
    assert again.removed == reduced.removed
    np.testing.assert_array_equal(again.node_type, reduced.node_type)


@pytest.mark.parametrize("golden", golden_pages(), ids=lambda golden: golden.slug)
def test_golden_pages_lose_no_content_to_it(golden):
    page, reduced = measured(golden.html)
    gone = np.zeros(len(page), dtype=bool)
    for start, stop in reduced.removed:
        gone[start:stop] = True
    words = {
        word for row in np.flatnonzero(gone & page.shown) for word in page.row_text(row).split() if len(word) > 9
    }
    lost = words & set(golden.expected.split()) - set(
        " ".join(page.row_text(row) for row in reduced.blocks.rows).split()
    )
    assert not lost


@pytest.mark.parametrize("golden", golden_pages(), ids=lambda golden: golden.slug)
def test_menu_footer_and_notice_change_nothing(golden):
    html = golden.html.decode("utf-8", "replace") if isinstance(golden.html, bytes) else golden.html
    before = tamis.extract(html).text
    place = html.lower().rfind("</body")
    place = len(html) if place < 0 else place
    for inserted in (f"<nav><ul>{LINKS}</ul></nav>", "<footer>Zeppelin Ltd. All rights reserved.</footer>"):
        assert tamis.extract(html[:place] + inserted + html[place:]).text == before


def test_scripts_and_metadata_in_removed_elements_stay():
    about = '<script type="application/ld+json">{"@type": "NewsArticle"}</script><meta itemprop=x content=y>'
    _, reduced = measured(f"{TEXT}<footer>Tea Ltd.{about}</footer>")
    assert reduced.removed
    assert measure(reduced).column("declares:article").tolist() == [1.0]
    assert reduced.tag_count("meta") == 1
