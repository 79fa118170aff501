"""Fill the columns of the feature matrix, block by block.

A page has a few hundred blocks. An array operation on so few costs more to call than to compute, and there are some
fifty features: one loop over the blocks is several times faster.
"""

from array import array
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from tamis._core import shadow as cython
from tamis._core.levels import (
    LevelColumns,
    ProseColumns,
    _BlockSums,
    _fill_levels,
    _fill_prose,
    _find_branch_points,
    _Levels,
)
from tamis._core.repeats import (
    RepeatColumns,
    _count_similar_siblings,
    _fill_repeats,
    _fill_templates,
    _mask_for,
    _Templates,
)
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
    NEAR_BLOCKS="int", MAX_DISTANCE="int", _MAX_ARTICLES="int", _BODY_DEPTH="int", _P="int", _DIV="int", _H1="int",
    _ARTICLE="int", _COUNTED_TAGS="bytes", _HEADING_LEVEL="bytes", _CLASSES="int", _WIDE="int", _STOP="int",
    _COMMA="int", _PUNCTUATION="int", _DIGIT="int", _UPPER="int", _SYMBOL="int", _LINK="int", _BREAK="int",
    _IMAGE="int", _FIELD="int", _BOLD="int", _ROLES_OF_TAG="bytes",
)  # fmt: skip

#: Characters per word, roughly: alphabetic scripts without the space, and Chinese, Japanese and Korean.
ALPHABETIC, IDEOGRAPHIC = 5.0, 1.7
LONG_BLOCK: Final = 30  #: a block above this size counts as long
MIN_TEMPLATE: Final = 5  #: a template with at least this many blocks repeats
NEAR_BLOCKS: Final = 4  #: an ancestor with at most this many blocks is near; a larger one is far
#: Ancestors of one tag or name category are counted up to this number: more say no more.
MAX_ANCESTORS: Final = 2.0
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
        if out[columns.repeat.template_blocks, block] >= MIN_TEMPLATE:
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
    repeat = cython.declare("RepeatColumns", visibility="readonly")
    of_container = cython.declare("int[::1]", visibility="readonly")
    of_ancestor = cython.declare("int[::1]", visibility="readonly")
    of_near = cython.declare("int[::1]", visibility="readonly")
    of_far = cython.declare("int[::1]", visibility="readonly")
    counted = cython.declare("int[::1]", visibility="readonly")
    depth = cython.declare("int", visibility="readonly")
    container_body = cython.declare("int", visibility="readonly")
    article_share = cython.declare("int", visibility="readonly")
    article_number = cython.declare("int", visibility="readonly")
    page_blocks = cython.declare("int", visibility="readonly")
    page_size = cython.declare("int", visibility="readonly")
    page_linked_headings = cython.declare("int", visibility="readonly")
    page_prices = cython.declare("int", visibility="readonly")
    page_h1 = cython.declare("int", visibility="readonly")
    in_panel = cython.declare("int", visibility="readonly")
    page_link_share = cython.declare("int", visibility="readonly")
    page_paragraph_share = cython.declare("int", visibility="readonly")
    page_stop_rate = cython.declare("int", visibility="readonly")
    page_long_share = cython.declare("int", visibility="readonly")
    page_template_share = cython.declare("int", visibility="readonly")

    def __init__(self, column: Mapping[str, int], tag_columns: Any, category_columns: Any) -> None:  # noqa: ANN401 (arrays)
        self.text, self.position = TextColumns(column), PositionColumns(column)
        self.level, self.prose, self.repeat = LevelColumns(column), ProseColumns(column), RepeatColumns(column)
        self.of_container, self.of_ancestor = tag_columns
        self.of_near, self.of_far = category_columns
        self.depth = column["depth"]
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
    _fill_repeats(out, columns.repeat, page, text, metadata)
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
        _fill_templates(out, columns.repeat, page, sums, table)
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
