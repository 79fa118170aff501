"""What one page becomes in each output, and where the results of pages go."""

import json
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, Protocol

from tamis.cli.output import PARQUET, Destination, Folder, writing
from tamis.errors import UnknownNameError
from tamis.lazy import dataclass
from tamis.render.registry import Format, get_format

if TYPE_CHECKING:
    from collections.abc import Callable

    from tamis.api import Extraction
    from tamis.batch.rows import Row, RowOptions
    from tamis.cli.run import PageJob
    from tamis.render.registry import RenderOptions
    from tamis.sources import Source

# ruff: noqa: PLC0415 (NumPy, the parser and extras load where a page is read or written, not for --help)

# ``--field``: one value of a page.

_OUTPUTS: Final = ("text", "markdown", "html", "xml")
_VALUES: Final = ("extractor", "encoding", "confidence", "page_type_probability")
_LISTS: Final = ("links", "images", "warnings")


def field_names() -> list[str]:
    """Return the names that ``--field`` accepts: the fields of the metadata, and values of the JSON output."""
    from tamis.metadata.fields import FIELDS

    return [*(field.name for field in FIELDS), *_VALUES, *_OUTPUTS, *_LISTS]


def check_field(name: str) -> None:
    """Raise an `OptionError` for an unknown field."""
    names = field_names()
    if name not in names:
        raise UnknownNameError.among("field", name, names)


def field_value(extraction: "Extraction", name: str, options: "RenderOptions") -> Any:  # noqa: ANN401 (any JSON value)
    """Return a field as a JSON value; None or an empty value if the page has none."""
    if name in _OUTPUTS:
        return (
            extraction.plain_text(options).text
            if name == "text"
            else extraction.render_with(get_format(name), options).text
        )
    if name in _LISTS:
        from tamis.render.json import as_dict

        return as_dict(extraction, options)[name]
    if name == "title":
        return extraction.title
    if name in _VALUES:
        return extraction.page.encoding if name == "encoding" else getattr(extraction, name)
    return extraction.metadata.as_dict()[name]


def field_lines(value: Any, *, as_json: bool) -> list[str]:  # noqa: ANN401 (any JSON value)
    """Return the lines that show a value: the items of a list one by one, links and images by their URL.

    >>> field_lines(["Ann", "Bo"], as_json=False), field_lines(["Ann", "Bo"], as_json=True)
    (['Ann', 'Bo'], ['["Ann", "Bo"]'])
    """
    if as_json:
        return [json.dumps(value, ensure_ascii=False)]
    if isinstance(value, list):
        return [_line(item) for item in value]
    return [] if value is None else str(value).rstrip("\n").split("\n")


def _line(item: Any) -> str:  # noqa: ANN401 (any JSON value)
    if not isinstance(item, dict):
        return str(item)
    return str(item.get("url") or f"{item.get('type')}: {item.get('reason')}")


# Several pages in one output: how each format separates and names them.


class Bundle:
    """Pages one after the other, each below a line with its name, as ``head`` prints files.

    Attributes:
        separator: what is written between two pages.
        end: what is written after the last page.
    """

    separator: ClassVar[str] = "\n"
    end: ClassVar[str] = ""

    @staticmethod
    def start() -> str:
        """Return what is written before the first page."""
        return ""

    @staticmethod
    def wrap(name: str, extraction: "Extraction", text: str, options: "RenderOptions") -> str:  # noqa: ARG004 (other formats need it)
        """Return a page with its name."""
        return f"==> {name} <==\n{text}"


class MarkdownBundle(Bundle):
    """Pages after a comment with their name, a rule between them."""

    separator = "\n---\n\n"

    @staticmethod
    def wrap(name: str, extraction: "Extraction", text: str, options: "RenderOptions") -> str:  # noqa: ARG004 (other formats need it)
        """Return a page with its name."""
        return f"<!-- {_comment(name)} -->\n\n{text}"


class HtmlBundle(Bundle):
    """An ``article`` per page, with its name, its URL, and its metadata as microdata if the options ask for it."""

    @staticmethod
    def wrap(name: str, extraction: "Extraction", text: str, options: "RenderOptions") -> str:
        """Return a page in its element."""
        from html import escape

        data = f' data-source="{escape(name)}"' + (f' data-url="{escape(extraction.url)}"' if extraction.url else "")
        if not options.with_metadata:
            return f"<article{data}>{text.strip()}</article>\n"
        from tamis.render.front_matter import shown_fields

        values = [
            f'<meta itemprop="{field}" content="{escape(str(item))}">'
            for field, value in shown_fields(extraction.metadata).items()
            for item in (value if isinstance(value, list) else [value])
        ]
        body = extraction.render_with("html", options.replace(with_metadata=False)).text
        return f"<article itemscope{data}>{''.join(values)}{body}</article>\n"


class XmlBundle(Bundle):
    """A ``teiCorpus`` with a ``TEI`` per page; ``n`` is its name."""

    end = "</teiCorpus>\n"

    @staticmethod
    def start() -> str:
        """Return the header of the corpus."""
        from tamis.metadata.fields import Metadata
        from tamis.render.xml import tei_header

        header = tei_header(Metadata(title="Web pages"))
        return f'<?xml version="1.0" encoding="UTF-8"?>\n<teiCorpus xmlns="{_TEI}">{header}\n'

    @staticmethod
    def wrap(name: str, extraction: "Extraction", text: str, options: "RenderOptions") -> str:  # noqa: ARG004 (other formats need it)
        """Return a page without its XML declaration."""
        from html import escape

        return f'<TEI n="{escape(name)}">' + text.partition(f'<TEI xmlns="{_TEI}">')[2]


_TEI: Final = "http://www.tei-c.org/ns/1.0"
_BUNDLES: Final = {"markdown": MarkdownBundle, "html": HtmlBundle, "xml": XmlBundle}


def bundle_for(format_name: str) -> Bundle:
    """Return how a format separates and names pages."""
    return _BUNDLES.get(format_name, Bundle)()


def _comment(name: str) -> str:
    """Return a name without what ends a comment."""
    return name.replace("--", "- -").replace(">", "")


# What one page becomes in each output. A worker process calls these.

#: page: a page as it is. bundle: one of several in one output. line: JSON in one line. row: a row, of JSON Lines, CSV
#: or Parquet. table: the page itself, for a format that writes all pages at once. field, chunks: what options name.
PageEncoding = Literal["page", "bundle", "line", "row", "table", "field", "chunks"]
#: Text, a row, or a page.
Encoded = Any


def encode(job: "PageJob", name: str, extraction: "Extraction") -> Encoded:
    """Return what is written for a page; None if there is nothing."""
    return _ENCODERS[job.encoding](job, name, extraction)


def rendered_text(extraction: "Extraction", format_name: str, options: "RenderOptions") -> str:
    """Return a page in a format, with a line end."""
    # Plain text without positions has a faster writer, see `tamis.render.text`.
    text = extraction.plain_text(options).text if format_name == "text" else ""
    # An index page has no text, but links.
    text = text or extraction.render_with(get_format(format_name), options).text
    return text.rstrip("\n") + "\n" if text else ""


def _json(job: "PageJob", extraction: "Extraction", name: str, *, one_line: bool) -> str:
    """Return the record of a page, with its name on the command line."""
    from tamis.render.json import as_dict, dumps_json, json_lines
    from tamis.render.registry import Rendered

    write = dumps_json if one_line else json_lines
    options = job.render_options
    return (
        extraction.within_limits(
            "json", lambda part: Rendered(write(as_dict(part, options, file=name)), {}), options
        ).text
        + "\n"
    )


def _page(job: "PageJob", name: str, extraction: "Extraction") -> str:
    if job.format == "json":
        return _json(job, extraction, name, one_line=False)
    return rendered_text(extraction, job.format, job.render_options)


def _encoded_line(job: "PageJob", name: str, extraction: "Extraction") -> str:
    return _json(job, extraction, name, one_line=True)


def _bundle(job: "PageJob", name: str, extraction: "Extraction") -> str:
    text = rendered_text(extraction, job.format, job.render_options)
    return bundle_for(job.format).wrap(name, extraction, text, job.render_options)


def _row(job: "PageJob", name: str, extraction: "Extraction") -> "Row":
    from tamis.batch.rows import fill_row
    from tamis.sources.records import Record

    assert job.rows is not None
    return fill_row(Record(name, extraction.url), extraction, job.rows)


def _table(_job: "PageJob", _name: str, extraction: "Extraction") -> "Extraction":
    return extraction


def _field(job: "PageJob", name: str, extraction: "Extraction") -> str | None:
    """Return one field of a page, a value per line; of several pages, after the name of the page."""
    assert job.field is not None
    value = field_value(extraction, job.field, job.render_options)
    if value in (None, "", []):
        return None
    prefix = f"{name}: " if job.several else ""
    return "".join(f"{prefix}{line}\n" for line in field_lines(value, as_json=job.format in {"json", "jsonl"}))


def _chunks(job: "PageJob", name: str, extraction: "Extraction") -> str:
    """Return a line of JSON per chunk."""
    from tamis.render.chunks import chunk_records

    assert job.chunks is not None
    chunks = extraction.chunks_with(
        job.render_options, job.chunks, format="text" if job.format == "text" else "markdown", overlap=job.overlap
    )
    records = chunk_records(chunks)
    return "".join(json.dumps({"file": name} | record, ensure_ascii=False) + "\n" for record in records)


_ENCODERS: "Final[dict[PageEncoding, Callable[[PageJob, str, Extraction], Encoded]]]" = {
    "page": _page,
    "bundle": _bundle,
    "line": _encoded_line,
    "row": _row,
    "table": _table,
    "field": _field,
    "chunks": _chunks,
}


# Where the results of pages go: one text, a file per page, a table.


class PageWriter(Protocol):
    """Writes pages one by one."""

    def add(self, source: "Source", content: "Encoded") -> None:
        """Write a page."""

    def close(self) -> None:
        """Write what follows the last page."""


@dataclass(eq=False, repr=False)
class OneText:
    """Writes pages into one output: as they are, or as a bundle that separates them.

    Attributes:
        destination: where they go.
        start: what is written before the first page.
        separator: what is written between two pages.
        end: what is written after the last page.
    """

    destination: Destination
    start: str = ""
    separator: str = ""
    end: str = ""

    def __post_init__(self) -> None:
        self._count = 0

    @classmethod
    def from_bundle(cls, destination: Destination, bundle: Bundle) -> "OneText":
        """Return the writer of several pages in a format."""
        return cls(destination, bundle.start(), bundle.separator, bundle.end)

    def add(self, source: "Source", content: str) -> None:  # noqa: ARG002 (other writers need it)
        """Write a page."""
        self.destination.write((self.separator if self._count else self.start) + content)
        self._count += 1

    def close(self) -> None:
        """Write the end, and close the file."""
        if self._count and self.end:
            self.destination.write(self.end)
        self.destination.close()


@dataclass(eq=False, repr=False)
class FilePerPage:
    """Writes each page to a file of its own in a folder."""

    folder: Folder
    suffix: str

    def add(self, source: "Source", content: str) -> None:
        """Write a page."""
        file = self.folder.new_file(source, self.suffix)
        file.write(content)
        file.close()

    def close(self) -> None:
        """Do nothing: all files are closed."""


@dataclass(eq=False, repr=False)
class OneTable:
    """Writes all pages by a format that needs all of them at once."""

    destination: Destination
    format: Format
    options: "RenderOptions"

    def __post_init__(self) -> None:
        self._pages: list[tuple[Extraction, str]] = []

    def add(self, source: "Source", content: "Extraction") -> None:
        """Add a page."""
        self._pages.append((content, source.name))

    def close(self) -> None:
        """Write the table."""
        if self._pages:
            self.destination.write(self.format.write_table(self._pages, self.options))
        self.destination.close()


class RowWriter:
    """Writes rows by a sink of `tamis.batch`. The first ones create the file; standard output gets each at once."""

    def __init__(self, destination: Destination, format_name: str, options: "RowOptions") -> None:
        from tamis.batch.sinks import CHUNK_ROWS, open_sink

        self._sink, self._name = open_sink(destination.path, options, format_name), destination.name
        self._chunk_rows = CHUNK_ROWS if destination.path is not None or format_name == PARQUET else 1
        self._rows: list[Encoded] = []
        self._is_open = False

    def add(self, source: "Source", content: "Row") -> None:  # noqa: ARG002 (other writers need it)
        """Add a row."""
        self._rows.append(content)
        if len(self._rows) == self._chunk_rows:
            self._write()

    def close(self) -> None:
        """Write the last rows and complete the file."""
        if self._rows:
            self._write()
        if not self._is_open:
            return
        try:
            with writing(self._name):
                self._sink.finish()
        finally:
            self._sink.clean()
            self._sink.close()

    def _write(self) -> None:
        with writing(self._name):
            if not self._is_open:
                self._sink.open(None)
                self._is_open = True
            self._sink.write(self._rows)
        self._rows.clear()
