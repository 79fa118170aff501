"""The scores of WebMainBench for one page."""

from typing import Final

from tamis.errors import MissingExtraError
from tamis.evaluate.rouge import count_ngrams
from tamis.evaluate.webmainbench.contents import find_code, find_formulas, find_table_html, find_tables
from tamis.evaluate.webmainbench.tokens import split_tokens
from tamis.evaluate.webmainbench.trees import TreeNode, table_tree, tree_distance

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
    try:
        from rapidfuzz.distance import Levenshtein  # noqa: PLC0415 (an extra: only the evaluation needs it)
    except ImportError as error:
        raise MissingExtraError.for_module("rapidfuzz", "eval") from error
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
