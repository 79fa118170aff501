import pytest

from tamis.lab.evaluate.structure import pooled


def f1(predicted, gold, name, url=None):
    equal, left, right = pooled(predicted, gold, url)[name]
    return 2 * equal / (left + right)


def test_elements_that_both_texts_have_are_right_in_any_order():
    table = "| a | b |\n|---|---|\n| 1 | 2 |\n"
    gold = f"## Tea\n\n{table}\n```py\npour( 1 )\n```\n\n$$\nx ^ 2\n$$\n\n`a` [b](/c)"
    predicted = f"[b](/c) `a` $x^2$\n\n## TEA\n\n```py\npour( 1 )\n\n```\n\n{table}"
    counts = pooled(predicted, gold)
    assert set(counts) == {
        "headings", "heading_text", "code", "code_language", "inline_code", "cells", "formulas", "links"
    }  # fmt: skip
    assert all(equal == left == right for equal, left, right in counts.values())


def test_types_that_neither_text_has_are_left_out():
    assert pooled("tea", "tea") == {}
    assert pooled("## Tea", "tea").keys() == {"headings", "heading_text"}


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
    assert f1(TamisTool("sift").markdown(page.html, page.url), page.gold_markdown, "code", page.url) == 1.0


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
    assert counts["references"] == counts["notes"] == counts["picture_files"] == (1, 1, 1)
    assert counts["pictures"] == (0, 1, 1)


def test_the_title_counts_neither_for_nor_against_a_text():
    assert pooled("# Tea\n\nBoil.", "Boil.") == pooled("# Tea\n\nBoil.", "## Tea\n\nBoil.") == {}
    assert pooled("Boil.", "## Tea")["headings"] == (0, 0, 1)
    assert pooled("# Tea\n\n# Pot", "# Pot")["headings"] == (1, 1, 1)
