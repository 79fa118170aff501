"""Column arithmetic equals a naive recursive implementation on random trees."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.page import sums

# A tree is the list of its children.
trees = st.recursive(st.just([]), lambda inner: st.lists(inner, max_size=4), max_leaves=40)


def table(tree):
    """Return a tree in preorder as columns, by recursion."""
    parent, end, depth, count = [], [], [], []

    def visit(node, above, level):
        row = len(parent)
        parent.append(above)
        end.append(0)
        depth.append(level)
        count.append(len(node))
        for child in node:
            visit(child, row, level + 1)
        end[row] = len(parent)

    visit(tree, -1, 0)
    return tuple(np.array(column, dtype=np.int32) for column in (parent, end, depth, count))


def ancestors(parent, row):
    out = [row]
    while parent[row] >= 0:
        row = int(parent[row])
        out.append(row)
    return out


@given(trees, st.randoms(use_true_random=False))
def test_subtree_and_child_sums_equal_naive_sums(tree, random):
    parent, end, _, _ = table(tree)
    values = np.array([random.randrange(100) for _ in parent])
    expected_subtree = [
        sum(values[j] for j in range(len(parent)) if i in ancestors(parent, j)) for i in range(len(end))
    ]
    expected_children = [sum(values[j] for j in range(len(parent)) if parent[j] == i) for i in range(len(end))]
    assert sums.subtree_sums(end, values).tolist() == expected_subtree
    assert sums.child_sums(parent, values).tolist() == expected_children


@given(trees, st.randoms(use_true_random=False))
def test_nearest_ancestor_and_in_subtree_equal_naive_search(tree, random):
    parent, end, _, _ = table(tree)
    rows = np.array([row for row in range(len(parent)) if random.random() < 0.4], dtype=np.int64)
    chosen = set(rows.tolist())
    expected = [next((a for a in ancestors(parent, row) if a in chosen), -1) for row in range(len(parent))]
    assert sums.nearest_ancestor(end, rows).tolist() == expected
    assert sums.in_subtree(end, rows).tolist() == [row >= 0 for row in expected]


@pytest.mark.slow
@given(trees, st.randoms(use_true_random=False))
def test_lowest_common_ancestors_equal_naive_search(tree, random):
    parent, end, depth, _ = table(tree)
    pairs = [(random.randrange(len(parent)), random.randrange(len(parent))) for _ in range(20)]
    expected = [next(a for a in ancestors(parent, x) if a in ancestors(parent, y)) for x, y in pairs]
    first, second = (np.array(column) for column in zip(*pairs, strict=True))
    assert sums.lowest_common_ancestors(parent, end, depth, first, second).tolist() == expected


@pytest.mark.slow
@given(st.lists(st.integers(-5, 5), min_size=1, max_size=50), st.randoms(use_true_random=False))
def test_range_argmin_returns_the_first_minimum(values, random):
    pairs = [sorted((random.randrange(len(values)), random.randrange(len(values)))) for _ in range(20)]
    expected = [min(range(a, b + 1), key=lambda k: (values[k], k)) for a, b in pairs]
    first, last = (np.array(column) for column in zip(*pairs, strict=True))
    assert sums.range_argmin(np.array(values), first, last).tolist() == expected


def test_prefix_sums_of_an_empty_array():
    assert sums.prefix_sums(np.array([], dtype=np.int64)).tolist() == [0]
