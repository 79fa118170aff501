import pytest

from tamis.lab.evaluate.structure import pooled, structure, without_title

TABLE = "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n"


def f1(predicted, gold, name, url=None):
    return structure(predicted, gold, url)[name].f1


def test_elements_that_both_texts_have_are_right_in_any_order():
    gold = f"# Tea\n\n{TABLE}\n```py\npour( 1 )\n```\n\n$$\nx ^ 2\n$$\n\n`a` [b](/c)"
    predicted = f"[b](/c) `a` $x^2$\n\n## TEA\n\n```\npour( 1 )\n\n```\n\n{TABLE}"
    scores = structure(predicted, gold)
    assert {name: match.f1 for name, match in scores.items()} == dict.fromkeys(
        ("code", "inline_code", "formulas", "tables", "headings", "links"), 1.0
    )


def test_types_that_neither_text_has_are_left_out():
    assert structure("tea", "tea") == {}
    assert structure("# Tea", "tea").keys() == {"headings"}


def test_precision_and_recall_count_elements():
    match = structure("# a\n\n# b\n\n# x", "# a\n\n# b\n\n# c\n\n# d")["headings"]
    assert (match.precision, match.recall) == (2 / 3, 0.5)


def test_similar_tables_and_code_count_in_part_and_others_not_at_all():
    assert f1(TABLE, TABLE.replace("4", "5"), "tables") == pytest.approx(5 / 6)
    assert f1(TABLE, "| x | y |\n|---|---|\n| 7 | 8 |", "tables") == 0.0
    assert f1("```\na\nb\n```", "```\na\nc\n```", "code") == 0.5
    assert f1("```\na\nb\nc\n```", "```\nd\n```", "code") == 0.0
    assert f1("$a+b$", "$a+c$", "formulas") == 0.0


def test_table_columns_in_another_order_are_not_the_same_table():
    assert f1("| a | b |\n|---|---|\n| 1 | 2 |", "| b | a |\n|---|---|\n| 2 | 1 |", "tables") == 0.0


def test_each_gold_table_is_paired_once():
    match = structure(f"{TABLE}\n\n{TABLE}", TABLE)["tables"]
    assert (match.precision, match.recall) == (0.5, 1.0)


@pytest.mark.parametrize(
    ("predicted", "gold", "score"),
    [
        ("[b](/c)", "[b](https://a.example/c)", 1.0),
        ("[b](c/)", "[b](http://a.example/x/c#top)", 1.0),
        ("[b](/c)", "[b](https://other.example/c)", 0.0),
        ("[b](/c)", "[x](/c)", 0.0),
        ("[b](http://[broken)", "[b](http://[broken)", 1.0),
    ],
)
def test_links_are_compared_by_text_and_absolute_url(predicted, gold, score):
    assert f1(predicted, gold, "links", "https://a.example/x/") == score


def test_links_are_compared_without_hosts_if_the_url_of_the_page_is_not_known():
    assert f1("[b](/c?x=1)", "[b](https://a.example/c?x=1)", "links") == 1.0
    assert f1("[b](/c)", "[b](https://a.example/d)", "links") == 0.0
    assert f1("[b](https://a.example)", "[b](https://b.example/)", "links") == 0.0


def test_tamis_keeps_the_structure_of_its_structure_pages(request):
    from tamis.lab.evaluate.corpora import open_corpus  # noqa: PLC0415
    from tamis.lab.evaluate.tools import TamisTool  # noqa: PLC0415

    corpus = open_corpus(request.config.rootpath / "tests/structure")
    page = corpus.read("code")
    scores = structure(TamisTool("sift").markdown(page.html, page.url), page.gold_markdown, page.url)
    assert scores["code"].f1 == 1.0


def test_pooled_counts_exact_elements():
    predicted = (
        "## Tea\n\n- green\n  - black\n\n```js\na\n```\n\n> [!note]\n> Hot.\n\nTea[^1] ![x](/i/cat.png)\n\n[^1]: Hot."
    )
    gold = (
        "### Tea\n\n- green\n- black\n\n```\na\n```\n\n> [!note]\n> Hot.\n\nTea[^1] ![](/s/cat.png?w=1)\n\n[^1]: Hot."
    )
    counts = pooled(predicted, gold)
    assert counts["headings"] == (0, 1, 1)
    assert counts["heading_text"] == counts["code"] == counts["callouts"] == (1, 1, 1)
    assert counts["items"] == (1, 2, 2)
    assert counts["code_language"] == (0, 1, 1)
    assert counts["references"] == counts["notes"] == counts["pictures"] == (1, 1, 1)


def test_the_title_is_left_out_of_both_texts():
    assert without_title("# Tea\n\nBoil.", "## Tea\n\nBoil.") == ("\n\nBoil.", "\n\nBoil.")
    assert without_title("Boil.", "## Tea") == ("Boil.", "## Tea")
