"""The settings of the reader: type size, width, theme, links and pictures, without a script.

Each is a group of radio buttons at the end of a page. The style sheet reads the state of the first three at once
(``:has``); a button keeps all of them in a cookie of this site.
"""

from collections.abc import Mapping
from html import escape
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from tamis.serve.http.forms import radio_buttons

COOKIE: Final = "tamis"


class ReaderSettings(BaseModel):
    """How a page is shown: parameters of ``/read``, values of the cookie, buttons of the form."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    size: Annotated[
        Literal["s", "m", "l", "xl"],
        Field(
            description="Type size",
            json_schema_extra={
                "x-labels": ["A−", "A", "A+", "A++"],
                "x-titles": ["Small", "Medium", "Large", "Huge"],
            },
        ),
    ] = "m"
    width: Annotated[Literal["narrow", "medium", "wide"], Field(description="Width")] = "medium"
    theme: Annotated[Literal["auto", "light", "dark"], Field(description="Theme")] = "auto"
    links: Annotated[
        Literal["page", "reader"],
        Field(description="Links lead to", json_schema_extra={"x-labels": ["original pages", "the reader"]}),
    ] = "page"
    media: Annotated[
        Literal["auto", "full", "text"],
        Field(description="Pictures", json_schema_extra={"x-labels": ["auto", "always", "never"]}),
    ] = "auto"


#: The JSON schema of each setting.
SETTINGS: Final[Mapping[str, dict[str, Any]]] = ReaderSettings.model_json_schema()["properties"]
DEFAULTS: Final[Mapping[str, str]] = {name: schema["default"] for name, schema in SETTINGS.items()}
DISPLAY_SETTINGS: Final = ("size", "width", "theme")  #: those that the style sheet reads


def settings_form(selected: Mapping[str, str], back: str) -> str:
    """Return the form with all settings. `back` is the page that it leads back to."""
    groups = (radio_buttons(name, schema, selected.get(name)) for name, schema in SETTINGS.items())
    hidden = f'<input type="hidden" name="back" value="{escape(back)}">'
    return (
        f'<form class="settings" id="settings" action="/settings">{hidden}{"".join(groups)}'
        "<button>Keep for all pages</button></form>"
    )


def setting_classes(selected: Mapping[str, str]) -> str:
    """Return the classes of a page with these settings, for browsers whose style sheets cannot read buttons.

    >>> setting_classes({"size": "l", "theme": "dark", "width": "medium"})
    ' size-l theme-dark'
    """
    names = [name for name in DISPLAY_SETTINGS if selected.get(name, DEFAULTS[name]) != DEFAULTS[name]]
    return "".join(f" {name}-{selected[name]}" for name in names)


def read_cookie(value: str) -> dict[str, str]:
    """Return the settings that a cookie has; what is not known is left out.

    >>> read_cookie("size.l-theme.dark-size.9-other.x")
    {'size': 'l', 'theme': 'dark'}
    """
    pairs = (part.partition(".") for part in value[:200].split("-"))
    return {name: chosen for name, _, chosen in pairs if name in SETTINGS and chosen in SETTINGS[name]["enum"]}


def write_cookie(selected: Mapping[str, str]) -> str:
    """Return the value of a cookie with settings that are not the default."""
    return "-".join(f"{name}.{value}" for name, value in selected.items() if value != DEFAULTS[name])


#: The hints that are read: data saver, effective connection type, bandwidth in Mbit/s.
HINTS: Final = ("Save-Data", "ECT", "Downlink")
_SLOW_TYPES: Final = frozenset({"slow-2g", "2g", "3g"})
#: Mbit/s. The Network Information draft calls a connection 3g up to 0.7.
_SLOW_DOWNLINK: Final = 0.7


def prefers_text_only(headers: Mapping[str, str], media: str = "auto") -> bool:
    """Return whether a client gets text only, by its choice of `media` or, for ``auto``, by its hints.

    >>> prefers_text_only({"Save-Data": "on"}), prefers_text_only({"ECT": "4g", "Downlink": "10"})
    (True, False)
    >>> prefers_text_only({}, "text"), prefers_text_only({"Save-Data": "on"}, "full")
    (True, False)
    """
    if media != "auto":
        return media == "text"
    if headers.get("Save-Data", "").strip().lower() == "on":
        return True
    if headers.get("ECT", "").strip().lower() in _SLOW_TYPES:
        return True
    try:
        return 0 <= float(headers.get("Downlink", "")) <= _SLOW_DOWNLINK
    except ValueError:
        return False
