"""What the command writes for each page: text, one file of records, a file per page, one field, chunks."""

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import typer

from tamis.cli.bundle import Bundle
from tamis.cli.fields import field_lines, field_value
from tamis.cli.output import Destination, Folder
from tamis.render.registry import Format

if TYPE_CHECKING:
    from tamis.api import Extraction
    from tamis.render.chunks import ChunkFormat
    from tamis.sources import Source

# ruff: noqa: PLC0415 (writers load where they are used, not for --help)


class PageWriter(Protocol):
    """Writes pages one by one."""

    def add(self, source: "Source", extraction: "Extraction") -> bool:
        """Write a page; return whether there was anything to write."""

    def close(self) -> None:
        """Write what follows the last page."""


def rendered_text(extraction: "Extraction", format: Format) -> str:  # noqa: A002 (the field's word)
    """Return a page in a format, with a line end."""
    # Plain text without positions has a faster writer, see `tamis.render.row_text`.
    text = extraction.text if format.name == "text" else ""
    text = text or extraction.render(format).text  # an index page has no text, but links
    return text.rstrip("\n") + "\n" if text else ""


def json_text(extraction: "Extraction", name: str, *, indent: int | None = None) -> str:
    """Return the record of a page, with its name on the command line."""
    from tamis.render.json import as_dict

    record = as_dict(extraction, extraction.render_options, file=name)
    return json.dumps(record, ensure_ascii=False, indent=indent) + "\n"


@dataclass
class OnePage:
    """Writes a page as it is."""

    destination: Destination
    format: Format

    def add(self, source: "Source", extraction: "Extraction") -> bool:
        """Write a page."""
        is_json = self.format.name == "json"
        self.destination.write(
            json_text(extraction, source.name, indent=2) if is_json else rendered_text(extraction, self.format)
        )
        return True

    def close(self) -> None:
        """Close the file."""
        self.destination.close()


@dataclass
class FilePerPage:
    """Writes each page to a file of its own in a folder."""

    folder: Folder
    format: Format

    def add(self, source: "Source", extraction: "Extraction") -> bool:
        """Write a page."""
        file = OnePage(self.folder.new_file(source.stem, self.format), self.format)
        file.add(source, extraction)
        file.close()
        return True

    def close(self) -> None:
        """Do nothing: all files are closed."""


@dataclass
class JsonLines:
    """Writes a line of JSON per page."""

    destination: Destination

    def add(self, source: "Source", extraction: "Extraction") -> bool:
        """Write a page."""
        self.destination.write(json_text(extraction, source.name))
        return True

    def close(self) -> None:
        """Close the file."""
        self.destination.close()


@dataclass
class OneTable:
    """Writes all pages as one table, when the last one is read."""

    destination: Destination
    format: Format

    def __post_init__(self) -> None:
        self._rows: list[tuple[Extraction, str]] = []

    def add(self, source: "Source", extraction: "Extraction") -> bool:
        """Add a page."""
        self._rows.append((extraction, source.name))
        return True

    def close(self) -> None:
        """Write the table."""
        if self._rows:
            self.destination.write(self.format.write_table(self._rows))
        self.destination.close()


@dataclass
class SeveralPages:
    """Writes pages into one output that separates and names them."""

    bundle: Bundle
    format: Format

    def add(self, source: "Source", extraction: "Extraction") -> bool:
        """Write a page."""
        self.bundle.add(source.name, extraction, rendered_text(extraction, self.format))
        return True

    def close(self) -> None:
        """Write the end."""
        self.bundle.close()
        self.bundle.destination.close()


@dataclass
class OneField:
    """Writes one field of each page, a value per line; of several pages, after the name of the page."""

    destination: Destination
    field: str
    as_json: bool
    is_named: bool

    def add(self, source: "Source", extraction: "Extraction") -> bool:
        """Write the field of a page; a page without it is a line on stderr."""
        value = field_value(extraction, self.field)
        if value in (None, "", []):
            typer.echo(f"tamis: {source.name}: no {self.field}", err=True)
            return False
        prefix = f"{source.name}: " if self.is_named else ""
        lines = field_lines(value, as_json=self.as_json)
        self.destination.write("".join(f"{prefix}{line}\n" for line in lines))
        return True

    def close(self) -> None:
        """Close the file."""
        self.destination.close()


@dataclass
class Chunks:
    """Writes a line of JSON per chunk."""

    destination: Destination
    max_tokens: int
    format: "ChunkFormat"

    def add(self, source: "Source", extraction: "Extraction") -> bool:
        """Write the chunks of a page."""
        from tamis.render.chunks import chunk_values

        ids = {part: number for number, part in enumerate(extraction.document)}
        page = {"file": source.name, "url": extraction.url, "title": extraction.title}
        for chunk in extraction.chunks(self.max_tokens, format=self.format):
            self.destination.write(json.dumps(page | chunk_values(chunk, ids), ensure_ascii=False) + "\n")
        return True

    def close(self) -> None:
        """Close the file."""
        self.destination.close()
