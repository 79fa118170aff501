import re
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from tamis.evaluate.compare import compare_page, comparison_html, side_by_side
from tamis.evaluate.corpora import BrokenPage
from tamis.evaluate.difference import difference
from tamis.evaluate.measures import MEASURES
from tamis.evaluate.report import write_report
from tamis.evaluate.results import Result
from tamis.evaluate.table import main_table
from tamis.evaluate.tools import Own

NASTY = '<script>alert("x")</script> & <b>'


class _Balanced(HTMLParser):
    """Checks that every element that is opened is closed, in order."""

    void = frozenset({"meta", "br", "line", "rect", "circle", "path"})

    def __init__(self, markup):
        super().__init__()
        self.open, self.visible = [], []
        self.feed(markup)
        assert not self.open

    def handle_starttag(self, tag, attrs):  # noqa: ARG002
        self.visible.append(tag)
        if tag not in self.void:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in self.void:
            assert self.open.pop() == tag

    def handle_startendtag(self, tag, attrs):  # noqa: ARG002
        self.visible.append(tag)


def _results():
    return [
        Result(corpus, str(page), tool, page_type="article", scores={"words.f1": (page + shift) / 12}, url=url)
        for corpus, url in (("one", "https://x.example/?a&b"), ("two", "javascript:alert(1)"))
        for page in range(10)
        for shift, tool in enumerate(("cetd", NASTY))
    ]


def test_a_report_is_one_page_that_loads_nothing():
    results = _results()
    failures = [
        Result(
            "one", "1", "cetd", scores={"words.f1": 0.1}, text=f"menu {NASTY}", gold="It rained", url="https://x/"
        ),
        Result("two", "2", "cetd", scores={"words.f1": 0.0}, text="", gold="", error="took its process down"),
    ]
    tables = [main_table(results, ["cetd", NASTY], MEASURES["words"])]
    broken = [BrokenPage("9", "one", "has no gold text")]
    page = write_report(results, {"cetd": "1", NASTY: "2"}, MEASURES["words"], tables, failures, broken)
    seen = _Balanced(page).visible
    assert "script" not in seen
    assert not {"link", "img", "iframe"} & set(seen)
    assert seen.count("svg") == 3  # a box plot for each corpus, and the scatter
    assert not re.search(r'(?:src|href)="(?!https?://)', page)
    assert "<del>It rained</del>" in page
    assert "<ins>menu " in page
    assert "took its process down" in page
    assert "Pages that could not be used: 1" in page


def test_a_report_of_one_tool_has_no_scatter():
    results = [each for each in _results() if each.tool == "cetd"]
    page = write_report(results, {"cetd": "1"}, MEASURES["words"], [], [])
    assert _Balanced(page).visible.count("svg") == 2


texts = st.lists(st.sampled_from(["tea", "pot", "Rain,", "day.", "\n", "–", "雨"]), max_size=30).map(" ".join)


@given(texts, texts)
def test_a_difference_holds_both_texts(predicted, gold):
    runs = difference(predicted, gold)
    wanted = "".join(run.text for run in runs if run.sort != "extra")
    given = "".join(run.text for run in runs if run.sort != "missing")
    assert wanted.split() == gold.split()
    letters = re.compile(r"\W+")
    assert letters.sub("", given).lower() == letters.sub("", predicted).lower()


def test_a_difference_of_chinese_is_by_character():
    assert [(run.sort, run.text) for run in difference("今天下雨", "昨天下雨了")] == [
        ("extra", "今"),
        ("missing", "昨"),
        ("both", "天下雨"),
        ("missing", "了"),
    ]


PAGE = """<nav><a>Sign up for the news</a></nav><h1>Rain</h1><p>The rain fell on <b>Monday</b> and on Tuesday.</p>
<footer>About <i>us</i></footer>"""


class _Fixed:
    version = "1"

    def __init__(self, name, answer):
        self.name, self.answer = name, answer

    def text(self, html, url=None):  # noqa: ARG002
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def test_a_comparison_says_for_each_block_what_is_kept():
    answer = "The rain fell on and on Tuesday. Invented"
    found = compare_page(PAGE, [Own("body"), _Fixed("part", answer), _Fixed("no", ValueError("bad"))])
    by_text = {row.text: row.kept for row in found.rows}
    assert all(kept[0].all() for kept in by_text.values())
    assert not by_text["Sign up for the news"][1].any()
    assert by_text["The rain fell on Monday and on Tuesday."][1].tolist() == [True] * 4 + [False] + [True] * 3
    assert (found.columns[1].words, found.columns[1].elsewhere) == (8, 1)
    assert found.columns[2].error == "ValueError: bad"
    assert not any(kept[2].any() for kept in by_text.values())


def test_a_comparison_fits_the_terminal():
    found = compare_page(PAGE, [_Fixed("part", "The rain fell on and on Tuesday."), Own("body")], name="p")
    text = side_by_side(found, 60)
    assert all(len(line) <= 60 for line in text.splitlines())
    assert "on … and on" in " ".join(text.split())
    lone = side_by_side(compare_page(PAGE, [_Fixed("part", "Rain")]), 60)
    assert "1 block that none keeps" in lone
    assert "2 blocks that none keeps" in lone


def test_long_words_and_wide_characters_are_wrapped():
    page = f"<p>{'x' * 100}</p><p>{'雨' * 50}</p>"
    lines = side_by_side(compare_page(page, [Own("body")]), 20).splitlines()
    assert all(len(line) <= 20 for line in lines)
    assert sum(line.count("雨") for line in lines) == 50
    assert max(line.count("雨") for line in lines) == 10


def test_a_comparison_is_a_page_too():
    found = compare_page(PAGE, [_Fixed(NASTY, "The rain fell on and on Tuesday.")], name=NASTY)
    page = comparison_html(found)
    assert "script" not in _Balanced(page).visible
    assert "<del>Monday </del>" in page
    assert "that none keeps" in page
