"""Print the functions and files that one page runs through, in order, for text, Markdown and JSON.

    python bench/path.py [page.html] [--files]

The page is extracted once before it is traced, so that imports, weights and tables are not counted. A compiled
function counts as the source file that it was compiled from. ``--files`` prints the files alone.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import tamis
from tamis._core import loader, manifest
from tamis._core.loader import core

ROOT = Path(tamis.__file__).parent
GOLDEN = Path(__file__).parents[1] / "tests" / "pages" / "news-comments" / "page.html"
FUNCTION = "cython_function_or_method"  #: the type of compiled functions
OUTPUTS = ("text", "markdown", "json")


def run_through(call: Callable[[], object]) -> list[tuple[str, str]]:
    """Return the file and the name of each function of Tamis that a call runs, in the order of first use."""
    seen: dict[tuple[str, str], None] = {}

    def profile(frame: FrameType, event: str, _arg: Any) -> None:
        if event == "call":
            path = Path(frame.f_code.co_filename)
            if path.is_relative_to(ROOT) and not frame.f_code.co_name.startswith("<"):
                seen.setdefault((str(path.relative_to(ROOT)), frame.f_code.co_qualname), None)

    with _compiled_calls(lambda file, name: seen.setdefault((file, name), None)):
        sys.setprofile(profile)
        try:
            call()
        finally:
            sys.setprofile(None)
    return list(seen)


@contextmanager
def _compiled_calls(report: Callable[[str, str], object]) -> Iterator[None]:
    """Report the compiled functions that are called: the interpreter does not."""
    functions = {name: value for name, value in vars(core).items() if type(value).__name__ == FUNCTION}
    parts = {part: (ROOT / "_core" / f"{part}.py").read_text("utf-8") for part in manifest.PARTS}
    for name, function in functions.items():
        part = next((part for part, source in parts.items() if f"\ndef {name}(" in source), None)
        if part is None:
            continue  # a function of Cython
        setattr(core, name, _reporting(function, lambda name=name, part=part: report(f"_core/{part}.py", name)))
    try:
        yield
    finally:
        for name, function in functions.items():
            setattr(core, name, function)


def _reporting(function: Callable[..., object], report: Callable[[], object]) -> Callable[..., object]:
    def call(*args: object, **keywords: object) -> object:
        report()
        return function(*args, **keywords)

    return call


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", nargs="?", type=Path, default=GOLDEN)
    parser.add_argument("--files", action="store_true", help="print files, without their functions")
    options = parser.parse_args()
    html = options.page.read_bytes()
    totals = []
    for name in OUTPUTS:
        getattr(tamis.extract(html), name)  # what is loaded once is loaded
        path = run_through(lambda name=name: getattr(tamis.extract(html), name))
        files = dict.fromkeys(file for file, _ in path)
        print(f"\n{name}")
        for file in files:
            functions = ", ".join(function for other, function in path if other == file)
            print(f"  {file}" if options.files else f"  {file}: {functions}")
        totals.append(f"{name:<10}{len(path):>5} functions in {len(files):>3} files")
    print(f"\n{options.page.name}; {loader.describe()}")
    print("\n".join(totals))


if __name__ == "__main__":
    main()
