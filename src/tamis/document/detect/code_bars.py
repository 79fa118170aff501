"""Bars by name: elements before or after code that have its file name, its language and buttons.

`tamis.document.detect.code_blocks` tells bars by structure where one box contains the bar and the code. These are the
names of bars that stand beside the code, without a box of their own: of Microsoft's documentation, Crayon, gists and
notebooks.
"""

import re
from bisect import bisect_left
from typing import Final

from tamis.document.detect.languages import label_language
from tamis.page import Page

_NAMES: Final = ("codeHeader", "crayon-toolbar", "gist-meta", "input_prompt", "output_prompt", "jp-InputPrompt",
                 "jp-OutputPrompt")  # fmt: skip
_SELECTOR: Final = ",".join(f".{name}" for name in _NAMES)
_PROMPT: Final = re.compile(r"(?:In|Out)?\s{0,3}\[[\d *]{0,6}\]:?")
_MAX_CHARS: Final = 120  #: of a bar
_MAX_ROWS: Final = 60  #: from a bar to its code


def read_named_bars(page: Page, blocks: list[int], dropped: set[int], languages: dict[int, str]) -> None:
    """Add the text of bars beside code blocks, which are in order, to `dropped`, and what they name to `languages`.

    >>> from tamis.page import parse_page
    >>> page = parse_page('<div class="codeHeader"><span>C#</span><button>Copy</button></div><pre>var a;</pre>')
    >>> dropped, languages = set(), {}
    >>> read_named_bars(page, page.rows_of("pre").tolist(), dropped, languages)
    >>> [page.row_text(row) for row in sorted(dropped)], list(languages.values())
    (['C#', 'Copy'], ['csharp'])
    """
    classes = "\n".join(page.class_ids[1])
    if not blocks or not any(name in classes for name in _NAMES):
        return
    for bar in page.select(_SELECTOR):
        stop = int(page.end[bar])
        if page.offset[stop] - page.offset[bar] > 4 * _MAX_CHARS:
            continue
        index = bisect_left(blocks, stop)
        is_after = index > 0 and 0 <= bar - int(page.end[blocks[index - 1]]) <= _MAX_ROWS
        is_before = index < len(blocks) and blocks[index] - stop <= _MAX_ROWS
        text = " ".join(page.row_text(bar).split())
        if len(text) > _MAX_CHARS or not (is_before or is_after):
            continue
        is_prompt = "rompt" in page.attributes(bar).get("class", "")
        if is_prompt and text and not _PROMPT.fullmatch(text):
            continue
        for row in range(bar, stop):
            if page.shown[row]:
                dropped.add(row)
                language = label_language(page.row_text(row))
                if language and is_before:
                    languages.setdefault(blocks[index], language)
