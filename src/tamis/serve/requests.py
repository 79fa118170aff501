"""What a client asks for: parameters and bodies, checked name by name. Nothing is guessed."""

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from starlette.datastructures import QueryParams

from tamis.serve.problems import Problem

#: The formats by their names in the API, and by the names of `tamis.render`.
FORMATS: Final = {"json": "json", "markdown": "markdown", "text": "txt", "html": "html"}
_ACCEPTED: Final = {
    "application/json": "json",
    "text/markdown": "markdown",
    "text/plain": "text",
    "text/html": "html",
}
#: Switches of the API, and the options of `tamis.extract` they stand for.
SWITCHES: Final = {
    "links": "links",
    "images": "images",
    "tables": "tables",
    "comments": "comments",
    "metadata": "with_metadata",
    "provenance": "provenance",
}
_TRUE, _FALSE = frozenset({"true", "1"}), frozenset({"false", "0"})
#: The dial's scale is logits; beyond this everything or nothing is kept.
FARTHEST: Final = 20.0
LONGEST: Final = 8000  #: characters of an address


@dataclass(frozen=True, slots=True)
class Ask:
    """A request for an extraction: of an address, or of markup that may have one."""

    url: str | None = None
    html: str | None = None
    form: str | None = None
    options: dict[str, Any] = field(default_factory=dict)
    id: Any = None


def query_values(params: QueryParams) -> dict[str, Any]:
    """Return the parameters of an address as the values they stand for."""
    names = [name for name, _ in params.multi_items()]
    if len(names) != len(set(names)):
        raise Problem(400, "a parameter is given twice")
    given = dict(params)
    values: dict[str, Any] = dict(given)
    for name in SWITCHES:
        if name in given:
            if given[name] not in _TRUE | _FALSE:
                raise Problem(400, f"{name} is true or false, not {given[name]!r}")
            values[name] = given[name] in _TRUE
    if "favor" in given:
        values["favor"] = _number(given["favor"])
    for own in ("html", "id"):
        if own in given:
            raise Problem(400, f"{own} belongs into a body")
    return values


def from_values(values: Mapping[str, Any]) -> Ask:
    """Read an object of JSON, or parameters that were turned into one."""
    if not isinstance(values, Mapping):
        raise Problem(400, "an object is expected")
    unknown = sorted(set(values) - set(_CHECKS))
    if unknown:
        raise Problem(400, f"nothing is named {unknown[0]!r}; there are {', '.join(_CHECKS)}")
    for name, value in values.items():
        said = _CHECKS[name](value)
        if said:
            raise Problem(400, f"{name} is {said}")
    options = {SWITCHES[name]: values[name] for name in SWITCHES if name in values}
    options |= {name: values[name] for name in ("extractor", "favor") if name in values}
    return Ask(values.get("url"), values.get("html"), values.get("format"), options, values.get("id"))


def from_json(body: bytes, beside: Mapping[str, Any] | None = None) -> Ask:
    """Read a body of JSON; what it does not say, the parameters `beside` it may."""
    try:
        values = json.loads(body, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise Problem(400, "the body is not JSON") from error
    return from_values({**beside, **values} if beside and isinstance(values, dict) else values)


def chosen_format(ask: Ask, accept: str | None) -> str:
    """Return the format of an answer: what was asked for by name, else by ``Accept``.

    >>> chosen_format(Ask(), "text/markdown, */*;q=0.1"), chosen_format(Ask(), None)
    ('markdown', 'json')
    """
    if ask.form is not None:
        return ask.form
    best, weight = "", 0.0
    for one in (accept or "*/*").split(","):
        kind, _, rest = one.partition(";")
        kind = kind.strip().lower()
        quality = _quality(rest)
        found = _ACCEPTED.get(kind) or next((_ACCEPTED[full] for full in _ACCEPTED if _covers(kind, full)), "")
        if found and quality > weight:
            best, weight = found, quality
    if not best:
        raise Problem(406, f"there are {', '.join(_ACCEPTED)}")
    return best


def _covers(kind: str, full: str) -> bool:
    return kind == "*/*" or (kind.endswith("/*") and full.startswith(kind[:-1]))


def _quality(rest: str) -> float:
    for part in rest.split(";"):
        name, _, value = part.partition("=")
        if name.strip().lower() == "q":
            try:
                return min(1.0, max(0.0, float(value)))
            except ValueError:
                return 0.0
    return 1.0


def _number(favor: str) -> str | float:
    try:
        return float(favor)
    except ValueError:
        return favor


def _no_constant(name: str) -> None:
    raise ValueError(name)  # NaN and Infinity are not JSON


def _address(value: object) -> str:
    return (
        "" if isinstance(value, str) and 0 < len(value) <= LONGEST else f"an address of {LONGEST} characters at most"
    )


def _text(value: object) -> str:
    return "" if isinstance(value, str) else "text"


def _favor(value: object) -> str:
    if isinstance(value, str):
        return "" if value in {"precision", "recall", "balance"} else "precision, recall, balance or a number"
    right = isinstance(value, (int, float)) and not isinstance(value, bool)
    return "" if right and math.isfinite(value) and abs(value) <= FARTHEST else f"a number within ±{FARTHEST:g}"  # type: ignore[arg-type]


def _format(value: object) -> str:
    return "" if isinstance(value, str) and value in FORMATS else f"one of {', '.join(FORMATS)}"


def _switch(value: object) -> str:
    return "" if isinstance(value, bool) else "true or false"


def _id(value: object) -> str:
    return "" if isinstance(value, (str, int)) and not isinstance(value, bool) else "text or a whole number"


_CHECKS: Final[dict[str, Callable[[object], str]]] = {
    "url": _address,
    "html": _text,
    "format": _format,
    "extractor": _text,
    "favor": _favor,
    **dict.fromkeys(SWITCHES, _switch),
    "id": _id,
}
