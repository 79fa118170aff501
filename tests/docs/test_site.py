"""The documentation as a site: it builds, asks no other host for anything, can be searched, and fits a phone."""

import functools
import http.server
import os
import re
import subprocess
import sys
import threading
from inspect import signature
from pathlib import Path

import pytest

import tamis
from tests.serve.conftest import TIMEOUT_MS

ROOT = Path(__file__).parents[2]
#: Pages that are wide or long: code, tables, pictures, generated references.
PAGES = (
    "index.html",
    "tutorial.html",
    "methods.html",
    "lab/reproduction.html",
    "reference/api.html",
    "reference/settings.html",
    "reference/weights.html",
    "migration.html",
)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    pytest.importorskip("mkdocs")
    pytest.importorskip("material")
    pytest.importorskip("mkdocstrings")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    path = os.pathsep.join([str(ROOT / "src"), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = os.environ | {"PYTHONPATH": path, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.mark.slow
def test_site_documents_everything_that_is_public(site):
    api = (site / "reference" / "api.html").read_text("utf-8")
    for name in tamis.__all__:
        value = getattr(tamis, name)
        assert f'id="{value.__module__}.{value.__qualname__}"' in api, name
    commands = (site / "reference" / "command-line.html").read_text("utf-8")
    for name in ("extract", "batch", "serve", "learn", "explain", "eval"):
        assert f"tamis {name}" in commands
    assert "--favor" in commands


@pytest.mark.slow
def test_parameters_are_shown_of_classes_whose_methods_are_compiled_on_first_use():
    griffe = pytest.importorskip("griffe")
    extensions = griffe.load_extensions(str(ROOT / "docs" / "_griffe.py"))
    package = griffe.load("tamis", search_paths=[str(ROOT / "src")], extensions=extensions)
    assert [each.name for each in package["api.options.Limits"].parameters][1:] == [
        *signature(tamis.Limits).parameters
    ]


@pytest.mark.slow
def test_pages_load_nothing_from_other_hosts(site):
    pages = list(site.rglob("*.html"))
    assert len(pages) > 40
    loaded = re.compile(
        r'<(?:script|img|link rel="(?:stylesheet|preconnect|icon)")[^>]*(?:src|href)="(?:https?:)?//[^"]+"'
    )
    for page in pages:
        assert not loaded.search(page.read_text("utf-8")), page
        assert "fonts.g" not in page.read_text("utf-8"), page


def test_site_in_a_browser(site, chromium):
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 (only where there is a browser)

    handler = functools.partial(_Quiet, directory=str(site))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    root = f"http://127.0.0.1:{server.server_address[1]}/"
    requests = []
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            page = browser.new_page(viewport={"width": 390, "height": 800})
            page.set_default_timeout(TIMEOUT_MS)
            page.on("request", lambda request: requests.append(request.url))
            for name in PAGES:
                page.goto(root + name, wait_until="load")
                width = page.evaluate("document.documentElement.scrollWidth")
                assert width <= 390, f"{name} is {width} pixels wide"
            wide = browser.new_page(viewport={"width": 1200, "height": 800})
            wide.set_default_timeout(TIMEOUT_MS)
            wide.on("request", lambda request: requests.append(request.url))
            wide.goto(root, wait_until="load")
            # Typed, not filled in at once: the page looks at its field when a key is released.
            wide.locator(".md-search__input").press_sequentially("calibrated")
            wide.locator(".md-search-result__link").first.wait_for()
            browser.close()
    finally:
        server.shutdown()
        server.server_close()
    assert len(requests) > len(PAGES)
    assert [url for url in requests if not url.startswith((root, "data:", "blob:"))] == []


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass
