"""The day of publication, and dates in many notations."""

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
    ],
)
def test_date_order_follows_language_and_country(lang, url, day):
    page = f"<html lang={lang}><h1>Tea</h1><p class=date>3/4/2024</p><p>x"
    assert read(page, url).date == day


def test_date_of_a_product_page_is_not_that_of_a_review():
    html = "<h1>Pot</h1><p class=review-date>May 3, 2024</p>"
    assert find_date(source_of(html, page_type="product")) is None
    assert find_date(source_of(html, page_type="article")) == Sourced("2024-05-03", "visible")


def test_date_of_a_thread_is_that_of_its_first_post():
    post = "<div class=post><p class=author>by {} » {}</p><p>Words.</p></div>"
    posts = post.format("ann", "Sun Dec 17, 2023 8:39 pm") + post.format("bo", "Mon Dec 18, 2023 8:39 pm")
    html = f"<h1>Tea?</h1>{posts}<p class=date>May 3, 2024"
    assert find_date(source_of(html, page_type="forum")).value == "2023-12-17"
