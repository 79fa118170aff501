"""The day of publication, and dates in many notations."""

import json
from dataclasses import replace

import pytest

import tamis
from tamis.metadata.date_formats import parse_day
from tamis.metadata.dates import find_date
from tamis.metadata.structured import Sourced
from tests.metadata.pages import read, source_of


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2024-05-01", "2024-05-01"),
        ("20240501T120000", "2024-05-01"),
        ("May 1st, 2024 at noon", "2024-05-01"),
        ("1 de mayo de 2024", "2024-05-01"),
        ("01.05.2024", "2024-05-01"),
        ("5/13/2024", "2024-05-13"),
        ("13/5/2024", "2024-05-13"),
        ("5/13/24", "2024-05-13"),
        ("5/13/2003", "2003-05-13"),
        ("1-14-2008", "2008-01-14"),
        ("2024년 5월 1일", "2024-05-01"),
        ("1 мая 2024", "2024-05-01"),
        ("2024 May 1", "2024-05-01"),
        ("2024. május 1.", "2024-05-01"),
        ("1-May-24", "2024-05-01"),
        ("1 May '24", "2024-05-01"),
        ("May 1, '24", "2024-05-01"),
        ("01.05.24", "2024-05-01"),
        ("13-05-24", "2024-05-13"),
        ("5/13/97", "1997-05-13"),
        ("1 października 2024", "2024-10-01"),
        ("1er mai 2024", "2024-05-01"),
        ("1 May 10:30", None),
        ("version 1.2.24.3", None),
        ("2024-13-45", None),
        ("1066-10-14", None),
        ("last week", None),
    ],
)
def test_parse_day_reads_many_notations(text, day):
    assert parse_day(text) == day


def test_parse_day_reads_russian_months():
    assert parse_day("3 ноября 2021") == "2021-11-03"
    assert parse_day("3 декабря 2021") == "2021-12-03"


def test_date_is_read_from_the_url():
    metadata = read("<p>x", "https://example.org/2021/10/09/tea/")
    assert (metadata.date, metadata.sources["date"]) == ("2021-10-09", "url")


def test_date_of_a_front_page_is_not_read_from_visible_text():
    page = "<h1>News</h1><div class=date>3 May 2021</div><p>x"
    assert read(page, "https://example.org/").date is None
    assert read(page, "https://example.org/news/tea").date == "2021-05-03"


def test_article_at_a_url_without_a_path_has_the_date_beside_its_title():
    line = "The city council met on Monday to talk about the bridge and its cost to the town. "
    page = '<h1>The bridge</h1><time datetime="2025-02-26">26 February 2025</time>' + f"<p>{line * 6}" * 3
    extraction = tamis.extract(page, "https://example.org/")
    assert (extraction.page_type, extraction.metadata.date) == ("article", "2025-02-26")


def test_date_of_a_page_that_is_named_by_a_query_is_read():
    page = "<h1>Tea</h1><div class=date>3 May 2021</div><p>x"
    assert read(page, "https://example.org/?p=959").date == "2021-05-03"


def test_date_is_that_near_the_title_and_not_near_the_first_heading():
    masthead = "<title>Brewing tea</title><h1>The Kettle</h1><p class=date>Today is 9 June 2024</p>"
    far = "<p>Teaser words.</p>" * 8
    page = f"{masthead}{far}<h2>Brewing tea</h2><p class=date>3 May 2021</p><p>x"
    assert read(page).date == "2021-05-03"


@pytest.mark.parametrize(
    "name",
    ["publishdate", "publish-date", "Pub_Date", "dc.date.created", "article.published", "original-publication-date"],
)
def test_date_is_read_from_the_names_in_use(name):
    metadata = read(f"<meta name='{name}' content='2021-05-03'><p>x")
    assert (metadata.date, metadata.sources["date"]) == ("2021-05-03", f"meta {name.lower()}")


def test_date_in_a_long_line_follows_a_label():
    line = (
        "By Ann Lee, who has written about tea and kettles for fifteen years | Published: May 3, 2021 | 12 min read"
    )
    mention = "In the harbour of Boston, on December 16, 2003, people who liked tea met and drank all that there was."
    assert read(f"<h1>Tea</h1><p>{line}</p><p>x").date == "2021-05-03"
    assert read(f"<h1>Tea</h1><p>{mention}</p><p>x").date is None


HEAD = "<meta property=article:published_time content=2023-06-01T08:00:00Z>"


@pytest.mark.parametrize("day", ["3 May 2021", "31 May 2023", "3 May 2024"])
def test_date_beside_the_title_wins_over_the_declared_one(day):
    assert read(f"{HEAD}<h1>Tea</h1><p class=date>{day}</p><p>x").date == parse_day(day)


@pytest.mark.parametrize(
    "shown",
    [
        "<p class=date>2 June 2023</p>",  # one moment in two time zones
        "<p class=date>06/01/2023</p>",  # the same day, the month first
        "<time datetime=2024-05-03>1 day ago</time>",  # no date for a reader
        "<p class=date>Updated 3 May 2024</p>",
        "<p class=date><a href=/kettles>3 May 2021</a></p>",
        "<p class=wp-caption-text><time>3 May 2021</time></p>",
        "<p class=date>1 June 2023</p><p class=date>3 May 2021</p>",  # the declared day is shown
        "<p><b>x</b></p>" * 30 + "<p class=date>3 May 2021</p>",  # of a teaser or an embedded post
    ],
)
def test_declared_date_stays_where_the_page_shows_no_other_beside_its_title(shown):
    assert read(f"<html lang=en-GB>{HEAD}<h1>Tea</h1>{shown}<p>x").date == "2023-06-01"


def test_date_that_the_page_says_is_that_of_the_publication_is_the_first_choice():
    shown = "<p class=post-date>3 May 2021</p><time class='entry-date published' datetime=2021-05-07>7 May</time>"
    assert read(f"<h1>Tea</h1>{shown}<p>x").date == "2021-05-07"
    modified = "<time itemprop=dateModified>9 May 2021</time><time itemprop=datePublished>3 May 2021</time>"
    assert read(f"<h1>Tea</h1><p>The update: {modified}</p><p>x").date == "2021-05-03"


def test_date_in_the_title_of_an_element_is_read():
    assert read("<h1>Tea</h1><abbr class=published title=2021-05-03T10:00>Monday</abbr><p>x").date == "2021-05-03"


@pytest.mark.parametrize(
    "line",
    [
        "27.1.2022 - In the harbour of Boston people who liked tea met, and drank all that there was to drink.",
        "This article was written on Thursday, 27 January 2022 and posted in the category of teas, kettles and pots.",
    ],
)
def test_date_in_a_long_line_begins_it_or_has_a_label(line):
    assert read(f"<h1>Tea</h1><p>{line}</p><p>x").date == "2022-01-27"


def test_date_in_the_heading_itself_is_read():
    title = "Brewing tea in the kitchens of the old harbour, from leaves that nobody else has ever wanted"
    assert read(f"<title>{title}</title><h1>{title} <small>27.01.2022</small></h1><p>x").date == "2022-01-27"


def test_date_in_the_first_lines_of_the_content_is_read_where_the_title_is_elsewhere():
    page = "<title>Tea</title><p>2022-01-27 | News</p><p>Words.</p>" + "<p><b>x</b></p>" * 40 + "<h2>Tea</h2>"
    assert read(page).date == "2022-01-27"


def test_date_of_lines_with_nothing_else_must_be_the_only_one():
    far = "<p><b>x</b></p>" * 60
    assert read(f"<h1>Tea</h1>{far}<p>27 Jan 2022</p>").date == "2022-01-27"
    assert read(f"<h1>Tea</h1>{far}<p>27 Jan 2022</p><p>28 Jan 2022</p>").date is None


def test_date_at_the_end_of_the_url_may_have_the_day_first():
    assert read("<p>x", "https://example.org/news/29-10-2021").date == "2021-10-29"
    assert read("<p>x", "https://example.org/a/2025-12-15+tea").date == "2025-12-15"


def test_date_in_the_url_may_have_the_name_of_a_month():
    page = "<h1>Tea</h1><p class=date>03/10/2023</p><p>x"
    assert read(page, "https://example.org/blog/2023/october/03/tea").date == "2023-10-03"


def test_shown_date_with_day_and_month_in_the_other_order_is_the_declared_one():
    page = (
        "<meta property=article:published_time content=2024-09-10><h1>Tea</h1><p class=post-date>09.10.2024</p><p>x"
    )
    assert read(page).date == "2024-09-10"


def test_element_whose_class_says_that_it_is_an_update_is_not_believed_against_the_declared_date():
    shown = "<div class=updated-on><time class='published updated' datetime=2025-02-12>12 February 2025</time></div>"
    page = f"<meta property=article:published_time content=2020-03-10><h1>Tea</h1>{shown}<p>x"
    assert read(page).date == "2020-03-10"


def test_doubtful_lists_and_shops_have_a_date_only_beside_their_title():
    far = "<p><b>x</b></p>" * 60
    for page, day in (
        ("<h1>Tea</h1><p class=date>3 May 2021", "2021-05-03"),
        (f"<h1>Tea</h1>{far}<p>3 May 2021", None),
    ):
        source = replace(source_of(page, "https://example.org/a", "listing"), page_type_probability=0.4)
        found = find_date(source)
        assert (found and found.value) == day


def test_date_of_an_update_is_not_that_of_publication():
    assert read("<h1>Tea</h1><p class=date>3 May 2021. <i>Updated: 7 May 2021</i></p><p>x").date == "2021-05-03"
    only = read("<h1>Tea</h1><p>Updated <time datetime=2021-05-07>7 May</time></p><p>x")
    assert (only.date, only.sources["date"]) == ("2021-05-07", "visible update")
    both = "Published <time datetime=2021-05-03>3 May</time>, updated <time datetime=2021-05-07>7 May</time>"
    assert read(f"<h1>Tea</h1><p>{both}</p><p>x").date == "2021-05-03"


def test_date_of_related_pages_is_not_the_date_of_the_page():
    related = "<ul class=related-posts><li>Kettles <time datetime=2024-01-02>2 January</time></li></ul>"
    assert read(f"<h1>Tea</h1><p>Words.</p>{related}").date is None


def item(type_, **values):
    return f'<script type="application/ld+json">{json.dumps({"@type": type_, **values})}</script>'


def test_date_of_the_page_as_such_counts_last():
    page = item("WebPage", datePublished="2023-06-01")
    assert read(f"{page}<h1>Tea</h1><p class=date>3 May 2024</p><p>x").date == "2024-05-03"
    assert read(f"{page}<h1>Tea</h1><p>x").date == "2023-06-01"
    assert find_date(source_of(page, page_type="service")) is None
    assert find_date(source_of(item("Article", datePublished="2023-06-01"), page_type="service")) is None
    news = item("NewsArticle", datePublished="2023-06-01")
    assert find_date(source_of(news, page_type="service")).value == "2023-06-01"


def test_date_of_a_front_page_is_none_even_if_declared():
    head = "<meta property=article:published_time content=2023-06-01><p>x"
    assert read(head, "https://example.org/").date is None
    assert read(head, None).date == "2023-06-01"


def test_date_in_the_url_wins_over_utc_on_the_next_day():
    page = "<meta property=article:published_time content=2025-12-19T02:00:00Z><p>x"
    assert read(page, "https://example.org/2025/12/18/tea").date == "2025-12-18"
    assert read(page, "https://example.org/2024/12/18/tea").date == "2025-12-19"


def test_date_far_below_the_title_must_be_the_only_one():
    far = "<p><b>x</b></p>" * 250
    assert read(f"<h1>Tea</h1>{far}<i class=date>3 May 2021</i>").date == "2021-05-03"
    assert read(f"<h1>Tea</h1>{far}<i class=date>3 May 2021</i><i class=date>4 May 2021</i>").date is None
    update = read(f"<h1>Tea</h1>{far}<i class=date>Last updated 3 May 2021</i>")
    assert (update.date, update.sources["date"]) == ("2021-05-03", "visible update")


@pytest.mark.parametrize(
    ("lang", "url", "day"),
    [
        ("en-US", "https://e.org/a", "2024-03-04"),
        ("en", "https://e.org/a", "2024-03-04"),
        ("en", "https://e.co.uk/a", "2024-04-03"),
        ("en-GB", "https://e.org/a", "2024-04-03"),
        ("fr", None, "2024-04-03"),
        ("en", "https://e.ng/a", "2024-04-03"),
        ("en", "https://e.io/a", "2024-03-04"),
        ("en-PH", "https://e.org/a", "2024-03-04"),
        ("ja", "https://e.org/a", "2024-03-04"),
    ],
)
def test_date_order_follows_language_and_country(lang, url, day):
    page = f"<html lang={lang}><h1>Tea</h1><p class=date>3/4/2024</p><p>x"
    assert read(page, url).date == day


def test_date_order_follows_other_dates_of_the_page():
    page = "<html lang={}><h1>Tea</h1><p class=date>3/4/2024</p><p>The harvest began on {} and ended soon."
    assert read(page.format("en-US", "25/3/2024"), "https://e.org/a").date == "2024-04-03"
    assert read(page.format("en-GB", "3/25/2024"), "https://e.org/a").date == "2024-03-04"


def test_date_of_a_product_page_is_not_that_of_a_review():
    html = "<h1>Pot</h1><p class=review-date>May 3, 2024</p>"
    assert find_date(source_of(html, page_type="product")) is None
    assert find_date(source_of(html, page_type="article")) == Sourced("2024-05-03", "visible")


def test_date_of_a_thread_is_that_of_its_first_post():
    post = "<div class=post><p class=author>by {} » {}</p><p>Words.</p></div>"
    posts = post.format("ann", "Sun Dec 17, 2023 8:39 pm") + post.format("bo", "Mon Dec 18, 2023 8:39 pm")
    html = f"<h1>Tea?</h1>{posts}<p class=date>May 3, 2024"
    assert find_date(source_of(html, page_type="forum")).value == "2023-12-17"


@pytest.mark.parametrize(
    ("html", "day"),
    [
        ("<h1>Tea</h1><p>Von Ann Lee 4. 2. 2022.</p>", "2022-02-04"),
        ("<h1>Tea</h1><table><tr><td>26 | 01 | 2022</td><td>Tea</td></tr></table>", "2022-01-26"),
        ("<h1>Tea</h1><p class=text__caption>21. Januar 2022 | Tee</p>", "2022-01-21"),
        (
            "<h1>Tea</h1><div class=post-meta>Tea<i class=date>DECEMBER 22, 2022</i>Updated: JANUARY 02, 2026</div>",
            "2022-12-22",
        ),
        ("<meta property=kettle:published_at content=2021-05-03><h1>Tea</h1>", "2021-05-03"),
        ("<h1>The sale of 2020/7/11</h1><p>2020年07月12日 | Sales</p>", "2020-07-12"),
        (
            f"<p class=datebox>{'At the air base. ' * 6} January 16, 2020</p><h1>Tea</h1><p>May 3, 2021</p>",
            "2021-05-03",
        ),
    ],
)
def test_notations_and_places_of_the_shown_date(html, day):
    assert read(f"{html}<p>{'Boil the water, and wait. ' * 9}</p>", "https://e.org/tea.html").date == day


def test_update_is_not_the_publication_and_counts_if_nothing_else_does():
    text = "<p>" + "Boil the water, and wait. " * 9
    record = '<script type="application/ld+json">{"@type": "WebPage", "datePublished": "2020-04-24"}</script>'
    update = "<h1>Tea</h1><p>Updated on 11 Sep 2025</p>"
    for html, day in ((record + update, "2020-04-24"), (update, "2025-09-11")):
        metadata = tamis.extract(html + text, "https://e.org/tea.html", extractor="body").metadata
        assert (metadata.date, metadata.as_dict()["modified"]) == (day, "2025-09-11")


def test_a_day_of_difference_is_a_time_zone_of_which_the_shown_one_counts_if_it_is_earlier():
    head = """<script type="application/ld+json">{"@type": "NewsArticle",
    "datePublished": "2023-11-09T04:15:00Z"}</script>"""
    for shown, day in (("10", "2023-11-09"), ("8", "2023-11-08"), ("1", "2023-11-01")):
        html = f"{head}<h1>Tea</h1><p class=date>{shown} November 2023</p><p>Boil the water, and wait."
        assert read(html, "https://e.org/tea.html").date == day
