"""``tamis schema``: print the JSON Schema of ``--format json``."""

import json

import click

from tamis.cli.options import make_command


def _schema() -> None:
    """Print the JSON Schema of `--format json`."""
    from tamis.render.schema import SCHEMA  # noqa: PLC0415 (loaded here, not for --help)

    click.echo(json.dumps(SCHEMA, indent=2, ensure_ascii=False))


command = make_command(
    _schema,
    "schema",
    examples=(
        "tamis schema",
        "tamis schema > page.schema.json",
    ),
)
