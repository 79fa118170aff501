"""One suite for all registered extractors. Those that read a layout run twice: with one, and without."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tamis.browser import LayoutFolder
from tamis.extractors import registry
from tamis.extractors.registry import Extractor
from tamis.page import Page, parse_page
from tests.contract import checks
from tests.sampling import sampled

LAYOUTS = LayoutFolder(Path(__file__).parents[1] / "browser" / "layouts")
#: Elements of the large pages: a million for the default extractor. For the others, and with a layout, as many rows
#: as a browser renders: quadratic time takes minutes there.
LARGE_FOR_SIFT, LARGE = 1_000_000, 150_000


@dataclass(frozen=True)
class Case:
    extractor: Extractor
    with_layout: bool

    def parse(self, markup: str | bytes) -> Page:
        return checks.parse_with_layout(markup) if self.with_layout else parse_page(markup)

    def parse_golden(self, markup: bytes) -> Page:
        if not self.with_layout:
            return parse_page(markup)
        pytest.importorskip("pyarrow")
        return LAYOUTS.attach(parse_page(markup))


def cases():
    for name in registry.names():
        extractor = registry.get(name)
        yield pytest.param(Case(extractor, with_layout=False), id=name)
        if registry.needs_layout(extractor):
            yield pytest.param(Case(extractor, with_layout=True), id=f"{name}-with-layout")


@pytest.fixture(params=cases())
def case(request) -> Case:
    return request.param


@pytest.mark.parametrize("name", registry.names())
def test_extractor_describes_itself_by_its_registered_name(name):
    extractor = registry.get(name)
    checks.check_description(extractor)
    assert extractor.name == name


@pytest.mark.slow
def test_selection_of_a_golden_page_is_valid_and_repeatable(case, golden):
    checks.check_repeatable(case.extractor, lambda: case.parse_golden(golden.html))
    checks.check_words(case.extractor, case.parse_golden(golden.html))


@pytest.mark.parametrize("name", sampled(checks.HOSTILE_MARKUP, 4))
def test_hostile_markup_is_extracted(case, name):
    checks.check_hostile(case.extractor, case.parse(checks.HOSTILE_MARKUP[name]))


@pytest.fixture(scope="module")
def large_pages():
    """Parse each large page once."""
    parsed = {}

    def get(case, shape):
        count = LARGE_FOR_SIFT if case.extractor.name == "sift" else LARGE
        key = case.with_layout, shape, count
        if key not in parsed:
            markup = "<div>" * count + "text" if shape == "nested" else "<body>" + "<p>a</p>" * count
            parsed[key] = case.parse(markup)
        return parsed[key]

    return get


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["nested", "siblings"])
def test_large_page_is_selected(case, shape, large_pages):
    page = large_pages(case, shape)
    checks.check_selection(page, case.extractor.select(page))


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["<div>", "<p>a</p>", "<ul><li><a href=x>b</a> text, more text.</li></ul>"])
def test_memory_is_linear_in_the_size_of_the_page(case, unit):
    checks.check_linear_memory(case.extractor, case.parse, unit)


@pytest.mark.slow
def test_recursion_does_not_grow_with_the_depth_of_the_page(case):
    checks.check_no_recursion(case.extractor, case.parse)


SELECT_ALL = """
import sys
from tamis.extractors import registry
from tamis.page import parse_page

page = parse_page("<nav><a href=/>Home</a></nav><p>" + "Water just off the boil, three minutes. " * 9)
for name in registry.names():
    selection = registry.get(name).select(page)
    print(name, *[module for module in sys.modules if module.split(".")[0] == "playwright" or "browser" in module])
"""


@pytest.mark.slow
def test_no_extractor_imports_a_browser():
    """Whoever calls `select` supplies the layout."""
    done = subprocess.run([sys.executable, "-c", SELECT_ALL], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split("\n") == [*registry.names(), ""]


@pytest.mark.parametrize("name", [name for name in registry.names() if registry.needs_layout(registry.get(name))])
def test_extractor_that_needs_a_layout_notes_that_the_page_has_none(name):
    markup = "<p>" + "Water just off the boil, three minutes. " * 9
    without = registry.get(name).select(parse_page(markup))
    assert without.note == "selected by text alone: the page has no layout (see tamis.browser)"
    assert without.mask.any()
    assert registry.get(name).select(checks.parse_with_layout(markup)).note is None
