"""The one loader of the modules in this package: compiled where they are up to date, else their Python source.

A compiled module is used only if it was built from the source beside it; it carries the hash of that source. A module
that is out of date is refused with one warning, and its source runs instead. It is not rebuilt here: importing a
library must not start a compiler or write into the folder it is installed in, and two processes may import at once.
Where there is no compiled module at all, as in the pure wheel, one warning says that Tamis is slow.

Environment variables:
    TAMIS_PURE=1: use no compiled module, to compare or to debug.
    TAMIS_REQUIRE_COMPILED=1: raise `ImportError` where a compiled module is missing or refused. `TAMIS_PURE` wins.
"""

import os
import sys
import warnings
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from tamis._kernels import manifest

__all__ = [
    "COMPILED", "describe", "fill", "inference", "levels", "refused", "runs", "scan", "similar", "visibility", "walk"
]  # fmt: skip

#: The compiled modules that are there but not used, with the reason for each.
refused: dict[str, str] = {}
#: The compiled modules that are not there.
missing: list[str] = []

_REBUILD = "rebuild with `python hatch_build.py` (or `make kernels`) in a checkout, else install Tamis again"
#: `bench/speed.py` prints both.
_PURE = (
    "Tamis runs as pure Python, several times slower: this installation has no compiled modules. "
    "Install a wheel for this platform, or install from source with a C compiler; TAMIS_PURE=1 hides this warning"
)


def _load(name: str) -> ModuleType | None:
    """Return a compiled module; None where it is missing or out of date."""
    qualified = f"tamis._kernels.{name}"
    try:
        module = import_module(qualified)
    except ModuleNotFoundError as error:
        if error.name == qualified:
            missing.append(name)
        else:
            refused[name] = f"cannot be imported ({error})"
        return None
    except Exception as error:  # noqa: BLE001 (an old module may fail on a name that another module has lost since)
        refused[name] = f"cannot be imported ({error})"
        return None
    if getattr(module, "__source_hash__", None) == manifest.source_hash(name):
        return module
    del sys.modules[qualified]
    refused[name] = f"was not built from this version of {manifest.SOURCES[name][0]}"
    return None


def _load_all() -> dict[str, ModuleType]:
    if os.environ.get("TAMIS_PURE"):
        return {}
    modules = {name: module for name in manifest.SOURCES if (module := _load(name)) is not None}
    if os.environ.get("TAMIS_REQUIRE_COMPILED") and (missing or refused):
        problems = [*(f"{name} is missing" for name in missing), *(f"{name} {why}" for name, why in refused.items())]
        raise ImportError(f"TAMIS_REQUIRE_COMPILED is set, but {', '.join(problems)}: {_REBUILD}")
    if refused:
        problems = [f"{name} {why}" for name, why in refused.items()]
        message = f"compiled modules are not used, Tamis runs slower: {', '.join(problems)}; {_REBUILD}"
        warnings.warn(message, RuntimeWarning, stacklevel=2)
    elif not modules:
        warnings.warn(_PURE, RuntimeWarning, stacklevel=2)
    return modules


_loaded = _load_all()
#: Whether all loops run compiled.
COMPILED = len(_loaded) == len(manifest.SOURCES)

#: The compiled networks. NumPy does their work where this is None: not built, or the processor lacks instructions.
inference: ModuleType | None = _loaded.get("_inference")
if inference is not None and not inference.supported():
    inference = None

if TYPE_CHECKING:
    from tamis._kernels import fill, levels, runs, scan, similar, visibility, walk
else:

    def _kernel(name: str) -> ModuleType:
        return _loaded.get(f"_{name}") or import_module(f"tamis._kernels.{name}")

    fill, levels, runs, scan = _kernel("fill"), _kernel("levels"), _kernel("runs"), _kernel("scan")
    similar, visibility, walk = _kernel("similar"), _kernel("visibility"), _kernel("walk")


def describe() -> str:
    """Return in a few words what runs here, for ``tamis --version``: compiled or pure Python, and why.

    >>> describe().partition(" ")[0] in {"compiled", "partly", "pure"}
    True
    """
    if COMPILED:
        return "compiled" if inference else "compiled; networks run in NumPy: this processor lacks AVX2 or FMA"
    if os.environ.get("TAMIS_PURE"):
        return "pure Python: TAMIS_PURE is set"
    reasons = [f"{name} {why}" for name, why in refused.items()]
    if not _loaded and not reasons:
        return "pure Python"
    reasons += [f"{name} is missing" for name in missing]
    return f"{'partly compiled' if _loaded else 'pure Python'}: {', '.join(reasons)}"
