"""Check an installed Tamis: extract a page in every format, run the command, and say whether it is compiled.

    python release/smoke.py             check
    python release/smoke.py --alone     also check that nothing is installed but Tamis and what it requires
    python release/smoke.py --pure      expect an installation without compiled modules, and its one warning

It needs nothing but the installation, so that it runs in an empty environment on every platform.
"""

import json
import os
import re
import subprocess
import sys
import warnings
from importlib import metadata

PAGE = """
<title>How to brew tea | Example</title>
<nav><a href="/">Home</a> <a href="/tea">Tea</a></nav>
<main><h1>How to brew tea</h1>
<p>Warm the pot first. Use water just off the boil, and give it three minutes, no more.</p>
<p>Pour it into thin cups; thick ones cool it before you can taste anything at all.</p>
<ul><li>Green tea takes two minutes, with cooler water.<li>Black tea takes four, with water that boils.</ul></main>
<footer>© 2026 <a href="/imprint">Imprint</a></footer>
"""
#: What an empty environment has besides.
INSTALLERS = {"pip", "setuptools", "wheel", "uv"}


def check(condition: object, message: str) -> None:
    """Exit with a message unless a condition holds."""
    if not condition:
        sys.exit(f"smoke test failed: {message}")


def required(name: str) -> set[str]:
    """Return the names of the packages that a package requires here, without extras, itself included."""
    names: set[str] = set()
    waiting = [name]
    while waiting:
        current = waiting.pop()
        if current in names:
            continue
        names.add(current)
        for requirement in metadata.requires(current) or ():
            package = re.split(r"[^\w.-]", requirement, maxsplit=1)[0]
            normalized = re.sub(r"[-_.]+", "-", package).lower()
            # A marker that does not hold here leaves the package out; whether it is installed is what we can see.
            if "extra ==" not in requirement and normalized in installed():
                waiting.append(normalized)
    return names


def installed() -> set[str]:
    """Return the normalized names of all packages that are installed."""
    return {re.sub(r"[-_.]+", "-", each.metadata["Name"]).lower() for each in metadata.distributions()}


def check_extraction() -> None:
    """Check what is kept of a small page, in every format."""
    import tamis  # noqa: PLC0415 (the caller counts the warnings of this import)

    extraction = tamis.extract(PAGE.encode(), "https://example.org/tea")
    check(extraction.title == "How to brew tea", f"title {extraction.title!r}")
    check("thick ones cool it" in extraction.text, f"text {extraction.text!r}")
    check("Imprint" not in extraction.text, "the footer was kept")
    check("- Green tea takes two minutes" in extraction.markdown, extraction.markdown)
    check("<li>Green tea takes two minutes" in extraction.html, extraction.html)
    check(json.loads(extraction.json)["title"] == "How to brew tea", "JSON")
    for name in ("xml", "csv"):
        check(extraction.render(name), name)
    for name in ("body", "cetd", "coreex", "ridge"):
        check("Warm the pot" in tamis.extract(PAGE, extractor=name).text, name)


def check_command(version: str, state: str) -> None:
    """Check the command in a process of its own."""
    environment = os.environ | {"PYTHONIOENCODING": "utf-8", "PYTHONWARNINGS": "ignore"}
    command = [sys.executable, "-m", "tamis"]
    done = subprocess.run(  # noqa: S603 (our own module)
        [*command, "--version"], capture_output=True, text=True, check=True, env=environment
    )
    print(done.stdout, end="")
    check(done.stdout.startswith(f"tamis {version} ({state}"), f"expected {state}: {done.stdout}")
    done = subprocess.run(  # noqa: S603 (our own module)
        [*command, "--md"], input=PAGE, capture_output=True, encoding="utf-8", check=True, env=environment
    )
    check(done.stdout.startswith("# How to brew tea\n"), done.stdout)


def main() -> None:
    """Run the checks that the arguments name."""
    pure = "--pure" in sys.argv
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        check_extraction()
    slow = [str(each.message) for each in caught if "pure Python" in str(each.message)]
    check(len(slow) == pure, f"warnings: {slow}")
    others = [str(each.message) for each in caught if str(each.message) not in slow]
    check(not others, f"warnings: {others}")
    # Windows has no compiled networks: its compiler does not know GCC's vector types.
    check_command(metadata.version("tamis"), "pure" if pure else "partly" if os.name == "nt" else "compiled")
    if "--alone" in sys.argv:
        surplus = installed() - required("tamis") - INSTALLERS
        check(not surplus, f"also installed: {', '.join(sorted(surplus))}")
    if not getattr(sys, "_is_gil_enabled", lambda: True)():
        print("without the global interpreter lock")
    print("ok")


if __name__ == "__main__":
    main()
