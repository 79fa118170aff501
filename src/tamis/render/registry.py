"""The formats by name: one entry for each, which the command line, the service, OpenAPI and batches read.

Importing this module loads no writer, so `tamis --help` can list the formats. To add a format, write its writer (a
function from `Content` and `RenderOptions` to `Rendered`) and add one entry here.
A program adds its own with `register_format`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING, Final, Literal

from tamis.errors import OptionError

if TYPE_CHECKING:
    from tamis.render.content import Content
    from tamis.render.options import RenderOptions
    from tamis.render.writer import Rendered

#: The names and aliases of the built-in formats, for type checkers. A test holds it to the registry.
FormatName = Literal["text", "txt", "markdown", "md", "html", "json", "xml", "tei", "csv"]
Writer = Callable[["Content", "RenderOptions"], "Rendered"]


@dataclass(frozen=True, slots=True)
class Format:
    """An output format.

    Attributes:
        name: what it is called everywhere.
        suffix: of its files, without the dot.
        media_types: as in HTTP; the first one is sent.
        writer: the function that writes an extraction, or where it is (``"module:name"``, imported on first use).
        aliases: other names that are accepted.
        summary: one line for a person.
    """

    name: str
    suffix: str
    media_types: tuple[str, ...]
    writer: "str | Writer"
    aliases: tuple[str, ...] = ()
    summary: str = ""

    @property
    def content_type(self) -> str:
        """The value of the HTTP header ``Content-Type``."""
        main = self.media_types[0]
        return f"{main}; charset=utf-8" if main.startswith("text/") else main

    def write(self, content: "Content", options: "RenderOptions") -> "Rendered":
        """Return an extraction in this format."""
        if not isinstance(self.writer, str):
            return self.writer(content, options)
        module, _, name = self.writer.partition(":")
        writer: Writer = getattr(import_module(module), name)
        return writer(content, options)


_FORMATS: Final[dict[str, Format]] = {
    entry.name: entry
    for entry in (
        Format("text", "txt", ("text/plain",), "tamis.render.outputs:write_text", ("txt",), "plain text"),
        Format(
            "markdown",
            "md",
            ("text/markdown",),
            "tamis.render.outputs:write_markdown",
            ("md",),
            "Markdown, with YAML front matter",
        ),
        Format("html", "html", ("text/html",), "tamis.render.outputs:write_html", (), "clean HTML"),
        Format("json", "json", ("application/json",), "tamis.render.outputs:write_json", (), "everything, as JSON"),
        Format(
            "xml",
            "xml",
            ("application/tei+xml", "application/xml"),
            "tamis.render.outputs:write_xml",
            ("tei",),
            "TEI XML",
        ),
        Format(
            "csv", "csv", ("text/csv",), "tamis.render.outputs:write_csv", (), "one line per page, for spreadsheets"
        ),
    )
}


def formats() -> tuple[Format, ...]:
    """Return all formats, in the order in which they are listed to people.

    >>> [entry.name for entry in formats()][:2]
    ['text', 'markdown']
    """
    return tuple(_FORMATS.values())


def get_format(name: str) -> Format:
    """Return the format with a name or an alias.

    >>> get_format("md").name
    'markdown'
    """
    if name in _FORMATS:
        return _FORMATS[name]
    for entry in _FORMATS.values():
        if name in entry.aliases:
            return entry
    known = list(_FORMATS)
    near = get_close_matches(name, known, n=1)
    hint = f"; did you mean {near[0]}?" if near else f"; there are {', '.join(known)}"
    raise OptionError(f"unknown format: {name}{hint}")


def register_format(entry: Format) -> None:
    """Add a format for as long as the program runs."""
    _FORMATS[entry.name] = entry


def unregister_format(name: str) -> None:
    """Remove a format that `register_format` added."""
    _FORMATS.pop(name, None)
