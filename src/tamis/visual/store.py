"""Layout on disk, so that a page is rendered once and measured as often as one likes, without a browser.

A folder has one Parquet file a page. Its name ends in the fingerprint of the page's rows, so boxes are found by what
the page is and never given to another one, wherever its file is moved or renamed.
"""

import hashlib
import json
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from tamis.errors import MissingExtraError, SourceError
from tamis.page import Page
from tamis.page.layout import COLUMNS, Layout, with_layout

#: What a file says about the whole page, beside its columns.
_ABOUT: Final = b"tamis"
_NAME: Final = re.compile(r".*\.([0-9a-f]{24})\.parquet")


def fingerprint(page: Page) -> str:
    """Return what tells a page's rows from those of any other page: their kinds, tags and texts.

    >>> from tamis.page import parse_page
    >>> fingerprint(parse_page("<p>Tea")) == fingerprint(parse_page(b"<p>Tea</p>"))
    True
    """
    digest = hashlib.sha256(page.node_type.tobytes())
    digest.update(page.tag.tobytes())
    digest.update(page.text.encode())
    return digest.hexdigest()[:24]


def save_layout(folder: Path, stem: str, page: Page, layout: Layout) -> Path:
    """Write the boxes of a page into a folder and return the file."""
    parquet, arrow = _parquet()
    about = {
        "rows": len(layout),
        "width": layout.width,
        "height": layout.height,
        "viewport": list(layout.viewport),
        "unmatched": layout.unmatched,
    }
    table = arrow.table(layout.columns()).replace_schema_metadata({_ABOUT: json.dumps(about).encode()})
    path = folder / f"{stem}.{fingerprint(page)}.parquet"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        parquet.write_table(table, path, compression="zstd")
    except OSError as error:
        raise SourceError(f"cannot write {path}: {error.strerror}") from error
    return path


def load_layout(path: Path) -> Layout:
    """Read boxes from a file."""
    parquet, arrow = _parquet()
    try:
        table = parquet.read_table(path)
        about = json.loads(table.schema.metadata[_ABOUT])
        columns: dict[str, Any] = {
            name: table.column(name).to_numpy().astype(kind, copy=False) for name, kind in COLUMNS.items()
        }
        width, height, unmatched = (int(about[name]) for name in ("width", "height", "unmatched"))
        across, down = about["viewport"]
    except (OSError, KeyError, TypeError, ValueError, arrow.ArrowException) as error:
        raise SourceError(f"{path} holds no layout: {error}") from error
    return Layout(**columns, width=width, height=height, viewport=(across, down), unmatched=unmatched)


@dataclass(frozen=True)
class LayoutFolder:
    """A folder of saved layout."""

    path: Path

    @cached_property
    def _files(self) -> dict[str, Path]:
        if not self.path.is_dir():
            raise SourceError(f"no such folder of layout: {self.path}")
        found = ((_NAME.fullmatch(file.name), file) for file in sorted(self.path.iterdir()))
        return {match[1]: file for match, file in found if match}

    def __contains__(self, page: Page) -> bool:
        return fingerprint(page) in self._files

    def attach(self, page: Page) -> Page:
        """Return the page with its saved boxes; that there are none is an error that says how to make them."""
        file = self._files.get(fingerprint(page))
        if file is None:
            raise SourceError(
                f"{self.path} has no boxes of this page; make them with: tamis render PAGES -o {self.path}"
            )
        return with_layout(page, load_layout(file))


def _parquet() -> tuple[Any, Any]:
    try:
        import pyarrow as pa  # noqa: PLC0415 (an extra)
        from pyarrow import parquet  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtraError.for_module("pyarrow", "visual") from error
    return parquet, pa
