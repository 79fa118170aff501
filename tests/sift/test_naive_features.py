"""Every feature equals a naive reference that walks the tree, with compiled loops and with their source alike."""

from functools import cache

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tamis._core import pure
from tamis.page import parse_page
from tamis.sift import features
from tamis.sift.features import DECLARED_WORDS, NAMES, PATH_WORDS, measure
from tamis.sift.schema import ANCESTORS, CATEGORY_OF, COLUMN, CONTAINERS, NAME_CATEGORIES, PAGE_TYPES
from tests.conftest import golden_pages
from tests.sift.naive_features import FEATURES
from tests.sift.naive_page import NaivePage

LONG = "The ferry leaves at six in the morning, and it comes back at nine; nobody knows why it is late."
TEXTS = (
    "Home", "Add to cart", "12.", "Tea!", "By Ann, 3 May", "Bread at dawn", "…", "$5", "(see: below)", " ", "ЧТО?",
    "面包师，四点。", "パン屋は朝", "\n one  two ", "\U0001f600", "\u200b",
    LONG, LONG[10:], LONG.upper(), LONG + LONG,
)  # fmt: skip
TAGS = (
    "p", "p", "div", "div", "section", "article", "ul", "li", "li", "h1", "h2", "h4", "span", "b", "strong", "em",
    "a", "blockquote", "pre", "table", "tr", "td", "nav", "footer", "form", "label", "button", "figure", "x-y",
)  # fmt: skip
VOID = ("<br>", "<br><br>", "<img>", "<hr>", "<input>", "<!-- c -->", "<p hidden>x</p>", "<select><option>x</select>")
ATTRIBUTES = (
    "", "", " class=post", " class='related-posts nav'", " id=mainContent role=navigation", " class=''",
    " class='faq-answer' hidden", " itemprop=articleBody", " class=comment id=comment-5", " href=/x",
)  # fmt: skip
HEADS = (
    "",
    "<title>Bread at dawn</title>",
    "<title>Tea at dawn - Home</title>",
    f"<meta name=description content='{LONG}'>",
    f'<script type="application/ld+json">{{"text": "{LONG}"}}</script><title>面包</title>',
    "<script type='application/ld+json'></script><meta name=x>",
    "<link rel=canonical href='https://example.org/blog/2019/05/tea-at-dawn'><meta property=og:type content=article>",
    "<meta property=og:url content='https://example.org/docs/api'><meta name=generator content='Sphinx 7'>",
)


NOSCRIPT = f"<body><noscript><p>{LONG * 20}</p></noscript>"  # shown, because the page has no other text


def element(tag, attributes, children):
    return f"<{tag}{attributes}>{''.join(children)}</{tag}>"


trees = st.recursive(
    st.sampled_from(TEXTS) | st.sampled_from(VOID),
    lambda inner: st.builds(
        element, st.sampled_from(TAGS), st.sampled_from(ATTRIBUTES), st.lists(inner, min_size=1, max_size=5)
    ),
    max_leaves=30,
)
pages = st.builds(
    lambda head, body: head + "".join(body), st.sampled_from(HEADS), st.lists(trees, min_size=1, max_size=4)
)


def declaring(page_type):
    """A page that declares its type in its structured data and in its URL."""
    word, path = min(DECLARED_WORDS[page_type]), min(PATH_WORDS[page_type])
    json_ld = f"""<script type='application/ld+json'>{{"@type": "{word}"}}</script>"""
    return (
        f"<link rel=canonical href='https://example.org/{path}/x-y'>{json_ld}"
        f"<article itemscope itemtype='https://schema.org/{word}'><h2><a href=/x>Tea</a></h2><p>{LONG}</article>"
        "<article><h3>Bread</h3><time>today</time><p>£5</article>"
    )


def catalogue():
    """A page with every container, every ancestor and every category of names, near and far."""
    paragraphs = "<p>One.</p>" * 5
    words = {NAME_CATEGORIES[category]: word for word, category in CATEGORY_OF.items()}
    names = [f"<div class={word}>Near</div><div id={word}>{paragraphs}</div>" for word in words.values()]
    containers = [f"<{tags.split()[0]}>Text</{tags.split()[0]}>" for tags in CONTAINERS if tags != "body"]
    table = "<table><tr><td>Cell</td></tr></table><select><option>Option</option></select><ul>Loose<li>Item</li></ul>"
    ancestors_with_text = [f"<{tag}>In <div>Below</div></{tag}>" for tag in ANCESTORS]
    return "Loose" + "".join([*names, *containers, table, *ancestors_with_text])


def measure_with_sources(page):
    """Measure with the Python source of all loops, whatever is compiled."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(features, "core", pure)
        return measure(page)


@cache
def examples():
    """The golden pages, and pages that Hypothesis draws: the naive tree of each, and its features in both ways."""
    drawn = []

    @settings(max_examples=25, derandomize=True, database=None, phases=[Phase.generate])
    @given(pages)
    def draw(html):
        drawn.append(html)

    draw()
    htmls = [
        catalogue(),
        NOSCRIPT,
        *map(declaring, PAGE_TYPES),
        *(golden.html for golden in golden_pages()),
        *drawn,
    ]
    return [(NaivePage(html), measure(parse_page(html)), measure_with_sources(parse_page(html))) for html in htmls]


@pytest.mark.slow
def test_examples_have_many_blocks():
    sizes = [len(naive.blocks) for naive, _, _ in examples()]
    assert sum(size > 3 for size in sizes) >= 20
    assert max(sizes) > 50


@pytest.mark.slow  # the property below has the same features on fewer pages
@pytest.mark.parametrize("name", NAMES)
def test_feature_equals_naive_reference(name):
    compute = FEATURES[name]
    assert any(compiled.column(name).any() for _, compiled, _ in examples())
    for naive, compiled, source in examples():
        expected = np.array([compute(block) for block in naive.blocks], dtype=np.float64)
        for measured in (compiled, source):
            np.testing.assert_allclose(measured.column(name), expected, rtol=1e-5, atol=1e-6)


def test_naive_references_are_those_of_the_schema():
    assert FEATURES.keys() == COLUMN.keys()


@pytest.mark.slow
@given(pages)
def test_all_features_of_drawn_pages_equal_naive_references(html):
    naive, page = NaivePage(html), parse_page(html)
    compiled, source = measure(page), measure_with_sources(page)
    different = [
        name
        for name, compute in FEATURES.items()
        if not np.allclose(compiled.column(name), [float(compute(block)) for block in naive.blocks], 1e-5, 1e-6)
    ]
    assert not different
    assert np.array_equal(compiled.matrix, source.matrix)


@pytest.mark.slow
@given(pages)
def test_boilerplate_is_the_same_compiled_and_as_source(html):
    menu = "<nav><a href=/>Home</a></nav><ul>" + "<li><a href=/x>Tea</a>" * 7 + "</ul><footer>x</footer>"
    page = parse_page(html + menu)
    element_names = features.read_element_names(page)
    compiled = features.prune(page, element_names).removed
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(features, "core", pure)
        assert features.prune(page, element_names).removed == compiled
