"""The main content of a hostile page by third-party tools, each a step as in `tests.attacks.steps`.

``python -m bench.attacks_third_party NAME SIZE LIMIT [TOOL …]``; `bench/attacks.py --third-party` runs it.
"""

import math
import resource
import sys
import time
from collections.abc import Callable

from tests.attacks.pages import BY_NAME


def tool(name: str) -> Callable[[bytes], str]:
    """Return a function that extracts the content of a page with a tool."""
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

    return lambda data: " ".join(p.text for p in justext.justext(data, justext.get_stoplist("English")))


def main() -> None:
    name, size, limit, *wanted = sys.argv[1:]
    markup = BY_NAME[name].page(int(size))
    data = markup if isinstance(markup, bytes) else markup.encode("utf-8", "replace")
    print("size", 0, len(data), 0, flush=True)
    for step in wanted:
        extract = tool(step)
        begin = time.process_time()
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(begin + float(limit)), resource.RLIM_INFINITY))
        answer = extract(data)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(step, f"{time.process_time() - begin:.3f}", len(answer), peak, flush=True)


if __name__ == "__main__":
    main()
