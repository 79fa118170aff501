"""The compiled modules: the files each is built from, and how. `hatch_build.py` and the loader share this file.

It imports only the standard library, because a build environment has no NumPy.
"""

from importlib.util import source_hash as hash_bytes
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent
#: For each compiled module, the files it is built from; the first is the main source. The build sees no other file of
#: this package, so a file that is missing here fails the build instead of escaping the hash.
SOURCES: Final = {
    "_fill": ("fill.py", "_fill.pxd"),
    "_inference": ("_inference.pyx", "inference.c", "inference.h"),
    "_levels": ("levels.py", "_levels.pxd"),
    "_runs": ("runs.py", "_runs.pxd"),
    "_scan": ("scan.py", "_scan.pxd", "hashing.py"),
    "_similar": ("similar.py", "_similar.pxd", "hashing.py"),
    "_visibility": ("visibility.py", "_visibility.pxd"),
    "_walk": ("walk.py", "_walk.pxd"),
}
DIRECTIVES: Final = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "initializedcheck": False,
    "annotation_typing": False,  # C types are declared only in the .pxd files
    "freethreading_compatible": True,  # no module keeps state between calls
}


def compile_flags(module: str) -> list[str]:
    """Return the compiler flags that a module needs besides those that Python was built with."""
    return ["-O3"] if module == "_inference" else []


def source_hash(module: str, folder: Path = FOLDER) -> str:
    """Return the hash of everything that a compiled module is made from: its files, flags and directives.

    The build writes it into the module as ``__source_hash__``. This is the hash that Python uses for its own
    hash-checked ``.pyc`` files. All modules take 0.5 ms; importing ``hashlib`` alone takes 3.5 ms.

    >>> len(source_hash("_walk")), source_hash("_walk") == source_hash("_runs")
    (16, False)
    """
    settings = repr((sorted(DIRECTIVES.items()), compile_flags(module))).encode()
    parts = [settings, *((folder / name).read_bytes() for name in SOURCES[module])]
    return hash_bytes(b"".join(b"%d:%b" % (len(part), part) for part in parts)).hex()
