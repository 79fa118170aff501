import pytest

from tamis.evaluate.words import by_character, numbered, sentences_of, words_of


def test_words_are_lower_cased_runs_of_letters_and_digits():
    assert words_of("Élan: 3.5 kg, snake_case") == ["élan", "3", "5", "kg", "snake_case"]


@pytest.mark.parametrize("text", ["漢字とかな交じり文", "한국어 문장입니다", "全角文字ＡＢＣの文章です"])
def test_chinese_japanese_and_korean_are_compared_by_character(text):
    assert by_character(text)


@pytest.mark.parametrize("text", ["", "Привет, мир", "नमस्ते दुनिया", "Tokyo (東京) is large"])
def test_other_text_is_compared_by_word(text):
    assert not by_character(text)


def test_in_mixed_text_foreign_words_stay_whole():
    assert words_of("iPhone发布", characters=True) == ["iphone", "发", "布"]


def test_sentences_end_at_marks_before_space_and_at_lines():
    text = "It cost 3.5 pounds. “Really?” she said!\nHeading\n第一句。第二句"
    assert [" ".join(sentence) for sentence in sentences_of(text)] == [
        "it cost 3 5 pounds",
        "really",
        "she said",
        "heading",
        "第一句",
        "第二句",
    ]


def test_the_same_word_has_the_same_number_in_all_texts():
    left, right = numbered(["a", "b", "a"], ["c", "a"])
    assert left[0] == left[2] == right[1]
    assert len({*left, *right}) == 3
