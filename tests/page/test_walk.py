"""The walk over the parser's nodes equals a naive recursion, and compiled loops equal their source."""

import importlib
import os
import subprocess
import sys

import numpy as np
import pytest
import turbohtml
from hypothesis import given
from hypothesis import strategies as st

from tamis._kernels import runs, walk
from tamis._kernels.loader import COMPILED
from tamis.html import characters, tags
from tamis.page import parse_page

compiled = pytest.mark.skipif(not COMPILED, reason="built without a compiler, or TAMIS_PURE is set")

# Markup of every shape: nested and misnested, in tables and drawings, with texts, comments and scripts between.
pieces = st.lists(
    st.sampled_from(
        [
            "<div class=a>", "</div>", "<p>", "</p>", "<b>", "</b>", "<a href=x>", "<a name=x>", "</a>", "<br>",
            "<table>", "<tr>", "<td>", "</table>", "<pre>", "</pre>", "<svg>", "<math>", "<mi>", "</svg>",
            "<template>", "</template>", "<script>x<y</script>", "<!-- c -->", "<ul>", "<li>", "</ul>", "<button>",
            "<select><option>", "<noscript>", "<style>p{}</style>", "<hr>", "<img>", "word ", "two words", "。漢字",
            "\u200b", "\U0001f600", " \n",
        ]
    ),
    max_size=40,
)  # fmt: skip


def obvious(document):
    """Lay a document out in preorder the slow, obvious way."""
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


@given(pieces)
def test_the_walk_equals_a_naive_recursion(parts):
    document = turbohtml.parse("".join(parts), allow_declarative_shadow_roots=False)
    nodes, parent, end, depth = obvious(document)
    found = walk.walk(document)
    assert [id(node) for node in found[0]] == [id(node) for node in nodes]
    assert [list(column) for column in found[3:6]] == [parent, end, depth]


@given(pieces)
def test_flags_and_boxes_are_those_of_the_elements_above(parts):
    page = parse_page("".join(parts))
    for row in range(len(page)):
        above = [row]
        while page.parent[above[-1]] >= 0:
            above.append(int(page.parent[above[-1]]))
        names = [page.tag_name(each) if page.is_element[each] else "" for each in above]
        places = [page.attributes(each) if name == "a" else {} for each, name in zip(above, names, strict=True)]
        linked = [
            name in {"button", "select"} or (name == "a" and ("href" in place or not {"name", "id"} & set(place)))
            for name, place in zip(names, places, strict=True)
        ]
        assert page.link[row] == any(linked)
        assert page.pre[row] == any(name in {"pre", "textarea", "listing", "plaintext", "xmp"} for name in names)
        boxes = [
            each for each, name in zip(above, names, strict=True) if name in tags.IDS and tags.BLOCK[tags.IDS[name]]
        ]
        assert page.block_ancestor[row] == (boxes[0] if boxes else 0)


@given(st.text(max_size=60))
def test_characters_are_counted_one_by_one_as_all_at_once(text):
    page = parse_page("<p>" + text.replace("<", " ").replace("&", " "))
    whole = np.bincount(page.char_classes, minlength=characters.CLASSES)
    assert page.char_counts.by_class.sum(axis=0).tolist() == whole.tolist()
    assert page.words.sum() == sum(len(page.row_text(row).split()) for row in np.flatnonzero(page.is_text))


def same(one, two):
    if isinstance(one, tuple):
        return len(one) == len(two) and all(map(same, one, two))
    if isinstance(one, dict | str | int | type(None)) or (isinstance(one, list) and not hasattr(one, "shape")):
        return one == two
    return np.array_equal(np.asarray(one), np.asarray(two))


@compiled
@given(pieces)
def test_compiled_loops_give_what_their_source_gives(parts):
    fast = importlib.import_module("tamis._kernels._walk")
    fast_runs = importlib.import_module("tamis._kernels._runs")
    document = turbohtml.parse("".join(parts), allow_declarative_shadow_roots=False)
    page = parse_page("".join(parts))
    assert same(fast.walk(document)[1:], walk.walk(document)[1:])
    table, codes = characters.plane(), memoryview(page.text.encode("utf-32-le")).cast("I")
    assert same(
        fast_runs.count_characters(codes, page.offset, table), runs.count_characters(codes, page.offset, table)
    )
    columns = (page.tag, page.inline_run, page.block_ancestor, page.shown.view(np.uint8), page.nonspace)
    assert same(fast_runs.block_columns(columns), runs.block_columns(columns))
    assert same(fast.class_ids(page.nodes, page.node_type), walk.class_ids(page.nodes, page.node_type))
    rows = page.blocks.container.tolist()
    for outermost in (False, True):
        found = [
            loops.ancestors_with_tag(rows, page.parent, page.tag, tags.BLOCK.tobytes(), outermost=outermost)
            for loops in (fast, walk)
        ]
        assert found[0] == found[1] == [_climb(page, row, outermost=outermost) for row in rows]


def _climb(page, row, *, outermost):
    """What `enclosing` says of one row, said plainly."""
    found = []
    while row >= 0:
        if tags.BLOCK[page.tag[row]]:
            found.append(row)
        row = int(page.parent[row])
    return (found[-1] if outermost else found[0]) if found else -1


@pytest.mark.slow
@compiled
def test_without_compiled_loops_every_page_gives_the_same(golden):
    program = (
        "import sys, tamis; found = tamis.extract(sys.stdin.buffer.read());"
        "print(found.text, round(found.confidence, 3))"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", program],
            input=golden.html,
            capture_output=True,
            check=True,
            env={**os.environ, **more},
        ).stdout
        for more in ({}, {"TAMIS_PURE": "1"})
    ]
    assert runs[0] == runs[1]


def test_a_node_of_another_page_is_no_row_of_this_one():
    page, other = parse_page("<p>a"), parse_page("<p>b")
    with pytest.raises(ValueError, match="not a node of this page"):
        walk.rows_among(page.nodes, [other.nodes[3]])
