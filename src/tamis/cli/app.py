"""The program ``tamis``: its commands, which are imported when they are called, and how errors are reported."""

import gc
import os
import sys
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

import click

from tamis.cli.output import print_message, silence_stdout, stdin_is_piped
from tamis.errors import OptionError, TamisError, closest_name

_DEFAULT: Final = "extract"
_COMPLETE_VARIABLE: Final = "_TAMIS_COMPLETE"


class _Home(NamedTuple):
    """Where a command is defined (``module:name``), and its line in the help of the program."""

    path: str
    summary: str


#: The laboratory imports everything else, so that its commands are found by name.
_HOMES: Final = {
    "extract": _Home("tamis.cli.extract:command", "Extract the main content of pages (the default)."),
    "batch": _Home("tamis.cli.batch:command", "Extract many pages in parallel, one row per page."),
    "explain": _Home("tamis.cli.explain:command", "Explain why each block was kept or dropped."),
    "learn": _Home("tamis.cli.learn:command", "Learn what repeats on the pages of a site."),
    "pin": _Home("tamis.cli.pin:pin", "Save what is extracted from pages, to check it later."),
    "check": _Home("tamis.cli.pin:check", "Check that pinned pages still give the same."),
    "render": _Home("tamis.cli.render:command", "Render pages with Chromium and save their layouts."),
    "feed": _Home("tamis.cli.feed:command", "Extract or list the articles of a feed."),
    "sitemap": _Home("tamis.cli.feed:sitemap", "List the pages of a site."),
    "schema": _Home("tamis.cli.schema:command", "Print the JSON Schema of the JSON output."),
    "eval": _Home("tamis.lab.evaluate_command:evaluate", "Measure extractors on labelled pages."),
    "compare": _Home("tamis.lab.evaluate_command:compare", "Show what several extractors keep of a page."),
    "serve": _Home("tamis.cli.serve:serve", "Serve a reader and an HTTP API."),
    "mcp": _Home("tamis.cli.serve:mcp", "Give language models tools that read pages."),
    "train": _Home("tamis.lab.train_command:group", "Train an extractor on labelled pages."),
}


class LazyGroup(click.Group):
    """The commands of the program. Only the one that is called is imported.

    Without the name of a command, the default is called: ``tamis page.html`` means ``tamis extract page.html``.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (click's)
        """Return the names of the commands."""
        return list(_HOMES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 (click's)
        """Return a command, imported."""
        home = _HOMES.get(cmd_name)
        if home is None:
            return None
        if cmd_name != _DEFAULT:
            gc.enable()  # see `tamis.cli.program`
        module, _, name = home.path.partition(":")
        return cast("click.Command", getattr(import_module(module), name))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments, with the name of the default command if none is given."""
        own = {name for param in self.get_params(ctx) for name in param.opts}
        if args and args[0] not in _HOMES and args[0].partition("=")[0] not in own:
            _check_typo(args[0])
            args = [_DEFAULT, *args]
        elif not args and not ctx.resilient_parsing and stdin_is_piped():
            args = [_DEFAULT]
        return super().parse_args(ctx, args)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the help of the program: the options of extraction, then the other commands."""
        command = self.get_command(ctx, _DEFAULT)
        assert command is not None
        inner = click.Context(command, info_name=ctx.info_name, parent=ctx.parent, help_option_names=["-h", "--help"])
        formatter.write_usage(ctx.command_path, "[OPTIONS] [PAGES]...")
        formatter.write_usage(ctx.command_path, "COMMAND [ARGS]...", "       ")
        self.format_help_text(ctx, formatter)
        command.format_epilog(inner, formatter)
        with formatter.section("Commands"):
            formatter.write_dl([(name, home.summary) for name, home in _HOMES.items()])
        command.format_options(inner, formatter)
        records = [param.get_help_record(ctx) for param in self.params]
        with formatter.section("The program itself"):
            formatter.write_dl([record for record in records if record])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        """Return completions: commands, and the options of the default command."""
        command = self.get_command(ctx, _DEFAULT)
        assert command is not None
        inner = click.Context(command, info_name=_DEFAULT, parent=ctx)
        found = [*super().shell_complete(ctx, incomplete), *command.shell_complete(inner, incomplete)]
        return list({item.value: item for item in found}.values())


def _check_typo(name: str) -> None:
    """Raise an error for a word that is neither a page nor a command, but nearly a command."""
    if name.startswith(("-", "http://", "https://")) or Path(name).exists():
        return
    similar = closest_name(name.lower(), _HOMES)
    if similar:
        raise OptionError(f"no such file or command: {name}; did you mean {similar}?")


def _print_version(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    if value:
        import tamis  # noqa: PLC0415 (names of the package, loaded here)
        from tamis._core.loader import describe  # noqa: PLC0415 (imports NumPy)

        click.echo(f"tamis {tamis.__version__} ({describe()})")
        ctx.exit()


def _print_completion(ctx: click.Context, _param: click.Parameter, value: str | None) -> None:
    if value:
        from click.shell_completion import get_completion_class  # noqa: PLC0415 (rarely needed)

        script = get_completion_class(value)
        assert script is not None, "one of the shells that click knows"
        click.echo(script(app, {}, "tamis", _COMPLETE_VARIABLE).source())
        ctx.exit()


app = LazyGroup(
    "tamis",
    no_args_is_help=True,
    help="Read web pages and keep their main content. `tamis page.html` is short for `tamis extract page.html`.",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
    params=[
        click.Option(
            ["--version"], is_flag=True, is_eager=True, expose_value=False, callback=_print_version,
            help="Print the version.",
        ),
        click.Option(
            ["--show-completion"], type=click.Choice(["bash", "zsh", "fish"]), is_eager=True, expose_value=False,
            callback=_print_completion, help="Print the completion script of a shell, for its profile.",
        ),
    ],
)  # fmt: skip


def main() -> None:
    """Run the program. An error prints one line to stderr and exits with 2, never with a traceback."""
    try:
        try:
            _run()
        finally:
            sys.stdout.flush()  # here, and not when Python ends, where an error would be a traceback
    except TamisError as error:
        _fail(str(error))
    except BrokenPipeError:  # the reader of the output has closed it: `tamis big.html | head -1`
        silence_stdout()
        sys.exit(1)
    except OSError as error:  # a full disk, a file that cannot be written
        where = f" {error.filename}" if error.filename else ""
        _fail(f"cannot write{where or ' the output'}: {(error.strerror or str(error)).lower()}")
    except KeyboardInterrupt:
        silence_stdout()
        os._exit(130)  # what shells expect of a program that Ctrl-C stopped


def _run() -> None:
    instruction = os.environ.get(_COMPLETE_VARIABLE)
    if instruction:
        from click.shell_completion import shell_complete  # noqa: PLC0415 (for completion alone)

        sys.exit(shell_complete(app, {}, "tamis", _COMPLETE_VARIABLE, instruction))
    try:
        # Not `app.main`, which turns Ctrl-C into an error of its own.
        with app.make_context("tamis", sys.argv[1:]) as context:
            app.invoke(context)
    except click.exceptions.Exit as end:
        sys.exit(end.exit_code)
    except click.UsageError as error:
        if type(error).__name__ == "NoArgsIsHelpError":
            error.show()
            sys.exit(error.exit_code)
        named = next((f"tamis {name}" for name in sys.argv[1:2] if name in _HOMES), "tamis")
        where = named if error.ctx is None else error.ctx.command_path
        message = error.format_message().rstrip(".").replace("valid integer range", "whole number")
        raise OptionError(f"{message.replace('valid float range', 'number')}; see {where} --help") from error
    sys.exit(0)


def _fail(message: str) -> None:
    silence_stdout()
    print_message(message)
    sys.exit(2)
