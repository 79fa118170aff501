"""Extractors by name: built-in ones, those of installed packages, and those that a program registers.

A package adds an extractor through the entry-point group ``tamis.extractors``. Each entry point is a callable without
arguments that returns an extractor, such as its class.
"""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Final

from tamis.errors import OptionError, UnknownNameError
from tamis.extractors.base import Extractor, check_extractor

ENTRY_POINT_GROUP: Final = "tamis.extractors"
#: The extractor that is used where none is named.
DEFAULT: Final = "sift"

#: The built-in extractors, as ``module:callable``. A module is imported when its extractor is first requested.
_BUILT_IN: Final[dict[str, str]] = {
    "sift": "tamis.sift.extractor:Sift",
    "sift-open": "tamis.sift.extractor:SiftOpen",
    "body": "tamis.papers.baselines.body:Body",
    "ceds": "tamis.papers.ceds:Ceds",
    "coreex": "tamis.papers.coreex:CoreEx",
    **{f"coreex-r{number}": f"tamis.papers.coreex:R{number}" for number in range(1, 7)},
    "nodechar": "tamis.papers.nodechar:NodeChar",
    "cectd": "tamis.papers.cetd:Cectd",
    "cectd-s": "tamis.papers.cetd:CectdS",
    "cetd": "tamis.papers.cetd:Cetd",
    "cehtd": "tamis.papers.cehtd:Cehtd",
    "bte": "tamis.papers.baselines.bte:Bte",
    "ccb": "tamis.papers.baselines.ccb:Ccb",
    "cetr": "tamis.papers.baselines.cetr:Cetr",
    "dsc": "tamis.papers.baselines.dsc:Dsc",
    "fe": "tamis.papers.baselines.fe:Fe",
    "kfe": "tamis.papers.baselines.fe:Kfe",
    "lqf": "tamis.papers.baselines.lqf:Lqf",
    "ridge": "tamis.papers.ridge:Ridge",
    "vips-leaf": "tamis.papers.baselines.vips:VipsLeaf",
    "sst": "tamis.papers.baselines.sst:Sst",
}
_registered: dict[str, Callable[[], Extractor]] = {}


@cache
def _installed() -> dict[str, str]:
    from importlib.metadata import entry_points  # noqa: PLC0415 (loads much; only where a name is not known)

    return {entry.name: entry.value for entry in entry_points(group=ENTRY_POINT_GROUP)}


@cache
def _load_factory(path: str) -> Callable[[], Extractor]:
    """Import ``module:callable`` and return the callable."""
    module, _, name = path.partition(":")
    factory: Callable[[], Extractor] = getattr(import_module(module), name)
    return factory


def names() -> list[str]:
    """Return the names of all extractors.

    >>> "cetd" in names()
    True
    """
    return sorted({*_BUILT_IN, *_installed(), *_registered})


def get(name: str) -> Extractor:
    """Return the extractor with this name.

    >>> get("cetd").name
    'cetd'

    Raises:
        UnknownNameError: no extractor has this name. The message suggests one.
    """
    if name in _registered:
        return _registered[name]()
    if name in _BUILT_IN:
        return _load_factory(_BUILT_IN[name])()
    if name in _installed():
        return check_extractor(_load_factory(_installed()[name])())
    raise UnknownNameError.among("extractor", name, names())


def needs_layout(extractor: Extractor) -> bool:
    """Return whether an extractor reads ``page.layout``. The caller then supplies it (see `tamis.browser`).

    >>> needs_layout(get("cehtd")), needs_layout(get("cectd"))
    (True, False)
    """
    return bool(getattr(extractor, "needs_layout", False))


def register(factory: Callable[[], Extractor]) -> None:
    """Register an extractor under its name until the program ends. CONTRIBUTING.md has a complete example.

    Args:
        factory: a callable without arguments that returns the extractor, such as its class.

    Raises:
        OptionError: `factory` is not such a callable, or what it returns is not an extractor.
    """
    if not callable(factory):
        raise OptionError(
            f"register() takes a callable that returns an extractor, such as its class, not {type(factory).__name__}"
        )
    try:
        extractor = factory()
    except TypeError as error:
        raise OptionError(f"register() calls its argument without arguments: {error}") from error
    _registered[check_extractor(extractor).name] = factory


def unregister(name: str) -> None:
    """Remove an extractor that `register` added."""
    _registered.pop(name, None)
