"""Text in blocks and in lines."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.page import parse_page
from tamis.papers.nodechar import COLUMNS, break_lines, widths
from tamis.render.text import block_texts


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>one <b>two</b> three</p>", ["one two three"]),
        ("<div>a<p>b</p>c</div>", ["a", "b", "c"]),
        ("a<br>b", ["a\nb"]),
        ("a<br><br>b", ["a", "b"]),
        ("a<br> \n <br>b", ["a", "b"]),
        ("a<br>x<br>b", ["a\nx\nb"]),
        ("a<hr>b", ["a", "b"]),
        ("<table><tr><td>a</td><td>b</td></tr></table>", ["a", "b"]),
        ("<ul><li>a<ul><li>b</ul>c</ul>", ["a", "b", "c"]),
        ("<select><option>a<option>b</select>", ["a", "b"]),
        ("<p>a<span hidden>b</span>c", ["ac"]),
        ("<p> </p>", []),
        ("", []),
    ],
)
def test_blocks_end_at_block_elements_and_double_breaks(html, expected):
    page = parse_page(html)
    assert [text for _, text in block_texts(page, page.is_text & (page.hidden == 0))] == expected


def test_blocks_partition_the_shown_text_rows(golden):
    page = parse_page(golden.html)
    blocks = page.blocks
    shown = page.is_text & (page.hidden == 0) & (page.nonspace > 0)
    assert ((blocks.block_of >= 0) == shown).all()
    assert (np.diff(blocks.block_of[shown]) >= 0).all()
    for block in range(len(blocks)):
        rows = np.flatnonzero(blocks.block_of == block)
        assert rows[0] == blocks.start[block]
        assert rows[-1] == blocks.stop[block] - 1
        assert page.end[blocks.container[block]] >= blocks.stop[block]


def test_sum_and_broadcast_of_a_page_without_blocks():
    page = parse_page("")
    assert page.blocks.sum(page.words).tolist() == []
    assert page.blocks.broadcast(np.zeros(0)).tolist() == [0.0] * len(page)


def wrap(text, columns=COLUMNS):
    text = " ".join(text.split())
    codes = np.array([ord(char) for char in text], dtype=np.uint32)
    return [text[start:stop] for start, stop in break_lines(codes, columns)]


@given(st.text(alphabet="ab 漢,字", max_size=400), st.integers(2, 40))
def test_wrapped_lines_fit_and_keep_all_characters(text, columns):
    lines = wrap(text, columns)
    for line in lines:
        codes = np.array([ord(char) for char in line], dtype=np.uint32)
        assert widths(codes).sum() <= columns
        assert line == line.strip()
    assert "".join("".join(lines).split()) == "".join(text.split())


def test_full_width_characters_take_two_columns():
    assert len(wrap("漢" * COLUMNS)) == 2
    assert len(wrap("a" * COLUMNS)) == 1
    assert wrap("") == []
