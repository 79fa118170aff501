import re

from hypothesis import given
from hypothesis import strategies as st

from tamis.lab.evaluate.report import difference

texts = st.lists(st.sampled_from(["tea", "pot", "Rain,", "day.", "\n", "–", "雨"]), max_size=30).map(" ".join)


@given(texts, texts)
def test_difference_contains_both_texts(predicted, gold):
    runs = difference(predicted, gold)
    without_extra = "".join(run.text for run in runs if run.type != "extra")
    without_missing = "".join(run.text for run in runs if run.type != "missing")
    assert without_extra.split() == gold.split()
    assert re.sub(r"\W+", "", without_missing).lower() == re.sub(r"\W+", "", predicted).lower()


def test_difference_of_chinese_text_is_by_character():
    assert [(run.type, run.text) for run in difference("今天下雨", "昨天下雨了")] == [
        ("extra", "今"),
        ("missing", "昨"),
        ("both", "天下雨"),
        ("missing", "了"),
    ]
