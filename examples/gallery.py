"""Show every golden and structure page beside its Markdown: ``make gallery``.

    python examples/gallery.py           # needs playwright, pillow, markdown-it-py and Chromium

Writes one HTML page, ``build/gallery/index.html``, that needs no other file. At the left is the page as Chromium
draws it at desktop width, at the right its Markdown, rendered; the source of the Markdown is folded below. Pages are
drawn without network, so resources from other hosts are missing.
"""

import argparse
import base64
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from io import BytesIO
from pathlib import Path

from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from PIL import Image
from playwright.sync_api import Page, Route, sync_playwright

import tamis
from tamis.browser.config import find_chromium

ROOT = Path(__file__).resolve().parents[1]
TESTS = ROOT / "tests"
#: Folders of pages, what they are called, and the extractor: structure pages have nothing but content.
FOLDERS = (("pages", "Golden pages", "sift"), ("structure", "Structure pages", "body"))
WIDTH, HEIGHT = 1280, 800
MAX_HEIGHT = 6000  #: pixels of a screenshot
SHOWN_WIDTH = 900  #: pixels of a screenshot in the gallery: text stays legible
QUALITY = 72
#: A callout, which CommonMark takes for a quotation: its type, and its title to the end of the line.
CALLOUT = re.compile(r"<blockquote>\n<p>\[!(\w+)\][-+]? ?([^\n<]*)\n?")
STYLE = """
:root { color-scheme: light; --line: #d8d8d4; }
body { font: 15px/1.55 system-ui, sans-serif; margin: 0; color: #222; background: #f4f4f1; }
header, h2 { padding: 0 24px; } header { padding-top: 16px; }
nav { columns: 14em; } nav a { display: block; color: #175; }
article.entry { margin: 0 16px 28px; background: #fff; border: 1px solid var(--line); border-radius: 6px; }
article.entry > h3 { margin: 0; padding: 10px 16px; border-bottom: 1px solid var(--line); }
article.entry > h3 small { font-weight: normal; color: #666; }
.sides { display: grid; grid-template-columns: 1fr 1fr; }
.sides > div { padding: 14px 18px; min-width: 0; max-height: 1400px; overflow: auto; }
.sides > div + div { border-left: 1px solid var(--line); }
.page img { width: 100%; display: block; }
.markdown h1 { font-size: 1.7em; line-height: 1.2; } .markdown h2 { padding: 0; }
.markdown table { border-collapse: collapse; }
.markdown td, .markdown th { border: 1px solid #bbb; padding: 3px 8px; }
.markdown pre, details pre { background: #f3f3f0; padding: 10px; overflow: auto; white-space: pre-wrap; }
.markdown blockquote { border-inline-start: 3px solid #bbb; margin-inline: 0; padding-inline: 14px; color: #444; }
.markdown blockquote.callout { background: #eef6fb; border-color: #48a; padding-block: 4px; }
.markdown img { max-width: 100%; min-width: 40px; min-height: 1.4em; background: #eef; border: 1px dashed #99b; }
.math { font-family: "STIX Two Math", "Cambria Math", serif; background: #f7f3e6; padding: 0 3px; }
details { border-top: 1px solid var(--line); padding: 8px 16px; } summary { cursor: pointer; color: #555; }
"""


@dataclass(frozen=True, slots=True)
class Entry:
    """A page of the gallery.

    Attributes:
        name: the name of its folder.
        extractor: how the content is chosen.
        file: the page.
        url: its URL.
    """

    name: str
    extractor: str
    file: Path
    url: str


def entries(folder: str, extractor: str) -> Iterator[Entry]:
    """Yield the pages of a folder of the tests."""
    for file in sorted((TESTS / folder).glob("*/page.html")):
        meta = file.with_name("meta.json")
        values = json.loads(meta.read_text("utf-8")) if meta.exists() else {}
        yield Entry(file.parent.name, extractor, file, values.get("url") or "https://www.example.org/a/b")


def take_screenshot(browser_page: Page, file: Path) -> str:
    """Return a page as Chromium draws it, as a data URL."""
    browser_page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    browser_page.goto(file.as_uri())
    height = min(MAX_HEIGHT, browser_page.evaluate("document.documentElement.scrollHeight"))
    clip = {"x": 0, "y": 0, "width": WIDTH, "height": max(height, 100)}
    image = Image.open(BytesIO(browser_page.screenshot(full_page=True, clip=clip))).convert("RGB")
    image = image.resize((SHOWN_WIDTH, round(image.height * SHOWN_WIDTH / image.width)))
    out = BytesIO()
    image.save(out, "WEBP", quality=QUALITY)
    return "data:image/webp;base64," + base64.b64encode(out.getvalue()).decode()


def render_markdown(markdown: str) -> str:
    """Return Markdown as HTML, formulas as TeX."""
    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    parser.use(footnote_plugin).use(dollarmath_plugin, renderer=_formula)
    html: str = parser.render(markdown)
    return CALLOUT.sub(r'<blockquote class="callout">\n<p><strong>\2</strong> <small>\1</small></p>\n<p>', html)


def _formula(tex: str, options: dict[str, bool]) -> str:
    tag = "div" if options["display_mode"] else "span"
    return f'<{tag} class="math">{escape(tex)}</{tag}>'


def write_entry(entry: Entry, screenshot: str) -> str:
    """Return a page of the gallery as HTML."""
    extraction = tamis.extract(entry.file.read_bytes(), entry.url, extractor=entry.extractor)
    # Identifiers of footnotes are prefixed: those of two pages would be the same.
    rendered = render_markdown(extraction.markdown)
    for attribute in ('id="fn', 'href="#fn'):
        rendered = rendered.replace(attribute, attribute.replace("fn", f"{entry.name}-fn"))
    direction = f' dir="{extraction.document.direction}"'
    return (
        f'<article class="entry" id="{entry.name}"><h3>{entry.name} <small>by {entry.extractor}, '
        f"{len(extraction.blocks)} of {len(extraction.page.blocks)} blocks</small></h3>"
        f'<div class="sides"><div class="page"><img alt="{entry.name}, drawn by Chromium" src="{screenshot}"></div>'
        f'<div class="markdown"{direction}>{rendered}</div></div>'
        f"<details><summary>Markdown</summary><pre>{escape(extraction.markdown)}</pre></details></article>"
    )


def write_gallery(output: Path, every: int = 1) -> Path:
    """Write every nth page into a folder, as one file; return the file."""
    sections, links = [], []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        page = browser.new_page(java_script_enabled=False)
        page.route("**/*", _allow_local_documents)
        for folder, title, extractor in FOLDERS:
            found = list(entries(folder, extractor))[::every]
            links += [f'<a href="#{entry.name}">{entry.name}</a>' for entry in found]
            sections.append(f"<h2>{title}</h2>")
            sections += [write_entry(entry, take_screenshot(page, entry.file)) for entry in found]
        browser.close()
    output.mkdir(parents=True, exist_ok=True)
    target = output / "index.html"
    target.write_text(
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Tamis: gallery</title>'
        f"<style>{STYLE}</style></head><body><header><h1>Pages and their Markdown</h1>"
        f"<nav>{''.join(links)}</nav></header>"
        f"{''.join(sections)}</body></html>\n",
        encoding="utf-8",
    )
    return target


def _allow_local_documents(route: Route) -> None:
    if route.request.url.startswith("file:") and route.request.resource_type == "document":
        route.continue_()
    else:
        route.abort()


def main() -> None:
    """Write the gallery."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "gallery", help="the folder to write into")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="show every Nth page")
    arguments = parser.parse_args()
    target = write_gallery(arguments.output, arguments.every)
    print(f"{target}: {target.stat().st_size / 1_000_000:.1f} MB")


if __name__ == "__main__":
    main()
