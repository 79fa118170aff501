"""The builder: from selected rows to parts and spans. Pages in tests/structure show each type of part."""

import pytest

import tamis
from tamis.document import List, Paragraph, Table, Text
from tamis.document.parts import spans_text


def parts(html, url=None):
    return tamis.extract(html, url, extractor="body").document.parts


def test_empty_cell_keeps_its_column():
    (table,) = parts("<table><tr><th>a<th><th>c<tr><td>1<td>2<td>3</table>")
    assert isinstance(table, Table)
    assert [len(row.cells) for row in table.rows] == [3, 3]


def test_links_are_resolved_with_the_base_element():
    (part,) = parts('<base href="/docs/"><p><a href="a">x</a>', "https://example.org/y")
    assert isinstance(part, Paragraph)
    assert part.spans[0].href == "https://example.org/docs/a"


@pytest.mark.parametrize(
    "href", ["javascript:alert(1)", " java\nscript:x", "data:text/html,x", "vbscript:x", "file:///etc"]
)
def test_unsafe_url_leaves_the_text_of_its_link(href):
    (part,) = parts(f'<p><a href="{href}">x</a>')
    assert part.spans == (Text("x"),)


def test_items_without_a_list_are_wrapped_in_one():
    (part,) = parts("<div><li>a<li>b</div>")
    assert isinstance(part, List)
    assert len(part.items) == 2


@pytest.mark.slow
def test_many_siblings_and_deep_nesting_are_built():
    assert len(parts("<li>a" * 50_000)[0].items) == 50_000
    assert "deep" in tamis.extract("<blockquote><ul><li>" * 20_000 + "deep", extractor="body").markdown


def test_link_without_a_target_is_text():
    page = '<p>Go <a href="#">up</a> or <a href="#!">on</a>, <a href="#b">there</a>.'
    markdown = tamis.extract(page, "https://e.org/a", extractor="body").markdown
    assert markdown == "Go up or on, [there](https://e.org/a#b)."


def test_adjacent_pieces_of_emphasis_are_joined():
    extraction = tamis.extract("<p><b>half</b><b>bold</b> H<sub>2</sub><sub>3</sub>", extractor="body")
    assert extraction.markdown == "**halfbold** H<sub>2</sub><sub>3</sub>"


def test_bold_around_a_whole_heading_is_dropped():
    assert (
        tamis.extract("<h2><b>Tea</b></h2><h3><b>A</b> cup</h3>", extractor="body").markdown
        == "## Tea\n\n### **A** cup"
    )


def test_link_of_a_heading_to_itself_is_text():
    html = (
        '<h2 id=a><a href="#a">Tea</a></h2><section id=b><h2><a href="#b">Cups</a></h2></section>'
        '<h2 id=c><a href="#d">Pots</a> and <a href="/pans">pans</a></h2>'
    )
    markdown = tamis.extract(html, "https://e.org/", extractor="body").markdown
    assert markdown == "## Tea\n\n## Cups\n\n## [Pots](https://e.org/#d) and [pans](https://e.org/pans)"


def test_two_captions_of_a_figure_are_separate_lines():
    html = (
        "<p>Tea.</p><figure><img src=/a.jpg><figcaption>A cup</figcaption><figcaption>Ann Lee</figcaption></figure>"
    )
    extraction = tamis.extract(html + "<p>End.</p>", "https://e.org/", extractor="body")
    for format_name in ("text", "markdown", "html", "xml"):
        assert "cupAnn" not in extraction.render(format_name).text
        assert "Ann Lee" in extraction.render(format_name).text


def test_invisible_character_does_not_replace_white_space():
    html = "<p>Boil water. \u200b<img src=/a.jpg alt=Pot><b>\u200b Wait.</b></p>"
    extraction = tamis.extract(html, "https://e.org/", extractor="body")
    assert extraction.text == extraction.render("text", images=False).text == "Boil water. Wait."
    assert extraction.markdown == "Boil water. ![Pot](https://e.org/a.jpg) **Wait.**"


def test_line_break_at_the_end_of_emphasis_moves_behind_it():
    extraction = tamis.extract("<p><b>Boil water.<br></b>Wait.", extractor="body")
    assert extraction.markdown == "**Boil water.**\\\nWait."


def test_hidden_line_break_is_ignored():
    extraction = tamis.extract("<p>tea<span hidden><br></span>pot", extractor="body")
    assert extraction.text == extraction.render("text").text == "teapot"


def test_the_heading_of_an_item_below_its_picture_is_its_name():
    picture = "<img src=/{0}.png width=300 height=200>"
    item = f"<li>{picture}<p>3 May</p><h4><a href=/{{0}}>Tea {{0}}</a></h4><p>Pour, and wait.</p>"
    markdown = tamis.extract(f"<ul>{item.format(1)}{item.format(2)}</ul>", extractor="body").markdown
    assert "**[Tea 1](/1)**" in markdown
    assert "#" not in markdown


def test_an_item_with_sections_keeps_its_headings():
    item = "<li><p>Warm the pot first.</p><h4>Pour</h4><p>Not too hot.</p><h4>Wait</h4><p>Four minutes.</p>"
    markdown = tamis.extract(f"<ol>{item}</ol>", extractor="body").markdown
    assert "#### Pour" in markdown
    assert "#### Wait" in markdown


def test_a_first_row_with_one_cell_above_all_columns_is_the_title_of_its_table():
    rows = "".join(f"<tr><td>{name}<td>{minutes} min<td>{degrees} °C" for name, minutes, degrees in TEAS)
    page = f"<table><tr><td colspan=3>Brewing times<tr><th>Tea<th>Time<th>Heat{rows}</table>"
    (table,) = tamis.extract(page, extractor="body").document.parts
    assert spans_text(table.caption) == "Brewing times"
    assert [len(row.cells) for row in table.rows] == [3] * 4
    assert table.rows[0].header


def test_a_row_that_spans_some_columns_and_a_group_of_rows_are_no_titles():
    rows = "".join(f"<tr><td>{name}<td>{minutes}<td>{degrees}" for name, minutes, degrees in TEAS)
    for first in ("<tr><td colspan=2>Green", "<tr><td colspan=3>Green<tr><td colspan=3>Japan"):
        (table,) = tamis.extract(f"<table>{first}{rows}</table>", extractor="body").document.parts
        assert not table.caption


TEAS = (("Sencha", 2, 75), ("Assam", 4, 95), ("Mint", 8, 100))


def test_the_link_of_a_card_is_on_what_its_class_calls_the_title():
    card = "<a href=/t><div class=card-title>Tea</div><div class=card-text>It is from the valley.</div></a>"
    first, second = parts(f"<div>{card}</div>", "https://example.org/")
    assert first.spans[0].href == "https://example.org/t"
    assert second.spans == (Text("It is from the valley."),)


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<li><span class=label>Weight</span><span class=value>2 kg</span></li>", "Weight 2 kg"),
        ("<p><span class=name>Windows</span><span class=name>11</span>", "Windows11"),
        ("<p>The <span class=a>abc</span><span class=b>12</span> of it.", "The abc12 of it."),
        ("<p><span class=el>CO</span><span class=count>2</span>", "CO2"),
        ("<div><label>npm</label><label>yarn</label></div>", "npm yarn"),
        ("<p>Tea<label>1</label>", "Tea1"),
    ],
)
def test_labels_and_values_are_kept_apart(html, text):
    extraction = tamis.extract(html, extractor="body")
    assert extraction.text == text
    assert extraction.markdown.removeprefix("- ") == text


NOTION = "<ul class=bulleted-list><li>one</ul><ul class=bulleted-list><li>two</ul>"
STEPS = "<ol class=numbered-list start={}><li>a</ol><ol class=numbered-list start={}><li>b</ol>"
TODO = "<ul class=to-do-list><li><div class='checkbox checkbox-on'></div> Done</ul>"


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        (NOTION + NOTION, "- one\n- two\n- one\n- two"),
        (NOTION.replace("bulleted-list><li>two", "other><li>two"), "- one\n\n* two"),
        (NOTION.replace("</ul><ul", "</ul><p>Then</p><ul"), "- one\n\nThen\n\n- two"),
        (STEPS.format(1, 2), "1. a\n2. b"),
        (STEPS.format(1, 1), "1. a\n\n1) b"),
        (TODO + TODO.replace("-on", "-off").replace("Done", "To do"), "- [x] Done\n- [ ] To do"),
    ],
)
def test_a_list_for_each_item_is_one_list(html, markdown):
    assert tamis.extract(html, extractor="body").markdown == markdown


def test_a_sign_that_links_to_the_box_around_it_is_no_paragraph():
    page = '<p>Messages:</p><div id="s-2"><pre>message = type length</pre><a href="#s-2" class="pilcrow">¶</a></div>'
    assert tamis.extract(page, extractor="body").markdown == "Messages:\n\n```\nmessage = type length\n```"
    other = page.replace("¶", "#").replace('"#s-2"', '"#s-3"')
    assert tamis.extract(other, extractor="body").markdown.endswith("```\n\n\\#")
