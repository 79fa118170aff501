"""The main content of a hostile page by Tamis and third-party tools, each a step as in `tests.attacks.steps`.

``python -m bench.attacks_third_party NAME SIZE LIMIT [TOOL …]`` prints a line for each tool: its name, CPU seconds,
how many of the sentences of the article it found, and the peak of resident memory in MB; `bench/attacks.py`
runs it with ``--third-party``.
"""

import math
import re
import resource
import sys
import time
from collections.abc import Callable

from tests.attacks.pages import BY_NAME, SENTENCES


def tool(name: str) -> Callable[[bytes], str]:
    """Return a function that extracts the content of a page with a tool."""
    if name == "tamis":
        import tamis

        return lambda data: tamis.extract(data).text
    if name == "trafilatura":
        import trafilatura

        return lambda data: trafilatura.extract(data) or ""
    if name == "readability-lxml":
        from readability import Document

        return lambda data: Document(data).summary()
    if name == "resiliparse":
        from resiliparse.extract.html2text import extract_plain_text

        return lambda data: extract_plain_text(data.decode("utf-8", "replace"), main_content=True)
    import justext

    return lambda data: " ".join(
        p.text for p in justext.justext(data, justext.get_stoplist("English")) if not p.is_boilerplate
    )


def main() -> None:
    name, size, limit, *wanted = sys.argv[1:]
    markup = BY_NAME[name].page(int(size))
    data = markup if isinstance(markup, bytes) else markup.encode("utf-8", "replace")
    print("size", 0, len(data), 0, flush=True)
    for step in wanted:
        extract = tool(step)
        extract(b"<p>Tea is hot.")  # loads what is loaded once
        begin = time.process_time()
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(begin + float(limit)), resource.RLIM_INFINITY))
        answer = extract(data)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        seconds = time.process_time() - begin
        words = " ".join(re.sub("<[^<>]*>", " ", answer).split())
        print(step, f"{seconds:.3f}", sum(sentence in words for sentence in SENTENCES), peak, flush=True)


if __name__ == "__main__":
    main()
