"""The one loader of the core: compiled where it is up to date, else its Python source.

The compiled module is used only if it was built from the sources beside it; it carries their hash. One that is out of
date is refused with one warning, and the sources run instead. It is not rebuilt here: importing a library must not
start a compiler or write into the folder it is installed in, and two processes may import at once. Where there is no
compiled module at all, as in the pure wheel, one warning says that Tamis is slow.

Environment variables:
    TAMIS_PURE=1: use no compiled module, to compare or to debug.
    TAMIS_REQUIRE_COMPILED=1: raise `ImportError` where the compiled module is missing or refused. `TAMIS_PURE` wins.
"""

import os
import sys
import warnings
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from tamis._core import manifest

__all__ = [
    "COMPILED",
    "core",
    "count_page_characters",
    "describe",
    "find_code",
    "has_surrogates",
    "inference",
    "may_reopen",
    "refused",
    "release_memory",
    "scan",
]

_REBUILD = "rebuild it with `python hatch_build.py` (or `make kernels`) in a checkout, else install Tamis again"
#: `bench/speed.py` prints both.
_PURE = (
    "Tamis runs as pure Python, several times slower: this installation has no compiled core. "
    "Install a wheel for this platform, or install from source with a C compiler; TAMIS_PURE=1 hides this warning"
)


def _load() -> tuple[ModuleType | None, str | None]:
    """Return the compiled core, or None and why it is refused; the reason is None where it is missing."""
    qualified = f"tamis._core.{manifest.MODULE}"
    try:
        module = import_module(qualified)
    except ModuleNotFoundError as error:
        return None, None if error.name == qualified else f"cannot be imported ({error})"
    except Exception as error:  # noqa: BLE001 (an old module may fail on a name that another module has lost since)
        return None, f"cannot be imported ({error})"
    if getattr(module, "__source_hash__", None) == manifest.source_hash():
        return module, None
    del sys.modules[qualified]
    return None, "was not built from this version of its sources"


def _load_or_warn() -> tuple[ModuleType | None, str | None]:
    if os.environ.get("TAMIS_PURE"):
        return None, None
    module, reason = _load()
    if module is None and os.environ.get("TAMIS_REQUIRE_COMPILED"):
        raise ImportError(
            f"TAMIS_REQUIRE_COMPILED is set, but the compiled core {reason or 'is missing'}: {_REBUILD}"
        )
    if reason is not None:
        message = f"the compiled core is not used, Tamis runs slower: it {reason}; {_REBUILD}"
        warnings.warn(message, RuntimeWarning, stacklevel=3)
    elif module is None:
        warnings.warn(_PURE, RuntimeWarning, stacklevel=3)
    return module, reason


_compiled, refused = _load_or_warn()
#: Whether all loops run compiled.
COMPILED = _compiled is not None
#: The compiled networks. NumPy does their work where this is None: not built, or the processor lacks instructions.
inference: ModuleType | None = _compiled if _compiled is not None and _compiled.supported() else None

#: Reads the columns of a page from its serialization; None where the nodes of the parser are walked.
scan: Callable[..., tuple[Any, ...] | None] | None = getattr(_compiled, "scan", None)
#: Finds the code of scripts and styles in markup; None where it is parsed with the rest.
find_code: Callable[[str | bytes, int], list[tuple[int, int]]] | None = getattr(_compiled, "find_code", None)
#: Counts the characters of a text; None where `core.count_characters` does, from its code points.
count_page_characters: Callable[..., tuple[Any, ...]] | None = getattr(_compiled, "count_page_characters", None)
#: A quick look at markup for `tamis.page.parse.reopening_limit`; None where there is none.
may_reopen: Callable[[str | bytes, int], bool] | None = getattr(_compiled, "may_reopen", None)
#: Tells whether a text has a lone surrogate; None where `tamis.html.text.replace_surrogates` finds out.
has_surrogates: Callable[[str], bool] | None = getattr(_compiled, "has_surrogates", None)
#: Gives memory that is not used any more back to the system, between the steps of a large page; None where it cannot.
release_memory: Callable[[], None] | None = getattr(_compiled, "release_memory", None)
# The tree and the serialization of a page are large blocks of memory. The C library of Linux returns such blocks to
# the system, and gets them back page by page, until it has seen one freed that is as large. That costs a sixth of the
# time of a `Page`. It sees one here, whose memory is never touched.
bytes(16 << 20)

if TYPE_CHECKING:
    from tamis._core import pure as core
elif _compiled is not None:
    core = _compiled
else:
    from tamis._core import pure as core


def describe() -> str:
    """Return in a few words what runs here, for ``tamis --version``: compiled or pure Python, and why.

    >>> describe().partition(" ")[0] in {"compiled", "compiled;", "pure"}
    True
    """
    if COMPILED:
        return "compiled" if inference else "compiled; networks run in NumPy: this processor lacks AVX2 or FMA"
    if os.environ.get("TAMIS_PURE"):
        return "pure Python: TAMIS_PURE is set"
    return f"pure Python: the compiled core {refused}" if refused else "pure Python"
