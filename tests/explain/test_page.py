"""The page of an explanation: safe, readable without scripts, on a desktop and on a phone, and good for marking."""

import json
import re
from html import unescape
from html.parser import HTMLParser

import numpy as np
import pytest

import tamis
from tamis.explain import page_html
from tamis.explain.figures import figure_svg
from tamis.explain.page_html import content_security_policy, explanation_page, language_attributes, marked_original
from tamis.extractors import registry
from tamis.papers.ridge import Ridge
from tamis.sites.labels import labels_from_marks
from tests.conftest import golden_pages
from tests.serve.conftest import TIMEOUT_MS
from tests.serve.test_attacks import PAYLOADS, page_of

WIDTHS = {"desktop": (1280, 900), "phone": (390, 844)}
PAGES = {golden.slug: golden.html for golden in golden_pages()}
#: A page that would load, run, send and cover things, if it were copied.
HOSTILE = "".join(page_of(number, payload, where) for number, (payload, where) in enumerate(PAYLOADS))
HOSTILE += """<style>@import url(http://127.0.0.1:9/a.css); body{background:url(http://127.0.0.1:9/b.png)}</style>
<p style="background:url(http://127.0.0.1:9/c.png)">styled</p><link rel=stylesheet href=http://127.0.0.1:9/d.css>
<img src=http://127.0.0.1:9/e.png alt="a &quot;pot&quot;"><video src=http://127.0.0.1:9/f autoplay></video>
<form action=http://127.0.0.1:9/><input name=q autofocus><button>go</button></form><base href=http://127.0.0.1:9/>
<meta http-equiv=refresh content="0;url=http://127.0.0.1:9/g"><td colspan=99999>loose</td>
"""


class Elements(HTMLParser):
    """The start tags of some HTML, with their attributes."""

    def __init__(self, html):
        super().__init__()
        self.found = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


@pytest.mark.parametrize("slug", [*PAGES, "hostile"])
def test_the_original_has_its_text_and_nothing_that_loads_or_runs(slug):
    html = PAGES.get(slug, HOSTILE)
    explanation = tamis.extract(html, extractor="body").explain()
    original = marked_original(explanation)
    for tag, attributes in Elements(original).found:
        assert tag not in {"a", "img", "script", "style", "link", "iframe", "form", "input", "svg", "meta", "base"}
        assert attributes.keys() <= {"class", "id", "tabindex", "colspan", "rowspan", "dir", "lang"}
        assert attributes.get("dir", "ltr") in {"ltr", "rtl", "auto"}
        assert attributes.get("lang", "en") == "en"  # of explanations
        assert attributes.get("class", "b k") in {"b k", "b d", "w", "l", "f", "i"}
        assert int(attributes.get("colspan", 2)) <= 1000
    without_popups = re.sub(r'<span class="w"[^>]*>.*?</span>|<span class="i">.*?</span>', "", original)
    text = unescape(re.sub(r"<[^>]*>", "", without_popups))
    page = explanation.page
    shown = "".join(page.row_text(int(row)) for row in np.flatnonzero(page.shown))
    assert "".join(text.split()) == "".join(shown.split())
    ids = [int(each) for each in re.findall(r'id="b(\d+)"', original)]
    assert ids == [block.number for block in explanation.blocks]


def test_end_tags_match_whatever_the_nesting():
    page = "<div>" * 3000 + "deep<p>a<a href=/>b<div>c</div>d</a>e<br><br>f" + "<b>g" * 50 + "</div>" * 9
    original = marked_original(tamis.extract(page, extractor="body").explain())
    opened = []
    for end, tag in re.findall(r"<(/?)(\w+)", original):
        if end:
            assert opened.pop() == tag
        elif tag not in {"br", "hr", "wbr"}:
            opened.append(tag)
    assert opened == []


@pytest.mark.slow
def test_the_page_names_everything_and_no_policy_allows_a_host():
    html = explanation_page(tamis.extract(PAGES["news-comments"], "https://example.org/?a=1&b=2").explain(), "tea")
    assert not re.findall(r'\s(?:src|href|action)\s*=\s*"', html)
    policies = re.findall(r'Content-Security-Policy" content="([^"]*)"', unescape(unescape(html)))
    assert policies
    for policy in policies:
        assert "http" not in policy
        assert "unsafe" not in policy
        assert "default-src 'none'" in policy
    assert "style=" not in html  # the policy would not allow it
    assert 'sandbox="allow-same-origin"' in html  # no allow-scripts
    for name in registry.names():
        assert f" {name}</td>" in html or f"{name} did not run" in html
    for caption in ("figure 3", "figure 4", "figure 6", "figure 1"):
        assert caption in html
    assert 'data-url="https://example.org/?a=1&amp;b=2"' in html
    assert "script-src 'sha256-" in content_security_policy()


@pytest.mark.slow
def test_figures_show_what_the_methods_select():
    page = tamis.parse_page(PAGES["news-comments"])
    figures = {figure.name: figure for figure in tamis.extract(page).explain().figures}
    mountains = figures["mountains"]
    assert any(content for _, _, content in mountains.ridges)
    primary, peak = (value for _, value in mountains.thresholds)
    assert peak == pytest.approx(3 * primary)
    assert int(mountains.kept.sum()) == int(Ridge().select(page).mask.sum())
    for start, stop, _ in mountains.ridges:
        assert mountains.values[start:stop].max() > peak
    importance = figures["importance"]
    assert importance.kept.tolist() == (importance.values > importance.thresholds[0][1]).tolist()
    for name in ("text-density", "composite-density"):
        assert (figures[name].values[figures[name].kept] >= 0).all()
        assert figures[name].kept.any()
    assert "needs the layout" in figures["hybrid-density"].note
    svg = figure_svg(mountains)
    assert svg.count('class="ridge') == len(mountains.ridges)
    assert "peak threshold" in svg
    assert figure_svg(figures["hybrid-density"]).startswith('<p class="note">')


@pytest.mark.slow
def test_the_command_writes_text_json_and_a_page(run_tamis, tmp_path):
    page = tmp_path / "tea.html"
    page.write_bytes(PAGES["documentation"])
    text = run_tamis("explain", page)
    assert text.returncode == 0
    assert re.search(r"^\+ \d+\. ", text.stdout, re.MULTILINE)
    assert "the probability to be content" in text.stdout
    values = json.loads(run_tamis("explain", page, "--json", "--no-browser", "-e", "cetd").stdout)
    assert (values["extractor"], values["method"]) == ("cetd", "scores")
    done = run_tamis("explain", page, "-o", tmp_path / "why.html", "--no-browser", "--url", "https://example.org/")
    assert done.stderr == f"tamis: wrote {tmp_path / 'why.html'}\n"
    html = (tmp_path / "why.html").read_text("utf-8")
    assert 'data-name="tea"' in html
    assert 'data-url="https://example.org/"' in html
    missing = run_tamis("explain", tmp_path / "none.html")
    assert (missing.returncode, "none.html: cannot be read" in missing.stderr) == (2, True)
    assert run_tamis("explain", page, "-o", "-", "--no-browser").stdout.startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("root", "expected"),
    [
        ("<html lang=ar dir=rtl>", ' lang="ar" dir="rtl"'),
        ("<html lang=fa-IR>", ' lang="fa-IR" dir="rtl"'),
        ("<html lang=en><body dir=RTL>", ' lang="en" dir="rtl"'),
        ("<html lang='\"><script>' dir='\" x'>", ""),
        ("<html lang=de>", ' lang="de"'),
    ],
)
def test_the_original_has_the_language_and_direction_of_the_page(root, expected):
    assert language_attributes(tamis.parse_page(f"{root}<p>x")) == expected


def test_blocks_without_a_probability_show_none():
    html = explanation_page(tamis.extract("<nav><a href=/>Home</a></nav><p>" + "Boil it, and wait. " * 20).explain())
    numbers = re.findall(r"<summary><span>\d+</span><span>([^<]*)</span>", html)
    assert [number for number in numbers if not re.fullmatch(r"[01]\.\d\d", number)] in ([], ["–"])
    assert "–" in numbers


@pytest.mark.slow
def test_a_long_list_is_cut_and_says_so(monkeypatch):
    monkeypatch.setattr(page_html, "MAX_LISTED", 30)
    explanation = tamis.extract(PAGES["news-comments"]).explain()
    html = explanation_page(explanation)
    listed = [int(number) for number in re.findall(r'data-number="(\d+)"', html)]
    assert len(listed) == 30
    assert listed == sorted(listed)
    assert {block.number for block in explanation.blocks if block.kept and block.contributions} <= set(listed)
    assert f"30 of {len(explanation.blocks)} blocks are listed" in html


@pytest.fixture(scope="module")
def browser(chromium):
    sync = pytest.importorskip("playwright.sync_api")
    with sync.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=str(chromium), args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def tab_of(browser, tmp_path):
    """Opens an explanation from a file, and records requests, messages of the console and errors."""
    contexts = []

    def make(html, width="desktop", *, scripts=True, name="tea"):
        path = tmp_path / "why.html"
        path.write_text(explanation_page(tamis.extract(html).explain(), name), encoding="utf-8", errors="replace")
        size = dict(zip(("width", "height"), WIDTHS[width], strict=True))
        context = browser.new_context(viewport=size, java_script_enabled=scripts, has_touch=width == "phone")
        contexts.append(context)
        context.set_default_timeout(TIMEOUT_MS)
        tab = context.new_page()
        tab.requested, tab.console = [], []
        tab.on("request", lambda request: tab.requested.append(request.url))
        tab.on("console", lambda message: tab.console.append(message.text))
        tab.on("pageerror", lambda error: tab.console.append(str(error)))
        tab.goto(path.as_uri())  # until it is loaded: on a busy machine the network is idle before the end is parsed
        tab.wait_for_load_state("networkidle")
        assert tab.requested == [path.as_uri()]
        return tab

    yield make
    for context in contexts:
        context.close()


def fits(frame):
    return frame.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


@pytest.mark.parametrize("width", WIDTHS)
def test_pages_fit_and_load_nothing(tab_of, width):
    for slug in ("news-comments", "tables-2000s", "news-ar", "product"):
        tab = tab_of(PAGES[slug], width)
        original = tab.frames[1]
        assert fits(tab), slug
        assert fits(original), slug
        assert original.locator(".b.k").count() > 0
        assert tab.locator("svg.figure").count() == 4  # the fifth needs a layout
        assert tab.console == []
        tab.close()


def test_both_sides_open_on_the_content(tab_of):
    tab = tab_of(PAGES["tables-2000s"])
    original = tab.frames[1]
    # States, because scrolling takes time: a side that opens elsewhere ends the test by its time limit.
    top = "const top = selector => document.querySelector(selector).getBoundingClientRect().top; return"
    original.wait_for_function(f"() => {{ {top} window.scrollY > 0 && top('.b.k') >= 0 && top('.b.k') < 200; }}")
    tab.wait_for_function(f"() => {{ {top} Math.abs(top('.block.k') - top('.list')) < 200; }}")


def luminance(color):
    channels = [int(value) / 255 for value in re.findall(r"\d+", color)[:3]]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_dimmed_text_can_be_read_and_right_to_left_is(tab_of):
    tab = tab_of(PAGES["news-ar"])
    style = "element => { const s = getComputedStyle(element); return [s.color, s.direction]; }"
    color, direction = tab.frames[1].locator(".b.d").first.evaluate(style)
    assert direction == "rtl"
    assert tab.frames[1].locator(".w").first.evaluate(style)[1] == "ltr"
    assert tab.locator(".block .text").nth(12).evaluate(style)[1] == "rtl"
    assert tab.locator("h1").evaluate(style)[1] == "ltr"
    assert 1.05 / (luminance(color) + 0.05) >= 4.5  # WCAG AA, on white


def test_a_printed_page_has_the_whole_list(tab_of):
    tab = tab_of(PAGES["news-comments"])
    clipped = "list => list.scrollHeight > list.clientHeight + 1"
    assert tab.locator(".list").evaluate(clipped)
    tab.emulate_media(media="print")
    assert not tab.locator(".list").evaluate(clipped)
    assert not tab.locator("#download").is_visible()


def test_blocks_that_are_not_listed_are_still_shown(tab_of, monkeypatch):
    monkeypatch.setattr(page_html, "MAX_LISTED", 30)
    tab = tab_of(PAGES["news-comments"])
    tab.frames[1].locator("#b5").click()
    tab.frames[1].locator("#b5 .w").wait_for()
    tab.frames[1].locator("#b33").click()
    tab.locator('.block[data-number="33"] table').wait_for()
    assert tab.console == []


def test_hostile_pages_load_and_run_nothing(tab_of):
    tab = tab_of(HOSTILE)
    ran = tab.evaluate("[typeof ran, document.querySelectorAll('script').length]")
    assert ran == ["undefined", 1]
    assert tab.console == []
    assert len(tab.frames) == 2


@pytest.mark.parametrize("width", WIDTHS)
def test_details_are_shown_without_scripts(tab_of, width):
    tab = tab_of(PAGES["news-comments"], width, scripts=False)
    original = tab.frame_locator("iframe")
    block = original.locator(".b.k").nth(2)
    popup = block.locator(".w")
    assert not popup.is_visible()
    if width == "phone":
        block.tap(position={"x": 5, "y": 5})
    else:
        block.hover(position={"x": 5, "y": 5})
    popup.wait_for()
    assert "the probability to be content" in popup.inner_text()
    box = popup.bounding_box()
    assert 0 <= box["y"] < box["y"] + box["height"] <= WIDTHS[width][1]  # without scrolling
    listed = tab.locator(".block").nth(20)
    assert not listed.locator("table").is_visible()
    listed.locator("summary").click()
    assert "Sum" in listed.locator("table").inner_text()
    assert not tab.locator("#download").is_visible()  # what needs the script is not offered


def test_marks_are_a_file_for_tamis_learn(tab_of):
    html = PAGES["news-comments"]
    tab = tab_of(html)
    tab.frames[1].locator("#b32").click()  # an advertisement among the paragraphs
    advert = tab.locator(".block").nth(32)
    advert.locator("table").wait_for()
    advert.get_by_label("not content").check()
    headline = tab.locator(".block").nth(12)
    headline.locator("summary").click()
    headline.get_by_label("content", exact=True).check()
    tab.locator("#marked", has_text="2 marked").wait_for()
    tab.frames[1].locator("#b32.n").wait_for()
    with tab.expect_download() as download:
        tab.locator("#download").click()
    assert download.value.suggested_filename == "tea.json"
    marks = download.value.path().read_text("utf-8")
    labels = labels_from_marks(tamis.parse_page(html), marks)
    assert np.flatnonzero(labels.weight).tolist() == [12, 32]
    assert labels.content[[12, 32]].tolist() == [1.0, 0.0]
    assert len(tab.requested) == 1 or all(url.startswith("blob:") for url in tab.requested[1:])
