"""Fixtures: a site with the golden pages, the service that reads it, and a real browser."""

from pathlib import Path

import pytest

from tamis.browser.config import find_chromium
from tests.needs import skip_without
from tests.serve.loopback import Site, loopback_settings, serving

PAGES = Path(__file__).parents[1] / "pages"


TIMEOUT_MS = 300_000  #: generous, because the tests run beside other work


class Browser:
    """A browser with a generous timeout."""

    def __init__(self, browser):
        self._browser = browser

    def new_context(self, **options):
        context = self._browser.new_context(**options)
        context.set_default_timeout(TIMEOUT_MS)
        return context


@pytest.fixture(scope="session")
def site():
    with Site() as site:
        for folder in PAGES.iterdir():
            site.pages[f"/{folder.name}"] = (folder / "page.html").read_bytes()
        yield site


@pytest.fixture(scope="session")
def service(site):
    """The service, which fetches pages from the site and from nowhere else."""
    with serving(loopback_settings(site.port)) as base:
        yield base


@pytest.fixture(scope="module")
def browser():
    skip_without("a browser")
    from playwright import sync_api as sync  # noqa: PLC0415 (an extra)

    path = find_chromium()
    with sync.sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-dev-shm-usage"], timeout=TIMEOUT_MS
        )
        yield Browser(browser)
        browser.close()
