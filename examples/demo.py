"""Extract the sample pages into readable files: ``make demo``.

Run from anywhere; writes ``demo-output/NAME.txt`` and ``.html`` and shows the beginning of each.
"""

import json
from pathlib import Path

import tamis

HOME = Path(__file__).parent.parent
PAGES = HOME / "tests" / "pages"
OUTPUT = HOME / "demo-output"


def main() -> None:
    """Extract every sample page."""
    OUTPUT.mkdir(exist_ok=True)
    for folder in sorted(path.parent for path in PAGES.glob("*/page.html")):
        meta = json.loads((folder / "meta.json").read_text("utf-8"))
        markup = (folder / "page.html").read_bytes()
        found = tamis.extract(markup, meta["url"])
        (OUTPUT / f"{folder.name}.txt").write_text(found.text + "\n", encoding="utf-8")
        (OUTPUT / f"{folder.name}.html").write_text(found.html + "\n", encoding="utf-8")
        print(f"\n━━━ {folder.name}: {found.title}")
        print(f"    {meta['kind']} · {len(markup):,} bytes in, {len(found.text.encode()):,} bytes out")
        for line in [line for line in found.text.splitlines() if line][:4]:
            print(f"    │ {line[:100]}{'…' if len(line) > 100 else ''}")  # noqa: PLR2004 (a terminal's width)
    print(f"\nAll of it is in {OUTPUT.name}/.")


if __name__ == "__main__":
    main()
