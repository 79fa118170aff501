"""JSON: all values of an extraction. `tamis.render.schema` describes them."""

import json
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tamis.document.parts import (
    Callout,
    Cell,
    Code,
    CodeSpan,
    Definition,
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
    Span,
    Table,
    Text,
    children,
)
from tamis.page.deadline import check_time
from tamis.page.sums import Ints, prefix_sums
from tamis.render.comments import comment_threads
from tamis.render.registry import DEFAULT, Rendered, RenderOptions, get_format
from tamis.render.shown import index_links

if TYPE_CHECKING:
    from tamis.render.content import Content
from tamis.render.shown import figure_caption, link_and_image_values

# What JSON says of every part: its id, level, probability, plain text and Markdown, and its blocks.

#: Levels of containers that have their text: of a list, an item and a list in it. What is nested deeper has the text
#: of its innermost parts alone, or a page of nested lists would be written once for each level.
_MAX_WHOLE_DEPTH: Final = 3


class PartValues:
    """The values of the parts of a document.

    Attributes:
        order: the parts in document order, outer before inner; their numbers are their ids.
        depths: in how many other parts each is.
    """

    def __init__(self, content: "Content", outputs: dict[str, Rendered]) -> None:
        self.document = content.document
        self.order = self.document.in_order
        self.levels, self.depths = _levels_and_depths(self.order)
        self._text, self._markdown = outputs["text"], outputs["markdown"]
        # The document of a text from metadata has a page of its own, without scores.
        is_scored = content.selection.metadata_fallback is None
        first, stop = _rows(self.document, captions=is_scored)
        self._probabilities: list[float | None] = [None] * len(self.order)
        selection = content.selection
        if is_scored and selection.scores_are_probabilities:
            weights = np.where(selection.mask, content.page.nonspace, 0)
            chars, scores = prefix_sums(weights), prefix_sums(weights * selection.score.astype(np.float64))
            means = zip((scores[stop] - scores[first]).tolist(), (chars[stop] - chars[first]).tolist(), strict=True)
            self._probabilities = [round(score / count, 6) if count else None for score, count in means]
        block_rows = [block.row for block in content.blocks] if is_scored else []
        self._blocks: list[list[int]] = np.searchsorted(block_rows, np.stack([first, stop], axis=1)).tolist()

    def values(self, number: int) -> dict[str, Any]:
        """Return the values of a part."""
        part = self.order[number]
        values: dict[str, Any] = {
            "type": _NAMES[type(part)],
            "id": number,
            "level": self.levels[number],
            "probability": self._probabilities[number],
        }
        if self.depths[number] < _MAX_WHOLE_DEPTH or not children(part):
            values["text"], values["markdown"] = self._text.text_of(part), self._markdown.own_text(part)
        values["blocks"] = self._blocks[number]
        return values

    def part_of_blocks(self, count: int) -> list[int | None]:
        """Return the id of the innermost part that each of the blocks is in."""
        innermost: list[int | None] = [None] * count
        for number, (first, stop) in enumerate(self._blocks):  # outer before inner, at most `MAX_DEPTH` times each
            innermost[first:stop] = [number] * (stop - first)
        return innermost


def _rows(document: Document, *, captions: bool) -> tuple[Ints, Ints]:
    """Return the rows of each part; a caption may be before or after what it is the caption of."""
    first = np.array([part.first for part in document], dtype=np.int64)
    stop = np.array([part.stop for part in document], dtype=np.int64)
    for number, part in enumerate(document) if captions else ():
        if isinstance(part, (Figure, Table)) and part.caption:
            first[number] = min(part.first, part.element)
            stop[number] = max(part.stop, int(document.page.end[part.element]))
    return first, stop


#: The types of parts as JSON names them.
_NAMES: Final = {part: part.__name__.lower() for part in Part.__subclasses__()}


def _levels_and_depths(parts: Iterable[Part]) -> tuple[list[int], list[int]]:
    """Return the levels and the depths of parts in order, outer before inner.

    The level of a heading is its own, that of a post its depth in the thread, that of other parts the level of the
    heading above. The depth of a part is in how many others it is.
    """
    levels: list[int] = []
    depths: list[int] = []
    above = 0
    inside = [0]  # how many parts are still to come of each part around the current one
    for part in parts:
        while len(inside) > 1 and not inside[-1]:
            inside.pop()
        inside[-1] -= 1
        depths.append(len(inside) - 1)
        if isinstance(part, Heading):
            above = part.level
        levels.append(part.level if isinstance(part, Post) else above)
        inner = children(part)
        if inner:
            inside.append(len(inner))
    return levels, depths


# A document as plain values, for JSON.


def document_values(
    part_values: PartValues, options: RenderOptions, outputs: dict[str, Rendered] | None = None
) -> list[dict[str, Any]]:
    """Return the parts of a document as plain values.

    With `outputs`, each part has its XPath and its offsets in the page's source and in each output.
    """
    # From last to first: the values of what a part contains are complete before those of the part.
    document = part_values.document
    values_of: dict[Part, dict[str, Any]] = {}
    for number in range(len(part_values.order) - 1, -1, -1):
        check_time()
        part = part_values.order[number]
        values = part_values.values(number)
        own = _OWN_VALUES.get(type(part))
        if own is not None:
            values.update(own(part, options))
        contained = children(part)
        inner = [values_of.pop(child) for child in contained if child in values_of] if contained else ()
        if isinstance(part, Definition):
            terms = len(part.terms)
            values |= {"terms": inner[:terms], "details": inner[terms:]}
        elif inner:
            values["parts"] = inner
        if outputs is not None:
            location = document.locate(part)
            values["xpath"] = location.xpath
            values["source"] = [location.start, location.stop]
            values["offsets"] = {name: output.spans[part] for name, output in outputs.items() if part in output.spans}
        if not (isinstance(part, Table) and not options.tables):
            values_of[part] = values
    return [values_of[part] for part in document.parts if part in values_of]


def _figure(part: Figure, options: RenderOptions) -> dict[str, Any]:
    images = [_image(image) for image in part.images] if options.images else []
    return {"images": images, "caption": span_values(figure_caption(part, options), options)}


def _paragraph(part: Paragraph, options: RenderOptions) -> dict[str, Any]:
    spans = {"spans": span_values(part.spans, options)}
    return spans | {"verse": True} if part.verse else spans


#: What a type of part has besides the values of all parts, without what it contains.
_OWN_VALUES: Final[dict[type[Part], Callable[..., dict[str, Any]]]] = {
    Heading: lambda part, options: {"spans": span_values(part.spans, options)},
    Paragraph: _paragraph,
    List: lambda part, _: {"ordered": part.ordered} | ({"start": part.start} if part.ordered else {}),
    Item: lambda part, _: {} if part.checked is None else {"checked": part.checked},
    Row: lambda part, _: {"header": part.header},
    Cell: lambda part, _: {"header": part.header, "columns": part.columns, "rows": part.rows},
    Table: lambda part, options: {"caption": span_values(part.caption, options)},
    Code: lambda part, _: {"language": part.language},
    Quote: lambda part, _: {"cite": part.cite},
    Callout: lambda part, options: {"callout": part.type, "title": span_values(part.title, options)},
    Details: lambda part, options: {"summary": span_values(part.summary, options)},
    Figure: _figure,
    Formula: lambda part, _: {"tex": part.tex},
    Footnote: lambda part, _: {"label": part.label},
    Post: lambda part, _: {name: getattr(part, name) for name in ("author", "date", "votes", "permalink")},
}


def span_values(spans: tuple[Span, ...], options: RenderOptions) -> list[Any]:
    """Return spans as plain values: text as a string, any other span as an object.

    >>> span_values((Text("a "), Emphasis("em", (Text("b"),))), RenderOptions())
    ['a ', {'type': 'em', 'spans': ['b']}]
    """
    if len(spans) == 1 and isinstance(spans[0], Text):  # as most are
        return [spans[0].text]
    return [value for value in (_span(span, options) for span in spans) if value is not None]


def _span(span: Span, options: RenderOptions) -> "str | dict[str, Any] | None":  # noqa: PLR0911 (one case per span type)
    match span:
        case Text(text):
            return text
        case LineBreak():
            return {"type": "break"}
        case CodeSpan(text):
            return {"type": "code", "text": text}
        case FormulaSpan(tex, display):
            return {"type": "formula", "tex": tex, "display": display}
        case Ruby(base, reading):
            return {"type": "ruby", "base": base, "reading": reading}
        case Image():
            return _image(span) if options.images else None
        case Emphasis(tag, inner):
            return {"type": tag, "spans": span_values(inner, options)}
        case Link():
            values = {"type": "link", "href": options.url(span.href) if options.links or span.label else ""}
            role = {"role": span.role} if span.role else {}
            label = {"label": span.label} if span.label else {}
            return values | role | label | {"spans": span_values(span.spans, options)}


def _image(image: Image) -> dict[str, Any]:
    return {"type": "image", "src": image.src, "alt": image.alt, "width": image.width, "height": image.height}


#: Characters of JSON, as measured on hostile pages and those of the corpora: for a part without its text, for its
#: provenance, for a block, and for a row of text that is a span. Text is in a part as text, Markdown and spans.
_PART_CHARS: Final = 140
_PROVENANCE_CHARS: Final = 200
_BLOCK_CHARS: Final = 90
_SPAN_CHARS: Final = 60
_SPACED: Final = 1.2  # characters with white space for each without


def estimated_chars(content: "Content", options: RenderOptions) -> int:
    """Estimate the characters of an extraction as JSON from its document: most within a fifth, cheap to know."""
    parts, page = content.document.in_order, content.document.page
    depths = _levels_and_depths(parts)[1]
    is_written = [depth < _MAX_WHOLE_DEPTH or not children(part) for depth, part in zip(depths, parts, strict=True)]
    mask = content.selection.mask if page is content.page else page.is_text
    first, stop = _rows(content.document, captions=False)
    chars = prefix_sums(np.where(mask, page.nonspace, 0))
    in_parts = int((chars[stop] - chars[first])[is_written].sum())
    blocks = len(content.blocks)
    spans = max(0, int(np.count_nonzero(mask)) - blocks)
    structure = (_PART_CHARS + _PROVENANCE_CHARS * options.provenance) * len(parts) + _BLOCK_CHARS * blocks
    text = _SPACED * (2 * in_parts + (3 + len(options.contents)) * int(chars[-1]))
    return int(structure + text + _SPAN_CHARS * spans + len(content.url or "") * page.tag_count("a"))


#: Returns plain values as one line of JSON.
dumps_json: Final = json.JSONEncoder(ensure_ascii=False, check_circular=False).encode  # no value contains itself
#: Stands for the end of a line between two objects. No string contains it, because quotes are escaped in strings.
_LINE_END: Final = "\0line end\0"
_BETWEEN: Final = f", {dumps_json(_LINE_END)}, "
_LOCATED: Final = ("text", "markdown", "html")  #: outputs in which provenance gives the offsets of each part


def write_json(content: "Content", options: RenderOptions) -> Rendered:
    """Return an extraction as one JSON object.

    >>> import tamis
    >>> '"title": "T"' in write_json(tamis.extract("<title>T</title><p>some text"), DEFAULT).text
    True
    """
    return Rendered(json_lines(as_dict(content, options)), {})


def json_lines(values: dict[str, Any]) -> str:
    """Return JSON with a line for each value and each object of a list. Indented deeper, it would be far larger."""
    fields = []
    for name, value in values.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            with_ends = [each for item in value for each in (item, _LINE_END)]  # encoded at once, which is far faster
            text = "[\n    " + dumps_json(with_ends[:-1])[1:-1].replace(_BETWEEN, ",\n    ") + "\n  ]"
        else:
            text = dumps_json(value)
        fields.append(f"{dumps_json(name)}: {text}")
    return "{\n  " + ",\n  ".join(fields) + "\n}"


def write_json_line(content: "Content", options: RenderOptions) -> Rendered:
    """Return an extraction as one line of JSON."""
    return Rendered(dumps_json(as_dict(content, options)), {})


def render_json_lines(contents: "Iterable[tuple[Content, str | None]]", options: RenderOptions = DEFAULT) -> str:
    """Return extractions as JSON Lines, each with the name beside it as `file`."""
    records = (as_dict(content, options, file=name) for content, name in contents)
    return "".join(dumps_json(record) + "\n" for record in records)


def as_dict(content: "Content", options: RenderOptions = DEFAULT, *, file: str | None = None) -> dict[str, Any]:
    """Return an extraction as plain values, with the name of its file if there is one."""
    # Metadata and comments are values of their own, so that no output has them again.
    plain = options.replace(comments=False, with_metadata=False)
    # Text from metadata has no position in the page.
    is_located = options.provenance and content.selection.metadata_fallback is None
    facts = [fact.as_dict() for fact in content.facts]  # before Markdown, which would read some of them alone
    names = dict.fromkeys(("text", "markdown", *(_LOCATED if is_located else ()), *options.contents))
    outputs = {name: get_format(name).write(content, plain) for name in names}
    parts = PartValues(content, outputs)
    links, images = link_and_image_values(content.document, options)
    values: dict[str, Any] = {
        **({"file": file} if file is not None else {}),
        "url": content.url,
        "title": content.title,
        "extractor": content.extractor,
        "rule": content.rule,
        "page_type": content.page_type,
        "page_type_probability": _rounded(content.page_type_probability),
        "confidence": _rounded(content.confidence),
        "empty_reason": content.empty_reason,
        "encoding": content.page.encoding,
        "metadata": content.metadata.as_dict(),
        "facts": facts,
        "index_links": index_links(content.page, content.selection, content.url),
        "text": outputs["text"].text if content.empty_reason is None else "",
        **{name: outputs[name].text for name in options.contents},
        "links": links,
        "images": images,
        "blocks": _block_values(content, parts),
        "document": document_values(parts, options, outputs if is_located else None),
        "warnings": [warning.as_dict() for warning in content.warnings],
    }
    if options.max_tokens is not None:
        from tamis.render.chunks import chunk_records, content_chunks  # noqa: PLC0415 (few callers want chunks)

        chunks = content_chunks(content, options.max_tokens, options=plain, overlap=options.overlap)
        values["chunks"] = chunk_records(chunks)
    posts = comment_threads(content.document)
    if posts:
        values["posts"] = [post.as_dict() for post in posts]
    if options.comments:
        values["comments"] = [comment.as_dict() for comment in content.comments]
    return values


def _block_values(content: "Content", parts: PartValues) -> list[dict[str, Any]]:
    part_ids = parts.part_of_blocks(len(content.blocks))
    return [
        {
            "text": block.text,
            "tag": block.tag,
            "score": _rounded(block.score),
            "reason": block.reason,
            "part": part_ids[number],
        }
        for number, block in enumerate(content.blocks)
    ]


def _rounded(value: float | None) -> float | None:
    """Return a number with six decimals, which are the same on every machine."""
    return None if value is None else round(value, 6)
