"""Options of commands from the one settings object, `tamis.serve.settings.Settings`.

A field is a flag and an environment variable: ``max_memory`` is ``--max-memory`` and ``TAMIS_MAX_MEMORY``.
"""

from collections.abc import Iterable
from dataclasses import MISSING, Field, field, fields
from typing import Annotated, Any, get_type_hints

from tamis.cli.fetch_options import RENDER_HELP
from tamis.cli.options import Option, option
from tamis.serve.settings import Setting, Settings


def setting(name: str) -> Option:
    """Return the option of a field of `Settings`, for a command with a default of its own."""
    return _declared()[name][1]


def setting_fields(names: Iterable[str] | None = None) -> list[tuple[str, Any, Any]]:
    """Return the fields of `Settings` that are options, as fields of a dataclass: all, or those that are named."""
    found: list[tuple[str, Any, Any]] = []
    for name, (each, declared, type_) in _declared().items():
        if names is None or name in names:
            is_computed = each.default is MISSING  # the number of cores
            value_type: Any = type_ | None if is_computed else type_
            annotation = Annotated[value_type, declared]
            found.append((name, annotation, field(default=None if is_computed else each.default)))
    return found


def setting_values(given: object) -> dict[str, Any]:
    """Return the values of the options that are fields of `Settings`."""
    values = {name: getattr(given, name, None) for name in _declared()}
    return {name: value for name, value in values.items() if value is not None}


def _declared() -> dict[str, tuple["Field[Any]", Option, Any]]:
    """Return the fields of `Settings` that are options, each with its option and its type."""
    found: dict[str, tuple[Field[Any], Option, Any]] = {}
    hints = get_type_hints(Settings, include_extras=True)
    for each in fields(Settings):
        declared = next(iter(getattr(hints[each.name], "__metadata__", ())), None)
        if isinstance(declared, Setting):
            text = f"{RENDER_HELP} {declared.help}" if each.name == "render" else declared.help
            flag = option(each.name, text, declared.panel, minimum=declared.minimum)
            found[each.name] = each, flag, hints[each.name].__origin__
    return found
