"""Decisions of the builder, each from evidence that a page has: what a box, a figure or a line of code belongs to."""

import numpy as np

import tamis
from tamis.document.build import build_document
from tamis.document.parts import Callout, Code, Figure, spans_text
from tamis.page import parse_page

P = "<p>Boil the water and wait for a minute, then pour it over the leaves.</p>"


def markdown(html, url="https://example.org/tea"):
    return tamis.extract(html, url, extractor="body").to_markdown(title=False)


def build(html, *left_out):
    page = parse_page(html)
    mask = page.shown & np.array([page.row_text(row).strip() not in left_out for row in range(len(page))])
    return build_document(page, mask)


def test_a_callout_is_kept_with_its_title():
    box = "<div class='alert alert-info'><p class='alert-heading'>Important</p><p>Tea is hot.</p></div>"
    (callout,) = [part for part in build(P + box + P, "Important") if isinstance(part, Callout)]
    assert spans_text(callout.title) == "Important"
    assert not callout.title_selected


def test_pictures_of_a_gallery_are_kept_whose_captions_are_not_selected():
    figures = "".join(f"<figure><img src={n}.jpg><figcaption>Cup {n}</figcaption></figure>" for n in "ab")
    found = build(f"{P}<div>{figures}</div>{P}", "Cup a", "Cup b")
    assert [part.images[0].src for part in found if isinstance(part, Figure)] == ["a.jpg", "b.jpg"]
    beside = build(f"{P}<div>{figures}<p>Buy cups!</p></div>{P}", "Cup a", "Cup b", "Buy cups!")
    assert not [part for part in beside if isinstance(part, Figure)]


def test_a_figure_with_one_picture_in_two_sizes_has_it_once():
    figure = "<figure><img src=/pot-large.webp><img src=/pot-small.jpg><figcaption>A pot</figcaption></figure>"
    assert markdown(P + figure + P).count("![") == 1
    others = "<figure><img src=/pot.webp><img src=/cup.jpg><figcaption>Both</figcaption></figure>"
    assert markdown(P + others + P).count("![") == 2


def test_a_link_around_the_heading_that_it_leads_to_is_none():
    assert "## Green" in markdown(f"<a href='#green'><div><h2 id=green>Green</h2></div></a>{P}")
    assert "## [Green]" in markdown(f"<a href='#leaves'><div><h2 id=green>Green</h2></div></a>{P}")


def test_a_heading_is_no_note_because_a_number_leads_to_it():
    html = f"<p>By the lemma (<a href='#l'>2</a>) it boils.</p><h3><a name=l></a>Lemma 2 (Steam)</h3>{P}"
    assert "([2](" in markdown(html)


def test_a_command_and_its_output_are_one_block():
    pieces = "<code class='hl lean block'>#check m</code> <pre class='hl lean output'>m : Nat</pre>"
    (code,) = [part for part in build(f"{P}<div>{pieces}</div>{P}") if isinstance(part, Code)]
    assert (code.text, code.language) == ("#check m\nm : Nat", "lean")
    named = build(f"{P}<div><div><code>tea.py</code></div><pre class=language-py>pour()</pre></div>{P}")
    assert [part.text for part in named if isinstance(part, Code)][-1] == "pour()"


def test_a_heading_without_an_end_tag_ends_before_code():
    html = "<h2>Milk test<pre>\n  <p>1.0 failed</pre><p>Add none.<pre><p>Call us:</p></pre>"
    assert markdown(html) == "## Milk test\n\n```\n1.0 failed\n```\n\nAdd none.\n\nCall us:"


def test_articles_of_a_list_keep_their_titles_without_a_class():
    box = (
        "<article><a href=/{0}>Tea number {0}</a><div>It is brewed in a pot of clay for {0} minutes.</div></article>"
    )
    titles = [f"Tea number {number}" for number in range(3)]
    texts = [spans_text(part.spans) for part in build("".join(map(box.format, range(3))), *titles[1:])]
    assert texts[::2] == titles


def test_lines_whose_tokens_are_code_elements_are_a_block():
    lines = ("def pour():", "    boil()", "    return tea")
    divs = "".join(f"<div><span><code>{line.replace(' ', '&nbsp;')}</code></span></div>" for line in lines)
    (code,) = [part for part in build(f"{P}<div>{divs}</div>{P}") if isinstance(part, Code)]
    assert code.text == "\n".join(lines)


def test_alternative_text_that_stands_beside_a_picture_is_not_written():
    card = "<div><img src=/pot.jpg alt='A red pot'></div><h3>A red pot</h3>"
    assert markdown(P + card + P).count("A red pot") == 1
    assert "![Cup](https://example.org/cup.jpg)" in markdown(f"{P}<div><img src=/cup.jpg alt=Cup></div>{P}")


def test_a_picture_that_stands_alone_is_written_once():
    html = "<div><img src=/pot.jpg alt=Pot></div>" + P
    assert markdown(html + html).count("pot.jpg") == 1


def test_a_heading_in_an_item_is_bold():
    assert markdown(f"<ul><li><h3>Green</h3>{P}</li></ul>").startswith("- **Green**")


def test_a_player_without_a_title_has_that_of_its_section():
    frame = "<iframe src='https://www.youtube.com/embed/a1'></iframe>"
    assert "[▶ Pouring](" in markdown(f"<h2>Pouring</h2>{P}{frame}{P}")
    assert "[▶ youtube.com](" in markdown(P + frame + P)


def test_the_first_row_is_the_header_of_a_table_that_has_none():
    table = "<table><tr><td>Tea</td><td>2 g</td></tr><tr><td>Salt</td><td>1 g</td></tr></table>"
    assert "| Tea | 2 g |\n| --- | --- |\n| Salt | 1 g |" in markdown(P + table)


def test_icons_are_no_pictures():
    assert "icon" not in markdown(
        f"<p><img src=/img/icon_email.gif> Write to us.</p>{P}<img src=/arrow-right.png>{P}"
    )
    assert "icon_swap" in markdown(f"{P}<img src=/icon_swap.png alt='Two rows of icons that were swapped'>{P}")


def test_brackets_in_pairs_are_not_escaped_in_links():
    assert "[Tea [new]](" in markdown("<p><a href=/tea>Tea [new]</a></p>")
    assert "[Tea \\]new](" in markdown("<p><a href=/tea>Tea ]new</a></p>")


def test_links_are_written_without_parameters_that_track_readers():
    page = "<p>See <a href='https://e.org/pot?id=1&amp;utm_source=x'>the pot</a> on the stove.</p>"
    extraction = tamis.extract(page, extractor="body")
    for name in ("markdown", "html", "xml", "json"):
        assert "utm_source" not in extraction.render(name).text
        assert "utm_source" in extraction.render(name, clean_urls=False).text
