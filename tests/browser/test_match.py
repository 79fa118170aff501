"""Matching of the browser's nodes with the rows of a page, without a browser."""

import numpy as np

from tamis.browser.match import Snapshot, match_layout
from tamis.page import parse_page
from tamis.page.columns import ELEMENT
from tamis.page.layout import LAYOUT_COLUMNS


def snapshot_without(page, missing):
    """Return the document of a browser that has all rows of a page but some; `left` is the row's number."""
    rows = np.setdiff1d(np.arange(len(page)), missing)
    names = [str(page.nodes[row].tag) if page.node_type[row] == ELEMENT else "" for row in rows]
    columns = {name: np.zeros(len(rows), dtype=dtype) for name, dtype in LAYOUT_COLUMNS.items()}
    columns["left"] = rows.astype(columns["left"].dtype)
    return Snapshot(
        node_type=page.node_type[rows],
        tag=np.arange(len(rows), dtype=np.uint32),
        length=np.diff(page.offset)[rows].astype(np.uint32),
        columns=columns,
        names=names,
        html=None,
        url="",
        width=1280,
        height=800,
    )


def test_script_whose_text_the_browser_does_not_have_is_left_unmatched():
    page = parse_page("<p>Boil</p><script>pour()</script><p>Wait</p>")
    script = int(page.rows_of("script")[0])
    layout = match_layout(page, snapshot_without(page, [script + 1]), (1280, 800))
    others = np.setdiff1d(np.arange(len(page)), [0, script + 1])
    assert layout.left[others].tolist() == others.tolist()
    assert layout.unmatched == 0  # the text of a script is no row that a reader could see
