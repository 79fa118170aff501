"""``--field``: one value of a page."""

import json
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Final

from tamis.errors import OptionError

if TYPE_CHECKING:
    from tamis.api import Extraction

# ruff: noqa: PLC0415 (NumPy and the parser load where a page is read, not for --help)

_OUTPUTS: Final = ("text", "markdown", "html", "xml")
_VALUES: Final = ("extractor", "encoding", "confidence", "page_type_probability")
_LISTS: Final = ("links", "images", "warnings")


def field_names() -> list[str]:
    """Return the names that ``--field`` accepts: the fields of the metadata, and values of the JSON output."""
    from tamis.metadata.fields import FIELDS

    return [*(field.name for field in FIELDS), *_VALUES, *_OUTPUTS, *_LISTS]


def check_field(name: str) -> None:
    """Raise an `OptionError` for an unknown field."""
    names = field_names()
    if name not in names:
        similar = get_close_matches(name, names, n=1)
        hint = f"; did you mean {similar[0]}?" if similar else f"; there are {', '.join(names)}"
        raise OptionError(f"unknown field: {name}{hint}")


def field_value(extraction: "Extraction", name: str) -> Any:  # noqa: ANN401 (any JSON value)
    """Return a field as a JSON value; None or an empty value if the page has none."""
    if name in _OUTPUTS:
        return extraction.text if name == "text" else extraction.render(name).text  # type: ignore[arg-type]
    if name in _LISTS:
        from tamis.render.json import as_dict

        return as_dict(extraction, extraction.render_options)[name]
    if name == "title":
        return extraction.title
    if name in _VALUES:
        return extraction.page.encoding if name == "encoding" else getattr(extraction, name)
    return extraction.metadata.as_dict()[name]


def field_lines(value: Any, *, as_json: bool) -> list[str]:  # noqa: ANN401 (any JSON value)
    """Return the lines that show a value: the items of a list one by one, links and images by their URL.

    >>> field_lines(["Ann", "Bo"], as_json=False), field_lines(["Ann", "Bo"], as_json=True)
    (['Ann', 'Bo'], ['["Ann", "Bo"]'])
    """
    if as_json:
        return [json.dumps(value, ensure_ascii=False)]
    if isinstance(value, list):
        return [_line(item) for item in value]
    return [] if value is None else str(value).rstrip("\n").split("\n")


def _line(item: Any) -> str:  # noqa: ANN401 (any JSON value)
    if not isinstance(item, dict):
        return str(item)
    return str(item.get("url") or f"{item.get('type')}: {item.get('reason')}")
