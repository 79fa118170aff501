"""Pages for training that are made of labelled pages: in other scripts, and short ones."""

from dataclasses import replace

import numpy as np
import pytest

from tamis.lab.evaluate.corpora import LabelledPage
from tamis.lab.training.augment import in_other_script, rewrite, rewrite_markup, short_page, written_page
from tamis.lab.training.samples import examples_of, make_corpus, make_sample, type_examples_of
from tamis.page import parse_page
from tamis.sift.schema import PAGE_TYPES

HTML = (
    "<html><head><title>Black tea, green tea</title><script>var tea = 'tea';</script></head><body>"
    "<nav class=menu><a href=/tea>Tea</a> <a href=/pots>Pots</a></nav>"
    "<h1>Black tea, green tea</h1><p class=lead>Boil the water, and wait 3 minutes. Then pour &amp; drink.</p>"
    "<p>Nobody knows why it is called tea!</p></body></html>"
)
GOLD = "Boil the water, and wait 3 minutes. Then pour & drink.\n\nNobody knows why it is called tea!"


def labelled(number=1, page_type="article"):
    return LabelledPage(
        str(number), HTML, GOLD, url=f"https://site{number}.example/", title="Tea", page_type=page_type
    )


@pytest.mark.parametrize(
    ("script", "first", "last"),
    [
        ("han", "\u4e00", "\u9fff"),
        ("kana", "\u3040", "\u9fff"),
        ("hangul", "\uac00", "\ud7ff"),
        ("cyrillic", "\u0400", "\u04ff"),
        ("arabic", "\u0600", "\u06ff"),
    ],
)
def test_words_are_in_the_script_and_markup_stays(script, first, last):
    out = rewrite_markup(HTML, script)
    assert "<script>var tea = 'tea';</script>" in out
    assert "<nav class=menu><a href=/tea>" in out
    before, after = parse_page(HTML), parse_page(out)
    assert before.tag.tolist() == after.tag.tolist()
    letters = [letter for letter in after.text if letter.isalpha()]
    assert letters
    assert all(first <= letter <= last for letter in letters)
    assert "3" in after.text
    assert ("。" in after.text) == (script in {"han", "kana"})
    assert (" " in rewrite("Boil the water", script)) == (script not in {"han", "kana"})


def test_equal_words_stay_equal_and_different_ones_differ():
    words = ["tea", "water", "kettle", "leaf", "cup", "morning"]
    for script in ("han", "hangul", "cyrillic"):
        assert len({rewrite(word, script) for word in words}) == len(words)
        assert rewrite("Tea", script).lower() == rewrite("tea", script)
    assert rewrite("TEA", "cyrillic").isupper()
    assert rewrite(" \n", "han") == " \n"


def test_labels_of_a_page_in_another_script_are_those_of_the_page():
    for number in range(12):
        plain, other = make_sample(labelled(number)), make_sample(in_other_script(labelled(number)))
        shares = [sample.example.hits / sample.example.words for sample in (plain, other)]
        assert shares[0].round().tolist() == shares[1].round().tolist()


def test_short_page_is_all_gold_and_the_same_for_the_same_name():
    pages = [short_page(labelled(number)) for number in range(60)]
    assert all(page.page_type == "article" for page in pages)
    assert len({page.html for page in pages}) > 20
    assert pages == [short_page(labelled(number)) for number in range(60)]
    assert short_page(labelled(1), "2") != short_page(labelled(1))
    assert short_page(LabelledPage("1", HTML, "Tea\n\nTwo words")) is None
    for page in pages:
        example = make_sample(page).example
        assert np.array_equal(example.hits, example.words), page.html


def test_written_page_is_the_gold_text_in_the_html_of_tamis():
    page = labelled()
    example = make_sample(page).example
    written = written_page(page, example.hits > 0)
    assert "<p>Nobody knows why it is called tea!</p>" in written.html
    assert "Pots" not in written.html
    assert written.gold.split() == GOLD.split()
    assert written_page(page, example.hits < 0) is None


def corpus(name, count, weight=1.0, **changes):
    pages = [labelled(number, "article" if number % 2 else "forum") for number in range(count)]
    return make_corpus(name, pages, weight, 1, **{"other_scripts": False, **changes})


def test_made_pages_follow_the_pages_that_they_are_made_of():
    first, further = corpus("a", 4, other_scripts=True), corpus("b", 2, 0.5)
    assert [len(pages) for pages in first.made.values()] == [1] * 4
    made, scripts = [pytest.approx(0.2)], [0.4]
    assert [example.weight for example in examples_of([first], other_scripts=True)] == [
        1.0
    ] * 4 + scripts * 4 + made * 4
    assert [example.weight for example in examples_of([first])] == [1.0] * 4 + made * 4
    fold = replace(first, samples=first.samples[:1])  # the others are held out
    assert [example.weight for example in examples_of([fold], other_scripts=True)] == [1.0, *scripts, *made]
    assert [example.weight for example in type_examples_of([fold])] == [0.5, 0.45]
    assert len(type_examples_of([first, further])) == 4 + 6 + 2
    assert {example.page_type for example in examples_of([first, further]) if example.corpus} == {-1}


def test_page_with_a_labelled_title_and_date_is_an_article():
    page = replace(labelled(), page_type=None)
    assert make_sample(page).example.page_type == -1
    assert make_sample(replace(page, date="2024-05-06")).example.page_type == PAGE_TYPES.index("article")
