"""The tokens of a page's source as columns: the position and the type of each."""

import re
from dataclasses import dataclass
from itertools import compress, islice
from operator import attrgetter
from typing import Final

import numpy as np
import numpy.typing as npt
import turbohtml

Ints = npt.NDArray[np.int64]

#: Tokens (and nodes) are read in chunks of this size: a million objects at once cost more than reading them.
CHUNK: Final = 4096
TEXT: Final = turbohtml.TokenType.TEXT.value
START: Final = turbohtml.TokenType.START_TAG.value
END: Final = turbohtml.TokenType.END_TAG.value
_line = attrgetter("line")
_column = attrgetter("col")
_type = attrgetter("type")
_tag = attrgetter("tag")
_data = attrgetter("data")
_self_closing = attrgetter("self_closing")
_FOREIGN_CONTENT: Final = re.compile("<(?:svg|math)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Source:
    r"""A source with its code points and the offsets of its lines.

    >>> Source.from_text("a\nbc\n").offsets([1, 2, 3], [0, 1, 0]).tolist()
    [0, 3, 5]
    """

    text: str
    codes: npt.NDArray[np.uint32]
    lines: Ints

    @classmethod
    def from_text(cls, text: str) -> "Source":
        """Return a source with the lines of a text."""
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
        return cls(text, codes, np.concatenate((np.zeros(1, np.int64), np.flatnonzero(codes == ord("\n")) + 1)))

    def offsets(self, line: npt.ArrayLike, column: npt.ArrayLike) -> Ints:
        """Return offsets from lines (counted from 1) and columns (counted from 0)."""
        return np.asarray(self.lines[np.asarray(line, np.int64) - 1] + np.asarray(column, np.int64))


@dataclass(frozen=True, slots=True)
class SourceTokens:
    """The tokens of a source, in order. The content of ``noscript`` is cut into tokens too, as the parser reads it.

    Attributes:
        begin: where each token begins, in characters of the source.
        end: where the next one begins.
        types: the type of each, a `turbohtml.TokenType` as a number.
        self_closing: which start tags end in ``/>``; set only if the source has SVG or MathML.
        tags: the name of each tag, None for other tokens.
        texts: the data of the text tokens, in order.
        reliable: whether the parser ends each ``noscript`` where the tokenizer does.
    """

    begin: Ints
    end: Ints
    types: npt.NDArray[np.uint8]
    self_closing: npt.NDArray[np.uint8]
    tags: list[str | None]
    texts: list[str]
    reliable: bool = True

    def of_type(self, token_type: int) -> Ints:
        """Return the indices of the tokens of a type."""
        return np.flatnonzero(self.types == token_type)


def read_tokens(source: Source) -> SourceTokens:
    """Cut a source into tokens.

    >>> read_tokens(Source.from_text("<p>a<noscript><b>c</b></noscript>")).tags
    ['p', None, 'noscript', 'b', None, 'b', 'noscript']
    """
    tokens = _tokenize(source)
    if "noscript" not in tokens.tags:
        return tokens
    # The tokenizer reads its content as one text, as a browser with scripts does; the parser reads markup.
    raw_texts: list[int] = []
    index = -1
    for _ in range(tokens.tags.count("noscript")):
        index = tokens.tags.index("noscript", index + 1)
        if tokens.types[index] == START and tokens.types[index + 1 : index + 2].tolist() == [TEXT]:
            raw_texts.append(index + 1)
    return _expand(source.text, tokens, raw_texts)


def _tokenize(source: Source) -> SourceTokens:
    stream = turbohtml.tokenize(source.text, capture_attributes=False)
    has_foreign_content = _FOREIGN_CONTENT.search(source.text) is not None
    lines: list[Ints] = [np.zeros(0, np.int64)]
    columns: list[Ints] = [np.zeros(0, np.int64)]
    types, self_closing = bytearray(), bytearray()
    tags: list[str | None] = []
    texts: list[str] = []
    while chunk := list(islice(stream, CHUNK)):
        lines.append(np.fromiter(map(_line, chunk), np.int64, len(chunk)))
        columns.append(np.fromiter(map(_column, chunk), np.int64, len(chunk)))
        chunk_types = bytes(map(_type, chunk))
        types += chunk_types
        tags += map(_tag, chunk)
        texts += map(_data, compress(chunk, (np.frombuffer(chunk_types, np.uint8) == TEXT).tobytes()))
        self_closing += bytes(map(_self_closing, chunk)) if has_foreign_content else bytes(len(chunk))
    begin = source.offsets(np.concatenate(lines), np.concatenate(columns))
    return SourceTokens(
        begin,
        np.append(begin, len(source.text))[1:],
        np.frombuffer(types, np.uint8),
        np.frombuffer(self_closing, np.uint8),
        tags,
        texts,
    )


def _expand(source: str, tokens: SourceTokens, raw_texts: list[int]) -> SourceTokens:
    """Replace text tokens, given by their indices, with the tokens of their content."""
    pieces: list[SourceTokens] = []
    reliable = True
    first = first_text = 0
    for index in [*raw_texts, len(tokens.tags)]:
        last_text = first_text + int(np.count_nonzero(tokens.types[first:index] == TEXT))
        pieces.append(
            SourceTokens(
                tokens.begin[first:index],
                tokens.end[first:index],
                tokens.types[first:index],
                tokens.self_closing[first:index],
                tokens.tags[first:index],
                tokens.texts[first_text:last_text],
            )
        )
        if index < len(tokens.tags):
            content = source[int(tokens.begin[index]) : int(tokens.end[index])]
            reliable &= _is_complete(content)
            pieces.append(_shift(_tokenize(Source.from_text(content)), int(tokens.begin[index])))
        first, first_text = index + 1, last_text + 1
    return SourceTokens(
        np.concatenate([piece.begin for piece in pieces]),
        np.concatenate([piece.end for piece in pieces]),
        np.concatenate([piece.types for piece in pieces]),
        np.concatenate([piece.self_closing for piece in pieces]),
        [tag for piece in pieces for tag in piece.tags],
        [text for piece in pieces for text in piece.texts],
        reliable,
    )


def _shift(tokens: SourceTokens, offset: int) -> SourceTokens:
    return SourceTokens(
        tokens.begin + offset, tokens.end + offset, tokens.types, tokens.self_closing, tokens.tags, tokens.texts
    )


def _is_complete(markup: str) -> bool:
    """Return whether markup leaves no comment, tag or raw text open, so that an end tag after it is read as one.

    >>> _is_complete("<img src=x>"), _is_complete("<!-- <img>"), _is_complete("<img src=")
    (True, False, False)
    """
    tokens = list(turbohtml.tokenize(f"{markup}</noscript>"))  # none if a tag is left open
    return (
        bool(tokens) and tokens[-1].type == END and tokens[-1].tag == "noscript" and "<noscript" not in markup.lower()
    )
