"""The program ``tamis``: its commands, the default command, and how errors are reported."""

import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

import tamis
from tamis.cli import evaluate, extract, feed, render, schema, serve, train
from tamis.errors import TamisError


class _DefaultToExtract(TyperGroup):
    """A group whose default command is ``extract``: ``tamis page.html`` means ``tamis extract page.html``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 (typer brings its own click)
        group_options = {"--help", "--version", "--install-completion", "--show-completion"}
        if args and args[0] not in self.commands and args[0] not in group_options:
            args = ["extract", *args]
        parsed: list[str] = super().parse_args(ctx, args)
        return parsed


app = typer.Typer(
    cls=_DefaultToExtract,
    no_args_is_help=True,
    add_completion=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Read web pages and keep their main content. `tamis page.html` is short for `tamis extract page.html`.",
)


def _print_version(is_given: bool) -> None:
    if is_given:
        from tamis._kernels.loader import describe  # noqa: PLC0415 (imports NumPy)

        typer.echo(f"tamis {tamis.__version__} ({describe()})")
        raise typer.Exit


@app.callback()
def _root(
    _version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Declare the options of the program itself."""


app.command("extract", cls=extract.ExtractCommand)(extract.command)
app.command("render")(render.command)
app.command("feed")(feed.command)
app.command("schema")(schema.command)
app.command("eval")(evaluate.eval_command)
app.command("compare")(evaluate.compare_command)
app.command("serve")(serve.command)
app.add_typer(train.app, name="train")


def main() -> None:
    """Run the program. A `TamisError` prints one line to stderr and exits with 2."""
    try:
        app()
    except TamisError as error:
        typer.echo(f"tamis: {error}", err=True)
        sys.exit(2)
    except BrokenPipeError:  # the reader of the output has closed it: `tamis big.html | head -1`
        sys.stderr.close()
        sys.exit(1)
