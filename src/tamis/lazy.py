"""What is computed or imported on first use: a command that prints one page waits for every import.

Names of a package are imported on first use. Type checkers see ordinary imports and no ``__getattr__``, so that a
misspelt name is an error to them.
"""

import re
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, AnyStr

from tamis.errors import closest_name

__all__ = ["cached_property", "lazy_names", "lazy_pattern"]


def lazy_names(package: str, homes: Mapping[str, str]) -> Callable[[str], object]:
    """Return the ``__getattr__`` of a package: `homes` has the module of each name.

    >>> get = lazy_names("kitchen", {"sqrt": "math"})
    >>> get("sqrt")(9.0)
    3.0
    """

    def get_attribute(name: str) -> object:
        if name in homes:
            return getattr(import_module(homes[name]), name)
        meant = None if name.startswith("_") else closest_name(name, homes)
        hint = "" if meant is None else f"; did you mean {meant}?"
        raise AttributeError(f"module {package!r} has no attribute {name!r}{hint}")

    return get_attribute


class _LazyPattern:
    """A regular expression that has its methods from the first use of one on."""

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self.pattern, self._flags = pattern, flags

    def __getattr__(self, name: str) -> object:
        if name.startswith("_"):
            raise AttributeError(name)
        compiled = re.compile(self.pattern, self._flags)
        methods = ("search", "match", "fullmatch", "findall", "finditer", "split", "sub", "subn", "flags", "groups")
        self.__dict__.update({method: getattr(compiled, method) for method in methods})
        return getattr(compiled, name)


def lazy_pattern(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return a regular expression that is compiled on first use: most pages need few of them.

    >>> word = lazy_pattern("[a-z]+")
    >>> word.findall("tea, milk"), word.pattern
    (['tea', 'milk'], '[a-z]+')
    """
    return _LazyPattern(pattern, flags)  # type: ignore[return-value]  # it has the methods of one


# `cached_property` without a lock.
#
# Python 3.11 takes a lock each time a value is computed, which costs more than many columns of a small page; Python
# 3.12 takes none. Two threads may compute a value at the same time. Values are never changed, so that either will do.

if TYPE_CHECKING or sys.version_info >= (3, 12):
    from functools import cached_property
else:

    class cached_property:  # noqa: N801 (the name of the class it replaces)
        """A property that is computed on first use, and then an attribute of the instance.

        >>> class Tea:
        ...     @cached_property
        ...     def cups(self):
        ...         print("counting")
        ...         return 3
        >>> tea = Tea()
        >>> tea.cups + tea.cups
        counting
        6
        """

        def __init__(self, func: Any) -> None:  # noqa: ANN401 (any method)
            self.func, self.name, self.__doc__ = func, func.__name__, func.__doc__

        def __set_name__(self, owner: type, name: str) -> None:
            self.name = name

        def __get__(self, instance: Any, owner: type | None = None) -> Any:  # noqa: ANN401 (any value)
            if instance is None:
                return self
            value = instance.__dict__[self.name] = self.func(instance)
            return value
