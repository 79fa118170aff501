"""Pages that are filled in from templates: package files with ``$names``, of which every value is escaped before."""

import base64
import hashlib
from functools import cache
from html import escape
from importlib.resources import files
from string import Template
from typing import Final

#: What a reader can set, without a script: the prefix of each switch, its name, and what it can be. Each is a group
#: of radio buttons before the page, whose labels are in the bar and whose state the style looks at.
KNOBS: Final[dict[str, tuple[str, tuple[tuple[str, str, str], ...]]]] = {
    "size": (
        "z",
        (("s", "A−", "Small type"), ("m", "A", "Medium type"), ("l", "A+", "Large type"), ("xl", "A++", "Huge type")),
    ),
    "width": ("w", (("narrow", "narrow", ""), ("medium", "medium", "Medium width"), ("wide", "wide", ""))),
    "theme": (
        "t",
        (("auto", "auto", "As the system is"), ("light", "light", ""), ("dark", "dark", "")),
    ),
}
DEFAULTS: Final = {"size": "m", "width": "medium", "theme": "auto"}
_COMMON: Final = "base-uri 'none'; frame-ancestors 'none'"


@cache
def template(name: str) -> Template:
    """Return a template that comes with the package."""
    return Template(files("tamis.serve").joinpath("templates", name).read_text("utf-8").strip())


@cache
def style(name: str) -> str:
    """Return a style, with the marks of switched and focused labels filled in."""
    places = [f"{prefix}{k + 1}" for prefix, choices in KNOBS.values() for k in range(len(choices))]
    on = ",".join(f'#{place}:checked~.page [for="{place}"]' for place in places)
    at = ",".join(f'#{place}:focus-visible~.page [for="{place}"]' for place in places)
    marks = f"{on}{{font-weight:700;text-decoration:underline}}{at}{{outline:2px solid}}"
    return template(name).substitute(marks=marks) if "$marks" in template(name).template else template(name).template


@cache
def policy(css: str, *, pictures: bool = False, forms: bool = False) -> str:
    """Return the Content-Security-Policy of a page: nothing at all, but its own style and what it is said to have."""
    digest = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
    parts = ["default-src 'none'", f"style-src 'sha256-{digest}'", _COMMON]
    if pictures:
        parts.append("img-src http: https:")
    parts.append("form-action 'self'" if forms else "form-action 'none'")
    # Links may open; scripts, forms (where there are none), plugins and the server's own origin stay shut.
    parts.append(f"sandbox allow-popups allow-popups-to-escape-sandbox{' allow-forms' if forms else ''}")
    return "; ".join(parts)


#: For what is not a page of ours: nothing may load, and nothing may run.
BARE_POLICY: Final = f"default-src 'none'; {_COMMON}; form-action 'none'; sandbox"


def knobs(chosen: dict[str, str]) -> tuple[str, str]:
    """Return the switches of a page, and their labels."""
    inputs, labels = [], []
    for name, (prefix, choices) in KNOBS.items():
        row = []
        for number, (value, shown, said) in enumerate(choices, 1):
            on = _on(chosen, name, value)
            inputs.append(f'<input class="knob" type="radio" name="{name}" id="{prefix}{number}"{on}>')
            title = f' title="{escape(said)}"' if said else ""
            row.append(f'<label for="{prefix}{number}"{title}>{escape(shown)}</label>')
        labels.append(f'<span class="{name}">{"".join(row)}</span>')
    return "".join(inputs), "".join(labels)


def bare_knobs(chosen: dict[str, str]) -> str:
    """Return the switches of a page that must be small: plain buttons, named where a pointer rests."""
    out = []
    for name, (prefix, choices) in KNOBS.items():
        row = "".join(
            f'<input type=radio name={name} id={prefix}{number} title="{name} {value}"{_on(chosen, name, value)}>'
            for number, (value, _, _) in enumerate(choices, 1)
        )
        out.append(f"{name} {row}")
    return " ".join(out)


def _on(chosen: dict[str, str], name: str, value: str) -> str:
    return " checked" if chosen.get(name, DEFAULTS[name]) == value else ""
