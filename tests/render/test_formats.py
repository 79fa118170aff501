"""Every format on every page we wrote: valid, whole, and with the same words."""

import csv
import io
import json
import re
import subprocess
import sys
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from lxml import etree
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

import tamis
from tamis.document.build import build_document
from tamis.page import parse_page
from tamis.render.csv import render_csv
from tamis.render.row_text import rows_suffice, selected_text
from tamis.render.schema import SCHEMA
from tamis.render.text import render_text

TEI = etree.RelaxNG(etree.parse(Path(__file__).parent / "tei.rng"))
GOLDEN = Path(__file__).parent.parent / "pages"
COMMONMARK = MarkdownIt("commonmark").enable("table").use(footnote_plugin).use(dollarmath_plugin)


def words(text):
    return re.findall(r"\w+", text)


def shown_words(html):
    page = parse_page(html)
    return words(selected_text(page, page.is_text & (page.hidden == 0)))


def test_markdown_comes_back_from_a_commonmark_parser_with_the_same_words(found):
    back = COMMONMARK.render(found.markdown)
    back = re.sub(r'<a href="#fnref.*?</a>|<sup class="footnote-ref">.*?</sup>|</?eq>|</?eqn>', "", back)
    own = re.sub(r'<a href="#fnref.*?</a>|<sup><a href="#fn-.*?</sup>|\\[()\[\]]|</?r[tp]>|</?ruby>', "", found.html)
    assert sorted(shown_words(back)) == sorted(shown_words(own))


def test_markdown_comes_back_with_the_same_structure(found):
    tokens = COMMONMARK.parse(found.markdown)
    headings = [token.tag for token in tokens if token.type == "heading_open"]
    parts = list(found.document)
    assert headings == [f"h{part.level}" for part in parts if type(part).__name__ == "Heading"]
    fences = [token for token in tokens if token.type == "fence"]
    assert [token.content for token in fences] == [
        part.text + "\n" for part in parts if type(part).__name__ == "Code"
    ]


def test_html_has_the_words_of_the_text(found):
    if found.page.rows_of("math").any() or found.page.rows_of("rt").any():
        pytest.skip("formulas and readings have marks of their own in HTML")
    assert shown_words(found.html) == words(found.text)


def test_html_has_nothing_that_runs(found):
    assert not re.search(r"<(?:script|style|iframe|svg|math)|\son\w+=|javascript:", found.html, re.IGNORECASE)


@pytest.mark.parametrize("options", [{}, {"with_metadata": True, "comments": True}])
def test_xml_is_valid_tei(found, options):
    TEI.assertValid(etree.fromstring(found.render("xml", **options).text.encode()))


@pytest.mark.parametrize("options", [{}, {"with_metadata": True, "comments": True, "provenance": True}])
def test_json_follows_the_schema(found, options):
    jsonschema.validate(json.loads(found.render("json", **options).text), SCHEMA)


@pytest.mark.parametrize(
    ("html", "text", "plain"),
    [
        ("<p>He said <q>no, <q>never</q></q>. And <q> <b>x</b> y </q>z", "He said “no, “never””. And “x y” z", True),
        ("<p>a<br><q>b<br>c</q>", "a\n“b\nc”", True),
        ("<q><p>one<p>two</q>", "“one”\n\n“two”", False),
        ("<p><q hidden>a</q>b", "b", True),
        ("<p><q>a<br></q>b", "“a”\nb", True),
        ("<p><q>a \u200b</q>b <q>\u200b</q>c", "“a” b c", True),
        ("<p>a <q><img src=/x.png alt=y></q> b", "a b", True),
        ("<p>" + "<q>x</q> " * 20_000, " ".join(["“x”"] * 20_000), True),
    ],
    ids=["nested", "over lines", "around blocks", "hidden", "a line's end", "unseen", "a picture", "very many"],
)
def test_quotation_marks_stand_where_a_browser_draws_them(html, text, plain):
    found = tamis.extract(html, extractor="body")
    assert found.text == found.render("text").text == text
    assert rows_suffice(found.page, found.selection.mask) == plain


def test_json_says_how_sure_it_is():
    found = tamis.extract((GOLDEN / "forum-thread" / "page.html").read_bytes())
    told = json.loads(found.json)
    assert told["page_type"] == found.page_type == "forum"
    assert 0 < told["page_type_probability"] <= 1
    assert told["confidence"] == pytest.approx(found.confidence, abs=1e-6)


def test_json_of_a_method_that_knows_neither_says_so():
    told = json.loads(tamis.extract("<p>some text", extractor="bte").json)
    assert (told["page_type"], told["page_type_probability"], told["confidence"]) == (None, None, None)


def test_plain_text_and_document_say_the_same(found):
    if rows_suffice(found.page, found.selection.mask):
        assert found.render("text").text.split() == selected_text(found.page, found.selection.mask).split()


def test_the_schema_is_printed():
    done = subprocess.run([sys.executable, "-m", "tamis", "schema"], capture_output=True, check=True)
    assert json.loads(done.stdout) == SCHEMA
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_csv_is_a_line_a_page():
    pages = [tamis.extract(f'<p>one, "two" {n}', f"https://example.org/{n}", extractor="body") for n in range(2)]
    rows = list(csv.DictReader(io.StringIO(render_csv((page, None) for page in pages), newline="")))
    assert [row["url"] for row in rows] == ["https://example.org/0", "https://example.org/1"]
    assert rows[0]["text"] == 'one, "two" 0'


def test_front_matter():
    found = tamis.extract('<title>"Tea"</title><meta name=author content="Ann Lee"><p>Boil.', extractor="body")
    text = found.render("markdown", with_metadata=True).text
    assert text.startswith('---\ntitle: "\\"Tea\\""\nauthors: ["Ann Lee"]\n')
    assert text.endswith("---\n\nBoil.")
    assert found.render("text", with_metadata=True).text.startswith('title: "Tea"\nauthors: Ann Lee\n')
    assert "<title>&quot;Tea&quot;</title>" in found.render("html", with_metadata=True).text


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"links": False}, "Tea ![pot](p.png)\n\n|  |  |\n| --- | --- |\n| a | b |\n| c | d |"),
        ({"images": False}, "[Tea](https://e.org/)\n\n|  |  |\n| --- | --- |\n| a | b |\n| c | d |"),
        ({"tables": False}, "[Tea](https://e.org/) ![pot](p.png)"),
    ],
)
def test_switches(options, expected):
    html = (
        '<p><a href="https://e.org/">Tea</a> <img src=p.png alt=pot></p><table><tr><td>a<td>b<tr><td>c<td>d</table>'
    )
    text = tamis.extract(html, extractor="body", **options).markdown
    assert re.sub(r" +$", "", text, flags=re.MULTILINE) == expected


def test_hostile_text_stays_text():
    html = "<p>[x](javascript:1) &lt;img src=x onerror=y&gt; ]]&gt; &amp;lt; `a`</p><p>&lt;/p&gt;&lt;script&gt;</p>"
    found = tamis.extract(html, extractor="body")
    assert "<img" not in found.html
    assert "<script" not in found.html
    back = COMMONMARK.render(found.markdown)
    assert "<img" not in back
    assert "<a" not in back
    etree.fromstring(found.xml.encode())


def test_deep_nesting_survives_in_every_format():
    program = (
        "import sys, tamis\n"
        "sys.setrecursionlimit(150)\n"
        "for tag in ('div', 'blockquote', 'ul><li', 'b', 'table><tr><td', 'dl><dd', 'figure', 'span class=katex'):\n"
        "    found = tamis.extract(f'<{tag}>' * 3000 + 'Some text.', extractor='body')\n"
        "    for form in ('txt', 'markdown', 'html', 'json', 'xml', 'csv'):\n"
        "        assert 'Some text.' in found.render(form).text, (tag, form)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>one<b>two</b>three", "one three"),
        ("<p>one <b>two</b> three", "one three"),
        ("<p>one<br><b>two</b>three", "one\nthree"),
        ("<pre>one<b>two</b>three</pre>", "one three"),
    ],
)
def test_unselected_row_keeps_words_apart_in_both_text_writers(html, text):
    page = parse_page(html)
    mask = page.shown & np.array([page.row_text(row) != "two" for row in range(len(page))])
    assert rows_suffice(page, mask)
    assert selected_text(page, mask) == render_text(build_document(page, mask)).text == text
