"""The `repr` of public values: one line, however large the value is."""

import reprlib
from dataclasses import fields
from typing import Any, Final

MAX_CHARS: Final = 200  #: of a `repr`
_SHORT: Final = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = 60
_SHORT.maxlevel, _SHORT.maxtuple, _SHORT.maxdict = 2, 3, 3


def one_line(value: object) -> str:
    """Return the `repr` of a value, shortened.

    >>> one_line("Water just off the boil, three minutes, no more. " * 9)
    "'Water just off the boil, th...il, three minutes, no more. '"
    """
    return " ".join(_SHORT.repr(value).split())


def value_repr(self: Any) -> str:  # noqa: ANN401 (any dataclass)
    """Return the `repr` of a dataclass: its fields but those that are as they are by default, in one line."""
    shown = [
        f"{field.name}={one_line(value)}"
        for field in fields(self)
        if field.repr and (value := getattr(self, field.name)) not in (None, (), "", field.default)
    ]
    text = f"{type(self).__name__}({', '.join(shown)})"
    return text if len(text) <= MAX_CHARS else text[: MAX_CHARS - 2] + "…)"
