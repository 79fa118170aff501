"""The compiled core: the files it is built from, and how. `hatch_build.py` and the loader share this file.

It imports only the standard library, because a build environment has no NumPy.
"""

from importlib.util import source_hash as hash_bytes
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent
MODULE: Final = "_compiled"  #: the name of the extension
#: The parts of the core, in the order in which they are compiled as one module.
PARTS: Final = (
    "columns", "text", "blocks", "names", "levels", "repeats", "features", "completion", "structure", "choice",
    "_inference", "_scan",
)  # fmt: skip
#: The parts that call C code; a `.pxd` beside each declares it.
WITH_C: Final = ("text", "choice", "_inference", "_scan")
#: C code that is compiled with them.
C_FILES: Final = ("inference.c", "inference.h", "scan.c", "scan.h")
#: All files that the core is built from, with the constants that it imports. The build sees no other file of this
#: package, so a file that is missing here fails the build instead of escaping the hash.
SOURCES: Final = ("enums.py", *(f"{part}.py" for part in PARTS), *(f"{part}.pxd" for part in WITH_C), *C_FILES)
DIRECTIVES: Final = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "initializedcheck": False,
    "annotation_typing": False,  # annotations are for readers and type checkers; `cython.locals` has the C types
    "freethreading_compatible": True,  # nothing keeps state between calls
}
COMPILE_FLAGS: Final = ("-O3",)


def source_hash(folder: Path = FOLDER) -> str:
    """Return the hash of everything that the core is made from: its files, flags and directives.

    The build writes it into the module as ``__source_hash__``. This is the hash that Python uses for its own
    hash-checked ``.pyc`` files. It takes 0.5 ms; importing ``hashlib`` alone takes 3.5 ms.

    >>> len(source_hash())
    16
    """
    settings = repr((sorted(DIRECTIVES.items()), COMPILE_FLAGS, PARTS)).encode()
    parts = [settings, *((folder / name).read_bytes() for name in SOURCES)]
    return hash_bytes(b"".join(b"%d:%b" % (len(part), part) for part in parts)).hex()
