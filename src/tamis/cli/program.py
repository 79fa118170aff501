"""The program ``tamis``: how it starts, and how errors are reported.

typer builds a validator for each parameter of each command, with pydantic: that takes longer than to read a page. So
calls with plain flags, and with none, do without it.
"""

import os
import sys
from typing import Any, Final

from tamis.cli.output import print_message, silence_stdout, stdin_is_piped
from tamis.errors import TamisError

#: The commands; a test compares them with those of `tamis.cli.app`.
COMMANDS: Final = frozenset({
    "extract", "batch", "explain", "learn", "pin", "check", "render", "feed", "schema", "eval", "compare", "serve",
    "mcp", "train",
})  # fmt: skip
#: Flags of `extract` without a value that `plain_arguments` knows, and their parameters.
_PLAIN_FLAGS: Final = {
    "--json": "as_json",
    "--markdown": "as_markdown",
    "--md": "as_markdown",
    "--html": "as_html",
    "--with-metadata": "with_metadata",
    "--quiet": "quiet",
    "-q": "quiet",
    "--verbose": "verbose",
    "-v": "verbose",
}
#: Those with a value, which is the next argument.
_PLAIN_VALUES: Final = {
    "--output": "output",
    "-o": "output",
    "--format": "format",
    "-f": "format",
    "--extractor": "extractor",
    "-e": "extractor",
    "--field": "field",
    "--url": "url",
}


def plain_arguments(arguments: list[str]) -> dict[str, Any] | None:
    """Return the parameters of `extract` for pages with plain flags; None for anything else, which typer parses.

    >>> plain_arguments(["page.html", "--md", "-o", "page.md"])
    {'pages': ['page.html'], 'as_markdown': True, 'output': 'page.md'}
    >>> plain_arguments(["page.html", "--favor", "recall"]), plain_arguments(["serve"])
    (None, None)
    """
    if any(name.startswith("_") and name.endswith("_COMPLETE") for name in os.environ):
        return None  # a shell asks for completions
    pages: list[str] = []
    given: dict[str, Any] = {}
    rest = iter(arguments)
    for argument in rest:
        if argument in _PLAIN_FLAGS:
            given[_PLAIN_FLAGS[argument]] = True
        elif argument in _PLAIN_VALUES:
            value = next(rest, "")
            if not value or (value.startswith("-") and value != "-"):
                return None
            given[_PLAIN_VALUES[argument]] = value
        elif (argument.startswith("-") and argument != "-") or not argument:
            return None
        else:
            pages.append(argument)
    if (arguments and arguments[0] in COMMANDS) or not (pages or stdin_is_piped()):
        return None
    return {"pages": pages or None, **given}


# ruff: noqa: PLC0415 (each of the two ways imports what it needs)
def _run() -> None:
    plain = plain_arguments(sys.argv[1:])
    if plain is None:
        from tamis.cli.app import app

        app()
        return
    from tamis.cli.extraction import Arguments, extract_pages

    sys.exit(extract_pages(Arguments(**plain)))


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


def _fail(message: str) -> None:
    silence_stdout()
    print_message(message)
    sys.exit(2)
