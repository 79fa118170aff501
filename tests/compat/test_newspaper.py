import inspect
import json

import pytest

from tamis.compat import newspaper as ours
from tests.compat.pages import ARTICLE, SENTENCES
from tests.compat.real import load, outcome
from tests.serve.loopback import Site

theirs = load("newspaper")
URL = "https://example.org/tea"
ATTRIBUTES = {
    **dict.fromkeys(["url", "source_url", "original_url", "title", "text", "html", "article_html", "summary"], str),
    **dict.fromkeys(["top_image", "meta_img", "meta_favicon", "meta_site_name"], str),
    **dict.fromkeys(["meta_description", "meta_lang", "canonical_link"], str),
    **dict.fromkeys(["authors", "images", "movies", "keywords", "meta_keywords", "history"], list),
    "text_cleaned": str,
    "meta_data": dict,
    "is_parsed": bool,
}


def both(html, **keywords):
    return [
        outcome(package.article, URL, input_html=html, fetch_images=False, **keywords) for package in (ours, theirs)
    ]


@pytest.mark.parametrize("html", [ARTICLE, "", "  "], ids=["article", "empty", "blank"])
def test_attributes_have_the_same_types(html):
    mine, real = both(html)
    for name, kind in ATTRIBUTES.items():
        assert type(getattr(mine, name)) is type(getattr(real, name)) is kind, name
    assert type(mine.publish_date) is type(real.publish_date)
    assert mine.download_state.name == real.download_state.name == "SUCCESS"


def test_values_of_an_article_are_the_same():
    mine, real = both(ARTICLE)
    for name in ("title", "authors", "meta_keywords", "meta_description", "meta_site_name", "meta_lang", "meta_img"):
        assert getattr(mine, name) == getattr(real, name), name
    assert mine.canonical_link == real.canonical_link
    assert mine.publish_date == real.publish_date
    assert SENTENCES[2].strip() in mine.text
    assert list(json.loads(mine.to_json())) == list(json.loads(outcome(real.to_json)))
    assert mine.to_json(as_string=False)["publish_date"] == "2024-03-05T10:00:00+00:00"


@pytest.mark.parametrize("method", ["parse", "nlp", "to_json"])
def test_an_article_that_is_not_downloaded_raises(method):
    for package in (ours, theirs):
        assert outcome(getattr(package.Article(URL), method)).__name__ == "ArticleException"


#: Attributes and methods of newspaper4k that are not there; docs/migration.md names them.
MISSING = {"clean_doc", "doc", "extractor", "fetch_images", "set_movies", "top_node"}


def test_the_attributes_that_are_not_there_are_documented():
    mine, real = (
        {name for name in dir(package.Article(URL)) if not name.startswith("_")} for package in (ours, theirs)
    )
    assert real - mine == MISSING


@pytest.mark.parametrize("html", ["<html></html>", b"<p></p>"])
def test_fulltext_of_a_page_without_content(html):
    assert outcome(theirs.fulltext, html) == ours.fulltext(html) == ours.fulltext("") == ""
    texts = [outcome(package.article, URL, input_html=html, fetch_images=False).text for package in (ours, theirs)]
    assert texts == ["", ""]


@pytest.mark.parametrize("html", [None, 5, ["x"]], ids=repr)
def test_input_that_is_no_page_is_a_type_error(html):
    assert outcome(ours.fulltext, html) is outcome(theirs.fulltext, html) is TypeError


@pytest.mark.parametrize("url", ["https://example.org:8080/tea?a=1#b", "https://ann:tea@example.org/"])
def test_the_url_of_the_site_has_its_port_and_user(url):
    mine, real = (package.Article(url) for package in (ours, theirs))
    assert (mine.url, mine.source_url, mine.original_url) == (real.url, real.source_url, real.original_url)


def test_a_page_as_bytes_is_kept_as_text():
    for package in (ours, theirs):
        article = package.Article(URL)
        article.html = ARTICLE.encode()
        assert article.html == ARTICLE


def test_download_has_the_parameters_of_the_package():
    mine, real = (inspect.signature(package.Article.download).parameters for package in (ours, theirs))
    assert [(name, parameter.default) for name, parameter in mine.items()] == [
        (name, parameter.default) for name, parameter in real.items()
    ]


def test_articles_have_a_description_and_the_meta_elements():
    mine, real = both(ARTICLE)
    assert str(mine).startswith("__Title__: How tea is made\n\n ")
    assert str(real).startswith("__Title__: How tea is made\n\n ")
    assert len(str(mine)) < 200
    assert real.meta_data.items() <= mine.meta_data.items()


@pytest.mark.parametrize("method", ["throw_if_not_downloaded_verbose", "throw_if_not_parsed_verbose"])
def test_the_state_of_an_article_can_be_checked(method):
    for package in (ours, theirs):
        article = package.Article(URL)
        assert outcome(getattr(article, method)).__name__ == "ArticleException"
        outcome(article.download(ARTICLE).parse)
        assert outcome(getattr(article, method)) is None


def test_the_exceptions_of_the_package_can_be_named():
    names = {name for name in dir(theirs) if name.endswith("Exception")}
    assert names <= set(ours.__all__)


@pytest.mark.slow
def test_a_failed_download_is_raised_by_parse():
    with Site() as site:
        for package, keywords in ((ours, {"allow_private": True}), (theirs, {})):
            article = package.Article(site.url("/none"), **keywords)
            assert outcome(article.download) is article
            assert article.download_state.name == "FAILED_RESPONSE"
            assert article.download_exception_msg
            assert outcome(article.parse).__name__ == "ArticleException"


def test_an_article_is_downloaded(tmp_path):
    with Site() as site:
        site.pages["/tea"] = ARTICLE.encode()
        article = ours.article(site.url("/tea"), allow_private=True)
    assert article.title == "How tea is made"
    file = tmp_path / "tea.html"
    file.write_text(ARTICLE, "utf-8")
    assert ours.article(file.as_uri()).text == article.text
    missing = ours.Article((tmp_path / "none.html").as_uri()).download()
    assert missing.download_state is ours.ArticleDownloadState.FAILED_RESPONSE


def test_a_page_that_is_set_counts_as_downloaded():
    for package in (ours, theirs):
        article = package.Article(URL)
        article.html = ARTICLE
        assert article.download_state.name == "SUCCESS"
        outcome(article.parse)
        assert article.title == "How tea is made"
        assert (article.imgs, article.top_img) == (article.images, article.top_image)


def test_keywords_are_without_the_stop_words_of_the_language():
    text = (
        "Der Tee ist heiß, und der Tee ist gut. Die Kanne ist aus Ton, und die Kanne ist alt, und der Ton ist rot. "
    )
    page = f"<html lang=de><title>Tee</title><article><h1>Tee</h1><p>{text * 3}</p></article>"
    article = ours.article("https://example.org/tee", input_html=page)
    article.nlp()
    assert {"tee", "kanne", "ton"} <= set(article.keywords)
    assert not {"der", "die", "und", "ist", "aus"} & set(article.keywords)
    assert list(ours.keywords("red tea, red pot", ["red"])) == ["pot", "tea"]


def test_nlp_finds_frequent_words_and_whole_sentences():
    article = ours.article(URL, input_html=ARTICLE)
    article.nlp()
    assert article.keywords
    assert not {"the", "and", "a"} & set(article.keywords)
    assert article.keyword_scores.keys() == set(article.keywords)
    sentences = article.summary.splitlines()
    assert 0 < len(sentences) <= article.config.max_summary_sent
    assert all(sentence in " ".join(article.text.split()) for sentence in sentences)


def test_a_configuration_is_copied_and_a_language_of_its_own_counts():
    config = ours.Config()
    config.language = "de"
    config.max_authors = 0
    article = ours.article(URL, input_html=ARTICLE, config=config)
    article.config.language = "fr"
    assert (config.language, article.language, article.authors) == ("de", "fr", [])
    with pytest.raises(ValueError, match="'zz' is not a language"):
        ours.Article(URL, language="zz")


def test_publish_dates_of_urls_are_the_same():
    url = "https://example.org/2021/07/09/tea"
    mine, real = (outcome(package.article, url, input_html=ARTICLE, fetch_images=False) for package in (ours, theirs))
    assert mine.publish_date == real.publish_date


SITE = """<html><head><meta name=description content="About tea">
<link rel=alternate type="application/rss+xml" href="/feed.xml"></head><body>
<a href="/green">Green</a> <a href="/2024/03/05/how-to-boil-water">Boil</a> <a href="http://localhost/x">away</a></body></html>"""
FEED = """<rss version="2.0"><channel><title>Tea</title><item><link>{root}/2024/04/05/how-to-wait</link></item>
<item><link>{root}/2024/03/05/how-to-boil-water/</link></item></channel></rss>"""


@pytest.mark.slow
def test_a_source_lists_downloads_and_parses_its_articles():
    with Site() as site:
        root = site.url("")
        site.pages = {
            "/": SITE.encode(),
            "/green": b'<a href="/green/how-green-tea-is-picked">picked</a>',
            "/feed.xml": FEED.format(root=root).encode(),
            "/2024/03/05/how-to-boil-water": ARTICLE.encode(),
            "/2024/04/05/how-to-wait": ARTICLE.encode(),
            "/green/how-green-tea-is-picked": ARTICLE.replace("tea", "green tea").encode(),
        }
        source = ours.build(root + "/", allow_private=True)
        source.download_articles()
    paths = sorted(url.removeprefix(root) for url in source.article_urls())
    assert paths == ["/2024/03/05/how-to-boil-water", "/2024/04/05/how-to-wait", "/green/how-green-tea-is-picked"]
    assert source.description == "About tea"
    assert [url.removeprefix(root) for url in source.feed_urls()] == ["/feed.xml"]
    assert [url.removeprefix(root) for url in source.category_urls()] == ["/", "/green"]
    source.parse_articles()
    assert source.size() == 2  # two have the same content
    assert SENTENCES[2].strip() in source.articles[0].text
