"""The page type of pages that the corpora hardly have: short ones, and news in Chinese and Japanese."""

import pytest

import tamis

TEXT = "Boil the water, and wait. "
SHORT = {
    "a sentence": "<p>Hello world, this is a page.</p>",
    "a heading and a sentence": "<h1>Tea</h1><p>Boil the water, and wait. Then pour it over the leaves.</p>",
    "two paragraphs": f"<title>Tea</title><h1>Tea</h1><p>{TEXT}</p><p>Then pour it, and wait again.</p>",
    "with a menu": f"<nav><a href=/>Home</a></nav><main><h1>Tea</h1><p>{TEXT * 9}</main>",
    "not found": "<title>Not found</title><h1>404</h1><p>The page was not found.</p>",
    "in Russian": "<h1>Чай</h1><p>Вскипятите воду и подождите. Потом залейте листья водой.</p>",
}
#: The headline and a sentence of news; the sentence has a number.
NEWS = {
    "zh": ("北京举行春季茶叶节", "北京时间三月二十七日，天气晴朗，{}位市民来到公园散步，看花，喝茶，十分高兴。"),
    "ja": ("春のお茶まつり始まる", "今日は朝から雨が降っていたが、{}人の市民が公園に集まり、お茶と花を楽しんだ。"),
    "ko": ("봄 차 축제가 열렸다", "오늘은 아침부터 비가 내렸지만 시민 {}명이 공원에 모여 차를 마시며 꽃을 즐겼다."),
}


@pytest.mark.parametrize("name", ["sift", "sift-open"])
@pytest.mark.parametrize("html", SHORT.values(), ids=SHORT)
def test_short_page_is_no_forum(html, name):
    assert tamis.extract(html, extractor=name).page_type == "article"


@pytest.mark.parametrize("name", ["sift", "sift-open"])
@pytest.mark.parametrize("language", NEWS)
def test_news_in_other_scripts_are_articles(language, name):
    headline, sentence = NEWS[language]
    menu = "".join(f"<li><a href=/{k}>{headline[k : k + 2]}</a></li>" for k in range(6))
    paragraphs = "".join(f"<p>{sentence.format(number) * 3}</p>" for number in range(100, 900, 100))
    html = (
        f"<html lang={language}><head><title>{headline}</title></head><body><ul class=nav>{menu}</ul>"
        f"<div class=content><h1>{headline}</h1><div class=info>2026-03-27 08:15</div>{paragraphs}</div>"
        f"<div class=footer>© 2026</div></body></html>"
    )
    extraction = tamis.extract(html, extractor=name)
    assert extraction.page_type == "article"
    assert all(sentence.format(number) in extraction.text for number in range(100, 900, 100))
