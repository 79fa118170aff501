"""The explanation of a page in the service: the same guard and limits as the reader."""

from urllib.parse import quote

import pytest

from tests.serve.loopback import send


def explain_url(base, target):
    return f"{base}/explain?url={quote(target, safe='')}"


@pytest.mark.slow
def test_the_reader_links_to_the_explanation(service, site):
    reader = send(f"{service}/read?url={quote(site.url('/documentation'), safe='')}")
    assert f'href="/explain?url={quote(site.url("/documentation"), safe="")}"'.encode() in reader.body
    response = send(explain_url(service, site.url("/documentation")))
    assert response.status == 200
    assert b"What the papers measure" in response.body
    policy = response.headers["content-security-policy"]
    assert "sandbox allow-scripts allow-downloads" in policy
    assert "allow-same-origin" not in policy
    assert "default-src 'none'" in policy


def test_the_explanation_is_guarded_as_the_reader_is(service, site):
    for path in (
        "/explain",
        "/explain?url=http://10.0.0.1/",
        "/explain?url=file:///etc/passwd",
        "/explain?url=x&y=1",
    ):
        response = send(service + path)
        assert response.status in {400, 403, 422}, path
        assert b"root:" not in response.body
    crossed = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "no-cors"}
    response = send(explain_url(service, site.url("/documentation")), **crossed)
    assert response.status == 403


def test_a_file_is_explained(service):
    page = b"<h1>Tea</h1><p>" + b"Boil the water, and wait. " * 9
    response = send(f"{service}/explain", "POST", page, Content_Type="text/html")
    assert response.status == 200
    assert b"Why: Tea" in response.body


@pytest.mark.slow
def test_the_served_page_loads_nothing_and_marks_can_be_saved(service, site, browser):
    context = browser.new_context(viewport={"width": 390, "height": 844})
    tab = context.new_page()
    requested, console = [], []
    tab.on("request", lambda request: requested.append(request.url))
    tab.on("console", lambda message: console.append(message.text))
    target = explain_url(service, site.url("/news-comments"))
    tab.goto(target)
    assert tab.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert tab.frames[1].locator(".b.k").count() > 0
    assert tab.evaluate("self.origin") == "null"
    block = tab.locator(".block").nth(12)
    block.locator("summary").click()
    block.get_by_label("not content").check()
    with tab.expect_download() as download:
        tab.locator("#download").click()
    assert download.value.suggested_filename == "page.json"
    assert [url for url in requested if not url.startswith("blob:")] == [target]
    assert console == []
    context.close()
