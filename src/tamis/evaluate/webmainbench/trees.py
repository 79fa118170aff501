"""The distance of two tables as trees (TEDS).

X. Zhong, E. ShafieiBavani, A. Jimeno Yepes: Image-based table recognition: data, model, and evaluation. ECCV 2020.
K. Zhang, D. Shasha: Simple fast algorithms for the editing distance between trees and related problems. SIAM Journal
on Computing 18 (1989).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from tamis.evaluate.markdown.blocks import Rows

#: Larger tables are cut: the cost is the product of the sizes.
_MAX_NODES: Final = 300
#: The cost of turning one node into another.
RenameCost = Callable[["TreeNode", "TreeNode"], float]


@dataclass(frozen=True, slots=True)
class TreeNode:
    """A node of a tree in postorder.

    Attributes:
        tag: table, tr, th or td.
        text: the text of a cell.
        first_leaf: the position of the first leaf below it.
    """

    tag: str
    text: str
    first_leaf: int


def table_tree(rows: Rows) -> list[TreeNode]:
    """Return a table as a tree in postorder: the cells of a row before it, the table last.

    >>> [node.tag for node in table_tree((("a", "b"), ("1",)))]
    ['th', 'th', 'tr', 'td', 'tr', 'table']
    """
    nodes: list[TreeNode] = []
    for number, row in enumerate(rows):
        if len(nodes) + len(row) + 2 > _MAX_NODES:
            break
        first = len(nodes)
        tag = "td" if number else "th"
        nodes += [TreeNode(tag, cell, first + column) for column, cell in enumerate(row)]
        nodes.append(TreeNode("tr", "", first))
    return [*nodes, TreeNode("table", "", 0)]


def tree_distance(left: Sequence[TreeNode], right: Sequence[TreeNode], rename: RenameCost) -> float:
    """Return the lowest cost of turning one tree into the other; to insert or to delete a node costs 1.

    >>> tree_distance(table_tree((("a", "b"),)), table_tree((("a",),)), lambda one, other: one.text != other.text)
    1.0
    """
    distances = [[0.0] * len(right) for _ in left]
    for row in _key_roots(left):
        for column in _key_roots(right):
            _subtree_distances(left, right, row, column, distances, rename)
    return distances[-1][-1]


def _key_roots(tree: Sequence[TreeNode]) -> list[int]:
    """Return the positions of the nodes that are not the first child of their parent."""
    return sorted({node.first_leaf: position for position, node in enumerate(tree)}.values())


def _subtree_distances(
    left: Sequence[TreeNode],
    right: Sequence[TreeNode],
    row: int,
    column: int,
    distances: list[list[float]],
    rename: RenameCost,
) -> None:
    """Fill in the distances of all subtrees that share their first leaf with two subtrees."""
    left_start, right_start = left[row].first_leaf, right[column].first_leaf
    width = column - right_start + 2
    previous = [float(number) for number in range(width)]
    forests = [previous]
    for i in range(left_start, row + 1):
        node = left[i]
        current = [previous[0] + 1]
        whole_left = node.first_leaf == left_start
        before_left = forests[node.first_leaf - left_start]
        for j in range(right_start, column + 1):
            other = right[j]
            at = j - right_start
            best = min(previous[at + 1], current[at]) + 1
            if whole_left and other.first_leaf == right_start:
                best = min(best, previous[at] + rename(node, other))
                distances[i][j] = best
            else:
                best = min(best, before_left[other.first_leaf - right_start] + distances[i][j])
            current.append(best)
        forests.append(current)
        previous = current
