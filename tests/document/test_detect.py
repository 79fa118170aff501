"""The detectors: data tables, images, code, footnotes, captioned boxes, permalink signs, invisible characters."""

from pathlib import Path

import pytest

import tamis
from tamis.document import Code, Figure, Footnote
from tamis.document.parts import spans_text
from tamis.html.text import count_invisible, strip_invisible
from tamis.page import parse_page
from tamis.page.sums import in_subtree

PROSE = "The kettle sang, and the cook came in from the yard. She lifted it, poured, and sat down to wait. It rained."


def parts(html, url=None):
    return tamis.extract(html, url, extractor="body").document.parts


@pytest.mark.parametrize(
    ("table", "data"),
    [
        ("<tr><th>a<td>b", True),
        ("<caption>c</caption><tr><td>a", True),
        ("<tr><td>a<td>b<tr><td>c<td>d", True),
        ("<tr><td>one cell", False),
        ("<tr><td>one<tr><td>column", False),
        ("<tr><td>a<td><h2>b</h2><tr><td>c<td>d", False),
        (f"<tr><td>a<td>{'long text ' * 60}<tr><td>c<td>d", False),
        (f"<tr><th>Headline<tr><td>{'A sentence of the story. ' * 60}<td>By us", False),
        (f"<tr><th>Room<th>Note<tr><td>1<td>{'A sentence about the room. ' * 20}", True),
        (f"<tr><td>甲<td>{'这是一个句子，没有句号' * 13}<tr><td>乙<td>丙", False),
        (f"<tr><td>{PROSE}<td>{PROSE}<tr><td>{PROSE}<td>more", False),
        (f"<tr><td>tea<td>{PROSE}<tr><td>pot<td>{PROSE}", True),
    ],
)
def test_data_tables_are_told_apart_from_layout_tables(table, data):
    assert bool(parse_page(f"<table>{table}</table>").data_tables) == data


def test_role_of_a_table_decides():
    assert not parse_page("<table role=presentation><tr><th>a<th>b</table>").data_tables
    assert parse_page("<table role=grid><tr><td>a</table>").data_tables


def test_spacers_and_trackers_are_not_images():
    assert not [
        part
        for part in parts(
            '<p>a</p><p><img src=x.gif width=1 height=1><img src="data:image/png;base64,x"></p><p>b</p>'
        )
        if isinstance(part, Figure)
    ]


class Paragraphs:
    name = summary = source = "what stands in p"

    def select(self, page):
        return tamis.Selection.from_mask(page, in_subtree(page.end, page.rows_of("p")))


def test_image_beside_unselected_text_is_left_out():
    html = (
        "<p>One</p><div><img src=ad.png>Buy</div><figure><img src=a.png></figure><div><img src=b.png></div><p>Two</p>"
    )
    text = tamis.extract(html, extractor=Paragraphs()).markdown
    assert text == "One\n\n![](a.png)\n\n![](b.png)\n\nTwo"


def test_code_language_is_read_from_classes():
    html = '<div class="highlight-rust nohl"><pre>fn main() {}</pre></div><pre class="sourceCode haskell">x = 1</pre>'
    assert [part.language for part in parts(html) if isinstance(part, Code)] == ["rust", "haskell"]


def test_table_that_a_program_printed_keeps_its_columns():
    table = "Leaf       Old     New     Size\n\nsencha     1.0     1.1     4 MiB\nassam      2.0     2.1     9 MiB"
    assert tamis.extract(f"<pre>{table}</pre>", extractor="body").markdown == f"```\n{table}\n```"


def test_footnotes_with_the_same_label_get_different_ones():
    html = "".join(
        f'<h2>{n}</h2><p>Text<a id=r{n} href="#n{n}">1</a>.</p>'
        f'<p id=n{n} class=footnote>Note {n}. <a href="#r{n}">^</a></p>'
        for n in (1, 2)
    )
    assert [part.label for part in parts(html) if isinstance(part, Footnote)] == ["1", "1-2"]


def test_invisible_characters_are_removed_and_counted():
    assert strip_invisible("a\u200bb\u202ec\U000e0041\ufeff") == "abc"
    assert strip_invisible("می\u200cخواهم 👩\u200d💻") == "می\u200cخواهم 👩\u200d💻"
    assert count_invisible("a\u200bb\u202ec") == (1, 1)


def test_captioned_box_is_a_figure():
    box = '<div class="wp-caption"><img src="a.png" alt=A><p class="wp-caption-text">A cat.</p></div>'
    figure = parts(f"<p>Text.</p>{box}<p>More.", "https://example.org/")[1]
    assert [image.src for image in figure.images] == ["https://example.org/a.png"]
    assert spans_text(figure.caption) == "A cat."


def test_card_with_a_heading_is_not_a_figure():
    card = '<div class="card"><img src="a.png"><div class="caption"><h3>Open day</h3><p>In May.</p></div></div>'
    types = [type(part).__name__ for part in parts(f"<p>x</p>{card}<p>y", "https://example.org/")]
    assert types == ["Paragraph", "Figure", "Heading", "Paragraph", "Paragraph"]


def test_name_before_a_date_is_the_author_of_a_comment():
    page = Path(__file__).parents[1] / "pages" / "news-comments" / "page.html"
    extraction = tamis.extract(page.read_bytes(), "https://www.example.org/a")
    first = extraction.comments[0]
    assert (first.author, first.date) == ("slipway_sue", "2023-09-14T07:15")
    assert first.text.startswith("About time.")
    assert [reply.author for reply in first.replies] == ["P. Hartnoll"]
    shown = extraction.render("html", comments=True, with_metadata=True).text
    link = '<a href="https://www.example.org/a#comment-55121">2023-09-14</a>'
    date = f'<time datetime="2023-09-14T07:15:00">{link}</time>'
    assert f'<p class="byline"><span class="author">slipway_sue</span> · {date}</p><p>About time.' in shown
    markdown = extraction.render("markdown", comments=True, with_metadata=True).text
    link = "[2023-09-14](https://www.example.org/a#comment-55121)"
    assert f"Monday 2 October.\n\n---\n\n> **slipway_sue** · {link}\n>\n> About time." in markdown


def test_opening_post_and_replies_are_posts_and_their_authors_are_not():
    box = '<article class="message" itemscope itemtype="https://schema.org/{}"><section itemscope itemtype='
    box += '"https://schema.org/Person"><h4 class="username">{}</h4></section><p>{}</p></article>'
    html = box.format("DiscussionForumPosting", "Ann", "Why?") + box.format("Comment", "Bo", "So.") * 2
    assert [(type(part).__name__, part.author) for part in parts(html)] == [
        ("Post", "Ann"),
        ("Post", "Bo"),
        ("Post", "Bo"),
    ]


def test_spans_are_lines_of_code_where_no_line_ends():
    html = '<pre><code><span class="line">a = 1</span><span class="line">b = 2</span></code></pre>'
    assert parts(html)[0].text == "a = 1\nb = 2"
    kept = '<pre><code><span class="line">a</span>\n\n<span class="line">b</span></code></pre>'
    assert parts(kept)[0].text == "a\n\nb"


def test_icons_are_dropped_and_emoji_are_text():
    html = (
        '<p>Hi <img src="/i/lock.svg" alt=""> there <img src="/emoji/1.png" alt=":)"> and <img src="/a.svg" alt="A">.'
    )
    markdown = tamis.extract(html, "https://e.org/", extractor="body").markdown
    assert markdown == "Hi there :) and ![A](https://e.org/a.svg)."


def test_permalink_sign_of_a_heading_is_dropped():
    html = '<h2 id=a><a href="#a">§</a>Tea</h2><h3>Cups <a href="#b">¶</a></h3><h4><a href="#d">C</a>#</h4>'
    markdown = tamis.extract(html, "https://e.org/", extractor="body").markdown
    assert markdown == "## Tea\n\n### Cups\n\n#### [C](https://e.org/#d)\\#"


def test_a_heading_does_not_link_to_itself():
    html = '<h2><a id="what-tea-is"></a><a href="#what-tea-is">What tea is</a></h2><h2><a href="#1">1</a></h2>'
    assert tamis.extract(html, "https://e.org/", extractor="body").markdown == "## What tea is\n\n## 1"


def test_rules_with_nothing_between_them_are_one():
    html = "<p>Tea.</p><hr><div><p></p></div><hr><p>Cups.</p>"
    assert tamis.extract(html, extractor="body").markdown == "Tea.\n\n---\n\nCups."


@pytest.mark.parametrize("sign", ["¶", "#", "🔗"])
def test_permalink_sign_is_dropped_from_every_output(sign):
    link = f'<a href="#t">{sign}</a>'
    html = f"<dl><dt id=t>Tea{link}</dt><dd>Leaves in water.</dd></dl><p>See {link} 2.</p>"
    extraction = tamis.extract(html, "https://e.org/", extractor="body")
    assert extraction.text == extraction.render("text").text == f"Tea\nLeaves in water.\n\nSee {sign} 2."
    assert "**Tea**" in extraction.markdown
    assert "<dt>Tea</dt>" in extraction.html
    assert [block.text for block in extraction.blocks] == ["Tea", "Leaves in water.", f"See {sign} 2."]


def test_sign_that_refers_to_a_footnote_stays():
    html = '<p>Tea is old.<sup><a href="#n1">§</a></sup></p><p>Older than coffee.</p>'
    assert "§" in tamis.extract(html, "https://e.org/", extractor="body").text


def test_repeated_image_is_written_once():
    html = (
        '<p>Tea.</p><div><img src="/a.jpg" alt="Cup"></div><div class=mobile><img src="/a.jpg" alt="Cup"></div>'
        '<p>Water.</p><img src="/a.jpg" alt="Cup"><p>Leaves.</p>'
    )
    markdown = tamis.extract(html, "https://e.org/", extractor="body").markdown
    cup = "![Cup](https://e.org/a.jpg)"
    assert markdown == f"Tea.\n\n{cup}\n\nWater.\n\nLeaves."


def test_of_an_image_and_its_copy_in_a_figure_the_figure_stays():
    html = '<p>Tea.</p><img src="/a.jpg"><figure><img src="/a.jpg"><figcaption>A cup</figcaption></figure><p>End.</p>'
    figures = [part for part in parts(html) if isinstance(part, Figure)]
    assert [(len(figure.images), spans_text(figure.caption)) for figure in figures] == [(1, "A cup")]
