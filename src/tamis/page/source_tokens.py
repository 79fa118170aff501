"""The source of a page as columns of tokens: where each begins, and what it is."""

import re
from dataclasses import dataclass
from itertools import compress, islice
from operator import attrgetter
from typing import Final

import numpy as np
import numpy.typing as npt
import turbohtml

Ints = npt.NDArray[np.int64]

#: Tokens (and nodes) are read in pieces of this size: a million objects at once cost more than reading them does.
CHUNK: Final = 4096
TEXT: Final = turbohtml.TokenType.TEXT.value
START: Final = turbohtml.TokenType.START_TAG.value
END: Final = turbohtml.TokenType.END_TAG.value
_line = attrgetter("line")
_col = attrgetter("col")
_type = attrgetter("type")
_tag = attrgetter("tag")
_data = attrgetter("data")
_self_closing = attrgetter("self_closing")
_FOREIGN: Final = re.compile("<(?:svg|math)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Source:
    r"""A source with its code points and the offsets of its lines.

    >>> Source.of("a\nbc\n").offsets([1, 2, 3], [0, 1, 0]).tolist()
    [0, 3, 5]
    """

    text: str
    codes: npt.NDArray[np.uint32]
    lines: Ints

    @classmethod
    def of(cls, text: str) -> "Source":
        """Find the lines of a text."""
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
        return cls(text, codes, np.concatenate((np.zeros(1, np.int64), np.flatnonzero(codes == ord("\n")) + 1)))

    def offsets(self, line: npt.ArrayLike, column: npt.ArrayLike) -> Ints:
        """Return offsets from lines (counted from 1) and columns (from 0)."""
        return np.asarray(self.lines[np.asarray(line, np.int64) - 1] + np.asarray(column, np.int64))


@dataclass(frozen=True, slots=True)
class SourceTokens:
    """The tokens of a source, in order. What the parser reads as markup is cut into tokens, ``noscript`` too.

    Attributes:
        begin: where each token begins, in characters of the source.
        end: where the next one begins.
        kinds: what each is, the number of a `turbohtml.TokenType`.
        self_closing: which start tags end in ``/>``; told only where a source has SVG or MathML.
        tags: the name of each tag, None for what is no tag.
        texts: what the text tokens say, in order.
        sure: whether the parser, too, reads a ``noscript`` up to where the tokenizer ends it.
    """

    begin: Ints
    end: Ints
    kinds: npt.NDArray[np.uint8]
    self_closing: npt.NDArray[np.uint8]
    tags: list[str | None]
    texts: list[str]
    sure: bool = True

    def of_type(self, wanted: int) -> Ints:
        """Return the indices of the tokens of a type."""
        return np.flatnonzero(self.kinds == wanted)


def read_tokens(source: Source) -> SourceTokens:
    """Cut a source into tokens.

    >>> read_tokens(Source.of("<p>a<noscript><b>c</b></noscript>")).tags
    ['p', None, 'noscript', 'b', None, 'b', 'noscript']
    """
    found = _cut(source)
    if "noscript" not in found.tags:
        return found
    # The tokenizer reads its content as a browser with scripts does, as one text; the parser reads markup.
    raw: list[int] = []
    place = -1
    for _ in range(found.tags.count("noscript")):
        place = found.tags.index("noscript", place + 1)
        if found.kinds[place] == START and found.kinds[place + 1 : place + 2].tolist() == [TEXT]:
            raw.append(place + 1)
    return _spliced(source.text, found, raw)


def _cut(source: Source) -> SourceTokens:
    stream = turbohtml.tokenize(source.text, capture_attributes=False)
    foreign = _FOREIGN.search(source.text) is not None
    lines: list[Ints] = [np.zeros(0, np.int64)]
    columns: list[Ints] = [np.zeros(0, np.int64)]
    kinds, closing = bytearray(), bytearray()
    tags: list[str | None] = []
    texts: list[str] = []
    while chunk := list(islice(stream, CHUNK)):
        lines.append(np.fromiter(map(_line, chunk), np.int64, len(chunk)))
        columns.append(np.fromiter(map(_col, chunk), np.int64, len(chunk)))
        kind = bytes(map(_type, chunk))
        kinds += kind
        tags += map(_tag, chunk)
        texts += map(_data, compress(chunk, (np.frombuffer(kind, np.uint8) == TEXT).tobytes()))
        closing += bytes(map(_self_closing, chunk)) if foreign else bytes(len(chunk))
    begin = source.offsets(np.concatenate(lines), np.concatenate(columns))
    return SourceTokens(
        begin,
        np.append(begin, len(source.text))[1:],
        np.frombuffer(kinds, np.uint8),
        np.frombuffer(closing, np.uint8),
        tags,
        texts,
    )


def _spliced(source: str, whole: SourceTokens, raw: list[int]) -> SourceTokens:
    """Put the tokens of raw texts in the places of those texts."""
    pieces: list[SourceTokens] = []
    sure = True
    done = said = 0
    for place in [*raw, len(whole.tags)]:
        saying = said + int(np.count_nonzero(whole.kinds[done:place] == TEXT))
        pieces.append(
            SourceTokens(
                whole.begin[done:place],
                whole.end[done:place],
                whole.kinds[done:place],
                whole.self_closing[done:place],
                whole.tags[done:place],
                whole.texts[said:saying],
            )
        )
        if place < len(whole.tags):
            inside = source[int(whole.begin[place]) : int(whole.end[place])]
            sure &= _stands_alone(inside)
            pieces.append(_moved(_cut(Source.of(inside)), int(whole.begin[place])))
        done, said = place + 1, saying + 1
    return SourceTokens(
        np.concatenate([piece.begin for piece in pieces]),
        np.concatenate([piece.end for piece in pieces]),
        np.concatenate([piece.kinds for piece in pieces]),
        np.concatenate([piece.self_closing for piece in pieces]),
        [tag for piece in pieces for tag in piece.tags],
        [text for piece in pieces for text in piece.texts],
        sure,
    )


def _moved(tokens: SourceTokens, by: int) -> SourceTokens:
    return SourceTokens(
        tokens.begin + by, tokens.end + by, tokens.kinds, tokens.self_closing, tokens.tags, tokens.texts
    )


def _stands_alone(markup: str) -> bool:
    """Return whether markup leaves no comment, tag or raw text open: an end tag after it is read as one.

    >>> _stands_alone("<img src=x>"), _stands_alone("<!-- <img>")
    (True, False)
    """
    last = list(turbohtml.tokenize(f"{markup}</noscript>"))[-1]
    return last.type == END and last.tag == "noscript" and "<noscript" not in markup.lower()
