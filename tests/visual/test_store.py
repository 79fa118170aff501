"""Layout on disk: written, found by what the page is, and refused where they are not layout."""

import numpy as np
import pytest

from tamis.errors import SourceError
from tamis.page import parse_page
from tamis.page.layout import COLUMNS, Layout, with_layout
from tamis.visual.store import LayoutFolder, fingerprint, load_layout, save_layout

pytest.importorskip("pyarrow")


def some_boxes(page):
    rows = np.arange(len(page))
    columns = {name: (rows % 7).astype(kind) for name, kind in COLUMNS.items()}
    return Layout(**columns, width=12, height=34, viewport=(5, 6), unmatched=7)


def test_what_was_saved_is_read_back(tmp_path):
    page = parse_page("<p>Tea<p>Water")
    layout = some_boxes(page)
    read = load_layout(save_layout(tmp_path, "tea", page, layout))
    for name, column in layout.columns().items():
        assert (getattr(read, name) == column).all()
        assert getattr(read, name).dtype == column.dtype
    assert (read.width, read.height, read.viewport, read.unmatched) == (12, 34, (5, 6), 7)


def test_boxes_are_found_by_the_page_whatever_their_file_is_called(tmp_path):
    page = parse_page("<p>Tea")
    file = save_layout(tmp_path, "a.b", page, some_boxes(page))
    file.rename(tmp_path / f"renamed.{fingerprint(page)}.parquet")
    (tmp_path / "notes.txt").write_text("not boxes")
    folder = LayoutFolder(tmp_path)
    assert folder.attach(parse_page(b"<p>Tea</p>")).layout.width == 12
    assert parse_page("<p>Tea") in folder
    assert parse_page("<p>Coffee") not in folder
    with pytest.raises(SourceError, match="tamis render"):
        folder.attach(parse_page("<p>Coffee"))


def test_pages_with_other_rows_have_other_fingerprints():
    pages = ["<p>Tea", "<i>Tea", "<p>Te<!---->a", "<p>tea"]
    assert len({fingerprint(parse_page(page)) for page in pages}) == len(pages)


@pytest.mark.parametrize("content", [b"", b"PAR1 not really", b"{}"])
def test_a_file_without_boxes_is_an_error_for_people(tmp_path, content):
    path = tmp_path / "x.parquet"
    path.write_bytes(content)
    with pytest.raises(SourceError, match="holds no layout"):
        load_layout(path)


def test_another_table_is_an_error_for_people(tmp_path):
    import pyarrow as pa  # noqa: PLC0415
    from pyarrow import parquet  # noqa: PLC0415

    parquet.write_table(pa.table({"a": [1]}), tmp_path / "x.parquet")
    with pytest.raises(SourceError, match="holds no layout"):
        load_layout(tmp_path / "x.parquet")


def test_a_folder_that_is_not_there_is_an_error_for_people(tmp_path):
    with pytest.raises(SourceError, match="no such folder"):
        LayoutFolder(tmp_path / "none").attach(parse_page("<p>x"))


def test_an_extractor_uses_the_boxes_that_a_page_has(tmp_path, monkeypatch):
    import tamis  # noqa: PLC0415

    monkeypatch.setenv("TAMIS_CHROMIUM", "/no/such/browser")
    page = with_layout(parse_page("<p>Tea"), some_boxes(parse_page("<p>Tea")))
    save_layout(tmp_path, "tea", page, page.layout)
    assert tamis.extract_page(LayoutFolder(tmp_path).attach(parse_page("<p>Tea")), extractor="cehtd") is not None
