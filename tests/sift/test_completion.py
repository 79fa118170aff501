"""Code, callouts and headings among kept paragraphs are kept with them."""

import numpy as np
import pytest

import tamis
from tamis.page import parse_page
from tests.sift.steps import complete_structure

TEXT = "Boil the water, and wait until it is quiet again before you pour it on the leaves in the pot."


def completed(html, kept=TEXT):
    """Return the blocks of a page after completion, by their first words; those that begin with `kept` were kept."""
    page = parse_page(html)
    blocks = page.blocks
    texts = [" ".join(page.row_text(int(row)).split()) for row in blocks.rows[blocks.first[: len(blocks)]]]
    before = np.array([text.startswith(kept) for text in texts])
    after = complete_structure(page, before, np.zeros(len(before), bool))
    return [text[:12] for text, is_kept in zip(texts, after, strict=True) if is_kept and not text.startswith(kept)]


@pytest.mark.parametrize(
    "box",
    [
        "<pre>tea.brew()</pre>",
        "<figure><div><code>tea.brew()<br></code></div></figure>",
        "<div><code>tea.brew()</code></div>",
        '<div class="highlight"><div class="bar">Tea</div><pre><code>tea.brew()</code></pre></div>',
        '<table class="js-file-line-container"><tr><td>tea.brew()</table>',
        '<div class="admonition warning"><p>tea.brew()</div>',
        '<div class="callout" data-callout="tip"><p>tea.brew()</div>',
    ],
)
def test_code_and_callouts_between_paragraphs_are_kept(box):
    html = f"<nav>Home</nav><main><p>{TEXT} <code>pot</code></p>{box}<p>{TEXT}</p></main>"
    assert completed(html) == ["tea.brew()"]


@pytest.mark.parametrize(
    "box",
    [
        f"<aside><p>{'Another box with other text. ' * 4}</p><pre>tea.brew()</pre></aside>",
        "<ul><li>Leaves <pre>tea.brew()</pre></li></ul>",
        '<div class="alert">tea.brew()</div>',
    ],
)
def test_boxes_whose_own_surroundings_are_not_kept_stay_out(box):
    assert "tea.brew()" not in completed(f"<main><p>{TEXT}</p>{box}<p>{TEXT}</p></main>")


def test_a_displayed_formula_between_paragraphs_is_kept():
    formula = '<div class="eq"><math display="block"><mi>tea</mi><mo>=</mo><mn>2</mn></math></div>'
    assert completed(f"<nav>Home</nav><main><p>{TEXT}</p>{formula}<p>{TEXT}</p></main>") == ["tea"]
    assert completed(f"<nav>Home</nav><main><p>{TEXT}</p><p>Cups {formula}</p><p>{TEXT}</p></main>") == ["tea"]
    other = f"<aside><p>{'Another box with other text. ' * 4}</p>{formula}</aside>"
    assert completed(f"<main><p>{TEXT}</p>{other}<p>{TEXT}</p></main>") == []


def test_a_callout_that_is_most_of_the_page_is_its_layout():
    box = f'<div class="admonition note">{"<p>Other words in the box.</p>" * 20}</div>'
    assert completed(f"<main><p>{TEXT}</p>{box}</main>") == []


def test_the_heading_of_a_kept_section_is_kept():
    html = f"<main><h2>Water</h2><p>{TEXT}</p><h2>Related</h2><p>Other tea</p></main>"
    assert completed(html) == ["Water"]


def test_a_heading_in_another_box_is_not():
    far = "<div><div><div><div><h2>Menu</h2></div></div></div></div>"
    assert completed(f"<div>{far}<p>{TEXT}</p><p>Other</p></div>") == []


def test_a_headline_stays_with_the_model():
    assert completed(f"<main><h1>Tea</h1><p>{TEXT}</p></main>") == []


def test_excluded_blocks_stay_out():
    page = parse_page(f"<main><p>{TEXT}</p><pre>tea.brew()</pre></main>")
    kept, excluded = np.array([True, False]), np.array([False, True])
    assert complete_structure(page, kept, excluded).tolist() == [True, False]


def test_sift_keeps_code_in_an_article():
    paragraphs = f"<p>{TEXT}</p>" * 3
    page = f"<article><h1>Tea</h1>{paragraphs}<pre><code>tea.brew()</code></pre>{paragraphs}</article>"
    assert "tea.brew()" in tamis.extract(page).text


def test_a_table_is_kept_with_its_caption_and_a_quotation_with_its_source():
    table = f"<table><caption>Teas</caption><tr><td>{TEXT}<td>{TEXT}</table>"
    quote = f"<blockquote><p>{TEXT}</p><footer>A cook</footer></blockquote>"
    other = (
        "<table><caption>Prices</caption><tr><td>one<td>two</table><blockquote>no<footer>nobody</footer></blockquote>"
    )
    assert completed(f"<main>{table}{quote}{other}</main>") == ["Teas", "A cook"]


def test_a_date_between_a_heading_and_its_text_does_not_matter():
    post = f"<article><header><h2>Water</h2><p>3 May 2024 by Ann</p></header><p>{TEXT}</p></article>"
    assert completed(post) == ["Water"]


def test_a_heading_above_links_to_share_a_text_is_dropped():
    share = "<h3>Share this:</h3><ul><li>Email<li>Print</ul>"
    page = parse_page(f"<main><p>{TEXT}</p>{share}</main>")
    kept = np.array([True, True, False, False])
    assert complete_structure(page, kept, kept & False).tolist() == [True, False, False, False]


def test_the_posts_of_a_thread_repeat_its_title_for_nothing():
    posts = f"<article><h3>Water</h3><p>{TEXT}</p></article><article><h3>Re: Water</h3><p>{TEXT}</p></article>"
    assert completed(posts + "<nav>Home</nav>") == []


def test_a_block_that_repeats_the_one_before_is_dropped():
    copies = f"<p>{TEXT}<p class=mobile>{TEXT}<div><p>{TEXT}</div>"
    page = parse_page(
        f"<main>{copies}<p>Other.<ul><li>{TEXT}<li>{TEXT}</ul><p>Tea<p id=b>Tea<p>{TEXT}<p>{TEXT}</main>"
    )
    kept = np.array([True, True, True, False, True, True, True, True, True, True])
    expected = [True, False, False, False, True, True, True, True, True, True]
    assert complete_structure(page, kept, kept & False).tolist() == expected


@pytest.mark.parametrize("label", ["Advertisement", "- ADVERTISEMENT -", "Sponsored Links", "Anzeige", "广告"])
def test_labels_of_advertisements_and_what_is_below_them_are_dropped(label):
    advert = f"<div><p>{label}</p><a href=/buy>Brewmaster</a><p>Half price this autumn.</p></div>"
    page = parse_page(f"<main><p>{TEXT}</p>{advert}<p>{TEXT} Then wait.</p><p>Home</p></main>")
    kept = np.array([True, True, False, True, True, False])
    expected = [True, False, False, False, True, False]
    assert complete_structure(page, kept, kept & False).tolist() == expected


def test_text_beside_the_label_of_an_advertisement_stays():
    for advert in (
        f"<div><p>Advertisement</p><p>{TEXT * 4}</p></div>",  # too long
        f"<div><p>{TEXT}</p><p>Advertisement</p></div>",  # it is above the label
        f"<table><tr><td><p>Advertisement</p><p>{TEXT}</p></td></table>",  # a cell lays out the page
    ):
        page = parse_page(f"<main><p>Tea.</p>{advert}<p>Home</p></main>")
        kept = np.array([True, True, True, False])
        assert int(complete_structure(page, kept, kept & False).sum()) == 2
    page = parse_page(f"<main><h2>Advertisements of the past</h2><p>{TEXT}</p><p>Home</p></main>")
    kept = np.array([True, True, False])
    assert complete_structure(page, kept, kept & False).tolist() == [True, True, False]


@pytest.mark.parametrize("quotations", [True, False])
def test_short_quotations_of_articles_are_kept(quotations):
    quotes = f"<blockquote>Tea.</blockquote><blockquote>{'Long. ' * 99}</blockquote>"
    page = parse_page(f"<main><p>{TEXT} {TEXT}</p>{quotes}</main>")
    kept = np.array([True, False, False])
    completed_blocks = complete_structure(page, kept, kept & False, quotations=quotations)
    assert completed_blocks.tolist() == [True, quotations, False]


ASK = "Every Sunday the best of the week in your mail, free of charge."
CONSENT = "<div><p>Your settings keep this picture of the kettle from being shown to you here.</p>{}</div>"


def kept_of(html):
    """Return the text of what is left where all blocks were kept but one."""
    page = parse_page(html + "<p>Home</p>")
    before = np.array([True] * (len(page.blocks) - 1) + [False])
    after = complete_structure(page, before, np.zeros(len(before), bool))
    return " ".join(page.row_text(int(row)) for row in page.blocks.container[after])


@pytest.mark.parametrize("field", ["<input type=email>", "<input name=your-email>"])
def test_box_that_asks_for_an_address_is_dropped(field):
    box = f"<div><h3>Never miss a cup</h3><p>{ASK}</p><form>{field}<button>Go</button></form></div>"
    html = f"<article><p>{TEXT * 3}</p>{box}<p>{TEXT * 2}</p></article>"
    assert "Sunday" not in kept_of(html)
    assert "Never miss" not in kept_of(html)
    assert kept_of(html).count("Boil") == 5
    assert "Sunday" in kept_of(html.replace(field, "<input type=text>"))
    long = html.replace(ASK, ASK * 9)  # a text, and not a box
    assert "Sunday" in kept_of(long)


def test_page_of_nothing_but_a_form_keeps_its_text():
    assert "Sunday" in kept_of(f"<main><p>{ASK}</p><form><input type=email></form></main>")


def test_notice_that_is_repeated_beside_controls_is_dropped():
    button = "<button>Show</button>"
    for count, control, dropped in ((3, button, True), (2, button, False), (3, "", False)):
        html = "".join(f"<p>{TEXT} {number}</p>{CONSENT.format(control)}" for number in range(count))
        assert ("settings" not in kept_of(f"<article>{html}</article>")) == dropped


CARD = (
    "<div class=x><h4>More</h4><div><h3><a href=/b>Other pots</a></h3><p>A teaser of another article.</p></div></div>"
)


@pytest.mark.parametrize(
    ("card", "dropped"),
    [
        (CARD, True),
        (CARD.replace("div", "aside"), True),
        (CARD.replace("<a href=/b>Other pots</a>", "Other pots"), False),  # its heading leads nowhere
        ("<h3><a href=/b>Other pots</a></h3><p>A section that begins with a link.</p>", False),
    ],
)
def test_card_of_another_article_between_paragraphs_is_left_out(card, dropped):
    page = parse_page(f"<nav>Home</nav><article><p>{TEXT}</p>{card}<p>{TEXT} Yes.</p><p>{TEXT} No.</p></article>")
    kept = np.ones(len(page.blocks), bool)
    kept[0] = False
    cards_left = complete_structure(page, kept, kept & False, cards=False)
    assert cards_left.sum() == (3 if dropped else kept.sum())
    assert complete_structure(page, kept, kept & False).sum() == kept.sum()


def test_card_below_the_last_paragraph_is_left_to_the_model():
    page = parse_page(f"<article><p>{TEXT}</p><p>{TEXT} Yes.</p><p>{TEXT} No.</p>{CARD}</article><nav>Home</nav>")
    kept = np.ones(len(page.blocks), bool)
    kept[-1] = False
    assert complete_structure(page, kept, kept & False, cards=False).sum() == kept.sum()


ASKING = "Boil the water for us: our kitchen has no owner, and lives on what its readers give each month."
OTHER = "Another text that is as long as the first one, and says something else of tea and of water."


def appeal(heading, button="<a href=/give>Give</a>", text=ASKING):
    return f"<div class=box><p>{heading}</p><p>{text}</p>{button}</div>"


@pytest.mark.parametrize("button", ["<a href=/give>Give</a>", "<p><button>Give</button></p>"])
def test_an_appeal_that_stands_twice_is_left_out_of_an_article(button):
    paragraphs = "".join(f"<p>{TEXT} Cup {number}.</p>" for number in range(4))
    page = (
        f"<main><article><h1>Tea</h1>{paragraphs}{appeal('A word to our readers', button)}<p>Then pour it, and wait."
        f" {TEXT}</p></article>{appeal('Before you go', button)}</main>"
    )
    text = tamis.extract(page).text
    assert "Cup 3." in text
    assert "Then pour it" in text
    assert ASKING not in text
    assert "A word to our readers" not in text


@pytest.mark.parametrize(
    "second",
    [
        "",
        appeal("Before you go", text=OTHER),
        appeal("Before you go", "<a href=/give>Give</a> or <a href=/wait>wait</a>"),
        appeal("Before you go", "<p>Write to <a href=/give>us</a> at any time, by day or by night.</p>"),
        f"<p>{ASKING}</p>",
        appeal("Before you go", text=f"{ASKING}</p><p>{OTHER}"),
    ],
    ids=["once", "another text", "two links", "a link in a sentence", "a paragraph", "more text"],
)
def test_other_boxes_with_a_link_stay(second):
    page = parse_page(f"<main><article><p>{TEXT}</p>{appeal('A word')}<p>{TEXT}</p></article>{second}</main>")
    kept = np.ones(len(page.blocks), dtype=np.bool_)
    kept[-1] = False
    assert complete_structure(page, kept, kept & False, appeals=False).tolist() == kept.tolist()


def test_button_without_text_below_the_last_block_is_no_box():
    page = parse_page(f"<p>{TEXT}</p><p>Then pour.</p><div><button></button></div>")
    kept = np.array([True, False])
    assert complete_structure(page, kept, kept & False, appeals=False).tolist() == [True, False]
