"""The output formats by name. The command line, the HTTP service, OpenAPI and batch jobs all read this table.

To add a format, write its writer (a function that takes `Content` and `RenderOptions` and returns `Rendered`) and add
one entry to `_BUILT_IN`. A program adds its own format with `register_format`; an installed package adds one with an
entry point of the group ``tamis.formats`` that names a `Format`.

Importing this module loads no writer, so that ``tamis --help`` stays fast.
"""

import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import field, fields, replace
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Final, Literal, TypedDict, Unpack, cast

from tamis.errors import OptionError, UnknownNameError
from tamis.html.text import clean_url
from tamis.lazy import dataclass
from tamis.reprs import value_repr

if TYPE_CHECKING:
    from tamis.document.parts import Part
    from tamis.document.warnings import ContentWarning
    from tamis.render.content import Content

# `TextBuffer`: text that is written front to back, and `Rendered`, with the position of each part.


@dataclass(frozen=True, slots=True, eq=False)
class Rendered:
    """An output, and where each part of the document is in it.

    Attributes:
        text: the output.
        spans: the range of each part: ``text[slice(*spans[part])]``.
        warnings: the limits of `tamis.Limits` that cut the output.
        margins: of parts inside of others, the characters that each of their lines begins with.
    """

    text: str
    spans: "dict[Part, tuple[int, int]]" = field(repr=False)
    warnings: "tuple[ContentWarning, ...]" = ()
    margins: "dict[Part, int]" = field(default_factory=dict, repr=False)
    __repr__ = value_repr

    def text_of(self, part: "Part") -> str:
        """Return the text of a part in this output; an empty string if the part was left out."""
        start, stop = self.spans.get(part, (0, 0))
        return self.text[start:stop]

    def own_text(self, part: "Part") -> str:
        """Return the text of a part without the margins of what it is in."""
        text, margin = self.text_of(part), self.margins.get(part)
        if not margin or "\n" not in text:
            return text
        first, *rest = text.split("\n")
        return "\n".join([first, *(line[margin:] for line in rest)])


#: Line ends between two lines, and between two paragraphs.
LINE: Final = 1
PARAGRAPH: Final = 2


@dataclass(slots=True)
class _Margin:
    """What lines begin with: the first line and all lines after it.

    Attributes:
        rest: what lines after the first begin with, the margins around this one included.
        first: what the first line begins with after those margins.
    """

    rest: str
    first: str
    started: bool = False


@dataclass(slots=True)
class _OpenPart:
    """A part that is being written: how many margins are around it, and where it starts (-1: not yet)."""

    part: "Part"
    depth: int
    start: int = -1


@dataclass(slots=True)
class TextBuffer:
    r"""Text with margins. Line ends are written lazily, so that an output never ends with blank lines.

    `part` and `margin` are for ``with`` statements; what is opened last is closed first.

    >>> buffer = TextBuffer()
    >>> with buffer.margin("> "):
    ...     buffer.write("one\ntwo")
    >>> buffer.text
    '> one\n> two'

    Attributes:
        spans: the start and stop offset of each part that was written.
        margins: the length of the margins around each part that has some.
    """

    spans: "dict[Part, tuple[int, int]]" = field(default_factory=dict)
    margins: "dict[Part, int]" = field(default_factory=dict)
    _pieces: list[str] = field(default_factory=list)
    _length: int = 0
    _margins: list[_Margin] = field(default_factory=list)
    _open: "list[_Margin | _OpenPart]" = field(default_factory=list)
    _line_ends: int = 0  # to be written before the next text
    _waiting: list[_OpenPart] = field(default_factory=list)  # parts that have begun and have no text yet
    _check_time: Callable[[], None] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        from tamis.page.deadline import check_time  # noqa: PLC0415 (loads NumPy, and --help reads this module)

        self._check_time = check_time

    @property
    def text(self) -> str:
        """The text so far."""
        return "".join(self._pieces)

    def rendered(self) -> Rendered:
        """Return the text and the positions of the parts."""
        return Rendered(self.text, self.spans, margins=self.margins)

    def part(self, part: "Part") -> "TextBuffer":
        """Record where a part begins and ends. A part without text is not recorded."""
        opened = _OpenPart(part, len(self._margins))
        self._open.append(opened)
        self._waiting.append(opened)
        return self

    def margin(self, rest: str, first: str | None = None) -> "TextBuffer":
        """Begin lines with a margin, the first line with `first` if it is given."""
        outer = self._margins[-1].rest if self._margins else ""
        margin = _Margin(outer + rest, rest if first is None else first)
        self._margins.append(margin)
        self._open.append(margin)
        return self

    def __enter__(self) -> None:
        """Begin what `part` or `margin` has opened."""

    def __exit__(self, *_: object) -> None:
        opened = self._open.pop()
        if isinstance(opened, _Margin):
            self._margins.pop()
        elif opened.start >= 0:
            self.spans[opened.part] = (opened.start, self._length)
        else:
            self._waiting.pop()

    def gap(self, line_ends: int) -> None:
        """Put at least this many line ends before the next text."""
        self._line_ends = max(self._line_ends, line_ends)

    def write(self, text: str) -> None:
        """Write text of one or several lines."""
        if "\n" not in text:
            self.raw(text)
            return
        for number, line in enumerate(text.split("\n")):
            if number:
                self._line_ends += 1
            if line:
                self.raw(line)

    def raw(self, text: str) -> None:
        """Write text verbatim on the current line."""
        if not text:
            return
        self._check_time()
        if self._line_ends or not self._length:
            if self._margins:
                self._begin_line()
            elif self._length:
                self._append("\n" * self._line_ends)
            self._line_ends = 0
        if self._waiting:
            for opened in self._waiting:
                self._start(opened, self._length)
            self._waiting = []
        self._pieces.append(text)
        self._length += len(text)

    def _begin_line(self) -> None:
        """End the line, leave blank lines, and write the margins of the next one."""
        margins = self._margins
        new = len(margins)  # the first margin that begins here: an inner one never begins before an outer one
        while new and not margins[new - 1].started:
            new -= 1
        rest = margins[new - 1].rest if new else ""
        if self._length:
            # A margin that has started continues through blank lines; one that is about to start does not.
            self._append(f"\n{rest.rstrip()}" * (self._line_ends - 1) + "\n")
        # Parts wait in the order of their depth: each starts before the first margin inside of it that begins here.
        waiting, started, position, pieces = self._waiting, 0, self._length + len(rest), [rest]
        for depth in range(new, len(margins)):
            while started < len(waiting) and waiting[started].depth <= depth:
                self._start(waiting[started], position)
                started += 1
            margins[depth].started = True
            pieces.append(margins[depth].first)
            position += len(margins[depth].first)
        if started:
            self._waiting = waiting[started:]
        self._append("".join(pieces))

    def _start(self, opened: _OpenPart, position: int) -> None:
        """Start a part that has waited for text."""
        opened.start = position
        if opened.depth:
            self.margins[opened.part] = len(self._margins[opened.depth - 1].rest)

    def _append(self, text: str) -> None:
        self._pieces.append(text)
        self._length += len(text)


# `RenderOptions`: what an output shows. They never change what was selected.

Structure = Literal["rebuilt", "original"]
STRUCTURES: Final = ("rebuilt", "original")
Replies = Literal["quotes", "list"]
REPLIES: Final = ("quotes", "list")
CONTENTS: Final = ("markdown", "html", "xml")  #: formats that JSON can contain besides the text
_NAMED: Final = {"structure": STRUCTURES, "replies": REPLIES}


class ContentKeywords(TypedDict, total=False):
    """The keywords of `RenderOptions`, for type checkers. A test holds them to its attributes."""

    links: bool
    images: bool
    tables: bool
    comments: bool
    with_metadata: bool
    provenance: bool
    structure: Structure
    title: bool | None
    contents: "str | Sequence[str]"
    facts: bool
    clean_urls: bool
    replies: Replies


class RenderKeywords(ContentKeywords, total=False):
    """The keywords of `RenderOptions`: those of contents, and those of chunks."""

    max_tokens: int | None
    overlap: int


@dataclass(frozen=True, slots=True)
class RenderOptions:
    """What an output shows, as an immutable value.

    >>> RenderOptions(links=False).replace(images=False)
    RenderOptions(links=False, images=False, tables=True, comments=False, with_metadata=False, provenance=False,
    structure='rebuilt', title=None, contents=(), facts=True,
    clean_urls=True, replies='quotes', max_tokens=None, overlap=0)

    Attributes:
        links: write the URLs of links; without, their text alone.
        images: write images.
        tables: write data tables.
        comments: write readers' comments after the content.
        with_metadata: begin with the page's metadata.
        provenance: JSON locates every part in the page's source and in each output.
        structure: ``"rebuilt"`` writes HTML from the document; ``"original"`` keeps the page's own elements around
            the content, with classes and ids, sanitized.
        title: begin with the page's title, as a heading of level 1, unless the content does already. None is the
            default of each format: Markdown, HTML and XML, which people read, have it; plain text, which programs
            compare and count, has the selected text alone.
        contents: the formats that JSON contains besides the text: ``"markdown"``, or ``("markdown", "html")``.
        facts: Markdown has the facts of a product, a recipe or an event that the content lacks, after the title.
        clean_urls: write links without the parameters that track readers (``utm_source``, ``fbclid`` …).
        replies: Markdown writes the posts that answer another one as quotations in it, or all posts as a nested list.
        max_tokens: JSON has the content in chunks of at most this many tokens besides the text.
        overlap: how many tokens of a chunk the next one repeats.
    """

    links: bool = True
    images: bool = True
    tables: bool = True
    comments: bool = False
    with_metadata: bool = False
    provenance: bool = False
    structure: Structure = "rebuilt"
    title: bool | None = None
    contents: str | Sequence[str] = ()
    facts: bool = True
    clean_urls: bool = True
    replies: Replies = "quotes"
    max_tokens: int | None = None
    overlap: int = 0

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            if each.name in _NAMED:
                if value not in _NAMED[each.name]:
                    raise UnknownNameError.among(each.name, value, _NAMED[each.name])
            elif each.name == "contents":
                object.__setattr__(self, "contents", _read_contents(value))
            elif each.name in {"max_tokens", "overlap"}:
                self._check_tokens(each.name, value)
            elif not isinstance(value, bool) and not (each.name == "title" and value is None):
                raise OptionError(f"{each.name} must be True or False, not {value!r}")

    def _check_tokens(self, name: str, value: object) -> None:
        if name == "max_tokens" and value is None:
            return
        if not isinstance(value, int) or isinstance(value, bool) or value < (name == "max_tokens"):
            raise OptionError(f"{name} must be a number of tokens, not {value!r}")
        if name == "overlap" and value >= (self.max_tokens or 1):
            raise OptionError(f"overlap must be below max_tokens, not {value}")

    def replace(self, **changes: "Unpack[RenderKeywords]") -> "RenderOptions":
        """Return these options with some changed.

        >>> RenderOptions(title=False).replace(title=None).title is None
        True
        """
        return replace(self, **changes) if changes else self

    def url(self, href: str) -> str:
        """Return the URL of a link as it is written."""
        return clean_url(href) if self.clean_urls else href

    def shows_title(self, *, default: bool = True) -> bool:
        """Return whether an output begins with the title; `default` is that of its format."""
        return default if self.title is None else self.title


def _read_contents(value: object) -> tuple[str, ...]:
    names = (value,) if isinstance(value, str) else value
    if not isinstance(names, (tuple, list)):
        raise OptionError(f"contents must be names of formats, not {value!r}")
    for name in names:
        if name not in CONTENTS:
            raise UnknownNameError.among("content of JSON", name, CONTENTS)
    return tuple(dict.fromkeys(names))


DEFAULT: Final = RenderOptions()


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
