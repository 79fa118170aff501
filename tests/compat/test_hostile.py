"""Damaged and hostile pages raise nothing but what empty input raises."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.compat import html2text, justext, newspaper, readability, resiliparse, trafilatura
from tests.sampling import sampled

PIECES = [
    "<p>",
    "</p>",
    "<a href='/x'>",
    "<ul><li>",
    "<table><tr><td>",
    "<img alt=a src=b>",
    "<h2>",
    "<!--",
    "<q>",
    "<figure>",
    "<dl><dt>",
    "<pre><code>",
    "<input value=x>",
    "<noscript>",
    "<",
]


def markdown(page, **settings):
    writer = html2text.HTML2Text(baseurl="http://[")
    vars(writer).update(settings)
    return writer.handle(page)


PAGES = (
    st.lists(st.sampled_from(PIECES) | st.text(max_size=20), max_size=20).map("".join).map(lambda text: f"<p>{text}")
)
CALLS = [
    lambda page: [
        trafilatura.extract(page, output_format=form) for form in ("txt", "markdown", "html", "json", "xml", "csv")
    ],
    lambda page: [
        trafilatura.extract(
            page, output_format=form, include_links=True, include_images=True, include_formatting=True, record_id=page
        )
        for form in ("html", "xml", "xmltei")
    ],
    lambda page: trafilatura.extract(page, include_links=True, include_images=True, with_metadata=True),
    trafilatura.bare_extraction,
    trafilatura.extract_metadata,
    trafilatura.baseline,
    trafilatura.html2txt,
    lambda page: readability.Document(page).summary() + readability.Document(page).content(),
    lambda page: newspaper.article("https://example.org/", input_html=page).to_json(),
    lambda page: (
        resiliparse.extract_plain_text(page, links=True) + resiliparse.extract_plain_text(page, "minimal_html")
    ),
    lambda page: [
        (item.text, item.dom_path, item.tags_count, item.links_density()) for item in justext.justext(page)
    ],
    html2text.html2text,
    lambda page: markdown(page, ignore_emphasis=True, ignore_tables=True, images_to_alt=True, single_line_break=True),
    lambda page: resiliparse.extract_plain_text(page, form_fields=True, noscript=True),
]


@pytest.mark.slow
@pytest.mark.parametrize("call", sampled(CALLS, 3))
@given(page=PAGES)
def test_damaged_pages_raise_nothing(call, page):
    call(page)


@pytest.mark.slow
@pytest.mark.parametrize("call", sampled(CALLS, 3))
@pytest.mark.parametrize(
    "page", ["<p>a\ud800b\0c\ufffe" + "tea " * 40, "<p>tea" + "<i>" * 20_000 + "cup" * 40], ids=["text", "deep"]
)
def test_hostile_pages_raise_nothing(call, page):
    call(page)
