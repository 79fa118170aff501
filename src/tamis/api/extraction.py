"""`Extraction`: what was found in a page, in every format."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from html import escape
from typing import TYPE_CHECKING, TypeVar

from tamis.api.limits import first_part, limit_warning, write_within
from tamis.api.options import Favor, Options
from tamis.cached import cached_property
from tamis.document.warnings import ContentWarning, find_warnings
from tamis.errors import OptionError
from tamis.extractors.base import Link, Selection
from tamis.metadata.source import MetadataSource
from tamis.metadata.structured import Structured, read_structured
from tamis.metadata.title import read_title
from tamis.page import Page, parse_page
from tamis.page.sniff import binary_type
from tamis.render.options import RenderOptions, Structure
from tamis.render.plain import plain_text
from tamis.render.registry import Format, FormatName, get_format
from tamis.render.row_text import block_texts, selected_text
from tamis.render.tokens import estimate_tokens

# What plain text does not need is imported where it is used: a command that prints one page waits for every import.
if TYPE_CHECKING:
    from tamis.document.document import Document
    from tamis.explain import Explanation
    from tamis.metadata.fields import Metadata
    from tamis.render.chunks import Chunk, ChunkFormat
    from tamis.render.comments import Comment
    from tamis.render.rendered import Rendered

_Output = TypeVar("_Output")


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


@dataclass(frozen=True, eq=False, repr=False)
class Extraction:
    """What was found in a page. Outputs are made on first use, and cached.

    Attributes:
        page: the page as columns.
        selection: which rows were selected, with scores and reasons.
        url: the URL that was given.
        extractor: the name of the extractor.
        options: how the content was chosen.
        render_options: how outputs show it.
        limits_reached: a warning for each limit of `options` that was reached while the page was read.

    >>> from tamis import extract
    >>> extract("<h1>Tea</h1><p>Boil water.", extractor="body")
    <Extraction by body: 'Tea', 2 blocks>
    """

    page: Page
    selection: Selection
    url: str | None
    extractor: str
    options: Options = field(default_factory=Options)
    render_options: RenderOptions = field(default_factory=RenderOptions)
    limits_reached: tuple[ContentWarning, ...] = ()

    def __bool__(self) -> bool:
        return self.empty_reason is None

    def __repr__(self) -> str:
        if self.empty_reason is not None:
            return f"<Extraction by {self.extractor}: empty, {self.empty_reason}>"
        page_type = f"{self.page_type} " if self.page_type else ""
        confidence = f", confidence {self.confidence:.2f}" if self.confidence is not None else ""
        return f"<Extraction by {self.extractor}: {page_type}{self.title!r}, {len(self.blocks)} blocks{confidence}>"

    def __getstate__(self) -> dict[str, object]:
        """Return the fields alone: what is cached is made again on first use."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    @cached_property
    def _binary(self) -> str | None:
        """What the page is if it is no text, such as ``a PDF document``."""
        return binary_type(self.page.markup) if isinstance(self.page.markup, bytes) else None

    @cached_property
    def empty_reason(self) -> str | None:
        """Why there is no content, or None if there is."""
        page, selection = self.page, self.selection
        if self._binary is not None:
            return f"not a web page but {self._binary}"
        if selection.mask.any() or selection.metadata_fallback is not None:
            return None
        if not page.markup.strip():
            return "the page is empty"
        if not page.shown.any():
            return "the page has no visible text"
        if selection.index_links:
            return f"no content was found, but an index of {len(selection.index_links)} links"
        return "no content was found"

    @cached_property
    def document(self) -> "Document":
        """The content as a tree of typed parts, from which every output is written."""
        from tamis.document.build import build_document  # noqa: PLC0415 (plain text needs no document)

        if self.selection.metadata_fallback is not None:
            lines = self.selection.metadata_fallback[0].splitlines()
            page = parse_page("<p>".join(map(escape, ["", *lines])))
            return build_document(page, page.shown, self.url)
        return build_document(self.page, self.selection.mask, self.url)

    @cached_property
    def structured(self) -> Structured:
        """The page's structured data: JSON-LD, microdata, OpenGraph and ``meta``."""
        return read_structured(self.page if self._binary is None else parse_page(""))  # its characters say nothing

    def _metadata_source(self, text: str = "") -> MetadataSource:
        selection = self.selection
        return MetadataSource(
            structured=self.structured,
            url=self.url,
            selected_title=selection.title,
            page_type=selection.page_type,
            page_type_probability=selection.page_type_probability,
            text=text,
        )

    @cached_property
    def metadata(self) -> "Metadata":
        """The page's metadata: title, authors, dates and so on, each with its source."""
        from tamis.metadata.read import read_metadata  # noqa: PLC0415 (plain text needs the title at most)

        fallback = self.selection.metadata_fallback
        text = selected_text(self.page, self.selection.mask) if fallback is None else fallback[0]
        return read_metadata(self._metadata_source(text))

    @cached_property
    def title(self) -> str | None:
        """The page's title, read without the rest of its metadata."""
        return read_title(self._metadata_source())

    @cached_property
    def comments_document(self) -> "Document":
        """Readers' comments as a tree of posts."""
        from tamis.document.build import build_document  # noqa: PLC0415 (plain text needs no document)
        from tamis.document.detect.comments import find_comments  # noqa: PLC0415

        found = find_comments(self.page, self.selection)
        return build_document(self.page, found.mask, self.url, found.posts)

    @cached_property
    def comments(self) -> "tuple[Comment, ...]":
        """Readers' comments below the content, each with its replies; never a part of the content."""
        from tamis.render.comments import comment_threads  # noqa: PLC0415 (few callers want comments)

        return comment_threads(self.comments_document)

    @property
    def warnings(self) -> tuple[ContentWarning, ...]:
        """What a program that reads this should know: hidden text, removed characters, refused URLs, limits.

        The limit of an output is here once that output was made.
        """
        return (*self.limits_reached, *self._output_limits.values(), *self._content_warnings)

    @cached_property
    def _output_limits(self) -> dict[str, ContentWarning]:
        """A warning for each output that was cut, by format."""
        return {}

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

    @cached_property
    def text(self) -> str:
        """The content as plain text. It begins with the title only if `title` is true."""
        options = self.render_options
        return self._within_limits("text", lambda content: plain_text(content, options), len)

    def _within_limits(
        self, name: str, write: "Callable[[Extraction], _Output]", length: Callable[[_Output], int]
    ) -> _Output:
        """Return an output of as much of the content as the limits allow; a warning says if that is not all."""

        def write_share(share: float) -> _Output:
            if share == 1:
                return write(self)
            part = replace(
                self,
                selection=first_part(self.page, self.selection, share),
                limits_reached=(*self.limits_reached, limit_warning(name, "the output is cut", 1)),
            )
            return write(part)

        output, warning = write_within(self.options.limits, write_share, length)
        if warning is not None:
            self._output_limits[name] = warning
        return output

    @cached_property
    def markdown(self) -> str:
        """The content as Markdown."""
        return self.render("markdown").text

    @cached_property
    def html(self) -> str:
        """The content as clean HTML, its structure kept."""
        return self.render("html").text

    @cached_property
    def json(self) -> str:
        """Everything that was found, as JSON (see ``tamis schema``)."""
        return self.render("json").text

    @cached_property
    def xml(self) -> str:
        """The content as TEI XML."""
        return self.render("xml").text

    def render(
        self,
        format: FormatName | Format,  # noqa: A002 (the field's word; nothing here formats otherwise)
        *,
        links: bool | None = None,
        images: bool | None = None,
        tables: bool | None = None,
        comments: bool | None = None,
        with_metadata: bool | None = None,
        provenance: bool | None = None,
        structure: Structure | None = None,
        title: bool | None = None,
        include: tuple[str, ...] | None = None,
    ) -> "Rendered":
        r"""Return the content in a format, with the position of each part of the document.

        An option that is None is as in `render_options`; `RenderOptions` says what each one does.

        >>> from tamis import extract
        >>> extraction = extract("<h1>Tea</h1><p>Boil water.", extractor="body")
        >>> rendered = extraction.render("markdown")
        >>> rendered.text, rendered.text_of(extraction.document.parts[0])
        ('# Tea\n\nBoil water.', '# Tea')
        """
        options = self.render_options.replace(
            links=links,
            images=images,
            tables=tables,
            comments=comments,
            with_metadata=with_metadata,
            provenance=provenance,
            structure=structure,
            title=title,
            include=include,
        )
        entry = format if isinstance(format, Format) else get_format(format)
        return self._within_limits(
            entry.name, lambda content: entry.write(content, options), lambda rendered: len(rendered.text)
        )

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

    @property
    def index_links(self) -> tuple[Link, ...]:
        """The page's links, where the extractor found an index page without main content."""
        return self.selection.index_links

    def chunks(
        self,
        max_tokens: int = 512,
        *,
        count_tokens: Callable[[str], int] = estimate_tokens,
        format: "ChunkFormat" = "markdown",  # noqa: A002 (the field's word)
    ) -> "tuple[Chunk, ...]":
        """Return the content in chunks for retrieval.

        A chunk is a run of whole parts, in order, below the title and the headings above its first part. A list, a
        table, a quotation or a post that is too large is divided between its items or rows; a table repeats its
        header. A paragraph, a code block or a table row is never divided, and exceeds the limit if it is too large.

        Args:
            max_tokens: the limit for a chunk, its headings included.
            count_tokens: counts the tokens of a text, as your model does. By default one for four bytes of UTF-8.
            format: ``"markdown"`` or ``"text"``.

        >>> from tamis import extract
        >>> page = "<h1>Tea</h1><h2>Green</h2><p>Boil water, and wait.</p><p>Then pour.</p>"
        >>> for chunk in extract(page, extractor="body").chunks(max_tokens=12):
        ...     print(chunk.headings, chunk.tokens, chunk.text.splitlines()[-1])
        ('Tea',) 10 Boil water, and wait.
        ('Tea', 'Green') 7 Then pour.
        """
        from tamis.render.chunks import make_chunks  # noqa: PLC0415 (few callers want chunks)
        from tamis.render.content import shown_document  # noqa: PLC0415

        document, originals = shown_document(self, self.render_options.replace(comments=False))
        chunks = make_chunks(
            document, max_tokens, count_tokens=count_tokens, format=format, options=self.render_options
        )
        return tuple(
            replace(chunk, parts=tuple(originals.get(part, part) for part in chunk.parts)) for chunk in chunks
        )

    def reselect(self, favor: Favor | None) -> "Extraction":
        """Return a new extraction that favors precision or recall, from the same scores: nothing is parsed again.

        >>> from tamis import extract
        >>> page = "<main><h1>Tea</h1><p>" + "Water just off the boil, three minutes, no more. " * 9 + "</main>"
        >>> len(extract(page).reselect("recall").text) >= len(extract(page).text)
        True
        """
        return replace(
            self,
            selection=reselected(self.selection, favor, self.extractor),
            options=self.options.replace(favor=favor),
        )

    def explain(self) -> "Explanation":
        """Return why each block of the page was kept or dropped.

        The contributions of groups of features add up to the logit of a block. Extractors without a network explain
        with their scores and reasons alone. See docs/explain.md.

        >>> from tamis import extract
        >>> page = "<nav><a href=/>Home</a></nav><main><p>" + "Water just off the boil, three minutes. " * 9
        >>> menu, text = extract(page).explain().blocks
        >>> menu.kept, text.kept, text.words.partition(" is ")[0]
        (False, True, 'Kept: the probability to be content')
        """
        from tamis.explain import explain_selection  # noqa: PLC0415 (few pages are explained)

        return explain_selection(
            self.page, self.selection, self.extractor, url=self.url, title=self.title, note=self.empty_reason
        )

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
                    tag=page.tag_name(int(blocks.container[block])),
                    score=float(selection.score[best]),
                    reason=selection.reasons[selection.reason[best]],
                    row=rows[0],
                )
            )
        return tuple(out)


def reselected(selection: Selection, favor: Favor | None, extractor: str) -> Selection:
    """Return what an extractor selects with another `favor`; an `OptionError` says where it cannot."""
    if selection.reselect is not None:
        return replace(selection.reselect(favor), profile_warning=selection.profile_warning)
    if favor is None or not selection.mask.any():
        return selection
    raise OptionError(f"the extractor {extractor} cannot favor precision or recall")
