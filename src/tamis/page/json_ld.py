"""The JSON-LD of a page, as plain values."""

import json
import re
from typing import Any, Final

from tamis.page.columns import Page

_TRAILING_COMMA: Final = re.compile(r",\s*([}\]])")


def linked_data(page: Page, row: int) -> list[Any]:
    """Return the parsed JSON-LD of a script as a list of one value; empty for other scripts and invalid JSON.

    Line breaks inside strings and trailing commas are accepted.
    """
    node = page.nodes[row]
    media_type = node.attr("type")  # type: ignore[attr-defined]
    if media_type is None or media_type.partition(";")[0].strip().lower() != "application/ld+json":
        return []
    for repair in (False, True):  # trailing commas are removed only where the first attempt fails
        try:
            return [json.loads(_TRAILING_COMMA.sub(r"\1", node.text) if repair else node.text, strict=False)]
        except (ValueError, RecursionError):
            continue
    return []
