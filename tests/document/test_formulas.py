"""Formulas: notations, content, and sizes that must not matter."""

import numpy as np
import pytest

import tamis
from tamis.document import Formula
from tamis.document.build import build_document
from tamis.document.detectors.formulas.asciimath import asciimath_to_tex
from tamis.document.detectors.formulas.find import find_formulas
from tamis.document.detectors.formulas.mathml import mathml_to_tex
from tamis.document.detectors.formulas.symbols import clean_tex, join_tex
from tamis.page import parse_page
from tamis.render.markdown import render_markdown


def markdown(html):
    return tamis.extract(html, extractor="body").to_markdown(title=False)


def tex(mathml):
    page = parse_page(f"<math>{mathml}</math>")
    return mathml_to_tex(page, int(page.rows_of("math")[0]))


def test_a_backquote_after_a_backslash_is_no_delimiter():
    html = "<script src=/MathJax.js?config=AM_CHTML></script><p>For `e^(2x)` we type \\`e^(2x)\\`, not `e^2x`.</p>"
    assert markdown(html) == r"For $e^{2x}$ we type \\\`e^(2x)\\\`, not $e^{2}x$."


def test_commands_that_only_group_formulas_show_nothing():
    html = (
        "<script src=/MathJax.js></script><div><span class=d-none>$\\begingroup$</span><p>Let $x^2$ be.</p>"
        "<span class=d-none>$\\endgroup$</span></div><p>$\\begingroup$ For \\$5, see $y^2$. $\\endgroup$</p>"
    )
    assert markdown(html) == "Let $x^2$ be.\n\nFor \\$5, see $y^2$."
    assert tamis.extract(html, extractor="body").text == "Let x^2 be.\n\nFor $5, see y^2."


def test_white_space_between_elements_is_no_child():
    assert tex(" <mi>a</mi>\n <msup>\n <mi>x</mi>\n <mn>2</mn>\n </msup> ") == "ax^{2}"


@pytest.mark.parametrize(
    ("mathml", "expected"),
    [
        ("<mo>−</mo><mi>x</mi><mo>=</mo><mo>−</mo><mn>1</mn>", "-x = -1"),
        ("<mi>π</mi><mi>r</mi>", r"\pi r"),
        ("<mfrac><mi>a</mi><mi>b</mi></mfrac>", r"\frac{a}{b}"),
        ("<mo>[</mo><mtable><mtr><mtd><mi>a</mi></mtd></mtr></mtable><mo>]</mo>", r"\begin{bmatrix} a \end{bmatrix}"),
        ("<mo>|</mo><mtable><mtr><mtd><mi>a</mi></mtd></mtr></mtable><mo>|</mo>", r"\begin{vmatrix} a \end{vmatrix}"),
        ("<mover><mi>x</mi><mo>¯</mo></mover>", r"\bar{x}"),
        ("<mover><mrow><mi>x</mi><mi>y</mi></mrow><mo>‾</mo></mover>", r"\overline{xy}"),
        ("<munder><mo>max</mo><mi>i</mi></munder>", r"\max_{i}"),
        ("<mover><mo>=</mo><mtext>def</mtext></mover>", r"\overset{\text{def}}{=}"),
        ("<msup><mi>f</mi><mo>′</mo></msup>", "f'"),
        ("<msup><mrow><mo>(</mo><mi>a</mi><mo>)</mo></mrow><mn>2</mn></msup>", r"\left(a\right)^{2}"),
        ("<menclose notation='box'><mi>x</mi></menclose>", r"\boxed{x}"),
        ("<mi mathvariant='bold'>v</mi>", r"\mathbf{v}"),
        ("<mi>𝔼</mi><mi>𝑋</mi>", r"\mathbb{E}X"),
        ("<mtext>50% of {x}</mtext>", r"\text{50\% of \{x\}}"),
    ],
)
def test_mathml_as_tex(mathml, expected):
    assert tex(mathml) == expected


def test_formula_alone_between_selected_blocks_is_content():
    page = parse_page(r"<main><p>We find</p><p>\[a = b\]</p><p><math><mi>x</mi></math></p><p>as planned.</p></main>")
    mask = page.shown & np.array(
        ["find" in page.row_text(k) or "planned" in page.row_text(k) for k in range(len(page))]
    )
    document = build_document(page, mask)
    assert [part.tex for part in document if isinstance(part, Formula)] == ["a = b", "x"]


def test_formula_beside_unselected_text_is_left_out():
    page = parse_page(r"<main><p>We find</p><div><p>Advertisement</p><p>\[a = b\]</p></div><p>as planned.</p></main>")
    mask = page.shown & np.array(
        ["find" in page.row_text(k) or "planned" in page.row_text(k) for k in range(len(page))]
    )
    assert render_markdown(build_document(page, mask)).text == "We find\n\nas planned."


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (r"<p>Use \( and \) to group.", "Use \\\\( and \\\\) to group."),
        ("<p>It costs $$ to $$$ there.", "It costs $$ to $$$ there."),
        ("<p>It costs $$ - $$$ or $$–$$$$.", "It costs $$ - $$$ or $$–$$$$."),
        ("<p>From $5 to $10$.", "From $5 to $10$."),
        (r"<p>\(a_1 * b_1 * c_1\)", "$a_1 * b_1 * c_1$"),
        (r"<p>Then \[x\].", "Then\n\n$$\nx\n$$"),
        (r"<ul><li>\[x\]</ul>", "- $$\n  x\n  $$"),
        (r"<h2>On \(x_1\)</h2>", "## On $x_1$"),
        ("<p>A line<br>\\(a\\\\<br>b\\)", None),
    ],
)
def test_delimiters_in_the_text(html, expected):
    text = markdown(html)
    assert text == expected if expected is not None else r"$a\\ b$" in text


def test_single_dollars_need_a_script_that_typesets():
    text = "<p>Let $x_1$ be."
    assert markdown(text) == "Let $x_1$ be."
    assert not find_formulas(parse_page(text))
    with_script = f'<script src="/mathjax.js"></script>{text}'
    (paragraph,) = tamis.extract(with_script, extractor="body").document.parts
    assert [type(span).__name__ for span in paragraph.spans] == ["Text", "FormulaSpan", "Text"]


def test_two_scripts_side_by_side_are_two_formulas():
    page = parse_page("<p>" + "<script type='math/tex'>x</script>" * 3)
    assert len(find_formulas(page)) == 3


@pytest.mark.parametrize("count", [10, 2000])
def test_each_piece_of_a_flat_formula_is_joined_once(count):
    class Piece(str):
        __slots__ = ()
        looked_at = 0

        def __getitem__(self, key):
            Piece.looked_at += 1
            return str.__getitem__(self, key)

    Piece.looked_at = 0
    assert len(join_tex([Piece("x")] * count)) == count
    assert Piece.looked_at <= 3 * count


@pytest.mark.parametrize(
    "html",
    [
        "<math>" + "<msqrt>" * 5000,
        "<mjx-container>" + "<mjx-msqrt>" * 5000,
        '<span class="katex">' + "<span>" * 5000 + "x",
        "<script type='math/asciimath'>" + "((a,b)," * 5000 + "</script>",
        r"<p>\(" + " " * 400_000 + r"x^2\)",
        r"<p>" + r"\( " * 20_000 + r"x\)",
        "<p><img class=latex alt='" + " " * 400_000 + "x'>",
    ],
)
def test_hostile_formulas_are_read_in_bounded_depth(html):
    assert markdown(f"<p>Tea and {html}").startswith("Tea and")


def test_nested_matrices_of_asciimath_are_parsed_at_most_twice():
    text = "[[" * 12 + "1" + "],[2]]" * 12
    assert "1" in asciimath_to_tex(text)


def test_lines_of_tex_have_no_blank_ones():
    assert clean_tex("\\[\na\n\n\n  + b\n\\]") == "a\n+ b"
