"""One flag means one thing in every command."""

import types
import typing
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import pytest
import typer

from tamis.cli.app import app


@dataclass(frozen=True)
class Flag:
    """An option of a command: what its value is, and what its help says before the first punctuation mark."""

    command: str
    names: tuple[str, ...]
    value_type: type
    meaning: str


def commands(group, prefix=""):
    for command in group.registered_commands:
        yield f"{prefix}{command.name}", command.callback
    for inner in group.registered_groups:
        yield from commands(inner.typer_instance, f"{prefix}{inner.name} ")


def value_type(annotation):
    """Return the type of one value: None and lists are left out; an enumeration of strings and a path are strings."""
    choices = [choice for choice in typing.get_args(annotation) if choice is not types.NoneType]
    if choices:
        return value_type(choices[0])
    return str if isinstance(annotation, str) or issubclass(annotation, (str, Path)) else annotation


def flags():
    for name, callback in commands(app):
        hints = typing.get_type_hints(callback, include_extras=True)
        for annotation in hints.values():
            if typing.get_origin(annotation) is not typing.Annotated:
                continue
            option = annotation.__metadata__[0]
            if isinstance(option, typer.models.OptionInfo):
                # With Annotated, typer stores the first flag as the default.
                declarations = (option.default, *option.param_decls)
                names = tuple(part for declaration in declarations for part in declaration.split("/"))
                meaning = option.help.split(".")[0].split(",")[0].split(":")[0]
                yield Flag(name, names, value_type(annotation.__origin__), meaning)


BY_NAME = defaultdict(list)
for flag in flags():
    for flag_name in flag.names:
        BY_NAME[flag_name].append(flag)
SHARED = {name: uses for name, uses in BY_NAME.items() if len(uses) > 1}


def test_flags_are_found_in_all_commands():
    assert {name for name, _ in commands(app)} == {flag.command for uses in BY_NAME.values() for flag in uses} | {
        "schema"
    }
    assert {"--extractor", "--output", "--jobs", "--timeout", "--layout"} <= SHARED.keys()


@pytest.mark.parametrize("name", sorted(SHARED))
def test_flag_has_one_meaning_one_type_and_one_short_form(name):
    uses = SHARED[name]
    assert len({(flag.meaning, flag.value_type, flag.names) for flag in uses}) == 1, "\n".join(map(str, uses))


@pytest.mark.parametrize("name", sorted(BY_NAME))
def test_flag_has_a_help_text_that_is_a_sentence(name):
    for flag in BY_NAME[name]:
        assert flag.meaning
        assert flag.meaning[0].isupper() or not flag.meaning[0].isalpha(), flag
