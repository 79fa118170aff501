"""`extract`: the one way from markup to content, and what it returns."""

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

from tamis.errors import OptionError
from tamis.extractors import registry
from tamis.extractors.base import Extractor, Link, Selection
from tamis.page import Page, parse_page, shown_text
from tamis.page.sniff import binary_kind
from tamis.render.html import render_html
from tamis.render.text import block_texts, render_text


@dataclass(frozen=True, slots=True)
class Options:
    """How to extract. A value: make one, use it for as many pages as you like.

    >>> Options(extractor="body")
    Options(extractor='body', encoding=None)

    Attributes:
        extractor: the name of a registered extractor, or an extractor.
        encoding: the character encoding that the HTTP header named, for bytes.
    """

    extractor: str | Extractor = "cetd"
    encoding: str | None = None

    def changed(self, **changes: Any) -> "Options":  # noqa: ANN401 (checked against the fields below)
        """Return these options with some changed; an unknown name is an error that lists the known ones."""
        known = [field.name for field in fields(self)]
        unknown = sorted(set(changes) - set(known))
        if unknown:
            raise OptionError(f"no such option: {', '.join(unknown)}; there are {', '.join(known)}")
        return replace(self, **changes)

    def resolve(self) -> Extractor:
        """Return the extractor that these options name."""
        return registry.get(self.extractor) if isinstance(self.extractor, str) else self.extractor


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of content: a paragraph, a heading, an item, a cell.

    Attributes:
        text: its selected text.
        tag: the block-level element it stands in.
        score: the largest score of its text rows, in the extractor's own unit.
        reason: why it was kept.
        row: the first text row of it in the page.
    """

    text: str
    tag: str
    score: float
    reason: str
    row: int


@dataclass(frozen=True, eq=False)
class Extraction:
    """What was found in a page. Texts are made when first asked for.

    Attributes:
        page: the page as columns.
        selection: which rows were chosen, with scores and reasons.
        url: the address that was given.
        extractor: the name of the extractor.
        empty: why there is no content, or None when there is.
    """

    page: Page
    selection: Selection
    url: str | None
    extractor: str
    empty: str | None

    def __bool__(self) -> bool:
        return self.empty is None

    @cached_property
    def text(self) -> str:
        """The content as plain text."""
        return render_text(self.page, self.selection.mask)

    @cached_property
    def html(self) -> str:
        """The content as clean HTML, its structure kept."""
        return render_html(self.page, self.selection.mask, self.url)

    @cached_property
    def title(self) -> str | None:
        """The title: what the extractor found, else the first ``h1`` of the content, else ``title``."""
        if self.selection.title:
            return self.selection.title
        page = self.page
        for row in page.rows_of("h1").tolist():
            if self.selection.mask[row : page.end[row]].any():
                return " ".join(page.row_text(row).split())
        for row in page.rows_of("title").tolist():
            title = " ".join(page.row_text(row).split())
            if title:
                return title
        return None

    @property
    def catalogue(self) -> tuple[Link, ...]:
        """The page's links, when the method found links and no main content."""
        return self.selection.catalogue

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """The content in blocks, in document order."""
        page, selection, blocks = self.page, self.selection, self.page.blocks
        out = []
        for block, text in block_texts(page, selection.mask):
            rows = [row for row in range(blocks.start[block], blocks.stop[block]) if selection.mask[row]]
            best = max(rows, key=lambda row: float(selection.score[row]))
            out.append(
                Block(
                    text=text,
                    tag=page.tag_name(int(blocks.host[block])),
                    score=float(selection.score[best]),
                    reason=selection.reasons[selection.reason[best]],
                    row=rows[0],
                )
            )
        return tuple(out)


def extract(
    markup: str | bytes,
    url: str | None = None,
    *,
    options: Options | None = None,
    **changes: Any,  # noqa: ANN401 (each is an option, checked by Options.changed)
) -> Extraction:
    """Extract the main content of a page.

    Options can be given as a value or one by one by name. A page without content gives an `Extraction` that is
    empty (and false) and says why.

    >>> found = extract("<h1>Tea</h1><p>Water just off the boil, three minutes, no more.</p>", extractor="body")
    >>> found.title
    'Tea'
    >>> print(found.text)
    Tea
    <BLANKLINE>
    Water just off the boil, three minutes, no more.
    >>> extract(b"").empty
    'the page is empty'
    """
    chosen = (options or Options()).changed(**changes)
    extractor = chosen.resolve()
    page = parse_page(markup, encoding=chosen.encoding)
    selection = extractor.select(page)
    return Extraction(page, selection, url, extractor.name, _why_empty(page, selection))


def _why_empty(page: Page, selection: Selection) -> str | None:
    """Return why nothing was selected, None when something was."""
    binary = binary_kind(page.markup) if isinstance(page.markup, bytes) else None
    if selection.mask.any() and binary is None:
        return None
    if binary is not None:
        return f"not a web page but {binary}"
    if not page.markup.strip():
        return "the page is empty"
    if not shown_text(page).any():
        return "the page has no visible text"
    if selection.catalogue:
        return f"no content was found, but a catalogue of {len(selection.catalogue)} links"
    return "no content was found"
