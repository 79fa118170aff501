"""Take the screenshots in the README: golden pages, and the explanation of one, rendered by Chromium.

    python examples/screenshots.py       # needs playwright, pillow and Chromium

Pages are rendered without network, so resources from other hosts are missing.
"""

import argparse
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Route, sync_playwright

import tamis
from tamis.explain.page_html import explanation_page

ROOT = Path(__file__).resolve().parents[1]
PAGES = ("tables-2000s", "documentation")
WIDTH, HEIGHT = 880, 1000
COLORS = 64  #: enough for text, at a third of the size
EXPLAINED = "news-comments"
RELATED = 24  #: the number of a block of it that is dropped: a link to another article, among the paragraphs


def main() -> None:
    """Take the screenshots."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chromium", default="/usr/bin/chromium", help="the browser to use")
    parser.add_argument("--output", type=Path, default=ROOT / "docs" / "pictures")
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=arguments.chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        page.route("**/*", _allow_local_documents)
        for name in PAGES:
            page.goto((ROOT / "tests" / "pages" / name / "page.html").as_uri())
            _save(page.screenshot(), arguments.output / f"{name}.png")
        _explain(browser, arguments.output)
        browser.close()


def _explain(browser: Browser, folder: Path) -> None:
    """Take two screenshots of an explanation: its first screen on a desktop, and a tapped block on a phone."""
    html = (ROOT / "tests" / "pages" / EXPLAINED / "page.html").read_bytes()
    why = explanation_page(tamis.extract(html).explain())
    for name, width, height in (("explain", 1180, 960), ("explain-phone", 390, 780)):
        page = browser.new_page(viewport={"width": width, "height": height}, color_scheme="light")
        page.set_content(why)
        page.frames[1].locator(f"#b{RELATED}").click(position={"x": 5, "y": 5})
        page.mouse.move(0, 0)  # the tapped block alone shows its explanation
        page.frames[1].locator(f"#b{RELATED - 4}").evaluate("each => each.scrollIntoView()")
        page.evaluate("scrollTo(0, 0)")
        _save(page.screenshot(), folder / f"{name}.png")
        page.close()


def _save(screenshot: bytes, target: Path) -> None:
    Image.open(BytesIO(screenshot)).convert("RGB").quantize(COLORS).save(target, optimize=True)
    print(f"{target}: {target.stat().st_size:,} bytes")


def _allow_local_documents(route: Route) -> None:
    if route.request.url.startswith("file:") and route.request.resource_type == "document":
        route.continue_()
    else:
        route.abort()


if __name__ == "__main__":
    main()
