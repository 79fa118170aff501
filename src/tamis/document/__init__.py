"""The document model between selection and rendering: a tree of typed parts that every writer reads.

`build` makes it from the selected rows; the table in `detectors` finds footnotes, formulas, code and other parts.
"""

from typing import TYPE_CHECKING

from tamis.lazy import lazy_names

if TYPE_CHECKING:
    from tamis.document.parts import (
        Callout,
        Cell,
        Code,
        CodeSpan,
        Definition,
        Definitions,
        Details,
        Document,
        Emphasis,
        Figure,
        Footnote,
        Formula,
        FormulaSpan,
        Heading,
        Image,
        Item,
        LineBreak,
        Link,
        List,
        Paragraph,
        Part,
        Post,
        Quote,
        Row,
        Ruby,
        Rule,
        SourceLocation,
        Span,
        Table,
        Text,
    )

__all__ = [
    "Callout",
    "Cell",
    "Code",
    "CodeSpan",
    "Definition",
    "Definitions",
    "Details",
    "Document",
    "Emphasis",
    "Figure",
    "Footnote",
    "Formula",
    "FormulaSpan",
    "Heading",
    "Image",
    "Item",
    "LineBreak",
    "Link",
    "List",
    "Paragraph",
    "Part",
    "Post",
    "Quote",
    "Row",
    "Ruby",
    "Rule",
    "SourceLocation",
    "Span",
    "Table",
    "Text",
]

if not TYPE_CHECKING:
    _SPANS = {"CodeSpan", "Emphasis", "FormulaSpan", "Image", "LineBreak", "Link", "Ruby", "Span", "Text"}
    __getattr__ = lazy_names(
        __name__,
        {
            **dict.fromkeys(__all__, "tamis.document.parts"),
            **dict.fromkeys(_SPANS, "tamis.document.parts"),
            **dict.fromkeys(["Document", "SourceLocation"], "tamis.document.parts"),
        },
    )
