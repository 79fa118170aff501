"""Why blocks were kept or dropped: contributions of feature groups, the papers' pictures, and a page of all that."""

from tamis.explain.explain import BlockExplanation, Contribution, Explanation, Flip, explain_selection

__all__ = ["BlockExplanation", "Contribution", "Explanation", "Flip", "explain_selection"]
