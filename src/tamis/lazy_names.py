"""Names of a package that are imported on first use: a command that prints one page waits for every import.

Type checkers see ordinary imports and no ``__getattr__``, so that a misspelt name is an error to them.
"""

from collections.abc import Callable, Mapping
from importlib import import_module


def lazy_names(package: str, homes: Mapping[str, str]) -> Callable[[str], object]:
    """Return the ``__getattr__`` of a package: `homes` has the module of each name.

    >>> get = lazy_names("kitchen", {"sqrt": "math"})
    >>> get("sqrt")(9.0)
    3.0
    """

    def get_attribute(name: str) -> object:
        if name in homes:
            return getattr(import_module(homes[name]), name)
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return get_attribute
