"""Count pages whose Markdown has raw HTML, hard breaks, empty or doubled links, or two spaces in a row.

    python bench/markdown.py FOLDER [--every 10] [--show raw]

FOLDER contains pages as ``.html`` or ``.html.gz``. Code is not counted: its white space and its angle brackets are
its own. `--show` prints the places of one type, to look at.
"""

import argparse
import gzip
import re
from collections import Counter
from pathlib import Path

import tamis

FENCE = re.compile(r"^([ >]*)(`{3,})[^\n]*\n.*?^[ >]*\2[ ]*$", re.MULTILINE | re.DOTALL)
CODE_SPAN = re.compile(r"(?<![\\`])(`+)(?!`).*?(?<!`)\1(?!`)", re.DOTALL)
#: By type, a pattern of what people would not write themselves.
DEFECTS = {
    "raw HTML": re.compile(r"(?<!\\)</?[a-z][a-z0-9]*(?:\s[^<>\n]*)?>"),
    "raw HTML but sub, sup": re.compile(r"(?<!\\)</?(?!su[bp]>)[a-z][a-z0-9]*(?:\s[^<>\n]*)?>"),
    "raw em, strong": re.compile(r"(?<!\\)</?(?:em|strong)>"),
    "hard break": re.compile(r"\\$", re.MULTILINE),
    "empty link": re.compile(r"(?<!!)\[\s*\]\("),
    "doubled link": re.compile(r"\]\((\S{9,})\)[\s>|\\-]*\[[^\]\n]*\]\(\1\)"),
    "two spaces": re.compile(r"(?<=[^\s|>])  +(?=\S)"),
    "[edit] or #": re.compile(r"\[\[?edit\]?\]|^#+ .*\[[#¶]\]\(", re.MULTILINE | re.IGNORECASE),
}


def without_code(markdown: str) -> str:
    """Return Markdown without its code blocks, code spans and display formulas."""
    without_blocks = re.sub(r"^\$\$\n.*?\n\$\$$", "", FENCE.sub("", markdown), flags=re.MULTILINE | re.DOTALL)
    return CODE_SPAN.sub("code", without_blocks)


def main() -> None:
    """Print the share of pages with each type of defect."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--every", type=int, default=1, help="read every n-th page")
    parser.add_argument("--show", choices=DEFECTS, help="print the places of this type")
    arguments = parser.parse_args()
    paths = sorted(path for path in arguments.folder.rglob("*") if path.name.endswith((".html", ".html.gz")))
    pages, places, count = Counter[str](), Counter[str](), 0
    for path in paths[:: arguments.every]:
        data = path.read_bytes()
        markdown = without_code(tamis.extract(gzip.decompress(data) if path.suffix == ".gz" else data).markdown)
        count += bool(markdown)
        for name, pattern in DEFECTS.items():
            matches = list(pattern.finditer(markdown))
            pages[name] += bool(matches)
            places[name] += len(matches)
            if name == arguments.show:
                for match in matches[:5]:
                    start, stop = max(match.start() - 60, 0), match.end() + 60
                    print(f"{path.name}: {markdown[start:stop]!r}")
    print(f"{count} pages with content\n\n| in the Markdown | share of pages | places |\n| --- | ---: | ---: |")
    for name in DEFECTS:
        print(f"| {name} | {pages[name] / max(count, 1):.1%} | {places[name]} |")


if __name__ == "__main__":
    main()
