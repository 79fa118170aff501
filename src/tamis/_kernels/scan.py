"""Scan names and titles: the words in ``class`` and ``id``, the ancestors of each block, the words of a title.

Compiled as ``_scan`` where there is a compiler; import from `tamis._kernels.loader`.
"""

from array import array
from typing import TYPE_CHECKING, Any, Final

from tamis._kernels import hashing

if TYPE_CHECKING:
    from numpy import float32, int32, uint8
    from numpy.typing import NDArray

    Ints = NDArray[int32]
    Floats = NDArray[float32]
    Bytes = NDArray[uint8]

# Words are compared by their hashes of 64 bits. A word that collides with one of the four hundred is about as likely
# as a memory error.
_SEED, _PRIME, _MASK_64 = hashing.SEED, hashing.PRIME, hashing.MASK_64
_MAX_TITLE_CHARS: Final = 2000  # that are compared with each block; the longest title of the corpora is shorter
_SLOTS: Final = 4096  # a tenth of them used


def word_table(category_of: dict[str, int]) -> tuple[Any, Any]:
    """Return a hash table from lowercase words to their categories: the hashes, and the numbers."""
    keys, values = array("Q", bytes(8 * _SLOTS)), array("i", bytes(4 * _SLOTS))
    for word, category in category_of.items():
        key = _SEED
        for letter in word.encode("ascii"):
            key = ((key ^ letter) * _PRIME) & _MASK_64
        slot = (key >> 32) & (_SLOTS - 1)
        while keys[slot]:
            slot = (slot + 1) & (_SLOTS - 1)
        keys[slot], values[slot] = key, category
    return keys, values


def categorize(names: list[str], table: tuple[Any, Any], categories: int) -> tuple[Any, Any]:
    """Return the categories of each name: those of name k are ``numbers[first[k] : first[k + 1]]``.

    A name is split into words at other characters than letters and digits, and where camelCase has a capital. All
    names are read as one string of bytes. A null byte ends each: no name has one, because the parser replaces it as
    the standard says.

    >>> table = word_table({"related": 0, "posts": 1, "nav": 2})
    >>> first, numbers = categorize(["relatedPosts__list", "x1", "nav"], table, 3)
    >>> list(first), list(numbers)
    ([0, 2, 2, 3], [0, 1, 2])
    """
    keys, values = table
    letters = bytearray("\0".join([*names, ""]), "utf-8", "replace")
    first, numbers = array("i", bytes(4 * (len(names) + 1))), array("i", bytes(4 * len(letters)))
    last_name = array("i", bytes(4 * categories))  # the last name, from 1, that each category was found in
    name = 1
    size = 0
    key = _SEED
    after_lower = False
    for k in range(len(letters)):
        letter = letters[k]
        upper = 65 <= letter <= 90  # noqa: PLR2004 (A to Z)
        lower = 97 <= letter <= 122  # noqa: PLR2004 (a to z)
        in_word = upper or lower or 48 <= letter <= 57 or letter > 127  # noqa: PLR2004 (digits; beyond ASCII)
        if not in_word or (upper and after_lower):
            slot = (key >> 32) & (_SLOTS - 1)
            while keys[slot] != 0 and keys[slot] != key:
                slot = (slot + 1) & (_SLOTS - 1)
            if keys[slot] != 0:
                category = values[slot]
                if last_name[category] != name:
                    last_name[category] = name
                    numbers[size] = category
                    size += 1
            key = _SEED
            if letter == 0 and name < len(first):  # never write beyond the array, whatever a parser lets through
                first[name] = size
                name += 1
        if in_word:
            key = ((key ^ (letter | 32 if upper else letter)) * _PRIME) & _MASK_64
        after_lower = lower
    return first, numbers[:size]


def read_names(
    elements: list[Any],
    element_rows: list[int],
    rows: "tuple[Bytes, Ints]",
    attributes: tuple[str, ...],
    names: list[str],
) -> tuple[Any, Any]:
    """Append the values of some attributes to `names`; return rows, and the index of a name for each.

    Args:
        elements: the elements with one of the attributes.
        element_rows: their rows.
        rows: which rows have blocks (others are not read), and the class number of each row, 0 for none. Class k is
            ``names[k - 1]``.
        attributes: the attributes to read.
        names: the classes of the page, to which values are appended.
    """
    has_blocks, class_ids = rows
    capacity = 4 * (len(class_ids) + len(elements) * len(attributes))
    named, name_of = array("i", bytes(capacity)), array("i", bytes(capacity))
    size = 0
    for row in range(len(class_ids)):
        if class_ids[row]:
            named[size], name_of[size] = row, class_ids[row] - 1
            size += 1
    for k, element in enumerate(elements):
        row = element_rows[k]
        if not has_blocks[row]:
            continue
        for attribute in attributes:
            value = element.attr(attribute)
            if value:
                named[size], name_of[size] = row, len(names)
                names.append(value)
                size += 1
    return named[:size], name_of[:size]


def fill_ancestors(  # noqa: C901 (three loops, compiled)
    out: "Floats",
    columns: "tuple[Ints, Ints, Ints, Ints]",
    container: "Ints",
    rows: "tuple[Bytes, Ints, Ints]",
    names: tuple[Any, Any, Any, Any],
    limits: tuple[int, float],
) -> None:
    """Mark the container of each block, and count its ancestors by tag and by the categories of their names.

    An element contains a range of blocks: it adds 1 where the range begins and subtracts 1 where it ends. A running
    sum along the blocks then counts the ancestors of each.

    Args:
        out: the feature matrix, transposed, zero in these columns.
        columns: the columns of each tag as container and as ancestor, -1 for none, and of each category near and far.
        container: the container of each block.
        rows: tag, first block and last block of the rows.
        names: rows with a name and the index of that name, as `read_names` returns them; the categories of each name,
            as `categorize` returns them.
        limits: the blocks that a near ancestor has at most, and the largest count.
    """
    container_column, ancestor_column, near_column, far_column = columns
    tag, first_block, last_block = rows
    named, name_of, first, categories = names
    near_blocks, max_count = limits
    blocks = out.shape[1]
    used = bytearray(len(out))
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
            column = near_column[category] if size <= near_blocks else far_column[category]
            used[column] = 1
            out[column, first_block[row]] += 1
            if last_block[row] < blocks:
                out[column, last_block[row]] -= 1
    for column in range(len(out)):
        if used[column]:
            count = 0.0
            for block in range(blocks):
                count += out[column, block]
                out[column, block] = min(count, max_count)


# What makes an element boilerplate, one bit each; `tamis.features.boilerplate` has the tags and names.
_IF_LINKS, _IF_SHORT, _ALWAYS, _IF_LIST, _IF_NOTICE, _CONTENT = 1, 2, 4, 8, 16, 32


def boilerplate_ranges(  # noqa: C901 (three loops, compiled)
    rows: "tuple[Bytes, Ints, Ints, Ints, Bytes, Ints, Bytes]",
    blocks: "tuple[Ints, Ints]",
    names: tuple[Any, Any, Any, Any],
    flags: tuple[bytes, bytes],
    limits: tuple[float, ...],
) -> list[tuple[int, int]]:
    """Return the ranges of rows that are evident boilerplate, in document order; none contains another.

    Args:
        rows: tag, end, first block, last block, has_blocks, nonspace and link of the rows.
        blocks: rows and first of the blocks.
        names: rows with a name and the index of that name, as `read_names` returns them; the categories of each name,
            as `categorize` returns them.
        flags: for each tag, and for each category of names, what makes such an element boilerplate.
        limits: characters per word; words of a long block, of a link in a list, of a footer and of a notice; blocks
            of a list; mean words of a link; the share of linked characters in links, and in a list; the largest
            share of the page.
    """
    tag, end, first_block, last_block, has_blocks, nonspace, link = rows
    text_rows, first = blocks
    named, name_of, first_category, categories = names
    tag_flags, category_flags = flags
    word, long_block, short_link, footer, notice, list_blocks, mean_words, links, list_links, share = limits
    count, row_count = len(first), len(tag)
    chars, linked = array("q", bytes(8 * (count + 1))), array("q", bytes(8 * (count + 1)))
    longs, others = array("i", bytes(4 * (count + 1))), array("i", bytes(4 * (count + 1)))
    for block in range(count):
        high = first[block + 1] if block + 1 < count else len(text_rows)
        own = own_linked = 0
        for k in range(first[block], high):
            row = text_rows[k]
            own += nonspace[row]
            if link[row]:
                own_linked += nonspace[row]
        chars[block + 1] = chars[block] + own
        linked[block + 1] = linked[block] + own_linked
        longs[block + 1] = longs[block] + (own > long_block * word)
        others[block + 1] = others[block] + (own > short_link * word)
    row_flags = bytearray(row_count)
    for row in range(row_count):
        row_flags[row] = tag_flags[tag[row]]
    for k in range(len(named)):
        for place in range(first_category[name_of[k]], first_category[name_of[k] + 1]):
            row_flags[named[k]] |= category_flags[categories[place]]
    out: list[tuple[int, int]] = []
    total = chars[count]
    left = total
    content_end = row = 0
    while row < row_count:
        if not has_blocks[row]:
            row = end[row] if tag[row] else row + 1
            continue
        flag = row_flags[row]
        low, high = first_block[row], last_block[row]
        size = chars[high] - chars[low]
        if flag and size <= share * total:
            link_chars = linked[high] - linked[low]
            is_short = longs[high] == longs[low] and size <= mean_words * word * (high - low)
            if (
                flag & _ALWAYS
                or (flag & _IF_NOTICE and size <= notice * word)
                or (
                    row >= content_end
                    and (
                        (flag & _IF_LINKS and is_short and link_chars >= links * size)
                        or (flag & _IF_SHORT and size <= footer * word)
                        or (
                            flag & _IF_LIST
                            and high - low >= list_blocks
                            and others[high] == others[low]
                            and link_chars >= list_links * size
                        )
                    )
                )
            ):
                out.append((int(row), int(end[row])))
                left -= size
                row = end[row]
                continue
        if flag & _CONTENT and end[row] > content_end:
            content_end = end[row]
        row += 1
    return out if left * 10 >= total else []


def title_overlap(text: str, starts: "Ints", stops: "Ints", title: str) -> Any:  # noqa: ANN401 (an array)
    """Return the overlap of each block's words with those of a title, from 0 to 1; 0 for blocks of another length.

    >>> import numpy as np
    >>> starts, stops = np.array([0, 11], dtype=np.int32), np.array([11, 16], dtype=np.int32)
    >>> list(title_overlap("Fresh breadOther", starts, stops, "Bread"))
    [0.6666666865348816, 0.0]
    """
    count = len(starts)
    out = array("f", bytes(4 * count))
    title = title[:_MAX_TITLE_CHARS]
    title_words = set(title.casefold().split())
    # Only a block that contains a longer word of the title is split into words. In scripts of short words, any word.
    telling = [word for word in title_words if len(word) > 3] or list(title_words)  # noqa: PLR2004
    longest, shortest = len(title) + 40, len(title) // 4
    for block in range(count):
        start, stop = starts[block], stops[block]
        if stop - start > longest or stop - start < shortest:
            continue
        block_text = text[start:stop].casefold()
        for word in telling:
            if word in block_text:
                words = set(block_text.split())
                out[block] = 2.0 * len(words & title_words) / (len(words) + len(title_words))
                break
    return out


def clue_rows(
    node_type: "Bytes",
    tag: "Bytes",
    end: "Ints",
    selected: "Bytes",
    has_blocks: "Bytes",
    class_ids: "Ints",
    span: tuple[int, int, int],
    flags: bytes,
) -> tuple[int, list[int], list[int], list[int], list[int]]:
    """Return what is among some rows, for `tamis.document.detect.clues`.

    Args:
        node_type: the type of each row; 1 is an element.
        tag: the tag of each row.
        end: the end of each row's subtree.
        selected: which rows are selected.
        has_blocks: which elements contain blocks.
        class_ids: the class number of each of those, 0 for none.
        span: the first row, the row after the last, and the highest class number.
        flags: for each tag, bits: 1 to report it, 4 to list its rows where they contain a selected row, 8 to list
            its rows, 16 to leave out its class and all it contains where it has no blocks. Higher bits are reported.

    Returns:
        The flags of the tags that are reported, the class numbers of elements with blocks, the rows of elements
        without, and the rows of the two lists.

    >>> import numpy as np
    >>> types, tag = np.array([1, 2], dtype=np.uint8), np.array([1, 0], dtype=np.uint8)
    >>> end, selected = np.array([2, 2], dtype=np.int32), np.array([0, 1], dtype=np.uint8)
    >>> has_blocks, class_ids = np.array([1, 0], dtype=np.uint8), np.array([7, 0], dtype=np.int32)
    >>> clue_rows(types, tag, end, selected, has_blocks, class_ids, (0, 2, 7), bytes([0, 1 | 4 | 32]))
    (37, [7], [], [0], [])
    """
    start, stop, classes = span
    seen_classes = bytearray(classes + 1)
    seen = 0
    class_numbers: list[int] = []
    without_blocks: list[int] = []
    around: list[int] = []
    listed: list[int] = []
    nearest = row = start  # `nearest` is the first selected row that follows
    while row < stop:
        if node_type[row] != 1:
            row += 1
            continue
        flag = flags[tag[row]]
        while nearest < stop and (nearest < row or not selected[nearest]):
            nearest += 1
        if flag & 1:
            seen |= flag
        if flag & 4 and nearest < stop and nearest < end[row]:
            around.append(row)
        if flag & 8:
            listed.append(row)
        if has_blocks[row]:
            number = class_ids[row]
            if number and not seen_classes[number]:
                seen_classes[number] = 1
                class_numbers.append(int(number))
        elif flag & 16:
            row = end[row]  # nothing in it is of interest
            continue
        else:
            without_blocks.append(row)
        row += 1
    return seen, class_numbers, without_blocks, around, listed
