"""What a reader stumbles over: patterns that are counted over the Markdown of pages.

    python bench/defects.py CORPORA... [--pages 1200] [--show NAME] [--source FOLDER]

Prints for each pattern the share of pages that have it. CORPORA are folders of labelled pages, of which an equal
number is taken. ``--show`` prints each place of one pattern. Patterns look at the Markdown alone, so that they can
count the output of any version (`PYTHONPATH`), and are wrong at times: a poem has hard breaks.
"""

import argparse
import re
import warnings
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise
from pathlib import Path

import tamis
from tamis.lab.evaluate.corpora import LabelledPage, open_corpora

HEADING = re.compile(r"(#{1,6}) (.+)")
IMAGE = re.compile(r"!\[((?:[^\]\\]|\\.)*)\]\(<?([^)\s>]+)")
ALONE = re.compile(r"\[?!\[((?:[^\]\\]|\\.)*)\]\(<?([^)\s>]+)>?[^)]*\)(?:\]\([^)]*\))?")
BREAK = re.compile(r"\S(?: {2,}|\\)$")
ICON = re.compile(
    r"(?:^|[/_.-])(?:icons?|badges?|sprite|emoji|bullet|arrow|check(?:mark)?|tick|star|rating|avatar)(?:[/_.-]|\d|$)"
    r"|img\.shields\.io|badge\.svg",
    re.IGNORECASE,
)
SIGN = re.compile(r"(?:[-*] )?(?:[✓✔✗✘✕×☑☐★☆▶►▸▾▼▲●○◦■□→←↑↓»«›‹+|•·…]\s?){1,8}")
TRACKING = re.compile(
    r"[?&;](?:utm_[a-z]+|fbclid|gclid|dclid|msclkid|mc_[ce]id|igshid|yclid|_hsenc|_hsmi|mkt_tok|ncid)="
)
NUMBER = re.compile(r"\d{1,3}\\[.)]\s")
#: Escapes that change nothing: of a dot or a sign in a line, of an underscore in a word, of a bracket without a link.
ESCAPE = re.compile(r"\w\\_\w|(?<=\S )\\[-+#>=](?= |\w)|\\[&.!,;:()](?!\d)|\\\[[^\]\\]*\\\](?![(\[:])")
WORDS = {
    "read more": r"\W{0,4}(?:(?:read|view|load) more|continue reading(?: the main story)?|keep reading|weiterlesen"
    r"|mehr lesen|lire la suite|lire aussi|leer más|lee también|leggi (?:anche|tutto)|leia (?:mais|também)"
    r"|lees (?:ook|meer)|czytaj więcej|читать далее|читайте также|続きを読む)\W{0,4}",
    "newsletter": r"\W{0,4}(?:(?:sign up|subscribe)(?: now| today| here| (?:for|to) (?:our|the|free) .{0,40})?"
    r"|(?:join|get) (?:our|the) .{0,30}(?:newsletter|mailing list).{0,30}|(?:enter )?your email(?: address)?"
    r"|.{0,30}newsletter: .{0,30}anmelden.{0,5})\W{0,4}",
    "share": r"\W{0,4}(?:share(?: this| on| via)?(?: (?:article|post|story|page))?|tweet(?: this)?|pin it|teilen"
    r"|partager|compartir|condividi|copy link|e-?mail \W?print|print \W?e-?mail)\W{0,4}",
    "consent": r".{0,80}\b(?:accept (?:all )?cookies|we use cookies|cookie (?:policy|settings|preferences)"
    r"|this content is (?:hosted|not available)|allow (?:third.party|external) content)\b.{0,120}",
    "player": r".{0,40}\b(?:your browser does not support|javascript is (?:disabled|required)|enable javascript"
    r"|video player is loading|this is a modal window|play video|watch video|click to play|unmute)\b.{0,120}",
}
LINES = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in WORDS.items()}
MIN_PROSE = 45  # characters of a line that is prose and not verse or an address
FIRST_BLOCKS = 12  # in which the headline may stand again


def plain(text: str) -> str:
    """Return letters and digits of Markdown, without the URLs of links."""
    text = re.sub(r"\]\((?:<[^>]*>|[^()\s]|\([^()]*\))*(?:\s\"[^\"]*\")?\)", "]", text)
    return "".join(char for char in text.casefold() if char.isalnum())


def blocks_of(markdown: str) -> Iterator[str]:
    """Return the blocks of a text outside of code and formulas."""
    for number, piece in enumerate(re.split(r"^ *(?:```|~~~|\$\$).*$", markdown, flags=re.MULTILINE)):
        if number % 2 == 0:
            yield from (block.strip("\n") for block in re.split(r"\n\s*\n", piece) if block.strip())


def shown_length(line: str) -> int:
    """Return the length of a line as a reader sees it."""
    return len(re.sub(r"\]\([^)]*\)|[\[\]*_\\>]", "", line).strip())


def defects(markdown: str) -> Iterator[tuple[str, str]]:  # noqa: C901, PLR0912 (one pattern after the other)
    """Return the patterns that a text has, and where."""
    blocks = list(blocks_of(markdown))
    headings = [HEADING.match(block) for block in blocks]
    title = plain(headings[0][2]) if blocks and headings[0] else ""
    pictures: Counter[str] = Counter()
    for number, block in enumerate(blocks):
        lines = block.split("\n")
        after = blocks[number + 1] if number + 1 < len(blocks) else ""
        heading = headings[number]
        for line, following in pairwise(lines):
            if BREAK.search(line) and max(shown_length(line), shown_length(following)) >= MIN_PROSE:
                yield "hard break", f"{line[-60:]}⏎{following[:40]}"
        if heading and (number or len(heading[1]) > 1):
            below = HEADING.match(after)
            in_code = not after and markdown.rstrip().endswith(("```", "$$"))
            if (not after and not in_code) or (
                below and len(below[1]) <= len(heading[1]) and not _between(markdown, block, after)
            ):
                yield "empty heading", block[:80]
        picture = ALONE.fullmatch(lines[-1].strip())
        if picture:
            alt, caption = plain(picture[1]), plain(after.split("\n")[0])
            if alt and alt == caption:
                yield "alt as caption", picture[1][:80]
            pictures[picture[2]] += 1
            if pictures[picture[2]] == 2:
                yield "picture twice", picture[2][-80:]
        for image in IMAGE.finditer(block):
            name = image[2].partition("?")[0].rpartition("/")[2]
            if ICON.search(name) or "shields.io" in image[2]:
                yield "icon", image[2][-80:]
        for line in lines:
            bare = re.sub(r"^\s*(?:[-*+>]|#{1,6}|\d+\.)\s+", "", line).strip("*_ ")
            text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", bare)
            if SIGN.fullmatch(text):
                yield "icon", line[:40]
            if NUMBER.match(line):
                yield "escaped number", line[:60]
            elif escape := ESCAPE.search(re.sub(r"\]\([^)]*\)|`[^`]*`|\$[^$]*\$|<[^>]*>", "]", line)):
                yield "escape", line[max(0, escape.start() - 30) : escape.end() + 30]
            if not line.startswith("|"):
                for name, pattern in LINES.items():
                    if pattern.fullmatch(text):
                        yield name, line[:120]
            if re.match(r"\s*(?:[-*+]|\d+\.)\s+#{1,6} ", line) or re.match(r"\s{2,}#{1,6} \S", line):
                yield "heading in item", line[:80]
            if re.search(r"\[▶ (?:[a-z0-9-]+\.)+[a-z]{2,}\]", line):
                yield "video without title", line[:80]
        if title and 0 < number <= FIRST_BLOCKS and plain(block) == title:
            yield "headline twice", block[:80]
        if link := TRACKING.search(block):
            yield "tracking", block[max(0, link.start() - 40) : link.end() + 20]
        yield from _table(lines)


def _between(markdown: str, heading: str, after: str) -> bool:
    """Tell whether there is code or a formula between a heading and the next one."""
    start = markdown.find(heading) + len(heading)
    return bool(markdown[start : max(start, markdown.find(after, start))].strip())


def _table(lines: list[str]) -> Iterator[tuple[str, str]]:
    if len(lines) < 3 or not lines[0].startswith("|") or not re.fullmatch(r"[| :-]+", lines[1]):
        return
    rows = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in (lines[0], *lines[2:])]
    cells = [cell for row in rows for cell in row]
    if not any(rows[0]):
        yield "table without header", lines[2][:80]
    elif 2 * sum(not cell for cell in cells[1:]) > len(cells):
        yield "table with holes", " / ".join(lines[:3])[:120]


NAMES = (
    "hard break", "empty heading", "alt as caption", "icon", "tracking", "escape", "escaped number", *WORDS,
    "headline twice", "picture twice", "video without title", "heading in item", "table without header",
    "table with holes",
)  # fmt: skip


def read_page(task: tuple[object, str]) -> tuple[str, list[tuple[str, str]]] | None:
    """Return the patterns of a page."""
    corpus, page_id = task
    page = corpus.read(page_id)
    if not isinstance(page, LabelledPage):
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        markdown = tamis.extract(page.html, page.url, rules=False).markdown
    return f"{page.corpus}/{page.id}", list(defects(markdown)) if markdown else []


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", nargs="+", type=Path)
    parser.add_argument("--pages", type=int, default=1200)
    parser.add_argument("--show", action="append", default=[], choices=(*NAMES, "all"))
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    corpora = [corpus for path in arguments.corpora for corpus in open_corpora(path)]
    share = arguments.pages // len(corpora) or 1
    tasks = []
    for corpus in corpora:
        ids = corpus.page_ids()
        step = max(1, len(ids) // share)
        tasks += [(corpus, page_id) for page_id in ids[::step][:share]]
    pages: Counter[str] = Counter()
    count = 0
    with ProcessPoolExecutor(arguments.jobs) as pool:
        for result in pool.map(read_page, tasks, chunksize=8):
            if result is None:
                continue
            count += 1
            name, found = result
            pages.update({kind for kind, _ in found})
            for kind, place in found:
                if kind in arguments.show or "all" in arguments.show:
                    print(f"{kind}: {name}: {place}")
    print(f"{count} pages")
    for name in NAMES:
        print(f"{name:22} {pages[name]:5} {100 * pages[name] / count:6.1f} %")


if __name__ == "__main__":
    main()
