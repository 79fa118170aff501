"""The title and the subtitle."""

import pytest

import tamis
from tamis.metadata.title import find_title
from tests.metadata.pages import read, source_of


@pytest.mark.parametrize(
    ("page", "title", "source"),
    [
        # Words on two lines are two words, what is hidden is not read, an anchor is not part of a heading.
        ("<h1>News<br>Product <i hidden>ad</i><b>Man</b>agement #</h1>", "News Product Management", "h1"),
        # Buttons are no part of a heading, unless it is all button.
        ("<h1>Crate tea <button>Copy item path</button></h1>", "Crate tea", "h1"),
        ("<h1><button>Which tea?</button></h1>", "Which tea?", "h1"),
        # Fonts draw icons in place of characters for private use.
        ("<title>Tea file reference \uf0c1</title>", "Tea file reference", "title"),
        ("<h1>Tea file \ue001 reference \uf0c1</h1>", "Tea file reference", "h1"),
        # Pages escape twice.
        ("<title>Salt &amp;amp; pepper</title>", "Salt & pepper", "title"),
        # The site's name is cut off headings too, before and after.
        ("<h1>Example » Tea at noon | example.org</h1>", "Tea at noon", "h1"),
        # What the title has beyond og:title is the site's name, so that heading is not the title.
        (
            (
                "<title>Ann's notes: Small models at home</title>"
                "<meta property=og:title content='Small models at home'>"
                "<h1>Ann's notes</h1><h1>Why small</h1><h2>Small models at home</h2>"
            ),
            "Small models at home",
            "heading",
        ),
        # A heading that says more than the title on both sides of it is decorated.
        (
            (
                "<title>How to brew tea</title><meta property=og:title content='How to brew tea'>"
                "<h1>Thread: How to brew tea (12 answers)</h1>"
            ),
            "How to brew tea",
            "og:title",
        ),
        # A slogan is not the title.
        (
            (
                "<title>Tea by post | Leaf</title><meta property=og:title content='Tea by post | Leaf'>"
                "<h1>You deserve to be warm</h1>"
            ),
            "Tea by post",
            "og:title",
        ),
    ],
)
def test_title_is_what_headings_and_declared_titles_agree_on(page, title, source):
    metadata = read(page + "<p>x")
    assert (metadata.title, metadata.sources["title"]) == (title, source)


def test_title_is_read_without_the_other_metadata():
    extraction = tamis.extract("<h1>Tea</h1><p>x", extractor="body")
    assert extraction.title == "Tea"
    assert "metadata" not in vars(extraction)


def test_title_without_headings_is_the_part_that_the_page_shows():
    page = "<title>Coast Monthly - Features - The kite makers</title><p><b>The kite makers</b><br>by Ann</p>"
    assert read(page).title == "The kite makers"


def test_subtitle_is_near_the_title():
    near = "<h1>Tea</h1><p class=subtitle>For beginners</p><p>x"
    far = "<h1>Tea</h1>" + "<p>Words.</p>" * 20 + "<p class=subtitle>Other things</p>"
    assert (read(near).subtitle, read(far).subtitle) == ("For beginners", None)


@pytest.mark.parametrize(
    ("page", "title"),
    [
        ("<title>(4) Brewing tea | Leaf</title><h1>Brewing tea</h1>", "Brewing tea"),
        ("<title>(4) Brewing tea</title>", "Brewing tea"),
        ("<title>(500) days of tea</title><h1>(500) days of tea</h1>", "(500) days of tea"),
        ("<title>Brewing tea | {{site.name}}</title>", "Brewing tea"),
        ("<title>{{ page.title }}</title><h1>Brewing tea</h1>", "Brewing tea"),
        ("<title>Brewing tea</title><h1>{{ title }}</h1>", "Brewing tea"),
        ("<title>{{ page.title }}</title>", None),
        ("<title>How to use {{ x }} in templates</title>", "How to use {{ x }} in templates"),
        ("<title>Home</title><h1>Brewing tea</h1>", "Brewing tea"),
        ("<title>Brewing tea</title><h1>Home</h1>", "Brewing tea"),
        ("<title>Home - The Kettle</title>", "The Kettle"),
        ("<title>Home</title>", None),
        ("<title>Home baking</title>", "Home baking"),
        ("<title>Untitled Document</title>", None),
        ("<title>Black tea - a history of leaves</title>", "Black tea - a history of leaves"),
        ("<title>All about tea - Part 2</title>", "All about tea - Part 2"),
        ("<title>All about tea - The Kettle</title>", "All about tea"),
        ("<title>Brewing tea</title><h1><a href=/>Notes of a cook on tea</a></h1>", "Brewing tea"),
        ("<title>Brewing tea</title><h1><a href=/a>Notes of a cook on tea</a></h1>", "Notes of a cook on tea"),
    ],
)
def test_title_is_not_a_counter_a_template_half_a_title_or_the_masthead(page, title):
    assert read(page + "<p>x").title == title


def test_masthead_of_a_front_page_is_its_title():
    page = "<title>Brewing tea</title><h1><a href=/>Notes of a cook on tea</a></h1><p>x"
    assert read(page, "https://www.example.org/").title == "Notes of a cook on tea"


def test_site_is_not_a_template():
    assert read("<meta property=og:site_name content='{{site.name}}'><p>x").site == "example.org"


def titled(html, page_type, url="https://example.org/tea"):
    return find_title(source_of(f"{html}<p>x", url, page_type)).value


def declared(title):
    return f"<title>{title} | Leaf</title><meta property=og:title content='{title}'>"


def test_title_of_a_written_page_is_its_only_heading_in_whatever_words():
    page = declared("Brewing for beginners") + "<h1>Everything that you must know about kettles</h1>"
    assert titled(page, "article") == "Everything that you must know about kettles"
    assert titled(page, "service") == "Brewing for beginners"  # there a heading is a slogan


def test_title_of_a_page_of_unknown_type_is_its_only_heading_if_they_share_a_word():
    page = declared("Kettles for every kitchen and every day") + "<h1>{}</h1>"
    assert titled(page.format("All kettles"), None) == "All kettles"
    assert titled(page.format("Be warm"), None) == "Kettles for every kitchen and every day"


def test_marks_of_ownership_do_not_keep_a_heading_from_being_the_title():
    page = declared("Kettle X 2 - Cordless with a very long neck | Steel | Two litres") + "<h1>Kettle® X™ 2</h1>"
    assert titled(page + "<h1>In the box</h1>", "product") == "Kettle® X™ 2"


def test_title_is_the_heading_that_goes_on_where_the_declared_one_ends():
    page = declared("The ten best kettles") + "<h1>The ten best kettles{}</h1>"
    assert titled(page.format(", tried at home"), "article") == "The ten best kettles, tried at home"
    assert titled(page.format(" (example.org) 87"), "article") == "The ten best kettles"


def test_title_of_a_service_is_the_one_that_it_declares_twice():
    assert titled(declared("Tea delivery in Oslo") + "<h1>Tea delivery</h1>", "service") == "Tea delivery in Oslo"
    assert titled(declared("Tea delivery in Oslo") + "<h1>Tea delivery</h1>", "article") == "Tea delivery"


def test_title_of_a_front_page_begins_with_the_name_of_the_site():
    page = (
        "<meta property=og:site_name content=Leaf><title>Leaf - Tea by post</title>"
        "<meta property=og:title content='Leaf - Tea by post'>"
    )
    assert titled(page, "service", "https://leaf.example/") == "Leaf - Tea by post"
    assert titled(page, "service", "https://leaf.example/shop") == "Tea by post"


def test_title_of_a_thread_is_its_headline_without_the_label_before_it():
    data = (
        '<script type="application/ld+json">{"@type": "DiscussionForumPosting", "headline": "Which kettle?"}</script>'
    )
    page = f"{data}{declared('Question Which kettle?')}<h1><span>Question</span> Which kettle?</h1>"
    assert titled(page, "forum") == "Which kettle?"


def test_title_without_headings_is_the_first_part_that_the_page_shows():
    page = "<title>Your first cup | Getting started | Leaf</title><p>Your first cup</p><p>Getting started</p>"
    assert titled(page, "documentation") == "Your first cup"


def test_words_that_contain_the_name_of_the_site_are_cut_at_the_end_alone():
    page = "<meta property=og:site_name content=Astronomy>" + declared("New to astronomy – which telescope?")
    assert titled(page, None) == "New to astronomy – which telescope?"


def test_date_and_sections_of_a_heading_are_not_its_title():
    assert read("<h1>Guests are back<br><small>02.02.2022</small></h1><p>x").title == "Guests are back"
    assert read("<title>Tea and brains</title><h1>How tea rewires brains | Opinion</h1><p>x").title == (
        "How tea rewires brains"
    )
    headline = (
        '<script type="application/ld+json">{"@type": "NewsArticle", "headline": "Tea rewires us | Opinion"}</script>'
    )
    assert read(f"<title>Tea</title>{headline}<h1>Opinion</h1><p>x").title == "Tea rewires us"
