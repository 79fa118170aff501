"""Who wrote a post, in the ways that forums and blogs say it."""

import pytest

from tamis.document.detect.posts import find_posts
from tamis.page import parse_page

NAME = '<a class="username" href="/u/ann">Ann</a>'


@pytest.mark.parametrize(
    "line",
    [
        '<b class="author">Ann</b>',
        '<p class="author">Posted by Ann</p>',
        '<p class="byline">by<a href="/u/ann">Ann</a></p>',
        '<cite class="fn">Ann</cite> <span>says:</span>',
        '<div class="comment-author">Ann <span class="says">says:</span></div>',
        '<div class="comment-author">Ann sagt:</div>',
        '<div class="byline"><a href="/u/ann">Ann</a> <time datetime="2024-05-03">2 days ago</time></div>',
        '<div class="byline">Ann over a year ago</div>',
        '<div class="comment-author">Ann <a href="#c1">May 3, 2024 at 6:26 pm</a></div>',
        f'<div itemprop="author"><a class="avatar" href="/u/ann">A</a> {NAME} <i>Senior member</i> Posts 2,947</div>',
        '<p class="poster"><a href="/u/ann"><i class="avatar">A</i> Offline</a> <a href="/u/ann">Ann</a></p>',
        '<div class="author"><a href="/u/ann">Ann</a> 25,064 posts · Joined 2007</div>',
        '<span class="author">Ann – Ann</span>',
        '<div class="poster"><h4><a href="/u/ann">Ann</a></h4>Hero of boards <i class="poster-ip">Logged</i></div>',
    ],
)
def test_the_author_is_the_name_and_nothing_else(line):
    post = f'<div class="post">{line}<p>Leaves in water.</p></div>'
    assert [facts.author for facts in find_posts(parse_page(post * 2)).values()] == ["Ann", "Ann"]


@pytest.mark.parametrize("name", ["Byron", "Tony since 1975", "www.tea.example", "user 3", "Marsha", "Decker"])
def test_names_that_look_like_something_else_stay_whole(name):
    post = f'<div class="post"><b class="author">{name}</b><p>Leaves in water.</p></div>'
    assert [facts.author for facts in find_posts(parse_page(post * 2)).values()] == [name, name]


def test_a_date_is_nobody():
    post = '<div class="post"><b class="author">May 3, 2024 at 6:26 pm</b><p>Leaves in water.</p></div>'
    assert [facts.author for facts in find_posts(parse_page(post * 2)).values()] == [None, None]


def test_a_link_in_what_was_said_is_no_name():
    post = '<div class="post author-box">I read about it at <a href="https://e.org">the tea room</a> yesterday.</div>'
    assert not any(facts.author == "the tea room" for facts in find_posts(parse_page(post * 2)).values())


@pytest.mark.parametrize(
    ("line", "date"),
    [
        ('<i class="date">May 3, 2024</i>', "May 3, 2024"),
        ('<h3 class="timeline-header"><a>Ann</a> commented May 3, 2024</h3>', "May 3, 2024"),
        (
            '<i class="time">2 days ago</i><relative-time datetime="2024-05-03">2 d</relative-time>',
            "2024-05-03",
        ),
    ],
)
def test_the_date_is_what_machines_read_and_else_the_words_without_those_before(line, date):
    post = f'<div class="post"><b class="author">Ann</b>{line}<p>Leaves in water.</p></div>'
    assert [facts.date for facts in find_posts(parse_page(post * 2)).values()] == [date, date]


def test_what_holds_the_next_post_does_not_name_the_one_before():
    html = (
        '<div class="comment"><i>Ann</i> <time>May 3, 2024</time><p>Tea?</p><ul class="comment-author-ann">'
        '<div class="comment"><i>Bob</i> <time>May 4, 2024</time><p>Yes.</p></div></ul></div>'
    )
    assert [facts.author for facts in find_posts(parse_page(html)).values()] == ["Ann", "Bob"]
