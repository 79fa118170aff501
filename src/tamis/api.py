"""`extract`: the one way from markup to content, and what it returns."""

from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from html import escape
from typing import Any, Final

from tamis.comments import Comment, threaded
from tamis.document.build import build_document
from tamis.document.document import Document
from tamis.errors import OptionError
from tamis.extractors import registry
from tamis.extractors.base import Extractor, Link, Selection
from tamis.extractors.comments import find_comments
from tamis.metadata.record import Metadata, read_metadata, read_title
from tamis.metadata.structured import Structured, read_structured
from tamis.notices import Notice, find_notices
from tamis.page import Page, parse_page, shown_text
from tamis.page.sniff import binary_kind
from tamis.render.text import block_texts, is_plain, render_text
from tamis.render.view import View
from tamis.render.writer import Rendered


@dataclass(frozen=True, slots=True)
class Options:
    """How to extract. A value: make one, use it for as many pages as you like.

    >>> Options(extractor="body").changed(links=False).links
    False

    Attributes:
        extractor: the name of a registered extractor, or an extractor.
        favor: ``"precision"``, ``"recall"`` or a number (above 0 keeps less), for extractors that have that dial.
        encoding: the character encoding that the HTTP header named, for bytes.
        links: outputs have the addresses of links. Like the switches below, this never changes what is selected.
        images: outputs have pictures.
        tables: outputs have tables of data.
        comments: outputs have what readers wrote, after the content.
        with_metadata: outputs begin with what is known about the page.
        provenance: JSON says of every part where it stands, in the page and in each output.
    """

    extractor: str | Extractor = "sift"
    favor: str | float | None = None
    encoding: str | None = None
    links: bool = True
    images: bool = True
    tables: bool = True
    comments: bool = False
    with_metadata: bool = False
    provenance: bool = False

    def changed(self, **changes: Any) -> "Options":  # noqa: ANN401 (checked against the fields below)
        """Return these options with some changed; an unknown name is an error that lists the known ones."""
        if not changes:
            return self
        known = [field.name for field in fields(self)]
        unknown = sorted(set(changes) - set(known))
        if unknown:
            raise OptionError(f"no such option: {', '.join(unknown)}; there are {', '.join(known)}")
        return replace(self, **changes)

    def resolve(self) -> Extractor:
        """Return the extractor that these options name."""
        return registry.get(self.extractor) if isinstance(self.extractor, str) else self.extractor

    @property
    def view(self) -> View:
        """What of a document these options show."""
        return View(links=self.links, images=self.images, tables=self.tables, metadata=self.with_metadata)


_DEFAULT: Final = Options()


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
        options: how it was made, and how it is shown.
    """

    page: Page
    selection: Selection
    url: str | None
    extractor: str
    empty: str | None
    options: Options = field(default_factory=Options)

    def __bool__(self) -> bool:
        return self.empty is None

    @cached_property
    def document(self) -> Document:
        """The content as a tree of typed parts: what every output is written from."""
        if self.selection.stand_in is not None:
            said = parse_page("<p>".join(map(escape, ["", *self.selection.stand_in[0].splitlines()])))
            return build_document(said, said.shown, self.url)
        return build_document(self.page, self.selection.mask, self.url)

    @cached_property
    def structured(self) -> Structured:
        """What the page says about itself for machines: JSON-LD, microdata, OpenGraph and ``meta``."""
        return read_structured(self.page)

    @cached_property
    def metadata(self) -> Metadata:
        """What is known about the page: title, authors, dates …, each with the place it came from."""
        return read_metadata(self)

    @cached_property
    def comments_document(self) -> Document:
        """What readers wrote, as a tree of posts."""
        found = find_comments(self.page, self.selection)
        return build_document(self.page, found.mask, self.url, found.posts)

    @cached_property
    def comments(self) -> tuple[Comment, ...]:
        """What readers wrote below the content, with the answers to each; never a part of the content."""
        return threaded(self.comments_document)

    @cached_property
    def warnings(self) -> tuple[Notice, ...]:
        """What a machine that reads this should know: hidden text, removed characters, refused addresses."""
        found = find_notices(self.page, self.selection, self.url)
        said = self.selection.stand_in
        if said is None:
            return found
        reason = f"the page shows no content; this is what it says of itself ({said[1]})"
        return (Notice("stand-in", reason, len(said[0])), *found)

    @cached_property
    def text(self) -> str:
        """The content as plain text."""
        options = self.options
        as_it_is = options.tables and not options.comments and not options.with_metadata
        if as_it_is and self.selection.stand_in is None and is_plain(self.page, self.selection.mask):
            return render_text(self.page, self.selection.mask)
        return self.render("txt").text

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
        """The content as TEI."""
        return self.render("xml").text

    def render(self, form: str, **changes: Any) -> Rendered:  # noqa: ANN401 (each is an option, checked by Options)
        r"""Return the content in a format, and where each part of the document stands in it.

        >>> found = extract("<h1>Tea</h1><p>Boil water.", extractor="body")
        >>> written = found.render("markdown")
        >>> written.text, written.of(found.document.parts[0])
        ('# Tea\n\nBoil water.', '# Tea')
        """
        from tamis.render.formats import render  # noqa: PLC0415 (renderers load where they are wanted)

        return render(self, form, self.options.changed(**changes))

    @cached_property
    def title(self) -> str | None:
        """The title of the page, read without the rest of its metadata."""
        found = read_title(self)
        return found.value if found else None

    @property
    def kind(self) -> str | None:
        """What kind of page this is, where the extractor knows: ``article``, ``forum``, ``product`` and so on."""
        return self.selection.page_kind

    @property
    def kind_chance(self) -> float | None:
        """How likely it is of that kind, where the extractor knows."""
        return self.selection.kind_chance

    @property
    def confidence(self) -> float | None:
        """The F1 that the extractor expects of its answer, where it knows."""
        return self.selection.confidence

    def favoring(self, favor: str | float | None) -> "Extraction":
        """Return this extraction with the dial turned: chosen again from the same scores, without reading again.

        >>> page = "<main><h1>Tea</h1><p>" + "Water just off the boil, three minutes, no more. " * 9 + "</main>"
        >>> len(extract(page).favoring("recall").text) >= len(extract(page).text)
        True
        """
        if self.selection.again is None:
            raise OptionError(f"the extractor {self.extractor} cannot favour precision or recall")
        selection = self.selection.again(favor)
        empty = _why_empty(self.page, selection)
        return Extraction(self.page, selection, self.url, self.extractor, empty, self.options.changed(favor=favor))

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
    chosen = (options or _DEFAULT).changed(**changes)
    chosen.resolve()  # a wrong name is told before the page is read
    return extract_page(parse_page(markup, encoding=chosen.encoding), url, options=chosen)


def extract_page(
    page: Page,
    url: str | None = None,
    *,
    options: Options | None = None,
    **changes: Any,  # noqa: ANN401 (each is an option, checked by Options.changed)
) -> Extraction:
    """Extract the main content of a page that is parsed already, or that a browser drew (see `tamis.visual`).

    >>> page = parse_page("<h1>Tea</h1><p>Water just off the boil.</p>")
    >>> extract_page(page, extractor="body").text == extract(page.markup, extractor="body").text
    True
    """
    chosen = (options or _DEFAULT).changed(**changes)
    extractor = chosen.resolve()
    selection = extractor.select(page)
    if chosen.favor is not None:
        if selection.again is None and selection.mask.any():
            raise OptionError(f"the extractor {extractor.name} cannot favour precision or recall")
        selection = selection.again(chosen.favor) if selection.again is not None else selection
    return Extraction(page, selection, url, extractor.name, _why_empty(page, selection), chosen)


def _why_empty(page: Page, selection: Selection) -> str | None:
    """Return why nothing was selected, None when something was."""
    binary = binary_kind(page.markup) if isinstance(page.markup, bytes) else None
    if (selection.mask.any() or selection.stand_in is not None) and binary is None:
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
