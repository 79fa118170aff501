"""Markdown without the URLs of links and without images, as WebMainBench compares it."""

import re
from typing import Final

from tamis.evaluate.markdown.inline import AUTOLINK, matching_pairs

#: Code blocks between fences and code spans.
_CODE: Final = re.compile(r"```.*?```|`[^`\n]{1,2000}`", re.DOTALL)
#: The longest destination of a link, in characters.
_MAX_DESTINATION: Final = 2000


def remove_links(markdown: str) -> str:
    """Return Markdown with the text of links instead of links, and without images.

    The toolkit converts HTML that way, so that its gold has neither. Code is left alone.

    >>> remove_links("Pour [the *tea*](/tea 'now') ![a pot](/pot.png), see <https://a.example/> and `[a](b)`.")
    'Pour the *tea* , see https://a.example/ and `[a](b)`.'
    """
    masked = _CODE.sub(lambda code: " " * len(code[0]), markdown)
    pairs = matching_pairs(masked)
    pieces: list[str] = []
    cuts: list[tuple[int, int]] = [
        cut
        for link in AUTOLINK.finditer(masked)
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
