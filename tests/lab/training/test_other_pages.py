"""Pages for training that are made of labelled pages: in other scripts, and short ones."""

import pytest

from tamis.lab.evaluate.corpora import LabelledPage
from tamis.lab.training.augment import in_other_script, rewrite, rewrite_markup, short_page
from tamis.lab.training.samples import Corpus, examples_of, make_corpus, make_sample, type_examples_of
from tamis.page import parse_page

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


def test_short_page_has_some_paragraphs_and_is_the_same_for_the_same_name():
    pages = [short_page(labelled(number)) for number in range(30)]
    assert all(page.page_type == "article" and 1 <= page.html.count("<p>") <= 2 for page in pages)
    assert len({page.html for page in pages}) > 5
    assert pages == [short_page(labelled(number)) for number in range(30)]
    assert short_page(LabelledPage("1", HTML, "Tea\n\nTwo words")) is None


def test_made_pages_follow_the_pages_that_they_are_made_of():
    first = make_corpus("a", [labelled(number, "article" if number % 2 else "forum") for number in range(4)], 1.0, 1)
    further = make_corpus("b", [labelled(number) for number in range(2)], 0.5, 1)
    assert set(first.other_scripts) == {"0", "1", "2", "3"}
    assert set(first.short) == {"1", "3"}
    assert [example.weight for example in examples_of([first], other_scripts=True)] == [1.0] * 4 + [0.4] * 4
    assert [example.weight for example in examples_of([first])] == [1.0] * 4
    fold = Corpus("a", first.samples[:1], 1.0, first.other_scripts, first.short)  # the others are held out
    assert [example.weight for example in examples_of([fold], other_scripts=True)] == [1.0, 0.4]
    assert [example.weight for example in type_examples_of([fold])] == [0.5]
    assert [example.weight for example in type_examples_of([first, further])] == [0.5] * 4 + [0.15] * 2 + [0.1] * 2
    assert {example.page_type for example in examples_of([first, further]) if example.corpus} == {-1}
