"""On the golden pages the mean F1 of words of each call is at least that of the package whose interface it has."""

import html_text
import pytest

from tamis.compat import html2text, justext, newspaper, readability, resiliparse, trafilatura
from tamis.compat.markup import decode
from tamis.evaluate.metrics import words
from tests.compat.real import load, quiet
from tests.conftest import golden_pages

REAL = {name: load(name) for name in ("trafilatura", "readability", "newspaper", "justext", "html2text")}
REAL["resiliparse"] = load("resiliparse.extract.html2text")
OURS = {
    "trafilatura": trafilatura,
    "readability": readability,
    "newspaper": newspaper,
    "justext": justext,
    "html2text": html2text,
    "resiliparse": resiliparse,
}


def good_paragraphs(package, html, _url):
    paragraphs = package.justext(html, package.get_stoplist("English"))
    return "\n".join(paragraph.text for paragraph in paragraphs if not paragraph.is_boilerplate)


CALLS = {
    ("trafilatura", "extract"): lambda package, html, url: package.extract(html, url) or "",
    ("trafilatura", "without comments"): lambda package, html, url: (
        package.extract(html, url, include_comments=False) or ""
    ),
    ("trafilatura", "bare_extraction"): lambda package, html, url: package.bare_extraction(html, url).text,
    ("trafilatura", "baseline"): lambda package, html, _url: package.baseline(html)[1],
    ("trafilatura", "html2txt"): lambda package, html, _url: package.html2txt(html),
    ("readability", "summary"): lambda package, html, url: html_text.extract_text(
        package.Document(html, url=url).summary(html_partial=True)
    ),
    ("newspaper", "article"): lambda package, html, url: (
        package.article(url or "https://example.org/", input_html=html, fetch_images=False).text
    ),
    ("newspaper", "fulltext"): lambda package, html, _url: package.fulltext(html),
    ("resiliparse", "main content"): lambda package, html, _url: package.extract_plain_text(html, main_content=True),
    ("resiliparse", "whole page"): lambda package, html, _url: package.extract_plain_text(html),
    ("justext", "justext"): good_paragraphs,
    ("html2text", "html2text"): lambda package, html, _url: package.html2text(html, bodywidth=0),
}


def score(call, package, golden):
    try:
        with quiet():
            return words(call(package, decode(golden.html), golden.meta.get("url")), golden.expected).f1
    except ImportError:  # newspaper4k lacks a tokenizer for this language
        return None


@pytest.mark.slow
@pytest.mark.parametrize(("name", "function"), CALLS)
def test_mean_f1_on_golden_pages_is_at_least_that_of_the_package(name, function):
    call = CALLS[name, function]
    theirs = {golden.slug: score(call, REAL[name], golden) for golden in golden_pages()}
    theirs = {slug: value for slug, value in theirs.items() if value is not None}
    ours = {golden.slug: score(call, OURS[name], golden) for golden in golden_pages() if golden.slug in theirs}
    assert len(ours) > 8
    assert sum(ours.values()) / len(ours) >= sum(theirs.values()) / len(theirs)
