"""Say once which keywords of another package have no effect."""

import warnings
from inspect import currentframe
from typing import Final

_WARNED: Final[set[tuple[str, str]]] = set()


def warn_ignored(package: str, **keywords: object) -> None:
    """Warn of each keyword that is set and has no effect, once per process; false values are not set.

    >>> import warnings
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     warn_ignored("example", speed=9, colour=None)
    ...     warn_ignored("example", speed=9)
    >>> [str(warning.message) for warning in caught]
    ["tamis.compat.example: 'speed' has no effect here (docs/migration.md)"]
    """
    for name, value in keywords.items():
        if not value or (package, name) in _WARNED:
            continue
        _WARNED.add((package, name))
        message = f"tamis.compat.{package}: {name!r} has no effect here (docs/migration.md)"
        warnings.warn(message, UserWarning, stacklevel=_caller_level())


def _caller_level() -> int:
    """Return the `stacklevel` of the first caller outside `tamis.compat`, whose line the warning should show."""
    level, frame = 0, currentframe()
    while frame is not None and str(frame.f_globals.get("__name__", "")).startswith("tamis.compat."):
        level, frame = level + 1, frame.f_back
    return level
