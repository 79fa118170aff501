"""`tamis.fetch`: guarded as the service is, and its result goes to `tamis.extract`."""

import asyncio
import subprocess
import sys
import threading

import pytest

import tamis
from tamis import errors
from tests.serve.loopback import Site, run

PAGE = "<title>Tee</title><main><p>Schöne Grüße, <a href=/mehr>und mehr</a> davon.</p></main>".encode("cp1252")


@pytest.fixture
def site():
    with Site() as site:
        site.pages["/tee"] = lambda handler: handler.respond(PAGE, Content_Type="text/html; charset=windows-1252")
        site.pages["/old"] = lambda handler: handler.respond(b"", 301, Location="/tee")
        yield site


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1/", "http://localhost/", "http://[::1]/", "http://10.0.0.1/", "http://169.254.169.254/"]
)
def test_private_addresses_are_blocked_by_default(url):
    with pytest.raises(errors.BlockedURLError, match="a network that is not allowed"):
        tamis.fetch(url)


def test_nothing_reaches_a_private_server_by_default(site):
    with pytest.raises(errors.InvalidURLError, match="port"):
        tamis.fetch(site.url("/tee"))
    assert site.hits == []


@pytest.mark.parametrize("url", ["ftp://e.org/", "file:///etc/passwd", "page.html", "", "http://"])
def test_an_invalid_url_is_refused(url):
    with pytest.raises(errors.InvalidURLError):
        tamis.fetch(url)


def test_a_page_comes_with_its_final_url_and_declared_encoding(site):
    page = tamis.fetch(site.url("/old"), allow_private=True)
    assert (page.body, page.url, page.encoding) == (PAGE, site.url("/tee"), "windows-1252")
    assert repr(page) == f"Fetched({site.url('/tee')!r}, {len(PAGE)} bytes, encoding='windows-1252')"


def test_extract_uses_the_url_and_the_encoding_of_a_fetched_page(site):
    extraction = tamis.extract(tamis.fetch(site.url("/old"), allow_private=True), extractor="body")
    assert extraction.url == site.url("/tee")
    assert extraction.page.encoding == "windows-1252"
    assert extraction.markdown == f"# Tee\n\nSchöne Grüße, [und mehr]({site.url('/mehr')}) davon."


def test_keywords_of_extract_win_over_a_fetched_page():
    page = tamis.Fetched("<p>тест <a href=/x>y</a>".encode("koi8-r"), "https://e.org/a", "latin-1")
    extraction = tamis.extract(page, "https://other.example/", encoding="koi8-r", extractor="body")
    assert extraction.markdown == "тест [y](https://other.example/x)"


def test_a_refusal_names_options_only_where_they_open_the_network():
    for url, options in (("http://10.0.0.1/", True), ("http://169.254.169.254/", False)):
        with pytest.raises(errors.BlockedURLError, match="a network that is not allowed") as refused:
            tamis.fetch(url)
        assert ("--allow-private" in str(refused.value)) == options


@pytest.mark.slow
def test_size_and_time_are_limited(site):
    site.pages["/large"] = bytes(2_000)
    with pytest.raises(tamis.FetchError, match=r"larger than 0.001 MB"):
        tamis.fetch(site.url("/large"), allow_private=True, max_bytes=1_000)
    release = threading.Event()
    site.pages["/silent"] = lambda _: release.wait()
    try:
        with pytest.raises(errors.FetchTimeoutError, match=r"no response within 0.2 seconds"):
            tamis.fetch(site.url("/silent"), allow_private=True, timeout=0.2)
    finally:
        release.set()


def test_an_error_status_is_an_error(site):
    with pytest.raises(tamis.FetchError, match="the server returned 404"):
        tamis.fetch(site.url("/missing"), allow_private=True)


def test_fetch_works_inside_a_running_event_loop(site):
    async def notebook_cell():
        assert asyncio.get_running_loop().is_running()
        with pytest.raises(errors.BlockedURLError):
            tamis.fetch("http://127.0.0.1/")
        return tamis.fetch(site.url("/tee"), allow_private=True)

    assert run(notebook_cell()).body == PAGE


@pytest.mark.slow
def test_a_missing_dependency_names_the_extra():
    program = "import sys; sys.modules['aiohttp'] = None; import tamis; tamis.fetch('https://example.org/')"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert "aiohttp is not installed; install it with: pip install 'tamis[fetch]'" in done.stderr
