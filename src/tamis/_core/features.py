"""Fill the columns of the feature matrix, block by block.

A page has a few hundred blocks. An array operation on so few costs more to call than to compute, and there are some
fifty features: one loop over the blocks is several times faster.

A *branch point* is an element that contains fewer blocks than its parent. The levels of a block are the branch points
above it, from the innermost outwards: wrappers that add no block are skipped, so the same content has the same
features however deep it is wrapped.

Repeated structures are counted in open-addressing hash tables of C numbers: a dictionary would create an object for
each number.
"""

from array import array
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from tamis._core import enums
from tamis._core import shadow as cython
from tamis.html import characters, tags

if TYPE_CHECKING:
    from numpy import float32, int32, uint8
    from numpy.typing import NDArray

    from tamis._core.blocks import Columns
    from tamis._core.names import Names

    Ints = NDArray[int32]
    Floats = NDArray[float32]
    Bytes = NDArray[uint8]

cython.declare(
    ALPHABETIC="double", IDEOGRAPHIC="double", LONG_BLOCK="double", MIN_TEMPLATE="double", MAX_ANCESTORS="float",
    _ELEMENT="int", NEAR_BLOCKS="int", MAX_DISTANCE="int", MAX_LABEL="int", QUOTE="int", _MAX_ARTICLES="int",
    _BODY_DEPTH="int", _P="int", _DIV="int", _H1="int", _ARTICLE="int", _COUNTED_TAGS="bytes", _HEADING_LEVEL="bytes",
    _CLASSES="int", _WIDE="int", _STOP="int", _COMMA="int", _PUNCTUATION="int", _DIGIT="int", _UPPER="int",
    _SYMBOL="int", _LINK="int", _BREAK="int", _IMAGE="int", _FIELD="int", _BOLD="int", _ROLES_OF_TAG="bytes",
    LEVELS="int", _IS_PARAGRAPH="bytes", _DRAWS_NOTHING="bytes", _TAG_COUNT="unsigned long long",
    _MAX_SIGNATURES="unsigned long long", _SEED="unsigned long long", _PRIME="unsigned long long",
    _MASK_64="unsigned long long", _MIX="unsigned long long", _GRAM="int", _GRAM_SLOTS="int", _MASK_32="unsigned int",
    _MIX_32="unsigned int",
)  # fmt: skip

#: Characters per word, roughly: alphabetic scripts without the space, and Chinese, Japanese and Korean.
ALPHABETIC, IDEOGRAPHIC = 5.0, 1.7
LONG_BLOCK: Final = 30  #: a block above this size counts as long
MIN_TEMPLATE: Final = 5  #: a template with at least this many blocks repeats
NEAR_BLOCKS: Final = 4  #: an ancestor with at most this many blocks is near; a larger one is far
#: Ancestors of one tag or name category are counted up to this number: more say no more.
MAX_ANCESTORS: Final = 2.0
#: The longest text, in characters, that repeats are counted of: longer texts hardly ever repeat.
MAX_LABEL: Final = 60
#: Characters of a block's beginning or end that are looked for in the metadata and in earlier blocks.
QUOTE: Final = 32
MAX_DISTANCE: Final = 60  #: distances to a heading are cut off at this many blocks
_MAX_ARTICLES: Final = 200  #: article elements that are looked at: a page of more is a list whatever they contain
_BODY_DEPTH: Final = 2  #: below the document and the html element
_P, _DIV, _H1, _ARTICLE = tags.IDS["p"], tags.IDS["div"], tags.IDS["h1"], tags.IDS["article"]
#: Features that count the elements of a tag on the page.
_COUNTED: Final = {
    "page_h2": "h2", "page_images": "img", "page_forms": "form", "page_list_items": "li", "page_cells": "td",
    "page_h3": "h3", "page_articles": "article", "page_times": "time", "page_code": "pre",
}  # fmt: skip
_COUNTED_TAGS: Final = bytes(tags.IDS[name] for name in _COUNTED.values())
_HEADING_LEVEL: Final = bytes(int(name[1]) if tags.HEADING[tag] else 0 for tag, name in enumerate(tags.NAMES))
_ELEMENT: Final = enums.ELEMENT
_CLASSES: Final = characters.CLASSES
_WIDE, _STOP, _COMMA, _PUNCTUATION = characters.WIDE, characters.STOP, characters.COMMA, characters.PUNCTUATION
_DIGIT, _UPPER, _SYMBOL = characters.DIGIT, characters.UPPER, characters.SYMBOL
# The roles of a tag, one bit each.
_LINK, _BREAK, _IMAGE, _FIELD, _BOLD = 1, 2, 4, 8, 16
_ROLES: Final = {
    _LINK: "a",
    _BREAK: "br",
    _IMAGE: "img",
    _FIELD: "input button select textarea label option",
    _BOLD: "b strong",
}
_ROLES_OF_TAG: Final = bytes(
    sum(bit for bit, names in _ROLES.items() if name in names.split()) for name in tags.NAMES
)


@cython.cclass
class TextColumns:
    """The columns that `fill_text` fills, looked up by their names in the feature schema."""

    size = cython.declare("int", visibility="readonly")
    words = cython.declare("int", visibility="readonly")
    text_nodes = cython.declare("int", visibility="readonly")
    links = cython.declare("int", visibility="readonly")
    line_breaks = cython.declare("int", visibility="readonly")
    images = cython.declare("int", visibility="readonly")
    form_fields = cython.declare("int", visibility="readonly")
    link_share = cython.declare("int", visibility="readonly")
    stop_rate = cython.declare("int", visibility="readonly")
    comma_rate = cython.declare("int", visibility="readonly")
    punctuation_share = cython.declare("int", visibility="readonly")
    digit_share = cython.declare("int", visibility="readonly")
    uppercase_share = cython.declare("int", visibility="readonly")
    symbol_share = cython.declare("int", visibility="readonly")
    ideograph_share = cython.declare("int", visibility="readonly")
    word_length = cython.declare("int", visibility="readonly")
    starts_uppercase = cython.declare("int", visibility="readonly")
    starts_digit = cython.declare("int", visibility="readonly")
    starts_punctuation = cython.declare("int", visibility="readonly")
    ends_stop = cython.declare("int", visibility="readonly")
    ends_punctuation = cython.declare("int", visibility="readonly")
    all_links = cython.declare("int", visibility="readonly")
    is_short = cython.declare("int", visibility="readonly")
    bold_share = cython.declare("int", visibility="readonly")

    def __init__(self, column: Mapping[str, int]) -> None:
        self.size = column["size"]
        self.words = column["words"]
        self.text_nodes = column["text_nodes"]
        self.links = column["links"]
        self.line_breaks = column["line_breaks"]
        self.images = column["images"]
        self.form_fields = column["form_fields"]
        self.link_share = column["link_share"]
        self.stop_rate = column["stop_rate"]
        self.comma_rate = column["comma_rate"]
        self.punctuation_share = column["punctuation_share"]
        self.digit_share = column["digit_share"]
        self.uppercase_share = column["uppercase_share"]
        self.symbol_share = column["symbol_share"]
        self.ideograph_share = column["ideograph_share"]
        self.word_length = column["word_length"]
        self.starts_uppercase = column["starts_uppercase"]
        self.starts_digit = column["starts_digit"]
        self.starts_punctuation = column["starts_punctuation"]
        self.ends_stop = column["ends_stop"]
        self.ends_punctuation = column["ends_punctuation"]
        self.all_links = column["all_links"]
        self.is_short = column["is_short"]
        self.bold_share = column["bold_share"]


@cython.cclass
class PositionColumns:
    """The columns that `fill_positions` fills, looked up by their names in the feature schema."""

    size_since_heading = cython.declare("int", visibility="readonly")
    size_since_title = cython.declare("int", visibility="readonly")
    block_position = cython.declare("int", visibility="readonly")
    text_position = cython.declare("int", visibility="readonly")
    heading_level = cython.declare("int", visibility="readonly")
    has_h1 = cython.declare("int", visibility="readonly")
    after_h1 = cython.declare("int", visibility="readonly")
    h1_distance = cython.declare("int", visibility="readonly")
    title_match = cython.declare("int", visibility="readonly")
    best_title_match = cython.declare("int", visibility="readonly")
    after_title = cython.declare("int", visibility="readonly")
    title_distance = cython.declare("int", visibility="readonly")
    heading_title_match = cython.declare("int", visibility="readonly")
    heading_link_share = cython.declare("int", visibility="readonly")
    link_share = cython.declare("int", visibility="readonly")

    def __init__(self, column: Mapping[str, int]) -> None:
        self.size_since_heading = column["size_since_heading"]
        self.size_since_title = column["size_since_title"]
        self.block_position = column["block_position"]
        self.text_position = column["text_position"]
        self.heading_level = column["heading_level"]
        self.has_h1 = column["has_h1"]
        self.after_h1 = column["after_h1"]
        self.h1_distance = column["h1_distance"]
        self.title_match = column["title_match"]
        self.best_title_match = column["best_title_match"]
        self.after_title = column["after_title"]
        self.title_distance = column["title_distance"]
        self.heading_title_match = column["heading_title_match"]
        self.heading_link_share = column["heading_link_share"]
        self.link_share = column["link_share"]


@cython.cclass
class _BlockSums:
    """What is summed for each block: its size, its characters without white space, those in links, sentence ends."""

    size = cython.declare("float[::1]", visibility="readonly")
    nonspace = cython.declare("float[::1]", visibility="readonly")
    linked = cython.declare("float[::1]", visibility="readonly")
    stops = cython.declare("float[::1]", visibility="readonly")
    heading_level = cython.declare("unsigned char[::1]", visibility="readonly")

    def __init__(self, count: int) -> None:
        self.size, self.nonspace = array("f", bytes(4 * count)), array("f", bytes(4 * count))
        self.linked, self.stops = array("f", bytes(4 * count)), array("f", bytes(4 * count))
        self.heading_level = bytearray(count)  # 1 to 6 for headings, else 0


@cython.cfunc
@cython.nogil
@cython.returns("void")
@cython.exceptval(check=False)
@cython.locals(
    out="float[:, ::1]", columns="TextColumns", page="Columns", sums="_BlockSums", start="int[::1]", stop="int[::1]",
    text_rows="int[::1]", first="int[::1]", by_class="int[:, ::1]", words_of="int[::1]", nonspace_of="int[::1]",
    first_class="unsigned char[::1]", last_class="unsigned char[::1]", tag="unsigned char[::1]", parent="int[::1]",
    link="unsigned char[::1]", count="int", block="int", char_class="int", low="int", high="int", words="int",
    chars="int", linked="int", bold="int", k="int", row="int", links="int", breaks="int", images="int", fields="int",
    opening="int", roles="int", wide="int", begins="int", ends="int", size="double", nonspace="double",
    counts="int[::1]",
)  # fmt: skip
def _fill_text(  # noqa: PLR0915 (one loop, compiled: a line per feature)
    out: "Floats",
    columns: TextColumns,
    page: "Columns",
    sums: _BlockSums,
    counts: Any,  # noqa: ANN401 (an array)
) -> None:
    """Fill in what the text of each block is like, and its sums; `counts` is room for a number of each class."""
    start, stop, text_rows, first = page.start, page.stop, page.text_rows, page.first
    by_class, words_of, nonspace_of = page.by_class, page.words, page.nonspace
    first_class, last_class = page.first_class, page.last_class
    tag, parent, link = page.tag, page.parent, page.link
    count = len(start)
    for block in range(count):
        for char_class in range(_CLASSES):
            counts[char_class] = 0
        low = first[block]
        high = first[block + 1] if block + 1 < count else len(text_rows)
        words = chars = linked = bold = 0
        for k in range(low, high):
            row = text_rows[k]
            for char_class in range(_CLASSES):
                counts[char_class] += by_class[row, char_class]
            words += words_of[row]
            chars += nonspace_of[row]
            if link[row]:
                linked += nonspace_of[row]
            if _ROLES_OF_TAG[tag[parent[row]]] & _BOLD:
                bold += nonspace_of[row]
        links = breaks = images = fields = 0
        opening = start[block] - 1  # the element that opens right before the text counts too
        for row in range(max(0, opening), stop[block]):
            roles = _ROLES_OF_TAG[tag[row]]
            if roles:
                links += roles & _LINK != 0
                breaks += roles & _BREAK != 0
                images += roles & _IMAGE != 0
                fields += roles & _FIELD != 0
        wide = counts[_WIDE]
        size = (chars - wide) / ALPHABETIC + wide / IDEOGRAPHIC
        sums.size[block], sums.nonspace[block], sums.linked[block] = size, chars, linked
        sums.stops[block], sums.heading_level[block] = counts[_STOP], _HEADING_LEVEL[tag[page.container[block]]]
        begins, ends = first_class[text_rows[low]], last_class[text_rows[high - 1]]
        nonspace = chars + 0.0
        out[columns.size, block] = size
        out[columns.words, block] = words
        out[columns.text_nodes, block] = high - low
        out[columns.links, block] = links
        out[columns.line_breaks, block] = breaks
        out[columns.images, block] = images
        out[columns.form_fields, block] = fields
        out[columns.link_share, block] = linked / nonspace
        out[columns.stop_rate, block] = counts[_STOP] / (size + 1)
        out[columns.comma_rate, block] = counts[_COMMA] / (size + 1)
        out[columns.punctuation_share, block] = counts[_PUNCTUATION] / nonspace
        out[columns.digit_share, block] = counts[_DIGIT] / nonspace
        out[columns.uppercase_share, block] = counts[_UPPER] / nonspace
        out[columns.symbol_share, block] = counts[_SYMBOL] / nonspace
        out[columns.ideograph_share, block] = wide / nonspace
        out[columns.word_length, block] = min(nonspace / (words or 1), 30.0)
        out[columns.starts_uppercase, block] = begins == _UPPER
        out[columns.starts_digit, block] = begins == _DIGIT
        out[columns.starts_punctuation, block] = begins >= _STOP
        out[columns.ends_stop, block] = ends == _STOP
        out[columns.ends_punctuation, block] = ends > _STOP
        out[columns.all_links, block] = linked >= 0.9 * nonspace  # a link and the punctuation around it
        out[columns.is_short, block] = size < 4  # noqa: PLR2004 (words)
        out[columns.bold_share, block] = bold / nonspace


@cython.cfunc
@cython.nogil
@cython.returns("void")
@cython.exceptval(check=False)
@cython.locals(
    out="float[:, ::1]", columns="FeatureColumns", page="Columns", names="Names", container_column="int[::1]",
    ancestor_column="int[::1]", near_column="int[::1]", far_column="int[::1]", tag="unsigned char[::1]",
    first_block="int[::1]", last_block="int[::1]", container="int[::1]", named="int[::1]", name_of="int[::1]",
    first="int[::1]", categories="int[::1]", blocks="int", used="unsigned char[::1]", block="int", column="int",
    row="int", size="int", k="int", name="int", place="int", category="int", count="float",
)  # fmt: skip
def _fill_ancestors(  # noqa: C901 (three loops, compiled)
    out: "Floats",
    columns: "FeatureColumns",
    page: "Columns",
    names: "Names",
    used: Any,  # noqa: ANN401 (an array of bytes)
) -> None:
    """Mark the container of each block, and count its ancestors by tag and by the categories of their names.

    An element contains a range of blocks: it adds 1 where the range begins and subtracts 1 where it ends. A running
    sum along the blocks then counts the ancestors of each.

    Args:
        out: the feature matrix, transposed, zero in these columns.
        columns: the columns to fill.
        page: the page.
        names: the names of its elements.
        used: a byte for each feature, zero before.
    """
    container_column, ancestor_column = columns.of_container, columns.of_ancestor
    near_column, far_column = columns.of_near, columns.of_far
    tag, first_block, last_block, container = page.tag, page.first_block, page.last_block, page.container
    named, name_of, first, categories = names.named, names.name_of, names.first, names.categories
    blocks = out.shape[1]
    for block in range(blocks):
        column = container_column[tag[container[block]]]
        if column >= 0:
            out[column, block] = 1
    for row in range(len(tag)):
        column = ancestor_column[tag[row]]
        if column >= 0 and last_block[row] > first_block[row]:
            used[column] = 1
            out[column, first_block[row]] += 1
            if last_block[row] < blocks:
                out[column, last_block[row]] -= 1
    for k in range(len(named)):
        row = named[k]
        size = last_block[row] - first_block[row]
        if size <= 0:
            continue
        name = name_of[k]
        for place in range(first[name], first[name + 1]):
            category = categories[place]
            column = near_column[category] if size <= NEAR_BLOCKS else far_column[category]
            used[column] = 1
            out[column, first_block[row]] += 1
            if last_block[row] < blocks:
                out[column, last_block[row]] -= 1
    for column in range(len(used)):
        if used[column]:
            count = 0.0
            for block in range(blocks):
                count += out[column, block]
                out[column, block] = min(count, MAX_ANCESTORS)


@cython.cfunc
@cython.nogil
@cython.returns("void")
@cython.exceptval(check=False)
@cython.locals(
    out="float[:, ::1]", columns="PositionColumns", sums="_BlockSums", sizes="float[::1]", level="unsigned char[::1]",
    match="const float[::1]", count="int", block="int", h1="int", title="int", heading="int",
    total="double", before="double", best="double", at_heading="double", at_title="double", heading_match="double",
    heading_links="double",
)  # fmt: skip
def _fill_positions(out: "Floats", columns: PositionColumns, sums: _BlockSums, match: "Floats") -> None:
    """Fill in where each block is on the page, and where it is relative to headings and the title.

    Args:
        out: the feature matrix, transposed.
        columns: the columns to fill.
        sums: the sums and heading levels of the blocks.
        match: how much of the title each block repeats.
    """
    sizes, level = sums.size, sums.heading_level
    count = len(sizes)
    total = before = best = at_heading = at_title = heading_match = heading_links = 0.0
    h1 = title = heading = -1
    for block in range(count):
        total += float(sizes[block])
        if h1 < 0 and level[block] == 1:
            h1 = block
        if match[block] > best:
            best = match[block]
            title = block
    for block in range(count):
        if level[block]:
            heading = level[block]
            at_heading = before
            heading_match = match[block]
            heading_links = out[columns.link_share, block]
        if block == title:
            at_title = before
        out[columns.size_since_heading, block] = before - at_heading
        out[columns.size_since_title, block] = before - at_title if title < 0 or block > title else 0.0
        out[columns.block_position, block] = block / (count + 0.0)
        out[columns.text_position, block] = before / max(total, 1.0)
        out[columns.heading_level, block] = max(0, heading)
        out[columns.has_h1, block] = h1 >= 0
        out[columns.after_h1, block] = 0 <= h1 < block
        out[columns.h1_distance, block] = max(min(block - h1, MAX_DISTANCE), -MAX_DISTANCE) if h1 >= 0 else 0
        out[columns.title_match, block] = match[block]
        out[columns.best_title_match, block] = best
        out[columns.after_title, block] = 0 <= title < block
        out[columns.title_distance, block] = max(min(block - title, MAX_DISTANCE), -MAX_DISTANCE) if title >= 0 else 0
        out[columns.heading_title_match, block] = heading_match
        out[columns.heading_link_share, block] = heading_links
        before += float(sizes[block])


@cython.cfunc
@cython.nogil
@cython.returns("void")
@cython.exceptval(check=False)
@cython.locals(
    out="float[:, ::1]", columns="FeatureColumns", page="Columns", sums="_BlockSums", level="unsigned char[::1]",
    size="float[::1]", nonspace="float[::1]", linked="float[::1]", stops="float[::1]", tag="unsigned char[::1]",
    container="int[::1]", counts="int[::1]", count="int", row="int", k="int", total="double", chars="double",
    link_chars="double", ends="double", in_paragraphs="double", in_long="double", in_templates="double", own="double",
    linked_headings="int", block="int",
)  # fmt: skip
def _fill_page(
    out: "Floats",
    columns: "FeatureColumns",
    page: "Columns",
    sums: _BlockSums,
    counts: Any,  # noqa: ANN401 (an array)
) -> None:
    """Fill the columns of page features, which have the same value for each block.

    Args:
        out: the feature matrix, transposed; the columns of text and templates are there.
        columns: the columns to fill.
        page: the page.
        sums: the sums and heading levels of the blocks.
        counts: room for a number of each tag, zero before.
    """
    size, nonspace, linked, stops, level = sums.size, sums.nonspace, sums.linked, sums.stops, sums.heading_level
    tag, container = page.tag, page.container
    count = len(size)
    total = chars = link_chars = ends = in_paragraphs = in_long = in_templates = 0.0
    linked_headings = 0
    for block in range(count):
        own = float(size[block])
        total += own
        chars += float(nonspace[block])
        link_chars += float(linked[block])
        ends += float(stops[block])
        if tag[container[block]] == _P:
            in_paragraphs += own
        if own > LONG_BLOCK:
            in_long += own
        if out[columns.template_blocks, block] >= MIN_TEMPLATE:
            in_templates += own
        if level[block] and out[columns.text.all_links, block] > 0:
            linked_headings += 1
    total = max(total, 1.0)
    for row in range(len(tag)):
        counts[tag[row]] += 1
    for k in range(len(columns.counted)):
        for block in range(count):
            out[columns.counted[k], block] = counts[_COUNTED_TAGS[k]]
    for block in range(count):
        out[columns.page_blocks, block] = count
        out[columns.page_size, block] = total
        out[columns.page_linked_headings, block] = linked_headings
        out[columns.page_prices, block] = page.currency_count
        out[columns.page_h1, block] = min(counts[_H1], 3)
        out[columns.page_link_share, block] = link_chars / chars
        out[columns.page_paragraph_share, block] = in_paragraphs / total
        out[columns.page_stop_rate, block] = ends / total
        out[columns.page_long_share, block] = in_long / total
        out[columns.page_template_share, block] = in_templates / total


@cython.cfunc
@cython.nogil
@cython.returns("void")
@cython.exceptval(check=False)
@cython.locals(
    out="float[:, ::1]", columns="FeatureColumns", page="Columns", size_of="float[::1]", tag="unsigned char[::1]",
    first_block="int[::1]", last_block="int[::1]", count="int", articles="int", before="double[::1]",
    innermost="int[::1]", sizes="double[::1]", largest="double", row="int", block="int",
)  # fmt: skip
def _fill_articles(
    out: "Floats",
    columns: "FeatureColumns",
    page: "Columns",
    size_of: Any,  # noqa: ANN401 (arrays)
    before: Any,  # noqa: ANN401
    innermost: Any,  # noqa: ANN401
    sizes: Any,  # noqa: ANN401
) -> None:
    """Fill the columns of ``article`` elements, which are zero before. A page of teasers has several of one size.

    There is room for sums before each block, the number of the innermost article around each block, from 1, and the
    sizes of the articles.
    """
    tag, first_block, last_block = page.tag, page.first_block, page.last_block
    count = len(size_of)
    articles = 0
    largest = 1.0
    for row in range(len(tag)):
        if tag[row] == _ARTICLE:
            if articles == _MAX_ARTICLES:
                break
            if articles == 0:
                for block in range(count):
                    before[block + 1] = before[block] + float(size_of[block])
            articles += 1
            sizes[articles] = before[last_block[row]] - before[first_block[row]]
            largest = max(largest, sizes[articles])
            for block in range(first_block[row], last_block[row]):
                innermost[block] = articles
    if articles:
        for block in range(count):
            if innermost[block]:
                out[columns.article_share, block] = sizes[innermost[block]] / largest
                out[columns.article_number, block] = innermost[block]


LEVELS: Final = 5  #: levels of branch points above each block
_IS_PARAGRAPH: Final = tags.tag_mask("p blockquote pre").tobytes()
#: Elements that draw nothing. They are not counted: a script among paragraphs changes no feature.
_DRAWS_NOTHING: Final = tags.tag_mask("script style template link meta base").tobytes()


@cython.cclass
class LevelColumns:
    """The columns that `fill_levels` fills, looked up by their names: those of level 0. The other levels follow."""

    size = cython.declare("int", visibility="readonly")
    blocks = cython.declare("int", visibility="readonly")
    mean_size = cython.declare("int", visibility="readonly")
    density = cython.declare("int", visibility="readonly")
    similar_siblings = cython.declare("int", visibility="readonly")
    share_of_page = cython.declare("int", visibility="readonly")
    link_share = cython.declare("int", visibility="readonly")
    stop_rate = cython.declare("int", visibility="readonly")
    position = cython.declare("int", visibility="readonly")
    paragraph_share = cython.declare("int", visibility="readonly")

    def __init__(self, column: Mapping[str, int]) -> None:
        self.size = column["size@0"]
        self.blocks = column["blocks@0"]
        self.mean_size = column["mean_size@0"]
        self.density = column["density@0"]
        self.similar_siblings = column["similar_siblings@0"]
        self.share_of_page = column["share_of_page@0"]
        self.link_share = column["link_share@0"]
        self.stop_rate = column["stop_rate@0"]
        self.position = column["position@0"]
        self.paragraph_share = column["paragraph_share@0"]


@cython.cclass
class ProseColumns:
    """The columns that `fill_prose` fills, looked up by their names in the feature schema."""

    blocks_before_prose = cython.declare("int", visibility="readonly")
    blocks_after_prose = cython.declare("int", visibility="readonly")
    in_prose = cython.declare("int", visibility="readonly")
    levels_to_prose = cython.declare("int", visibility="readonly")
    prose_share = cython.declare("int", visibility="readonly")

    def __init__(self, column: Mapping[str, int]) -> None:
        self.blocks_before_prose = column["blocks_before_prose"]
        self.blocks_after_prose = column["blocks_after_prose"]
        self.in_prose = column["in_prose"]
        self.levels_to_prose = column["levels_to_prose"]
        self.prose_share = column["prose_share"]


@cython.cclass
class _Levels:
    """The branch points of a page, and the elements before each of its rows.

    Attributes:
        branch_point: the innermost branch point at or above each row.
        is_branch_point: which rows are one.
        count: how many are.
        elements_before: the elements before each row. Those that draw nothing are not counted.
        similar_siblings: how many siblings of each branch point are one and have its tag and class.
        rows: the branch points above each block, levels by blocks.
    """

    branch_point = cython.declare("int[::1]", visibility="readonly")
    is_branch_point = cython.declare("unsigned char[::1]", visibility="readonly")
    count = cython.declare("int", visibility="readonly")
    elements_before = cython.declare("int[::1]", visibility="readonly")
    similar_siblings = cython.declare("int[::1]", visibility="readonly")
    rows = cython.declare("int[::1]", visibility="readonly")

    def __init__(self, rows: int, blocks: int) -> None:
        self.branch_point, self.elements_before = array("i", bytes(4 * rows)), array("i", bytes(4 * rows + 4))
        self.is_branch_point, self.similar_siblings = bytearray(rows), array("i", bytes(4 * rows))
        self.rows, self.count = array("i", bytes(4 * LEVELS * blocks)), 0


@cython.cfunc
@cython.nogil
@cython.returns("void")
@cython.exceptval(check=False)
@cython.locals(
    page="Columns", body="int", levels="_Levels", parent="int[::1]", end="int[::1]", first_block="int[::1]",
    node_type="unsigned char[::1]", tag="unsigned char[::1]", rows="int", row="int", above="int", blocks="int",
    branch_point="int[::1]", elements_before="int[::1]", is_branch_point="unsigned char[::1]",
)  # fmt: skip
def _find_branch_points(page: "Columns", body: int, levels: _Levels) -> None:
    """Find the branch points. The body always is one; rows below no other belong to it."""
    branch_point, elements_before, is_branch_point = (
        levels.branch_point, levels.elements_before, levels.is_branch_point
    )  # fmt: skip
    parent, end, first_block, node_type, tag = page.parent, page.end, page.first_block, page.node_type, page.tag
    rows = len(parent)
    for row in range(rows):
        elements_before[row + 1] = elements_before[row] + (
            1 if node_type[row] == _ELEMENT and not _DRAWS_NOTHING[tag[row]] else 0
        )
        if row <= body:
            branch_point[row] = body
            if row == body:
                is_branch_point[row] = 1
                levels.count += 1
            continue
        above = parent[row]
        blocks = first_block[end[row]] - first_block[row]
        if node_type[row] == _ELEMENT and blocks > 0 and first_block[end[above]] - first_block[above] > blocks:
            branch_point[row] = row
            is_branch_point[row] = 1
            levels.count += 1
        else:
            branch_point[row] = branch_point[above] if above > body else body


@cython.cfunc
@cython.nogil
@cython.returns("void")
@cython.exceptval(check=False)
@cython.locals(
    out="float[:, ::1]", columns="LevelColumns", page="Columns", levels="_Levels", of_block="_BlockSums", body="int",
    sums="double[::1]", branch_point="int[::1]", elements_before="int[::1]", similar_siblings="int[::1]",
    tag="unsigned char[::1]", parent="int[::1]", end="int[::1]", first_block="int[::1]", container="int[::1]",
    size_of="float[::1]", nonspace_of="float[::1]", linked_of="float[::1]", stops_of="float[::1]", count="int",
    block="int", k="int", level_rows="int[::1]", total="double", row="int", level="int", above="int", first="int",
    last="int", blocks="int", low="int", high="int", size="double", nonspace="double", linked="double",
    stops="double", paragraphs="double", elements="int",
)  # fmt: skip
def _fill_levels(
    out: "Floats",
    columns: LevelColumns,
    page: "Columns",
    levels: _Levels,
    of_block: _BlockSums,
    sums: Any,  # noqa: ANN401 (an array)
    body: int,
) -> None:
    """Fill in the totals of the branch points above each block, and find their rows.

    Args:
        out: the feature matrix, transposed.
        columns: the columns to fill.
        page: the page.
        levels: the branch points.
        of_block: the sums of the blocks.
        sums: room for five numbers before each block.
        body: the row of the body, the highest level.
    """
    tag, parent, end, first_block, container = page.tag, page.parent, page.end, page.first_block, page.container
    branch_point, elements_before, similar_siblings, level_rows = (
        levels.branch_point, levels.elements_before, levels.similar_siblings, levels.rows
    )  # fmt: skip
    size_of, nonspace_of, linked_of, stops_of = of_block.size, of_block.nonspace, of_block.linked, of_block.stops
    count = len(container)
    for block in range(count):
        k = 5 * block
        sums[k + 5] = sums[k] + float(size_of[block])
        sums[k + 6] = sums[k + 1] + float(nonspace_of[block])
        sums[k + 7] = sums[k + 2] + float(linked_of[block])
        sums[k + 8] = sums[k + 3] + float(stops_of[block])
        sums[k + 9] = sums[k + 4] + (float(size_of[block]) if _IS_PARAGRAPH[tag[container[block]]] else 0.0)
    total = max(sums[5 * count], 1.0)
    for block in range(count):
        row = branch_point[container[block]]
        for level in range(LEVELS):
            if level:
                above = parent[row]
                row = branch_point[max(body, above)]
            level_rows[level * count + block] = row
            first, last = first_block[row], first_block[end[row]]
            blocks = last - first if last > first else 1
            low, high = 5 * first, 5 * last
            size = sums[high] - sums[low]
            nonspace = sums[high + 1] - sums[low + 1]
            linked = sums[high + 2] - sums[low + 2]
            stops = sums[high + 3] - sums[low + 3]
            paragraphs = sums[high + 4] - sums[low + 4]
            elements = elements_before[end[row]] - elements_before[row]
            out[columns.size + level, block] = size
            out[columns.blocks + level, block] = blocks
            out[columns.mean_size + level, block] = size / blocks
            out[columns.density + level, block] = nonspace / (max(1, elements))
            out[columns.similar_siblings + level, block] = similar_siblings[row]
            out[columns.share_of_page + level, block] = size / total
            out[columns.link_share + level, block] = linked / max(nonspace, 1.0)
            out[columns.stop_rate + level, block] = stops / (size + 1)
            out[columns.position + level, block] = (block - first) / (blocks + 0.0)
            out[columns.paragraph_share + level, block] = paragraphs / max(size, 1.0)


@cython.cfunc
@cython.nogil
@cython.returns("void")
@cython.exceptval(check=False)
@cython.locals(
    out="float[:, ::1]", columns="ProseColumns", page="Columns", levels="_Levels", sums="_BlockSums",
    level_rows="int[::1]", end="int[::1]", first_block="int[::1]", size_of="float[::1]", nonspace_of="float[::1]",
    linked_of="float[::1]", stops_of="float[::1]", count="int", score="double[::1]", prose="double[::1]",
    total="double", share="double", highest="double", main="int", block="int", k="int", row="int", first="int",
    last="int", stop="int", level="int",
)  # fmt: skip
def _fill_prose(
    out: "Floats",
    columns: ProseColumns,
    page: "Columns",
    levels: _Levels,
    sums: _BlockSums,
    score: Any,  # noqa: ANN401 (arrays)
    prose: Any,  # noqa: ANN401
) -> None:
    """Fill in where each block is relative to the element with the most prose.

    That element is found as article readers do it: each block with a sentence end adds its size outside links to the
    score of its branch point at level 1, and half of that to the one at level 2. The highest score wins.

    Args:
        out: the feature matrix, transposed.
        columns: the columns to fill.
        page: the page.
        levels: the branch points above each block.
        sums: the sums of the blocks.
        score: room for a number of each row, zero before.
        prose: the same for each block.
    """
    end, first_block, level_rows = page.end, page.first_block, levels.rows
    size_of, nonspace_of, linked_of, stops_of = sums.size, sums.nonspace, sums.linked, sums.stops
    count = len(size_of)
    total = share = highest = 0.0
    main = level_rows[count]
    for block in range(count):
        if stops_of[block] > 0:
            prose[block] = float(size_of[block]) * (1.0 - float(linked_of[block] / nonspace_of[block]))
            total += prose[block]
            score[level_rows[count + block]] += prose[block]
            score[level_rows[2 * count + block]] += 0.5 * prose[block]
    for k in range(count, 3 * count):
        row = level_rows[k]
        if score[row] > highest or (score[row] == highest and row < main):
            highest = score[row]
            main = row
    first, last, stop = first_block[main], first_block[end[main]], end[main]
    for block in range(first, last):
        share += prose[block]
    share /= max(total, 1.0)
    for block in range(count):
        level = 0
        while level < LEVELS:
            row = level_rows[level * count + block]
            if row <= main and end[row] >= stop:
                break
            level += 1
        out[columns.blocks_before_prose, block] = first - block if first > block else 0
        out[columns.blocks_after_prose, block] = block - last + 1 if block >= last else 0
        out[columns.in_prose, block] = first <= block < last
        out[columns.levels_to_prose, block] = level
        out[columns.prose_share, block] = share


_TAG_COUNT: Final = len(tags.NAMES)
_MAX_SIGNATURES: Final = 1 << 24  # more than a page has: a signature is one of its classes and a tag
_SEED, _PRIME, _MASK_64, _MIX = enums.SEED, enums.PRIME, enums.MASK_64, enums.MIX
_GRAM: Final = 4  # characters of an n-gram
_GRAM_SLOTS: Final = 1 << 14  # the metadata of a page has a few thousand n-grams
_MASK_32, _MIX_32 = 0xFFFFFFFF, enums.MIX_32  # the upper 14 of 32 bits are the slot


@cython.cfunc
@cython.returns("int")
@cython.exceptval(check=False)
@cython.locals(count="int", mask="int")
def _mask_for(count: int) -> int:
    """Return the last slot of a table for `count` keys, at most half full. All bits of it are set.

    >>> _mask_for(3), _mask_for(20)
    (15, 63)
    """
    mask = 15
    while mask < 2 * count:
        mask = 2 * mask + 1
    return mask


@cython.cfunc
@cython.nogil
@cython.returns("int")
@cython.exceptval(check=False)
@cython.locals(keys="unsigned long long[::1]", key="unsigned long long", mask="int", slot="int")
def _slot_for(keys: Any, key: int, mask: int) -> int:  # noqa: ANN401 (an array)
    """Return the slot of a positive key in a table; insert the key where it is missing.

    >>> table = array("Q", bytes(8 * 16))
    >>> _slot_for(table, 7, 15) == _slot_for(table, 7, 15) != _slot_for(table, 8, 15)
    True
    """
    slot = (key * _MIX) >> 32 & mask
    while keys[slot] != 0 and keys[slot] != key:
        slot = (slot + 1) & mask
    keys[slot] = key
    return slot


@cython.cfunc
@cython.nogil
@cython.returns("unsigned long long")
@cython.exceptval(check=False)
@cython.locals(
    class_ids="int[::1]", tag="unsigned char[::1]", row="int", class_id="unsigned long long",
    tag_id="unsigned long long",
)  # fmt: skip
def _signature(class_ids: "Ints", tag: "Bytes", row: int) -> int:
    """Return a number for the class and the tag of a row; 0 for no row (-1)."""
    if row < 0:
        return 0
    class_id, tag_id = int(class_ids[row]), int(tag[row])
    return class_id * _TAG_COUNT + tag_id


@cython.cfunc
@cython.nogil
@cython.returns("void")
@cython.exceptval(check=False)
@cython.locals(
    page="Columns", levels="_Levels", is_branch_point="unsigned char[::1]", parent="int[::1]", class_ids="int[::1]",
    tag="unsigned char[::1]", rows="int", row="int", key="unsigned long long", slot="int", mask="int",
    out="int[::1]", members="int[::1]", keys="unsigned long long[::1]",
)  # fmt: skip
def _count_similar_siblings(
    page: "Columns",
    levels: _Levels,
    keys: Any,  # noqa: ANN401 (arrays)
    members: Any,  # noqa: ANN401
) -> None:
    """Count for each branch point the sibling branch points with the same tag and class: list items, forum posts.

    The arrays are a hash table, zero before.
    """
    parent, class_ids, tag = page.parent, page.class_ids, page.tag
    is_branch_point, out = levels.is_branch_point, levels.similar_siblings
    rows, mask = len(parent), len(keys) - 1
    for row in range(rows):
        if is_branch_point[row]:
            key = int(parent[row])
            key = key * _MAX_SIGNATURES + _signature(class_ids, tag, row) + 1
            slot = _slot_for(keys, key, mask)
            out[row] = slot
            members[slot] += 1
    for row in range(rows):
        if is_branch_point[row]:
            out[row] = members[out[row]] - 1


@cython.cclass
class _Templates:
    """Two hash tables for the templates of a page, and what is summed for each template."""

    pairs = cython.declare("unsigned long long[::1]")
    triples = cython.declare("unsigned long long[::1]")
    slot_of = cython.declare("int[::1]")
    members = cython.declare("int[::1]")
    sizes = cython.declare("double[::1]")
    nonspaces = cython.declare("double[::1]")
    linked = cython.declare("double[::1]")

    def __init__(self, blocks: int) -> None:
        slots = _mask_for(blocks) + 1
        self.pairs, self.triples = array("Q", bytes(8 * slots)), array("Q", bytes(8 * slots))
        self.slot_of, self.members = array("i", bytes(4 * blocks)), array("i", bytes(4 * slots))
        self.sizes, self.nonspaces = array("d", bytes(8 * slots)), array("d", bytes(8 * slots))
        self.linked = array("d", bytes(8 * slots))


@cython.cfunc
@cython.nogil
@cython.returns("void")
@cython.exceptval(check=False)
@cython.locals(
    out="float[:, ::1]", columns="FeatureColumns", page="Columns", sums="_BlockSums", table="_Templates",
    class_ids="int[::1]", tag="unsigned char[::1]", parent="int[::1]", container="int[::1]", count="int",
    block="int", above="int", top="int", key="unsigned long long", slot="int", mask="int", slot_of="int[::1]",
    members="int[::1]",
)  # fmt: skip
def _fill_templates(
    out: "Floats", columns: "FeatureColumns", page: "Columns", sums: _BlockSums, table: _Templates
) -> None:
    """Fill in for each block the number of blocks in its template, their mean size, and their share of links.

    Blocks share a template where container, parent and grandparent have the same tags and classes.
    """
    class_ids, tag, parent, container = page.class_ids, page.tag, page.parent, page.container
    slot_of, members = table.slot_of, table.members
    count, mask = len(container), len(table.pairs) - 1
    for block in range(count):
        above = parent[container[block]]
        top = parent[above] if above >= 0 else -1
        key = _signature(class_ids, tag, container[block])
        key = key * _MAX_SIGNATURES + _signature(class_ids, tag, above) + 1
        slot = _slot_for(table.pairs, key, mask)
        key = slot
        key = key * _MAX_SIGNATURES + _signature(class_ids, tag, top) + 1
        slot = _slot_for(table.triples, key, mask)
        slot_of[block] = slot
        members[slot] += 1
        table.sizes[slot] += float(sums.size[block])
        table.nonspaces[slot] += float(sums.nonspace[block])
        table.linked[slot] += float(sums.linked[block])
    for block in range(count):
        slot = slot_of[block]
        out[columns.template_blocks, block] = members[slot]
        out[columns.template_size, block] = table.sizes[slot] / members[slot]
        out[columns.template_link_share, block] = table.linked[slot] / table.nonspaces[slot]


@cython.cfunc
@cython.locals(
    out="float[:, ::1]", columns="FeatureColumns", page="Columns", text="str", metadata="str", starts="int[::1]",
    stops="int[::1]", offset="int[::1]", count="int", block="int", start="int", stop="int", first="int", last="int",
    low="int", high="int", mask="int", quote_mask="int", long_blocks="int", slot="int", other="int", is_quote="bint",
    keys="unsigned long long[::1]", quotes="unsigned long long[::1]", members="int[::1]", quoted="unsigned char[::1]",
    slot_of="int[::1]", grams="unsigned char[::1]",
)  # fmt: skip
def _fill_repeats(out: "Floats", columns: "FeatureColumns", page: "Columns", text: str, metadata: str) -> None:
    """Fill in how often the text of each block repeats, whether it quotes an earlier one, and whether it is metadata.

    Repeats are counted for blocks of at most `MAX_LABEL` characters. Longer blocks are compared by their first and
    last `QUOTE` characters, because a reply quotes a part of what it answers.

    Args:
        out: the feature matrix, transposed, zero in these columns.
        columns: the columns to fill.
        page: the page.
        text: its text.
        metadata: the texts of its metadata.
    """
    starts, stops, offset = page.start, page.stop, page.offset
    count = len(starts)
    long_blocks = 0
    for block in range(count):
        long_blocks += offset[stops[block]] - offset[starts[block]] > MAX_LABEL
    mask, quote_mask = _mask_for(count - long_blocks), _mask_for(2 * long_blocks)
    keys, members = array("Q", bytes(8 * (mask + 1))), array("i", bytes(4 * (mask + 1)))
    quotes, quoted = array("Q", bytes(8 * (quote_mask + 1))), bytearray(quote_mask + 1)
    slot_of = array("i", bytes(4 * count))
    grams = _grams_of(metadata)
    for block in range(count):
        start, stop = offset[starts[block]], offset[stops[block]]
        if stop - start <= MAX_LABEL:
            slot = _slot_for(keys, _hash_of(text, start, stop), mask)
            members[slot] += 1
            slot_of[block] = slot + 1
            continue
        first, last = start, min(start + 3 * QUOTE, len(text))
        while first < last and text[first].isspace():
            first += 1
        last = min(first + QUOTE, last)
        slot = _slot_for(quotes, _hash_of_all(text, first, last), quote_mask)
        is_quote = quoted[slot]
        low, high = max(stop - 3 * QUOTE, start), stop
        while low < high and text[high - 1].isspace():
            high -= 1
        low = max(high - QUOTE, low)
        other = _slot_for(quotes, _hash_of_all(text, low, high), quote_mask)
        if is_quote or quoted[other]:
            out[columns.quotes_earlier, block] = 1
        quoted[slot] = quoted[other] = 1
        if metadata and _may_contain(grams, text, first, last) and text[first:last] in metadata:
            out[columns.in_metadata, block] = 1
    for block in range(count):
        if slot_of[block]:
            out[columns.repeats, block] = members[slot_of[block] - 1] - 1


@cython.cfunc
@cython.returns("unsigned long long")
@cython.exceptval(check=False)
@cython.locals(text="str", start="Py_ssize_t", stop="Py_ssize_t")
def _hash_of(text: str, start: int, stop: int) -> int:
    """Return the hash of a part of a text, without the white space around it."""
    while start < stop and text[start].isspace():
        start += 1
    while start < stop and text[stop - 1].isspace():
        stop -= 1
    return _hash_of_all(text, start, stop)


@cython.cfunc
@cython.returns("unsigned long long")
@cython.exceptval(check=False)
@cython.locals(text="str", start="Py_ssize_t", stop="Py_ssize_t", key="unsigned long long", k="Py_ssize_t")
def _hash_of_all(text: str, start: int, stop: int) -> int:
    """Return the hash of a part of a text."""
    key = _SEED
    for k in range(start, stop):
        key = ((key ^ ord(text[k])) * _PRIME) & _MASK_64
    return key


@cython.cfunc
@cython.locals(text="str", key="unsigned int", length="int", char="Py_UCS4", table="unsigned char[::1]")
def _grams_of(text: str) -> Any:  # noqa: ANN401 (an array of bytes)
    """Return a table of all n-grams of a text, for `_may_contain`."""
    table = bytearray(_GRAM_SLOTS)
    key = 0
    length = 1
    for char in text:
        key = ((key << 8) ^ ord(char)) & _MASK_32  # characters more than four back are shifted out
        if length >= _GRAM:
            table[((key * _MIX_32) & _MASK_32) >> 18] = 1
        length += 1
    return table


@cython.cfunc
@cython.returns("bint")
@cython.exceptval(check=False)
@cython.locals(
    table="unsigned char[::1]", text="str", start="Py_ssize_t", stop="Py_ssize_t", key="unsigned int", length="int",
    k="Py_ssize_t",
)  # fmt: skip
def _may_contain(table: Any, text: str, start: int, stop: int) -> bool:  # noqa: ANN401 (an array of bytes)
    """Return False only if the text of a table does not contain a part of another: a quick check for a long text.

    >>> table = _grams_of("bread and butter")
    >>> _may_contain(table, "and butter", 0, 10), _may_contain(table, "and bread", 0, 9)
    (True, False)
    """
    key = 0
    length = 1
    for k in range(start, stop):
        key = ((key << 8) ^ ord(text[k])) & _MASK_32
        if length >= _GRAM and table[((key * _MIX_32) & _MASK_32) >> 18] == 0:
            return False
        length += 1
    return True


@cython.cclass
class FeatureColumns:
    """The columns of all features that `measure_blocks` fills, looked up by their names in the feature schema.

    Args:
        column: the column of each name.
        tag_columns: the column of each tag as container, and as ancestor; -1 for none.
        category_columns: the column of each category of names, near and far.
    """

    text = cython.declare("TextColumns", visibility="readonly")
    position = cython.declare("PositionColumns", visibility="readonly")
    level = cython.declare("LevelColumns", visibility="readonly")
    prose = cython.declare("ProseColumns", visibility="readonly")
    of_container = cython.declare("int[::1]", visibility="readonly")
    of_ancestor = cython.declare("int[::1]", visibility="readonly")
    of_near = cython.declare("int[::1]", visibility="readonly")
    of_far = cython.declare("int[::1]", visibility="readonly")
    counted = cython.declare("int[::1]", visibility="readonly")
    template_blocks = cython.declare("int", visibility="readonly")
    template_size = cython.declare("int", visibility="readonly")
    template_link_share = cython.declare("int", visibility="readonly")
    depth = cython.declare("int", visibility="readonly")
    container_body = cython.declare("int", visibility="readonly")
    article_share = cython.declare("int", visibility="readonly")
    article_number = cython.declare("int", visibility="readonly")
    page_blocks = cython.declare("int", visibility="readonly")
    page_size = cython.declare("int", visibility="readonly")
    page_linked_headings = cython.declare("int", visibility="readonly")
    page_prices = cython.declare("int", visibility="readonly")
    page_h1 = cython.declare("int", visibility="readonly")
    repeats = cython.declare("int", visibility="readonly")
    quotes_earlier = cython.declare("int", visibility="readonly")
    in_metadata = cython.declare("int", visibility="readonly")
    in_panel = cython.declare("int", visibility="readonly")
    page_link_share = cython.declare("int", visibility="readonly")
    page_paragraph_share = cython.declare("int", visibility="readonly")
    page_stop_rate = cython.declare("int", visibility="readonly")
    page_long_share = cython.declare("int", visibility="readonly")
    page_template_share = cython.declare("int", visibility="readonly")

    def __init__(self, column: Mapping[str, int], tag_columns: Any, category_columns: Any) -> None:  # noqa: ANN401 (arrays)
        self.text, self.position = TextColumns(column), PositionColumns(column)
        self.level, self.prose = LevelColumns(column), ProseColumns(column)
        self.of_container, self.of_ancestor = tag_columns
        self.of_near, self.of_far = category_columns
        self.template_blocks = column["template_blocks"]
        self.template_size = column["template_size"]
        self.template_link_share = column["template_link_share"]
        self.depth = column["depth"]
        self.repeats = column["repeats"]
        self.quotes_earlier = column["quotes_earlier"]
        self.in_metadata = column["in_metadata"]
        self.in_panel = column["in_panel"]
        self.container_body = column["container:body"]
        self.article_share = column["article_share"]
        self.article_number = column["article_number"]
        self.counted = array("i", [column[name] for name in _COUNTED])
        self.page_blocks = column["page_blocks"]
        self.page_size = column["page_size"]
        self.page_linked_headings = column["page_linked_headings"]
        self.page_prices = column["page_prices"]
        self.page_h1 = column["page_h1"]
        self.page_link_share = column["page_link_share"]
        self.page_paragraph_share = column["page_paragraph_share"]
        self.page_stop_rate = column["page_stop_rate"]
        self.page_long_share = column["page_long_share"]
        self.page_template_share = column["page_template_share"]


@cython.ccall
@cython.locals(
    out="float[:, ::1]", columns="FeatureColumns", page="Columns", names="Names", text="str",
    metadata="str", panels="const int[::1]", root="int", sums="_BlockSums", match="const float[::1]",
    counts="int[::1]", used="unsigned char[::1]",
)  # fmt: skip
def measure_blocks(
    out: "Floats",
    columns: FeatureColumns,
    page: "Columns",
    names: "Names",
    match: "Floats",
    text: str,
    metadata: str,
    panels: "Ints",
) -> Any:  # noqa: ANN401 (an array)
    """Fill all columns but those of declarations, before logarithms; return the size of each block.

    Args:
        out: the feature matrix, transposed, zero everywhere.
        columns: the columns to fill.
        page: the page, which has blocks.
        names: the names of its elements.
        match: how much of its title each block repeats.
        text: its text.
        metadata: the texts of its metadata.
        panels: the rows of its collapsed panels.
    """
    sums = _BlockSums(len(page.container))
    counts, used = array("i", bytes(4 * _CLASSES)), bytearray(len(out))
    with cython.nogil:
        _fill_text(out, columns.text, page, sums, counts)
        _fill_ancestors(out, columns, page, names, used)
        # The innermost element that contains all blocks takes the place of the body, so that an element more around
        # the page changes no feature.
        root = page.container[0]
        while root > page.body and (page.first_block[root] > 0 or page.last_block[root] < len(page.container)):
            root = page.parent[root]
    _measure_levels(out, columns, page, sums, root)
    _measure_page(out, columns, page, sums, match, panels, root)
    _fill_repeats(out, columns, page, text, metadata)
    return sums.size


@cython.cfunc
@cython.locals(
    out="float[:, ::1]", columns="FeatureColumns", page="Columns", sums="_BlockSums", root="int", levels="_Levels",
    slots="int", count="int", keys="unsigned long long[::1]", members="int[::1]", before="double[::1]",
    score="double[::1]", prose="double[::1]",
)  # fmt: skip
def _measure_levels(out: "Floats", columns: FeatureColumns, page: "Columns", sums: _BlockSums, root: int) -> None:
    """Fill the columns of branch points, and of the element with the most prose."""
    count = len(page.container)
    levels = _Levels(len(page.tag), count)
    with cython.nogil:
        _find_branch_points(page, root, levels)
    slots = _mask_for(levels.count) + 1
    keys, members = array("Q", bytes(8 * slots)), array("i", bytes(4 * slots))
    before = array("d", bytes(8 * 5 * (count + 1)))
    score, prose = array("d", bytes(8 * len(page.tag))), array("d", bytes(8 * count))
    with cython.nogil:
        _count_similar_siblings(page, levels, keys, members)
        _fill_levels(out, columns.level, page, levels, sums, before, root)
        _fill_prose(out, columns.prose, page, levels, sums, score, prose)


@cython.cfunc
@cython.locals(
    out="float[:, ::1]", columns="FeatureColumns", page="Columns", sums="_BlockSums", match="const float[::1]",
    panels="const int[::1]", root="int", table="_Templates", counts="int[::1]", before="double[::1]",
    innermost="int[::1]", sizes="double[::1]", count="int", block="int", container="int",
)  # fmt: skip
def _measure_page(
    out: "Floats",
    columns: FeatureColumns,
    page: "Columns",
    sums: _BlockSums,
    match: "Floats",
    panels: "Ints",
    root: int,
) -> None:
    """Fill the columns of templates, of positions and panels, of articles, and of the page as a whole."""
    count = len(page.container)
    table, counts = _Templates(count), array("i", bytes(4 * 256))
    before, innermost = array("d", bytes(8 * (count + 1))), array("i", bytes(4 * count))
    sizes = array("d", bytes(8 * (_MAX_ARTICLES + 1)))
    with cython.nogil:
        _fill_templates(out, columns, page, sums, table)
        for block in range(count):
            container = page.container[block]
            out[columns.depth, block] = page.depth[container] - page.depth[root] + _BODY_DEPTH
            if container == root and page.tag[root] == _DIV:
                out[columns.of_container[_DIV], block] = 0
                out[columns.container_body, block] = 1
        _fill_positions(out, columns.position, sums, match)
        _fill_articles(out, columns, page, sums.size, before, innermost, sizes)
        _fill_page(out, columns, page, sums, counts)
        _fill_panels(out, columns, page, panels)


@cython.cfunc
@cython.nogil
@cython.returns("void")
@cython.exceptval(check=False)
@cython.locals(
    out="float[:, ::1]", columns="FeatureColumns", page="Columns", panels="const int[::1]", k="int", block="int",
)  # fmt: skip
def _fill_panels(out: "Floats", columns: FeatureColumns, page: "Columns", panels: "Ints") -> None:
    """Mark the blocks in collapsed panels; the column is zero before."""
    for k in range(len(panels)):
        for block in range(page.first_block[panels[k]], page.first_block[page.end[panels[k]]]):
            out[columns.in_panel, block] = 1
