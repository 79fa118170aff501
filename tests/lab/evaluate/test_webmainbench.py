import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.lab.evaluate.corpora import LabelledPage
from tamis.lab.evaluate.metric_registry import Output, get_metrics
from tamis.lab.evaluate.webmainbench import (
    COLUMNS,
    edit_similarity,
    find_code,
    find_formulas,
    find_table_html,
    find_tables,
    remove_links,
    split_tokens,
    table_tree,
    tree_distance,
    webmainbench,
)

PAGE = "# Tea\n\nPour $x$.\n\n```\npour()\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |"


def test_same_markdown_scores_one_in_every_column():
    assert webmainbench(PAGE, PAGE) == dict.fromkeys(COLUMNS, 1.0)


def test_nothing_extracted_scores_zero_in_every_column():
    assert webmainbench("", PAGE) == dict.fromkeys(COLUMNS, 0.0)


def test_scores_that_do_not_apply_are_left_out_of_the_mean():
    scores = webmainbench("Tea", "Tee")
    assert scores == {"overall": pytest.approx(2 / 3), "text_edit": pytest.approx(2 / 3), "rouge_5": 0.0}
    assert webmainbench("", "") == {"rouge_5": 1.0}


def test_rouge_agrees_with_rouge_score_on_tokens_of_jieba():
    # As rouge-score 0.1.2 and jieba 0.42.1 print it for these two texts.
    scores = webmainbench("Pour `it`.\n\n```\npour()\n```", "Pour it.\n\n```\npour(1)\n```")
    assert scores["rouge_5"] == pytest.approx(0.4137931034482759)


def test_text_without_han_characters_is_split_as_by_jieba():
    # As jieba 0.42.1 splits it.
    assert split_tokens("it's 5% of a-b.c_d\r\n 3.14 --é") == [
        *("it", "'", "s", " ", "5%", " ", "of", " ", "a", "-", "b", ".", "c", "_", "d"),
        *("\r\n", " ", "3.14", " ", "--", "é"),
    ]


def test_code_is_fenced_or_indented_after_an_empty_line():
    assert find_code("```py\na\n```\n`inline`\n```\n    x\n    y\n```") == "a\n    x\n    y"
    assert find_code("Text\n\n    a\n\tb\n\n    one line\n\nText\n    no empty line\n    before") == "a\nb"
    assert find_code("List\n\n    - a\n    - b\n\nMoney\n\n    $5\n    two million") == ""
    assert find_code("open\n```\nnever closed") == ""


def test_code_is_what_the_toolkit_finds():
    # As webmainbench 0.1.0 prints it, without a language model.
    assert find_code("x\n\n    a\n    b\n\n    c\n    d\n\n\n    e\n    f") == "a\nb\ne\nf"
    assert find_code("x\n\n    alone\n\n    a\n    b\ntext") == "a\nb"
    assert find_code("```\n\n    a\n    b\n```") == "\n    a\n    b\na\nb"


def test_formulas_are_those_between_marks_outside_code():
    text = "$a$ `$b$` \\$5 \\$6 \\[c\\] \\(d\\)\n```\n$e$\n```\n$$\nf\n$$ $g"
    assert find_formulas(text) == "f\nc\na\nd"


def test_tables_are_those_of_html_and_of_markdown():
    html = "<table><tr><td>a</td><td></td></tr><tr><td>b<table><tr><td>c</table></td></tr></table>"
    assert find_tables(f"x | y\nno table\n\n{html}\n\n|d|e|\n|---|:---:|\n|f| |\n") == (
        ("a",),
        ("b c",),
        ("d", "e"),
        ("f",),
    )
    assert find_tables("a | b\n--|--\n") == ()


def test_tables_in_code_are_not_tables_of_html():
    html = "<table><tr><td>a</td></tr></table>"
    assert find_tables(f"`{html}`\n```\n{html}\n```") == ()
    assert find_table_html(f"`{html}`\n```\n{html}\n```") == ""


def test_table_edit_compares_tables_as_html_like_the_toolkit():
    # As webmainbench 0.1.0 scores these.
    assert webmainbench("| a | b |\n|---|---|\n| 1 |", "| a | b |\n|---|---|\n| 1 | 2 |")[
        "table_edit"
    ] == pytest.approx(1 - 10 / 73)
    assert webmainbench("", "| |\n|---|")["table_edit"] == 0.0
    html = "<table><tr><td>a</td></tr></table>"
    markdown = "| b |\n|---|\n| 1 |"
    assert find_table_html(f"{markdown}\n\n{html}") == f"{html}\n{markdown}"
    assert find_table_html(r"| a \| b | |" + "\n|---|---|\n|--|-|\n") == (
        r"<table><tr><th>a \</th><th>b</th></tr></table>"
    )


def test_links_and_images_are_not_compared():
    markdown = "See [a [b]](/c), [![alt](/i.png)](/d), `[x](y)` and [`z`](/z).\n\n```\n![p](q)\n```\n\n\\[w\\](v)"
    assert remove_links(markdown) == "See a [b], , `[x](y)` and `z`.\n\n```\n![p](q)\n```\n\n\\[w\\](v)"
    page = LabelledPage("1", "<p>x", "Tea in a pot.", gold_markdown="Tea in a pot.")
    (metric,) = get_metrics(["webmainbench"])
    scores = metric.score(Output("Tea in a pot.", markdown="[Tea](https://tea.example/) in a ![](/i.png)pot."), page)
    assert scores["webmainbench.text_edit"] == 1.0


@given(st.text("[]()!`\\<>a:\n", max_size=60))
def test_removing_links_leaves_characters_of_the_text_in_order(text):
    left = iter(text)
    assert all(character in left for character in remove_links(text))


def test_edit_similarity_is_over_the_longer_text():
    assert edit_similarity("tea", "team") == 0.75
    assert edit_similarity("", "tea") == 0.0


def test_teds_counts_rows_cells_and_their_texts():
    table = "| a | b |\n|---|---|\n| 1 | 2 |"
    assert webmainbench(f"{table}\n| 3 | 4 |", table)["table_teds"] == pytest.approx(1 - 3 / 10)
    assert webmainbench(table.replace("2", "23"), table)["table_teds"] == pytest.approx(1 - 0.5 / 7)
    assert webmainbench("tea", table)["table_teds"] == 0.0


ROWS = st.lists(st.lists(st.sampled_from("xy"), min_size=1, max_size=3).map(tuple), min_size=1, max_size=3).map(tuple)


def differs(left, right):
    return float((left.tag, left.text) != (right.tag, right.text))


@given(ROWS, ROWS, ROWS)
def test_tree_distance_is_a_metric_bounded_by_the_nodes(one, two, three):
    trees = [table_tree(rows) for rows in (one, two, three)]
    first, second, third = trees
    distance = tree_distance(first, second, differs)
    assert distance == tree_distance(second, first, differs)
    assert (distance == 0) == (one == two)
    assert abs(len(first) - len(second)) <= distance <= len(first) + len(second)
    assert distance <= tree_distance(first, third, differs) + tree_distance(third, second, differs)


def test_large_tables_are_cut():
    rows = tuple((str(row), "x") for row in range(10_000))
    assert len(table_tree(rows)) <= 300
