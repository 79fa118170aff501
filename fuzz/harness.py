"""Coverage-guided fuzzing with atheris: ``python fuzz/harness.py TARGET [CORPUS …] [-max_total_time=60]``.

The targets are in `pages.py`, `fetching.py` and `containers.py` beside this file; ``python fuzz/run.py`` runs all of
them. Install atheris into an environment of its own; it is no dependency. A finding is any exception, or an error of
the sanitizers where the compiled modules are built with them (``make fuzz``).
"""

import sys
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import atheris

#: What reads pages. The rest talks to networks, browsers and processes.
PACKAGES = (
    "html",
    "sources",
    "page",
    "extractors",
    "sift",
    "papers",
    "sites",
    "document",
    "metadata",
    "render",
    "api",
)

sys.path.insert(0, str(Path(__file__).parent))
with atheris.instrument_imports(include=["tamis"]):
    # Whatever is imported later, on first use, would not be counted.
    for package in PACKAGES:
        for module in walk_packages(import_module(f"tamis.{package}").__path__, f"tamis.{package}."):
            import_module(module.name)
    import containers
    import fetching
    import pages

TARGETS = pages.TARGETS | fetching.TARGETS | containers.TARGETS

if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in TARGETS:  # noqa: PLR2004 (a target)
        sys.exit(f"usage: python fuzz/harness.py TARGET [CORPUS …]; targets: {', '.join(TARGETS)}")
    target = TARGETS[sys.argv.pop(1)]
    atheris.Setup(sys.argv, target)
    atheris.Fuzz()
