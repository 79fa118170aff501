"""`Extraction`: what was found in a page, in every format."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from typing import TYPE_CHECKING, Unpack

import numpy as np

from tamis.api.options import Favor, Options, first_part, limit_warning, write_within
from tamis.document.warnings import ContentWarning, find_warnings
from tamis.errors import UnknownNameError
from tamis.extractors.base import Link, Selection
from tamis.html.text import estimate_tokens
from tamis.lazy import cached_property
from tamis.page import Page, parse_page
from tamis.page.restrict import leaves_out_text, unrestricted
from tamis.render.buffer import Rendered
from tamis.render.options import DEFAULT, ContentKeywords, RenderKeywords, RenderOptions, Replies, Structure
from tamis.render.registry import Format, FormatName, get_format
from tamis.render.text import block_texts, content_text, selected_text
from tamis.reprs import one_line, value_repr

# What plain text does not need is imported where it is used: a command that prints one page waits for every import.
if TYPE_CHECKING:
    from tamis.document.detectors.posts import Thread
    from tamis.document.document import Document
    from tamis.explain import Explanation
    from tamis.metadata.facts import Fact
    from tamis.metadata.fields import Metadata
    from tamis.metadata.source import MetadataSource
    from tamis.metadata.structured import StructuredData
    from tamis.render.chunks import Chunk, ChunkFormat
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
class Extraction:
    """What was found in a page. It does not change; what takes long is computed on first use, and cached.

    `text`, `markdown`, `html`, `json` and `xml` are the outputs as most programs want them; `to_markdown` and so on
    have the options of each, and `render` knows all formats by name.

    Attributes:
        page: the page as columns. What `include` and `exclude` leave out is hidden in it.
        selection: which rows were selected, with scores and reasons.
        url: the URL that was given.
        extractor: the name of the extractor.
        options: how the content was chosen.
        limits_reached: a warning for each limit of `options` that was reached while the page was read.
        rule: the name of the rule of a known site that was used, or None.
        thread: the posts that were found while the content was chosen.
        rule_warning: that a rule found nothing.

    >>> from tamis import extract
    >>> extract("<h1>Tea</h1><p>Boil water.", extractor="body")
    <Extraction by body: 'Tea', 2 blocks>
    """

    page: Page
    selection: Selection
    url: str | None
    extractor: str
    options: Options = field(default_factory=Options)
    limits_reached: tuple[ContentWarning, ...] = ()
    rule: str | None = None
    thread: "Thread | None" = None
    rule_warning: ContentWarning | None = None

    def __bool__(self) -> bool:
        return self.empty_reason is None

    def __repr__(self) -> str:
        if self.empty_reason is not None:
            return f"<Extraction by {self.extractor}: empty, {self.empty_reason}>"
        page_type = f"{self.page_type} " if self.page_type else ""
        confidence = f", confidence {self.confidence:.2f}" if self.confidence is not None else ""
        title = one_line(self.title)
        return f"<Extraction by {self.extractor}: {page_type}{title}, {len(self.blocks)} blocks{confidence}>"

    def _repr_markdown_(self) -> str:
        """Return what a notebook shows."""
        return self.markdown or repr(self)

    def _repr_html_(self) -> str:
        """Return what a notebook shows: HTML that Tamis writes has neither scripts nor styles nor unsafe URLs."""
        return self.html or escape(repr(self))

    def __getstate__(self) -> dict[str, object]:
        """Return the fields alone: what is cached is made again on first use."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

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
            lines = self.selection.metadata_fallback[0].splitlines()
            page = parse_page("<p>".join(map(escape, ["", *lines])))
            return build_document(page, page.shown, self.url)
        return build_document(self.page, self.selection.mask, self.url, self.thread)

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
        text = selected_text(self.page, self.selection.mask) if fallback is None else fallback[0]
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
        from tamis.document.detectors.posts import find_comments  # noqa: PLC0415

        found = find_comments(self.page, self.selection)
        return build_document(self.page, found.mask, self.url, found.thread, comments=True)

    @cached_property
    def facts(self) -> "tuple[Fact, ...]":
        """What the page declares of a product, a recipe, an event and so on, each with its source."""
        from tamis.metadata.facts import read_facts  # noqa: PLC0415 (plain text needs no facts)

        return read_facts(self.structured, self.page_type)

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

    @cached_property
    def text(self) -> str:
        """The content as plain text."""
        return self.plain_text(DEFAULT).text

    @cached_property
    def markdown(self) -> str:
        """The content as Markdown."""
        return self.render_with("markdown", DEFAULT).text

    @cached_property
    def html(self) -> str:
        """The content as clean HTML, its structure kept."""
        return self.render_with("html", DEFAULT).text

    @cached_property
    def json(self) -> str:
        """Everything that was found, as JSON (see ``tamis schema``)."""
        return self.render_with("json", DEFAULT).text

    @cached_property
    def xml(self) -> str:
        """The content as TEI XML."""
        return self.render_with("xml", DEFAULT).text

    def to_text(
        self,
        *,
        links: bool = True,
        images: bool = True,
        tables: bool = True,
        comments: bool = False,
        title: bool = False,
        with_metadata: bool = False,
    ) -> str:
        r"""Return the content as plain text.

        Args:
            links: the links of an index page have their URLs.
            images: show the captions and descriptions of images.
            tables: show data tables.
            comments: show readers' comments after the content.
            title: begin with the page's title, unless the content does.
            with_metadata: begin with the page's metadata.

        >>> from tamis import extract
        >>> extract("<title>Tea</title><p>Boil water.", extractor="body").to_text(title=True)
        'Tea\n\nBoil water.'
        """
        return self.plain_text(RenderOptions(links, images, tables, comments, with_metadata, title=title)).text

    def to_markdown(
        self,
        *,
        links: bool = True,
        images: bool = True,
        tables: bool = True,
        comments: bool = False,
        title: bool = True,
        with_metadata: bool = False,
        facts: bool = True,
        replies: Replies = "quotes",
    ) -> str:
        """Return the content as Markdown.

        Args:
            links: show the URLs of links; without, their text alone.
            images: show images.
            tables: show data tables.
            comments: show readers' comments after the content.
            title: begin with the page's title, unless the content does.
            with_metadata: begin with the page's metadata, as YAML.
            facts: show the facts of a product, a recipe or an event that the content lacks, after the title.
            replies: ``"quotes"`` writes the answers to a post as quotations in it, ``"list"`` all as a nested list.

        >>> from tamis import extract
        >>> extract("<p>Boil <a href=/w>water</a>.", extractor="body").to_markdown(links=False)
        'Boil water.'
        """
        options = RenderOptions(
            links, images, tables, comments, with_metadata, title=title, facts=facts, replies=replies
        )
        return self.render_with("markdown", options).text

    def to_html(
        self,
        *,
        links: bool = True,
        images: bool = True,
        tables: bool = True,
        comments: bool = False,
        title: bool | None = None,
        with_metadata: bool = False,
        structure: Structure = "rebuilt",
    ) -> str:
        """Return the content as clean HTML.

        Args:
            links: show the URLs of links; without, their text alone.
            images: show images.
            tables: show data tables.
            comments: show readers' comments after the content.
            title: begin with the page's title, unless the content does. None is True for ``"rebuilt"`` HTML alone.
            with_metadata: a whole document, with the page's metadata in its head.
            structure: ``"rebuilt"`` from the document; ``"original"`` in the page's own elements, with classes and
                ids, sanitized.
        """
        options = RenderOptions(links, images, tables, comments, with_metadata, structure=structure, title=title)
        return self.render_with("html", options).text

    def to_json(
        self,
        *,
        links: bool = True,
        images: bool = True,
        tables: bool = True,
        comments: bool = False,
        title: bool | None = None,
        provenance: bool = False,
        contents: str | Sequence[str] = (),
        max_tokens: int | None = None,
        overlap: int = 0,
    ) -> str:
        """Return everything that was found, as JSON (see ``tamis schema``).

        Args:
            links: have the URLs of links; without, their text alone.
            images: have images.
            tables: have data tables.
            comments: have readers' comments.
            title: the text and `contents` begin with the title. None is the default of each format.
            provenance: locate every part in the page's source and in each output.
            contents: the formats that are contained besides the text: ``"markdown"``, or ``("markdown", "html")``.
            max_tokens: have the content in chunks of at most this many tokens (see `chunks`).
            overlap: how many tokens of a chunk the next one repeats.
        """
        options = RenderOptions(
            links,
            images,
            tables,
            comments,
            provenance=provenance,
            title=title,
            contents=contents,
            max_tokens=max_tokens,
            overlap=overlap,
        )
        return self.render_with("json", options).text

    def to_xml(
        self,
        *,
        links: bool = True,
        images: bool = True,
        tables: bool = True,
        comments: bool = False,
        title: bool = True,
        with_metadata: bool = False,
    ) -> str:
        """Return the content as TEI XML.

        Args:
            links: show the URLs of links; without, their text alone.
            images: show images.
            tables: show data tables.
            comments: show readers' comments after the content.
            title: begin with the page's title, unless the content does.
            with_metadata: the header has all of the page's metadata, not the title and the URL alone.
        """
        options = RenderOptions(links, images, tables, comments, with_metadata, title=title)
        return self.render_with("xml", options).text

    def render(
        self,
        format: FormatName | Format,  # noqa: A002 (the field's word; nothing here formats otherwise)
        **options: Unpack[RenderKeywords],
    ) -> Rendered:
        r"""Return the content in a format that is known by name, with the position of each part of the document.

        The options are those of `to_markdown`, `to_html` and `to_json`; a format ignores others.

        >>> from tamis import extract
        >>> extraction = extract("<h1>Tea</h1><p>Boil water.", extractor="body")
        >>> rendered = extraction.render("markdown")
        >>> rendered.text, rendered.text_of(extraction.document.parts[0])
        ('# Tea\n\nBoil water.', '# Tea')
        """
        unknown = sorted(set(options) - set(RenderKeywords.__annotations__))
        if unknown:
            raise UnknownNameError.among("option of render()", unknown[0], RenderKeywords.__annotations__)
        return self.render_with(format, RenderOptions(**options))

    def render_with(self, format: FormatName | Format, options: RenderOptions) -> Rendered:  # noqa: A002 (as above)
        """Return the content in a format, with options as one value, as clients of the library do."""
        entry = format if isinstance(format, Format) else get_format(format)
        return self._within_limits(entry.name, lambda content: entry.write(content, options))

    def plain_text(self, options: RenderOptions) -> Rendered:
        """Return the content as plain text, without the positions of parts, which would take longer."""
        return self._within_limits("text", lambda content: Rendered(content_text(content, options), {}))

    def _within_limits(self, name: str, write: "Callable[[Extraction], Rendered]") -> Rendered:
        """Return an output of as much of the content as the limits allow, with a warning if that is not all."""

        def write_share(share: float) -> Rendered:
            if share == 1:
                return write(self)
            part = replace(
                self,
                selection=first_part(self.page, self.selection, share),
                limits_reached=(*self.limits_reached, limit_warning(name, "the output is cut", 1)),
            )
            return write(part)

        rendered, warning = write_within(self.options.limits, write_share, lambda rendered: len(rendered.text))
        return rendered if warning is None else replace(rendered, warnings=(warning,))

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
        overlap: int = 0,
        **options: Unpack[ContentKeywords],
    ) -> "tuple[Chunk, ...]":
        """Return the content in chunks for retrieval.

        A chunk is a run of whole parts, in order, below the title and the headings above its first part. A list, a
        table, a quotation or a post that is too large is divided between its items or rows; a table repeats its
        header. A part that exceeds the limit alone is divided at its lines and sentences, then at words.

        Args:
            max_tokens: the limit for a chunk, its headings included.
            count_tokens: counts the tokens of a text, as your model does. By default one for four bytes of UTF-8.
            format: ``"markdown"`` or ``"text"``.
            overlap: how many tokens of the chunk before each repeats, in whole sentences.
            options: those of `to_markdown`, such as ``links=False``.

        >>> from tamis import extract
        >>> page = "<h1>Tea</h1><h2>Green</h2><p>Boil water, and wait.</p><p>Then pour.</p>"
        >>> for chunk in extract(page, extractor="body").chunks(max_tokens=12):
        ...     print(chunk.headings, chunk.tokens, chunk.text.splitlines()[-1])
        ('Tea',) 10 Boil water, and wait.
        ('Tea', 'Green') 7 Then pour.
        """
        from tamis.render.chunks import content_chunks  # noqa: PLC0415 (few callers want chunks)

        shown = RenderOptions(**options)
        return content_chunks(
            self, max_tokens, count_tokens=count_tokens, format=format, options=shown, overlap=overlap
        )

    def reselect(self, favor: Favor | None) -> "Extraction":
        """Return a new extraction that favors precision or recall, from the same scores: nothing is parsed again.

        >>> from tamis import extract
        >>> page = "<main><h1>Tea</h1><p>" + "Water just off the boil, three minutes, no more. " * 9 + "</main>"
        >>> len(extract(page).reselect("recall").text) >= len(extract(page).text)
        True
        """
        from tamis.document.detectors.posts import complete_thread  # noqa: PLC0415 (for forums alone)

        selection = self.selection.reselect(favor)
        if self.rule is None and selection.page_type == "forum":  # as `extract` does it
            selection = complete_thread(self.page, selection, self.thread)
        return replace(self, selection=selection, options=self.options.replace(favor=favor))

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
