"""Memory of `ridge` over thousands of pages: it should not grow with the number of pages.

    python bench/ridge_memory.py [FOLDER] [--pages 5000]

FOLDER holds .html or .html.gz files (searched through); without one the golden pages are used. They are read again
and again until so many pages have been extracted. Prints the resident memory every 500 pages, and its growth after
all different pages were seen once: until then it may rise with the largest page so far, whose memory Python keeps.
"""

import argparse
import gc
import itertools
import os
import time
from pathlib import Path

import tamis
from tamis.sources.files import open_pages

GOLDEN = Path(__file__).parent.parent / "tests" / "pages"
EVERY = 500


def resident() -> float:
    """Return the resident memory of this process in megabytes (Linux)."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", default=str(GOLDEN))
    parser.add_argument("--pages", type=int, default=5000)
    options = parser.parse_args()
    sources = list(open_pages([options.folder]))
    print(f"{len(sources)} different pages\n{'pages':>8}{'RSS, MB':>12}{'pages a second':>16}")
    lines: dict[int, float] = {}
    begun = time.process_time()
    for number, source in enumerate(itertools.islice(itertools.cycle(sources), options.pages), 1):
        tamis.extract(source.read()[0], extractor="ridge").text  # noqa: B018 (made when it is asked for)
        if number % EVERY == 0:
            gc.collect()
            lines[number] = resident()
            print(f"{number:>8}{lines[number]:>12.1f}{number / (time.process_time() - begun):>16.1f}", flush=True)
    settled = [number for number in lines if number >= len(sources)]
    if len(settled) > 1:
        first, last = settled[0], settled[-1]
        print(f"growth from {first} to {last} pages: {lines[last] - lines[first]:+.1f} MB")


if __name__ == "__main__":
    main()
