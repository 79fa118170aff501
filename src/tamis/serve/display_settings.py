"""The display settings of the reader: type size, width and theme, without a script.

Each setting is a group of radio buttons before the page. Their labels are in the bar, and the style sheet reads their
state.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Final


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
    """

    name: str
    id_prefix: str
    default: str
    choices: tuple[Choice, ...]

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
            Choice("s", "A−", "Small type"),
            Choice("m", "A", "Medium type"),
            Choice("l", "A+", "Large type"),
            Choice("xl", "A++", "Huge type"),
        ),
    ),
    Setting(
        "width",
        "w",
        "medium",
        (Choice("narrow", "narrow"), Choice("medium", "medium", "Medium width"), Choice("wide", "wide")),
    ),
    Setting(
        "theme",
        "t",
        "auto",
        (Choice("auto", "auto", "Follow the system"), Choice("light", "light"), Choice("dark", "dark")),
    ),
)


def setting_controls(selected: Mapping[str, str]) -> tuple[str, str]:
    """Return the buttons of all settings, and their labels."""
    inputs, labels = [], []
    for setting in DISPLAY_SETTINGS:
        row = []
        for identifier, choice in zip(setting.ids, setting.choices, strict=True):
            checked = setting.checked(selected, choice)
            inputs.append(f'<input class="setting" type="radio" name="{setting.name}" id="{identifier}"{checked}>')
            title = f' title="{escape(choice.title)}"' if choice.title else ""
            row.append(f'<label for="{identifier}"{title}>{escape(choice.label)}</label>')
        labels.append(f'<span class="{setting.name}">{"".join(row)}</span>')
    return "".join(inputs), "".join(labels)


def compact_controls(selected: Mapping[str, str]) -> str:
    """Return the buttons for a page that must be small: their tooltips are their only labels."""
    groups = []
    for setting in DISPLAY_SETTINGS:
        name = setting.name
        buttons = "".join(
            f'<input type=radio name={name} id={identifier} title="{name} {choice.value}"'
            f"{setting.checked(selected, choice)}>"
            for identifier, choice in zip(setting.ids, setting.choices, strict=True)
        )
        groups.append(f"{name} {buttons}")
    return " ".join(groups)
