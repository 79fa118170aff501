"""The fields of forms, from the JSON schemas of the request models."""

from collections.abc import Mapping
from html import escape
from typing import Any


def choices(schema: Mapping[str, Any]) -> list[Any]:
    """Return the values that a parameter can be chosen from; none for text and numbers.

    >>> choices({"type": "boolean"}), choices({"anyOf": [{"enum": ["a"]}, {"type": "number"}]})
    ([True, False], ['a'])
    """
    if schema.get("type") == "boolean":
        return [True, False]
    return schema.get("enum") or [each for part in schema.get("anyOf", ()) for each in part.get("enum", ())]


def url_field(schema: Mapping[str, Any]) -> str:
    """Return the field for the URL of a page. A person may leave out the scheme, which ``type=url`` would refuse."""
    label, example = escape(schema["description"].partition(";")[0]), escape(schema["examples"][0])
    return (
        f'<input name="url" inputmode="url" autocomplete="url" autocapitalize="none" spellcheck="false" '
        f'maxlength="{schema["maxLength"]}" placeholder="{example}" aria-label="{label}" required>'
    )


def file_field(name: str, schema: Mapping[str, Any]) -> str:
    """Return the field for an HTML file."""
    label = escape(schema["description"].rstrip("."))
    return f'<input type="file" name="{name}" accept=".html,.htm,.xhtml,text/html" aria-label="{label}" required>'


def select_field(name: str, schema: Mapping[str, Any], default: object) -> str:
    """Return a list of the values of a parameter."""
    options = "".join(
        f"<option{' selected' if value == default else ''}>{escape(str(value).lower())}</option>"
        for value in choices(schema)
    )
    return f'<select name="{name}" id="try-{name}">{options}</select>'


def radio_buttons(name: str, schema: Mapping[str, Any], selected: str | None = None) -> str:
    """Return a button for each value of a parameter, named as its description says.

    >>> radio_buttons("width", {"enum": ["wide"], "default": "wide", "description": "Width"})[:74]
    '<fieldset><legend>Width</legend><input type="radio" name="width" value="wi'
    """
    labels = schema.get("x-labels", schema["enum"])
    titles = [f' title="{title}"' for title in schema.get("x-titles", ())] or [""] * len(labels)
    chosen = selected or schema["default"]
    buttons = "".join(
        f'<input type="radio" name="{name}" value="{value}" id="{name}-{value}"{" checked" * (value == chosen)}>'
        f'<label for="{name}-{value}"{title}>{escape(label)}</label>'
        for value, label, title in zip(schema["enum"], labels, titles, strict=True)
    )
    return f"<fieldset><legend>{schema['description']}</legend>{buttons}</fieldset>"
