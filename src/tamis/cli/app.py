"""The commands of the program ``tamis``, the default command, and its help."""

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

import tamis
from tamis.cli import batch, evaluate, explain, extract, feed, learn, mcp, pin, render, schema, serve, train
from tamis.cli.output import stdin_is_piped
from tamis.cli.render_flag import RenderCommand

# ruff: noqa: ANN401 (typer brings its own click, which has no public types)

_GROUP_OPTIONS = frozenset({"--help", "-h", "--version", "--install-completion", "--show-completion"})


class _DefaultToExtract(TyperGroup):
    """A group whose default command is ``extract``: ``tamis page.html`` means ``tamis extract page.html``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if (args and args[0] not in self.commands and args[0] not in _GROUP_OPTIONS) or (
            not args and not ctx.resilient_parsing and stdin_is_piped()
        ):
            args = ["extract", *args]
        parsed: list[str] = super().parse_args(ctx, args)
        return parsed

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help of the program: the options of extraction, then the other commands."""
        extract_command = self.commands["extract"]
        extract_ctx = type(ctx)(extract_command, info_name=ctx.info_name, parent=ctx.parent)
        formatter.write_usage(ctx.command_path, "[OPTIONS] [PAGES]...")
        formatter.write_usage(ctx.command_path, "COMMAND [ARGS]...", "       ")
        self.format_help_text(ctx, formatter)
        extract_command.format_options(extract_ctx, formatter)
        records = [param.get_help_record(ctx) for param in self.params]
        with formatter.section("The program itself"):
            formatter.write_dl([record for record in records if record])
        self.format_commands(ctx, formatter)
        extract_command.format_epilog(extract_ctx, formatter)

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        """Return completions: commands, and the options of the default command."""
        extract_command = self.commands["extract"]
        extract_ctx = type(ctx)(extract_command, info_name="extract", parent=ctx)
        found = [*super().shell_complete(ctx, incomplete), *extract_command.shell_complete(extract_ctx, incomplete)]
        return list({item.value: item for item in found}.values())


app = typer.Typer(
    cls=_DefaultToExtract,
    no_args_is_help=True,
    add_completion=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
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


app.command("extract", cls=extract.ExtractCommand, epilog=extract.EPILOG)(extract.command)
app.command("batch", cls=RenderCommand)(batch.command)
app.command("explain")(explain.command)
app.command("learn")(learn.command)
app.command("pin")(pin.pin_command)
app.command("check")(pin.check_command)
app.command("render")(render.command)
app.command("feed")(feed.command)
app.command("schema")(schema.command)
app.command("eval")(evaluate.eval_command)
app.command("compare")(evaluate.compare_command)
app.command("serve", cls=RenderCommand)(serve.command)
app.command("mcp")(mcp.command)
app.add_typer(train.app, name="train")
