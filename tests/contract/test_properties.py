"""Properties of every extractor on random and golden pages."""

import json
import re
from pathlib import Path

import pytest
import turbohtml
from hypothesis import given, settings
from hypothesis import strategies as st

import tamis
from tamis.extractors import registry
from tamis.page import parse_page
from tests.contract import checks
from tests.document.damage import damaged
from tests.sampling import sampled

PAGES = sorted(Path(__file__).parents[1].glob("*/*/page.html"))
NAMES = sorted(registry.names(), key=lambda name: name != "sift")  # the default first: it is always sampled
_TAGS = ["p", "div", "span", "b", "a", "ul", "li", "h2", "table", "tr", "td", "section", "article", "nav", "pre"]
_PIECES = [
    "Boil the water, and wait. ",
    "word ",
    "漢字。",
    "<br>",
    "&amp;",
    "<img src=x alt=y>",
    "\r\n",
    "\u200b",
    "<!--c-->",
]
_ATTRIBUTES = ["", "", " hidden", " href=/x", " class=comment", " class='main content'", " style=display:none"]


@st.composite
def markup(draw, depth=4):
    """Write HTML: elements in elements, with text, some of them hidden."""
    parts = []
    for _ in range(draw(st.integers(1, 5))):
        if depth and draw(st.booleans()):
            tag, attributes = draw(st.sampled_from(_TAGS)), draw(st.sampled_from(_ATTRIBUTES))
            parts.append(f"<{tag}{attributes}>{draw(markup(depth=depth - 1))}</{tag}>")
        else:
            parts.append(draw(st.sampled_from(_PIECES)) * draw(st.sampled_from([1, 1, 5])))
    return "".join(parts)


def check_repeatable(name: str, source: str | bytes) -> None:
    """The answer is the same twice, and the page is not changed."""
    checks.check_repeatable(registry.get(name), lambda: parse_page(source))


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(NAMES, 5))
@settings(max_examples=8)
@given(markup())
def test_random_page(name, html):
    check_repeatable(name, html)
    checks.check_words(registry.get(name), parse_page(html))


@pytest.mark.parametrize("name", sampled(NAMES, 5))
@settings(max_examples=4)
@given(st.integers(0, 10_000))
def test_damaged_page(name, seed):
    check_repeatable(name, damaged(seed))


def outputs(html: str | bytes) -> tuple[str, str]:
    extraction = tamis.extract(html, "https://example.org/a")
    return extraction.text, extraction.markdown


@pytest.mark.parametrize("path", sampled(PAGES, 6), ids=lambda path: path.parent.name)
def test_sift_gives_the_same_for_any_line_ends_and_for_the_page_written_again(path):
    html = path.read_bytes().decode("utf-8").replace("\r\n", "\n")
    expected = outputs(html)
    assert outputs(html.replace("\n", "\r\n")) == expected
    assert outputs(turbohtml.parse(html).html) == expected


@pytest.mark.slow
@settings(max_examples=15)
@given(markup())
def test_sift_gives_the_same_for_a_random_page_written_again(html):
    once = turbohtml.parse(html).html
    if turbohtml.parse(once).html == once:  # misnested markup may need a second round
        assert outputs(once) == outputs(html)
    assert outputs(html.replace("\r\n", "\n")) == outputs(html)


SECRET = "Zanzibar"
HIDDEN = [
    "<p hidden>{}</p>",
    "<div style='display:none'><p>{}</p></div>",
    "<p style='visibility: hidden'>{}</p>",
    "<template><p>{}</p></template>",
    "<script type=text/plain>{}</script>",
    "<!-- {} -->",
    "<style>{}</style>",
    "<textarea>{}</textarea>",
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("hidden", sampled(HIDDEN, 2))
def test_hidden_text_never_appears(hidden):
    """In a page that is all content, beside each of its paragraphs."""
    sentence = f"{SECRET} is a sentence that nobody sees, and it is as long as any other of this article."
    for path in PAGES[::12]:
        html = path.read_bytes().decode("utf-8")
        edited = re.sub(r"</p>|</li>", lambda match: match[0] + hidden.format(sentence), html)
        extraction = tamis.extract(edited, "https://example.org/a")
        for name in ("text", "markdown", "html", "xml", "csv"):
            assert SECRET not in extraction.render(name).text, (path.parent.name, name)
        values = json.loads(extraction.json)
        del values["warnings"]  # which say that there is hidden text
        assert SECRET not in json.dumps(values), path.parent.name
