"""Chunks for retrieval: parts of a document, with the headings above them and where they come from.

`max_tokens` is a limit. Parts stay whole where they fit; a longer one is divided at its lines and sentences, then at
words. A list is divided between its items, a table between its rows, with its header repeated.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import groupby
from typing import Any, Final, Literal, Self

from tamis.document.parts import (
    Callout,
    Code,
    Definitions,
    Details,
    Document,
    Footnote,
    Heading,
    Item,
    List,
    Part,
    Post,
    Quote,
    Row,
    SourceLocation,
    Table,
    children,
    spans_text,
)
from tamis.document.warnings import ContentWarning
from tamis.errors import OptionError
from tamis.html.text import estimate_tokens
from tamis.page.deadline import check_time
from tamis.render.content import Content
from tamis.render.document_text import render_text
from tamis.render.markdown import render_markdown, with_facts
from tamis.render.registry import DEFAULT, Rendered, RenderOptions
from tamis.render.shown import shown_document
from tamis.reprs import value_repr

ChunkFormat = Literal["markdown", "text"]
#: A heading begins a new chunk if the one before is at least this full, so that small sections share one.
_FULL: Final = 0.5
#: Characters that the lines of a part begin with, and the blank line before it, that count as tokens: a dozen levels
#: of quotations or posts. Else a chunk would be written several times, until what it has fits.
_WIDE_MARGIN: Final = 24
#: Posts above those of a chunk, the nearest ones, whose authors it repeats: else the chunks of a deep thread would be
#: a dozen times as long as the thread.
_MAX_ABOVE: Final = 8
#: Where containers that are not listed have their children.
_CHILDREN: Final = {List: "items", Table: "rows", Definitions: "entries"}
#: Containers that are divided between their children if they are too large.
_DIVISIBLE: Final = (List, Item, Table, Quote, Callout, Details, Post, Footnote, Definitions)


@dataclass(frozen=True, slots=True, eq=False)
class Chunk:
    """Some parts of a document that are read together.

    Attributes:
        index: its number on the page.
        headings: the headings above its first part, the page's title first.
        text: the headings and the parts, as Markdown or plain text.
        tokens: the number of tokens of `text`.
        parts: its parts, as they are in the document. They are whole, unless one alone exceeds the limit: that one is
            in each chunk with a piece of it.
        document: the document, to locate the parts.
        id: the same for the same text below the same headings of the same URL, on any machine.
        url, title, authors, date, language: those of the page.
    """

    index: int
    headings: tuple[str, ...]
    text: str
    tokens: int
    parts: tuple[Part, ...] = field(repr=False)
    document: Document = field(repr=False)
    id: str = ""
    url: str | None = None
    title: str | None = None
    authors: tuple[str, ...] = ()
    date: str | None = None
    language: str | None = None
    __repr__ = value_repr

    @property
    def span(self) -> tuple[int, int]:
        """The source offsets of its first and after its last character; (-1, -1) where they are unknown."""
        # A title that was added has no text of its own on the page: its row is that of the body.
        added = [isinstance(part, Heading) and part.stop == part.element + 1 for part in self.parts]
        pairs = zip(added, self.locations, strict=True)
        known = [location for is_added, location in pairs if location.start >= 0 and not is_added]
        if not known:
            return -1, -1
        return min(location.start for location in known), max(location.stop for location in known)

    @property
    def locations(self) -> tuple[SourceLocation, ...]:
        """Where each part is in the page. The first use parses the source again, for positions."""
        return tuple(self.document.locate(part) for part in self.parts)


class Chunks(tuple[Chunk, ...]):  # noqa: SLOT001 (a tuple has no room for slots)
    """The chunks of a page: a tuple.

    Attributes:
        document: the document whose parts they have.
        warnings: one for each limit that was reached. The chunks are then those of the beginning of the content.
    """

    document: Document
    warnings: tuple[ContentWarning, ...]

    def __new__(cls, chunks: Iterable[Chunk], document: Document, warnings: tuple[ContentWarning, ...] = ()) -> Self:
        """Return chunks as a tuple of them, with the document and the warnings."""
        out = super().__new__(cls, chunks)
        out.document, out.warnings = document, warnings
        return out

    def __getnewargs__(self) -> tuple[tuple[Chunk, ...], Document, tuple[ContentWarning, ...]]:
        return tuple(self), self.document, self.warnings


@dataclass(slots=True, eq=False)
class _Unit:
    """A part that stays whole, the containers around it, and the headings above it."""

    part: Part
    containers: tuple[Part, ...]
    headings: tuple[Heading, ...]
    tokens: int

    def at(self, depth: int) -> Part:
        """Return the container at this depth, or the part itself."""
        return self.containers[depth] if depth < len(self.containers) else self.part


def content_chunks(
    content: Content,
    max_tokens: int,
    *,
    count_tokens: Callable[[str], int] = estimate_tokens,
    format: ChunkFormat = "markdown",  # noqa: A002 (the field's word)
    options: RenderOptions = DEFAULT,
    overlap: int = 0,
) -> Chunks:
    """Return the chunks of an extraction; their parts are those of its document. See `Extraction.chunks`."""
    if not isinstance(max_tokens, int):
        raise OptionError(f"max_tokens must be an int, not {type(max_tokens).__name__}")
    if not callable(count_tokens):
        raise OptionError(f"count_tokens must be a function, not {type(count_tokens).__name__}")
    if max_tokens < 1:
        raise OptionError(f"max_tokens must be at least 1, not {max_tokens}")
    if not 0 <= overlap < max_tokens:
        raise OptionError(f"overlap must be an int from 0 to below max_tokens, not {overlap!r}")
    if format not in {"markdown", "text"}:
        raise OptionError(f"chunks are markdown or text, not {format!r}")
    document, originals = shown_document(content, options.replace(comments=False))
    if options.facts and format == "markdown":  # as Markdown has them
        document = with_facts(document, content)
    render = render_text if format == "text" else render_markdown
    maker = _ChunkMaker(document, max_tokens - overlap, count_tokens, render, options)
    about: dict[str, Any] = {name: getattr(content.metadata, name) for name in ("title", "date", "language")}
    about |= {"url": content.url, "authors": tuple(content.metadata.authors or ())}
    chunks: list[Chunk] = []
    before = ""
    for units in maker.groups():
        check_time()
        for group, prefix, body in maker.fitting(units):
            headings = tuple(" ".join(spans_text(heading.spans).split()) for heading in group[0].headings)
            parts = tuple(originals.get(unit.part, unit.part) for unit in group)
            repeated = _tail(before, overlap, count_tokens)
            text = "\n\n".join(filter(None, (prefix, repeated, body)))
            before = body
            digest = sha256("\x1f".join((content.url or "", *headings, text)).encode("utf-8", "replace"))
            chunk_id = digest.hexdigest()[:_ID_CHARS]
            chunks.append(Chunk(len(chunks), headings, text, count_tokens(text), parts, document, chunk_id, **about))
    return Chunks(chunks, content.document)


_ID_CHARS: Final = 16
_SENTENCE: Final = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])")


def _tail(text: str, max_tokens: int, count_tokens: Callable[[str], int]) -> str:
    """Return the last sentences of a text, at most this many tokens of them."""
    out = ""
    for sentence in reversed(_SENTENCE.split(text) if max_tokens else []):
        longer = f"{sentence} {out}".strip()
        if "\n" in longer or count_tokens(longer) >= max_tokens:
            break
        out = longer
    return out


def split_text(text: str, fits: Callable[[str], bool]) -> list[str]:
    """Return a text in pieces that fit: at line ends, then at sentences, then at words, then anywhere.

    >>> split_text("Boil water. Wait a little. Pour.", lambda piece: len(piece) <= 20)
    ['Boil water.', 'Wait a little. Pour.']
    >>> split_text("aaaabbbb", lambda piece: len(piece) <= 4)
    ['aaaa', 'bbbb']
    """
    pieces = [text]
    for pattern, joint in ((r"\n", "\n"), (_SENTENCE.pattern, " "), (r"\s+", " "), ("", "")):
        out: list[str] = []
        for piece in pieces:
            if fits(piece):
                out.append(piece)
            else:
                out += _joined(list(piece) if not pattern else re.split(pattern, piece), joint, fits)
        pieces = out
    return [piece for piece in pieces if piece.strip()]


def _joined(pieces: list[str], joint: str, fits: Callable[[str], bool]) -> list[str]:
    """Return neighbouring pieces as one as long as they fit. Doubling keeps the calls few."""
    out: list[str] = []
    start = 0
    while start < len(pieces):
        check_time()
        size = 1
        while start + 2 * size <= len(pieces) and fits(joint.join(pieces[start : start + 2 * size])):
            size *= 2
        step = size
        while step > 1:
            step //= 2
            if start + size + step <= len(pieces) and fits(joint.join(pieces[start : start + size + step])):
                size += step
        out.append(joint.join(pieces[start : start + size]))
        start += size
    return out


@dataclass(slots=True)
class _ChunkMaker:
    document: Document
    max_tokens: int
    count_tokens: Callable[[str], int]
    render: Callable[[Document, RenderOptions], Rendered]
    options: RenderOptions
    heading_tokens: dict[Heading, int] = field(default_factory=dict)
    positions: dict[Part, int] = field(default_factory=dict)  # of the items of a list that is divided
    headers: dict[Part, tuple[Row, ...]] = field(default_factory=dict)  # of a table that is divided

    def text(self, units: Sequence[_Unit]) -> tuple[str, str]:
        """Return the headings above a chunk, and its parts in their containers."""
        above = tuple(heading for heading in units[0].headings if heading is not units[0].part)
        prefix = self.render(replace(self.document, parts=above), self.options).text if above else ""
        parts = self._rebuilt(units, _first_depth(units))
        return prefix, self.render(replace(self.document, parts=parts), self.options).text

    def groups(self) -> Iterator[list[_Unit]]:
        """Yield the units of each chunk, by the sum of their tokens."""
        group: list[_Unit] = []
        only_headings = True
        tokens = 0
        for unit in self._units():
            is_heading = isinstance(unit.part, Heading) and not unit.containers
            begins = is_heading and tokens >= _FULL * self.max_tokens
            is_over = bool(group) and (begins or tokens + unit.tokens > self.max_tokens)
            if is_over and not only_headings:
                trailing = _trailing_headings(group)  # a heading goes with what it is above
                yield group[: len(group) - len(trailing)]
                group, only_headings = trailing, True
                tokens = self._context(group[0]) + sum(each.tokens for each in group) if group else 0
            elif is_over and is_heading and tokens + unit.tokens > self.max_tokens:  # headings enough for a chunk
                yield group
                group = []
            if not group:
                tokens = self._context(unit)
            only_headings = isinstance(unit.part, Heading) and (only_headings or not group)
            group.append(unit)
            tokens += unit.tokens
        if group:
            yield group

    def fitting(self, units: list[_Unit]) -> Iterator[tuple[list[_Unit], str, str]]:
        """Yield a group with its headings and its text, halved until it fits; one part alone is divided."""
        check_time()
        last = units[-1]
        # A long part in no container is as long alone: it is not written in vain with the headings before it.
        if len(units) == 1 or last.containers or last.tokens <= 2 * self.max_tokens:
            prefix, body = self.text(units)
            if self._fits(prefix, body):
                yield units, prefix, body
                return
        # Near the middle, and not between a heading and what follows it.
        cuts = [index for index in range(1, len(units)) if not isinstance(units[index - 1].part, Heading)]
        if len(units) > 1:
            prefix, body = self.text([last])
        carried = all(unit.part in last.headings for unit in units[:-1]) and not isinstance(last.part, Heading)
        if not cuts and (not carried or 2 * self.count_tokens(prefix) > self.max_tokens):
            cuts = list(range(1, len(units)))
        if cuts:
            cut = min(cuts, key=lambda index: abs(2 * index - len(units)))
            yield from self.fitting(units[:cut])
            yield from self.fitting(units[cut:])
            return
        for number, piece in enumerate(self._divided(last, prefix, body)):
            yield (units if number == 0 else [last]), prefix if self._fits(prefix, piece) else "", piece

    def _fits(self, prefix: str, body: str) -> bool:
        return self.count_tokens(f"{prefix}\n\n{body}" if prefix else body) <= self.max_tokens

    def _divided(self, unit: _Unit, prefix: str, body: str) -> list[str]:
        """Return the text of one part in pieces that fit below the headings; code keeps its fences."""
        if prefix and 2 * self.count_tokens(prefix) > self.max_tokens:
            prefix = ""  # what is divided needs the room
        part, opening, closing = unit.part, "", ""
        if isinstance(part, Code) and body.startswith("```") and body.endswith("```"):
            first, _, rest = body.partition("\n")
            fence = first[: len(first) - len(first.lstrip("`"))]
            opening, closing, body = f"{first}\n", f"\n{fence}", rest[: rest.rfind("\n")]
            if not self._fits(prefix, f"{opening}x{closing}"):
                opening = closing = ""
        pieces = split_text(body, lambda piece: self._fits(prefix, f"{opening}{piece}{closing}"))
        return [f"{opening}{piece}{closing}" for piece in pieces]

    def _context(self, unit: _Unit) -> int:
        """Return the tokens of the headings above a unit."""
        return sum(self.heading_tokens[each] for each in unit.headings if each is not unit.part)

    def _push(self, headings: list[Heading], heading: Heading) -> None:
        """Add a heading to those that are above what follows. One that would fill a chunk alone is not carried."""
        while headings and headings[-1].level >= heading.level:
            headings.pop()
        tokens = self.count_tokens(spans_text(heading.spans)) + 2  # two for its mark and the line after it
        self.heading_tokens[heading] = tokens
        if tokens + sum(self.heading_tokens[each] for each in headings) < self.max_tokens:
            headings.append(heading)

    def _units(self) -> Iterator[_Unit]:
        rendered = self.render(self.document, self.options)
        headings: list[Heading] = []
        above: tuple[Heading, ...] = ()
        room = self.max_tokens
        stack: list[tuple[Part, tuple[Part, ...]]] = [(part, ()) for part in reversed(self.document.parts)]
        while stack:
            check_time()
            part, containers = stack.pop()
            if isinstance(part, Heading) and all(isinstance(each, Post) for each in containers):
                self._push(headings, part)
                above = tuple(headings)
                room = self.max_tokens - sum(self.heading_tokens[each] for each in headings)
            text = rendered.text_of(part)
            tokens = self.count_tokens(text) + 1 if text else 0  # one for what stands between two parts
            margin = rendered.margins.get(part, 0)
            if text and margin >= _WIDE_MARGIN:
                bylines = min(sum(isinstance(each, Post) for each in containers), _MAX_ABOVE)
                tokens += self.count_tokens(" >" * (margin // 2)) * (text.count("\n") + 2 + bylines)
            inner = self._inner(part, rendered) if isinstance(part, _DIVISIBLE) else ()
            if inner and (tokens > room or _has_heading(part)):
                if isinstance(part, List):
                    self.positions.update((item, number) for number, item in enumerate(part.items))
                around = (*containers, part)
                stack.extend((child, around) for child in reversed(inner))
            elif text:
                yield _Unit(part, containers, above, tokens)

    def _inner(self, part: Part, rendered: Rendered) -> tuple[Part, ...]:
        """Return the parts that a container is divided into. The header of a table is repeated with all of them.

        A header that would fill a chunk is not: it is divided as any other row.
        """
        if not isinstance(part, Table):
            return children(part)
        self.headers[part] = header = tuple(row for row in part.rows if row.header)
        if header and 2 * sum(self.count_tokens(rendered.text_of(row)) for row in header) <= self.max_tokens:
            return tuple(row for row in part.rows if not row.header)
        self.headers[part] = ()
        return part.rows

    def _rebuilt(self, units: Sequence[_Unit], depth: int) -> tuple[Part, ...]:
        """Return the parts of units in their containers, which hold these parts alone."""
        out: list[Part] = []
        groups: Iterable[Sequence[_Unit]] = [units]
        if units[0].at(depth) is not units[-1].at(depth):  # units are in order: else all are in one container
            groups = (list(same) for _, same in groupby(units, key=lambda unit: id(unit.at(depth))))
        for group in groups:
            if len(group[0].containers) <= depth:
                out += [unit.part for unit in group]
            else:
                container, first = group[0].at(depth), group[0].at(depth + 1)
                out.append(self._with_children(container, first, self._rebuilt(group, depth + 1)))
        return tuple(out)

    def _with_children(self, container: Part, first: Part, parts: tuple[Part, ...]) -> Part:
        """Return a container with some of its children. A list keeps its numbers, a table its header."""
        changes: Any = {}
        if isinstance(container, List):
            changes["start"] = container.start + self.positions[first]
        changes[_CHILDREN.get(type(container), "parts")] = (*self.headers.get(container, ()), *parts)
        return replace(container, **changes)


def _first_depth(units: Sequence[_Unit]) -> int:
    """Return the depth of the first container that a chunk has: posts that are far above all of it are left out."""
    shared = 0
    for first, last in zip(units[0].containers, units[-1].containers, strict=False):
        if first is not last or not isinstance(first, Post):
            break
        shared += 1
    return max(0, shared - _MAX_ABOVE)


def _trailing_headings(units: Sequence[_Unit]) -> list[_Unit]:
    count = 0
    while count < len(units) and isinstance(units[-1 - count].part, Heading):
        count += 1
    return list(units[len(units) - count :])


def _has_heading(part: Part) -> bool:
    """Tell whether a post has headings, which are above what follows them in the post."""
    return isinstance(part, Post) and any(isinstance(child, (Heading, Post)) for child in part.parts)


def chunk_records(chunks: Chunks) -> list[dict[str, Any]]:
    """Return chunks as plain values: the same in JSON, in rows and in the command."""
    ids = {part: number for number, part in enumerate(chunks.document)}
    return [_chunk_values(chunk, ids) for chunk in chunks]


def _chunk_values(chunk: Chunk, ids: dict[Part, int]) -> dict[str, Any]:
    """Return a chunk as plain values. `ids` are the numbers of the parts of the document."""
    return {
        "url": chunk.url,
        "title": chunk.title,
        "authors": list(chunk.authors),
        "date": chunk.date,
        "language": chunk.language,
        "chunk": chunk.index,
        "id": chunk.id,
        "headings": list(chunk.headings),
        "text": chunk.text,
        "tokens": chunk.tokens,
        "provenance": [
            {"part": ids.get(part), "xpath": location.xpath, "source": [location.start, location.stop]}
            for part, location in zip(chunk.parts, chunk.locations, strict=True)
        ],
    }
