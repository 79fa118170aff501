"""CPU time of Tamis, of third-party tools and of parsing alone, on the same pages, in one run.

    python bench/speed.py [FOLDER] [--pages 400 | --every 12] [--rounds 7] [--growth cetd,ridge|all|none] [--peers]
        [--whole]

FOLDER has .html or .html.gz files, also in subfolders; the default is the golden pages. In each round, every step
goes over all pages before the next one starts, as in a crawl. The cost of a step is the sum over pages of its best
round: noise affects all steps alike, so compare the ratios. ``--whole`` adds the golden pages, two threads, the
networks' share, the start of the command, and the memory of a page of a million blocks.
"""

import argparse
import gc
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import resiliparse.extract.html2text as resiliparse
import trafilatura
import turbohtml

import tamis
import tamis.compat.resiliparse as resiliparse_drop_in
from tamis.extractors import registry
from tamis.lab.evaluate.tools import open_tool
from tamis.page import parse_page
from tamis.sift import network
from tamis.sources.files import open_pages

GOLDEN = Path(__file__).parent.parent / "tests" / "pages"
ROUNDS = 7


def parse_alone(html: bytes) -> object:
    return turbohtml.parse(html, positions=False, detect_encoding=True)


def page_and_positions(html: bytes) -> object:
    return parse_page(html).positions


def run_resiliparse(html: bytes) -> object:
    return resiliparse.extract_plain_text(html.decode("utf-8", "replace"), main_content=True, alt_texts=False)


def run_trafilatura(html: bytes) -> object:
    return trafilatura.extract(html.decode("utf-8", "replace"), include_comments=False)


def run_trafilatura_markdown(html: bytes) -> object:
    return trafilatura.extract(html.decode("utf-8", "replace"), include_comments=False, output_format="markdown")


def run_tool(name: str) -> Callable[[bytes], object]:
    tool = open_tool(name)

    def run(html: bytes) -> object:
        try:
            return tool.text(html.decode("utf-8", "replace"), None)
        except ValueError:  # lxml refuses control characters
            return None

    return run


def run_extractor(name: str) -> Callable[[bytes], object]:
    return lambda html: tamis.extract(html, extractor=name).text


def measure(steps: dict[str, Callable[[bytes], object]], pages: list[bytes], rounds: int) -> dict[str, float]:
    """Return the CPU seconds of each step over all pages: the sum of the best round for each page."""
    best = {name: [float("inf")] * len(pages) for name in steps}
    gc.disable()
    for number in range(rounds):
        for name, step in steps.items():
            if name == "trafilatura" and number:
                continue  # slow: one round is enough, its noise averages out over the pages
            for index, page in enumerate(pages):
                start = time.process_time()
                step(page)
                best[name][index] = min(best[name][index], time.process_time() - start)
            gc.collect()
    gc.enable()
    return {name: sum(times) for name, times in best.items()}


def show(title: str, total: dict[str, float], pages: int, base: str, more_bases: tuple[str, ...] = ()) -> None:
    print(f"\n{title}")
    heads = "".join(f"{'/ ' + other:>16}" for other in more_bases)
    print(f"{'step':<34}{'ms per page':>12}{'/ ' + base:>16}{heads}")
    for name, seconds in total.items():
        ratios = "".join(f"{seconds / total[other]:>16.3f}" for other in more_bases)
        print(f"{name:<34}{seconds / pages * 1e3:>12.3f}{seconds / total[base]:>16.2f}{ratios}")


PARAGRAPH = "<div class=c><p>Some <b>text</b> of a paragraph, and <a href=/x>a link</a>.</p></div>"
NODE_COUNTS = (1_000, 10_000, 100_000, 1_000_000)


def growth(names: list[str]) -> None:
    """Print the cost per node for pages of different sizes."""
    steps: dict[str, Callable[[bytes], object]] = {"parsing alone": parse_alone, "Page": parse_page}
    steps |= {name: run_extractor(name) for name in names}
    costs: dict[str, list[float]] = {name: [] for name in steps}
    for nodes in NODE_COUNTS:
        html = ("<body>" + PARAGRAPH * (nodes // 9)).encode()
        count = len(parse_page(html))
        rounds = max(1, min(30, 100_000 // nodes))
        for name, seconds in measure(steps, [html], rounds).items():
            costs[name].append(seconds / count * 1e9)
    print("\nNanoseconds of CPU time per node, for small to large pages (each line should stay constant or fall)")
    print(f"{'step':<24}" + "".join(f"{nodes:>12,}" for nodes in NODE_COUNTS) + f"{'1M / 10k':>12}")
    for name, line in costs.items():
        print(f"{name:<24}" + "".join(f"{cost:>12.0f}" for cost in line) + f"{line[-1] / line[1]:>12.2f}")


MEMORY = """
import resource, sys, tamis
from pathlib import Path

def peak():  # in kB; the peak that Python reports of a process begins with that of the process which started it
    status = Path("/proc/self/status")
    lines = status.read_text().splitlines() if status.exists() else []
    found = [int(line.split()[1]) for line in lines if line.startswith("VmHWM:")]
    return found[0] if found else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

tamis.extract("<p>Tea.").text
before = peak()
html = ("<body>" + "<p>Some text of a paragraph, and more.</p>" * int(sys.argv[1])).encode()
limits = tamis.Limits(max_nodes=10**8, max_bytes=10**9)
tamis.extract(html, limits=limits).text
print((peak() - before) * 1024 / int(sys.argv[1]))
"""
BLOCKS = 1_000_000


def child_seconds(*command: str) -> float:
    """Return the CPU seconds of a command: the best of five."""
    best = float("inf")
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, *command], check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return best


def pages_per_second(pages: list[bytes], threads: int) -> float:
    """Return how many pages become text in a second, by the clock: the best of three rounds."""
    best = 0.0
    for _ in range(3):
        start = time.perf_counter()
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(lambda html: tamis.extract(html).text, pages, chunksize=1))
        best = max(best, len(pages) / (time.perf_counter() - start))
    return best


def network_share(pages: list[bytes]) -> float:
    """Return the share of the CPU time of text that the networks take."""
    spent = 0.0

    def timed(*args: Any) -> Any:
        nonlocal spent
        start = time.process_time()
        try:
            return networks(*args)
        finally:
            spent += time.process_time() - start

    networks = network.forward_all
    network.forward_all = timed
    try:
        start = time.process_time()
        for html in pages:
            _ = tamis.extract(html).text
        return spent / (time.process_time() - start)
    finally:
        network.forward_all = networks


def whole(pages: list[bytes], rounds: int) -> None:
    """Print what concerns more than one page in a warm process."""
    golden = [source.read()[0] for source in open_pages([str(GOLDEN)])]
    total = measure({"text": lambda html: tamis.extract(html).text, "resiliparse": run_resiliparse}, golden, rounds)
    one, two = pages_per_second(pages, 1), pages_per_second(pages, 2)
    page = str(GOLDEN / "news-comments" / "page.html")
    start = child_seconds("-m", "tamis", page) - child_seconds("-c", "pass")
    memory = subprocess.run([sys.executable, "-c", MEMORY, str(BLOCKS)], check=True, capture_output=True, text=True)
    print("\nThe whole")
    for name, value in (
        ("text / resiliparse, golden pages", total["text"] / total["resiliparse"]),
        ("two threads / one, pages per second", two / one),
        ("networks, share of text", network_share(pages)),
        ("tamis page.html - python -c pass, CPU s", start),
        (f"bytes per block, {BLOCKS:,} blocks", float(memory.stdout)),
    ):
        print(f"{name:<44}{value:>10.3f}")


def drop_ins(pages: list[bytes], rounds: int) -> None:
    """Print the time of `tamis.compat.resiliparse` beside that of the original, with the same keywords."""

    def call(package: Any, **keywords: bool) -> Callable[[bytes], object]:
        return lambda html: package.extract_plain_text(html.decode("utf-8", "replace"), **keywords)

    for title, keywords in (("Whole page", {}), ("Main content", {"main_content": True})):
        steps = {"original": call(resiliparse, **keywords), "drop-in": call(resiliparse_drop_in, **keywords)}
        show(title, measure(steps, pages, rounds), len(pages), "original")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", default=str(GOLDEN))
    parser.add_argument("--pages", type=int, default=400, help="maximum number of pages, sampled with a fixed seed")
    parser.add_argument("--every", type=int, help="every k-th page by name, instead of a sample")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="rounds of each step, of which the best counts")
    parser.add_argument("--growth", default="cetd", help="extractors, separated by commas; all or none")
    parser.add_argument(
        "--peers", action="store_true", help="also Markdown of trafilatura, readability-lxml, jusText"
    )
    parser.add_argument("--drop-ins", action="store_true", help="only tamis.compat.resiliparse beside the original")
    parser.add_argument("--whole", action="store_true", help="also threads, start, memory, golden pages, networks")
    options = parser.parse_args()
    visual = {name for name in registry.names() if registry.needs_layout(registry.get(name))}
    names = [name for name in registry.names() if name not in visual]  # a browser takes a hundred times as long
    growing = {"all": names, "none": []}.get(options.growth, options.growth.split(","))
    sources = list(open_pages([options.folder]))
    if options.every:
        sources = sources[:: options.every]
    elif len(sources) > options.pages:
        sources = random.Random(7).sample(sources, options.pages)
    pages = [source.read()[0] for source in sources]
    print(f"{len(pages)} pages of {sum(map(len, pages)) / len(pages) / 1000:.0f} kB on average")
    if options.drop_ins:
        drop_ins(pages, options.rounds)
        return
    steps: dict[str, Callable[[bytes], object]] = {
        "parsing alone": parse_alone,
        "Page": parse_page,
        "tamis.extract(...).text": lambda html: tamis.extract(html).text,
        "tamis.extract(...).markdown": lambda html: tamis.extract(html).markdown,
        "tamis.extract(...).html": lambda html: tamis.extract(html).html,
        "JSON with Markdown": lambda html: tamis.extract(html).to_json(contents="markdown"),
        "resiliparse": run_resiliparse,
        "trafilatura": run_trafilatura,
    }
    if options.peers:
        steps["trafilatura, Markdown"] = run_trafilatura_markdown
        steps |= {name: run_tool(name) for name in ("readability-lxml", "justext")}
    total = measure(steps, pages, options.rounds)
    show("Steps", total, len(pages), "parsing alone", ("resiliparse", "trafilatura"))
    methods: dict[str, Callable[[bytes], object]] = {
        "Page": parse_page,
        "Page with source positions": page_and_positions,
    }
    methods |= {name: run_extractor(name) for name in names}
    sample = pages[:: max(1, len(pages) // 100)]
    show("Every extractor to text, relative to building the Page", measure(methods, sample, 3), len(sample), "Page")
    growth(growing)
    if options.whole:
        whole(pages, options.rounds)


if __name__ == "__main__":
    main()
