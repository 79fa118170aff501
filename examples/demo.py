"""Extract the golden pages of the tests: ``make demo``.

Writes ``demo-output/NAME.txt`` and ``demo-output/NAME.html`` and prints the beginning of each text. Runs from any
folder.
"""

import json
from pathlib import Path

import tamis

ROOT = Path(__file__).parent.parent
PAGES = ROOT / "tests" / "pages"
OUTPUT = ROOT / "demo-output"
MAX_COLUMNS = 100


def main() -> None:
    """Extract every page."""
    OUTPUT.mkdir(exist_ok=True)
    for folder in sorted(path.parent for path in PAGES.glob("*/page.html")):
        metadata = json.loads((folder / "meta.json").read_text("utf-8"))
        markup = (folder / "page.html").read_bytes()
        extraction = tamis.extract(markup, metadata["url"])
        (OUTPUT / f"{folder.name}.txt").write_text(extraction.text + "\n", encoding="utf-8")
        (OUTPUT / f"{folder.name}.html").write_text(extraction.html + "\n", encoding="utf-8")
        print(f"\n━━━ {folder.name}: {extraction.title}")
        size = len(extraction.text.encode())
        print(f"    {metadata['page_type']} · {len(markup):,} bytes in, {size:,} bytes out")
        for line in [line for line in extraction.text.splitlines() if line][:4]:
            print(f"    │ {line[:MAX_COLUMNS]}{'…' if len(line) > MAX_COLUMNS else ''}")
    print(f"\nThe full output is in {OUTPUT.name}/.")


if __name__ == "__main__":
    main()
