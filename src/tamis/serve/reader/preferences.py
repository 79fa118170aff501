"""The settings of the reader: type size, width, theme, links and pictures, without a script.

Each is a group of radio buttons at the end of a page. The style sheet reads the state of the first three at once
(``:has``); a button keeps all of them in a cookie of this site.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Final

COOKIE: Final = "tamis"


@dataclass(frozen=True, slots=True)
class Choice:
    """A value of a setting, its label and its tooltip."""

    value: str
    label: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Setting:
    """A display setting.

    Attributes:
        name: also its name as a parameter of ``/read``.
        id_prefix: the style sheet names its buttons by this prefix and their number: ``z1``, ``z2`` …
        default: the value that is selected at first.
        choices: its values.
        legend: its name for people.
    """

    name: str
    id_prefix: str
    default: str
    choices: tuple[Choice, ...]
    legend: str

    @property
    def values(self) -> tuple[str, ...]:
        """The values that the setting can have."""
        return tuple(choice.value for choice in self.choices)

    @property
    def ids(self) -> tuple[str, ...]:
        """The identifiers of its buttons."""
        return tuple(f"{self.id_prefix}{number}" for number in range(1, len(self.choices) + 1))

    def checked(self, selected: Mapping[str, str], choice: Choice) -> str:
        """Return the attribute that marks the button of the selected choice."""
        return " checked" if selected.get(self.name, self.default) == choice.value else ""


DISPLAY_SETTINGS: Final = (
    Setting(
        "size",
        "z",
        "m",
        (
            Choice("s", "A−", "Small"),
            Choice("m", "A", "Medium"),
            Choice("l", "A+", "Large"),
            Choice("xl", "A++", "Huge"),
        ),
        "Type size",
    ),
    Setting(
        "width",
        "w",
        "medium",
        (Choice("narrow", "narrow"), Choice("medium", "medium"), Choice("wide", "wide")),
        "Width",
    ),
    Setting(
        "theme", "t", "auto", (Choice("auto", "auto"), Choice("light", "light"), Choice("dark", "dark")), "Theme"
    ),
)
LINKS: Final = Setting(
    "links", "l", "page", (Choice("page", "original pages"), Choice("reader", "the reader")), "Links lead to"
)
MEDIA: Final = Setting(
    "media", "m", "auto", (Choice("auto", "auto"), Choice("full", "always"), Choice("text", "never")), "Pictures"
)
ALL_SETTINGS: Final = (*DISPLAY_SETTINGS, LINKS, MEDIA)


def settings_form(selected: Mapping[str, str], back: str) -> str:
    """Return the form with all settings. `back` is the page that it leads back to."""
    groups = []
    for setting in ALL_SETTINGS:
        buttons = "".join(
            f'<input type="radio" name="{setting.name}" value="{choice.value}" id="{identifier}"'
            f"{setting.checked(selected, choice)}>"
            f'<label for="{identifier}"{_title(choice)}>{escape(choice.label)}</label>'
            for identifier, choice in zip(setting.ids, setting.choices, strict=True)
        )
        groups.append(f"<fieldset><legend>{setting.legend}</legend>{buttons}</fieldset>")
    hidden = f'<input type="hidden" name="back" value="{escape(back)}">'
    return (
        f'<form class="settings" id="settings" action="/settings">{hidden}{"".join(groups)}'
        "<button>Keep for all pages</button></form>"
    )


def setting_classes(selected: Mapping[str, str]) -> str:
    """Return the classes of a page with these settings, for browsers whose style sheets cannot read buttons.

    >>> setting_classes({"size": "l", "theme": "dark"})
    ' z3 t3'
    """
    names = [
        identifier
        for setting in DISPLAY_SETTINGS
        for identifier, choice in zip(setting.ids, setting.choices, strict=True)
        if choice.value == selected.get(setting.name, setting.default) != setting.default
    ]
    return "".join(f" {name}" for name in names)


def read_cookie(value: str) -> dict[str, str]:
    """Return the settings that a cookie has; what is not known is left out.

    >>> read_cookie("size.l-theme.dark-size.9-other.x")
    {'size': 'l', 'theme': 'dark'}
    """
    known = {(setting.name, choice) for setting in ALL_SETTINGS for choice in setting.values}
    pairs = (tuple(part.split(".")) for part in value[:200].split("-"))
    return {pair[0]: pair[1] for pair in pairs if len(pair) == 2 and pair in known}  # noqa: PLR2004 (a pair)


def write_cookie(selected: Mapping[str, str]) -> str:
    """Return the value of a cookie with settings that are not the default."""
    defaults = {setting.name: setting.default for setting in ALL_SETTINGS}
    return "-".join(f"{name}.{value}" for name, value in selected.items() if value != defaults[name])


def _title(choice: Choice) -> str:
    return f' title="{escape(choice.title)}"' if choice.title else ""


#: The hints that are read: data saver, effective connection type, bandwidth in Mbit/s.
HINTS: Final = ("Save-Data", "ECT", "Downlink")
_SLOW_TYPES: Final = frozenset({"slow-2g", "2g", "3g"})
#: Mbit/s. The Network Information draft calls a connection 3g up to 0.7.
_SLOW_DOWNLINK: Final = 0.7
MEDIA_CHOICES: Final = ("auto", "full", "text")


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
