"""Where the results of pages go: one text, a file per page, a table. See `tamis.cli.encoders` for what they hold."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from tamis.cli.bundle import Bundle
from tamis.cli.output import Destination, Folder, cannot_write
from tamis.errors import MissingExtraError
from tamis.render.registry import Format

if TYPE_CHECKING:
    from typing import IO

    from tamis.api import Extraction
    from tamis.batch.sinks.parquet import ParquetFile
    from tamis.cli.encoders import Encoded
    from tamis.sources import Source

# ruff: noqa: PLC0415 (pyarrow is an extra; writers load where they are used, not for --help)

_ROWS_PER_GROUP: Final = 200  #: pages of Parquet in memory at once


class PageWriter(Protocol):
    """Writes pages one by one."""

    def add(self, source: "Source", content: "Encoded") -> None:
        """Write a page."""

    def close(self) -> None:
        """Write what follows the last page."""


@dataclass
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


@dataclass
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


@dataclass
class OneTable:
    """Writes all pages by a format that needs all of them at once."""

    destination: Destination
    format: Format

    def __post_init__(self) -> None:
        self._pages: list[tuple[Extraction, str]] = []

    def add(self, source: "Source", content: "Extraction") -> None:
        """Add a page."""
        self._pages.append((content, source.name))

    def close(self) -> None:
        """Write the table."""
        if self._pages:
            self.destination.write(self.format.write_table(self._pages))
        self.destination.close()


class ParquetTable:
    """Writes pages into a Parquet file, some at a time. Without pages there is no file."""

    def __init__(self, path: Path | None, include: tuple[str, ...]) -> None:
        try:
            import pyarrow  # noqa: F401, ICN001 (an extra; missing ones are reported at once)
        except ImportError as error:
            raise MissingExtraError.for_module("pyarrow", "parquet") from error
        self._path, self._include = path, include
        self._rows: list[dict[str, Any]] = []
        self._file: ParquetFile | None = None

    def add(self, source: "Source", content: dict[str, Any]) -> None:  # noqa: ARG002 (other writers need it)
        """Add a page."""
        self._rows.append(content)
        if len(self._rows) >= _ROWS_PER_GROUP:
            self._write()

    def close(self) -> None:
        """Write the last pages and close the file."""
        if self._rows:
            self._write()
        if self._file is not None:
            self._file.close()

    def _write(self) -> None:
        import pyarrow as pa

        from tamis.batch.schema import page_schema
        from tamis.batch.sinks.parquet import ParquetFile

        schema = page_schema(self._include)
        target: Path | IO[bytes] = self._path or sys.stdout.buffer
        try:
            self._file = self._file or ParquetFile(target, schema)
            self._file.write(pa.Table.from_pylist(self._rows, schema))
        except BrokenPipeError:
            raise
        except OSError as error:
            raise cannot_write(str(self._path or "standard output"), error) from error
        self._rows = []
