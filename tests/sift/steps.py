"""Single steps of the choice, which `tamis._core.choice.choose` runs one after another."""

import numpy as np

from tamis._core.loader import core
from tamis.sift.choice import code_and_callouts


def complete_structure(page, kept, excluded, *, quotations=False, cards=True, appeals=True):
    """Return the kept blocks with the code, formulas, callouts, headings and captions among them."""
    out = kept.copy()
    core.complete_structure(
        page.columns, page.text, page.attribute_source, kept.view(np.uint8), excluded.view(np.uint8),
        code_and_callouts(page), out.view(np.uint8), quotations=quotations, cards=cards, appeals=appeals,
    )  # fmt: skip
    return out


def settle_lists(page, kept, probs, excluded):
    """Return the kept blocks with short lists whole, or without them where few of their items were kept."""
    out = kept.copy()
    core.settle_lists(page.columns, kept.view(np.uint8), probs, excluded.view(np.uint8), out.view(np.uint8))
    return out


def complete_groups(page, kept, excluded):
    """Return the kept blocks with the rest of lists and tables of which half is kept."""
    out, tables = kept.copy(), list(page.data_tables)
    core.complete_groups(page.columns, kept.view(np.uint8), excluded.view(np.uint8), tables, out.view(np.uint8))
    return out
