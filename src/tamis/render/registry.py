"""The output formats by name. The command line, the HTTP service, OpenAPI and batch jobs all read this table.

To add a format, write its writer (a function that takes `Content` and `RenderOptions` and returns `Rendered`) and add
one entry to `_BUILT_IN`. A program adds its own format with `register_format`; an installed package adds one with an
entry point of the group ``tamis.formats`` that names a `Format`.

Importing this module loads no writer, so that ``tamis --help`` stays fast.
"""

import warnings
from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Final, Literal, cast

from tamis.errors import OptionError, UnknownNameError
from tamis.lazy import dataclass
from tamis.reprs import value_repr

if TYPE_CHECKING:
    from tamis.render.buffer import Rendered
    from tamis.render.content import Content
    from tamis.render.options import RenderOptions

#: The names and aliases of the built-in formats, for type checkers. A test holds it to the registry.
FormatName = Literal[
    "text", "txt", "markdown", "md", "html", "json", "xml", "tei", "csv", "jsonl", "ndjson",
    "bibtex", "bib", "csl", "csl-json",
]  # fmt: skip
Writer = Callable[["Content", "RenderOptions"], "Rendered"]
ENTRY_POINT_GROUP: Final = "tamis.formats"
TableWriter = Callable[["Iterable[tuple[Content, str | None]]", "RenderOptions"], str]


@dataclass(frozen=True, slots=True)
class Format:
    """An output format.

    Attributes:
        name: the name that every interface uses.
        suffix: the suffix of its files, without the dot.
        media_types: its media types in HTTP. The service sends the first one and accepts all of them.
        writer: the function that writes an extraction, or its name (``"module:function"``, imported on first use).
        aliases: other names that every interface accepts.
        summary: a short description for help texts.
        table_writer: the function that writes several extractions, each with a name, into one file. A format without
            one has a file for each page.
    """

    name: str
    suffix: str
    media_types: tuple[str, ...]
    writer: "str | Writer"
    aliases: tuple[str, ...] = ()
    summary: str = ""
    table_writer: "str | TableWriter | None" = None
    __repr__ = value_repr

    @property
    def names(self) -> tuple[str, ...]:
        """The name and the aliases."""
        return (self.name, *self.aliases)

    @property
    def content_type(self) -> str:
        """The value of the HTTP header ``Content-Type``."""
        media_type = self.media_types[0]
        return f"{media_type}; charset=utf-8" if media_type.startswith("text/") else media_type

    def write(self, content: "Content", options: "RenderOptions") -> "Rendered":
        """Return an extraction in this format."""
        writer = cast("Writer", _load(self.writer))
        return writer(content, options)

    def write_table(self, contents: "Iterable[tuple[Content, str | None]]", options: "RenderOptions") -> str:
        """Return several extractions, each with a name for a page without a URL, as one file."""
        if self.table_writer is None:
            raise OptionError(f"the format {self.name} has a file for each page")
        writer = cast("TableWriter", _load(self.table_writer))
        return writer(contents, options)


def _load(function: object) -> object:
    """Return a function, imported if its name is given."""
    if not isinstance(function, str):
        return function
    module, _, name = function.partition(":")
    return getattr(import_module(module), name)


_BUILT_IN: Final = (
    Format(
        name="text",
        aliases=("txt",),
        suffix="txt",
        media_types=("text/plain",),
        writer="tamis.render.document_text:write_text",
        summary="plain text",
    ),
    Format(
        name="markdown",
        aliases=("md",),
        suffix="md",
        media_types=("text/markdown",),
        writer="tamis.render.markdown:write_markdown",
        summary="CommonMark with tables, footnotes and formulas",
    ),
    Format(
        name="html",
        suffix="html",
        media_types=("text/html",),
        writer="tamis.render.html:write_html",
        summary="HTML without scripts and styles",
    ),
    Format(
        name="json",
        suffix="json",
        media_types=("application/json",),
        writer="tamis.render.json:write_json",
        summary="all values, see `tamis schema`",
    ),
    Format(
        name="xml",
        aliases=("tei",),
        suffix="xml",
        media_types=("application/tei+xml", "application/xml"),
        writer="tamis.render.xml:write_xml",
        summary="TEI XML",
    ),
    Format(
        name="csv",
        suffix="csv",
        media_types=("text/csv",),
        writer="tamis.render.csv:write_csv",
        table_writer="tamis.render.csv:render_csv",
        summary="a table with one row per page",
    ),
    Format(
        name="jsonl",
        aliases=("ndjson",),
        suffix="jsonl",
        media_types=("application/x-ndjson", "application/jsonl"),
        writer="tamis.render.json:write_json_line",
        table_writer="tamis.render.json:render_json_lines",
        summary="JSON Lines, one line per page",
    ),
    Format(
        name="bibtex",
        aliases=("bib",),
        suffix="bib",
        media_types=("application/x-bibtex",),
        writer="tamis.render.citation:write_bibtex",
        table_writer="tamis.render.citation:render_bibtex",
        summary="the citation, for BibTeX",
    ),
    Format(
        name="csl",
        aliases=("csl-json",),
        suffix="csl",
        media_types=("application/vnd.citationstyles.csl+json",),
        writer="tamis.render.citation:write_csl",
        table_writer="tamis.render.citation:render_csl",
        summary="the citation as CSL-JSON, for reference managers",
    ),
)
_FORMATS: Final[dict[str, Format]] = {entry.name: entry for entry in _BUILT_IN}


def formats() -> tuple[Format, ...]:
    """Return all formats, in the order in which help texts list them.

    >>> [entry.name for entry in formats()][:2]
    ['text', 'markdown']
    """
    _load_entry_points()
    return tuple(_FORMATS.values())


def get_format(name: str) -> Format:
    """Return the format with this name or alias.

    >>> get_format("md").name
    'markdown'
    """
    if not isinstance(name, str):
        raise OptionError(f"a format is a name or a tamis.Format, not {type(name).__name__}")
    for table in (_FORMATS.values, formats):  # entry points are searched only for names that are not known yet
        for entry in table():
            if name in entry.names:
                return entry
    raise UnknownNameError.among("format", name, [known for entry in formats() for known in entry.names])


def register_format(entry: Format) -> None:
    """Add a format to this process. Its name and aliases must be new."""
    if not isinstance(entry, Format):
        raise OptionError(f"register_format takes a tamis.Format, not {type(entry).__name__}")
    taken = {name for known in _FORMATS.values() for name in known.names}
    for name in entry.names:
        if name in taken:
            raise OptionError(f"there is already a format {name}")
    _FORMATS[entry.name] = entry


@cache
def _load_entry_points() -> None:
    """Register the formats of installed packages, once. A broken package is a warning: it stops no other format."""
    from importlib.metadata import entry_points  # noqa: PLC0415 (only where formats are listed)

    for entry_point in entry_points(group=ENTRY_POINT_GROUP):
        try:
            entry = entry_point.load()
            if not isinstance(entry, Format):
                raise TypeError(f"{entry_point.value} is not a Format")  # noqa: TRY301 (reported below)
            register_format(entry)
        except Exception as error:  # noqa: BLE001 (a package may do anything when it is imported)
            warnings.warn(f"cannot load the format {entry_point.name}: {error}", RuntimeWarning, stacklevel=2)


def unregister_format(name: str) -> None:
    """Remove a format that `register_format` added; an unknown name is ignored."""
    if name not in {entry.name for entry in _BUILT_IN}:
        _FORMATS.pop(name, None)
