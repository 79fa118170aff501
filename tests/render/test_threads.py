"""Threads and plain text in Markdown: author, date and depth of posts; text pages are paragraphs."""

import tamis

POST = (
    '<li class="comment depth-{depth}"><b class="author">{author}</b> <time datetime="{date}"></time>'
    "<p>{text}</p></li>"
)
PAGE = (
    "<main><p>Tea is a drink that needs water, leaves and a little patience.</p></main><ol id=comments>"
    + POST.format(depth=1, author="Ann", date="2024-05-03T10:00", text="I agree with that.")
    + POST.format(depth=2, author="Bob", date="2024-05-04T11:30", text="So do I, mostly.")
    + "</ol>"
)


def test_posts_show_author_date_and_depth():
    page = tamis.parse_page(PAGE)
    mask = page.is_text & (page.parent == page.rows_of("p")[0])
    extraction = tamis.Extraction(page, tamis.Selection.from_mask(page, mask), None, "test")
    markdown = extraction.render("markdown", comments=True).text
    assert "**Ann** · 2024-05-03\n\nI agree with that." in markdown
    assert "> **Bob** · 2024-05-04\n>\n> So do I, mostly." in markdown


def test_posts_can_be_a_nested_list():
    nested = (
        PAGE.replace("I agree with that.</p></li>", "I agree with that.</p><ul><li>Wholly.</ul><ol>") + "</ol></li>"
    )
    page = tamis.parse_page(nested)
    mask = page.is_text & (page.parent == page.rows_of("p")[0])
    extraction = tamis.Extraction(page, tamis.Selection.from_mask(page, mask), None, "test")
    markdown = extraction.to_markdown(comments=True, replies="list")
    assert "- **Ann** · 2024-05-03\n\n  I agree with that." in markdown
    # Another marker than that of the list before it, which it is not an item of.
    assert "\n  - Wholly.\n\n  * **Bob** · 2024-05-04\n\n    So do I, mostly." in markdown
    assert markdown.count("---") == 1  # before the comments


def test_comments_on_a_story_are_quotations_with_a_link_and_votes():
    row = '<tr class="comtr" id="{0}"><td><a class="hnuser" href="user?id={1}">{1}</a> <span class="age" title='
    row += '"2025-01-15T10:00:00"><a href="item?id={0}">now</a></span> <span class="score">{2}</span>'
    row += '<div class="commtext"><p>{3}</p></div></td></tr>'
    rows = row.format(11, "ann", "25 points", "It is true.") + row.format(12, "bo", "1 point", "So it is.")
    page = tamis.extract(f"<table>{rows}</table>", "https://news.example.org/item?id=10", extractor="body")
    assert page.markdown == (
        "> **ann** · [2025-01-15](https://news.example.org/item?id=11) · 25 points\n>\n> It is true.\n\n"
        "> **bo** · [2025-01-15](https://news.example.org/item?id=12) · 1 point\n>\n> So it is."
    )
    assert '<span class="votes">1 point</span>' in page.html


def test_a_page_of_plain_text_has_paragraphs():
    line = "Water for tea must be fresh, and it must not have boiled before it is poured\n"
    extraction = tamis.extract(f"Tea\n\n{line * 3}\n{line * 2}", extractor="body")
    assert extraction.markdown.count("\n\n") == 2
    assert extraction.text.count("\n\n") == 2
    assert "\\\n" not in extraction.markdown


RFC = """<pre>
Network Working Group                                          A. Person
Request for Comments: 9999                                      May 2024

Contents

   1.  Introduction
   2.  Session

1.  Introduction

   This is the introduction of a document about the brewing of tea, which
   has lines that are filled by hand, and a sentence that goes on

Person                      Standards Track                     [Page 1]

RFC 9999                      Brewing Tea                       May 2024

   on the next page.

2.  Session

      S: 220 tea.example ready
      C: BREW green
      S: 250 OK

Person                      Standards Track                     [Page 2]
</pre>"""


def test_an_rfc_keeps_its_contents_and_sessions_as_lines_and_loses_its_page_ends():
    markdown = tamis.extract(RFC, extractor="body").to_markdown(title=False)
    assert "## Contents\n\n```\n1.  Introduction\n2.  Session\n```\n\n## 1. Introduction" in markdown
    assert "a sentence that goes on on the next page." in markdown
    assert markdown.endswith("```\nS: 220 tea.example ready\nC: BREW green\nS: 250 OK\n```")
    assert "[Page" not in markdown
    assert "\\\n" not in markdown
