"""The pictures of the README: golden pages as Chromium shows them.

    python examples/pictures.py          # pip install playwright pillow, and a Chromium

Pages are shown without the network, so what they ask other hosts for is missing.
"""

import argparse
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Route, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
PAGES = ("tables-2000s", "documentation")
WIDTH, HEIGHT = 880, 1000
COLOURS = 64  #: enough for text on paper, and a third of the bytes


def main() -> None:
    """Take the pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chromium", default="/usr/bin/chromium", help="the browser to use")
    parser.add_argument("--output", type=Path, default=ROOT / "docs" / "pictures")
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=arguments.chromium, args=["--no-sandbox"])
        view = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        view.route("**/*", _local)
        for name in PAGES:
            view.goto((ROOT / "tests" / "pages" / name / "page.html").as_uri())
            picture = Image.open(BytesIO(view.screenshot()))
            target = arguments.output / f"{name}.png"
            picture.convert("RGB").quantize(COLOURS).save(target, optimize=True)
            print(f"{target}: {target.stat().st_size:,} bytes")
        browser.close()


def _local(route: Route) -> None:
    if route.request.url.startswith("file:") and route.request.resource_type == "document":
        route.continue_()
    else:
        route.abort()


if __name__ == "__main__":
    main()
