"""What the reader makes of a page: dates, headings, formulas, links, settings, errors; without a browser."""

import re
from itertools import pairwise
from urllib.parse import quote

import pytest

import tamis
from tamis.serve.http.requests import MAX_URL_CHARS, READ_PARAMETERS
from tamis.serve.jobs import ReaderPrefs
from tamis.serve.reader.mathml import to_mathml
from tamis.serve.reader.page import reader_page
from tests.serve.loopback import send

WORDS = "<p>A paragraph about tea, with words enough, commas too, and a point to make at its end.</p>"


def read(service, page, query="", **headers):
    return send(f"{service}/read{query}", "POST", page.encode(), Content_Type="text/html; charset=utf-8", **headers)


def article(inner, head="<title>Tea</title>", lang=" lang=en"):
    return f"<!doctype html><html{lang}>{head}<article><h1>Tea</h1>{WORDS * 3}{inner}{WORDS * 3}</article>"


def test_dates_and_units_are_in_the_language_of_the_page(service):
    head = "<title>Tea</title><meta property=article:published_time content=2023-09-14T10:00:00Z>"
    for language, date, minutes in (
        ("en", "September\u00a014,\u00a02023", "1\u00a0min"),
        ("en-GB", "14\u00a0September\u00a02023", "1\u00a0min"),
        ("de-AT", "14.\u00a0September\u00a02023", "1\u00a0Min."),
        ("ja", "2023年9月14日", "1\u00a0分"),
        ("pt-BR", "14\u00a0de\u00a0setembro\u00a0de\u00a02023", "1\u00a0min"),
    ):
        text = read(service, article("", head, f" lang={language}")).text
        assert f'<time datetime="2023-09-14">{date}</time>' in text.replace("T10:00:00Z", "").replace("+00:00", "")
        assert f"<bdi>{minutes}</bdi>" in text


def test_an_unknown_language_is_not_declared(service):
    assert '<html lang="en"' in read(service, article("")).text
    page = "<article><h1>1 2 3</h1><p>12 345 678, 9 10 11 12 13.</p><p>14 15 16 17 18 19, 20 21 22.</p></article>"
    assert "und" not in read(service, page).text.partition(">")[2].partition(">")[0]


def test_the_page_has_one_h1_no_skipped_level_and_landmarks(service):
    inner = f"<h1>Leaf</h1>{WORDS}<h5>Small</h5>{WORDS}<h4>Other</h4>{WORDS}<h2>Water</h2>{WORDS}"
    for query in ("", "?media=text"):
        html = read(service, article(inner), query).text
        levels = [int(level) for level in re.findall(r"<h([1-6])>", html)]
        assert levels.count(1) == 1
        assert levels[0] == 1
        assert all(after <= before + 1 for before, after in pairwise(levels)), levels
        for landmark in ("<header>", "<main", "<footer"):
            assert html.count(landmark) == 1


def test_formulas_are_drawn(service):
    inner = (
        r"<p>The period is \(T = 2\pi\sqrt{\frac{l}{g}}\), if \(\mystery{x}\) is small.</p><p>\[\sum_{k=1}^n k\]</p>"
    )
    mathjax = "<title>Tea</title><script src=https://cdn.example/mathjax/MathJax.js></script>"
    html = read(service, article(inner, mathjax)).text
    assert "<msqrt>" in html
    assert '<math display="block"><mrow><munderover><mo>∑</mo>' in html
    assert r"\(\mystery{x}\)" in html  # what is not understood stays as it was
    attack = r"\(\text{<img src=x onerror=y()>} \& x\)".replace("<", "&lt;").replace(">", "&gt;")
    assert "<img src=x" not in read(service, article(f"<p>{attack}</p>", mathjax)).text


@pytest.mark.parametrize(
    ("tex", "mathml"),
    [
        ("x_1", "<msub><mi>x</mi><mn>1</mn></msub>"),
        ("f''", "<msup><mi>f</mi><mi>″</mi></msup>"),
        (r"\int_0^1", "<msubsup><mo>∫</mo><mn>0</mn><mn>1</mn></msubsup>"),
        (r"\sqrt[3]{x}", "<mroot><mrow><mi>x</mi></mrow><mn>3</mn></mroot>"),
        (r"\mathbb{R}", "<mi>ℝ</mi>"),
        (r"\binom{n}{k}", None),
        (r"\text{if } x", "<mtext>if\u00a0</mtext><mi>x</mi>"),
        (r"\begin{cases}1&2\\3&4\end{cases}", None),
        (r"a \le b", "<mi>a</mi><mo>≤</mo><mi>b</mi>"),
    ],
)
def test_tex_becomes_mathml(tex, mathml):
    found = to_mathml(tex)
    assert found is not None
    if mathml:
        assert found == f"<math><mrow>{mathml}</mrow></math>"


@pytest.mark.parametrize(
    "tex", ["x^", "{", r"\frac{1}", r"\left( x", "x" * 9000, "{" * 999, r"\unknown", r"\href{javascript:x}{y}", ""]
)
def test_tex_that_is_not_understood_gives_nothing(tex):
    assert to_mathml(tex) is None


def test_links_lead_to_the_reader_by_choice(service):
    inner = (
        "<p>See <a href='https://e.org/a?b=1&amp;c=2'>the other page</a>, and <a href='mailto:a@e.org'>write</a>.</p>"
    )
    assert 'href="https://e.org/a?b=1&amp;c=2"' in read(service, article(inner)).text
    for response in (
        read(service, article(inner), "?links=reader"),
        read(service, article(inner), Cookie="tamis=links.reader"),
    ):
        assert f'href="/read?url={quote("https://e.org/a?b=1&c=2", safe="")}&amp;links=reader"' in response.text
        assert "mailto:a@e.org" in response.text
        assert "Cookie" in response.headers["vary"]
    assert "must be one of page, reader" in read(service, article(inner), "?links=nowhere").text


def test_the_settings_page_sets_a_cookie_and_goes_back_to_this_site_alone(service):
    page = send(f"{service}/settings?back=/read%3Furl%3Dx")
    assert page.text.count("<legend>") == 5
    kept = send(f"{service}/settings?size=l&theme=auto&back=/read%3Furl%3Dx%26size%3Ds")
    assert (kept.status, kept.headers["location"]) == (303, "/read?url=x")
    cookie = kept.headers["set-cookie"]
    assert cookie.startswith("tamis=size.l;")
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    for back in ("//evil.example/", "https://evil.example/", "/\\evil.example"):
        assert send(f"{service}/settings?size=l&back={quote(back)}").headers["location"] == "/"
    assert 'id="size-l" checked' in read(service, article(""), Cookie="tamis=size.l").text
    assert 'id="size-m" checked' in read(service, article(""), Cookie="tamis=size.9-x").text


def test_errors_for_people_say_what_to_do_next(service, site):
    for query, advice in (
        (f"?url={site.url('/missing')}", "The page may have moved"),
        (f"?url=http://10.0.0.1:{site.port}/", "on the public web"),
        ("", "https://example.org/page"),
    ):
        response = send(f"{service}/read{query}")
        assert response.headers["content-type"].startswith("text/html")
        assert advice in response.text
        assert "Read another page" in response.text


def test_a_callout_is_told_from_the_text_around_it(service):
    inner = f'<div class="admonition note"><p class="admonition-title">Note</p>{WORDS}</div>'
    html = read(service, article(inner)).text
    assert '<div class="callout"' in html
    assert '<p class="callout-title">' in html
    assert ".callout{" in html


def test_the_header_is_not_repeated_below_it():
    head = "<title>Tea is hot - The Kettle</title><meta name=description content='Warm the pot first.'>"
    page = f"<html lang=en>{head}<article><p>Tea is hot</p><h2>Warm the pot first.</h2>{WORDS * 6}</article>"
    html, _ = reader_page(tamis.extract(page, extractor="body"), ReaderPrefs())
    assert "<p>Tea is hot</p>" not in html
    assert html.partition("</head>")[2].count("Warm the pot first.") == 1


def test_posts_have_one_byline():
    page = "<h1>Sourdough</h1>" + "".join(
        f"<article class=comment itemscope><meta itemprop=author content={name}><time datetime=2024-02-03></time>"
        "<p>Feed it twice a day, and keep it warm.</p></article>"
        for name in ("Ann", "Bob", "Cy")
    )
    extraction = tamis.extract(page, "https://e.org/", extractor="body")
    html, _ = reader_page(extraction, ReaderPrefs())
    assert html.count('<p class="byline">') == html.count("2024-02-03</p>") == 3
    assert all(html.count(f"{name}</span> · 2024-02-03</p>") == 1 for name in ("Ann", "Bob", "Cy"))
    assert "attr(data-" not in html


def test_links_side_by_side_are_set_apart():
    page = f"<h1>Tea</h1>{WORDS}<p><a href=/a>Pots</a><a href=/b>Cups</a> and <a href=/c>茶</a><a href=/d>碗</a></p>"
    html, _ = reader_page(tamis.extract(page, "https://e.org/", extractor="body"), ReaderPrefs())
    assert 'Pots</a> <a href="https://e.org/b">' in html
    assert '茶</a><a href="https://e.org/d">碗' in html


def test_formulas_have_the_same_fonts_in_both_versions(service):
    page = article(r"<p>So \(\sqrt{x_1}\) it is, for \(\alpha\) and \(\beta\).</p>")
    for query in ("", "?media=text"):
        css = read(service, page, query).text.partition("</style>")[0]
        assert re.search(r'math\{font-family:[^}]*"STIX Two Math"[^}]*"DejaVu Math TeX Gyre"[^}]*,math', css)


def test_the_forms_of_the_home_page_and_the_settings_have_the_fields_of_the_request_model(service):
    home, settings = send(f"{service}/").text, send(f"{service}/settings").text
    for name, schema in READ_PARAMETERS.items():
        page = home if name in {"url", "file"} else settings
        assert f'name="{name}"' in page
        for value in schema.get("enum", ()):
            assert f'name="{name}" value="{value}"' in page
    assert f'maxlength="{MAX_URL_CHARS}"' in home
