import pytest

from tamis.lab.evaluate.metrics import is_cjk, split_sentences, split_words, word_ids


def test_words_are_lower_cased_runs_of_letters_and_digits():
    assert split_words("Élan: 3.5 kg, snake_case") == ["élan", "3", "5", "kg", "snake_case"]


@pytest.mark.parametrize("text", ["漢字とかな交じり文", "한국어 문장입니다", "全角文字ＡＢＣの文章です"])
def test_chinese_japanese_and_korean_are_cjk(text):
    assert is_cjk(text)


@pytest.mark.parametrize("text", ["", "Привет, мир", "नमस्ते दुनिया", "Tokyo (東京) is large"])
def test_other_text_is_not_cjk(text):
    assert not is_cjk(text)


def test_words_of_other_scripts_stay_whole_in_cjk_text():
    assert split_words("iPhone发布", cjk=True) == ["iphone", "发", "布"]


def test_sentences_end_at_punctuation_before_space_and_at_line_ends():
    text = "It cost 3.5 pounds. “Really?” she said!\nHeading\n第一句。第二句"
    assert [" ".join(sentence) for sentence in split_sentences(text)] == [
        "it cost 3 5 pounds",
        "really",
        "she said",
        "heading",
        "第一句",
        "第二句",
    ]


def test_same_word_has_the_same_id_in_all_texts():
    left, right = word_ids(["a", "b", "a"], ["c", "a"])
    assert left[0] == left[2] == right[1]
    assert len({*left, *right}) == 3
