"""The JSON-LD of a page, as plain values."""

import json
import re
from typing import Any, Final

from tamis.page.columns import Page

_COMMAS: Final = re.compile(r",\s*([}\]])")


def linked_data(page: Page, row: int) -> list[Any]:
    """Return the JSON-LD of a script, if it is that; breaks inside strings and commas before ends are forgiven."""
    node = page.nodes[row]
    kind = node.attr("type")  # type: ignore[attr-defined]
    if kind is None or kind.partition(";")[0].strip().lower() != "application/ld+json":
        return []
    for mended in (False, True):  # a second time, without those commas, only where the first fails
        try:
            return [json.loads(_COMMAS.sub(r"\1", node.text) if mended else node.text, strict=False)]
        except (ValueError, RecursionError):
            continue
    return []
