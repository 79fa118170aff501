# ruff: noqa: T201 (a script that prints)
"""What is asked of every hostile page, step by step, in a process of its own.

``python -m tests.attacks.steps NAME SIZE LIMIT [STEP …]`` prints a line for each step as it ends: its name, CPU
seconds, the size of its answer, the peak of resident memory in MB, and whether a limit cut the answer. A step that
takes more CPU seconds than LIMIT ends the process: elapsed time would depend on what else the machine does.
"""

import gc
import math
import resource
import sys
import time
from collections.abc import Callable
from functools import partial

import tamis
from tamis.document.warnings import ContentWarning
from tamis.extractors import registry
from tamis.render.registry import Rendered
from tests.attacks.pages import BY_NAME

FORMATS = ("text", "markdown", "html", "json", "xml", "csv", "jsonl")


def steps(markup: str | bytes) -> dict[str, Callable[[], object]]:
    """Return everything that can be asked of a page, by name. The first parses and selects."""
    made: list[tamis.Extraction] = []

    def extraction() -> tamis.Extraction:
        """Return an extraction of all visible text: an extractor that leaves the hostile part out hides its cost."""
        if not made:
            made.append(tamis.extract(markup, "https://example.org/a/b", extractor="body"))
        return made[0]

    def render(name: str, **options: bool) -> Rendered:
        return extraction().render(name, **options)  # type: ignore[arg-type]

    def chunks() -> Rendered:
        found = extraction().chunks()
        return Rendered("".join(chunk.text for chunk in found), {}, found.warnings)

    def explain() -> Rendered:
        found = tamis.extract(extraction().page).explain()
        is_cut = (ContentWarning("limit reached", found.note, 1),) if found.note and "max_" in found.note else ()
        return Rendered(str(len(found.blocks)), {}, is_cut)

    return {
        "select": lambda: tamis.extract(markup).text,
        "parse": extraction,
        **{name: partial(render, name) for name in FORMATS},
        "markdown with metadata": partial(render, "markdown", with_metadata=True),
        "JSON with provenance": partial(render, "json", provenance=True, comments=True),
        "original": lambda: extraction().render("html", structure="original"),
        "locations": lambda: str([extraction().document.locate(part) for part in extraction().document][-1:]),
        "metadata": lambda: str(extraction().metadata),
        "warnings": lambda: str(extraction().warnings),
        "comments": lambda: str(extraction().comments),
        "explain": explain,
        "blocks": lambda: str(len(extraction().blocks)),
        "chunks": chunks,
        "next page": lambda: tamis.next_page(markup, "https://example.org/a/b") or "",
        **{
            f"extractor {name}": lambda name=name: tamis.extract(extraction().page, extractor=name).text
            for name in registry.names()
        },
    }


def main() -> None:
    name, size, limit, *wanted = sys.argv[1:]
    markup = BY_NAME[name].page(int(size))
    print("size", 0, len(markup if isinstance(markup, bytes) else markup.encode("utf-8", "replace")), 0, flush=True)
    table, small = steps(markup), steps("<h1>Tea</h1><p>Boil the water, and wait.<ul><li>green<li>black</ul>" * 9)
    for step in wanted or table:
        small[step]()  # what is loaded on first use is no cost of the page
        gc.collect()
        gc.freeze()  # a step does not pay for what those before it keep
        begin = time.process_time()
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(begin + float(limit)), resource.RLIM_INFINITY))
        answer = table[step]()
        seconds = time.process_time() - begin
        text = answer.text if isinstance(answer, Rendered) else answer
        is_cut = isinstance(answer, Rendered) and bool(answer.warnings)
        length = 0
        if isinstance(text, str):
            length = len(text)
            text.encode()
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(step.replace(" ", "_"), f"{seconds:.3f}", length, peak, int(is_cut), flush=True)


if __name__ == "__main__":
    main()
