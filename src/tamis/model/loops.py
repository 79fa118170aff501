"""The loops of `tamis.model.infer`, where they were compiled and this processor can run them; else None, for NumPy.

See `tamis.page.loops`.
"""

import os
import platform
from importlib import import_module
from types import ModuleType


def _can_run() -> bool:
    """Return whether this processor has what `_infer` was compiled for (hatch_build.py): AVX2 and FMA on x86-64.

    >>> isinstance(_can_run(), bool)
    True
    """
    if platform.machine().lower() not in {"x86_64", "amd64"}:
        return True  # compiled with nothing that not all of its kind have
    try:
        # NumPy has looked already; it tells in numpy.show_runtime(), and here.
        has = import_module("numpy._core._multiarray_umath").__cpu_features__
    except (ImportError, AttributeError):
        return False
    return bool(has.get("AVX2") and has.get("FMA3"))


def _load() -> ModuleType | None:
    if os.environ.get("TAMIS_PURE") or not _can_run():
        return None
    try:
        return import_module("tamis.model._infer")
    except ImportError:
        return None


compiled: ModuleType | None = _load()
