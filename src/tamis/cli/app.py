"""The program ``tamis``: its commands, its short form and its way of failing."""

import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

import tamis
from tamis.cli import evaluate, extract, feed, render, schema, serve, train
from tamis.errors import TamisError


class _ShortForm(TyperGroup):
    """A group where a first word that is no command means ``extract``: ``tamis page.html`` just works."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 (typer brings its own click)
        own = {"--help", "--version", "--install-completion", "--show-completion"}
        if args and args[0] not in self.commands and args[0] not in own:
            args = ["extract", *args]
        parsed: list[str] = super().parse_args(ctx, args)
        return parsed


app = typer.Typer(
    cls=_ShortForm,
    no_args_is_help=True,
    add_completion=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Read web pages and keep their main content. `tamis page.html` is short for `tamis extract page.html`.",
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from tamis._kernels.loader import describe  # noqa: PLC0415 (imports NumPy)

        typer.echo(f"tamis {tamis.__version__} ({describe()})")
        raise typer.Exit


@app.callback()
def _root(
    _version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Let the group have options of its own."""


app.command("extract", cls=extract.ExtractCommand)(extract.command)
app.command("render")(render.command)
app.command("feed")(feed.command)
app.command("schema")(schema.command)
app.command("eval")(evaluate.eval_command)
app.command("compare")(evaluate.compare_command)
app.command("serve")(serve.command)
app.add_typer(train.app, name="train")


def main() -> None:
    """Run the program. An error that we know becomes one line on stderr and exit code 2."""
    try:
        app()
    except TamisError as error:
        typer.echo(f"tamis: {error}", err=True)
        sys.exit(2)
    except BrokenPipeError:  # the reader of our output has gone: `tamis big.html | head -1`
        sys.stderr.close()
        sys.exit(1)
