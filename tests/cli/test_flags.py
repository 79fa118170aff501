"""One flag means one thing in every command."""

import typer

from tamis.cli.app import app


def all_options():
    """Yield flag, command, and whether the option is a switch and may be repeated."""
    groups = [("", typer.main.get_command(app))]
    while groups:
        path, group = groups.pop()
        for name, command in group.commands.items():
            if hasattr(command, "commands"):
                groups.append((f"{path} {name}", command))
                continue
            for param in command.params:
                for flag in (*param.opts, *param.secondary_opts):
                    if flag.startswith("--"):
                        yield flag, f"{path} {name}".strip(), (bool(param.is_flag), bool(param.multiple))


def test_a_flag_has_the_same_type_in_every_command():
    types = {}
    for flag, command, option_type in all_options():
        types.setdefault(flag, {})[command] = option_type
    assert len(types["--allow-network"]) >= 2
    assert {flag: by_command for flag, by_command in types.items() if len(set(by_command.values())) > 1} == {}
