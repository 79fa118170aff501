"""Sizes and durations as people write them: ``20MB``, ``30s``. One type of each, for all options of all commands."""

import re
from typing import Final, NewType

from tamis.errors import OptionError
from tamis.lazy import lazy_pattern

Size = NewType("Size", int)  #: bytes
Duration = NewType("Duration", float)  #: seconds

_NUMBER: Final = lazy_pattern(r"(\d+(?:\.\d+)?)\s*([a-zµ]*)", re.IGNORECASE)
_SIZES: Final = {
    "": 1, "b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "kib": 2**10, "mib": 2**20, "gib": 2**30,
}  # fmt: skip
_DURATIONS: Final = {"": 1.0, "ms": 0.001, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86_400.0}


def parse_size(text: str) -> Size:
    """Return the bytes that a size stands for; a number without a unit is bytes.

    >>> parse_size("20MB"), parse_size("1.5 kB"), parse_size("4096"), parse_size("1GiB")
    (20000000, 1500, 4096, 1073741824)
    """
    return Size(round(_parse(text, _SIZES, "size", "20MB, 500kB or 2GB")))


def parse_duration(text: str) -> Duration:
    """Return the seconds that a duration stands for; a number without a unit is seconds.

    >>> parse_duration("30s"), parse_duration("250ms"), parse_duration("10m"), parse_duration("1.5")
    (30.0, 0.25, 600.0, 1.5)
    """
    return Duration(_parse(text, _DURATIONS, "duration", "30s, 10m or 250ms"))


def _parse(text: str, units: "dict[str, float] | dict[str, int]", kind: str, examples: str) -> float:
    match = _NUMBER.fullmatch(text.strip())
    if match is None or match[2].lower() not in units:
        raise OptionError(f"invalid {kind} {text!r}; write it as {examples}")
    return float(match[1]) * units[match[2].lower()]


def show_size(size: float) -> str:
    """Return a size as a person writes it.

    >>> show_size(20_000_000), show_size(1500), show_size(12)
    ('20MB', '1.5kB', '12')
    """
    for unit, factor in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if size >= factor:
            return f"{size / factor:g}{unit}"
    return f"{size:g}"


def show_duration(seconds: float) -> str:
    """Return a duration as a person writes it.

    >>> show_duration(30), show_duration(0.1), show_duration(1800)
    ('30s', '100ms', '30m')
    """
    if 0 < seconds < 1:
        return f"{seconds * 1000:g}ms"
    return f"{seconds / 60:g}m" if seconds >= 120 and seconds % 60 == 0 else f"{seconds:g}s"  # noqa: PLR2004 (minutes)
