"""The headings of the reader's content: below the title, which is the one ``h1``, and without skipped levels."""

import re
from typing import Final

_HEADING: Final = re.compile(r"<(/?)h([1-6])>")
_MAX_LEVEL: Final = 6


def nest_headings(html: str) -> str:
    """Return sanitized HTML whose headings begin at level 2 and go down one level at a time.

    >>> nest_headings("<h1>A</h1><h4>B</h4><h4>C</h4><h2>D</h2><h1>E</h1>")
    '<h2>A</h2><h3>B</h3><h3>C</h3><h3>D</h3><h2>E</h2>'
    """
    above: list[int] = []  # the levels, in the page, of the headings that the next one is under
    current = 2

    def renumber(match: re.Match[str]) -> str:
        nonlocal current
        if not match[1]:
            level = int(match[2])
            while above and above[-1] >= level:
                above.pop()
            above.append(level)
            current = min(_MAX_LEVEL, 1 + len(above))
        return f"<{match[1]}h{current}>"

    return _HEADING.sub(renumber, html)
