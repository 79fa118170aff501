"""Every format on every page of the test suite: valid, complete, and with the same words."""

import csv
import io
import json
import re
import subprocess
import sys
from collections import Counter
from html import escape
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from lxml import etree
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.tasklists import tasklists_plugin

import tamis
from tamis.document.build import build_document
from tamis.document.detectors.table import Effect
from tamis.document.parts import BYLINE_SEPARATOR, Callout, spans_text
from tamis.page import parse_page
from tamis.render.csv import render_csv
from tamis.render.document_text import render_text
from tamis.render.schema import SCHEMA
from tamis.render.text import direct_rows, selected_text

TEI = etree.RelaxNG(etree.parse(Path(__file__).parent / "tei.rng"))
GOLDEN = Path(__file__).parent.parent / "pages"
COMMONMARK = (
    MarkdownIt("commonmark").enable("table").use(footnote_plugin).use(dollarmath_plugin).use(tasklists_plugin)
)


def words(text):
    return re.findall(r"\w+", text)


def shown_words(html):
    page = parse_page(html)
    return words(selected_text(page, page.is_text & (page.hidden == 0)))


@pytest.mark.slow
def test_markdown_parsed_as_commonmark_has_the_words_of_the_html(extraction):
    parsed = COMMONMARK.render(extraction.to_markdown(facts=False))
    # References, backlinks and the delimiters of formulas differ, and a bar in a table is written as a command.
    parsed = re.sub(r'<a href="#fnref.*?</a>|<sup class="footnote-ref">.*?</sup>|</?eq>|</?eqn>|\[!\w+\]', "", parsed)
    parsed = re.sub(r"\\[vV]ert ?", "|", parsed)
    html = re.sub(
        r'<a href="#fnref.*?</a>|<a href="#fn-[^>]*>.*?</a>|\\[()\[\]]|</?r[tp]>|</?ruby>', "", extraction.html
    )
    html = html.replace("</a><a ", "</a> <a ")  # Markdown sets links side by side apart
    parsed = parsed.replace("</a><a ", "</a> <a ")
    assert sorted(shown_words(parsed)) == sorted(shown_words(html))


@pytest.mark.slow
def test_markdown_parsed_as_commonmark_has_the_same_headings_and_code(extraction):
    tokens = COMMONMARK.parse(extraction.render("markdown", title=False).text)
    headings = [token.tag for token in tokens if token.type == "heading_open"]
    parts = list(extraction.document)
    assert headings == [f"h{part.level}" for part in parts if type(part).__name__ == "Heading"]
    fences = [token for token in tokens if token.type == "fence"]
    assert [token.content for token in fences] == [
        part.text + "\n" for part in parts if type(part).__name__ == "Code"
    ]


def _has_posts(extraction):
    return any(claim.detector == "posts" and claim.effect is not Effect.MARK for claim in extraction.document.claims)


def test_html_has_the_words_of_the_text(extraction):
    html = extraction.render("html", title=False).text
    # Labels of players and the bylines of posts are not text of the page.
    html = re.sub('<a [^>]*>▶ [^<]*</a>|<p class="byline">.*?</p>', "", html)
    position = 0
    for part in extraction.document:  # titles that are hidden from screen readers, or that the page lacks
        if isinstance(part, Callout) and part.title:
            title = escape(spans_text(part.title), quote=False)
            position = html.index(f">{title}", position) + 1
            html = html if part.title_selected else html[:position] + html[position + len(title) :]
    if _has_posts(extraction):  # bylines are attributes of the document, and buttons are left out
        assert not Counter(shown_words(html)) - Counter(words(extraction.text))
    else:
        assert shown_words(html) == words(extraction.text)


def test_html_has_no_scripts(extraction):
    assert not re.search(r"<(?:script|style|iframe|svg|math)|\son\w+=|javascript:", extraction.html, re.IGNORECASE)


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"with_metadata": True, "comments": True}])
def test_xml_is_valid_tei(extraction, options):
    TEI.assertValid(etree.fromstring(extraction.render("xml", **options).text.encode()))


VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"with_metadata": True, "comments": True, "provenance": True}])
def test_json_follows_the_schema(extraction, options):
    VALIDATOR.validate(json.loads(extraction.render("json", **options).text))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("html", "text", "suffices"),
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
def test_quotation_marks_are_where_a_browser_draws_them(html, text, suffices):
    extraction = tamis.extract(html, extractor="body")
    assert extraction.text == extraction.render("text").text == text
    rows = direct_rows(extraction.page, extraction.selection.mask)
    assert (rows is not None) == suffices


def test_json_has_the_page_type_its_probability_and_the_confidence():
    extraction = tamis.extract((GOLDEN / "forum-thread" / "page.html").read_bytes())
    values = json.loads(extraction.json)
    assert values["page_type"] == extraction.page_type == "forum"
    assert 0 < values["page_type_probability"] <= 1
    assert values["confidence"] == pytest.approx(extraction.confidence, abs=1e-6)


def test_json_has_null_where_the_extractor_has_no_probability():
    values = json.loads(tamis.extract("<p>some text", extractor="bte").json)
    assert (values["page_type"], values["page_type_probability"], values["confidence"]) == (None, None, None)


@pytest.mark.slow
def test_both_text_writers_write_the_same_words(extraction):
    text, from_document = extraction.text, render_text(extraction.document).text
    if not _has_posts(extraction):
        assert from_document.split() == text.split()
        return
    # Bylines are attributes of the document, and its buttons are left out; the rest has its order.
    lines = [line for line in from_document.splitlines() if BYLINE_SEPARATOR not in line]
    rest = iter("".join(text.split()))
    assert all(character in rest for character in "".join("".join(lines).split()))


@pytest.mark.slow
def test_schema_command_prints_a_valid_schema():
    done = subprocess.run([sys.executable, "-m", "tamis", "schema"], capture_output=True, check=True)
    assert json.loads(done.stdout) == SCHEMA
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_csv_has_a_row_per_page():
    pages = [tamis.extract(f'<p>one, "two" {n}', f"https://example.org/{n}", extractor="body") for n in range(2)]
    rows = list(csv.DictReader(io.StringIO(render_csv((page, None) for page in pages), newline="")))
    assert [row["url"] for row in rows] == ["https://example.org/0", "https://example.org/1"]
    assert rows[0]["text"] == 'one, "two" 0'


def test_metadata_comes_first_in_every_format():
    extraction = tamis.extract('<title>"Tea"</title><meta name=author content="Ann Lee"><p>Boil.', extractor="body")
    text = extraction.render("markdown", with_metadata=True).text
    assert text.startswith('---\ntitle: "\\"Tea\\""\nauthors: ["Ann Lee"]\n')
    assert text.endswith('---\n\n# "Tea"\n\nBoil.')
    assert extraction.render("text", with_metadata=True).text.startswith('title: "Tea"\nauthors: Ann Lee\n')
    assert "<title>&quot;Tea&quot;</title>" in extraction.render("html", with_metadata=True).text


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"links": False}, "Tea ![pot](p.png)\n\n| a | b |\n| --- | --- |\n| c | d |"),
        ({"images": False}, "[Tea](https://e.org/)\n\n| a | b |\n| --- | --- |\n| c | d |"),
        ({"tables": False}, "[Tea](https://e.org/) ![pot](p.png)"),
    ],
)
def test_options_leave_out_links_images_and_tables(options, expected):
    html = (
        '<p><a href="https://e.org/">Tea</a> <img src=p.png alt=pot></p><table><tr><td>a<td>b<tr><td>c<td>d</table>'
    )
    text = tamis.extract(html, extractor="body").to_markdown(**options)
    assert re.sub(r" +$", "", text, flags=re.MULTILINE) == expected


def test_markup_in_text_is_escaped():
    html = "<p>[x](javascript:1) &lt;img src=x onerror=y&gt; ]]&gt; &amp;lt; `a`</p><p>&lt;/p&gt;&lt;script&gt;</p>"
    extraction = tamis.extract(html, extractor="body")
    assert "<img" not in extraction.html
    assert "<script" not in extraction.html
    parsed = COMMONMARK.render(extraction.to_markdown(facts=False))
    assert "<img" not in parsed
    assert "<a" not in parsed
    etree.fromstring(extraction.xml.encode())


@pytest.mark.slow
def test_deep_nesting_is_written_in_every_format():
    program = (
        "import sys, tamis\n"
        "sys.setrecursionlimit(150)\n"
        "for tag in ('div', 'blockquote', 'ul><li', 'b', 'table><tr><td', 'dl><dd', 'figure', 'span class=katex'):\n"
        "    extraction = tamis.extract(f'<{tag}>' * 3000 + 'Some text.', extractor='body')\n"
        "    for name in ('text', 'markdown', 'html', 'json', 'xml', 'csv'):\n"
        "        assert 'Some text.' in extraction.render(name).text, (tag, name)\n"
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
    assert direct_rows(page, mask) is not None
    assert selected_text(page, mask) == render_text(build_document(page, mask)).text == text


def test_each_line_of_code_in_a_cell_is_code_of_its_own():
    html = "<table><tr><th>Syntax<td><code>pour <i>cup</i>;</code><br><code>pour a|b;</code><tr><th>Pot<td>1</table>"
    markdown = tamis.extract(html, extractor="body").markdown
    assert markdown.splitlines()[0] == r"| Syntax | `pour cup;`<br>`pour a\|b;` |"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<pre><code><b>one</b>\n  <b>two</b>\n<b>three</b></code></pre>", "one\n  two\nthree"),
        ('<pre><code><span class="line">one</span><span class="line">two</span></code></pre>', "one\ntwo"),
        ("<div class=code><span>Rust</span><button>Copy</button><pre>fn f() {}\nf()</pre></div>", "fn f() {}\nf()"),
    ],
    ids=["white space between elements", "lines are elements", "a button"],
)
def test_lines_of_code_stay_lines_in_plain_text(html, text):
    extraction = tamis.extract(html, extractor="body")
    assert extraction.text == extraction.render("text").text == text


def test_a_break_is_a_line_end_in_both_texts():
    lines = [
        "Water for green tea must not boil, because the leaves would turn bitter and spoil the cup.",
        "Wait for it.",
    ]
    extraction = tamis.extract(f"<p>{'<br>'.join(lines)}<br><br>Pour.", extractor="body")
    assert extraction.text == extraction.render("text", title=False).text == "\n".join(lines) + "\n\nPour."
