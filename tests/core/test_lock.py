"""The steps of a page release the interpreter lock: another thread runs while they do."""

import sys
import threading

import numpy as np
import pytest
import turbohtml

from tamis._core import loader
from tamis._core.loader import core
from tamis.html import characters
from tamis.page import parse_page
from tamis.sift import extractor, features
from tamis.sift.extractor import shipped
from tests.needs import needs

pytestmark = needs("the compiled core")

HTML = (
    "<nav class=menu><a href=/>Home</a></nav><main><h1>Tea</h1>"
    + "<ul class=steps><li>Boil the water.<li>Wait.<li>Pour</ul><table><tr><td>Green<td>2<tr><td>Black<td>4</table>"
    * 400
    + "</main>"
)
MAX_CALLS = 2000


def steps():
    """Return the calls of a page, by name, of which each is to release the lock."""
    page = parse_page(HTML)
    markup = turbohtml.parse(HTML).serialize()
    names, probs = features.read_element_names(page), np.linspace(0.1, 0.9, len(page.block_chars))
    measured = features.measure(page, names)
    matrix, size = np.ascontiguousarray(measured.matrix.T), measured.size
    kept, none = (probs > 0.5).view(np.uint8), np.zeros(len(probs), dtype=np.uint8)
    tables = page.rows_of("table").tolist()
    match = core.title_overlap(page.columns, page.text, "Tea")

    def measure():
        out = np.zeros_like(matrix)
        core.measure_blocks(out, features._COLUMNS, page.columns, names.names, match, page.text, "", page.panels)

    def structure():
        core.complete_structure(
            page.columns, page.text, page.attribute_source, kept, none, [], kept.copy(),
            quotations=True, cards=False, appeals=True,
        )  # fmt: skip

    return {
        "scan": lambda: loader.scan(markup),
        "characters": lambda: loader.count_page_characters(page.text, page.offset, characters.bmp_classes()),
        "columns": lambda: core.Columns(vars(page), page.char_counts),
        "names": lambda: features.read_element_names(page),
        "boilerplate": lambda: core.boilerplate_ranges(
            page.columns, names.names, features._TAG_FLAGS, features._CATEGORY_FLAGS
        ),
        "features": measure,
        "choice": lambda: core.settle_choice(
            matrix.T, extractor._COLUMNS, probs, size, 0.1, kept.copy(), none.copy(), in_article=True
        ),
        "groups": lambda: core.complete_groups(page.columns, kept, none, tables, kept.copy()),
        "lists": lambda: core.settle_lists(page.columns, kept, probs, none, kept.copy()),
        "structure": structure,
        "networks": lambda: shipped().predict(measured),
    }


@pytest.fixture
def long_interval():
    """No thread is asked to release the lock: one that waits for it gets it where it is given."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    yield
    sys.setswitchinterval(before)


def calls_until_released(call):
    """Call until a thread that waits for the lock has run; return how often, None if it never did."""
    ran, gate = [], threading.Lock()

    def wait():
        with gate:
            ran.append(True)

    gate.acquire()
    thread = threading.Thread(target=wait)
    thread.start()
    gate.release()
    count = 0
    while not ran and count < MAX_CALLS:
        call()
        count += 1
    thread.join()
    return count if count < MAX_CALLS else None


STEPS = (
    "scan", "characters", "columns", "names", "boilerplate", "features", "choice", "groups", "lists", "structure",
    "networks",
)  # fmt: skip


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.usefixtures("long_interval")
def test_step_runs_without_the_interpreter_lock(step):
    if step == "networks" and loader.inference is None:
        pytest.skip("the networks run in NumPy")
    assert calls_until_released(steps()[step]) is not None


@pytest.mark.usefixtures("long_interval")
def test_a_call_that_keeps_the_lock_is_found_out():
    assert calls_until_released(lambda: sum(range(100))) is None
