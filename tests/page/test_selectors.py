import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis._core.loader import core
from tamis.metadata.author import _SELECTORS
from tamis.page import parse_page

#: Selectors of all kinds that columns answer, as they are used.
_OF_COLUMNS = [
    "[itemprop~='name'],[class*='AUTHOR' i],[class*='auth']",
    "h1 + b,p > a.author[class],div + p a",
    "a[href^='mailto:'],link[rel~='ICON' i][href],a[href$='.pdf'],[href='/x']",
    "x-tea,x-tea.author,[x-cup]",
    "#pot,h1:first-child,p ~ a",
    "div> a, p >b",
]
PIECES = [
    "<a href='mailto:a@b' rel='tag  Icon'>",
    "<x-tea class=author>",
    "<link rel=icon href=/x>",
    "<b id=pot x-cup>tea</b>",
    "<p class=author>",
    "<div class=byline>",
    "</div>",
    "</p>",
    "<a class=author>",
    "<b class=fn>",
    "<h1>",
    "<h2>",
]
markup = st.lists(st.sampled_from([*PIECES, "<i class=vcard itemprop=author>", "<i itemprop=name>"]), max_size=40)


@pytest.mark.slow
@pytest.mark.parametrize(
    "selector", [*(entry[0] for entry in _SELECTORS), "h1 + h2,div a,p", "div div a,p > a", "h1, .fn", *_OF_COLUMNS]
)
@given(pieces=markup)
def test_rows_are_those_of_the_parser(selector, pieces):
    page = parse_page("".join(pieces))
    assert page.select(selector) == core.rows_among(page.nodes, page.nodes[0].select(selector))


@pytest.mark.parametrize(
    "selector", ["[class]", "p[class]", "[class*='']", "[class='']", "i[id^='']", "p[class][class$=b]"]
)
def test_a_class_may_be_asked_for_without_a_value(selector):
    """Searching classes for nothing never ended."""
    page = parse_page("<p class='a b'>a</p><p>b</p><div class=''>c</div><i class=d id=e>")
    assert page.select(selector) == core.rows_among(page.nodes, page.nodes[0].select(selector))


def test_templates_are_no_part_of_the_document_unless_they_are_shadow_roots():
    page = parse_page("<template class=x><b class=x>a</b></template><i><template shadowrootmode=open><b class=x>b")
    assert [page.row_text(row) for row in page.select("b.x,template b")] == ["b"]


def test_a_selection_is_a_list_of_its_own():
    page = parse_page("<p>a")
    page.select("p").clear()
    assert page.select("p") == page.rows_of("p").tolist()


def test_nodes_are_not_asked_for_classes_that_the_page_lacks():
    page = parse_page("<table><tr><td class=code>brew()</table>")
    assert page.select("td.gutter + td.code,.name,[class*='tea']") == []
    assert "nodes" not in vars(page) or not core.__name__.endswith("_compiled")
    assert page.select("td.CODE, td.code") == page.rows_of("td").tolist()
