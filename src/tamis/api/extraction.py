"""`extract`, and what it returns: an `Extraction`."""

import os
import re
import warnings
from collections.abc import Callable, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, Unpack

import numpy as np

from tamis.api.options import (
    VALUES_PER_ROW,
    Favor,
    Limits,
    Options,
    OutputCost,
    first_part,
    limit_warning,
    parse_within,
    write_within,
)
from tamis.document.warnings import ContentWarning
from tamis.errors import MarkupTypeError, OptionError, SourceError, UnknownNameError
from tamis.extractors.registry import Extractor, Link, Selection, checked_select
from tamis.html.text import estimate_tokens, replace_surrogates
from tamis.lazy import cached_property, dataclass, lazy_pattern
from tamis.page import Page
from tamis.page.parse import known_encoding
from tamis.page.selectors import leaves_out_text, restrict, unrestricted
from tamis.page.sums import in_subtree
from tamis.render.content import Content
from tamis.render.registry import (
    DEFAULT,
    ContentKeywords,
    Format,
    FormatName,
    Rendered,
    RenderKeywords,
    RenderOptions,
    Replies,
    Structure,
    get_format,
)
from tamis.render.text import content_text
from tamis.reprs import one_line
from tamis.sites.rules import Profile, Rule, Rules, find_rule, for_page
from tamis.sources.fetched import Fetched

if TYPE_CHECKING:
    from tamis.document.detectors.post_parts import Thread
    from tamis.explain import Explanation
    from tamis.render.chunks import ChunkFormat, Chunks

#: Characters of outputs for each row of text besides the text, at most: line ends and indents; marks or tags, and the
#: ends of URLs; the words about a block; and the parts and the block of JSON with their provenance.
_CHARS_PER_ROW: Final = {"text": 16, "csv": 16}
_MARKUP_CHARS_PER_ROW: Final = 60
_WORDS_PER_BLOCK: Final = 100
_VALUE_CHARS_PER_ROW: Final = 600


@dataclass(frozen=True, eq=False, repr=False)
class Extraction(Content):
    """What was found in a page. It does not change; what takes long is computed on first use, and cached.

    `text`, `markdown`, `html`, `json` and `xml` are the outputs as most programs want them; `to_markdown` and so on
    have the options of each, and `render` knows all formats by name.

    Attributes:
        options: how the content was chosen. `Content` has the others.

    >>> from tamis import extract
    >>> extract("<h1>Tea</h1><p>Boil water.", extractor="body")
    <Extraction by body: 'Tea', 2 blocks>
    """

    options: Options = field(default_factory=Options)

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
        from html import escape  # noqa: PLC0415 (for notebooks alone)

        return self.html or escape(repr(self))

    def __getstate__(self) -> dict[str, object]:
        """Return the fields alone: what is cached is made again on first use."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

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

        The options are those of `to_markdown`. With `links`, those of an index page have their URLs.

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

        The options are those of `to_markdown`; `with_metadata` makes a whole document, with the metadata in its head.
        `structure` is ``"rebuilt"`` from the document, or ``"original"``: in the page's own elements, with classes
        and ids, sanitized. A `title` of None is True for ``"rebuilt"`` HTML alone.
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

        The options are those of `to_markdown`; `with_metadata` puts all metadata in the header, not the title and the
        URL alone.
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
        return self.within_limits(entry.name, lambda content: entry.write(content, options), options)

    def plain_text(self, options: RenderOptions) -> Rendered:
        """Return the content as plain text, without the positions of parts, which would take longer."""
        return self.within_limits("text", lambda content: Rendered(content_text(content, options), {}), options)

    def within_limits(
        self, name: str, write: "Callable[[Extraction], Rendered]", options: RenderOptions = DEFAULT
    ) -> Rendered:
        """Return an output of as much of the content as the limits allow, with a warning if that is not all."""
        cost = OutputCost(chars_per_row=_CHARS_PER_ROW.get(name, _MARKUP_CHARS_PER_ROW + len(self.url or "")))
        if name in {"json", "jsonl"}:
            from tamis.render.json import estimated_chars  # noqa: PLC0415 (other outputs do without)

            cost = OutputCost(VALUES_PER_ROW, _VALUE_CHARS_PER_ROW, lambda: estimated_chars(self, options))
        rendered, warning = write_within(
            self.options.limits,
            self.page,
            self.selection.mask,
            lambda share: write(self._first(share, name)),
            lambda rendered: len(rendered.text),
            cost,
        )
        return rendered if warning is None else replace(rendered, warnings=(warning,))

    def _first(self, share: float, output: str) -> "Extraction":
        """Return an extraction of this share of the content."""
        if share == 1:
            return self
        return replace(
            self,
            selection=first_part(self.page, self.selection, share),
            limits_reached=(*self.limits_reached, limit_warning(output, "the output is cut", 1)),
        )

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
    ) -> "Chunks":
        """Return the content in chunks for retrieval: a tuple, with `warnings` of limits that were reached.

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
        return self.chunks_with(
            RenderOptions(**options), max_tokens, count_tokens=count_tokens, format=format, overlap=overlap
        )

    def chunks_with(
        self,
        options: RenderOptions,
        max_tokens: int,
        *,
        count_tokens: Callable[[str], int] = estimate_tokens,
        format: "ChunkFormat" = "markdown",  # noqa: A002 (the field's word)
        overlap: int = 0,
    ) -> "Chunks":
        """Return the content in chunks, with options as one value, as clients of the library do."""
        from tamis.render.chunks import Chunks, content_chunks  # noqa: PLC0415 (few callers want chunks)

        def write(share: float) -> Chunks:
            return content_chunks(
                self._first(share, "chunks"),
                max_tokens,
                count_tokens=count_tokens,
                format=format,
                options=options,
                overlap=overlap,
            )

        chunks, warning = write_within(
            self.options.limits,
            self.page,
            self.selection.mask,
            write,
            lambda chunks: sum(len(chunk.text) for chunk in chunks),
            OutputCost(VALUES_PER_ROW, _MARKUP_CHARS_PER_ROW + len(self.url or "")),
        )
        return chunks if warning is None else Chunks(chunks, chunks.document, (warning,))

    def reselect(self, favor: Favor | None) -> "Extraction":
        """Return a new extraction that favors precision or recall, from the same scores: nothing is parsed again.

        >>> from tamis import extract
        >>> page = "<main><h1>Tea</h1><p>" + "Water just off the boil, three minutes, no more. " * 9 + "</main>"
        >>> len(extract(page).reselect("recall").text) >= len(extract(page).text)
        True
        """
        from tamis.document.detectors.discussion import complete_thread  # noqa: PLC0415 (for forums alone)

        selection = self.selection.reselect(favor)
        if self.rule is None and selection.page_type == "forum":  # as `extract` does it
            selection = complete_thread(self.page, selection, self.thread)
        return replace(self, selection=selection, options=self.options.replace(favor=favor))

    def explain(self) -> "Explanation":
        """Return why each block of the page was kept or dropped.

        The contributions of groups of features add up to the logit of a block. Extractors without a network explain
        with their scores and reasons alone. Under `Limits`, the first blocks of a page may be all that are explained;
        its `note` says so. See docs/explain.md.

        >>> from tamis import extract
        >>> page = "<nav><a href=/>Home</a></nav><main><p>" + "Water just off the boil, three minutes. " * 9
        >>> menu, text = extract(page).explain().blocks
        >>> menu.kept, text.kept, text.words.partition(" is ")[0]
        (False, True, 'Kept: the probability to be content')
        """
        from tamis.explain import explain_selection  # noqa: PLC0415 (few pages are explained)

        def write(share: float) -> "Explanation":
            return explain_selection(
                self.page,
                self.selection,
                self.extractor,
                url=self.url,
                title=self.title,
                note=self.empty_reason,
                share=share,
            )

        explanation, warning = write_within(
            self.options.limits,
            self.page,
            self.page.shown,
            write,
            lambda explanation: sum(len(block.text) + len(block.words) for block in explanation.blocks),
            OutputCost(VALUES_PER_ROW, _WORDS_PER_BLOCK, is_bound=True),
        )
        if warning is None:
            return explanation
        return replace(explanation, note="; ".join(filter(None, (explanation.note, warning.reason))))


# `extract`: the one way from HTML to content.

#: What `extract` takes.
Source = str | bytes | os.PathLike[str] | Fetched | Page
#: A string that is evidently the URL or the name of a page, not its HTML.
_URL: Final = lazy_pattern(r"\s*(?:https?|file)://\S+\s*", re.IGNORECASE)
_PATH: Final = lazy_pattern(r"\s*[^<>\n\r]{1,250}\.(?:html?|xhtml|php|aspx?|mht|txt|gz)\s*", re.IGNORECASE)
_LIMITS: Final = Limits()
_LONGEST: Final = 4096  # characters of a URL or a path


def extract(
    html: Source,
    url: str | None = None,
    *,
    extractor: str | Extractor | None = None,
    favor: Favor | None = None,
    encoding: str | None = None,
    profile: Profile | None = None,
    include: str | Sequence[str] = (),
    exclude: str | Sequence[str] = (),
    limits: Limits | None = None,
    rules: Rules = True,
) -> Extraction:
    """Extract the main content of a page.

    The keywords say what is content; the methods of the `Extraction` say how it is shown. A page without content is
    not an error: its `Extraction` is false and has an `empty_reason`.

    Args:
        html: the page: HTML, the `Path` of a file (plain or gzipped), what `tamis.fetch` returned, or a parsed
            `tamis.Page`. Bytes are decoded as browsers do.
        url: the page's URL, to resolve its links.
        extractor: the name of a registered extractor, or an extractor. None is ``"sift"``; with `include`, which says
            what the content is, it is ``"body"`` unless there is a profile.
        favor: ``"precision"``, ``"recall"``, ``"balance"`` or a number of logits (above 0 keeps less).
        encoding: the character encoding from the HTTP header, for bytes.
        profile: what was learned about the page's site (``tamis learn``): a file, a folder of files that are named
            for hosts, or the profile. None searches the folder that ``TAMIS_PROFILES`` names, if it is set.
        include: one or several CSS selectors. Only what is in an element that one of them matches can be content.
        exclude: one or several CSS selectors. What is in an element that one of them matches is left out.
        limits: how much of the page is read and written; beyond them the result is partial, with a warning.
        rules: use the rules of known sites; False turns them off, and a folder or a file of others has precedence.

    >>> extraction = extract("<h1>Tea</h1><p>Water just off the boil, three minutes, no more.</p>", extractor="body")
    >>> extraction.title
    'Tea'
    >>> print(extraction.text)
    Tea
    <BLANKLINE>
    Water just off the boil, three minutes, no more.
    >>> extract("<nav>Home</nav><main><p>Tea<p class=ad>Buy!</main>", include="main", exclude=".ad").text
    'Tea'
    >>> extract(b"").empty_reason
    'the page is empty'
    """
    if isinstance(html, str):
        _warn_if_no_html(html)
    options = Options(extractor, favor, encoding, limits or _LIMITS, profile, include, exclude, rules)
    return extract_with(html, url, options)


def extract_with(html: Source, url: str | None, options: Options) -> Extraction:
    """Extract the main content of a page with options as one value, as clients of the library do."""
    method = options.named_extractor()  # an unknown name is an error before the page is parsed
    if isinstance(html, Page):
        return _extract(unrestricted(html), url, method, options)
    if isinstance(html, Fetched):
        url = url or html.url
        if options.encoding is None:
            options = options.replace(encoding=known_encoding(html.encoding))
        html = html.body
    elif not isinstance(html, (str, bytes)) and isinstance(html, os.PathLike):
        html = _read(Path(html), options.limits)
    if not isinstance(html, (str, bytes)):
        raise MarkupTypeError(f"expected HTML as str or bytes, a Path or a Page, got {type(html).__name__}")
    page, reached = parse_within(html, options.encoding, options.limits, method)
    extraction = _extract(page, url, method, options)
    return replace(extraction, limits_reached=reached) if reached else extraction


def _extract(page: Page, url: str | None, method: Extractor, options: Options) -> Extraction:
    """Select the content of a page."""
    if url is not None and not isinstance(url, str):
        raise OptionError(f"url must be a str or None, not {type(url).__name__}")
    url = replace_surrogates(url) if url else url
    method, profile_warning = for_page(method, options.profile, page, url)
    if page.binary_type is not None:
        nothing = Selection.from_mask(page, np.zeros(len(page), dtype=np.bool_))
        return Extraction(page, nothing, url, method.name, options=options)
    if options.include or options.exclude:
        page = restrict(page, options.include, options.exclude)
    selection = checked_select(method, page)
    if options.favor is not None:
        selection = selection.reselect(options.favor)
    rule = find_rule(page, url, options.rules) if selection.page_type is not None else None
    thread = rule_warning = None
    if rule is not None:
        selection, thread, rule_warning = _with_rule(page, selection, rule)
    elif selection.page_type == "forum" or (selection.page_type is not None and page.tag_count("pre")):
        # few pages have posts
        from tamis.document.detectors.discussion import complete_thread  # noqa: PLC0415
        from tamis.document.detectors.posts import find_thread  # noqa: PLC0415

        # Of other pages, code in readers' comments may be selected.
        thread = find_thread(page) if selection.mask.any() else None
        selection = complete_thread(page, selection, thread)
    if profile_warning is not None:
        selection = replace(selection, profile_warning=profile_warning)
    if selection.metadata_fallback is not None and leaves_out_text(page):
        selection = replace(selection, metadata_fallback=None)  # the page shows content, which was left out
    used = rule.name if rule is not None and rule_warning is None else None
    return Extraction(page, selection, url, method.name, (), used, thread, rule_warning, options)


def _with_rule(
    page: Page, selection: Selection, rule: Rule
) -> "tuple[Selection, Thread | None, ContentWarning | None]":
    """Return the selection and the thread that the rule of a site says; a warning if it finds nothing."""
    from tamis.document.detectors.post_parts import DeclaredPosts  # noqa: PLC0415 (few sites have a rule)
    from tamis.document.detectors.posts import find_thread  # noqa: PLC0415

    posts = page.select(rule.post) if rule.post else []
    content = [row for selector in rule.content for row in page.select(selector)]
    parts = [page.select(selector) if selector else [] for selector in (rule.author, rule.date, rule.body)]
    thread = find_thread(page, 1, DeclaredPosts(dict.fromkeys(posts, "declared"), *parts)) if posts else None
    mask = page.shown & in_subtree(page.end, np.array(sorted({*content, *posts}), dtype=np.int64))
    excluded = sorted({row for selector in rule.exclude for row in page.select(selector)})
    mask &= ~in_subtree(page.end, np.array(excluded, dtype=np.int64))
    if thread is not None:
        mask = (mask & ~thread.chrome) | thread.body | thread.byline
    if not mask.any():
        reason = f"the rule of {rule.name} found nothing on this page, and was not used"
        return selection, None, ContentWarning("site rule", reason, 1)
    titles = page.select(rule.title) if rule.title else []
    title = page.collapsed_text(titles[0]).strip() if titles else ""
    title = title or selection.title or ""
    return replace(selection, mask=mask, metadata_fallback=None, title=title or None), thread, None


def _read(path: Path, limits: Limits) -> bytes:
    from tamis.sources.files import read_file  # noqa: PLC0415 (most pages are not files)

    try:
        return read_file(path, limits.max_bytes)
    except SourceError as error:
        raise SourceError(f"{path} {error}") from error


def _warn_if_no_html(html: str) -> None:
    """Warn when a string is evidently a URL or a file name: its characters would be taken for the page."""
    if len(html) > _LONGEST or "<" in html:
        return
    if _URL.fullmatch(html):
        kind, advice = "a URL", "to download the page: tamis.extract(tamis.fetch(url))"
    elif _PATH.fullmatch(html):
        kind, advice = "a path", "to read a file: tamis.extract(Path(name))"
    else:
        return
    message = f"expected HTML, got what looks like {kind}: {html.strip()!r}; {advice}"
    warnings.warn(message, UserWarning, stacklevel=3)
