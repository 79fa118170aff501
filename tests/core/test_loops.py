"""The loops equal naive implementations, and compiled modules equal their Python source."""

import json
import os
import subprocess
import sys
import unicodedata

import numpy as np
import pytest
import turbohtml
from hypothesis import given
from hypothesis import strategies as st

from tamis._core import pure
from tamis._core.loader import core
from tamis.html import characters, tags
from tamis.page import parse_page
from tamis.sift.features import measure
from tamis.sift.schema import COLUMN
from tests.conftest import PAGES, golden_pages
from tests.needs import needs

# Nested and misnested markup, in tables, SVG and MathML, with text, comments and scripts between.
pieces = st.lists(
    st.sampled_from(
        [
            "<div class=a>", "<div hidden>", "<p style='x: y; display: none'>", "<b aria-hidden=true>", "</div>",
            "<p>", "</p>", "<b>", "</b>", "<a href=x>", "<a name=x>", "</a>", "<br>",
            "<table>", "<tr>", "<td>", "</table>", "<pre>", "</pre>", "<svg>", "<math>", "<mi>", "</svg>",
            "<template>", "</template>", "<script>x<y</script>", "<!-- c -->", "<ul>", "<li>", "</ul>", "<button>",
            "<select><option>", "<noscript>", "<style>p{}</style>", "<hr>", "<img>", "word ", "two words", "。漢字",
            "\u200b", "\U0001f600", " \n",
        ]
    ),
    max_size=40,
)  # fmt: skip


def preorder(document):
    """Return the nodes of a document in preorder with parent, end and depth, by recursion."""
    nodes, parent, end, depth = [], [], [], []

    def visit(node, above, level):
        row = len(nodes)
        nodes.append(node)
        parent.append(above)
        depth.append(level)
        end.append(0)
        for child in getattr(node, "children", ()):
            visit(child, row, level + 1)
        end[row] = len(nodes)

    visit(document, -1, 0)
    return nodes, parent, end, depth


def test_class_of_a_character_is_that_of_its_category_unless_a_table_names_it():
    table = characters.bmp_classes()
    named = {ord(each) for each in characters._STOPS + characters._COMMAS + "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f\x85"}
    wide = {code for first, last in characters._WIDE_RANGES for code in range(first, last + 1)} - named
    assert len(table) == characters.BMP_SIZE
    assert {table[code] for code in wide} == {characters.WIDE}
    rest = set(range(characters.BMP_SIZE)) - wide - named
    assert all(table[code] == characters._BY_CATEGORY[unicodedata.category(chr(code))] for code in rest)


@given(pieces)
def test_walk_equals_naive_recursion(parts):
    document = turbohtml.parse("".join(parts), allow_declarative_shadow_roots=False)
    nodes, parent, end, depth = preorder(document)
    columns = pure.walk(document)
    assert [id(node) for node in columns[0]] == [id(node) for node in nodes]
    assert [list(column) for column in columns[3:6]] == [parent, end, depth]


@given(pieces)
def test_link_pre_and_block_ancestor_follow_from_the_ancestors(parts):
    page = parse_page("".join(parts))
    for row in range(len(page)):
        ancestors = [row]
        while page.parent[ancestors[-1]] >= 0:
            ancestors.append(int(page.parent[ancestors[-1]]))
        names = [page.tag_name(each) if page.is_element[each] else "" for each in ancestors]
        attributes = [
            page.attributes(each) if name == "a" else {} for each, name in zip(ancestors, names, strict=True)
        ]
        is_link = [
            name in {"button", "select"} or (name == "a" and ("href" in attrs or not {"name", "id"} & set(attrs)))
            for name, attrs in zip(names, attributes, strict=True)
        ]
        assert page.link[row] == any(is_link)
        assert page.pre[row] == any(name in {"pre", "textarea", "listing", "plaintext", "xmp"} for name in names)
        blocks = [
            each
            for each, name in zip(ancestors, names, strict=True)
            if name in tags.IDS and tags.BLOCK[tags.IDS[name]]
        ]
        assert page.block_ancestor[row] == (blocks[0] if blocks else 0)


@given(st.text(max_size=60))
def test_character_counts_per_row_add_up_to_the_page(text):
    page = parse_page("<p>" + text.replace("<", " ").replace("&", " "))
    total = np.bincount(page.char_classes, minlength=characters.CLASSES)
    assert page.char_counts.by_class.sum(axis=0).tolist() == total.tolist()
    assert page.words.sum() == sum(len(page.row_text(row).split()) for row in np.flatnonzero(page.is_text))


def equal(first, second):
    if isinstance(first, tuple):
        return len(first) == len(second) and all(map(equal, first, second))
    if isinstance(first, dict | str | int | list | type(None)):
        return first == second
    return np.array_equal(np.asarray(first), np.asarray(second))


def columns_of(each, page):
    columns = each.Columns(page.__dict__, page.char_counts)
    return {name: np.asarray(getattr(columns, name)).tolist() for name in COLUMNS}


COLUMNS = sorted(name for name in vars(pure.Columns(vars(parse_page("<p>Tea")), parse_page("<p>Tea").char_counts)))


@needs("the compiled core")
@given(pieces)
def test_compiled_loops_equal_their_source(parts):
    document = turbohtml.parse("".join(parts), allow_declarative_shadow_roots=False)
    page = parse_page("".join(parts))
    assert equal(core.walk(document)[1:], pure.walk(document)[1:])
    table, text = characters.bmp_classes(), memoryview(page.text.encode("utf-32-le")).cast("I")
    assert equal(core.count_characters(text, page.offset, table), pure.count_characters(text, page.offset, table))
    assert equal(*(columns_of(each, page) for each in (core, pure)))
    ids = [each.class_ids(page.nodes, page.node_type) for each in (core, pure)]
    assert equal(*ids)
    rows = page.blocks.container.tolist()
    for outermost in (False, True):
        results = [
            module.ancestors_with_tag(rows, page.parent, page.tag, tags.BLOCK.tobytes(), outermost=outermost)
            for module in (core, pure)
        ]
        assert results[0] == results[1] == [_climb(page, row, outermost=outermost) for row in rows]
    mask = tags.NOT_RENDERED.tobytes()
    bits = [module.visibility_bits(page.listed, page.tag, mask, bytes(256)) for module in (core, pure)]
    assert equal(bits[0], bits[1])
    results = []
    for module in (core, pure):
        inherited = np.frombuffer(bytearray(bits[0][0]), dtype=np.uint8)
        module.propagate_down(page.parent, inherited)
        results.append((inherited, module.rows_with_bits(inherited, 14, page.end, page.offset, 4)))
    assert equal(results[0][0], results[1][0])
    assert results[0][1] == results[1][1]


def _climb(page, row, *, outermost):
    """Return what `ancestors_with_tag` returns for one row, by following its parents."""
    matches = []
    while row >= 0:
        if tags.BLOCK[page.tag[row]]:
            matches.append(row)
        row = int(page.parent[row])
    return (matches[-1] if outermost else matches[0]) if matches else -1


EXTRACT_EACH = """
import json, sys, tamis
results = [tamis.extract(open(path, "rb").read()) for path in sys.argv[1:]]
print(json.dumps([[result.text, round(result.confidence, 3)] for result in results]))
"""


@pytest.mark.slow
@needs("the compiled core")
def test_pure_python_extracts_the_same_from_every_golden_page():
    pages = [str(PAGES / golden.slug / "page.html") for golden in golden_pages()]
    compiled, pure_python = (
        json.loads(
            subprocess.run(
                [sys.executable, "-c", EXTRACT_EACH, *pages],
                capture_output=True,
                check=True,
                env={**os.environ, **variables},
            ).stdout
        )
        for variables in ({}, {"TAMIS_PURE": "1"})
    )
    assert dict(zip(pages, compiled, strict=True)) == dict(zip(pages, pure_python, strict=True))


def test_node_of_another_page_is_rejected():
    page, other = parse_page("<p>a"), parse_page("<p>b")
    with pytest.raises(ValueError, match="not a node of this page"):
        pure.rows_among(page.nodes, [other.nodes[3]])


@pytest.mark.slow
@needs("the compiled core")
@given(pieces, st.lists(st.booleans(), min_size=40, max_size=40))
def test_compiled_completion_and_text_equal_their_source(parts, choice):
    page = parse_page("".join(parts))
    count = len(page.blocks)
    if not count:
        return
    kept = np.array((choice * count)[:count], dtype=np.uint8)
    numbers = np.flatnonzero(kept).tolist()
    texts = [f"block {number}" for number in numbers]
    rows, classes = (page.tag == tags.IDS["tr"]).view(np.uint8), list(page.classes)
    tables, probs = page.rows_of("table").tolist(), np.linspace(0.1, 0.9, count)
    none, some = np.zeros(count, dtype=np.uint8), (np.arange(count) % 5 == 0).view(np.uint8)
    masks = [each.view(np.uint8) for each in (page.shown, page.shown & (np.arange(len(page)) % 3 > 0))]
    flags = bytes(number * 5 % 64 for number in range(len(tags.NAMES)))
    results = []
    for module in (pure, core):
        columns = module.Columns(vars(page), page.char_counts)
        outs = [kept.copy() for _ in range(4)]
        module.complete_groups(columns, kept, some, tables, outs[0])
        module.settle_lists(columns, kept, probs, some, outs[1])
        for out, wanted in ((outs[2], True), (outs[3], False)):
            module.complete_structure(
                columns, page.text, page.attribute_source, kept, none, [], out,
                quotations=wanted, cards=not wanted, appeals=not wanted,
            )  # fmt: skip
        results.append(
            (
                [out.tolist() for out in outs],
                [module.gap_candidates(columns, mask, page.text) for mask in masks],
                [module.sign_rows(columns, mask) for mask in masks],
                [*map(list, module.part_bits(classes, module.Parts({1: ["ab", "x1"], 2: [" ad"]}))[1:])],
                [module.number_rows(columns, mask, 2) for mask in masks],
                [module.elements_around(columns, mask, flags) for mask in masks],
                module.table_facts(
                    page.tag, page.parent, page.end, page.hidden, page.nonspace, page.char_counts.by_class, flags
                ),
                [module.selected_blocks(columns, mask, page.text) for mask in masks],
                module.join_blocks(texts, numbers, columns, rows, lists=True),
                [module.clue_rows(columns, page.class_column, mask, len(page.classes), flags) for mask in masks],
            )
        )
    assert results[0] == results[1]


@needs("the compiled core")
@pytest.mark.parametrize("is_article", [True, False])
@pytest.mark.parametrize("golden", golden_pages(), ids=lambda golden: golden.slug)
def test_compiled_choice_equals_its_source(golden, is_article):
    page = parse_page(golden.html)
    features = measure(page)
    count, rows = len(features.size), len(page)
    logits = 4 * np.cos(np.arange(count) // 3) + is_article
    results = []
    for module in (pure, core):
        kept, reasons = np.zeros((2, count), dtype=np.uint8)
        mask, reason, score = np.zeros(rows, np.uint8), np.zeros(rows, np.uint8), np.zeros(rows)
        columns = module.Columns(vars(page), page.char_counts)
        expected_f1, _ = module.choose(
            columns, page.text, page.attribute_source, features.matrix, module.ChoiceColumns(COLUMN), features.size,
            logits, list(page.data_tables), [], kept, reasons, mask, score, reason, favor=0.25, minimum=0.1,
            is_article=is_article, may_have_comments=is_article, is_fragment=not is_article, is_declared=False,
            quotations=True,
        )  # fmt: skip
        results.append((round(expected_f1, 12), kept.tolist(), reasons.tolist(), mask.tolist(), reason.tolist()))
        assert score[mask > 0].min(initial=1) > 0
    assert results[0] == results[1]
    assert 0 < sum(results[0][1]) <= count


@given(pieces)
def test_joined_blocks_have_the_separator_of_their_contexts(parts):
    page = parse_page("".join(parts))
    if not len(page.blocks):
        return
    containers = page.blocks.container.tolist()
    texts = [f"block{number}" for number in range(len(containers))]
    is_row = (page.tag == tags.IDS["tr"]).view(np.uint8)

    def context(row):
        above = [row]
        while page.parent[above[-1]] >= 0:
            above.append(int(page.parent[above[-1]]))
        names = [page.tag_name(each) for each in above]
        nearest = [
            next((each for each, name in zip(above, names, strict=True) if name in wanted), -1)
            for wanted in ({"table"}, {"tr"}, {"td", "th"})
        ]
        lists = [each for each, name in zip(above, names, strict=True) if name in {"ul", "ol", "dl", "menu", "dir"}]
        return (lists[-1] if lists else -1, *nearest)

    contexts = [context(container) for container in containers]
    expected = "".join(
        (pure.separator(contexts[number - 1], contexts[number]) if number else "") + text
        for number, text in enumerate(texts)
    )
    assert core.join_blocks(texts, list(range(len(texts))), page.columns, is_row, lists=True) == expected
