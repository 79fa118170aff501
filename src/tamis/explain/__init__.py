"""Why blocks were kept or dropped: contributions of feature groups, the papers' pictures, and a page of all that."""

from tamis.explain.explain import explain_selection
from tamis.explain.explanation import BlockExplanation, Contribution, Explanation, Flip

__all__ = ["BlockExplanation", "Contribution", "Explanation", "Flip", "explain_selection"]
