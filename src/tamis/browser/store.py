"""Layouts on disk, so that a page is rendered once and measured any number of times without a browser.

A folder has one Parquet file per page. The file name ends in the fingerprint of the page's rows. So a layout is found
by the page's content, wherever its file is moved or renamed, and never attached to another page.
"""

import hashlib
import json
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from tamis.errors import SourceError, needs_extra
from tamis.page import Page
from tamis.page.layout import LAYOUT_COLUMNS, Layout, with_layout

#: Key of the schema metadata that holds what belongs to the whole page, as JSON.
_METADATA_KEY: Final = b"tamis"
_FILE_NAME: Final = re.compile(r".*\.([0-9a-f]{24})\.parquet")


def fingerprint(page: Page) -> str:
    """Return a digest of the page's rows: their node types, tags and texts.

    >>> from tamis.page import parse_page
    >>> fingerprint(parse_page("<p>Tea")) == fingerprint(parse_page(b"<p>Tea</p>"))
    True
    """
    digest = hashlib.sha256(page.node_type.tobytes())
    digest.update(page.tag.tobytes())
    digest.update(page.text.encode())
    return digest.hexdigest()[:24]


def save_layout(folder: Path, stem: str, page: Page, layout: Layout) -> Path:
    """Write the layout of a page into a folder and return the file's path."""
    parquet, arrow = _import_parquet()
    metadata = {
        "rows": len(layout),
        "width": layout.width,
        "height": layout.height,
        "viewport": list(layout.viewport),
        "unmatched": layout.unmatched,
    }
    table = arrow.table(layout.columns()).replace_schema_metadata({_METADATA_KEY: json.dumps(metadata).encode()})
    path = folder / f"{stem}.{fingerprint(page)}.parquet"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        parquet.write_table(table, path, compression="zstd")
    except OSError as error:
        raise SourceError(f"cannot write {path}: {(error.strerror or str(error)).lower()}") from error
    return path


def load_layout(path: Path) -> Layout:
    """Read a layout from a file."""
    parquet, arrow = _import_parquet()
    try:
        table = parquet.read_table(path)
        metadata = json.loads(table.schema.metadata[_METADATA_KEY])
        columns: dict[str, Any] = {
            name: table.column(name).to_numpy().astype(dtype, copy=False) for name, dtype in LAYOUT_COLUMNS.items()
        }
        width, height, unmatched = (int(metadata[name]) for name in ("width", "height", "unmatched"))
        viewport_width, viewport_height = metadata["viewport"]
    except (OSError, KeyError, TypeError, ValueError, arrow.ArrowException) as error:
        raise SourceError(f"{path} does not hold a layout: {error}") from error
    return Layout(
        **columns, width=width, height=height, viewport=(viewport_width, viewport_height), unmatched=unmatched
    )


@dataclass(frozen=True)
class LayoutFolder:
    """A folder of saved layouts, listed when the first page is looked up."""

    path: Path

    @cached_property
    def _files(self) -> dict[str, Path]:
        """The files by fingerprint."""
        if not self.path.is_dir():
            raise SourceError(f"no such folder of layouts: {self.path}")
        matches = ((_FILE_NAME.fullmatch(file.name), file) for file in sorted(self.path.iterdir()))
        return {match[1]: file for match, file in matches if match}

    def __contains__(self, page: Page) -> bool:
        return fingerprint(page) in self._files

    def attach(self, page: Page) -> Page:
        """Return the page with its saved layout.

        Raises:
            SourceError: the folder has no layout of this page. The message says how to make one.
        """
        file = self._files.get(fingerprint(page))
        if file is None:
            raise SourceError(
                f"{self.path} has no layout of this page; make one with: tamis render PAGES -o {self.path}"
            )
        return with_layout(page, load_layout(file))


def _import_parquet() -> tuple[Any, Any]:
    with needs_extra("pyarrow", "browser"):
        import pyarrow as pa  # noqa: PLC0415 (an extra)
        from pyarrow import parquet  # noqa: PLC0415
    return parquet, pa
