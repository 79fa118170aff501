"""Authors of a page, wherever it names them."""

from dataclasses import replace

import pytest

import tamis
from tamis.metadata.author import find_authors
from tamis.metadata.structured import Sourced
from tests.metadata.pages import read, source_of


@pytest.mark.parametrize("author", ["admin", "https://example.org/ann", "By", "Staff", "ann@example.org"])
def test_authors_skip_placeholders_urls_and_addresses(author):
    assert read(f"<meta name=author content='{author}'><p>Text.").authors == ()


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
        ("<h1>Tea</h1><p class=byline>Authorized Dealer</p><p>x", ("Authorized Dealer",)),
        ("<h1>Tea</h1><p class=byline>© 2024 Tea House</p><p>x", ()),
        ("<h1>Tea</h1><p class=byline>Posted by <a>annlee</a> on May 3, 2024 @09:00AM</p><p>x", ("annlee",)),
        ("<h1>Tea</h1><p class=byline>By TPN, in News, Tea</p><p>x", ("TPN",)),
        ("<h1>Tea</h1><p class=byline>Published in Ann Lee</p><p>x", ("Ann Lee",)),
        ("<h1>Tea</h1><p class=byline>Ann Lee Head Winemaker</p><p>x", ("Ann Lee",)),
        ("<h1>Tea</h1><p class=byline>By Ek, a founder of Kettles</p><p>x", ("Ek",)),
        ("<h1>Tea</h1><p class=byline>M.A. Journalism</p><p>x", ()),
        ("<h1>Tea</h1><p class=byline>New Zealand</p><p>x", ()),
        ("<h1>Tea</h1><p class=byline>Write for Us</p><p>x", ()),
        ("<h1>Tea</h1><p class=byline>Byby Ann Lee</p><p>x", ("Ann Lee",)),
        ("<h1>Tea</h1><div>By</div><div>The Kettle Team</div><p>x", ("The Kettle Team",)),
        ("<h1>Tea</h1><p>May 3, 2024</p><p>By 3i Global</p><p>x", ("3i Global",)),
        ("<h1>Tea</h1><p class=date-author>May 3, 2024 · Ann Lee on behalf of <a>us</a></p><p>x", ("Ann Lee",)),
        ("<h1>Tea</h1><p>x<p>Authors: Ann Lee and Bo Ek, Oslo educators", ("Ann Lee", "Bo Ek")),
        ("<h1>Tea</h1><p>x<p>Author Ann Lee says that it is hot", ()),
        ("<h1>Tea</h1><p>x<ul><li><b>Autorin/Autor</b> Ann Lee</ul>", ("Ann Lee",)),
        ("<h1>Tea</h1><p>x<p>Posted by Ann at May 3, 2024", ("Ann",)),
        ("<meta name=author content='SFist Contributor'><p>x", ("SFist Contributor",)),
        ("<meta name=citation_authors content='Ann Lee'><meta name=citation_authors content='Bo Ek'><p>x",
         ("Ann Lee", "Bo Ek")),
    ],
)  # fmt: skip
def test_authors_are_names_without_labels_and_jobs(page, names):
    assert read(page).authors == names


def test_authors_of_a_product_page_are_not_its_reviewers():
    html = "<h1>Pot</h1><div class=review><p class=author>Bo Ek</p>Good.</div>"
    assert find_authors(source_of(html, page_type="product")) is None
    assert find_authors(source_of(html, page_type="article")) == Sourced(("Bo Ek",), "visible byline")


def test_authors_of_a_thread_are_those_of_the_first_post():
    post = "<div class=post><p><b class=username>{}</b></p><p>Words.</p></div>"
    answer = "<div class=post><p itemprop=author><b itemprop=name>{}</b></p><p>Words.</p></div>"
    html = "<h1>Tea?</h1>" + post.format("ann") + answer.format("bo")
    assert find_authors(source_of(html, page_type="forum")) == Sourced(("ann",), "first post")


def test_authors_include_a_site_named_after_a_person():
    head = "<meta property='og:site_name' content='{0}'><meta name=author content='{0}'><p>x"
    assert read(head.format("Ann Lee")).authors == ("Ann Lee",)
    assert read(head.format("Kettle News")).authors == ()
    data = (
        '<script type="application/ld+json">{"@type": "Article", "author": {"@type": "Organization", '
        '"name": "Ann Lee"}}</script><meta property="og:site_name" content="Ann Lee"><p>x'
    )
    assert read(data).authors == ()


def test_authors_exclude_the_site():
    html = "<meta property='og:site_name' content='The Kettle'><meta name=author content='The Kettle'><p>x"
    assert read(html).authors == ()


def test_authors_ignore_sentences_that_begin_with_by():
    assert read("<h1>Safety</h1><p>By following these tips, you stay well.</p>").authors == ()
    assert read("<h1>Safety</h1><p>By Ann Lee</p>").authors == ("Ann Lee",)


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("Post by corrie_h » 06 Mar 2021", "corrie_h"),
        ("记者 周雅宁", "周雅宁"),
        ("Автор: Вера Лопухова", "Вера Лопухова"),
    ],
)
def test_authors_are_stripped_of_labels_and_dates(line, name):
    assert read(f"<h1>Q</h1><p class=author>{line}</p><p>x").authors == (name,)


def test_authors_prefer_others_to_the_name_in_the_title():
    head = "<title>Tea - Ann Lee</title><meta property='article:author' content='Ann Lee'>"
    assert read(head + "<h1>Tea</h1><p class=byline>By Bo Ek</p><p>x").authors == ("Bo Ek",)
    assert read(head + "<h1>Tea</h1><p>x").authors == ("Ann Lee",)  # a site may be a person's


def test_authors_are_read_from_links_to_their_pages():
    page = "<h1>Tea</h1><p>29 May · <a href='/author/vera/'>Vera Ek</a> · 4 comments</p><p>x"
    metadata = read(page)
    assert metadata.authors == ("Vera Ek",)
    assert metadata.sources["authors"] == "author link"


def test_authors_prefer_the_name_inside_an_author_element():
    page = "<h1>Q</h1><div itemprop=author>1,024 points <span itemprop=name>user3080392</span> 5</div><p>x"
    assert read(page).authors == ("user3080392",)


def test_authors_and_date_ignore_reviews_beside_a_product():
    review = '{"@type": "Review", "author": "Bo Ek", "datePublished": "2020-01-01"}'
    data = f'<script type="application/ld+json">{{"@type": "Product", "name": "Pot", "review": {review}}}</script>'
    assert read(data + "<h1>Pot</h1><p>x").date is None
    assert read(data + "<h1>Pot</h1><p>x").authors == ()
    alone = f'<script type="application/ld+json">{review}</script><h1>The pot</h1><p>x'
    assert (read(alone).date, read(alone).authors) == ("2020-01-01", ("Bo Ek",))


def test_authors_ignore_an_improbable_page_type():
    extraction = tamis.extract("<h1>Pot</h1><p class=byline>By Ann Lee</p><p>x", extractor="body")
    probable = replace(extraction.selection, page_type="product", page_type_probability=0.9)
    improbable = replace(extraction.selection, page_type="product", page_type_probability=0.3)
    assert replace(extraction, selection=probable).metadata.authors == ()
    assert replace(extraction, selection=improbable).metadata.authors == ("Ann Lee",)


@pytest.mark.parametrize(
    ("byline", "names"),
    [
        ("Ann Lee, MD, PhD", ("Ann Lee",)),
        ("Ann Lee MD", ("Ann Lee",)),
        ("Ann Lee, M.D.; Bo Ek, DVM", ("Ann Lee", "Bo Ek")),
        ("Ma Li", ("Ma Li",)),
        ("View more posts", ()),
        ("Connect", ()),
        ("2024-05-01T10:00:00Z", ()),
        ("Von Ruth Gathmann am", ("Ruth Gathmann",)),
        ("Uma (Devi) Rao", ("Uma (Devi) Rao",)),
        ("Ann Lee (Editor)", ("Ann Lee",)),
        ("Ann Lee, Trial Attorney at Ek & Sons", ("Ann Lee",)),
        ("{{ author.name }}", ()),
        ("page.author", ()),
        ("By ANN LEE, Associated Press Writer", ("ANN LEE",)),
        ("By ANN LEE<br>AP Sports Writer", ("ANN LEE",)),
        ("By Ann Lee BBC News, Oslo", ("Ann Lee",)),
        ("By Ann Lee The Kettle Ledger", ("Ann Lee",)),
        ("By Ann Lee/The Kettle", ("Ann Lee",)),
        ("By Ann Lee, for the Associated Press", ("Ann Lee",)),
        ("By Ann Lee, Kettle Political Editor", ("Ann Lee",)),
        ("By Ann Lee, Privacy and Tea Expert", ("Ann Lee",)),
        ("By Ann Lee, former engineer, Leeds, Yorkshire", ("Ann Lee",)),
        ("By Ann Lee and agencies", ("Ann Lee",)),
        ("By Ann Lee, filed under: Green tea", ("Ann Lee",)),
        ("Staff Writer: Ann Lee", ("Ann Lee",)),
        ("Lee, Ann T.", ("Ann T. Lee",)),
        ("By Ann Lee, Bo Ek and Cy", ("Ann Lee", "Bo Ek", "Cy")),
        ("By Center for Tea Evaluation and Research", ("Center for Tea Evaluation and Research",)),
        ("By Boxes and Bubbles Ltd", ("Boxes and Bubbles Ltd",)),
        ("Google profile", ()),
        ("Story highlights", ()),
    ],
)
def test_authors_are_whole_names_without_degrees_jobs_employers_places_and_buttons(byline, names):
    assert read(f"<h1>Tea</h1><p class=byline>{byline}</p><p>x").authors == names


@pytest.mark.parametrize("account", ["ann.lee82", "KatieS", "teahouse", "Web Admin", "The Kettle Team"])
def test_shown_byline_beats_an_account_in_meta(account):
    head = f"<meta name=author content='{account}'><h1>Tea</h1>"
    assert read(f"{head}<p>By Bo Ek</p><p>x").authors == ("Bo Ek",)
    assert read(f"{head}<p>x").authors == (account,)
    assert read("<meta name=author content='Ann Lee'><h1>Tea</h1><p>By Bo Ek</p><p>x").authors == ("Ann Lee",)


def test_account_is_the_author_of_a_thread():
    html = "<meta name=author content='ann82'><h1>Tea?</h1><p class=byline>Bo Ek</p><p>x"
    assert find_authors(source_of(html, page_type="forum")).value == ("ann82",)


@pytest.mark.parametrize(
    "page",
    [
        "<h1>Tea</h1><p>Written by</p><p>Ann Lee</p><p>x",
        "<h1>Tea</h1><p>By <a href=/people/7>Ann Lee</a> <a href=/print>Print this page</a></p><p>x",
        "<h1>Tea</h1><p>Ann Lee</p><p>May 3, 2024</p><p>x",
        "<h1>Tea</h1><p>Ann Lee | Staff writer | May 3, 2024</p><p>x",
        "<h1>Tea</h1>" + "<p>Words.</p>" * 40 + "<p>This post was written by Ann Lee, who likes tea.</p>",
        "<meta name=twitter:label1 content='Written by'><meta name=twitter:data1 content='Ann Lee'><h1>Tea</h1><p>x",
    ],
)
def test_authors_are_found_without_markup(page):
    assert read(page).authors == ("Ann Lee",)


def test_names_near_a_date_are_not_sections_or_titles():
    assert read("<title>Green Tea</title><h1>Green Tea</h1><p>May 3, 2024</p><p>x").authors == ()
    assert read("<h1>Tea</h1><p><a href=/drinks>Hot Drinks</a></p><p>May 3, 2024</p><p>x").authors == ()


def test_site_is_the_author_if_the_page_shows_it_as_one():
    head = "<meta property='og:site_name' content='The Kettle'><h1>Tea</h1>"
    assert read(f"{head}<p class=byline>By The Kettle</p><p>x").authors == ("The Kettle",)
    assert read(f"{head}<p class=byline>By The Kettle</p><a rel=author>Bo Ek</a><p>x").authors == ("Bo Ek",)


def test_authors_of_a_page_that_sells_are_those_of_an_article():
    assert find_authors(source_of("<meta name=author content='Ann Lee'><p>x", page_type="service")) is None
    data = '<script type="application/ld+json">{"@type": "Article", "author": "Ann Lee"}</script><p>x'
    assert find_authors(source_of(data, page_type="service")).value == ("Ann Lee",)


ACCOUNT = '<script type="application/ld+json">{"@type": "NewsArticle", "author": {"name": "ann-lee"}}</script>'
LABELLED = "<meta name=twitter:label1 content='Written by'><meta name=twitter:data1 content=Maddy>"


@pytest.mark.parametrize(
    ("html", "names"),
    [
        ("<h1>Tea</h1><p>Authors: Ann Lee and Bo Ek, Extension horticulture educators</p>", ("Ann Lee", "Bo Ek")),
        ("<div><span>Dec 17, 2025</span><span>Ann K. Lee</span></div><h1>Tea</h1>", ("Ann K. Lee",)),
        ("<h1>Tea</h1><p>Boil.</p><h2>Article by</h2><div>Ann Lee</div>", ("Ann Lee",)),
        ("<h1>Tea</h1><p class=author>Personal finance</p>", ()),
        ("<h1>Tea</h1><p class=byline>By Terms & Conditions Privacy Policy</p>", ()),
        (f"{ACCOUNT}<meta name=author content='Ann Lee'><h1>Tea</h1><a href=/author/bo>Bo Ek</a>", ("Ann Lee",)),
        (f"<meta name=author content=Maddy>{LABELLED}<h1>Tea</h1><p class=author>Bo Ek</p>", ("Maddy",)),
    ],
)
def test_forms_of_bylines(html, names):
    assert read(f"{html}<p>{'Boil the water, and wait. ' * 9}</p>").authors == names


def news(author, site="Kettle News"):
    data = f'{{"@type": "NewsArticle", "author": {{"@type": "Organization", "name": "{author}"}}}}'
    return f'<meta property=og:site_name content="{site}"><script type="application/ld+json">{data}</script>'


def test_author_of_news_is_the_house_if_it_declares_itself_and_shows_no_person():
    assert read(news("Kettle News") + "<h1>Tea</h1><p>x").authors == ("Kettle News",)
    assert read(news("Kettle News") + "<h1>Tea</h1><p class=author>APA</p><p>x").authors == ("Kettle News",)
    assert read(news("Kettle News") + "<h1>Tea</h1><p class=author>Ann Lee</p><p>x").authors == ("Ann Lee",)
    assert read(news("Kettle News") + "<h1>Tea</h1><p class=author>신현주 기자</p><p>x").authors == ("신현주",)


def test_employer_after_a_person_is_not_an_author_but_a_team_is():
    for second, names in (("South Coast Garden-based Learning Network", ()), ("Gear Team", ("Gear Team",))):
        data = f'{{"@type": "Article", "author": [{{"name": "Ann Lee"}}, {{"name": "{second}"}}]}}'
        found = read(f'<script type="application/ld+json">{data}</script><p>x').authors
        assert found == ("Ann Lee", *names)


def test_authors_whom_json_ld_leaves_out_are_read_from_meta():
    data = '<script type="application/ld+json">{"@type": "NewsArticle", "author": {"name": "Ann Lee"}}</script>'
    both = "<meta name=article:author content='Bo Ek'><meta name=article:author content='Ann Lee'>"
    assert read(f"{data}{both}<h1>Tea</h1><p>x").authors == ("Bo Ek", "Ann Lee")


def test_documents_of_a_product_are_not_written_by_its_maker():
    data = '<script type="application/ld+json">{"@type": "Article", "author": {"name": "HashiCorp"}}</script><p>x'
    assert find_authors(source_of(data, page_type="documentation")) is None
    assert find_authors(source_of(data, page_type="article")).value == ("HashiCorp",)


def test_doubtful_pages_that_sell_or_list_have_no_visible_author():
    page = "<h1>Tea</h1><p>By Ann Lee</p><p>x"
    assert find_authors(replace(source_of(page, page_type="listing"), page_type_probability=0.4)) is None


def test_author_is_named_in_a_box_below_the_content():
    page = (
        "<h1>Tea</h1><p>Boil the water, and wait until it is hot.</p><div class=blog_author-box><p>Ann Lee</p></div>"
    )
    source = source_of(page, page_type="article")
    assert find_authors(source.with_text("x", range(6, 8))).value == ("Ann Lee",)


@pytest.mark.parametrize(
    ("line", "authors"),
    [
        ("입력 2023. 12. 03. 오전 9:12 | 김하늘 기자", ("김하늘",)),
        ("김하늘·박바다 기자 sky@hanbit.example", ("김하늘", "박바다")),
        ("[도쿄=한빛일보] 이산 특파원", ("이산",)),
        ("취재 기자가 현장을 찾았다", ()),
        ("사진 기자", ()),
    ],
)
def test_reporters_of_korean_pages(line, authors):
    text = "<p>서울시는 올겨울 한강을 찾은 철새가 3만 마리를 넘었다고 3일 밝혔다. 지난해보다 늘어난 수치다.</p>" * 3
    for page in (
        f"<h1>서울 한강 철새 도래</h1><p>{line}</p>{text}",
        f"<h1>서울 한강 철새 도래</h1>{text}<p>{line}</p>",
    ):
        assert (
            tamis.extract(f"<html lang=ko><body><article>{page}</article></body></html>").metadata.authors == authors
        )
