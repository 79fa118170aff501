"""What ``tamis page.html`` costs beside Python alone and beside what it imports: CPU seconds, best of some rounds.

python bench/start.py [PAGE]
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

PAGE = "<title>Tea</title><main><h1>Tea</h1><p>" + "Water just off the boil, three minutes, no more. " * 9 + "</main>"
IMPORT = "import os; os.environ['OPENBLAS_NUM_THREADS'] = '1'; import "


def seconds(command: list[str], folder: str) -> float:
    """Return the CPU time of a command, with a cache of bytecode as an installed package has."""
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": folder}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", nargs="?")
    parser.add_argument("--rounds", type=int, default=15)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        page = arguments.page or str(Path(folder, "page.html"))
        if arguments.page is None:
            Path(page).write_text(PAGE)
        commands = {
            "python -c pass": [sys.executable, "-c", "pass"],
            "import click": [sys.executable, "-c", IMPORT + "click"],
            "import numpy": [sys.executable, "-c", IMPORT + "numpy"],
            "import turbohtml": [sys.executable, "-c", IMPORT + "turbohtml"],
            "import all three": [sys.executable, "-c", IMPORT + "click, numpy, turbohtml"],
            "tamis page.html": [sys.executable, "-m", "tamis", page],
        }
        best: dict[str, float] = {}
        for _ in range(arguments.rounds + 1):  # the first round fills the cache
            for name, command in commands.items():
                best[name] = min(best.get(name, 1e9), seconds(command, folder))
    alone = best["python -c pass"]
    for name, value in best.items():
        print(f"{name:<18} {value:.3f} s, {value - alone:.3f} s beside Python alone")


if __name__ == "__main__":
    main()
