import copy
import csv
import gzip
import html
import io
import json
import sys
from configparser import ConfigParser
from xml.etree import ElementTree as ET

import lxml.html
import pytest
from lxml import etree

from tamis.compat import trafilatura as ours
from tests.compat.pages import ARTICLE, COMMENT, COMMENTED, EMPTY, SENTENCES
from tests.compat.real import load, outcome
from tests.serve.loopback import Site

theirs = load("trafilatura")
FUNCTIONS = ["extract", "bare_extraction", "extract_with_metadata", "extract_metadata", "baseline", "html2txt"]


def comparable(value):
    """Return a value with documents, elements and days as plain values."""
    if hasattr(value, "as_dict"):
        return comparable(value.as_dict())
    if isinstance(value, dict):
        return {name: comparable(item) for name, item in value.items() if name != "filedate"}
    if isinstance(value, tuple):
        return tuple(map(comparable, value))
    return etree.tostring(value) if isinstance(value, etree._Element) else value or None


@pytest.mark.slow
@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("page", [*EMPTY, "hello", None, 5, "https://example.org/"], ids=repr)
def test_failure_values_are_the_same(name, page):
    values = [outcome(getattr(package, name), page) for package in (ours, theirs)]
    assert comparable(values[0]) == comparable(values[1])


@pytest.mark.parametrize("with_metadata", [False, True])
@pytest.mark.parametrize("form", ["txt", "markdown", "html", "json", "xml", "xmltei", "csv"])
def test_every_format_is_a_string_of_the_same_form(form, with_metadata):
    texts = [
        outcome(package.extract, ARTICLE, output_format=form, with_metadata=with_metadata)
        for package in (ours, theirs)
    ]
    assert all(isinstance(text, str) for text in texts)
    assert all(SENTENCES[2].strip() in text for text in texts)
    assert "Imprint" not in texts[0]
    forms = {
        "json": lambda text: list(json.loads(text)),
        "csv": lambda text: len(next(csv.reader(io.StringIO(text), delimiter="\t"))),
        "xml": lambda text: [element.tag for element in etree.fromstring(text)],
        "xmltei": lambda text: etree.fromstring(text).tag,
        "html": lambda text: [element.tag for element in lxml.html.document_fromstring(text)],
    }
    read = forms.get(form, lambda text: text.startswith("---\ntitle: How tea is made"))
    assert read(texts[0]) == read(texts[1])


def test_metadata_has_the_same_fields_types_and_values():
    mine, real = (outcome(package.extract_metadata, ARTICLE).as_dict() for package in (ours, theirs))
    assert list(mine) == list(real)
    for name in ("title", "author", "url", "hostname", "sitename", "date", "description", "image", "filedate"):
        assert mine[name] == real[name], name
    for name in mine.keys() - {"language", "pagetype"}:  # Tamis knows more
        assert type(mine[name]) is type(real[name]), name


@pytest.mark.parametrize(
    "title", ["Tea: a guide", '"Tea" & milk', "No", "- tea", "Tea #2 or C# or", "Ready:", "2024", "Thé’s"]
)
def test_front_matter_is_yaml_with_the_metadata(title):
    yaml = pytest.importorskip("yaml")
    page = ARTICLE.replace("How tea is made", html.escape(title)).replace("tea, water", "it's, &quot;hot&quot;")
    document = ours.extract_metadata(page)
    front_matter = yaml.safe_load(ours.extract(page, with_metadata=True).split("---\n")[1])
    for name, value in front_matter.items():
        assert value == getattr(document, name) or name == "fingerprint"
    assert front_matter["title"] == document.title
    assert front_matter["tags"] == ['it\'s, "hot"']


def test_bare_extraction_has_metadata_only_if_asked():
    mine, real = (outcome(package.bare_extraction, ARTICLE) for package in (ours, theirs))
    assert (mine.title, mine.date) == (real.title, real.date) == (None, None)
    assert mine.body.tag == real.body.tag == "body"
    assert [element.tag for element in mine.body][:2] == ["head", "p"]
    assert (
        [element.tag for element in mine.body][-2:] == [element.tag for element in real.body][-2:] == ["p", "table"]
    )
    assert outcome(ours.bare_extraction, ARTICLE, with_metadata=True).title == "How tea is made"
    assert isinstance(outcome(ours.bare_extraction, ARTICLE, as_dict=True), dict)


def test_extract_with_metadata_has_the_output_as_its_text():
    for package in (ours, theirs):
        document = outcome(package.extract_with_metadata, ARTICLE, record_id="7")
        assert document.text.startswith("---\ntitle: How tea is made")
        assert (document.id, document.author, document.comments) == ("7", "Ann Lee", None)


@pytest.mark.parametrize(
    "keywords",
    [
        {"output_format": "nope"},
        {"output_format": "python"},
        {"max_tree_size": 3},
        {"nope": 1},
        {"settingsfile": "/none/settings.cfg"},
    ],
    ids=str,
)
def test_invalid_keywords_raise_the_same_type(keywords):
    assert outcome(ours.extract, ARTICLE, **keywords) is outcome(theirs.extract, ARTICLE, **keywords)


@pytest.mark.parametrize("path", ["//p[", ""])
def test_an_invalid_xpath_is_the_error_of_lxml_and_a_value_error(path):
    error = outcome(ours.extract, ARTICLE, prune_xpath=path)
    assert issubclass(error, outcome(theirs.extract, ARTICLE, prune_xpath=path))
    assert issubclass(error, ValueError)


def test_an_xpath_that_is_no_string_finds_nothing():
    assert ours.extract(ARTICLE, prune_xpath=5) is outcome(theirs.extract, ARTICLE, prune_xpath=5) is None


def test_an_invalid_format_for_an_empty_page_is_none():
    assert ours.extract("", output_format="python") is outcome(theirs.extract, "", output_format="python") is None


@pytest.mark.parametrize(
    "page", ["a < b and c > d", type("Response", (), {"data": None})()], ids=["text", "response"]
)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_input_without_a_tag_has_the_same_values(name, page):
    values = [outcome(getattr(package, name), page) for package in (ours, theirs)]
    assert comparable(values[0]) == comparable(values[1])


def test_a_response_may_have_its_body_as_text():
    response = type("Response", (), {"data": ARTICLE})()
    assert ours.extract(response) == ours.extract(ARTICLE)
    assert outcome(theirs.extract, response) == outcome(theirs.extract, ARTICLE)


def test_a_malformed_url_has_no_host():
    page = ARTICLE.replace("canonical", "other")
    for package in (ours, theirs):
        document = outcome(package.extract_metadata, page, "http://[")
        assert (document.url, document.hostname) == ("http://[", None)


def test_a_list_of_authors_to_leave_out_implies_metadata():
    for package in (ours, theirs):
        assert outcome(package.extract, ARTICLE, author_blacklist={"Bob"}).startswith("---\ntitle: How tea is made")
        assert outcome(package.bare_extraction, ARTICLE, author_blacklist={"Ann Lee"}).author is None


def test_documents_are_made_as_in_the_package():
    real = load("trafilatura.settings").Document
    values = {"title": "Tea", "idval": "7", "license_val": "CC0"}
    assert comparable(ours.Document(**values)) == comparable(real(**values))
    assert comparable(ours.Document.from_dict({"id": "7"})) == comparable(real.from_dict({"id": "7"}))
    for arguments in ({"id": "7"}, {"nope": 1}):
        assert outcome(ours.Document, **arguments) is outcome(real, **arguments) is TypeError
    assert outcome(ours.Document.from_dict, {"nope": 1}) is outcome(real.from_dict, {"nope": 1}) is AttributeError


RICH = ARTICLE.replace(
    "<h2>Silence</h2>",
    "<p>A <b>bold</b> claim of <i>a tea</i> that <img src=/p.png alt=pot> was poured for the guests of the house.</p>"
    "<ol><li>Fill the kettle with water.<ul><li>Soft water is best.</li></ul></li><li>Wait for it to boil.</li></ol>"
    "<blockquote><p>Nobody should drink it cold, said the old man.</p></blockquote>"
    "<pre><code>pour(tea)\n\nwait(3)</code></pre><h2>Silence</h2>",
)


def rich(package, form, **keywords):
    return outcome(package.extract, RICH, "https://example.org/tea", output_format=form, **keywords)


def tags(text):
    return {element.tag.rpartition("}")[2] for element in etree.fromstring(text).iter()}


@pytest.mark.slow
@pytest.mark.parametrize("form", ["xml", "xmltei"])
def test_xml_has_the_elements_that_the_keywords_ask_for(form):
    plain = {"p", "list", "item", "quote", "table", "row", "cell"}
    inline = {"hi": "include_formatting", "ref": "include_links", "graphic": "include_images"}
    for package in (ours, theirs):
        assert plain <= tags(rich(package, form))
        assert not inline.keys() & tags(rich(package, form))
        assert "table" not in tags(rich(package, form, include_tables=False))
        for name, keyword in inline.items():
            assert name in tags(rich(package, form, **{keyword: True})), (package, keyword)


def test_xml_has_the_attributes_of_the_package():
    trees = [
        etree.fromstring(rich(package, "xml", include_links=True, include_images=True, include_formatting=True))
        for package in (ours, theirs)
    ]
    for path in (
        "//ref/@target",
        "//graphic/@src",
        "//graphic/@alt",
        "//hi/@rend",
        "//cell/@role",
        "//head[last()]/@rend",
    ):
        mine, real = (tree.xpath(path) for tree in trees)
        assert mine == real, path
    assert trees[0].xpath("string(//item/list/item)") == "Soft water is best."
    assert trees[0].xpath("string(//code)") == "pour(tea)\n\nwait(3)"
    assert trees[0].xpath("string(//quote)").strip() == "Nobody should drink it cold, said the old man."


def test_xml_has_the_metadata_of_the_package_in_its_order():
    mine, real = (
        etree.fromstring(rich(package, "xml", with_metadata=True, record_id="7")).attrib for package in (ours, theirs)
    )
    assert [name for name in mine if name != "language"] == list(real)
    assert etree.fromstring(rich(ours, "xml", record_id="7")).get("id") == "7"


def test_words_side_by_side_stay_so_in_xml():
    page = "<main><p>" + SENTENCES[0] * 3 + "<b>tea</b><i>pot</i></p><p>" + SENTENCES[1] * 3 + "</p></main>"
    text = ours.extract(page, output_format="xml", include_formatting=True)
    assert '<hi rend="#b">tea</hi><hi rend="#i">pot</hi></p>' in text


def test_tei_has_the_metadata_and_is_valid():
    page = RICH
    for element in ("table", "pre", "code"):  # the schema of trafilatura has neither cells nor code
        page = page.replace(f"<{element}>", "<div>").replace(f"</{element}>", "</div>")
    text = ours.extract(
        page, record_id="7", output_format="xmltei", include_links=True, include_images=True, include_formatting=True
    )
    tree = etree.fromstring(text)
    assert load("trafilatura.xml").validate_tei(tree)
    real = etree.fromstring(outcome(theirs.extract, page, record_id="7", output_format="xmltei"))
    name = {"tei": "http://www.tei-c.org/ns/1.0"}
    for path in (
        "//tei:titleStmt/tei:title/text()",
        "//tei:author/text()",
        "//tei:biblFull//tei:date/text()",
        "//tei:ptr[@type='URL']/@target",
        "//tei:note[@type='id']/text()",
        "//tei:abstract/tei:p/text()",
        "//tei:text/tei:body/tei:div/@type",
    ):
        assert tree.xpath(path, namespaces=name) == real.xpath(path, namespaces=name) != [], path


@pytest.mark.parametrize("form", ["xml", "xmltei"])
def test_a_document_keeps_its_body_when_it_is_written(form):
    document = ours.extract_with_metadata(ARTICLE, output_format=form)
    assert "woollen" in "".join(document.body.itertext())


@pytest.mark.slow
def test_formatting_is_written_only_if_it_is_asked_for():
    for package in (ours, theirs):
        assert "**bold**" in rich(package, "markdown")
        assert "**" not in rich(package, "markdown", include_formatting=False)
        assert "## Silence" not in rich(package, "markdown", include_formatting=False)
        assert "<strong>" not in rich(package, "html")
        assert "<strong>bold</strong>" in rich(package, "html", include_formatting=True)
        assert "## Silence" not in json.loads(rich(package, "json", include_formatting=True))["text"]


def test_a_configuration_sets_the_least_length_of_the_output(tmp_path):
    use_config = load("trafilatura.settings").use_config
    file = tmp_path / "settings.cfg"
    file.write_text("[DEFAULT]\nMIN_OUTPUT_SIZE = 90000\nMIN_OUTPUT_COMM_SIZE = 90000\n", "utf-8")
    options = load("trafilatura.settings").Extractor(config=use_config(str(file)))
    for package in (ours, theirs):
        assert outcome(package.extract, ARTICLE, config=use_config()) is not None
        assert outcome(package.extract, ARTICLE, config=use_config(str(file))) is None
        assert outcome(package.extract, ARTICLE, settingsfile=str(file)) is None
        assert outcome(package.extract, ARTICLE, options=options) is None
        assert outcome(package.bare_extraction, ARTICLE, config=use_config(str(file))) is None


def test_settings_of_a_configuration_without_effect_say_so_once():
    config = load("trafilatura.settings").use_config()
    ours.extract(ARTICLE, config=config)  # nothing is set that has no effect
    config = copy.deepcopy(config)
    config["DEFAULT"]["MAX_TREE_SIZE"] = "10"
    with pytest.warns(UserWarning, match="'MAX_TREE_SIZE' has no effect"):
        ours.extract(ARTICLE, config=config)
    ours.extract(ARTICLE, config=config)
    config["DEFAULT"]["COOKIE"] = "a=b"
    with pytest.warns(UserWarning, match="'COOKIE' has no effect"):
        ours.fetch_url("", config=config)


def test_a_language_may_have_a_region():
    assert ours.extract(ARTICLE, target_language="en-GB") is not None
    assert ours.extract(ARTICLE, target_language="fr-FR") is None


def test_baseline_has_a_line_per_paragraph():
    page = f"<html><body><p>{SENTENCES[0] * 3}</p><p>{SENTENCES[1] * 3}</p></body></html>"
    for package in (ours, theirs):
        _, text, length = outcome(package.baseline, page)
        assert text.split("\n") == [(SENTENCES[0] * 3).strip(), (SENTENCES[1] * 3).strip()]
        assert length == len(text)


def test_keywords_that_refuse_a_page_return_none():
    assert ours.extract(ARTICLE, target_language="fr") is None
    assert ours.extract(ARTICLE, target_language="en") is not None
    assert ours.extract(ARTICLE, url_blacklist={"https://example.org/tea"}) is None
    undated = ARTICLE.replace("article:published_time", "other")
    assert ours.extract(ARTICLE, only_with_metadata=True).startswith("---")
    assert ours.extract(undated, only_with_metadata=True) is None


def test_keywords_change_what_is_written():
    linked = ours.extract(ARTICLE, "https://example.org/", include_links=True)
    assert "Read [about scales](https://example.org/scales)." in linked
    assert "\nSilence\n" in linked
    pictured = ARTICLE.replace("Read <a", "<img src=/p.png alt=pot> Read <a")
    assert "![pot](" in ours.extract(pictured, include_images=True)
    assert "pot]" not in ours.extract(pictured)
    assert "seventy" in ours.extract(ARTICLE)
    assert "seventy" not in ours.extract(ARTICLE, include_tables=False)
    assert "## Silence" in ours.extract(ARTICLE, include_formatting=True)
    assert "## Silence" not in ours.extract(ARTICLE)
    assert "woollen" not in ours.extract(ARTICLE, prune_xpath="//p[@class='quiet']")
    assert "woollen" not in ours.extract(ARTICLE, prune_xpath=["//footer", "//p[@class='quiet']"])
    assert ours.extract_metadata(ARTICLE, author_blacklist={"ann lee"}).author is None
    assert len(ours.extract(ARTICLE, favor_recall=True)) >= len(ours.extract(ARTICLE, favor_precision=True))


def test_comments_follow_the_content_unless_they_are_left_out():
    assert COMMENT in ours.extract(COMMENTED)
    assert COMMENT not in ours.extract(COMMENTED, include_comments=False)
    document = ours.bare_extraction(COMMENTED)
    assert COMMENT in document.comments
    assert COMMENT not in document.text
    assert ours.bare_extraction(COMMENTED, include_comments=False).comments is None


def test_the_extractor_of_trafilatura_is_read():
    options = load("trafilatura.settings").Extractor(output_format="json", with_metadata=True, links=True)
    assert json.loads(ours.extract(ARTICLE, options=options))["author"] == "Ann Lee"


@pytest.mark.slow
def test_the_extractor_has_precedence_and_other_objects_are_ignored():
    extractor = load("trafilatura.settings").Extractor
    page = ARTICLE.replace("canonical", "other")
    options = extractor(output_format="json", with_metadata=True, url="https://example.org/a")
    for package in (ours, theirs):
        text = outcome(package.extract, page, "https://example.com/b", options=options)
        assert json.loads(text)["source"] == "https://example.org/a"
        plain = extractor(output_format="markdown", formatting=False)
        assert "## Silence" not in outcome(package.extract, ARTICLE, options=plain)
        for other in (5, "x", {"format": "json"}):
            assert outcome(package.extract, ARTICLE, options=other) == outcome(package.extract, ARTICLE)


@pytest.mark.parametrize(
    "keywords", [{"tei_validation": True}, {"date_params": {"outputformat": "%Y"}}, {"dedup": True}]
)
def test_settings_of_the_extractor_without_effect_say_so_once(keywords):
    extractor = load("trafilatura.settings").Extractor
    ours.extract(ARTICLE, options=extractor(output_format="xmltei"))
    options = extractor(output_format="xmltei", **keywords)
    with pytest.warns(UserWarning, match="has no effect"):
        ours.extract(ARTICLE, options=options)
    ours.extract(ARTICLE, options=options)


def test_pages_are_taken_as_bytes_responses_and_elements():
    text = ours.extract(ARTICLE)
    response = type("Response", (), {"data": ARTICLE.encode()})()
    for page in (ARTICLE.encode(), bytearray(ARTICLE.encode()), response, lxml.html.fromstring(ARTICLE)):
        assert ours.extract(page) == text


def test_elements_are_those_of_the_standard_library_without_lxml(monkeypatch):
    monkeypatch.setitem(sys.modules, "lxml", None)  # as if it were not installed
    body, text, length = ours.baseline(ARTICLE)
    assert isinstance(body, ET.Element)
    assert length == len(text) > 500
    tei = ET.fromstring(ours.extract(RICH, output_format="xmltei", include_images=True, include_formatting=True))
    assert tei.findtext(".//{*}author") == "Ann Lee"
    assert tei.find(".//{*}graphic/{*}desc") is not None
    assert [element.tag for element in ET.fromstring(ours.extract(ARTICLE, output_format="xml"))] == [
        "main",
        "comments",
    ]


def test_a_keyword_without_effect_says_so_once():
    with pytest.warns(UserWarning, match="'deduplicate' has no effect") as caught:
        ours.extract(ARTICLE, deduplicate=True)
    assert caught[0].filename == __file__
    ours.extract(ARTICLE, deduplicate=True)  # a second warning would be an error
    ours.extract(ARTICLE, fast=True)


def test_fingerprints_are_near_for_similar_texts_and_far_for_others():
    def distance(left, right):
        prints = [ours.bare_extraction(page).fingerprint for page in (left, right)]
        return (int(prints[0], 16) ^ int(prints[1], 16)).bit_count()

    other = "<main><p>" + "Bridges of iron were built over every river in the valley that year. " * 12
    assert distance(ARTICLE, ARTICLE.replace("low flame", "high flame", 1)) < 8 < distance(ARTICLE, other)


def test_fetch_url_returns_the_decoded_page_or_none():
    with Site() as site:
        site.pages["/tea"] = lambda handler: handler.respond(
            "<p>Thé".encode("cp1252"), Content_Type="text/html; charset=windows-1252"
        )
        assert ours.fetch_url(site.url("/tea"), allow_private=True) == "<p>Thé"
        assert ours.fetch_url(site.url("/none"), allow_private=True) is None
        assert ours.fetch_url(site.url("/tea")) is None  # private networks are closed
        config = ConfigParser()
        config["DEFAULT"]["SSRF_PROTECTION"] = "off"
        assert ours.fetch_url(site.url("/tea"), config=config) == "<p>Thé"
        assert outcome(theirs.fetch_url, site.url("/none")) is None
    for url in ("", "x"):
        assert ours.fetch_url(url) is outcome(theirs.fetch_url, url) is None


def test_responses_have_the_attributes_of_trafilatura():
    with Site() as site:
        site.pages["/tea"] = "<p>Thé".encode()
        response = ours.fetch_response(site.url("/tea"), decode=True, allow_private=True)
        assert ours.fetch_response(site.url("/none"), allow_private=True) is None
    assert (response.data, response.status, response.html) == ("<p>Thé".encode(), 200, "<p>Thé")
    assert response.as_dict().keys() == theirs.utils.Response(b"", 200, "").as_dict().keys()
    assert ours.extract(response) == "Thé"


def test_feeds_sitemaps_and_a_crawl_list_the_pages_of_a_site():
    with Site() as site:
        root = site.url("")
        feed = f"<rss version='2.0'><channel><title>t</title><item><link>{root}/a</link></item></channel></rss>"
        sitemap = (
            f"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>{root}/de/b</loc></url></urlset>"
        )
        links = "<a href='/a'>a</a><a href='/a#part'>part</a><a href='/x.png'>x</a><a href='https://example.org/'>away</a>"
        site.pages = {
            "/": f"<link rel=alternate type='application/rss+xml' href='/feed'>{links}".encode(),
            "/feed": feed.encode(),
            "/sitemap.xml": sitemap.encode(),
            "/a": b"<a href='/b'>b</a>",
        }
        open_door = {"allow_private": True}
        assert ours.find_feed_urls(root + "/", sleep_time=0, **open_door) == [root + "/a"]
        assert ours.sitemap_search(root + "/", **open_door) == [root + "/de/b"]
        assert ours.sitemap_search(root + "/", target_lang="en", **open_door) == []
        config = ours.use_config()
        config["DEFAULT"]["SLEEP_TIME"] = "0"
        todo, known = ours.focused_crawler(root + "/", max_seen_urls=2, config=config, **open_door)
    assert (todo, known) == ([root + "/b"], [root + "/", root + "/a", root + "/b"])


def test_gzipped_pages_are_read():
    assert ours.extract(gzip.compress(ARTICLE.encode())) == ours.extract(ARTICLE)


def test_a_short_page_gives_the_article_that_its_json_ld_has():
    whole = "The whole article stands in the script, and it is much longer than what the page shows. " * 5
    data = json.dumps({"@type": "Article", "articleBody": whole})
    page = f"<script type='application/ld+json'>{data}</script><article><p>Only a teaser."
    assert ours.extract(page) == whole.strip()


LONG = (
    "Boil soft water, and pour it over the leaves before they cool: a kettle keeps its heat for less than a minute."
)
STEPS = [{"@type": "HowToStep", "text": LONG, "itemListElement": [{"text": "Wait."}]}, "Pour."]
LINES = "".join(f"<div>A line of the page itself, which has a good many more words than that. {LONG}</div>")


@pytest.mark.parametrize(
    ("declared", "body"),
    [
        ({"@graph": [{"articleBody": LONG}, {"articleBody": LONG}]}, ""),
        ({"articleBody": f"<p>{LONG}</p>&lt;p&gt;a&lt;b&lt;/p&gt;"}, ""),
        ({"articleBody": f"{LONG} Is i<b and c>d?"}, ""),
        ({"articleBody": "Too short."}, f"<p>{LONG}</p>"),
        ({"@type": "Recipe", "recipeInstructions": STEPS}, ""),
        ({"@type": "HowTo", "step": STEPS}, ""),
        ({"@type": "FAQPage", "mainEntity": [{"name": "How?", "acceptedAnswer": {"text": LONG}}]}, ""),
        ({"@type": "Product", "description": LONG}, "<div>x</div>"),
        ({"@type": "Product", "description": LONG}, LINES),
    ],
    ids=["graph", "markup", "comparison", "short", "recipe", "how-to", "answers", "description", "longer-page"],
)
def test_baseline_has_what_json_ld_declares_where_the_page_shows_little(declared, body):
    page = f"<html><body><script type='application/ld+json'>{json.dumps(declared)}</script>{body}</body></html>"
    mine, real = (package.baseline(page)[1].split() for package in (ours, theirs))
    assert mine == real


@pytest.mark.parametrize(
    "page",
    [
        "<meta property='og:author' content='Ada Lovelace'></head><body><p>Tea.",
        "<title>tea.example.org - Home</title></head><body><p>Tea.",
        "<meta name='article:publisher' content='kettle'></head><body><p>Tea.",
        "</head><body><h1>Tea</h1><p class=entry-categories><a href='/category/a/'>Black</a></p>",
        "</head><body><a href='https://example.org/terms' rel='LICENSE'>Our terms</a>",
        "</head><body><footer>The license is <a href='/1'>CC BY-NC</a></footer>",
        "</head><body><footer><a href='/tea'>Tea</a></footer>",
    ],
)
def test_metadata_that_trafilatura_alone_reads_is_the_same(page):
    mine, real = (package.extract_metadata(f"<html><head>{page}</body></html>") for package in (ours, theirs))
    names = ("author", "sitename", "categories", "license")
    assert [getattr(mine, name) for name in names] == [getattr(real, name) for name in names]


def test_a_compressed_page_is_read_up_to_the_size_of_the_configuration():
    config = ours.use_config()
    assert ours.extract(gzip.compress(ARTICLE.encode()), config=config)
    config["DEFAULT"]["MAX_FILE_SIZE"] = "100"
    assert ours.extract(gzip.compress(ARTICLE.encode()), config=config) is None


def test_html2txt_keeps_a_page_that_is_inside_a_form():
    page = "<form><main><p>Boil soft water.</p><select><option>one</option></select></main></form>"
    assert ours.html2txt(page) == "Boil soft water."


def test_the_headline_begins_the_text_and_items_have_dashes():
    body = f"<main><p>{'Boil soft water. ' * 9}</p><ul><li>wait<li>pour</ul></main>"
    page = f"<title>Tea</title><header><h1>Tea</h1></header>{body}"
    lines = ours.extract(page).splitlines()
    assert lines[0] == "Tea"
    assert lines[-2:] == ["- wait", "- pour"]


@pytest.mark.parametrize(
    "url",
    ["https://www.blog.example.org/tea", "https://news.bbc.co.uk/x", "https://example.org/", "http://10.0.0.1/x"],
)
def test_hosts_are_cut_as_trafilatura_cuts_them(url):
    mine, real = (
        outcome(package.bare_extraction, ARTICLE.replace("https://example.org/tea", url), url, with_metadata=True)
        for package in (ours, theirs)
    )
    assert mine.hostname == real.hostname


HEAD_ROW = "<row><cell role='head'>a</cell><cell role='head'>b</cell></row>"


@pytest.mark.parametrize(
    "body",
    [
        "<p>a *b* _c_ `d` [e] &lt;f&gt;</p>",
        "<head rend='h3'>Tea <hi rend='#b'>now</hi></head><p># none</p><p>1. none</p>",
        "<list rend='ol'><item>one</item><item>two<list><item>three</item></list></item></list><p>after</p>",
        f"<table>{HEAD_ROW}<row><cell>1|2</cell><cell><p>x</p>y</cell></row></table>",
        "<p>see <ref target='/a b'>the [link]</ref> and <graphic src='p.png' alt='pot'/></p>",
        "<p><hi rend='#b'>a</hi><hi rend='#b'>b</hi> <hi rend='#i'> c </hi><del>d</del></p>",
        "<code>one\ntwo</code><p>a <code>b`c</code> d</p>",
        "<quote><p>one</p><p>two</p></quote>",
        "<p>so \\(x_1\\) is</p>",
    ],
)
@pytest.mark.parametrize("formatting", [False, True])
def test_elements_are_written_as_trafilatura_writes_them(body, formatting):
    tree = etree.fromstring(f"<body>{body}</body>")
    assert ours.xmltotxt(tree, formatting).strip() == theirs.xml.xmltotxt(tree, formatting).strip()


@pytest.mark.parametrize(
    "table",
    [
        "<tr><td rowspan=2>x</td><td>a</td></tr><tr><td>b</td></tr>",
        "<tr><td colspan=2>a</td><td>b</td></tr><tr><td>c</td><td>d</td><td>e</td></tr>",
        "<tr><td></td><td>b</td></tr><tr><td>c</td><td></td></tr>",
        "<tr><th>leaf</th><th>degrees</th></tr><tr><td>green</td><td><p>70</p><p>80</p></td></tr>",
    ],
)
def test_tables_have_a_cell_for_each_column(table):
    page = f"<article><p>{'Boil soft water and wait for three minutes. ' * 8}</p><table>{table}</table></article>"
    for form in ("txt", "markdown"):
        mine, real = (outcome(package.extract, page, output_format=form, fast=True) for package in (ours, theirs))
        assert mine.split("|", 1)[1] == real.split("|", 1)[1]
