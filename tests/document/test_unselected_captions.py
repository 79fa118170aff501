"""A picture is shown with its caption, also where the caption is not selected as text."""

import pytest

from tamis.document.build import build_document
from tamis.document.parts import Figure
from tamis.page import parse_page
from tamis.render.document_text import render_text
from tamis.render.html import render_html
from tamis.render.markdown import render_markdown
from tamis.render.registry import RenderOptions
from tamis.render.text import direct_rows, selected_text

FIGURE = '<figure><img src="/pot.jpg" alt="Pot"><figcaption>A pot.</figcaption></figure>'
BOX = '<div class="wp-caption"><img src="/pot.jpg" alt="Pot"><p class="wp-caption-text">A pot.</p></div>'


def built(figure):
    page = parse_page(f"<main><p>Boil the water.</p>{figure}<p>Then pour.</p></main>")
    mask = page.shown.copy()
    mask[[row for row in range(len(page)) if page.is_text[row] and page.row_text(row) == "A pot."]] = False
    return page, mask, build_document(page, mask, "https://example.org/")


@pytest.mark.parametrize("figure", [FIGURE, BOX])
def test_the_caption_is_written_with_the_picture(figure):
    _, _, document = built(figure)
    markdown = "Boil the water.\n\n![Pot](https://example.org/pot.jpg)\n\nA pot.\n\nThen pour."
    assert render_markdown(document).text == markdown
    assert "<figcaption>A pot.</figcaption>" in render_html(document).text
    without = RenderOptions(images=False)
    assert all("A pot." not in write(document, without).text for write in (render_markdown, render_html))
    assert [part.caption_selected for part in document if isinstance(part, Figure)] == [False]


@pytest.mark.parametrize("figure", [FIGURE, BOX])
def test_plain_text_has_the_selected_words(figure):
    page, mask, document = built(figure)
    assert render_text(document).text == selected_text(page, mask) == "Boil the water.\n\nThen pour."
    assert direct_rows(page, mask).mask is mask


def test_a_caption_without_its_picture_is_left_out():
    _, _, document = built(FIGURE.replace("<img", '<img width="1"'))
    assert render_markdown(document).text == "Boil the water.\n\nThen pour."


def test_a_selected_caption_is_text():
    page = parse_page(f"<main><p>Boil the water.</p>{FIGURE}</main>")
    assert render_text(build_document(page, page.shown)).text == "Boil the water.\n\nA pot."


@pytest.mark.parametrize(
    ("content", "written"),
    [
        ("<table><tr><th>a<th>b<tr><td>1<td>2</table>", "| a | b |\n| --- | --- |\n| 1 | 2 |"),
        ("<pre><code>a = 1</code></pre>", "```\na = 1\n```"),
    ],
)
def test_a_table_and_code_are_written_with_their_caption(content, written):
    _, _, document = built(f"<figure>{content}<figcaption>A pot.</figcaption></figure>")
    assert render_markdown(document).text == f"Boil the water.\n\n{written}\n\nA pot.\n\nThen pour."
