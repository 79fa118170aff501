"""A page has one text, whoever asks for it, and every part has its place in it."""

import csv
import io
import json
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tamis
from tamis.api.options import Options
from tamis.batch.rows import RowOptions, make_row
from tamis.document.parts import Post
from tamis.render.document_text import render_text
from tamis.sources.records import Record
from tests.render.test_properties import markup
from tests.sampling import sampled

PAGES = sorted(Path(__file__).parents[1].glob("pages/*/page.html")) + sorted(
    Path(__file__).parents[1].glob("structure/*/page.html")
)
TAGS = "p div span b a ul li dl dt dd h2 blockquote pre code figure figcaption table tr td caption sup q br ruby rt"


def texts(extraction, html):
    """Return the text of a page as each interface has it."""
    yield extraction.text
    yield extraction.to_text(title=False)
    yield extraction.render("text").text
    for options in ({}, {"contents": ("markdown", "html")}, {"provenance": True}, {"comments": True}):
        yield json.loads(extraction.to_json(**options))["text"]
    yield json.loads(extraction.render("jsonl").text)["text"]
    yield next(csv.DictReader(io.StringIO(extraction.render("csv").text)))["text"]
    options = RowOptions(("text",), Options(extractor=extraction.extractor))
    yield make_row(Record("a", body=html), options)["text"] or ""


@pytest.mark.slow
@pytest.mark.parametrize("path", sampled(PAGES, 6), ids=lambda path: path.parent.name + "/" + path.stem)
def test_every_interface_has_the_same_text(path):
    html = path.read_bytes()
    assert len(set(texts(tamis.extract(html), html))) == 1


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(markup(TAGS.split()))
def test_generated_pages_have_one_text(html):
    assert len(set(texts(tamis.extract(html, extractor="body"), html.encode()))) == 1


@pytest.mark.slow
@pytest.mark.parametrize("path", sampled(PAGES, 6), ids=lambda path: path.parent.name + "/" + path.stem)
def test_a_part_has_its_own_words_in_the_text(path):
    extraction = tamis.extract(path.read_bytes())
    rendered = extraction.render("text")
    of_posts = [part for post in extraction.document if isinstance(post, Post) for part in post.parts]
    for part in (*extraction.document.parts, *of_posts):
        if part not in rendered.spans or _refers(part, extraction.document):
            continue
        alone, found = words_of(extraction.document, part), words(rendered.text_of(part))
        if isinstance(part, Post):  # its author and date stand where the page has them
            assert Counter(found) == Counter(alone)
            rest = iter(found)
            assert all(word in rest for child in part.parts for word in bodies(extraction.document, child))
        else:
            assert found == alone


def words(text):
    """Return the words of a text without the marks of a byline and of quotations in mails."""
    return [word for word in text.split() if word not in {"·", ">"}]


def words_of(document, part):
    return words(render_text(replace(document, parts=(part,))).text)


def bodies(document, part):
    """Yield the words of a part without the bylines of posts."""
    if isinstance(part, Post):
        for child in part.parts:
            yield from bodies(document, child)
    else:
        yield from words_of(document, part)


def _refers(part, document):
    """Tell whether a text is without the references to notes that this part has."""
    return "noteref" in repr(part) or any(type(each).__name__ == "Footnote" for each in document.parts)


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(st.lists(st.sampled_from(["a<br>b", "c<br><br>d", "<b>e</b> f", "g<hr>h", "<ul><li>i<li>j</ul>"]), min_size=1))
def test_parts_of_one_block_do_not_overlap(pieces):
    extraction = tamis.extract("<div>" + " ".join(pieces) + "</div>", extractor="body")
    rendered = extraction.render("text")
    ranges = [rendered.spans[part] for part in extraction.document.parts if part in rendered.spans]
    assert all(before[1] <= after[0] for before, after in pairwise(ranges))
