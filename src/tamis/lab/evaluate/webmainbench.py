"""The scores of WebMainBench for one page: ROUGE-5, and edit distances of text, code, formulas and tables.

Implemented from the definitions of its README and toolkit; ``docs/lab/evaluation.md`` says where they differ.

M. Liu et al.: Dripper: Token-Efficient Main HTML Extraction with a Lightweight LM. arXiv 2511.23119 (2025).
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from itertools import chain, repeat
from typing import Any, Final

from tamis.errors import needs_extra
from tamis.lab.evaluate.markdown import Rows, html_table_rows
from tamis.lab.evaluate.metrics import count_ngrams

__all__ = ["COLUMNS", "remove_links", "webmainbench"]

# Split a text into tokens as jieba does, on which the ROUGE-N of WebMainBench is defined.

#: Han characters, and what jieba leaves to its dictionary together with them.
_BLOCK: Final = re.compile(r"([\u4e00-\u9fd5a-zA-Z0-9+#&._%\-]+)")
_HAN: Final = re.compile(r"[\u4e00-\u9fd5]")
_WORD: Final = re.compile(r"([a-zA-Z0-9]+(?:\.\d+)?%?)")
_SPACE: Final = re.compile(r"(\r\n|\s)")


def split_tokens(text: str) -> list[str]:
    """Return words, numbers, white space and punctuation as tokens.

    Text without Han characters is split by jieba's rules. Han characters are split by jieba if it is installed, else
    each is a token.

    >>> split_tokens("Boil 2.5 l, wait…")
    ['Boil', ' ', '2.5', ' ', 'l', ',', ' ', 'wait', '…']
    """
    jieba = _jieba() if _HAN.search(text) else None
    if jieba is not None:
        tokens: list[str] = jieba.lcut(text)
        return tokens
    tokens = []
    for number, piece in enumerate(_BLOCK.split(text)):
        if number % 2:
            for part in re.split(r"([\u4e00-\u9fd5])", piece):
                tokens += [part] if _HAN.match(part) else [word for word in _WORD.split(part) if word]
        else:
            for space_number, part in enumerate(_SPACE.split(piece)):
                tokens += [part] if space_number % 2 else part
    return tokens


@cache
def _jieba() -> Any:  # noqa: ANN401 (it has no types)
    """Return the module, or None. It is not a dependency: a dictionary of 19 MB for one score."""
    if find_spec("jieba") is None:
        return None
    import logging  # noqa: PLC0415

    import jieba  # noqa: PLC0415

    jieba.setLogLevel(logging.WARNING)
    return jieba


# Markdown without the URLs of links and without images, as WebMainBench compares it.

#: Code blocks between fences and code spans.
_CODE: Final = re.compile(r"```.*?```|`[^`\n]{1,2000}`", re.DOTALL)
#: The longest destination of a link, in characters.
_MAX_DESTINATION: Final = 2000
_AUTOLINK: Final = re.compile(r"<((?:https?://|mailto:)[^\s<>]{1,2000})>")
_PAIRED: Final = re.compile(r"\\.|[\[\]()]", re.DOTALL)
_CLOSING: Final = {"[": "]", "(": ")"}


def remove_links(markdown: str) -> str:
    """Return Markdown with the text of links instead of links, and without images.

    The toolkit converts HTML that way, so that its gold has neither. Code is left alone.

    >>> remove_links("Pour [the *tea*](/tea 'now') ![a pot](/pot.png), see <https://a.example/> and `[a](b)`.")
    'Pour the *tea* , see https://a.example/ and `[a](b)`.'
    """
    masked = _CODE.sub(lambda code: " " * len(code[0]), markdown)
    pairs = _matching_pairs(masked)
    pieces: list[str] = []
    cuts: list[tuple[int, int]] = [
        cut
        for link in _AUTOLINK.finditer(masked)
        for cut in ((link.start(), link.start() + 1), (link.end() - 1, link.end()))
    ]
    for start, close in pairs.items():
        end = pairs.get(close + 1, -1)
        if masked[start] == "[" and masked[close + 1 : close + 2] == "(" and 0 < end - close < _MAX_DESTINATION:
            is_image = masked[start - 1 : start] == "!"
            cuts += [(start - 1, end + 1)] if is_image else [(start, start + 1), (close, end + 1)]
    position = 0
    for first, stop in sorted(cuts):
        if first >= position:
            pieces.append(markdown[position:first])
        position = max(position, stop)
    return "".join([*pieces, markdown[position:]])


def _matching_pairs(source: str) -> dict[int, int]:
    """Return the position of the closing bracket or parenthesis for each opening one, in linear time.

    >>> _matching_pairs("[a](b)")
    {0: 2, 3: 5}
    """
    pairs: dict[int, int] = {}
    stacks: dict[str, list[int]] = {"]": [], ")": []}
    for match in _PAIRED.finditer(source):
        if match[0] in _CLOSING:
            stacks[_CLOSING[match[0]]].append(match.start())
        elif match[0] in stacks and stacks[match[0]]:
            pairs[stacks[match[0]].pop()] = match.start()
    return pairs


# Find the code, the formulas and the tables of a Markdown text as the toolkit of WebMainBench does.

_FENCE: Final = "```"
_INDENT: Final = ("    ", "\t")
#: Indented lines with one of these are a list or prose about money, not code.
_NOT_CODE: Final = re.compile(r"^(?:[-•*]|\d{1,20}\.)\s|\$[\d,]|\b(?:million|billion|thousand)\b", re.IGNORECASE)
_MIN_INDENTED_LINES: Final = 2
#: What opens and closes a formula, in the order in which they are searched.
_FORMULA_MARKS: Final = (("$$", "$$"), ("\\[", "\\]"), ("$", "$"), ("\\(", "\\)"))
_SEPARATOR_CELL: Final = re.compile(r":?-{3,}:?\Z")
#: A row that only separates others.
_RULE: Final = re.compile(r"[\s|:-]+\Z")
_TABLE: Final = re.compile(r"<(/?)table\b[^<>]{0,2000}>", re.IGNORECASE)


def find_code(markdown: str) -> str:
    r"""Return the lines of code: between fences, and at least two indented lines after an empty one.

    As in the toolkit, indented lines between fences count again, and a second block of indented lines counts only if
    two empty lines separate it from the first.

    >>> find_code("Pour:\n```py\npour()\n```\nThen\n\n    wait()\n    drink()\n")
    'pour()\nwait()\ndrink()'
    """
    blocks, _ = _split_fences(markdown)
    run: list[str] = []
    empty_lines = 0
    for line in [*markdown.split("\n")[1:], ""]:
        if line.startswith(_INDENT) and (run or empty_lines > 0):
            run.append(line)
            continue
        if len(run) >= _MIN_INDENTED_LINES:
            blocks += _indented_code(run)
            empty_lines = -1
        elif run:
            empty_lines = 0
        run = []
        empty_lines = 0 if line.strip() else empty_lines + 1
    return "\n".join(blocks)


def _split_fences(markdown: str) -> tuple[list[str], str]:
    """Return the code between fences, and the text around it."""
    parts = markdown.split(_FENCE)
    if len(parts) % 2 == 0:  # the last fence is not closed: what follows it is text
        parts[-2:] = [_FENCE.join(parts[-2:])]
    blocks = ["\n".join(part.split("\n")[1:-1]) for part in parts[1::2]]
    return [block for block in blocks if block], "".join(parts[::2])


def _remove_code(markdown: str) -> str:
    """Return the text without code blocks between fences and without code spans."""
    parts = _split_fences(markdown)[1].split("`")
    if len(parts) % 2 == 0:
        parts[-2:] = ["`".join(parts[-2:])]
    return "".join(parts[::2])


def _indented_code(lines: list[str]) -> list[str]:
    lines = [line for line in lines if line.strip()]
    if len(lines) < _MIN_INDENTED_LINES or any(_NOT_CODE.search(line.strip()) for line in lines):
        return []
    return ["\n".join(line[1:] if line.startswith("\t") else line[4:] for line in lines)]


def find_formulas(markdown: str) -> str:
    r"""Return the formulas, those on lines of their own first, one below another. Code is left out.

    >>> find_formulas(r"Is $a$ or `$x` or $$b$$ or \(c\)?")
    'b\na\nc'
    """
    text = _remove_code(markdown)
    found = (formula.strip() for marks in _FORMULA_MARKS for formula in _between(text, *marks))
    return "\n".join(formula for formula in found if formula)


def _between(text: str, opening: str, closing: str) -> Iterator[str]:
    """Yield what is between marks that have no backslash before them."""
    position = 0
    while (start := _find_mark(text, opening, position)) >= 0:
        start += len(opening)
        end = _find_mark(text, closing, start)
        if end < 0:
            return
        yield text[start:end]
        position = end + len(closing)


def _find_mark(text: str, mark: str, position: int) -> int:
    found = text.find(mark, position)
    while found > 0 and text[found - 1] == "\\":
        found = text.find(mark, found + 1)
    return found


def find_tables(markdown: str) -> Rows:
    r"""Return the rows of all tables: those in HTML first, then those in Markdown. Empty cells are left out.

    >>> find_tables("a | b\n---|---\n1 | 2")
    (('a', 'b'), ('1', '2'))
    """
    rows = [row for source in _html_tables(markdown) for row in html_table_rows(source)]
    cells = (tuple(cell for cell in row if cell) for row in rows)
    return (*(row for row in cells if row), *_markdown_rows(_markdown_tables(markdown)))


def find_table_html(markdown: str) -> str:
    r"""Return the tables as the text that ``table_edit`` compares: HTML, without white space between its tags.

    Tables in Markdown become one table. If there are tables in HTML, all of them stay as they are written.

    >>> find_table_html("a | b\n---|---\n1 | 2")
    '<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>'
    """
    in_html, in_markdown = list(_html_tables(markdown)), _markdown_tables(markdown)
    if in_html:
        return "\n".join([*in_html, *("\n".join(table) for table in in_markdown)])
    if not in_markdown:
        return ""
    rows = (
        "".join(f"<{tag}>{cell}</{tag}>" for cell in row)
        for row, tag in zip(_markdown_rows(in_markdown), chain(["th"], repeat("td")), strict=False)
    )
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"


def _markdown_tables(markdown: str) -> list[list[str]]:
    """Return the lines of each table in Markdown: lines with a pipe, the second one a separator."""
    tables: list[list[str]] = []
    table: list[str] = []
    for line in [*markdown.split("\n"), ""]:
        if "|" in line:
            table.append(line)
            continue
        if len(table) > 1 and _is_separator(table[1]):
            tables.append(table)
        table = []
    return tables


def _markdown_rows(tables: list[list[str]]) -> Rows:
    """Return the cells of tables in Markdown, without separators and empty cells."""
    lines = (line for table in tables for line in table if not _RULE.match(line))
    rows = (tuple(cell.strip() for cell in line.split("|") if cell.strip()) for line in lines)
    return tuple(row for row in rows if row)


def _is_separator(line: str) -> bool:
    return all(_SEPARATOR_CELL.match(cell) for cell in map(str.strip, line.split("|")) if cell)


def _html_tables(markdown: str) -> Iterator[str]:
    """Yield the source of each table in HTML that is not inside another one or in code."""
    markdown = _remove_code(markdown)
    depth, start = 0, 0
    for tag in _TABLE.finditer(markdown):
        if not tag[1]:
            start = start if depth else tag.start()
            depth += 1
        elif depth:
            depth -= 1
            if not depth:
                yield markdown[start : tag.end()]


# The distance of two tables as trees (TEDS).
#
# X. Zhong, E. ShafieiBavani, A. Jimeno Yepes: Image-based table recognition: data, model, and evaluation. ECCV
# 2020. K. Zhang, D. Shasha: Simple fast algorithms for the editing distance between trees and related problems.
# SIAM Journal on Computing 18 (1989).

#: Larger tables are cut: the cost is the product of the sizes.
_MAX_NODES: Final = 300
#: The cost of turning one node into another.
RenameCost = Callable[["TreeNode", "TreeNode"], float]


@dataclass(frozen=True, slots=True)
class TreeNode:
    """A node of a tree in postorder.

    Attributes:
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


# The scores of WebMainBench for one page.

#: The columns, the composite score first.
COLUMNS: Final = ("overall", "text_edit", "code_edit", "formula_edit", "table_edit", "table_teds", "rouge_5")
#: "ROUGE-N (N=5, jieba tokenization)" (README of the toolkit).
_ROUGE_SIZE: Final = 5
#: Texts are cut after this many characters. The distance of two such texts takes half a second.
_MAX_CHARACTERS: Final = 200_000


def webmainbench(predicted: str, gold: str) -> dict[str, float]:
    r"""Return the scores of a Markdown text. A score that does not apply, because neither text has it, is left out.

    >>> scores = webmainbench("Pour `it`.\n\n```\npour()\n```", "Pour it.\n\n```\npour(1)\n```")
    >>> {name: round(score, 3) for name, score in scores.items()}
    {'overall': 0.871, 'text_edit': 0.885, 'code_edit': 0.857, 'rouge_5': 0.414}
    """
    tables = find_table_html(predicted), find_table_html(gold)
    scores = {
        "text_edit": edit_similarity(predicted, gold),
        "code_edit": edit_similarity(find_code(predicted), find_code(gold)),
        "formula_edit": edit_similarity(find_formulas(predicted), find_formulas(gold)),
        "table_edit": edit_similarity(*tables),
        "table_teds": _teds(predicted, gold) if all(tables) else 0.0 if any(tables) else None,
    }
    applicable = {name: score for name, score in scores.items() if score is not None}
    overall = {"overall": sum(applicable.values()) / len(applicable)} if applicable else {}
    return overall | applicable | {"rouge_5": _rouge(predicted, gold)}


def edit_similarity(left: str, right: str) -> float | None:
    """Return 1 - distance / length of the longer text, or None if both are empty.

    The distance is Levenshtein's, over characters.

    >>> edit_similarity("pour", "poor"), edit_similarity("", "")
    (0.75, None)
    """
    left, right = left[:_MAX_CHARACTERS], right[:_MAX_CHARACTERS]
    if not left and not right:
        return None
    with needs_extra("rapidfuzz", "eval"):
        from rapidfuzz.distance import Levenshtein  # noqa: PLC0415 (an extra: only the evaluation needs it)
    return float(Levenshtein.normalized_similarity(left, right))


def _teds(predicted: str, gold: str) -> float:
    """Return 1 - distance of the trees / nodes of the larger one; all tables of a page are one tree."""
    left, right = table_tree(find_tables(predicted)), table_tree(find_tables(gold))
    return 1 - tree_distance(left, right, _rename_cost) / max(len(left), len(right))


def _rename_cost(left: TreeNode, right: TreeNode) -> float:
    if left.tag != right.tag:
        return 1.0
    if left.text == right.text:
        return 0.0
    return 1.0 - (edit_similarity(left.text, right.text) or 0.0)


def _rouge(predicted: str, gold: str) -> float:
    """Return the F1 of n-grams of tokens. Two empty texts are equal; shorter ones have no n-grams and score 0."""
    if not predicted.strip() and not gold.strip():
        return 1.0
    left, right = (count_ngrams(split_tokens(text), _ROUGE_SIZE) for text in (predicted, gold))
    total = left.total() + right.total()
    return 2 * (left & right).total() / total if total else 0.0
