"""The one loader of the loops in this package: compiled modules where they were built, else their sources.

Set ``TAMIS_PURE=1`` to run without compiled code, to compare or to debug.
"""

import os
import platform
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from tamis._kernels import fill, runs, scan, similar, visibility, walk

__all__ = ["COMPILED", "compiled", "fill", "runs", "scan", "similar", "visibility", "walk"]

COMPILED = False
if not (TYPE_CHECKING or os.environ.get("TAMIS_PURE")):
    try:
        from tamis._kernels import _fill as fill
        from tamis._kernels import _runs as runs
        from tamis._kernels import _scan as scan
        from tamis._kernels import _similar as similar
        from tamis._kernels import _visibility as visibility
        from tamis._kernels import _walk as walk

        COMPILED = True
    except ImportError:
        pass


def _can_run() -> bool:
    """Return whether this processor has what `_inference` was compiled for: AVX2 and FMA on x86-64.

    >>> isinstance(_can_run(), bool)
    True
    """
    if platform.machine().lower() not in {"x86_64", "amd64"}:
        return True
    try:
        features = import_module("numpy._core._multiarray_umath").__cpu_features__
    except (ImportError, AttributeError):
        return False
    return bool(features.get("AVX2") and features.get("FMA3"))


def _load_inference() -> ModuleType | None:
    if os.environ.get("TAMIS_PURE") or not _can_run():
        return None
    try:
        return import_module("tamis._kernels._inference")
    except ImportError:
        return None


#: The compiled networks, or None: NumPy does their work then.
compiled: ModuleType | None = _load_inference()
