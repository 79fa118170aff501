"""Details of the document that no page of tests/structure shows."""

from pathlib import Path

import pytest

import tamis
from tamis.document import Code, Figure, Footnote, List, Paragraph, Table, Text
from tamis.document.detect.invisible import count_invisible, strip_invisible
from tamis.document.detect.tables import data_tables
from tamis.document.spans import plain_text
from tamis.page import parse_page
from tamis.page.sums import in_subtree


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
    ],
)
def test_tables_of_data_are_told_from_layout(table, data):
    assert bool(data_tables(parse_page(f"<table>{table}</table>"))) == data


def test_a_role_decides():
    assert not data_tables(parse_page("<table role=presentation><tr><th>a<th>b</table>"))
    assert data_tables(parse_page("<table role=grid><tr><td>a</table>"))


def test_unchosen_cells_keep_their_place():
    (table,) = parts("<table><tr><th>a<th><th>c<tr><td>1<td>2<td>3</table>")
    assert isinstance(table, Table)
    assert [len(row.cells) for row in table.rows] == [3, 3]


def test_a_spacer_and_a_tracker_are_no_pictures():
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


def test_a_picture_in_a_box_with_unchosen_text_is_left_out():
    html = (
        "<p>One</p><div><img src=ad.png>Buy</div><figure><img src=a.png></figure><div><img src=b.png></div><p>Two</p>"
    )
    text = tamis.extract(html, extractor=Paragraphs()).markdown
    assert text == "One\n\n![](a.png)\n\n![](b.png)\n\nTwo"


def test_the_base_of_the_page_counts():
    (part,) = parts('<base href="/docs/"><p><a href="a">x</a>', "https://example.org/y")
    assert isinstance(part, Paragraph)
    assert part.spans[0].href == "https://example.org/docs/a"


@pytest.mark.parametrize(
    "href", ["javascript:alert(1)", " java\nscript:x", "data:text/html,x", "vbscript:x", "file:///etc"]
)
def test_unsafe_addresses_leave_their_text(href):
    (part,) = parts(f'<p><a href="{href}">x</a>')
    assert part.spans == (Text("x"),)


def test_code_has_a_language_where_the_page_says_one():
    html = '<div class="highlight-rust nohl"><pre>fn main() {}</pre></div><pre class="sourceCode haskell">x = 1</pre>'
    assert [part.language for part in parts(html) if isinstance(part, Code)] == ["rust", "haskell"]


def test_notes_with_the_same_mark_stay_apart():
    html = "".join(
        f'<h2>{n}</h2><p>Text<a id=r{n} href="#n{n}">1</a>.</p>'
        f'<p id=n{n} class=footnote>Note {n}. <a href="#r{n}">^</a></p>'
        for n in (1, 2)
    )
    assert [part.label for part in parts(html) if isinstance(part, Footnote)] == ["1", "1-2"]


def test_an_item_without_a_list_is_in_one():
    (part,) = parts("<div><li>a<li>b</div>")
    assert isinstance(part, List)
    assert len(part.items) == 2


def test_characters_that_nobody_sees():
    assert strip_invisible("a\u200bb\u202ec\U000e0041\ufeff") == "abc"
    assert strip_invisible("می\u200cخواهم 👩\u200d💻") == "می\u200cخواهم 👩\u200d💻"
    assert count_invisible("a\u200bb\u202ec") == (1, 1)


@pytest.mark.slow
def test_a_million_siblings_and_many_nested_parts():
    assert len(parts("<li>a" * 50_000)[0].items) == 50_000
    assert "deep" in tamis.extract("<blockquote><ul><li>" * 20_000 + "deep", extractor="body").markdown


def test_a_figure_needs_no_figure_element():
    box = '<div class="wp-caption"><img src="a.png" alt=A><p class="wp-caption-text">A cat.</p></div>'
    figure = parts(f"<p>Text.</p>{box}<p>More.", "https://example.org/")[1]
    assert [image.src for image in figure.images] == ["https://example.org/a.png"]
    assert plain_text(figure.caption) == "A cat."


def test_a_card_with_a_heading_is_no_figure():
    card = '<div class="card"><img src="a.png"><div class="caption"><h3>Open day</h3><p>In May.</p></div></div>'
    kinds = [type(part).__name__ for part in parts(f"<p>x</p>{card}<p>y", "https://example.org/")]
    assert kinds == ["Paragraph", "Figure", "Heading", "Paragraph", "Paragraph"]


def test_a_link_to_nowhere_is_text():
    page = '<p>Go <a href="#">up</a> or <a href="#!">on</a>, <a href="#b">there</a>.'
    written = tamis.extract(page, "https://e.org/a", extractor="body").markdown
    assert written == "Go up or on, [there](https://e.org/a#b)."


def test_emphasis_in_pieces_is_one():
    found = tamis.extract("<p><b>half</b><b>bold</b> H<sub>2</sub><sub>3</sub>", extractor="body")
    assert found.markdown == "**halfbold** H<sub>2</sub><sub>3</sub>"


def test_the_name_before_a_date_is_the_author_of_a_post():
    page = Path(__file__).parents[1] / "pages" / "news-comments" / "page.html"
    found = tamis.extract(page.read_bytes(), "https://www.example.org/a")
    first = found.comments[0]
    assert (first.author, first.date) == ("slipway_sue", "2023-09-14T07:15")
    assert first.text.startswith("About time.")
    assert [reply.author for reply in first.replies] == ["P. Hartnoll"]
    shown = found.render("html", comments=True, with_metadata=True).text
    assert '<p class="byline">slipway_sue · 2023-09-14 07:15</p><p>About time.' in shown
    written = found.render("markdown", comments=True, with_metadata=True).text
    assert "Monday 2 October.\n\n---\n\n**slipway_sue · 2023-09-14 07:15**\n\nAbout time." in written


def test_the_first_post_and_its_answers_are_posts_and_their_writers_are_not():
    box = '<article class="message" itemscope itemtype="https://schema.org/{}"><section itemscope itemtype='
    box += '"https://schema.org/Person"><h4 class="username">{}</h4></section><p>{}</p></article>'
    html = box.format("DiscussionForumPosting", "Ann", "Why?") + box.format("Comment", "Bo", "So.") * 2
    assert [(type(part).__name__, part.author) for part in parts(html)] == [
        ("Post", "Ann"),
        ("Post", "Bo"),
        ("Post", "Bo"),
    ]


def test_a_heading_is_bold_already():
    assert (
        tamis.extract("<h2><b>Tea</b></h2><h3><b>A</b> cup</h3>", extractor="body").markdown
        == "## Tea\n\n### **A** cup"
    )


def test_lines_of_code_may_be_spans():
    html = '<pre><code><span class="line">a = 1</span><span class="line">b = 2</span></code></pre>'
    assert parts(html)[0].text == "a = 1\nb = 2"
    kept = '<pre><code><span class="line">a</span>\n\n<span class="line">b</span></code></pre>'
    assert parts(kept)[0].text == "a\n\nb"


def test_icons_and_smileys_are_no_pictures():
    html = (
        '<p>Hi <img src="/i/lock.svg" alt=""> there <img src="/emoji/1.png" alt=":)"> and <img src="/a.svg" alt="A">.'
    )
    written = tamis.extract(html, "https://e.org/", extractor="body").markdown
    assert written == "Hi there :) and ![A](https://e.org/a.svg)."


def test_the_anchor_of_a_heading_is_no_part_of_it():
    html = '<h2 id=a><a href="#a">§</a>Tea</h2><h3>Cups <a href="#b">¶</a></h3><h4><a href="#c">C</a>#</h4>'
    written = tamis.extract(html, "https://e.org/", extractor="body").markdown
    assert written == "## Tea\n\n### Cups\n\n#### [C](https://e.org/#c)\\#"


def test_a_heading_is_no_link_to_itself():
    html = (
        '<h2 id=a><a href="#a">Tea</a></h2><section id=b><h2><a href="#b">Cups</a></h2></section>'
        '<h2 id=c><a href="#d">Pots</a> and <a href="/pans">pans</a></h2>'
    )
    written = tamis.extract(html, "https://e.org/", extractor="body").markdown
    assert written == "## Tea\n\n## Cups\n\n## [Pots](https://e.org/#d) and [pans](https://e.org/pans)"


@pytest.mark.parametrize("sign", ["¶", "#", "🔗"])
def test_no_output_has_the_sign_that_leads_to_its_own_place(sign):
    link = f'<a href="#t">{sign}</a>'
    html = f"<dl><dt id=t>Tea{link}</dt><dd>Leaves in water.</dd></dl><p>See {link} 2.</p>"
    found = tamis.extract(html, "https://e.org/", extractor="body")
    assert found.text == found.render("text").text == f"Tea\nLeaves in water.\n\nSee {sign} 2."
    assert "**Tea**" in found.markdown
    assert "<dt>Tea</dt>" in found.html
    assert [block.text for block in found.blocks] == ["Tea", "Leaves in water.", f"See {sign} 2."]


def test_a_sign_that_leads_to_a_note_stays():
    html = '<p>Tea is old.<sup><a href="#n1">§</a></sup></p><p>Older than coffee.</p>'
    assert "§" in tamis.extract(html, "https://e.org/", extractor="body").text


def test_a_picture_given_twice_in_a_row_is_one():
    html = (
        '<p>Tea.</p><div><img src="/a.jpg" alt="Cup"></div><div class=mobile><img src="/a.jpg" alt="Cup"></div>'
        '<p>Water.</p><img src="/a.jpg" alt="Cup"><p>Leaves.</p>'
    )
    written = tamis.extract(html, "https://e.org/", extractor="body").markdown
    cup = "![Cup](https://e.org/a.jpg)"
    assert written == f"Tea.\n\n{cup}\n\nWater.\n\n{cup}\n\nLeaves."


def test_of_a_picture_and_its_figure_the_figure_stays():
    html = '<p>Tea.</p><img src="/a.jpg"><figure><img src="/a.jpg"><figcaption>A cup</figcaption></figure><p>End.</p>'
    figures = [part for part in parts(html) if isinstance(part, Figure)]
    assert [(len(figure.images), plain_text(figure.caption)) for figure in figures] == [(1, "A cup")]


def test_two_captions_of_one_figure_stay_apart():
    html = (
        "<p>Tea.</p><figure><img src=/a.jpg><figcaption>A cup</figcaption><figcaption>Ann Lee</figcaption></figure>"
    )
    found = tamis.extract(html + "<p>End.</p>", "https://e.org/", extractor="body")
    for form in ("text", "markdown", "html", "xml"):
        assert "cupAnn" not in found.render(form).text
        assert "Ann Lee" in found.render(form).text


def test_a_character_that_nobody_sees_keeps_no_words_together():
    html = "<p>Boil water. \u200b<img src=/a.jpg alt=Pot><b>\u200b Wait.</b></p>"
    found = tamis.extract(html, "https://e.org/", extractor="body")
    assert found.text == found.render("text", images=False).text == "Boil water. Wait."
    assert found.markdown == "Boil water. ![Pot](https://e.org/a.jpg) **Wait.**"


def test_a_line_ends_behind_what_is_around_its_words():
    found = tamis.extract("<p><b>Boil water.<br></b>Wait.", extractor="body")
    assert found.markdown == "**Boil water.**\\\nWait."


def test_a_break_that_is_hidden_breaks_nothing():
    found = tamis.extract("<p>tea<span hidden><br></span>pot", extractor="body")
    assert found.text == found.render("text").text == "teapot"
