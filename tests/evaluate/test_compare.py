from tamis.evaluate.compare import compare_page, comparison_html, comparison_text
from tamis.evaluate.html_page import STYLE_SHEET
from tamis.evaluate.tools import TamisTool
from tests.evaluate.html_checks import HOSTILE, CheckedHtml

PAGE = """<nav><a>Sign up for the news</a></nav><h1>Rain</h1><p>The rain fell on <b>Monday</b> and on Tuesday.</p>
<footer>About <i>us</i></footer>"""


class FixedTool:
    version = "1"

    def __init__(self, name, output):
        self.name, self.output = name, output

    def text(self, html, url=None):  # noqa: ARG002
        if isinstance(self.output, Exception):
            raise self.output
        return self.output


def test_comparison_has_the_kept_words_of_each_block():
    output = "The rain fell on and on Tuesday. Invented"
    tools = [TamisTool("body"), FixedTool("part", output), FixedTool("no", ValueError("bad"))]
    comparison = compare_page(PAGE, tools)
    by_text = {row.text: row.kept for row in comparison.rows}
    assert all(kept[0].all() for kept in by_text.values())
    assert not by_text["Sign up for the news"][1].any()
    assert by_text["The rain fell on Monday and on Tuesday."][1].tolist() == [True] * 4 + [False] + [True] * 3
    assert (comparison.columns[1].words, comparison.columns[1].unaligned) == (8, 1)
    assert comparison.columns[2].error == "ValueError: bad"
    assert not any(kept[2].any() for kept in by_text.values())


def test_comparison_text_fits_the_width():
    tools = [FixedTool("part", "The rain fell on and on Tuesday."), TamisTool("body")]
    text = comparison_text(compare_page(PAGE, tools, name="p"), 60)
    assert all(len(line) <= 60 for line in text.splitlines())
    assert "on … and on" in " ".join(text.split())
    heading_only = comparison_text(compare_page(PAGE, [FixedTool("part", "Rain")]), 60)
    assert "1 block that no tool keeps" in heading_only
    assert "2 blocks that no tool keeps" in heading_only


def test_comparison_text_wraps_long_words_and_wide_characters():
    page = f"<p>{'x' * 100}</p><p>{'雨' * 50}</p>"
    lines = comparison_text(compare_page(page, [TamisTool("body")]), 20).splitlines()
    assert all(len(line) <= 20 for line in lines)
    assert sum(line.count("雨") for line in lines) == 50
    assert max(line.count("雨") for line in lines) == 10


def test_comparison_html_escapes_texts_and_strikes_out_dropped_words():
    tool = FixedTool(HOSTILE, "The rain fell on and on Tuesday.")
    page = comparison_html(compare_page(PAGE, [tool], name=HOSTILE))
    checked = CheckedHtml(page)
    assert "script" not in checked.tags
    assert all(f".{name}" in STYLE_SHEET for name in checked.classes)
    assert "<del>Monday </del>" in page
    assert "that no tool keeps" in page
