"""Structure that is easily lost: a page for each type of part, and its expected outputs."""

from pathlib import Path

import pytest

import tamis

PAGES = sorted(path.parent for path in Path(__file__).parent.glob("*/page.html"))
URL = "https://www.example.org/a/b"


@pytest.fixture(scope="module", params=PAGES, ids=lambda folder: folder.name)
def folder(request):
    return request.param


@pytest.fixture(scope="module")
def extraction(folder):
    return tamis.extract((folder / "page.html").read_bytes(), URL, extractor="body")


@pytest.mark.parametrize(
    ("format_name", "suffix"), [("markdown", "md"), ("html", "html"), ("text", "txt"), ("xml", "xml")]
)
def test_output_is_as_expected(extraction, folder, format_name, suffix):
    assert extraction.render(format_name, title=False).text.rstrip("\n") + "\n" == (
        folder / f"expected.{suffix}"
    ).read_text("utf-8")


def test_there_is_a_page_for_every_type_of_part():
    assert {folder.name for folder in PAGES} == {
        "breaks",
        "callouts",
        "callouts-tools",
        "captions",
        "clean-markdown",
        "code",
        "code-blogs",
        "code-families",
        "code-tools",
        "definitions",
        "figures",
        "footnotes",
        "formulas",
        "formulas-asciimath",
        "formulas-attributes",
        "formulas-dollars",
        "formulas-drawn",
        "formulas-images",
        "formulas-mathjax2",
        "formulas-mathml",
        "formulas-sites",
        "formulas-text",
        "formulas-tools",
        "forum",
        "headings",
        "layout-table",
        "links",
        "lists",
        "media",
        "pictures",
        "pictures-tools",
        "plain-text",
        "notes-copies",
        "notes-docutils",
        "notes-ghost",
        "notes-headings",
        "notes-latexml",
        "notes-lines",
        "notes-markdown",
        "notes-side",
        "notes-substack",
        "notes-tools",
        "notes-unlinked",
        "notes-wikipedia",
        "notes-word",
        "notes-wordpress",
        "poem",
        "quotes",
        "rtl",
        "ruby",
        "signs",
        "table-headers",
        "tables",
        "tasks",
        "thread-chat",
        "thread-discourse",
        "thread-disqus",
        "thread-github-issue",
        "thread-github-pull",
        "thread-hacker-news",
        "thread-hyperkitty",
        "thread-lemmy",
        "thread-lobsters",
        "thread-mail",
        "thread-mastodon",
        "thread-phpbb",
        "thread-pipermail",
        "thread-reddit",
        "thread-reddit-old",
        "thread-stack-exchange",
        "thread-vbulletin",
        "thread-wordpress",
        "thread-xenforo",
    }
