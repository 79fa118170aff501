"""Modules with the interfaces of other packages, answered by Tamis: change the import, keep the calls.

``from tamis.compat import trafilatura`` stands for ``import trafilatura``, and likewise ``readability``,
``newspaper``, ``resiliparse``, ``justext`` and ``html2text``. docs/migration.md has each of them before and after. A
keyword that Tamis cannot honour is a `UserWarning`, once per process.

Nothing else is imported here: a program pays for the module that it names.
"""

import sys
from collections.abc import Callable, Iterable, Mapping
from dis import opmap
from importlib import import_module
from typing import Any, Final

__all__ = ["install"]

_IMPORT: Final = "_find_and_load_unlocked"  #: of importlib, which asks the package of a module for its ``__path__``
_ELSE: Final = "docs/migration.md lists what there is; tamis.extract() returns everything at once"


def install(*packages: str) -> None:
    """Let ``import trafilatura`` and the like give the module of Tamis in this process, also in other libraries.

    Call it before anything imports the packages. Every import path of theirs that Tamis has is replaced; no other one
    is left.

    Usage::

        tamis.compat.install("trafilatura")
        from trafilatura.core import bare_extraction  # Tamis
    """
    for package in packages:
        ours = f"{__name__}.{package}"
        import_module(ours)
        for name in [name for name in sys.modules if name == package or name.startswith(f"{package}.")]:
            del sys.modules[name]
        for name in [name for name in sys.modules if name == ours or name.startswith(f"{ours}.")]:
            sys.modules[name.removeprefix(f"{__name__}.")] = sys.modules[name]


def import_paths(module: str, paths: Iterable[str], instead: Mapping[str, str]) -> Callable[[str], Any]:
    """Let the submodules of a package lead to the one module that answers for it; return its ``__getattr__``.

    Args:
        module: the module's name.
        paths: the names of the submodules.
        instead: what to use instead of names that are not there.
    """
    here = sys.modules[module]
    for path in (*paths, ""):
        sys.modules[f"{module}.{path}".rstrip(".")] = here

    def get(name: str) -> Any:  # noqa: ANN401 (a module)
        if f"{module}.{name}" in sys.modules:
            return sys.modules[f"{module}.{name}"]
        frame = sys._getframe(1)  # noqa: SLF001 (documented)
        if name == "__path__" and frame.f_code.co_name == _IMPORT:  # else: "… is not a package"
            path: str = frame.f_locals["name"]
            last = path.rpartition(".")[2]
            raise ModuleNotFoundError(f"there is no module {path}: {instead.get(last, _ELSE)}", name=path)
        message = f"{module} has no {name!r}: {instead.get(name, _ELSE)}"
        # `from x import y` would replace the message of an AttributeError; `hasattr` needs one
        code, position = frame.f_code.co_code, frame.f_lasti
        if code[position] == opmap["IMPORT_FROM"]:
            raise ImportError(message, name=module)
        raise AttributeError(message, name=name, obj=here)

    return get
