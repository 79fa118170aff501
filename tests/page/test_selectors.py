import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis._core.loader import core
from tamis.metadata.author import _SELECTORS
from tamis.page import parse_page

PIECES = [
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
    "selector", [*(entry[0] for entry in _SELECTORS), "h1 + h2,div a,p", "div div a,p > a", "h1, .fn", "div> a, p >b"]
)
@given(pieces=markup)
def test_rows_are_those_of_the_parser(selector, pieces):
    page = parse_page("".join(pieces))
    assert page.select(selector) == core.rows_among(page.nodes, page.nodes[0].select(selector))


def test_nodes_are_not_asked_for_classes_that_the_page_lacks():
    page = parse_page("<table><tr><td class=code>brew()</table>")
    assert page.select("td.gutter + td.code,.name,[class*='tea']") == []
    assert "nodes" not in vars(page) or not core.__name__.endswith("_compiled")
    assert page.select("td.CODE, td.code") == page.rows_of("td").tolist()
