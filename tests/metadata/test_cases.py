"""Small pages whose metadata was wrong once: each has its defect in its name."""

import json

import pytest

import tamis

TEXT = "<p>" + "The city council met on Monday to talk about the bridge and its cost to the town. " * 6 + "</p>"


def article(**values):
    return f'<script type="application/ld+json">{json.dumps({"@type": "NewsArticle", **values})}</script>'


def metadata(html, url="https://example.org/news/story-1.html"):
    return tamis.extract(html, url).metadata


@pytest.mark.parametrize(
    "other",
    [
        '<figure><img src=a.jpg><figcaption class="photo-date">Vigil on Feb. 26, 2024.</figcaption></figure>',
        TEXT + '<aside><div class="date">19.02.2024</div><h3><a href=/x>Other story</a></h3></aside>',
    ],
)
def test_date_of_a_caption_or_a_teaser_does_not_beat_the_declared_one(other):
    head = article(headline="A vigil for the airman", datePublished="2024-02-28")
    assert metadata(f"{head}<h1>A vigil for the airman</h1>{other}{TEXT * 3}").date == "2024-02-28"


def test_date_below_the_headline_counts_at_a_url_without_a_path():
    time = '<time datetime="2025-02-26">26 February 2025</time>'
    page = f"<title>The new telephone</title><article><h1>The new telephone</h1>{time}{TEXT * 6}</article>"
    assert metadata(page, "https://example.org/").date == "2025-02-26"


def test_shown_person_beats_an_organisation_in_meta():
    byline = '<p class="byline">By <a rel="author" href="/a/e">Emma Grey Ellis</a></p>'
    page = f'<meta name="author" content="Condé Nast"><h1>An ode to the kettle</h1>{byline}{TEXT * 3}'
    assert metadata(page).authors == ("Emma Grey Ellis",)


@pytest.mark.parametrize(
    ("byline", "authors"),
    [
        (
            '<div class="article-byline"><span>Birgit Baumann</span> <span>Anna Giulia Fink</span></div>',
            ("Birgit Baumann", "Anna Giulia Fink"),
        ),
        (
            '<a class="author" href="/authors/d"><span>Dana Mann</span><span>Head of Marketing & Sales</span></a>',
            ("Dana Mann",),
        ),
        (
            '<div class="byline"><span>By</span><span>by JOSH HASKELL</span>, DAVID CAPLAN</div>',
            ("JOSH HASKELL", "DAVID CAPLAN"),
        ),
        ('<div class="author">Last Updated: January 7, 2025</div>', ()),
    ],
)
def test_names_in_a_byline_are_those_of_people(byline, authors):
    assert metadata(f"<h1>What is a cloud</h1>{byline}{TEXT * 3}").authors == authors


@pytest.mark.parametrize(
    "names",
    [
        '<meta name="dcterms.creator" content="Gillman, Steve">',
        '<meta name="author" content="Gillman, Steve">',
        '<p class="byline">By Gillman, Steve</p>',
    ],
)
def test_family_name_before_a_comma_is_that_of_one_person(names):
    assert metadata(f"{names}<h1>Find hidden cash</h1>{TEXT * 3}").authors == ("Steve Gillman",)


def test_korean_reporter_is_named_without_the_word():
    page = f'<meta name="author" content="신현주 기자"><h1>장동혁, 한동훈 제명했지만</h1>{TEXT * 3}'
    assert metadata(page).authors == ("신현주",)


def test_chinese_editors_at_the_end_of_the_text_are_the_authors():
    text = "四月二十四日，主席向论坛致贺信，在会场内外引发热烈反响。" * 20
    page = f"<h1>促进航天技术更好惠及人民</h1><p>{text}</p><p>(责编：牛镛、岳弘彬)</p>"
    assert metadata(page).authors == ("牛镛", "岳弘彬")


def test_site_after_a_hangul_bar_is_not_in_the_title():
    head = '<meta property="og:site_name" content="한국일보"><title>의원 제명했지만 커졌다-정치ㅣ한국일보</title>'
    assert metadata(head + TEXT * 3).title == "의원 제명했지만 커졌다-정치"


def test_headline_of_a_news_article_is_its_title_without_the_kicker():
    page = article(headline="Judy Lybke, ganz und gar nicht eigenartig")
    page += f"<h1>Neue Leipziger Schule: Judy Lybke, ganz und gar nicht eigenartig</h1>{TEXT * 3}"
    found = metadata(page)
    assert (found.title, found.sources["title"]) == ("Judy Lybke, ganz und gar nicht eigenartig", "json-ld headline")


@pytest.mark.parametrize(
    "heading",
    [
        "<span class=kicker>Opinion</span><span>Why bridges fall</span>",
        '<small class="article__eyebrow">World news</small><br>Why bridges fall',
        "<span class=dachzeile>Verkehr: </span>Why bridges fall",
    ],
)
def test_kicker_in_the_heading_is_not_in_the_title(heading):
    assert metadata(f"<h1>{heading}</h1>{TEXT * 3}").title == "Why bridges fall"


def test_date_and_sections_in_the_heading_are_not_in_the_title():
    line = "<small><i class=icon></i>&nbsp; 02.02.2022 •&nbsp; <span>Clubs</span>, <span>News</span></small>"
    found = metadata(f"<h1>Zuschauerrückkehr bei den Proficlubs<br>{line}</h1>{TEXT * 3}")
    assert (found.title, found.date) == ("Zuschauerrückkehr bei den Proficlubs", "2022-02-02")


@pytest.mark.parametrize(
    "heading", ["<span class=kicker>Opinion</span>", "Why <em class=kicker>Opinion</em> matters"]
)
def test_element_named_kicker_that_is_the_heading_or_inside_it_stays(heading):
    assert metadata(f"<h1>{heading}</h1>{TEXT * 3}").title in {"Opinion", "Why Opinion matters"}


def test_section_after_the_headline_is_not_in_the_title():
    head = "<title>의원 제명했지만 커졌다-정치ㅣ한국일보</title>" + article(headline="의원 제명했지만 커졌다")
    assert metadata(head + TEXT * 3).title == "의원 제명했지만 커졌다"
    cut = "<title>The council meets on Monday</title>" + article(headline="The council meets")
    assert metadata(cut + TEXT * 3).title == "The council meets on Monday"


def test_shown_person_beats_the_owner_of_the_copyright():
    page = f'<meta name=author content="Deutsche Welle"><h1>An ode</h1><p class=byline>By Emma Ellis</p>{TEXT * 3}'
    assert metadata(page).authors == ("Deutsche Welle",)  # it may be a person
    assert metadata(f"{page}<footer>© 2023 Deutsche Welle</footer>").authors == ("Emma Ellis",)


def test_a_press_release_is_no_author():
    assert metadata(f"<h1>Enrolment is open</h1><p>May 4, 2025</p><p>Press Release</p>{TEXT * 3}").authors == ()


@pytest.mark.parametrize("line", ["责编：牛镛、岳弘彬", "责任编辑：牛镛、岳弘彬"])
def test_editors_in_a_chinese_byline(line):
    assert metadata(f"<h1>促进航天技术</h1><p class=byline>{line}</p>{TEXT * 3}").authors == ("牛镛", "岳弘彬")


def test_headline_that_is_cut_yields_to_the_heading():
    long = "The city council met on Monday to talk about the bridge, the ferry and what both of them cost the town"
    assert metadata(article(headline=f"{long[:95]}…") + f"<h1>{long}</h1>{TEXT * 3}").title == long
