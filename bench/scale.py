"""Tamis, trafilatura and resiliparse over one WARC file, in one harness: the worker processes of `tamis batch`.

    python bench/scale.py FOLDER [--pages N] [--rounds 3] [--memory-pages 50000] [--price 0.04] [--cores 64]

FOLDER has .html or .html.gz files, also in subfolders. They become a WARC file with a gzip member per record, as in
Common Crawl. Each tool reads it in one and in two worker processes and writes JSON Lines with the text of each page.
A figure is the best of several rounds, without the time in which processes start: the same run over the first pages
is subtracted. CPU time is that of all processes, the one that reads and writes included; it is steadier than the
clock on a busy machine. The output is Markdown, for docs/lab/scale.md.
"""

import argparse
import itertools
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tamis.batch import Record, RowOptions
from tamis.batch.rows import Row, error_row, make_row
from tamis.batch.worker import PageWorker, load_default_model, map_pairs
from tamis.sources.files import open_pages
from tamis.sources.readers import read_records

SNAPSHOT_PAGES = 3_000_000_000  # of Common Crawl
STARTUP_PAGES = 32  # of the run that is subtracted
MEMORY = "--memory-of"  # for the process that is measured
Make = Callable[[Record, RowOptions], Row]


def write_warc(folder: str, path: Path, pages: int | None) -> tuple[int, int]:
    """Write the pages of a folder as a WARC file; return their number and the sum of their bytes."""
    import gzip

    sources = list(open_pages([folder]))
    if pages is not None and pages < len(sources):
        sources = random.Random(7).sample(sources, pages)
    total = 0
    with path.open("wb") as file:
        for number, source in enumerate(sources):
            body = source.read()[0]
            total += len(body)
            http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body
            head = (
                f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://example.org/{number}\r\n"
                f"WARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Record-ID: <urn:page:{number}>\r\n"
                f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
            )
            file.write(gzip.compress(head.encode() + http + b"\r\n\r\n", 6, mtime=0))
    return len(sources), total


def _third_party(extract: Callable[[str], str | None], record: Record, options: RowOptions) -> Row:
    assert isinstance(record.body, bytes)
    try:
        text = extract(record.body.decode("utf-8", "replace"))
    except Exception as error:  # noqa: BLE001 (a page may do anything to a tool)
        return error_row(record, "error", str(error), options)
    return {"id": record.id, "url": record.url, "status": "ok" if text else "empty", "error": None, "text": text}


def _trafilatura(html: str) -> str | None:
    import trafilatura

    return trafilatura.extract(html, include_comments=False)


def _resiliparse(html: str) -> str | None:
    from resiliparse.extract.html2text import extract_plain_text

    return extract_plain_text(html, main_content=True, alt_texts=False)


def _nothing(record: Record, options: RowOptions) -> Row:
    return error_row(record, "empty", "", options)


TOOLS: dict[str, Make] = {
    "reading and sending alone": _nothing,
    "tamis": make_row,
    "resiliparse": partial(_third_party, _resiliparse),
    "trafilatura": partial(_third_party, _trafilatura),
}


@dataclass(frozen=True)
class Cost:
    """Seconds by the clock and of CPU time."""

    wall: float
    cpu: float


def run_once(warc: Path, make: Make, workers: int, pages: int | None) -> Cost:
    """Extract the pages of a WARC file into a file of JSON Lines."""

    def cpu() -> float:
        return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))

    wall, before = time.monotonic(), cpu()
    records = enumerate(itertools.islice(read_records([str(warc)]), pages))
    worker = PageWorker(RowOptions(("text",)), "json", None, make)
    with warc.with_suffix(".jsonl").open("wb") as output:
        for done, _ in map_pairs(records, worker, workers=workers, prepare=load_default_model):
            assert isinstance(done.row, bytes)
            output.write(done.row)
    return Cost(time.monotonic() - wall, cpu() - before)


def measure(warc: Path, make: Make, workers: int, pages: int, rounds: int) -> Cost:
    """Return the cost of a page: the best of several rounds, without the start of the processes."""
    runs = [run_once(warc, make, workers, None) for _ in range(rounds)]
    starts = [run_once(warc, make, workers, STARTUP_PAGES) for _ in range(rounds)]
    count = pages - min(pages - 1, STARTUP_PAGES)
    return Cost(
        *(
            max(1e-9, min(getattr(each, name) for each in runs) - min(getattr(each, name) for each in starts)) / count
            for name in ("wall", "cpu")
        )
    )


def resident(pid: int) -> int:
    """Return the memory of a process in bytes."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


def children() -> list[int]:
    """Return the processes that this one has started."""
    tasks = Path(f"/proc/{os.getpid()}/task").glob("*/children")
    return [int(pid) for task in tasks for pid in task.read_text().split()]


def repeat(warc: Path, count: int) -> Iterator[tuple[int, Record]]:
    """Yield the pages of a WARC file again and again."""
    forever = itertools.chain.from_iterable(read_records([str(warc)]) for _ in itertools.count())
    return enumerate(itertools.islice(forever, count))


def memory(warc: Path, count: int) -> list[tuple[int, float, float]]:
    """Return pages, megabytes of this process and of the largest worker, at ten moments of a run of two workers."""
    worker = PageWorker(RowOptions(("text",)), "json", 30.0)
    moments, found = {max(1, count * step // 10) for step in range(1, 11)}, []
    pairs = map_pairs(repeat(warc, count), worker, workers=2, prepare=load_default_model)
    for number, _ in enumerate(pairs, 1):
        if number in moments:
            largest = max((resident(pid) for pid in children()), default=0)
            found.append((number, resident(os.getpid()) / 1e6, largest / 1e6))
    return found


def print_costs(costs: dict[str, tuple[Cost, Cost]]) -> None:
    print("| tool | pages/s, one worker | two workers | CPU ms per page, one | two | 1 → 2 workers, clock | CPU |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for name, (one, two) in costs.items():
        print(
            f"| {name} | {1 / one.wall:,.0f} | {1 / two.wall:,.0f} | {1000 * one.cpu:.2f} | {1000 * two.cpu:.2f} "
            f"| {one.wall / two.wall / 2:.2f} | {one.cpu / two.cpu:.2f} |"
        )


def print_snapshot(costs: dict[str, tuple[Cost, Cost]], price: float, cores: int) -> None:
    print(f"| tool | core hours | days on one machine of {cores} cores | machines for one day | USD |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for name, (_, two) in costs.items():
        hours = two.cpu * SNAPSHOT_PAGES / 3600
        days = hours / cores / 24
        print(f"| {name} | {hours:,.0f} | {days:,.1f} | {max(1, -(-days // 1)):,.0f} | {hours * price:,.0f} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--pages", type=int, help="maximum number of pages, sampled with a fixed seed")
    parser.add_argument("--rounds", type=int, default=3, help="rounds, of which the best counts; one for trafilatura")
    parser.add_argument("--memory-pages", type=int, default=50_000, help="pages of the run that shows the memory")
    parser.add_argument("--price", type=float, default=0.04, help="USD for an hour of a core")
    parser.add_argument("--cores", type=int, default=64, help="cores of a machine")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        warc = Path(name) / "pages.warc.gz"
        pages, size = write_warc(options.folder, warc, options.pages)
        if pages < 3 * STARTUP_PAGES:
            parser.error(f"{options.folder} has {pages} pages; {3 * STARTUP_PAGES} or more are needed")
        print(f"{pages} pages of {size / pages / 1000:.0f} kB on average, {os.cpu_count()} cores.\n", flush=True)
        costs: dict[str, tuple[Cost, Cost]] = {}
        for tool, make in TOOLS.items():
            rounds = 1 if tool == "trafilatura" else options.rounds
            one, two = (measure(warc, make, workers, pages, rounds) for workers in (1, 2))
            costs[tool] = one, two
        print_costs(costs)
        print(f"\nA snapshot of {SNAPSHOT_PAGES:,} such pages, at {options.price:g} USD for an hour of a core:\n")
        print_snapshot(costs, options.price, options.cores)
        if options.memory_pages:  # in a new process: this one has the memory of what it did before
            print(
                "\n| pages | MB of the main process | MB of the largest worker |\n| ---: | ---: | ---: |", flush=True
            )
            subprocess.run([sys.executable, __file__, MEMORY, str(warc), str(options.memory_pages)], check=True)


def print_memory(warc: Path, pages: int) -> None:
    for count, main_process, worker in memory(warc, pages):
        print(f"| {count:,} | {main_process:.0f} | {worker:.0f} |", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == [MEMORY]:
        print_memory(Path(sys.argv[2]), int(sys.argv[3]))
    else:
        main()
