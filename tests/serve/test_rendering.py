"""Pages that need scripts are rendered by Chromium. `tests/browser/test_canaries.py` shows what it cannot reach."""

from urllib.parse import quote

import pytest

from tests.serve.loopback import Site, loopback_settings, send, serving

pytestmark = pytest.mark.slow  # a browser

WORDS = "A paragraph about tea, with words enough, commas too, and a point to make at its end. "
APP = (
    "<!doctype html><title>Tea</title><div id=app></div><script>"
    f"document.querySelector('#app').innerHTML = '<article><h1>Tea</h1>' + '<p>{WORDS}</p>'.repeat(9) + '</article>'"
    "</script>"
)


def test_a_page_made_by_scripts_is_rendered_when_it_needs_to_be(chromium):
    assert chromium
    with Site() as site, serving(loopback_settings(site.port, render="auto", render_timeout=120)) as base:
        site.pages["/app"] = APP.encode()
        site.pages["/plain"] = f"<title>Tea</title><article><h1>Tea</h1><p>{WORDS * 9}</article>".encode()
        url = f"{base}/v1/extract?url={quote(site.url('/app'))}&format=text"
        auto = send(url)
        assert WORDS.strip() in auto.text
        assert auto.headers["tamis-rendered"] == "true"
        assert WORDS.strip() not in send(f"{url}&render=never").text
        assert WORDS.strip() in send(f"{url}&render=always").text
        assert "tamis-rendered" not in send(f"{base}/v1/extract?url={quote(site.url('/plain'))}").headers
        assert WORDS.strip() in send(f"{base}/read?url={quote(site.url('/app'))}").text
        assert send(f"{base}/v1/extract?url={quote(site.url('/missing'))}&render=always").status == 502
        assert send(f"{base}/v1/extract?url=http://10.0.0.1:{site.port}/&render=always").status == 403
        assert send(f"{base}/v1/extract?url=http://10.0.0.1:{site.port}/").status == 403


def test_without_the_option_pages_are_not_rendered(service, site):
    site.pages["/app"] = APP.encode()
    url = f"{service}/v1/extract?url={quote(site.url('/app'))}&format=text"
    assert "without --render" in send(f"{url}&render=always").text
    assert send(f"{url}&render=auto").status == 200


def test_a_service_renders_as_it_was_told_unless_a_client_says_otherwise(chromium):
    """The page is good without its scripts, so that only ``always`` renders it."""
    assert chromium
    page = f"<title>Tea</title><article><h1>Tea</h1><p>{WORDS * 9}</article>".encode()
    with Site() as site, serving(loopback_settings(site.port, render="always", render_timeout=120)) as base:
        site.pages["/plain"] = page
        url = f"{base}/v1/extract?url={quote(site.url('/plain'))}&format=text"
        assert send(url).headers["tamis-rendered"] == "true"
        assert "tamis-rendered" not in send(f"{url}&render=auto").headers
        assert "tamis-rendered" not in send(f"{url}&render=never").headers


def test_a_page_that_scripts_make_worse_is_given_as_it_was_served(chromium):
    assert chromium
    spoilt = f"<title>Tea</title><div id=app></div><p>{WORDS}</p><script>document.body.innerHTML = 'x'</script>"
    with Site() as site, serving(loopback_settings(site.port, render="auto", render_timeout=120)) as base:
        site.pages["/spoilt"] = spoilt.encode()
        answer = send(f"{base}/v1/extract?url={quote(site.url('/spoilt'))}&format=text&extractor=body")
        assert WORDS.strip() in answer.text
        assert "tamis-rendered" not in answer.headers
        assert site.hits == ["/spoilt", "/spoilt"]  # it was rendered
