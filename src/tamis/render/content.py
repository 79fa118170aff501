"""`Content`: what was selected of a page, and what is known about the page, as writers read it."""

from typing import TYPE_CHECKING

import numpy as np

from tamis.document.warnings import ContentWarning, find_warnings
from tamis.extractors.registry import Selection
from tamis.lazy import cached_property, dataclass
from tamis.page import Page, parse_page
from tamis.page.selectors import leaves_out_text, unrestricted
from tamis.render.text import TextRows, block_texts, plain_rows, selected_text
from tamis.reprs import value_repr

# What plain text does not need is imported where it is used: a command that prints one page waits for every import.
if TYPE_CHECKING:
    from tamis.document.detectors.post_parts import Thread
    from tamis.document.parts import Document
    from tamis.metadata.facts import Fact
    from tamis.metadata.fields import Metadata
    from tamis.metadata.source import MetadataSource
    from tamis.metadata.structured import StructuredData
    from tamis.render.comments import Comment


@dataclass(frozen=True, slots=True)
class Block:
    """A block of content: a paragraph, a heading, an item, a cell.

    Attributes:
        text: its selected text.
        tag: the block-level element that contains it.
        score: the largest score of its text rows, in the extractor's own unit.
        reason: why it was kept.
        row: its first text row in the page.
    """

    text: str
    tag: str
    score: float
    reason: str
    row: int
    __repr__ = value_repr


@dataclass(frozen=True, eq=False, repr=False)
class Content:
    """What writers read: the document, the metadata, and how the content was selected.

    What takes long is computed on first use, and cached.

    Attributes:
        page: the page as columns. What `include` and `exclude` leave out is hidden in it.
        selection: which rows were selected, with scores and reasons.
        url: the URL that was given.
        extractor: the name of the extractor.
        limits_reached: a warning for each limit that was reached while the page was read.
        rule: the name of the rule of a known site that was used, or None.
        thread: the posts that were found while the content was chosen.
        rule_warning: that a rule found nothing.
    """

    page: Page
    selection: Selection
    url: str | None
    extractor: str
    limits_reached: tuple[ContentWarning, ...] = ()
    rule: str | None = None
    thread: "Thread | None" = None
    rule_warning: ContentWarning | None = None

    @cached_property
    def empty_reason(self) -> str | None:
        """Why there is no content, or None if there is."""
        page, selection = self.page, self.selection
        if page.binary_type is not None:
            return f"not a web page but {page.binary_type}"
        if selection.mask.any() or selection.metadata_fallback is not None:
            return None
        if not page.markup.strip():
            return "the page is empty"
        if not page.shown.any():
            cause = "include and exclude leave" if leaves_out_text(page) else "the page has"
            return f"{cause} no visible text"
        if selection.index_links:
            return f"no content was found, but an index of {len(selection.index_links)} links"
        return "no content was found"

    @cached_property
    def document(self) -> "Document":
        """The content as a tree of typed parts, from which every output is written."""
        from tamis.document.build import build_document  # noqa: PLC0415 (plain text needs no document)

        if self.selection.metadata_fallback is not None:
            from html import escape  # noqa: PLC0415 (few pages need it)

            lines = self.selection.metadata_fallback[0].splitlines()
            page = parse_page("<p>".join(map(escape, ["", *lines])))
            return build_document(page, page.shown, self.url)
        return build_document(self.page, self.selection.mask, self.url, self.thread)

    @cached_property
    def _plain_rows(self) -> TextRows:
        return plain_rows(self.page, self.selection.mask)

    @cached_property
    def structured(self) -> "StructuredData":
        """The page's structured data: JSON-LD, microdata, OpenGraph and ``meta``."""
        from tamis.metadata.structured import read_structured  # noqa: PLC0415 (plain text needs no metadata)

        return read_structured(unrestricted(self.page))  # include and exclude are about content

    @cached_property
    def _metadata_source(self) -> "MetadataSource":
        from tamis.metadata.source import MetadataSource  # noqa: PLC0415 (plain text needs no metadata)

        selection = self.selection
        return MetadataSource(
            structured=self.structured,
            url=self.url,
            selected_title=selection.title,
            page_type=selection.page_type,
            page_type_probability=selection.page_type_probability,
        )

    @cached_property
    def metadata(self) -> "Metadata":
        """The page's metadata: title, authors, dates and so on, each with its source."""
        from tamis.metadata.fields import read_metadata  # noqa: PLC0415 (plain text needs the title at most)

        fallback = self.selection.metadata_fallback
        text = selected_text(self.page, self._plain_rows) if fallback is None else fallback[0]
        selected = np.flatnonzero(self.selection.mask)
        is_whole = len(self.page) == len(self.structured.page)  # else the rows are those of a part
        rows = range(int(selected[0]), int(selected[-1]) + 1) if len(selected) and is_whole else None
        return read_metadata(self._metadata_source.with_text(text, rows))

    @cached_property
    def title(self) -> str | None:
        """The page's title, read without the rest of its metadata."""
        from tamis.metadata.title import read_title  # noqa: PLC0415 (plain text needs no title)

        return read_title(self._metadata_source)

    @cached_property
    def comments_document(self) -> "Document":
        """Readers' comments as a tree of posts."""
        from tamis.document.build import build_document  # noqa: PLC0415 (plain text needs no document)
        from tamis.document.detectors.discussion import find_comments  # noqa: PLC0415

        found = find_comments(self.page, self.selection)
        return build_document(self.page, found.mask, self.url, found.thread, comments=True)

    @cached_property
    def facts(self) -> "tuple[Fact, ...]":
        """What the page declares of a product, a recipe, an event and so on, each with its source."""
        from tamis.metadata.facts import read_facts  # noqa: PLC0415 (plain text needs no facts)

        return read_facts(self.structured, self.page_type)

    def facts_of(self, types: frozenset[str]) -> "tuple[Fact, ...]":
        """Return the facts of some types; none if a page declares several items of a type."""
        from tamis.metadata.facts import read_facts  # noqa: PLC0415 (plain text needs no facts)

        if "facts" in vars(self):
            found = tuple(fact for fact in self.facts if fact.type in types)
            return () if any(fact.item for fact in found) else found
        return read_facts(self.structured, self.page_type, types, of_one_item=True)

    @cached_property
    def posts(self) -> "tuple[Comment, ...]":
        """The posts of the content, if that is a discussion, each with its replies."""
        from tamis.render.comments import comment_threads  # noqa: PLC0415 (few callers want posts)

        return comment_threads(self.document)

    @cached_property
    def comments(self) -> "tuple[Comment, ...]":
        """Readers' comments below the content, each with its replies; never a part of the content."""
        from tamis.render.comments import comment_threads  # noqa: PLC0415 (few callers want comments)

        return comment_threads(self.comments_document)

    @property
    def warnings(self) -> tuple[ContentWarning, ...]:
        """What a program that reads this should know: hidden text, removed characters, refused URLs, limits.

        A limit that cuts an output is in `Rendered.warnings`, and in JSON.
        """
        of_rule = () if self.rule_warning is None else (self.rule_warning,)
        return (*self.limits_reached, *of_rule, *self._content_warnings)

    @cached_property
    def _content_warnings(self) -> tuple[ContentWarning, ...]:
        found = find_warnings(self.page, self.selection, self.url)
        if self.selection.profile_warning is not None:
            found = (ContentWarning("site profile", self.selection.profile_warning, 1), *found)
        fallback = self.selection.metadata_fallback
        if fallback is None:
            return found
        reason = f"the page shows no content; this text is not shown on it but in its source ({fallback[1]})"
        return (ContentWarning("metadata fallback", reason, len(fallback[0])), *found)

    @property
    def page_type(self) -> str | None:
        """The page type, where the extractor determines it: ``article``, ``forum``, ``product`` and so on."""
        return self.selection.page_type

    @property
    def page_type_probability(self) -> float | None:
        """The probability of that page type, where the extractor knows it."""
        return self.selection.page_type_probability

    @property
    def confidence(self) -> float | None:
        """The F1 that the extractor expects of its selection, where it knows."""
        return self.selection.confidence

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """The content in blocks, in document order."""
        page, selection = self.page, self.selection
        rows = np.flatnonzero(selection.mask & (page.blocks.block_of >= 0))
        numbers = page.blocks.block_of[rows]
        begins = np.flatnonzero(np.diff(numbers, prepend=-1))
        # The row with the largest score of each block: the first of them, because the order is stable.
        best = rows[np.lexsort((-selection.score[rows], numbers))][begins]
        columns = (selection.score[best], selection.reason[best], rows[begins])
        by_block = dict(zip(numbers[begins].tolist(), zip(*(c.tolist() for c in columns), strict=True), strict=True))
        containers = page.blocks.container
        out = []
        for block, text in block_texts(page, self._plain_rows):
            score, reason, first = by_block[block]
            out.append(Block(text, page.tag_name(int(containers[block])), score, selection.reasons[reason], first))
        return tuple(out)
