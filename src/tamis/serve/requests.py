"""What a client requests: parameters and bodies, checked name by name."""

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from starlette.datastructures import QueryParams

from tamis.render.options import INCLUDABLE
from tamis.render.registry import Format, formats, get_format
from tamis.serve.problems import Problem

DEFAULT_FORMAT: Final = "json"  #: of clients that accept anything
#: Switches of the API, and the keywords of `tamis.extract` that they set.
SWITCHES: Final = {
    "links": "links",
    "images": "images",
    "tables": "tables",
    "comments": "comments",
    "metadata": "with_metadata",
    "provenance": "provenance",
    "title": "title",
}
FAVOR_WORDS: Final = ("precision", "recall", "balance")
#: In logits; beyond this everything or nothing is kept.
MAX_FAVOR: Final = 20.0
MAX_URL_CHARS: Final = 8000
_TRUE, _FALSE = frozenset({"true", "1"}), frozenset({"false", "0"})


@dataclass(frozen=True, slots=True)
class ExtractRequest:
    """A request for an extraction.

    Attributes:
        url: the page's URL. Without `html`, the page is fetched from it.
        html: the page.
        format: the name of the format of the response; None lets ``Accept`` decide.
        options: keywords of `tamis.extract`.
        id: of a line of a batch; returned with its result.
    """

    url: str | None = None
    html: str | None = None
    format: str | None = None
    options: dict[str, Any] = field(default_factory=dict)
    id: str | int | None = None


def query_values(params: QueryParams) -> dict[str, Any]:
    """Return the parameters of a query, converted to JSON types."""
    names = [name for name, _ in params.multi_items()]
    if len(names) != len(set(names)):
        raise Problem(400, "a parameter is repeated")
    values: dict[str, Any] = dict(params)
    for name in SWITCHES:
        if name in params:
            if params[name] not in _TRUE | _FALSE:
                raise Problem(400, f"{name!r} must be true or false, not {params[name]!r}")
            values[name] = params[name] in _TRUE
    if "favor" in params:
        values["favor"] = _as_number(params["favor"])
    for name in ("html", "id"):
        if name in params:
            raise Problem(400, f"{name!r} must be in the body")
    return values


def parse_values(values: Mapping[str, Any]) -> ExtractRequest:
    """Return the request that a JSON object, or the parameters of a query, describes."""
    if not isinstance(values, Mapping):
        raise Problem(400, "the body must be a JSON object")
    unknown = sorted(set(values) - set(_CHECKS))
    if unknown:
        raise Problem(400, f"unknown parameter {unknown[0]!r}; known: {', '.join(_CHECKS)}")
    for name, value in values.items():
        expected = _CHECKS[name](value)
        if expected:
            raise Problem(400, f"{name!r} must be {expected}")
    options = {SWITCHES[name]: values[name] for name in SWITCHES if name in values}
    options |= {name: values[name] for name in ("extractor", "favor") if name in values}
    if "with" in values:
        options["include"] = tuple(dict.fromkeys(values["with"].split(",")))
    return ExtractRequest(values.get("url"), values.get("html"), values.get("format"), options, values.get("id"))


def parse_json(body: bytes, defaults: Mapping[str, Any] | None = None) -> ExtractRequest:
    """Return the request of a JSON body. `defaults` are values that the body may leave out."""
    try:
        values = json.loads(body, parse_constant=_reject_constant)
    except (ValueError, RecursionError) as error:
        raise Problem(400, "the body is not valid JSON") from error
    return parse_values({**defaults, **values} if defaults and isinstance(values, dict) else values)


def choose_format(requested: str | None, accept: str | None) -> Format:
    """Return the format of a response: the requested one, else the best that ``Accept`` allows.

    >>> choose_format(None, "text/markdown, */*;q=0.1").name, choose_format(None, None).name
    ('markdown', 'json')
    """
    if requested is not None:
        return get_format(requested)
    best, best_quality = None, 0.0
    for media_range in (accept or "*/*").split(","):
        media_type, _, params = media_range.partition(";")
        candidate, quality = _match(media_type.strip().lower()), _quality(params)
        if candidate is not None and quality > best_quality:
            best, best_quality = candidate, quality
    if best is None:
        available = ", ".join(media_type for entry in formats() for media_type in entry.media_types)
        raise Problem(406, f"available: {available}")
    return best


def _match(media_range: str) -> Format | None:
    """Return the first format of a media range; ranges prefer the default format."""
    ordered = sorted(formats(), key=lambda entry: entry.name != DEFAULT_FORMAT)
    return next((entry for entry in ordered if any(_covers(media_range, each) for each in entry.media_types)), None)


def _covers(media_range: str, media_type: str) -> bool:
    if media_range.endswith("/*"):
        return media_range == "*/*" or media_type.startswith(media_range[:-1])
    return media_range == media_type


def _quality(params: str) -> float:
    for param in params.split(";"):
        name, _, value = param.partition("=")
        if name.strip().lower() == "q":
            try:
                return min(1.0, max(0.0, float(value)))
            except ValueError:
                return 0.0
    return 1.0


def _as_number(favor: str) -> str | float:
    try:
        return float(favor)
    except ValueError:
        return favor


def _reject_constant(name: str) -> None:
    raise ValueError(name)  # NaN and Infinity are not JSON


# Each check returns what the value must be, or an empty string if the value is right.


def _check_url(value: object) -> str:
    valid = isinstance(value, str) and 0 < len(value) <= MAX_URL_CHARS
    return "" if valid else f"a URL of at most {MAX_URL_CHARS} characters"


def _check_text(value: object) -> str:
    return "" if isinstance(value, str) else "a string"


def _check_favor(value: object) -> str:
    expected = f"{', '.join(FAVOR_WORDS)} or a number from {-MAX_FAVOR:g} to {MAX_FAVOR:g}"
    if isinstance(value, str):
        return "" if value in FAVOR_WORDS else expected
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return expected
    return "" if math.isfinite(value) and abs(value) <= MAX_FAVOR else expected


def _check_format(value: object) -> str:
    names = [name for entry in formats() for name in entry.names]
    return "" if isinstance(value, str) and value in names else f"one of {', '.join(names)}"


def _check_switch(value: object) -> str:
    return "" if isinstance(value, bool) else "true or false"


def _check_include(value: object) -> str:
    is_valid = isinstance(value, str) and all(name in INCLUDABLE for name in value.split(","))
    return "" if is_valid else f"some of {', '.join(INCLUDABLE)}, separated by commas"


def _check_id(value: object) -> str:
    return "" if isinstance(value, (str, int)) and not isinstance(value, bool) else "a string or an integer"


_CHECKS: Final[dict[str, Callable[[object], str]]] = {
    "url": _check_url,
    "html": _check_text,
    "format": _check_format,
    "extractor": _check_text,
    "favor": _check_favor,
    **dict.fromkeys(SWITCHES, _check_switch),
    "with": _check_include,
    "id": _check_id,
}
