"""CPU time of sift's networks per page, compiled and in NumPy, beside bare parsing of the same pages.

    python bench/networks.py FOLDER [--pages 60] [--rounds 9]

FOLDER holds .html or .html.gz files. Every step goes over all pages before the next one does, and the best round of
each page counts. The last line is a hash of all outputs of the compiled networks: two builds with the same hash agree
to the last bit.
"""

import argparse
import hashlib
import time

import turbohtml

from tamis._core.loader import describe
from tamis.page import parse_page
from tamis.sift.extractor import shipped
from tamis.sift.features import measure
from tamis.sift.network import forward_all, size_share
from tamis.sources.files import open_pages


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--pages", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args()
    sources = list(open_pages([options.folder]))
    pages = [source.read()[0] for source in sources[:: max(1, len(sources) // options.pages)][: options.pages]]
    features = [features for page in pages if len((features := measure(parse_page(page))).size)]
    networks = shipped().networks
    steps = {
        "bare turbohtml.parse": (lambda page: turbohtml.parse(page, positions=False, detect_encoding=True), pages),
        "networks": (lambda given: forward_all(networks, given.matrix, given.size), features),
        "networks, NumPy alone": (
            lambda given: [network.forward_plain(given.matrix, size_share(given.size)) for network in networks],
            features,
        ),
    }
    best = {name: [float("inf")] * len(inputs) for name, (_, inputs) in steps.items()}
    for _ in range(options.rounds):
        for name, (step, inputs) in steps.items():
            for index, given in enumerate(inputs):
                start = time.process_time()
                step(given)
                best[name][index] = min(best[name][index], time.process_time() - start)
    blocks = sum(len(given.size) for given in features) / len(features)
    print(f"{len(pages)} pages, {blocks:.0f} blocks per page, {len(networks)} networks; {describe()}")
    total = {name: sum(times) for name, times in best.items()}
    for name, seconds in total.items():
        ratio = seconds / total["bare turbohtml.parse"]
        print(f"{name:<24}{seconds / len(pages) * 1e3:>9.3f} ms per page{ratio:>8.3f} parses")
    digest = hashlib.sha256()
    for given in features:
        for logits, page_types in forward_all(networks, given.matrix, given.size):
            digest.update(logits.tobytes() + page_types.tobytes())
    print(f"outputs {digest.hexdigest()[:16]}")


if __name__ == "__main__":
    main()
