"""Take the screenshots in the README: golden pages, rendered by Chromium.

    python examples/screenshots.py       # needs playwright, pillow and Chromium

Pages are rendered without network, so resources from other hosts are missing.
"""

import argparse
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Route, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
PAGES = ("tables-2000s", "documentation")
WIDTH, HEIGHT = 880, 1000
COLORS = 64  #: enough for text, at a third of the size


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
            screenshot = Image.open(BytesIO(page.screenshot()))
            target = arguments.output / f"{name}.png"
            screenshot.convert("RGB").quantize(COLORS).save(target, optimize=True)
            print(f"{target}: {target.stat().st_size:,} bytes")
        browser.close()


def _allow_local_documents(route: Route) -> None:
    if route.request.url.startswith("file:") and route.request.resource_type == "document":
        route.continue_()
    else:
        route.abort()


if __name__ == "__main__":
    main()
