"""Layouts on disk: saved, found by the page's content, and rejected if a file holds none."""

import numpy as np
import pytest

from tamis.browser.store import LayoutFolder, fingerprint, load_layout, save_layout
from tamis.errors import SourceError
from tamis.page import parse_page
from tamis.page.layout import LAYOUT_COLUMNS, Layout

pytest.importorskip("pyarrow")


def make_layout(page):
    rows = np.arange(len(page))
    columns = {name: (rows % 7).astype(dtype) for name, dtype in LAYOUT_COLUMNS.items()}
    return Layout(**columns, width=12, height=34, viewport=(5, 6), unmatched=7)


def test_saved_layout_is_loaded_unchanged(tmp_path):
    page = parse_page("<p>Tea<p>Water")
    layout = make_layout(page)
    loaded = load_layout(save_layout(tmp_path, "tea", page, layout))
    for name, column in layout.columns().items():
        assert (getattr(loaded, name) == column).all()
        assert getattr(loaded, name).dtype == column.dtype
    assert (loaded.width, loaded.height, loaded.viewport, loaded.unmatched) == (12, 34, (5, 6), 7)


def test_layout_is_found_by_the_page_after_its_file_is_renamed(tmp_path):
    page = parse_page("<p>Tea")
    file = save_layout(tmp_path, "a.b", page, make_layout(page))
    file.rename(tmp_path / f"renamed.{fingerprint(page)}.parquet")
    (tmp_path / "notes.txt").write_text("not a layout")
    folder = LayoutFolder(tmp_path)
    assert folder.attach(parse_page(b"<p>Tea</p>")).layout.width == 12
    assert parse_page("<p>Tea") in folder
    assert parse_page("<p>Coffee") not in folder
    with pytest.raises(SourceError, match="tamis render"):
        folder.attach(parse_page("<p>Coffee"))


def test_pages_with_different_rows_have_different_fingerprints():
    pages = ["<p>Tea", "<i>Tea", "<p>Te<!---->a", "<p>tea"]
    assert len({fingerprint(parse_page(page)) for page in pages}) == len(pages)


@pytest.mark.parametrize("content", [b"", b"PAR1 not really", b"{}"])
def test_file_without_a_layout_is_a_source_error(tmp_path, content):
    path = tmp_path / "x.parquet"
    path.write_bytes(content)
    with pytest.raises(SourceError, match="does not hold a layout"):
        load_layout(path)


def test_parquet_file_of_another_table_is_a_source_error(tmp_path):
    import pyarrow as pa  # noqa: PLC0415
    from pyarrow import parquet  # noqa: PLC0415

    parquet.write_table(pa.table({"a": [1]}), tmp_path / "x.parquet")
    with pytest.raises(SourceError, match="does not hold a layout"):
        load_layout(tmp_path / "x.parquet")


def test_missing_folder_is_a_source_error(tmp_path):
    with pytest.raises(SourceError, match="no such folder"):
        LayoutFolder(tmp_path / "missing").attach(parse_page("<p>x"))
