"""``tamis schema``: print the JSON Schema of ``--format json``."""

import json

import typer


def command() -> None:
    """Print the JSON Schema of `--format json`."""
    from tamis.render.schema import SCHEMA  # noqa: PLC0415 (loaded here, not for --help)

    typer.echo(json.dumps(SCHEMA, indent=2, ensure_ascii=False))
