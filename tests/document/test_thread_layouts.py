"""Posts of further versions and skins of forum software: whole, with author, date, depth and votes."""

import json
import re

import pytest

import tamis
from tamis.document.parts import Post, Quote
from tamis.metadata.date_formats import parse_day
from tests.document.thread_layouts import LAYOUTS, POSTS

CHROME = re.compile(
    r"\b(?:reply|quote|share|report|permalink|joined|posts:|messages:|senior member|signature|winds|upvote|follow)\b",
    re.IGNORECASE,
)


def flat(posts, depth=0):
    for post in posts:
        yield post, depth
        yield from flat(post.replies, depth + 1)


def _depth(layout, post):
    return post.depth if layout.nested else int(layout.replies and post.number > 1)


@pytest.mark.parametrize("name", LAYOUTS)
def test_posts_are_whole_with_what_the_page_shows_of_them(name):
    layout = LAYOUTS[name]
    extraction = tamis.extract(layout.page(), layout.url)
    found = list(flat(extraction.comments if layout.comments else extraction.posts))
    assert [post.author for post, _ in found] == [post.author for post in POSTS]
    assert [parse_day(post.date or "") for post, _ in found] == [post.day for post in POSTS]
    depths = [depth for _, depth in found]
    assert [depth - depths[0] for depth in depths] == [_depth(layout, post) for post in POSTS]
    if layout.votes:
        assert [post.votes for post, _ in found] == [post.votes for post in POSTS]
    for (post, _), expected in zip(found, POSTS, strict=True):
        words = re.sub("<[^>]+>", " ", expected.body).split()
        assert post.text.replace("\n", " ").split() == words
        assert (str(expected.number) in (post.permalink or "")) == layout.permalink
    assert not CHROME.search(
        extraction.to_markdown(comments=True).partition("\n> **")[2] if layout.comments else extraction.text
    )


def test_a_body_that_is_a_blockquote_is_no_quotation():
    document = tamis.extract(LAYOUTS["xenforo_1"].page()).document
    posts = [part for part in document.parts if isinstance(part, Post)]
    assert len(posts) == len(POSTS)
    assert not any(isinstance(part, Quote) for post in posts for part in post.parts)


@pytest.mark.parametrize("name", LAYOUTS)
def test_every_format_has_author_day_and_permalink_of_each_post(name):
    layout = LAYOUTS[name]
    extraction = tamis.extract(layout.page(), layout.url or "https://example.org/thread")
    html, xml = extraction.to_html(comments=True), extraction.to_xml(comments=True)
    markdown = extraction.to_markdown(comments=True).replace("\\_", "_")
    tree = json.loads(extraction.to_json(comments=True))
    found = list(_values(tree["comments"] if layout.comments else tree["posts"]))
    assert [post["author"] for post in found] == [post.author for post in POSTS]
    for post in POSTS:
        assert html.count(f'<span class="author">{post.author}</span>') == _posts_of(post.author)
        assert xml.count(f"<byline><name>{post.author}</name>") == _posts_of(post.author)
        assert markdown.count(f"**{post.author}**") == _posts_of(post.author)
        assert f'<time datetime="{post.day}' in html
        assert f'<date when="{post.day}' in xml
    assert html.count('<article class="post"') == xml.count('<div type="post"') == len(POSTS)
    for post in found if layout.permalink else ():
        assert html.count(post["permalink"].replace("&", "&amp;"))
        assert markdown.count(f"]({post['permalink']})")


def _values(posts):
    for post in posts:
        yield post
        yield from _values(post["replies"])


def _posts_of(author):
    return sum(post.author == author for post in POSTS)
