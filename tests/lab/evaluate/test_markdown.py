import sys
from pathlib import Path

import pytest

from tamis.lab.evaluate.markdown import markdown_text, read_elements


@pytest.mark.parametrize(
    ("markdown", "headings", "code"),
    [
        ("# Tea #\n\n## C#\n", [(1, "Tea"), (2, "C#")], []),
        ("#tea\n", [], []),
        ("Tea\n===\n\nPot\n---\n", [(1, "Tea"), (2, "Pot")], []),
        ("- a\n---\n", [], []),
        ("~~~py\n```\n~~~\n", [], [("py", "```\n")]),
        ("````\n```\n````", [], [("", "```\n")]),
        ("- x\n\n  ```\n    a\n  ```", [], [("", "  a\n")]),
        ("> ```\n> a\n> ```", [], [("", "a\n")]),
        ("```\nnever closed", [], [("", "never closed")]),
        ("Text\n\n    a\n\n      b\n\nText", [], [("", "a\n\n  b\n")]),
        ("- item\n\n    more of it", [], []),
    ],
)
def test_headings_and_code(markdown, headings, code):
    elements = read_elements(markdown)
    assert (elements.headings, elements.code) == (headings, code)


def test_items_have_their_nesting_and_the_text_of_their_first_paragraph():
    elements = read_elements("- [x] green\n  tea\n  - black\n\n    in a pot\n- ```\n  code\n  ```\n\n> 1. quoted")
    assert elements.items == [(1, "green\ntea"), (2, "black"), (1, "quoted")]


def test_quotations_callouts_notes_and_pictures():
    elements = read_elements(
        "> [!note]- Hot\n> Wait.\n\n> One\n>\n> > two\n\nTea[^a]. ![pot](/pot.png)\n\n[^a]: Green.\n\n    Or black."
    )
    assert elements.callouts == [("note", "Hot\nWait.")]
    assert elements.quotes == ["One\ntwo"]
    assert (elements.references, elements.notes, elements.pictures) == (["a"], ["Green.\nOr black."], ["/pot.png"])
    assert elements.text.startswith("Hot\nWait.\n\nOne")


def test_tables_are_rows_of_cells_in_markdown_and_in_html():
    markdown = "| a \\| b | **c** |\n| :-- | --- |\n| `x` | |\n\nafter"
    table = (
        "<table><thead><tr><th>a<th>b</tr></thead>\n<tr><td>1</td><td><table><tr><td>2</table></td></tr></table>\n"
    )
    assert read_elements(markdown).tables == [(("a | b", "c"), ("x", ""))]
    assert read_elements(table).tables == [(("a", "b"), ("1", "2"))]
    assert markdown_text(table) == "a b\n1 2"
    assert read_elements("<table>\nnever closed\n\n<table>").tables == []


@pytest.mark.parametrize(
    ("markdown", "text", "links"),
    [
        ("[a *b*](/c_d_e) x", "a b x", [("a b", "/c_d_e")]),
        ('[a](</b c> "title")', "a", [("a", "/b%20c")]),
        ("[a](/b_(c)) d", "a d", [("a", "/b_(c)")]),
        ("[![alt](/i.png)](/page) end", "end", [("", "/page")]),
        ("![alt](/i.png) end", "end", []),
        ("<https://a.example/> x", "https://a.example/ x", [("https://a.example/", "https://a.example/")]),
        ("note[^1] [x] [y", "note [x] [y", []),
        ("[a](broken", "[a](broken", []),
        ("a<br>b <b>c</b> 1 < 2", "a b c 1 < 2", []),
        ("snake_case_name and _this_ *that* 2 * 3 ~~no~~", "snake_case_name and this that 2 * 3 no", []),
        (r"\*kept\* \[x\] &lt;p&gt; \<p>", "*kept* [x] <p> <p>", []),
        ("`<b>` and ``a`b`` and `open", "<b> and a`b and `open", []),
    ],
)
def test_inline_marks_are_removed_and_links_are_kept(markdown, text, links):
    assert markdown_text(markdown) == text
    assert read_elements(markdown).links == links


def test_formulas_are_told_from_prices():
    elements = read_elements(r"It costs $5 or $6, $ 7$ too. But $E=mc^2$, $$b$$ and \(no\).")
    assert elements.formulas == ["E=mc^2", "b"]


def test_structure_pages_have_the_elements_of_their_markdown(request):
    folder: Path = request.config.rootpath / "tests/structure"
    code = read_elements((folder / "code/expected.md").read_text("utf-8"))
    formulas = read_elements((folder / "formulas-tools/expected.md").read_text("utf-8"))
    assert code.code
    assert "x^2 + 1" in formulas.formulas
    assert "E = mc^2" in formulas.formulas
    assert (2, "WordPress") in formulas.headings


def count_steps(markdown):
    """Return how many lines of Python it takes to read a text."""
    steps = 0

    def trace(_frame, _event, _argument):
        nonlocal steps
        steps += 1
        return trace

    previous = sys.gettrace()
    sys.settrace(trace)
    try:
        read_elements(markdown)
    finally:
        sys.settrace(previous)
    return steps


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit", ["[", "`", "``` ", "$", "$$\n", "\\[\n", "<", "<table>\n", "[a](", "*", "|\n", "> ", "a|b\n-|-\n"]
)
def test_hostile_markdown_takes_linear_time(unit):
    assert count_steps(unit * 2000) < 2.5 * count_steps(unit * 1000) + 1000
