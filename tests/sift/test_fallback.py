"""Content that only the data of scripts has."""

import json

import pytest

import tamis
from tamis.page import parse_page
from tamis.sift.fallback import metadata_fallback, script_text

SENTENCES = [f"On day {number} the tea was picked by hand, and dried in the sun for hours." for number in range(12)]
PARAGRAPHS = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES)
BLOCKS = [{"nodeType": "paragraph", "content": [{"value": sentence, "marks": []}]} for sentence in SENTENCES]
SETTINGS = {"translations": {"text": "We use cookies on this site, and you may refuse them. " * 60}}


def next_page(props, shown=""):
    data = json.dumps({"props": {"pageProps": props}, "page": "/tea", **SETTINGS})
    script = f'<script id=__NEXT_DATA__ type="application/json">{data}</script>'
    return f"<title>Tea</title><div id=__next>{shown}</div>{script}"


@pytest.mark.parametrize(
    "html",
    [
        next_page({"post": {"title": "Tea", "body": PARAGRAPHS}}),
        next_page({"post": {"title": "Tea", "content": BLOCKS}}),
        next_page({"post": {"paragraphs": SENTENCES}}, shown="<p>Loading, please wait a moment …</p>"),
        f"<script>window.__INITIAL_STATE__ = {json.dumps({'article': {'html': PARAGRAPHS}})};run()</script>",
        f"<script>var appState={json.dumps({'story': {'text': ' '.join(SENTENCES)}})}</script>",
    ],
    ids=["HTML in Next.js", "rich text", "a list, while loading", "an assignment", "a variable"],
)
def test_content_in_data_of_scripts_is_found(html):
    extraction = tamis.extract(html)
    assert extraction.text.split() == " ".join(SENTENCES).split()
    assert [warning.type for warning in extraction.warnings] == ["metadata fallback"]
    assert "data of a script" in extraction.warnings[0].reason


@pytest.mark.parametrize(
    "html",
    [
        next_page({"post": {"body": PARAGRAPHS}}, shown=f"<article><h1>Tea</h1>{PARAGRAPHS}</article>"),
        f"<main>{PARAGRAPHS}</main>" + next_page({"other": {"body": PARAGRAPHS.replace("tea", "milk") * 2}}),
    ],
    ids=["the same", "more"],
)
def test_shown_content_comes_before_data_of_scripts(html):
    extraction = tamis.extract(html)
    assert extraction.selection.metadata_fallback is None
    assert "milk" not in extraction.text


@pytest.mark.parametrize(
    "script",
    [
        "{",
        '{"a": ' * 100_000,
        "[" * 100_000 + "]" * 100_000,
        json.dumps({"menu": {"text": "Home and garden, sports and more. " * 90}}),
        json.dumps({"body": "x" * 10_000}),
        json.dumps({"title": " ".join(SENTENCES)}),
    ],
    ids=["cut", "deep and cut", "deep", "a menu", "no words", "another name"],
)
def test_other_data_is_no_content(script):
    assert script_text(parse_page(f'<script type="application/json">{script}</script>')) == ""


def test_assignments_inside_values_are_not_read_again():
    inner = json.dumps(["window.__A = [" for _ in range(100_000)])
    values = f"<script>window.__STATE__ = {inner}; window.__B = {json.dumps({'body': ' '.join(SENTENCES)})}</script>"
    assert script_text(parse_page(values)).split() == " ".join(SENTENCES).split()


def test_words_of_korean_and_chinese_are_counted_by_characters():
    """Counted by spaces, an article has half of the words of one in English, or none."""
    korean, chinese = (
        "물이 끓으면 찻잎을 넣고 삼 분을 기다립니다. " * 12,
        "水烧开以后放进茶叶，再等三分钟就可以喝了。" * 12,
    )
    for text in (korean, chinese):
        page = parse_page(f'<script id="__NEXT_DATA__" type="application/json">{{"body": "{text}"}}</script>')
        assert metadata_fallback(page) is not None
        assert len(text.split()) < 120


def test_data_that_is_added_to_a_list_while_a_page_streams_is_read():
    text = "Boil the water, and wait a little before you pour. " * 20
    script = (
        f'window["__RQ_1"] = window["__RQ_1"] || [];window["__RQ_1"].push({{"data": {{"body": "<p>{text}</p>"}}}})'
    )
    fallback = metadata_fallback(parse_page(f"<script>{script}</script>"))
    assert fallback is not None
    assert fallback[0].split() == text.split()
