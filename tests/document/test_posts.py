"""Authors and dates of posts, as forums and blogs write them."""

import pytest

import tamis
from tamis.document.detectors.bylines import clean_name
from tamis.document.detectors.post_parts import DeclaredPosts
from tamis.document.detectors.posts import find_posts, find_thread
from tamis.html.text import ENGLISH_MONTHS, MONTHS, is_byline
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
def test_author_is_the_name_without_label_rank_or_date(line):
    post = f'<div class="post">{line}<p>Leaves in water.</p></div>'
    assert [facts.author for facts in find_posts(parse_page(post * 2)).values()] == ["Ann", "Ann"]


@pytest.mark.parametrize("name", ["Byron", "Tony since 1975", "www.tea.example", "user 3", "Marsha", "Decker"])
def test_author_keeps_names_that_resemble_labels_or_dates(name):
    post = f'<div class="post"><b class="author">{name}</b><p>Leaves in water.</p></div>'
    assert [facts.author for facts in find_posts(parse_page(post * 2)).values()] == [name, name]


def test_author_is_not_a_date():
    post = '<div class="post"><b class="author">May 3, 2024 at 6:26 pm</b><p>Leaves in water.</p></div>'
    assert [facts.author for facts in find_posts(parse_page(post * 2)).values()] == [None, None]


def test_author_is_not_a_link_inside_the_text():
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
def test_date_is_the_machine_readable_one_else_the_text_from_the_date_on(line, date):
    post = f'<div class="post"><b class="author">Ann</b>{line}<p>Leaves in water.</p></div>'
    assert [facts.date for facts in find_posts(parse_page(post * 2)).values()] == [date, date]


def test_element_around_a_reply_does_not_name_the_author_of_its_parent():
    html = (
        '<div class="comment"><i>Ann</i> <time>May 3, 2024</time><p>Tea?</p><ul class="comment-author-ann">'
        '<div class="comment"><i>Bob</i> <time>May 4, 2024</time><p>Yes.</p></div></ul></div>'
    )
    assert [facts.author for facts in find_posts(parse_page(html)).values()] == ["Ann", "Bob"]


def test_find_posts_needs_min_posts():
    page = parse_page('<div class="post"><b class="author">Ann</b><p>Leaves in water.</p></div>')
    assert find_posts(page) == {}
    assert [facts.author for facts in find_posts(page, min_posts=1).values()] == ["Ann"]


def test_level_is_the_depth_of_nesting_or_the_declared_one():
    reply = '<div class="comment">{}<b class="author">Bo</b><p>Yes.</p></div>'
    nested = reply.format("").replace("<p>Yes.</p>", f"<p>Tea?</p>{reply.format('')}")
    declared = reply.format("").replace('"comment"', '"comment depth-3"')
    assert [facts.level for facts in find_posts(parse_page(nested)).values()] == [0, 1]
    assert [facts.level for facts in find_posts(parse_page(reply.format("") + declared)).values()] == [0, 0]
    first = declared.replace("depth-3", "depth-1")
    assert [facts.level for facts in find_posts(parse_page(first + declared)).values()] == [0, 2]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("By Ann Lee", True),
        ("ByAnn Lee", True),
        ("Written by: Ann Lee", True),
        ("Autor: Ann Lee", True),
        ("Автор: Вера Лопухова", True),
        ("By following these tips, you stay well.", False),
        ("Bystanders saw it", False),
        ("Authors", False),
        ("Author biography", False),
        ("Di Stefano signs", False),
    ],
)
def test_byline_is_a_label_and_a_name(line, expected):
    assert is_byline(line) is expected


def test_months_are_twelve_and_named_in_one_place():
    assert set(MONTHS.values()) == set(range(1, 13))
    assert [MONTHS[stem] for stem in ENGLISH_MONTHS.split("|")] == list(range(1, 13))


def test_letter_of_an_avatar_is_not_part_of_a_name():
    assert clean_name("byron55 B") == "byron55"
    assert clean_name("Byron C") == "Byron C"


def test_numbers_with_several_dots_are_no_votes():
    """Found by fuzzing: an address is not a number."""
    post = "<div class=post><b class=author>Ann</b><i class=score>169.254.169.254</i><p>Hello there, all.</p></div>"
    assert [facts.votes for facts in find_posts(parse_page(post * 2)).values()] == [None, None]


def test_author_of_a_post_is_named_in_the_left_column():
    post = "<div class=post><dl class=postleft><dt><b>{}</b></dt><dd>Member</dd></dl><p>Hello there.</p></div>"
    page = parse_page("".join(map(post.format, ("ann82", "bo_ek"))))
    assert [facts.author for facts in find_posts(page).values()] == ["ann82", "bo_ek"]


def test_a_post_that_begins_with_the_name_of_an_author_answers_that_one():
    post = (
        '<div class="status"><a href="/@{0}"><b class="display-name">{0}</b> <span>@{0}@tea.example</span></a>'
        '<time datetime="2026-04-0{1}">day {1}</time>'
        '<div class="status__content"><p>{2}, it is brewed for {1} minutes.</p></div></div>'
    )
    to = '<a href="/@{0}">@{0}</a>'.format
    quoted = '<blockquote><a href="/@bo">bo</a> wrote</blockquote>'
    posts = [
        ("bo", 1, to("ann")),
        ("cy", 2, to("ann")),
        ("ann", 3, to("cy")),
        ("bo", 4, to("ann")),
        ("di", 5, quoted),
    ]
    html = '<a href="/@ann">ann</a><p>Which tea?</p>' + "".join(post.format(*each) for each in posts)
    found = find_posts(parse_page(html))
    assert [facts.level for facts in found.values()] == [0, 0, 1, 0, 0]
    assert [facts.author for facts in found.values()] == ["bo", "cy", "ann", "bo", "di"]
    assert {facts.handle for facts in found.values()} >= {"@bo@tea.example", "@di@tea.example"}


def test_whom_a_post_answers_is_not_the_account_of_its_author():
    post = '<div class="comment"><a class="author" href="/u/{0}">{0}</a> <a href="/u/bo">@bo</a><p>Tea.</p></div>'
    found = find_posts(parse_page(post.format("Ann") + post.format("Cy")))
    assert [(facts.author, facts.handle) for facts in found.values()] == [("Ann", ""), ("Cy", "")]


def test_a_declared_post_may_lack_its_body():
    post = "<div class=p><b class=author>{}</b><time datetime=2026-04-01>April</time>{}</div>"
    page = parse_page(post.format("Ann", "<p>Green tea.</p>") + post.format("Bo", ""))
    rows = page.select(".p")
    declared = DeclaredPosts(dict.fromkeys(rows, "declared"), bodies=page.rows_of("p").tolist())
    thread = find_thread(page, declared=declared)
    assert [facts.author for facts in thread.posts.values()] == ["Ann", "Bo"]


def test_a_post_has_the_page_that_it_shows_with_a_picture():
    post = (
        '<div class="status"><a href="/@{0}"><b class="display-name">{0}</b></a><time datetime="2026-04-01">1h</time>'
        '<div class="status__content"><p>Look at this pot of tea.</p></div>{1}<a href="/boost">Boost</a></div>'
    )
    card = '<a class="status-card" href="https://e.org/pot"><img src="/pot.png"><b>A pot</b><p>How to pour</p></a>'
    page = parse_page(post.format("ann", card) + post.format("bo", '<a class="user-card" href="/@bo">More</a>'))
    body = find_thread(page).body
    texts = [page.row_text(row) for row in body.nonzero()[0]]
    assert texts == ["Look at this pot of tea.", "A pot", "How to pour", "Look at this pot of tea."]


@pytest.mark.parametrize(
    ("first", "tag", "classes", "comments"),
    [
        ("", "div", "js-comment-container", [True, True]),  # of the story above them
        ('<p class="detailed-status" author="Cy">A pot.</p>', "div", "status", [False, True, True]),
        ('<x-post author="Cy">A pot of tea.</x-post>', "x-comment", "none", [False, True, True]),
        ('<div class="p" author="Cy">A pot.</div>', "div", "p", [False, False, False]),
    ],
)
def test_declared_posts_are_comments_if_they_are_called_so(first, tag, classes, comments):
    post = f'<{tag} class="{classes}" author="{{0}}"><b class="author">{{0}}</b><p>Green tea.</p></{tag}>'
    page = parse_page("<h1>Tea</h1>" + first + post.format("Ann") + post.format("Bo"))
    rows = page.select("[author]")
    thread = find_thread(page, declared=DeclaredPosts(dict.fromkeys(rows, "declared")))
    assert [facts.comment for facts in thread.posts.values()] == comments


def test_a_message_answers_one_before_it_in_its_last_quotation_alone():
    """What mail programs fold is left out of a message; a quotation between answers is not."""
    head = '<span email="{0}@e.org" name="{0}">{0}</span> to <span email="all@e.org" name="all">all</span>'
    mail = f'<div data-message-id="{{1}}">{head} <span class="date">May {{1}}, 2026</span><div>{{2}}</div></div>'
    wrote = "<div>On May 1, 2026 Ann wrote:</div><blockquote>Which tea?</blockquote>"
    page = parse_page(
        mail.format("Ann", 1, "<div>Which tea?</div><div>Ann</div>")
        + mail.format("Bo", 2, f"<div>Green.</div>{wrote}")
        + mail.format("Cy", 3, f"{wrote}<div>None.</div><div>--<br>Cy, potter</div>")
        + mail.format("Di", 4, "<div>On May 1, 2026 Ed wrote:</div><blockquote>Any.</blockquote>")
    )
    thread = find_thread(page)
    assert [(facts.author, facts.date) for facts in thread.posts.values()] == [
        (name, f"May {day}, 2026") for day, name in enumerate(("Ann", "Bo", "Cy", "Di"), 1)
    ]
    assert [page.row_text(row) for row in thread.body.nonzero()[0]] == [
        *("Which tea?", "Ann", "Green."),
        *("On May 1, 2026 Ann wrote:", "Which tea?", "None."),
        *("On May 1, 2026 Ed wrote:", "Any."),
    ]


def test_the_heading_above_a_message_of_a_chat_names_its_author():
    turn = '<section><h5>{0} said:</h5><div><div data-message-author-role="{1}"><p>{2}</p></div></div></section>'
    page = parse_page(turn.format("You", "user", "Tea?") + turn.format("Pot", "assistant", "Yes, green tea."))
    thread = find_thread(page)
    assert [facts.author for facts in thread.posts.values()] == ["You", "Pot"]
    assert [page.row_text(row) for row in thread.byline.nonzero()[0]] == ["You said:", "Pot said:"]
    alone = parse_page(
        '<div data-message-author-role="user">Tea?</div><div data-message-author-role="tool">Yes.</div>'
    )
    assert [facts.author for facts in find_posts(alone).values()] == ["user", "tool"]


def test_a_message_may_be_nothing_but_what_it_answers():
    """It lacks both rows of its byline, and has no text of its own above the quotation."""
    mail = '<div data-message-id="{0}" data-timestamp="171455040{0}">{1}</div>'
    wrote = "<div>So Ann wrote:</div><blockquote>Which tea?</blockquote>"
    page = parse_page(mail.format(1, "<div>Which tea?</div>") + mail.format(2, wrote))
    assert [page.row_text(row) for row in find_thread(page).body.nonzero()[0]] == [
        *("Which tea?", "So Ann wrote:", "Which tea?"),
    ]


BOXED = (
    '<div class="post" id="p{0}"><b class="author">Ann</b> '
    '<em id="on{0}"><span title="2023-5-1{0} 08:01">Yesterday 08:01</span></em>'
    '<div class="post-body"><div class="quote"><blockquote>Tea is made of leaves.</blockquote></div>'
    "Cup {0} of tea, please.</div></div>"
)


def test_a_box_with_nothing_but_a_blockquote_is_one_quotation():
    markdown = tamis.extract(BOXED.format(1) + BOXED.format(2) + BOXED.format(3)).markdown
    assert markdown.count("> Tea is made of leaves.") == 3
    assert "> >" not in markdown


def test_date_of_a_post_is_in_the_title_of_a_shown_day():
    posts = find_posts(parse_page(BOXED.format(1) + BOXED.format(2)))
    assert [facts.date for facts in posts.values()] == ["2023-5-11 08:01", "2023-5-12 08:01"]
