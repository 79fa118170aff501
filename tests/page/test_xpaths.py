import turbohtml
from hypothesis import given
from hypothesis import strategies as st

from tamis.page import parse_page
from tamis.page.selectors import MAX_STEPS
from tests.conftest import golden_pages

PIECES = "<p> </p> <div> </div> <b> text <x-y> </x-y> <svg> <text> </svg> <ul> <li> <template> </template> <!--c-->"
markup = st.lists(st.sampled_from(PIECES.split()), max_size=60).map("".join)


def assert_paths_of_the_parser(page):
    for row in range(len(page)):
        if page.node_type[row] == 1 and page.depth[row] <= MAX_STEPS:
            assert page.xpaths.of(row) == page.nodes[row].xpath_path()


@given(markup)
def test_paths_are_those_of_the_parser(html):
    assert_paths_of_the_parser(parse_page(html))


def test_paths_of_golden_pages():
    for golden in golden_pages():
        assert_paths_of_the_parser(parse_page(golden.html))


def test_deep_element_has_a_short_path():
    page = parse_page("<p>x</p>" + "<div>" * 100_000 + "text")
    assert page.depth.max() > MAX_STEPS
    deepest = page.xpaths.of(len(page) - 1)
    number = int(deepest[len("(//*)[") : deepest.index("]")])
    assert deepest == f"(//*)[{number}]/text()[1]"
    elements = [node for node in page.nodes if isinstance(node, turbohtml.Element)]
    assert elements[number - 1] is page.nodes[page.parent[-1]]
