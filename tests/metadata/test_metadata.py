"""What is known about a page, and where it was said."""

from dataclasses import replace

import pytest

import tamis
from tamis.metadata.author import find_authors
from tamis.metadata.date import find_date
from tamis.metadata.dateparse import parse_day
from tamis.metadata.site_names import folded
from tamis.metadata.structured import Said, read_structured
from tamis.page import parse_page

LINKED = """<script type="application/ld+json">{"@context": "https://schema.org", "@graph": [
  {"@type": "WebSite", "@id": "#site", "name": "The Kettle"},
  {"@type": "Person", "@id": "#ann", "name": "Ann Lee"},
  {"@type": "NewsArticle", "headline": "How to brew tea",
   "author": [{"@id": "#ann"}, {"@type": "Person", "name": "Bo Ek"}],
   "datePublished": "2024-05-01T23:30:00-08:00", "dateModified": "2024-06-02", "keywords": "tea, water",
   "articleSection": "Kitchen", "image": {"url": "/pot.jpg"},
   "inLanguage": "en-GB", "alternativeHeadline": "Slowly"}]}</script>"""


def known(html, url="https://www.example.org/a", **options):
    return tamis.extract(html, url, extractor="body", **options).metadata


def test_linked_data_is_trusted_first():
    found = known(
        f"<html lang=de><title>Brew | The Kettle</title><meta property='og:site_name' content='The Kettle'>{LINKED}"
        "<meta name=author content='Someone Else'><h1>How to brew tea</h1>"
        "<p>Boil the water, and then wait for it to cool a little."
    )
    assert found.title == "How to brew tea"
    assert found.subtitle == "Slowly"
    assert found.authors == ("Ann Lee", "Bo Ek")
    assert (found.date, found.modified) == ("2024-05-01", "2024-06-02")
    assert found.site == "The Kettle"
    assert found.tags == ("tea", "water")
    assert found.categories == ("Kitchen",)
    assert found.image == "https://www.example.org/pot.jpg"
    assert (found.language, found.detected_language) == ("de", "en")
    assert found.sources["authors"] == "json-ld author"
    assert found.sources["title"] == "h1"
    assert found.sources["language"] == "html lang"


def test_visible_elements_are_read_where_data_is_missing():
    found = known(
        '<h1>Tea</h1><p class="byline">By Ann Lee | 3 May 2021</p><p>LONDON (Reuters) - Tea is dear.</p>'
        '<footer><a rel=license href="https://creativecommons.org/licenses/by-sa/4.0/">CC</a>'
        " © 2021 The Kettle</footer>"
    )
    assert found.authors == ("Ann Lee",)
    assert found.date == "2021-05-03"
    assert found.agency == "Reuters"
    assert found.license == "CC BY-SA 4.0"
    assert found.copyright == "© 2021 The Kettle"
    assert found.sources["date"] == "visible"


def test_the_dateline_is_the_location():
    assert known("<p>ALDERMOUTH, England - The ferry is back.</p>").location == "ALDERMOUTH, England"


@pytest.mark.parametrize("author", ["admin", "https://example.org/ann", "By", "Staff", "ann@example.org"])
def test_nobody_is_no_author(author):
    assert known(f"<meta name=author content='{author}'><p>Text.").authors == ()


@pytest.mark.parametrize(
    ("page", "names"),
    [
        ("<h1>Tea</h1><div class='hero__author-box'>Ann Lee</div><p>x", ("Ann Lee",)),
        ("<h1>Tea</h1><p>May 3, 2024 <span>By Ann Lee</span> · 3 min read</p><p>x", ("Ann Lee",)),
        ("<h1>Tea</h1><p class=byline>Ann Lee Senior Writer</p><p>x", ("Ann Lee",)),
        ("<h1>Tea</h1><p class=byline>By Ann Lee, Head of Tea</p><p>x", ("Ann Lee",)),
        ("<h1>Tea</h1><a rel=author>View all posts by Ann Lee</a><p>x", ("Ann Lee",)),
        ("<meta name=citation_author content='Lee, Ann'><meta name=citation_author content='Ek, Bo'><p>x",
         ("Ann Lee", "Bo Ek")),
        ("<h1>Tea</h1><p>x<ol class=comments><li class=comment><b class='author vcard'><i class=fn>Bo</i></b>Hi", ()),
        ("<h1>Tea</h1><p class=byline>Authorized dealer</p><p>x", ("Authorized dealer",)),
        ("<h1>Tea</h1><p class=byline>© 2024 Tea House</p><p>x", ()),
    ],
)  # fmt: skip
def test_authors_are_people_as_pages_name_them(page, names):
    assert known(page).authors == names


def test_what_is_sold_has_no_author_though_its_customers_have_names():
    said = read_structured(parse_page("<h1>Pot</h1><div class=review><p class=author>Bo Ek</p>Good.</div>"))
    assert find_authors(said, None, "product") == ((), "")
    assert find_authors(said, None, "article") == (("Bo Ek",), "visible byline")


def test_who_opens_a_thread_is_its_author():
    post = "<div class=post><p><b class=username>{}</b></p><p>Words.</p></div>"
    answer = "<div class=post><p itemprop=author><b itemprop=name>{}</b></p><p>Words.</p></div>"
    page = parse_page("<h1>Tea?</h1>" + post.format("ann") + answer.format("bo"))
    assert find_authors(read_structured(page), None, "forum") == (("ann",), "first post")


def test_a_site_may_be_a_persons_and_then_they_are_the_author():
    head = "<meta property='og:site_name' content='{0}'><meta name=author content='{0}'><p>x"
    assert known(head.format("Ann Lee")).authors == ("Ann Lee",)
    assert known(head.format("Kettle News")).authors == ()
    data = (
        '<script type="application/ld+json">{"@type": "Article", "author": {"@type": "Organization", '
        '"name": "Ann Lee"}}</script><meta property="og:site_name" content="Ann Lee"><p>x'
    )
    assert known(data).authors == ()


def test_the_site_is_no_author():
    assert (
        known(
            "<meta property='og:site_name' content='The Kettle'><meta name=author content='The Kettle'><p>x"
        ).authors
        == ()
    )


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
        ("2024년 5월 1일", "2024-05-01"),
        ("1 мая 2024", "2024-05-01"),
        ("2024-13-45", None),
        ("1066-10-14", None),
        ("last week", None),
    ],
)
def test_days_in_many_ways_of_writing(text, day):
    assert parse_day(text) == day


def test_the_address_may_have_the_date():
    found = known("<p>x", "https://example.org/2021/10/09/tea/")
    assert (found.date, found.sources["date"]) == ("2021-10-09", "address")


def test_addresses_of_images_and_pages_are_safe():
    found = known('<link rel=canonical href="javascript:1"><meta property="og:image" content="data:x"><p>x')
    assert found.canonical is None
    assert found.image is None


@pytest.mark.parametrize("data", ["{", "[" * 1000, '{"@graph": 3}', '{"@type": 1, "author": {"name": {}}}', "null"])
def test_broken_data_is_no_error(data):
    assert known(f"<script type='application/ld+json'>{data}</script><h1>T</h1><p>x").title == "T"


def test_golden_pages(golden):
    found = tamis.extract(golden.html, golden.meta["url"]).metadata
    if golden.meta.get("date") and golden.meta["page_type"] == "article":
        assert found.date == golden.meta["date"]
    if golden.meta.get("title"):
        assert folded(found.title) == folded(golden.meta["title"])
    if golden.meta.get("author"):
        assert found.authors == (golden.meta["author"],)
    assert (found.detected_language or "")[:2] in {golden.meta["language"][:2], ""} or golden.meta[
        "page_type"
    ] != "article"
    assert all(getattr(found, name) for name in found.sources)


def test_metadata_costs_nothing_until_it_is_asked_for():
    found = tamis.extract("<p>x", extractor="body")
    assert found.text
    assert "metadata" not in vars(found)
    assert "document" not in vars(found)


@pytest.mark.parametrize(
    ("page", "title", "source"),
    [
        # Words on two lines are two words, what is hidden is not read, an anchor is not part of a heading.
        ("<h1>News<br>Product <i hidden>ad</i><b>Man</b>agement #</h1>", "News Product Management", "h1"),
        # Pages escape twice.
        ("<title>Salt &amp;amp; pepper</title>", "Salt & pepper", "title"),
        # The site's name is cut off headings too, before and after.
        ("<h1>Example » Tea at noon | example.org</h1>", "Tea at noon", "h1"),
        # What the title has beyond og:title is the site's name, so that heading is not the title.
        (
            (
                "<title>Ann's notes: Small models at home</title>"
                "<meta property=og:title content='Small models at home'>"
                "<h1>Ann's notes</h1><h1>Why small</h1><h2>Small models at home</h2>"
            ),
            "Small models at home",
            "heading",
        ),
        # A heading that says more than the title on both sides of it is decorated.
        (
            (
                "<title>How to brew tea</title><meta property=og:title content='How to brew tea'>"
                "<h1>Thread: How to brew tea (12 answers)</h1>"
            ),
            "How to brew tea",
            "og:title",
        ),
        # A slogan is not the title.
        (
            (
                "<title>Tea by post | Leaf</title><meta property=og:title content='Tea by post | Leaf'>"
                "<h1>You deserve to be warm</h1>"
            ),
            "Tea by post",
            "og:title",
        ),
    ],
)
def test_the_title_is_what_page_and_machines_agree_on(page, title, source):
    found = known(page + "<p>x")
    assert (found.title, found.sources["title"]) == (title, source)


def test_the_title_alone_reads_nothing_else():
    found = tamis.extract("<h1>Tea</h1><p>x", extractor="body")
    assert found.title == "Tea"
    assert "metadata" not in vars(found)


def test_a_front_page_has_no_date_of_its_own():
    page = "<h1>News</h1><div class=date>3 May 2021</div><p>x"
    assert known(page, "https://example.org/").date is None
    assert known(page, "https://example.org/news/tea").date == "2021-05-03"


def test_the_address_has_the_authors_own_calendar():
    page = "<meta property=article:published_time content=2025-12-19T02:00:00Z><p>x"
    assert known(page, "https://example.org/2025/12/18/tea").date == "2025-12-18"
    assert known(page, "https://example.org/2024/12/18/tea").date == "2025-12-19"


def test_a_date_far_below_the_title_counts_only_when_it_is_the_only_one():
    far = "<p><b>x</b></p>" * 250
    assert known(f"<h1>Tea</h1>{far}<i class=date>3 May 2021</i>").date == "2021-05-03"
    assert known(f"<h1>Tea</h1>{far}<i class=date>3 May 2021</i><i class=date>4 May 2021</i>").date is None
    assert known(f"<h1>Tea</h1>{far}<i class=date>Last updated 3 May 2021</i>").date is None


def test_customers_did_not_write_the_page_of_a_product():
    review = '{"@type": "Review", "author": "Bo Ek", "datePublished": "2020-01-01"}'
    data = f'<script type="application/ld+json">{{"@type": "Product", "name": "Pot", "review": {review}}}</script>'
    assert known(data + "<h1>Pot</h1><p>x").date is None
    assert known(data + "<h1>Pot</h1><p>x").authors == ()
    alone = f'<script type="application/ld+json">{review}</script><h1>The pot</h1><p>x'
    assert (known(alone).date, known(alone).authors) == ("2020-01-01", ("Bo Ek",))


def test_a_sentence_with_by_is_no_byline():
    assert known("<h1>Safety</h1><p>By following these tips, you stay well.</p>").authors == ()
    assert known("<h1>Safety</h1><p>By Ann Lee</p>").authors == ("Ann Lee",)


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("Post by corrie_h » 06 Mar 2021", "corrie_h"),
        ("记者 周雅宁", "周雅宁"),
        ("Автор: Вера Лопухова", "Вера Лопухова"),
    ],
)
def test_words_around_a_name_are_no_part_of_it(line, name):
    assert known(f"<h1>Q</h1><p class=author>{line}</p><p>x").authors == (name,)


def test_who_publishes_is_asked_last():
    head = "<title>Tea - Ann Lee</title><meta property='article:author' content='Ann Lee'>"
    assert known(head + "<h1>Tea</h1><p class=byline>By Bo Ek</p><p>x").authors == ("Bo Ek",)
    assert known(head + "<h1>Tea</h1><p>x").authors == ("Ann Lee",)  # a site may be a person's


def test_a_link_to_an_authors_page_names_them():
    page = "<h1>Tea</h1><p>29 May · <a href='/author/vera/'>Vera Ek</a> · 4 comments</p><p>x"
    found = known(page)
    assert found.authors == ("Vera Ek",)
    assert found.sources["authors"] == "author link"


def test_the_name_inside_an_author_is_the_name():
    page = "<h1>Q</h1><div itemprop=author>1,024 points <span itemprop=name>user3080392</span> 5</div><p>x"
    assert known(page).authors == ("user3080392",)


@pytest.mark.parametrize(
    ("footer", "line"),
    [
        ("© 2021 The Kettle<a href=/t>Terms</a><a href=/p>Privacy</a>", "© 2021 The Kettle"),
        ("© 2021 The Kettle | <a href=/t>Terms</a> | <a href=/p>Privacy</a>", "© 2021 The Kettle"),
        ("© 2021 <a href=/>The Kettle</a> <a href=/t>Terms</a> <a href=/p>Privacy</a>", "© 2021 The Kettle"),
        ("<a href=/t>Terms</a> <a href=/p>Privacy</a> © 2021 <a href=/>The Kettle</a>.", "© 2021 The Kettle."),
        ("© 2021 <a href=/>The Kettle</a>. All rights reserved.", "© 2021 The Kettle. All rights reserved."),
    ],
)
def test_the_copyright_ends_before_the_menu(footer, line):
    assert known(f"<p>x<footer><p>{footer}</p></footer>").copyright == line


def test_the_copyright_is_a_line_and_fits():
    long = "© 2021 The Kettle. All rights reserved. " + "Nothing may be copied without asking us first " * 5
    assert known(f"<p>x<footer><p>{long}</p><ul><li>Terms</li></ul></footer>").copyright == (
        "© 2021 The Kettle. All rights reserved."
    )
    assert (
        known("<p>x<footer><span>© 2021 The Kettle</span><div>Terms</div></footer>").copyright == "© 2021 The Kettle"
    )


def test_a_page_without_headings_shows_its_title_somewhere():
    page = "<title>Coast Monthly - Features - The kite makers</title><p><b>The kite makers</b><br>by Ann</p>"
    assert known(page).title == "The kite makers"


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
def test_days_stand_before_months_where_people_write_them_so(lang, url, day):
    page = f"<html lang={lang}><h1>Tea</h1><p class=date>3/4/2024</p><p>x"
    assert tamis.extract(page, url, extractor="body").metadata.date == day


def test_what_is_sold_or_listed_shows_the_dates_of_other_things():
    said = read_structured(parse_page("<h1>Pot</h1><p class=review-date>May 3, 2024</p>"))
    assert find_date(said, None, "product") is None
    assert find_date(said, None, "article") == Said("2024-05-03", "visible")


def test_a_thread_is_as_old_as_its_first_post():
    post = "<div class=post><p class=author>by {} » {}</p><p>Words.</p></div>"
    page = post.format("ann", "Sun Dec 17, 2023 8:39 pm") + post.format("bo", "Mon Dec 18, 2023 8:39 pm")
    said = read_structured(parse_page(f"<h1>Tea?</h1>{page}<p class=date>May 3, 2024"))
    assert find_date(said, None, "forum").value == "2023-12-17"


def test_linked_data_is_read_where_a_string_has_line_breaks_or_a_list_a_comma_too_many():
    data = '{"@type": "Article", "headline": "Tea", "description": "Two\nlines", "keywords": ["a", "b",],}'
    found = known(f'<script type="application/ld+json">{data}</script><p>x')
    assert (found.description, found.tags) == ("Two lines", ("a", "b"))


def test_november_is_november_in_russian():
    assert parse_day("3 ноября 2021") == "2021-11-03"
    assert parse_day("3 декабря 2021") == "2021-12-03"


def test_the_line_below_the_title_stands_near_it():
    near = "<h1>Tea</h1><p class=subtitle>For beginners</p><p>x"
    far = "<h1>Tea</h1>" + "<p>Words.</p>" * 20 + "<p class=subtitle>Other things</p>"
    assert (known(near).subtitle, known(far).subtitle) == ("For beginners", None)


@pytest.mark.parametrize(
    ("given", "name"),
    [("The Kettle -", "The Kettle"), ("Kettle | All about tea", "Kettle"), ("kettle.example.", "kettle.example")],
)
def test_the_name_of_a_site_is_a_name(given, name):
    assert known(f'<meta property="og:site_name" content="{given}"><p>x').site == name


@pytest.mark.parametrize(
    ("head", "opening", "place"),
    [
        ("", "LONDON (Reuters) - Tea is dear.", "LONDON"),
        ("", "RENO, Nev. -- Tea is dear.", "RENO, Nev."),
        ("", "SUMMARY: Tea is dear.", None),
        ("", "MOVIE REVIEW - Tea is dear.", None),
        ("<meta name=geo.placename content='{geo_placename}'>", "Tea is dear.", None),
        ("<meta name=geo.placename content='Bronx'>", "Tea is dear.", "Bronx"),
    ],
)
def test_a_place_is_a_place(head, opening, place):
    assert known(f"{head}<p>{opening}").location == place


@pytest.mark.parametrize(
    ("page", "name"),
    [
        ("<a rel=license href='https://creativecommons.org/licenses/by-sa/4.0/'>x</a>", "CC BY-SA 4.0"),
        ("<a href='https://creativecommons.org/publicdomain/zero/1.0/'>x</a>", "CC0 1.0"),
        (
            "<meta name=dc.rights content='Under http://creativecommons.org/licenses/by/4.0/, freely'><p>x",
            "CC BY 4.0",
        ),
        ("<meta name=dc.rights content='Copyright The Kettle'><p>x", None),
    ],
)
def test_a_licence_says_what_may_be_done(page, name):
    assert known(page).license == name


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("404 : Page Not Found", None),
        ("Le chat est sur la table, et le chien dort devant la porte de la cuisine.", "fr"),
        ("お湯を沸かして、三分待ってください。", "ja"),
    ],
)
def test_a_language_is_told_where_there_is_enough_to_tell_it_by(text, language):
    assert known(f"<p>{text}").detected_language == language


def test_a_kind_that_is_but_a_guess_does_not_say_where_to_look():
    found = tamis.extract("<h1>Pot</h1><p class=byline>By Ann Lee</p><p>x", extractor="body")
    sold = replace(found.selection, page_type="product", page_type_probability=0.9)
    guess = replace(found.selection, page_type="product", page_type_probability=0.3)
    assert replace(found, selection=sold).metadata.authors == ()
    assert replace(found, selection=guess).metadata.authors == ("Ann Lee",)


@pytest.mark.parametrize("url", ["http://[", "", "://", "http://e.org:99999/x", "x" * 100_000])
def test_an_address_that_is_none_is_no_failure(url):
    found = tamis.extract("<h1>Tea</h1><p class=date>May 3, 2024</p><p>Boil <a href=/x>water</a>.", url)
    assert found.metadata.title == "Tea"
    for form in ("text", "markdown", "html", "json", "xml", "csv"):
        assert "Tea" in found.render(form, with_metadata=True).text
    assert tamis.next_page('<a rel=next href="https://e.org/2">2</a>', "http://[") == "https://e.org/2"
