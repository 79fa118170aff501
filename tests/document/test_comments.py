"""Readers' comments: detected apart from the content, with authors, dates and replies."""

import numpy as np

import tamis
from tamis.document.detectors.discussion import find_comments

BOX = (
    '<li class="comment depth-{}"><b class="author">{}</b> <time datetime="2024-05-0{}">May</time>'
    '<p>{}</p><a href="#">Reply</a></li>'
)
ARTICLE = (
    "<article><h1>Tea</h1>"
    + "<p>A paragraph about tea, with words, commas, and a point to make.</p>" * 6
    + "</article>"
)
THREAD = (
    '<section id="comments"><h2>Comments</h2><ol>'
    + BOX.format(1, "Ann", 1, "I like it.")
    + BOX.format(2, "Bob", 2, 'So do <a href="/x">I</a>.')
    + BOX.format(1, "Cy", 3, "I do not.")
    + "</ol></section>"
)


class Article:
    name = summary = source = "the article alone"

    def select(self, page):
        row = page.rows_of("article")[0]
        inside = (np.arange(len(page)) > row) & (np.arange(len(page)) < page.end[row])
        return tamis.Selection.from_mask(page, inside)


def test_comments_are_threaded_and_not_in_the_content():
    extraction = tamis.extract(ARTICLE + THREAD, extractor=Article())
    assert "I like it" not in extraction.text
    assert [(comment.author, comment.date, comment.text) for comment in extraction.comments] == [
        ("Ann", "2024-05-01", "I like it."),
        ("Cy", "2024-05-03", "I do not."),
    ]
    assert [reply.text for reply in extraction.comments[0].replies] == ["So do I."]
    markdown = extraction.render("markdown", comments=True).text
    assert markdown.startswith(extraction.markdown)
    assert "So do [I](/x)." in markdown
    assert "Reply" not in markdown


def test_content_and_comments_never_overlap(golden):
    extraction = tamis.extract(golden.html, golden.meta["url"])
    assert not (find_comments(extraction.page, extraction.selection).mask & extraction.selection.mask).any()


def test_selected_text_is_not_a_comment():
    assert tamis.extract(ARTICLE + THREAD, extractor="body").comments == ()
