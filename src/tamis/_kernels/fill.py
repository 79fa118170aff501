"""Fill the columns of the feature matrix that describe the text of each block and its position on the page.

A page has a few hundred blocks. An array operation on so few costs more to call than to compute, and there are some
two hundred features; one compiled loop does the same work in a tenth of the time. The matrix is stored transposed:
``out[column, block]``. Logarithms are taken later, for all columns at once.

Compiled as ``_fill`` where there is a compiler; import from `tamis._kernels.loader`.
"""

from array import array
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from tamis.html import characters, tags

if TYPE_CHECKING:
    from numpy import float32, uint8
    from numpy.typing import NDArray

    Floats = NDArray[float32]
    Bytes = NDArray[uint8]

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


class TextColumns:
    """The columns that `fill_text` fills, looked up by their names in the feature schema."""

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


class PositionColumns:
    """The columns that `fill_positions` fills, looked up by their names in the feature schema."""

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


def fill_text(  # noqa: PLR0915 (one loop, compiled: a line per feature)
    out: "Floats", columns: TextColumns, blocks: tuple[Any, ...], char_counts: tuple[Any, ...], rows: tuple[Any, ...]
) -> tuple[Any, ...]:
    """Fill in what the text of each block is like.

    Returns the size, the non-space characters, those of them in links, and the sentence ends of each block.

    Args:
        out: the feature matrix, transposed.
        columns: the columns to fill.
        blocks: start, stop, rows and first of the blocks.
        char_counts: by_class, words, nonspace, first_class and last_class of the rows, and the characters per word of
            alphabetic and of ideographic scripts.
        rows: tag, parent and link of the rows.
    """
    start, stop, text_rows, first = blocks
    by_class, words_of, nonspace_of, first_class, last_class, alphabetic, ideographic = char_counts
    tag, parent, link = rows
    count = len(start)
    sizes, nonspaces = array("f", bytes(4 * count)), array("f", bytes(4 * count))
    link_nonspaces, stops = array("f", bytes(4 * count)), array("f", bytes(4 * count))
    counts = array("i", bytes(4 * _CLASSES))
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
        size = (chars - wide) / alphabetic + wide / ideographic
        sizes[block], nonspaces[block], link_nonspaces[block], stops[block] = size, chars, linked, counts[_STOP]
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
    return sizes, nonspaces, link_nonspaces, stops


def fill_positions(
    out: "Floats", columns: PositionColumns, sizes: "Floats", level: "Bytes", match: "Floats", max_distance: int
) -> None:
    """Fill in where each block is on the page, and where it is relative to headings and the title.

    Args:
        out: the feature matrix, transposed.
        columns: the columns to fill.
        sizes: the size of each block.
        level: 1 to 6 for headings, else 0.
        match: how much of the title each block repeats.
        max_distance: the largest distance, in blocks.
    """
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
        out[columns.h1_distance, block] = max(min(block - h1, max_distance), -max_distance) if h1 >= 0 else 0
        out[columns.title_match, block] = match[block]
        out[columns.best_title_match, block] = best
        out[columns.after_title, block] = 0 <= title < block
        out[columns.title_distance, block] = max(min(block - title, max_distance), -max_distance) if title >= 0 else 0
        out[columns.heading_title_match, block] = heading_match
        out[columns.heading_link_share, block] = heading_links
        before += float(sizes[block])


def page_sums(
    sizes: "tuple[Floats, Floats, Floats, Floats]",
    blocks: "tuple[Bytes, Floats, Floats]",
    container_tags: "Bytes",
    limits: tuple[int, float, float],
) -> tuple[float, ...]:
    """Return sums over the blocks of a page.

    The sums: size, non-space characters, those in links, and sentence ends; the size of blocks in paragraphs, of long
    blocks, and of blocks whose template repeats; headings that are links.

    Args:
        sizes: size, non-space characters, those in links, and sentence ends of each block.
        blocks: the heading level, whether all is links, and the number of blocks with the same template.
        container_tags: the tag of each block's container.
        limits: the tag of paragraphs, the size above which a block is long, the blocks of a template that repeats.
    """
    size, nonspace, linked, stops = sizes
    level, all_links, template_blocks = blocks
    paragraph, long_block, min_template = limits
    total = chars = link_chars = ends = in_paragraphs = in_long = in_templates = 0.0
    linked_headings = 0
    for block in range(len(size)):
        own = float(size[block])
        total += own
        chars += float(nonspace[block])
        link_chars += float(linked[block])
        ends += float(stops[block])
        if container_tags[block] == paragraph:
            in_paragraphs += own
        if own > long_block:
            in_long += own
        if template_blocks[block] >= min_template:
            in_templates += own
        if level[block] and all_links[block] > 0:
            linked_headings += 1
    return total, chars, link_chars, ends, in_paragraphs, in_long, in_templates, linked_headings
