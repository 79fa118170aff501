"""Measure what pages that are more than prose keep: posts, items of listings, facts.

    python bench/threads.py [FOLDER...] [--verbose] [--tools sift trafilatura defuddle]

Each folder of tests/structure and tests/listings with a labels.json is a page that was written for this project in
the conventions of a family of sites, with made-up content. Rules of sites are off. A post is whole if its phrases are
in it and no word of its chrome is; an item is whole if its title with its link and its details are in one list item.

With --tools, the Markdown of each tool is searched for the text of posts, the names of their authors, items,
sections, and of products the price. (defuddle: first `tamis eval FOLDER --javascript-tools`.)
"""

import argparse
import json
import re
from collections import defaultdict
from pathlib import Path

import tamis
from tamis.lab.evaluate.tools import TamisTool, open_tool
from tamis.metadata.date_formats import parse_day

ROOT = Path(__file__).parent.parent / "tests"
_TAGS = re.compile(r"[*_`>#\\|]|\[|\]\([^)]*\)|!\[")


def normal(text: str) -> str:
    """Return the letters and digits of a text, and single spaces."""
    return " ".join(re.findall(r"[\w$€£.,]+", _TAGS.sub("", text).casefold()))


def amounts(text: str) -> set[float]:
    """Return the numbers of a text, in the notations of all countries: 1.299,90 is 1299.9."""
    found = re.findall(r"(?<![\d.,])(\d[\d.,]*?)(?:[.,](\d{1,2}))?(?![.,]*\d)", text)
    return {float(re.sub(r"\D", "", whole) + "." + (cents or "0")) for whole, cents in found}


def flatten_posts(posts, depth=0):
    """Yield posts with their depth, in order."""
    for post in posts:
        yield post, depth
        yield from flatten_posts(post.replies, depth + 1)


def same_day(shown: str | None, day: str) -> bool:
    """Tell whether a date as the page writes it is a day."""
    if not shown:
        return False
    month_first = re.match(r"(\d\d)-(\d\d)-(\d{4})", shown)
    if month_first:
        return f"{month_first[3]}-{month_first[1]}-{month_first[2]}" == day
    mail = re.match(r"\w{3} (\w{3}) +(\d+) .* (\d{4})$", shown)
    if mail:
        return parse_day(f"{mail[2]} {mail[1]} {mail[3]}") == day
    return (shown[:10] if re.match(r"\d{4}-\d\d-\d\d", shown) else parse_day(shown)) == day


def score_posts(extraction: tamis.Extraction, labels: dict) -> dict[str, list[bool]]:
    """Return what is right about each labelled post."""
    found = list(flatten_posts(extraction.comments if labels.get("comments") else extraction.posts))
    out = defaultdict(list)
    used = set()
    for post in labels["posts"]:
        wanted = [normal(phrase) for phrase in post["text"]]
        match = next(
            (
                number
                for number, (each, _) in enumerate(found)
                if number not in used and wanted and wanted[-1] in normal(each.text)
            ),
            None,
        )
        if match is None:
            for name in ("whole", "author", "date", "depth", *(["votes"] if "votes" in post else [])):
                out[name].append(False)
            continue
        used.add(match)
        each, depth = found[match]
        text = normal(each.text)
        chrome = [word for word in labels["absent"] if re.search(rf"\b{re.escape(normal(word))}\b", text)]
        out["whole"].append(all(phrase in text for phrase in wanted) and not chrome)
        out["author"].append(each.author == post["author"])
        out["date"].append(same_day(each.date, post["date"]))
        out["depth"].append(depth == post["depth"])
        if "votes" in post:
            out["votes"].append(each.votes == post["votes"])
    return out


def blocks_of(markdown: str) -> list[str]:
    """Return the items of the lists of a text, and its other paragraphs, each as normal text with its URLs."""
    blocks = re.split(r"\n(?=[-*+] |\d+[.)] )|\n\n(?! )", markdown)
    return [" ".join(block.split()) for block in blocks]


def score_items(markdown: str, labels: dict) -> dict[str, list[bool]]:
    """Return whether each labelled item is whole: its title, its link and its details in one block."""
    out = defaultdict(list)
    blocks = blocks_of(markdown)
    for item in labels["items"]:
        title = normal(item["title"])
        near = [block for block in blocks if title in normal(block)]
        details = [normal(detail) for detail in item["details"]]
        whole = any(
            all(detail in normal(block) for detail in details) and item.get("href", "") in block for block in near
        )
        out["items"].append(whole)
        out["titles"].append(bool(near) or not any(detail in normal(markdown) for detail in details))
    return out


def score_facts(extraction: tamis.Extraction, labels: dict) -> dict[str, list[bool]]:
    """Return whether each labelled fact is found with its value."""
    found = defaultdict(list)
    for fact in extraction.facts:
        found[fact.type, fact.name].append(fact.value)
    return {
        "facts": [
            [normal(str(value)) for value in (wanted if isinstance(wanted, list) else [wanted])]
            == [
                normal(str(value))
                for one in found.get(tuple(name.split(".")), ())
                for value in (one if isinstance(one, (list, tuple)) else [one])
            ]
            for name, wanted in labels["facts"].items()
        ]
    }


def score_text(markdown: str, labels: dict) -> dict[str, list[bool]]:
    """Return whether each labelled text, such as the answer to a question, is kept and follows its heading."""
    text = normal(markdown)
    out = []
    for heading, body in labels["sections"].items():
        start = text.find(normal(heading))
        out.append(start >= 0 and normal(body) in text[start : start + len(normal(heading)) + len(normal(body)) + 40])
    return {"sections": out}


def measure(folder: Path) -> tuple[str, dict[str, list[bool]]]:
    """Return the kind of a labelled page and what is right about it."""
    labels = json.loads((folder / "labels.json").read_text("utf-8"))
    extraction = tamis.extract((folder / "page.html").read_bytes(), "https://www.example.org/a/b", rules=False)
    out: dict[str, list[bool]] = {}
    if "posts" in labels:
        out |= score_posts(extraction, labels)
    if "items" in labels:
        out |= score_items(extraction.markdown, labels)
    if "facts" in labels:
        out |= score_facts(extraction, labels)
    if "sections" in labels:
        out |= score_text(extraction.markdown, labels)
    return labels["kind"], out


def measure_tool(tool, folder: Path) -> tuple[str, dict[str, list[bool]]]:
    """Return the kind of a labelled page and what the Markdown of a tool has of it."""
    labels = json.loads((folder / "labels.json").read_text("utf-8"))
    html = (folder / "page.html").read_text("utf-8", "replace")
    url = "https://www.example.org/a/b"
    if isinstance(tool, TamisTool) and labels.get("comments"):
        markdown = tool.extraction(html, url).to_markdown(comments=True)
    elif tool.name == "trafilatura":  # with comments, its default; `tamis eval` measures it without
        import trafilatura

        markdown = trafilatura.extract(html, url=url, output_format="markdown", include_links=True) or ""
    else:
        markdown = tool.markdown(html, url) or ""
    text = normal(markdown)
    out: dict[str, list[bool]] = {}
    if "posts" in labels:
        out["text"] = [all(normal(phrase) in text for phrase in post["text"]) for post in labels["posts"]]
        out["author"] = [normal(post["author"]) in text for post in labels["posts"]]
    if "items" in labels:
        out |= score_items(markdown, labels)
    if "sections" in labels:
        out |= score_text(markdown, labels)
    price = labels.get("facts", {}).get("Product.price")
    if price:
        out["price"] = [float(price) in amounts(markdown)]
    return labels["kind"], out


def main() -> None:
    """Print a table of shares."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--verbose", action="store_true", help="print each page")
    parser.add_argument("--tools", nargs="+", default=[], help="tools whose Markdown is measured")
    options = parser.parse_args()
    folders = options.folders or sorted(path.parent for path in ROOT.glob("*/*/labels.json"))
    for name in options.tools:
        tool = open_tool(name)
        print(f"{tool.name} {tool.version}")
        report(folders, lambda folder, tool=tool: measure_tool(tool, folder), verbose=options.verbose)
    if not options.tools:
        report(folders, measure, verbose=options.verbose)


def report(folders: list[Path], measure_page, *, verbose: bool) -> None:
    """Print the shares of each kind of page."""
    totals: dict[str, dict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
    pages: dict[str, int] = defaultdict(int)
    for folder in folders:
        kind, scores = measure_page(folder)
        pages[kind] += 1
        for name, values in scores.items():
            totals[kind][name] += values
        if verbose:
            line = "  ".join(f"{name} {sum(values)}/{len(values)}" for name, values in scores.items())
            print(f"{folder.name:32} {line}")
    for kind, scores in totals.items():
        line = "  ".join(f"{name} {sum(values) / len(values):.3f} ({len(values)})" for name, values in scores.items())
        print(f"{kind}: {pages[kind]} pages  {line}")


if __name__ == "__main__":
    main()
