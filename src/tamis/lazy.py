"""What is computed or imported on first use: a command that prints one page waits for every import.

Names of a package are imported on first use. Type checkers see ordinary imports and no ``__getattr__``, so that a
misspelt name is an error to them.
"""

import dataclasses
import re
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from types import MemberDescriptorType
from typing import TYPE_CHECKING, Any, AnyStr

from tamis.errors import closest_name

__all__ = ["cached_property", "dataclass", "lazy_names", "lazy_pattern"]


def lazy_names(package: str, homes: Mapping[str, str]) -> Callable[[str], object]:
    """Return the ``__getattr__`` of a package: `homes` has the module of each name.

    >>> get = lazy_names("kitchen", {"sqrt": "math"})
    >>> get("sqrt")(9.0)
    3.0
    """

    def get_attribute(name: str) -> object:
        if name in homes:
            value = getattr(import_module(homes[name]), name)
            if package in sys.modules:  # the next use of it is an ordinary attribute
                setattr(sys.modules[package], name, value)
            return value
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


# `dataclass` whose methods are compiled on first use.
#
# The standard one compiles six methods of each class at import. That was a quarter of the instructions that
# ``tamis page.html`` added to its imports (`python bench/start.py`), and it calls few of them.

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    class _Factory:
        """The default of a parameter whose field has a factory."""

        def __repr__(self) -> str:
            return "<factory>"

    _FACTORY = _Factory()

    def _compile_init(home: type, *, frozen: bool) -> Callable[..., None]:
        """Return ``__init__`` as the standard library writes it, compiled in one step with nothing else."""
        scope: dict[str, Any] = {"_set": object.__setattr__, "_FACTORY": _FACTORY}
        parameters, body = [["self"], ["*"]], []
        for each in dataclasses.fields(home):
            name, value, default = each.name, each.name, ""
            if each.default is not dataclasses.MISSING:
                scope[f"_default_{name}"], default = each.default, f"=_default_{name}"
                value = name if each.init else f"_default_{name}"
            elif each.default_factory is not dataclasses.MISSING:
                scope[f"_make_{name}"], default = each.default_factory, "=_FACTORY"
                value = f"_make_{name}() if {name} is _FACTORY else {name}" if each.init else f"_make_{name}()"
            elif not each.init:
                continue
            slot = getattr(home, name, None)
            if frozen and isinstance(slot, MemberDescriptorType):  # set at once, without a search for the name
                scope[f"_set_{name}"] = slot.__set__
                body.append(f"_set_{name}(self, {value})")
            else:
                body.append(f"_set(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
            if each.init:
                parameters[each.kw_only].append(name + default)
        if hasattr(home, "__post_init__"):
            body.append("self.__post_init__()")
        given = ", ".join(parameters[0] + (parameters[1] if len(parameters[1]) > 1 else []))
        exec(f"def __init__({given}):\n " + "\n ".join(body or ["pass"]), scope)  # noqa: S102 (as the standard one)
        init = scope["__init__"]
        annotations = {each.name: each.type for each in dataclasses.fields(home) if each.init}
        init.__annotations__ = annotations | {"return": None}
        return init

    def _compile(home: type, name: str, *, frozen: bool) -> Callable[..., Any]:
        """Return a method, from a class with the same fields if the standard library is to write it."""
        if name == "__init__":
            made = _compile_init(home, frozen=frozen)
        else:
            fields = dataclasses.fields(home)
            namespace = {"__doc__": home.__doc__, "__annotations__": {each.name: each.type for each in fields}}
            twin = type(home.__name__, (), namespace | {each.name: each for each in fields})
            options = {"init": False, "repr": name == "__repr__", "eq": name != "__repr__"}
            made = vars(dataclasses.dataclass(twin, **options, unsafe_hash=name == "__hash__", match_args=False))[
                name
            ]
        made.__module__, made.__qualname__ = home.__module__, f"{home.__qualname__}.{name}"
        return made

    class _LazyMethod:
        """A method that is compiled when it is asked for, and then replaces this."""

        def __init__(self, home: type, name: str, *, frozen: bool) -> None:
            self.home, self.name, self.frozen = home, name, frozen

        def __get__(self, instance: Any, owner: type) -> Any:  # noqa: ANN401 (a method, or a function)
            made = vars(self.home)[self.name]
            if made is self:
                made = _compile(self.home, self.name, frozen=self.frozen)
                setattr(self.home, self.name, made)
            return made.__get__(instance, owner)

    def _refuse(self: Any, name: str, *value: object) -> None:  # noqa: ANN401 (any instance)
        # A subclass that is not a dataclass may have attributes of its own.
        if "__dataclass_fields__" in vars(type(self)) or name in self.__dataclass_fields__:
            action = "assign to" if value else "delete"
            raise dataclasses.FrozenInstanceError(f"cannot {action} field {name!r}")
        (object.__setattr__ if value else object.__delattr__)(self, name, *value)

    def _state(self: Any) -> list[Any]:  # noqa: ANN401 (any instance)
        return [getattr(self, each.name) for each in dataclasses.fields(self)]

    def _restore(self: Any, state: list[Any]) -> None:  # noqa: ANN401 (any instance)
        for each, value in zip(dataclasses.fields(self), state, strict=True):
            object.__setattr__(self, each.name, value)

    def dataclass(
        cls: type | None = None,
        /,
        *,
        init: bool = True,
        repr: bool = True,  # noqa: A002 (as the standard one)
        eq: bool = True,
        frozen: bool = False,
        **options: bool,
    ) -> Any:  # noqa: ANN401 (a class, or a decorator)
        """Return a dataclass whose methods are compiled on first use.

        >>> @dataclass(frozen=True, slots=True)
        ... class Tea:
        ...     "A tea."
        ...
        ...     minutes: int = 3
        >>> Tea(), Tea(3) == Tea(), len({Tea(), Tea(5)})
        (Tea(minutes=3), True, 2)
        """
        if cls is None:
            return lambda given: dataclass(given, init=init, repr=repr, eq=eq, frozen=frozen, **options)
        if any(hasattr(base, "__dataclass_fields__") for base in cls.__mro__[1:]):  # which may be frozen or not
            made = dataclasses.dataclass(init=init, repr=repr, eq=eq, frozen=frozen, **options)(cls)
            if init and frozen and options.get("slots"):
                made.__init__ = _LazyMethod(made, "__init__", frozen=True)
            return made
        own = {name for name, value in vars(cls).items() if value is not None}
        cls.__doc__ = cls.__doc__ or cls.__name__  # for which the standard one would ask for the signature
        made = dataclasses.dataclass(init=False, repr=False, eq=False, **options)(cls)
        wanted = {"__init__": init, "__repr__": repr, "__eq__": eq, "__hash__": eq and frozen}
        for name in [name for name, is_wanted in wanted.items() if is_wanted and name not in own]:
            setattr(made, name, _LazyMethod(made, name, frozen=frozen))
        if eq and not frozen and "__hash__" not in own:
            made.__hash__ = None
        if frozen:
            made.__dataclass_params__.frozen = True  # for classes that derive from it
            made.__setattr__ = made.__delattr__ = _refuse
            if options.get("slots") and "__getstate__" not in own:
                made.__getstate__, made.__setstate__ = _state, _restore
        return made
