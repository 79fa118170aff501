"""The reader in a real browser without scripts: on all golden pages, on a phone and on a desktop."""

import json
import re
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.serve.loopback import send

PAGES = Path(__file__).parents[1] / "pages"
SLUGS = sorted(folder.name for folder in PAGES.iterdir())
#: An image of one grey pixel, for every image of a page.
PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010800000000"
    "3a7e9b550000000a49444154789c636800000082008177cd72b60000000049454e44ae426082"
)
WIDTHS = {"phone": (390, 844), "desktop": (1280, 900)}


def read_url(base, target, **params):
    query = "".join(f"&{name}={value}" for name, value in params.items())
    return f"{base}/read?url={quote(target, safe='')}{query}"


@pytest.fixture
def tab_of(browser, service):
    """Makes browser pages with scripts off. Images from elsewhere are one pixel, and are recorded."""
    contexts = []

    def make(width="desktop", **options):
        size = dict(zip(("width", "height"), WIDTHS[width], strict=True))
        context = browser.new_context(viewport=size, java_script_enabled=False, **options)
        contexts.append(context)
        tab = context.new_page()
        tab.requested, tab.console = [], []
        tab.on("console", lambda message: tab.console.append(message.text))

        def fulfill(route):
            tab.requested.append(route.request.url)
            route.fulfill(body=PIXEL, content_type="image/png")

        context.route(lambda url: not url.startswith(service), fulfill)
        return tab

    yield make
    for context in contexts:
        context.close()


def follow(tab, target):
    """Click, and wait until the browser is on the next page."""
    with tab.expect_navigation():
        target.click()


def style(tab, selector, name):
    return tab.evaluate(f"getComputedStyle(document.querySelector({json.dumps(selector)}))[{json.dumps(name)}]")


def box(tab, selector):
    return tab.locator(selector).first.bounding_box()


@pytest.mark.parametrize("width", WIDTHS)
def test_golden_pages_are_readable(service, site, tab_of, width, tmp_path):
    tab = tab_of(width)
    for slug in SLUGS:
        meta = json.loads((PAGES / slug / "meta.json").read_text("utf-8"))
        response = tab.goto(read_url(service, site.url(f"/{slug}")))
        assert response.status == 200, slug
        assert tab.locator("h1").first.is_visible(), slug
        shown = tab.locator("main").inner_text()
        words = re.sub(r"\s+", "", shown)
        present = [piece for piece in meta["with"] if re.sub(r"\s+", "", piece) in words]
        assert len(present) >= len(meta["with"]) / 2, slug
        # Nothing overflows, in either writing direction.
        assert tab.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), slug
        assert tab.evaluate("document.documentElement.dir") == ("rtl" if meta["language"] == "ar" else "ltr"), slug
        main = box(tab, "main")
        assert main["width"] <= WIDTHS[width][0], slug
        assert 300 < main["width"] < 900, slug
        assert float(style(tab, "main", "fontSize").removesuffix("px")) >= 16, slug
        # The size of the page without its content.
        overhead = len(response.body()) - len(tab.locator("main").inner_html().encode())
        assert overhead < 20_000, slug
        assert tab.locator(f'a[href="{site.url(f"/{slug}")}"]').count() >= 1, slug
        assert tab.locator("main img:not([loading=lazy]):not(.lead img)").count() == 0, slug
        assert tab.locator("h1").count() == 1, slug
        if width == "phone":  # the bar has one row, and the text begins on the first screen
            assert box(tab, ".bar")["height"] < 50, slug
            assert box(tab, "main p, main li, main td")["y"] < WIDTHS[width][1] - 100, slug
        assert tab.locator("script").count() == 0, slug
        tab.screenshot(path=tmp_path / f"{slug}.png")
        assert tab.console == [], slug


def test_the_header_has_title_byline_date_site_and_reading_time(service, site, tab_of):
    tab = tab_of()
    tab.goto(read_url(service, site.url("/news-comments")))
    assert tab.title() == tab.locator("h1").first.inner_text()
    assert tab.locator("h1").first.inner_text().startswith("Night ferry returns to Aldermouth")
    facts = tab.locator("header .facts").inner_text().replace("\xa0", " ")
    assert "The Estuary Courier" in facts
    assert "Miriam Castell" in facts
    assert "14 September 2023" in facts
    assert re.search(r"\b\d+ mins?\b", facts)
    assert tab.locator("main h1").count() == 0  # the title is not repeated


def test_long_content_begins_with_its_lead_image(service, site, tab_of):
    tab = tab_of()
    tab.goto(read_url(service, site.url("/news-comments")))
    lead = tab.locator(".lead img")
    assert lead.get_attribute("loading") is None
    assert tab.locator(f'main img[src="{lead.get_attribute("src")}"]').count() == 1
    assert lead.bounding_box()["y"] < box(tab, "main p")["y"]


def test_display_settings_need_no_script_and_no_request(service, site, tab_of):
    tab = tab_of(color_scheme="light")
    tab.goto(read_url(service, site.url("/blog-ru")))
    light, size, wide = (
        style(tab, ".page", "backgroundColor"),
        style(tab, "main", "fontSize"),
        box(tab, "main")["width"],
    )
    tab.get_by_text("A++", exact=True).click()
    assert float(style(tab, "main", "fontSize")[:-2]) > float(size[:-2]) * 1.3
    tab.get_by_text("A", exact=True).click()
    assert style(tab, "main", "fontSize") == size
    tab.get_by_text("wide", exact=True).click()
    assert box(tab, "main")["width"] > wide * 1.3
    tab.get_by_text("narrow", exact=True).click()
    assert box(tab, "main")["width"] < wide * 0.9
    tab.get_by_text("dark", exact=True).click()
    dark = style(tab, ".page", "backgroundColor")
    assert sum(map(int, re.findall(r"\d+", dark))) < 200 < sum(map(int, re.findall(r"\d+", light)))
    # Parameters set them too, for bookmarks.
    tab.goto(read_url(service, site.url("/blog-ru"), size="xl", width="wide", theme="dark"))
    assert style(tab, ".page", "backgroundColor") == dark
    assert box(tab, "main")["width"] > wide


def test_the_theme_follows_the_system(service, site, tab_of):
    tab = tab_of(color_scheme="dark")
    tab.goto(read_url(service, site.url("/news-ar")))
    assert sum(map(int, re.findall(r"\d+", style(tab, ".page", "backgroundColor")))) < 200
    assert sum(map(int, re.findall(r"\d+", style(tab, ".page", "color")))) > 400
    tab.get_by_text("light", exact=True).click()
    assert sum(map(int, re.findall(r"\d+", style(tab, ".page", "backgroundColor")))) > 600


def test_the_reader_is_operable_by_keyboard(service, site, tab_of):
    tab = tab_of()
    tab.goto(read_url(service, site.url("/documentation")))
    tab.keyboard.press("Tab")
    tab.locator(".skip:focus").wait_for()
    assert box(tab, ".skip")["width"] > 50  # visible when focused
    tab.keyboard.press("Enter")
    tab.wait_for_url("**#text")
    tab.locator("#size-m").focus()
    tab.keyboard.press("ArrowRight")
    tab.locator("#size-l:focus").wait_for(state="attached")
    assert style(tab, '[for="size-l"]', "outlineStyle") == "solid"
    assert float(style(tab, "main", "fontSize")[:-2]) > 18
    tab.keyboard.press("Tab")
    tab.locator("[name=width]:focus").wait_for(state="attached")
    for label in tab.locator(".settings label, .settings button, .bar a").all():
        size = label.bounding_box()
        assert min(size["width"], size["height"]) >= 24
    assert tab.locator(".settings fieldset").count() == tab.locator(".settings legend").count() == 5


def test_settings_are_kept_in_a_cookie_of_this_site(service, site, tab_of):
    tab = tab_of(color_scheme="light")
    tab.goto(read_url(service, site.url("/blog-ru")))
    tab.get_by_text("dark", exact=True).click()
    tab.get_by_text("the reader", exact=True).click()
    follow(tab, tab.get_by_role("button", name="Keep for all pages"))
    assert tab.url == read_url(service, site.url("/blog-ru"))
    assert sum(map(int, re.findall(r"\d+", style(tab, ".page", "backgroundColor")))) < 200
    cookies = tab.context.cookies()
    assert [(each["name"], each["value"], each["httpOnly"]) for each in cookies] == [
        ("tamis", "theme.dark-links.reader", True)
    ]
    tab.goto(read_url(service, site.url("/documentation")))
    assert tab.locator("#theme-dark").is_checked()
    tab.get_by_text("auto", exact=True).first.click()
    tab.get_by_text("original pages", exact=True).click()
    follow(tab, tab.get_by_role("button", name="Keep for all pages"))
    assert tab.context.cookies() == []


def test_print_has_only_the_text(service, site, tab_of):
    tab = tab_of(color_scheme="dark")
    tab.goto(read_url(service, site.url("/documentation"), theme="dark", size="xl"))
    tab.emulate_media(media="print", color_scheme="dark")
    assert not tab.locator(".bar").is_visible()
    assert tab.locator("main").is_visible()
    assert style(tab, ".page", "backgroundColor") == "rgb(255, 255, 255)"
    assert style(tab, ".page", "color") == "rgb(0, 0, 0)"


WEAK_HINTS = [
    {"Save-Data": "on"},
    {"ECT": "slow-2g"},
    {"ECT": "2g"},
    {"ECT": "3g"},
    {"Downlink": "0.4"},
    {"Downlink": "0.7"},
]


def test_client_hints_of_a_weak_client_select_text_only(service, site, tab_of):
    url = read_url(service, site.url("/news-zh"))
    full = send(url)
    assert "<img" in full.text
    assert full.headers["accept-ch"] == "Save-Data, ECT, Downlink"
    assert {"Save-Data", "ECT", "Downlink"} <= {name.strip() for name in full.headers["vary"].split(",")}
    texts = [send(url, **{name.replace("-", "_"): value for name, value in hint.items()}) for hint in WEAK_HINTS]
    assert len({each.body for each in [*texts, send(f"{url}&media=text")]}) == 1
    assert "<img" not in texts[0].text
    assert "accept-ch" in texts[0].headers
    for hint in ({"Save_Data": "off"}, {"ECT": "4g"}, {"Downlink": "10"}, {"Downlink": "fast"}):
        assert send(url, **hint).body == full.body
    assert send(f"{url}&media=full", Save_Data="on").body == full.body
    tab = tab_of("phone", extra_http_headers={"Save-Data": "on"})
    tab.goto(url)
    assert tab.requested == []  # the browser requested nothing else
    assert "img-src" not in texts[0].headers["content-security-policy"]
    follow(tab, tab.get_by_text("With images"))
    assert tab.locator("img").count() > 0


@pytest.mark.slow
@pytest.mark.parametrize("slug", SLUGS)
def test_text_only_pages_are_hardly_larger_than_their_text(service, site, slug):
    page = send(read_url(service, site.url(f"/{slug}"), media="text"))
    text = send(f"{service}/v1/extract?url={quote(site.url(f'/{slug}'), safe='')}&format=text")
    # The style, the title and the tags around paragraphs: a few kB at most, whatever the size of the page.
    assert len(page.body) < 1.3 * len(text.body) + 3500


FRONT = (
    "<title>The Courier</title><header><nav aria-label=Sections><a href=/sport>Sport</a><a href=/arts>Arts</a></nav>"
    "</header><main><h2>Today</h2>"
    + "".join(f"<h3><a href=/story/{n}>A headline about matter number {n}</a></h3>" for n in range(8))
    + "<section><h2>Weather</h2><ul><li><a href=/rain>Rain tomorrow in the north</a><li><a href=/sun>Sun</a></ul>"
    "</section></main><footer><a href=/imprint>Imprint</a> <a href='javascript:x()'>Bad</a></footer>"
)


def test_a_listing_leads_on_in_the_reader(service, site, tab_of):
    site.pages["/front-page"] = FRONT.encode()
    site.pages["/story/3"] = (
        b"<title>Matter three</title><article><h1>Matter three</h1>" + b"<p>Words, and more.</p>" * 9
    )
    tab = tab_of("phone")
    tab.goto(read_url(service, site.url("/front-page"), size="l"))
    links = tab.locator("main a").all_inner_texts()
    assert links[:8] == [f"A headline about matter number {n}" for n in range(8)]
    assert "Imprint" not in links
    follow(tab, tab.get_by_text("A headline about matter number 3"))
    assert tab.locator("h1").inner_text() == "Matter three"
    assert "size=l" in tab.url  # the setting is kept
    assert "Words, and more." in tab.locator("main").inner_text()
    text_only = send(read_url(service, site.url("/front-page")), Save_Data="on").text
    assert "media=text" in text_only


def test_a_video_is_shown_as_its_poster(service, site, tab_of):
    words = "<p>A paragraph about tea, with words enough, commas too, and a point to make at its end.</p>"
    video = "<video poster=/still.jpg title='The pot boils'><source src=/pot.mp4></video>"
    site.pages["/video"] = f"<title>Tea</title><article><h1>Tea</h1>{words * 3}{video}{words * 3}</article>".encode()
    tab = tab_of()
    tab.goto(read_url(service, site.url("/video")))
    figure = tab.locator("main figure")
    assert figure.locator("img").get_attribute("src") == site.url("/still.jpg")
    assert figure.locator("a").get_attribute("href") == site.url("/pot.mp4")
    assert "The pot boils" in figure.inner_text()
    text_only = send(read_url(service, site.url("/video"), media="text")).text
    assert "still.jpg" not in text_only
    assert site.url("/pot.mp4") in text_only


@pytest.mark.parametrize(
    ("player", "target"),
    [
        ("<audio src=/song.mp3></audio>", "/song.mp3"),
        ("<video src=/pot.mp4></video>", "/pot.mp4"),
        ("<iframe src=//www.youtube.com/embed/abc title='How to pour'></iframe>", "youtube.com/watch?v=abc"),
    ],
)
def test_players_are_links_with_and_without_media(service, site, player, target):
    words = "<p>A paragraph about tea, with words enough, commas too, and a point to make at its end.</p>"
    path = f"/player-{player[1:6]}"  # a page is fetched once
    site.pages[path] = f"<title>Tea</title><article><h1>Tea</h1>{words * 3}{player}{words * 3}</article>".encode()
    for media in ("full", "text"):
        text = send(read_url(service, site.url(path), media=media)).text
        assert re.search(f'<a [^>]*href="[^"]*{re.escape(target)}"', text), media


def test_the_home_page_takes_a_url_and_a_file(service, site, tab_of, tmp_path):
    tab = tab_of()
    tab.goto(f"{service}/")
    tab.get_by_label("URL of the page").fill(site.url("/news-hi"))
    follow(tab, tab.get_by_role("button", name="Read").first)
    assert tab.locator("html").get_attribute("lang") == "hi-IN"
    page = tmp_path / "saved.html"
    page.write_bytes("<title>Чай</title><article><h1>Чай</h1><p>Вода, и три минуты, не больше.</p>".encode("koi8-r"))
    tab.goto(f"{service}/")
    tab.set_input_files("input[type=file]", page)
    follow(tab, tab.get_by_role("button", name="Read").last)
    assert tab.locator("h1").inner_text() == "Чай"
    tab.goto(f"{service}/")
    assert tab.console == []


def test_the_bookmarklet_opens_the_reader(service, site, browser):
    context = browser.new_context()
    tab = context.new_page()
    tab.goto(f"{service}/")
    code = tab.locator("a.mark").get_attribute("href")
    tab.goto(site.url("/product"))
    tab.evaluate(code.removeprefix("javascript:"))
    tab.wait_for_url(f"{service}/read?url=*")
    assert "Fennick 28" in tab.locator("h1").first.inner_text()
    context.close()


@pytest.mark.parametrize(
    ("query", "status", "detail"),
    [
        ("", 400, "Give a URL"),
        ("?url=ftp://e.org/", 400, "Only http and https"),
        ("?url=SITE/missing", 502, "returned 404"),
        ("?url=http://192.168.0.1:PORT/", 403, "not allowed"),
        ("?url=SITE&media=loud", 400, "must be one of auto, full, text"),
        ("?url=SITE&size=9", 400, "must be one of s, m, l, xl"),
    ],
)
def test_errors_in_the_reader_are_pages(service, site, query, status, detail):
    response = send(f"{service}/read{query}".replace("SITE", site.url()).replace("PORT", str(site.port)))
    assert response.status == status
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    assert detail in response.text


def test_a_pdf_is_reported_as_no_web_page(service, site):
    site.pages["/paper.pdf"] = b"%PDF-1.7 not text"
    assert "Not a web page but a PDF document" in send(read_url(service, site.url("/paper.pdf"))).text
