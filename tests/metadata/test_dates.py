"""The day of publication, and dates in many notations."""

import json

import pytest

from tamis.metadata.date import find_date
from tamis.metadata.dateparse import parse_day
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


def test_date_that_a_page_shows_wins_over_a_later_declared_one():
    head = "<meta property=article:published_time content=2023-06-01T08:00:00Z>"
    assert read(f"{head}<h1>Tea</h1><p class=date>3 May 2021</p><p>x").date == "2021-05-03"
    assert read(f"{head}<h1>Tea</h1><p class=date>3 May 2024</p><p>x").date == "2023-06-01"


def test_date_of_an_update_is_not_that_of_publication():
    assert read("<h1>Tea</h1><p class=date>3 May 2021. <i>Updated: 7 May 2021</i></p><p>x").date == "2021-05-03"
    assert read("<h1>Tea</h1><p>Updated <time datetime=2021-05-07>7 May</time></p><p>x").date is None
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
    assert (
        find_date(source_of(item("Article", datePublished="2023-06-01"), page_type="service")).value == "2023-06-01"
    )


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
    assert read(f"<h1>Tea</h1>{far}<i class=date>Last updated 3 May 2021</i>").date is None


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
