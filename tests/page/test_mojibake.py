"""Pages that a program decoded as windows-1252 and saved as UTF-8."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.page import parse_page
from tamis.page.parse import fix_mojibake, may_be_mojibake
from tests.conftest import golden_pages

TEXTS = {
    "gb2312": "北京时间三月二十七日，天气晴朗，人们来到公园散步，看花，喝茶，谈天说地，十分高兴。",
    "big5": "台北市政府昨天表示，今年春天的茶葉產量比去年多，價格也比較穩定，農民都很高興。",
    "shift_jis": "今日は朝から雨が降っていたので、家でお茶を飲みながら本を読んで過ごしました。",
    "euc-kr": "오늘은 아침부터 비가 내려서 집에서 차를 마시며 책을 읽었습니다. 참 좋은 하루였습니다.",
    "windows-1251": "Сегодня с утра шёл дождь, поэтому мы остались дома, пили чай и читали старые книги.",
    "utf-8": "Σήμερα έβρεχε από το πρωί, γι' αυτό μείναμε στο σπίτι, ήπιαμε τσάι και διαβάσαμε βιβλία.",
}


def page_of(name, *, declares=True):
    declaration = f"<meta charset={name}>" if declares else ""
    title, paragraphs = TEXTS[name][:12], "".join(f"<p>{TEXTS[name]}</p>" for _ in range(6))
    return f"<html><head>{declaration}<title>{title}</title></head><body><main>{paragraphs}</main></body></html>"


def spoil(html, name, wrong="cp1252"):
    """Return markup as a program leaves it that takes the bytes of another encoding for windows-1252."""
    data = html.encode(name)
    return (
        data.decode("latin-1")
        if wrong == "latin-1"
        else "".join(bytes((byte,)).decode("cp1252", "replace").replace("\ufffd", chr(byte)) for byte in data)
    )


@pytest.mark.parametrize("wrong", ["cp1252", "latin-1"])
@pytest.mark.parametrize("name", TEXTS)
def test_text_is_decoded_again(name, wrong):
    html = page_of(name)
    spoilt = spoil(html, name, wrong)
    assert TEXTS[name] not in spoilt
    for markup in (spoilt, spoilt.encode(), b"\xef\xbb\xbf" + spoilt.encode()):
        page = parse_page(markup)
        assert page.text == parse_page(html).text
        assert page.mojibake_encoding is not None
        assert pickle.loads(pickle.dumps(page)).text == page.text
        assert page.markup == markup


def test_warning_and_title_and_provenance():
    extraction = tamis.extract(spoil(page_of("gb2312"), "gb2312"))
    (warning,) = extraction.warnings
    assert warning.type == "wrong encoding"
    assert "decoded as windows-1252" in warning.reason
    assert "gb18030" in warning.reason
    assert extraction.title == TEXTS["gb2312"][:12]
    positions = extraction.page.positions
    row = int(extraction.page.blocks.start[1])
    assert positions.source[positions.start[row] : positions.stop[row]] == TEXTS["gb2312"]


LATIN = "“It’s tea”, she said – and the café was çlosed. Über 3 €, naïve … "


@pytest.mark.parametrize("wrong", ["cp1252", "latin-1"])
def test_utf_8_in_a_latin_script_is_decoded_again(wrong):
    html = f"<title>Tea’s</title><main><p>{LATIN}</p><p>{LATIN}</p></main>"
    for markup in (spoil(html, "utf-8", wrong), spoil(html, "utf-8", wrong).encode()):
        page = parse_page(markup)
        assert page.text == parse_page(html).text
        assert page.mojibake_encoding == "utf-8"


def test_only_the_part_that_was_decoded_wrongly_changes():
    right = "<p>Été à la plage → “déjà”, naïve, Ã la carte.</p>"
    page = parse_page(f"{right}<p>{spoil('It’s a “cup” of 茶.', 'utf-8')}</p>")
    assert page.text == parse_page(f"{right}<p>It’s a “cup” of 茶.</p>").text
    (warning,) = tamis.extract(page.markup, extractor="body").warnings
    assert warning.type == "wrong encoding"


@pytest.mark.slow
@given(st.text(st.characters(min_codepoint=32, exclude_characters="<>&", exclude_categories=["Cs"]), max_size=60))
def test_any_text_survives_being_decoded_wrongly(text):
    html = f"<p>“{text}”</p>"
    assert fix_mojibake(spoil(html, "utf-8"), "utf-8") == html
    assert fix_mojibake(spoil(html, "utf-8", "latin-1"), "utf-8") == html


def test_encoding_is_guessed_where_none_is_declared():
    assert parse_page(spoil(page_of("windows-1251", declares=False), "windows-1251")).text.count("чай") == 6


@pytest.mark.parametrize(
    "text",
    [
        "Été à la façade, déjà vu : où êtes-vous ? " * 20,
        "Þetta er íslenska: það er óþægilegt að sjá ekki bókstafina ðþæöýúíéá. " * 20,
        "Tiếng Việt có nhiều dấu, ví dụ như thế này. " * 20,
        "“Quotes” — and dashes – with £5 and €6… " * 20,
        "Ä Ö Ü ß ÄÄ ÖÖ " * 40,
        "Mojibake looks like this: Ã©, or once like this: â€™. " + "Tea. " * 40,
        TEXTS["gb2312"] * 3,
        TEXTS["windows-1251"] * 3,
    ],
)
def test_text_that_is_right_stays(text):
    page = parse_page(f"<meta charset=gb2312><p>{text}")
    assert page.mojibake_encoding is None
    assert text.strip() in page.text


def test_golden_pages_are_right():
    assert not any(may_be_mojibake(parse_page(golden.html).text) for golden in golden_pages())
