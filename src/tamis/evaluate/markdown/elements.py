"""The text and the elements of a Markdown text."""

from dataclasses import dataclass, field

from tamis.evaluate.markdown.blocks import Rows, read_blocks
from tamis.evaluate.markdown.inline import Inline, read_inline


@dataclass(slots=True)
class Elements:
    """The elements of a Markdown text, each list in the order of the text.

    Attributes:
        code: code blocks.
        inline_code: code spans.
        formulas: formulas, inline and on lines of their own.
        tables: tables as rows of cells, without marks.
        headings: the texts of headings.
        links: pairs of text and URL.
    """

    code: list[str] = field(default_factory=list)
    inline_code: list[str] = field(default_factory=list)
    formulas: list[str] = field(default_factory=list)
    tables: list[Rows] = field(default_factory=list)
    headings: list[str] = field(default_factory=list)
    links: list[tuple[str, str]] = field(default_factory=list)


def read_elements(markdown: str) -> Elements:
    r"""Return the elements of a Markdown text.

    >>> read_elements("# Tea\n\nBoil [water](/w) to $100$.\n\n| a |\n|---|\n| `b` |")
    Elements(code=[], inline_code=['b'], formulas=['100'], tables=[(('a',), ('b',))], headings=['Tea'],
    links=[('water', '/w')])
    """
    return _read(markdown)[0]


def plain_text(markdown: str) -> str:
    r"""Return the text of Markdown without its marks, a line for each line, cells separated by a space.

    >>> plain_text("# Tea\n\n- **Boil** [water](/w)\n- pour\n\n| a | b |\n|---|---|\n| 1 | 2 |")
    'Tea\n\nBoil water\npour\n\na b\n1 2'
    """
    return _read(markdown)[1]


def _read(markdown: str) -> tuple[Elements, str]:
    elements, texts = Elements(), []

    def inline(source: str) -> str:
        parts: Inline = read_inline(source)
        elements.inline_code += parts.code
        elements.formulas += parts.formulas
        elements.links += parts.links
        return parts.text

    for block in read_blocks(markdown):
        if block.type == "code":
            elements.code.append(block.text)
            text = block.text
        elif block.type == "formula":
            elements.formulas.append(block.text)
            text = block.text
        elif block.type == "table":
            rows = tuple(tuple(inline(cell).strip() for cell in row) for row in block.rows)
            elements.tables.append(rows)
            text = "\n".join(" ".join(row) for row in rows)
        elif block.type == "heading":
            text = " ".join(inline(block.text).split())
            elements.headings.append(text)
        else:
            text = "\n".join(line.strip() for line in inline(_strip_markers(block.text)).splitlines())
        if text.strip():
            texts.append(text.strip("\n"))
    return elements, "\n\n".join(texts)


def _strip_markers(text: str) -> str:
    """Return lines without the marks of quotations, list items and rules."""
    return "\n".join(_strip_marker(line) for line in text.splitlines())


def _strip_marker(line: str) -> str:
    content = line.lstrip(" \t>")
    if content and not content.strip("-*_ \t"):
        return ""
    first, _, rest = content.partition(" ")
    number = first[:-1]
    if first in {"-", "*", "+"} or (first[-1:] in {".", ")"} and number.isdecimal() and len(number) < 10):  # noqa: PLR2004
        return rest.removeprefix("[ ] ").removeprefix("[x] ")
    return content
