"""The JSON-LD of a page, as plain values."""

import json
import re
from typing import Any, Final

from tamis.html.surrogates import replace_json_surrogates
from tamis.page.columns import Page

_TRAILING_COMMA: Final = re.compile(r",\s*([}\]])")


def parse_json_ld(page: Page, row: int) -> list[Any]:
    """Return the value of a JSON-LD script in a list, or an empty list if the script is not valid JSON-LD.

    Line breaks inside strings and trailing commas are accepted.
    """
    node = page.nodes[row]
    media_type = node.attr("type")  # type: ignore[attr-defined]
    if media_type is None or media_type.partition(";")[0].strip().lower() != "application/ld+json":
        return []
    text = replace_json_surrogates(node.text)
    for repaired in (False, True):  # commas are removed only where the text is invalid as it stands
        try:
            return [json.loads(_TRAILING_COMMA.sub(r"\1", text) if repaired else text, strict=False)]
        except (ValueError, RecursionError):
            continue
    return []
