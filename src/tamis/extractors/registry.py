"""Extractors by name: ours, those of installed packages, and those that a program registers.

A package adds its own through the entry-point group ``tamis.extractors``; each entry is a callable without
arguments (a class, say) that returns an extractor.
"""

from collections.abc import Callable
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import Final

from tamis.errors import UnknownExtractorError
from tamis.extractors.base import Extractor

GROUP: Final = "tamis.extractors"

#: Where ours live. A module is imported when its extractor is first asked for.
_OURS: Final[dict[str, str]] = {
    "sift": "tamis.extractors.sift:Sift",
    "body": "tamis.extractors.body:Body",
    "ceds": "tamis.extractors.ceds:Ceds",
    "coreex": "tamis.extractors.coreex:CoreEx",
    **{f"coreex-r{number}": f"tamis.extractors.coreex:R{number}" for number in range(1, 7)},
    "nodechar": "tamis.extractors.nodechar:NodeChar",
    "cectd": "tamis.extractors.cetd:Cectd",
    "cectd-s": "tamis.extractors.cetd:CectdS",
    "cetd": "tamis.extractors.cetd:Cetd",
    "cehtd": "tamis.extractors.cehtd:Cehtd",
    "cetd-auto": "tamis.extractors.cetd_auto:CetdAuto",
    "bte": "tamis.extractors.baselines.bte:Bte",
    "ccb": "tamis.extractors.baselines.ccb:Ccb",
    "cetr": "tamis.extractors.baselines.cetr:Cetr",
    "dsc": "tamis.extractors.baselines.dsc:Dsc",
    "fe": "tamis.extractors.baselines.fe:Fe",
    "kfe": "tamis.extractors.baselines.fe:Kfe",
    "lqf": "tamis.extractors.baselines.lqf:Lqf",
    "ridge": "tamis.extractors.ridge:Ridge",
    "vips-leaf": "tamis.extractors.baselines.vips:VipsLeaf",
    "sst": "tamis.extractors.baselines.sst:Sst",
}
_registered: dict[str, Callable[[], Extractor]] = {}


@cache
def _installed() -> dict[str, str]:
    return {entry.name: entry.value for entry in entry_points(group=GROUP)}


@cache
def _maker(path: str) -> Callable[[], Extractor]:
    """Return what stands at a path, ``module:name``; the module is imported now."""
    module, _, name = path.partition(":")
    found: Callable[[], Extractor] = getattr(import_module(module), name)
    return found


def names() -> list[str]:
    """Return the names of all extractors.

    >>> "cetd" in names()
    True
    """
    return sorted({*_OURS, *_installed(), *_registered})


def get(name: str) -> Extractor:
    """Return the extractor of a name.

    >>> get("cetd").name
    'cetd'
    """
    if name in _registered:
        return _registered[name]()
    if name in _OURS:
        return _maker(_OURS[name])()
    if name in _installed():
        return _maker(_installed()[name])()
    near = get_close_matches(name, names(), n=1)
    hint = f"; did you mean {near[0]}?" if near else f"; there are {', '.join(names())}"
    raise UnknownExtractorError(f"no extractor is named {name!r}{hint}")


def needs_layout(extractor: Extractor) -> bool:
    """Return whether an extractor looks at layout, and so needs a browser where a page brings none.

    >>> needs_layout(get("cehtd")), needs_layout(get("cectd"))
    (True, False)
    """
    return bool(getattr(extractor, "needs_layout", False))


def register(make: Callable[[], Extractor]) -> None:
    """Make an extractor known by its name for as long as the program runs. See CONTRIBUTING.md for a whole one."""
    _registered[make().name] = make


def unregister(name: str) -> None:
    """Forget an extractor that `register` made known."""
    _registered.pop(name, None)
