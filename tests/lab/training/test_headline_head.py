"""The headline: its label, and what tells it."""

from dataclasses import replace

import numpy as np
import pytest

from tamis.lab.training.network import Example
from tamis.lab.training.samples import NO_HEADLINE, UNKNOWN, Sample, fit_headline, label_headline, score_headline
from tamis.page import parse_page
from tamis.sift.extractor import shipped
from tamis.sift.features import measure

NOTHING = np.zeros(0, dtype=np.int32)


def sample(number: int) -> Sample:
    """A page whose headline has 1 in its first feature; every fourth page has none."""
    random = np.random.default_rng(number)
    matrix = random.random((9, 4)).astype(np.float16)
    matrix[:, 0] = 0
    headline = int(random.integers(9)) if number % 4 else NO_HEADLINE
    if headline >= 0:
        matrix[headline, 0] = 1
    words = np.ones(9)
    return Sample(str(number), str(number), Example(matrix, words, words, words, 0), *[NOTHING] * 4, headline)


def test_headline_is_the_first_heading_with_the_words_of_the_title():
    page = parse_page("<p>Green tea</p><h2>Green tea!</h2><h1>Green Tea</h1><p>Boil the water, and wait.</p>")
    assert label_headline(page, "green tea") == 1
    assert label_headline(page, "Bread") == NO_HEADLINE
    assert label_headline(page, "Green tea, black tea") == UNKNOWN
    assert label_headline(page, None) == UNKNOWN


@pytest.mark.slow
def test_what_tells_the_headline_is_learned():
    headline = fit_headline([sample(number) for number in range(80)])
    counts = score_headline([sample(number) for number in range(100, 140)], headline)
    assert counts == {
        "found": 30,
        "another block": 0,
        "missed": 0,
        "none, and none found": 10,
        "none, but one found": 0,
    }


@pytest.mark.slow
def test_pages_without_a_label_teach_nothing():
    known = [sample(number) for number in range(20)]
    other = replace(sample(1), headline=UNKNOWN)
    assert np.array_equal(fit_headline([*known, other]), fit_headline(known))


def test_headline_need_not_have_all_words_of_the_title_element():
    text = "<p>" + "The ferry to the island leaves at nine, and takes an hour. " * 8
    head = "<title>Ferry</title><nav><a href=/>Home</a></nav><main><h1>Why the island ferry leaves at nine</h1>"
    page = parse_page(head + text * 5)
    block = shipped().find_headline(measure(page))
    assert block is not None
    assert page.row_text(int(page.blocks.start[block])) == "Why the island ferry leaves at nine"
