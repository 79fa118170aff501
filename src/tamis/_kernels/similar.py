"""Find what a page repeats: siblings and templates with the same tags and classes, and equal texts.

Counts are kept in open-addressing hash tables of C numbers: a dictionary would create an object for each number.

Compiled as ``_similar`` where there is a compiler; import from `tamis._kernels.loader`.
"""

from array import array
from typing import TYPE_CHECKING, Any, Final

from tamis._kernels import hashing
from tamis.html import tags

if TYPE_CHECKING:
    from numpy import float32, int32, uint8
    from numpy.typing import NDArray

    Ints = NDArray[int32]
    Floats = NDArray[float32]
    Bytes = NDArray[uint8]

_TAGS: Final = len(tags.NAMES)
_MAX_SIGNATURES: Final = 1 << 24  # more than a page has: a signature is one of its classes and a tag
_SEED, _PRIME, _MASK_64, _MIX = hashing.SEED, hashing.PRIME, hashing.MASK_64, hashing.MIX
_GRAM: Final = 4  # characters of an n-gram
_GRAM_SLOTS: Final = 1 << 14  # the metadata of a page has a few thousand n-grams
_MASK_32, _MIX_32 = 0xFFFFFFFF, hashing.MIX_32  # the upper 14 of 32 bits are the slot


def _mask_for(count: int) -> int:
    """Return the last slot of a table for `count` keys, at most half full. All bits of it are set.

    >>> _mask_for(3), _mask_for(20)
    (15, 63)
    """
    mask = 15
    while mask < 2 * count:
        mask = 2 * mask + 1
    return mask


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


def _signature(class_ids: "Ints", tag: "Bytes", row: int) -> int:
    """Return a number for the class and the tag of a row; 0 for no row (-1)."""
    if row < 0:
        return 0
    class_id, tag_id = int(class_ids[row]), int(tag[row])
    return class_id * _TAGS + tag_id


def count_similar_siblings(parent: "Ints", signature: "tuple[Ints, Bytes]", is_branch_point: "Bytes") -> Any:  # noqa: ANN401 (an array)
    """Count for each branch point the sibling branch points with the same tag and class: list items, forum posts.

    `signature` is the class number and the tag of each row.
    """
    class_ids, tag = signature
    rows = len(parent)
    out, slot_of = array("i", bytes(4 * rows)), array("i", bytes(4 * rows))
    branch_points = 0
    for row in range(rows):
        branch_points += is_branch_point[row]
    mask = _mask_for(branch_points)
    keys, members = array("Q", bytes(8 * (mask + 1))), array("i", bytes(4 * (mask + 1)))
    for row in range(rows):
        if is_branch_point[row]:
            key = int(parent[row])
            key = key * _MAX_SIGNATURES + _signature(class_ids, tag, row) + 1
            slot = _slot_for(keys, key, mask)
            slot_of[row] = slot
            members[slot] += 1
    for row in range(rows):
        if is_branch_point[row]:
            out[row] = members[slot_of[row]] - 1
    return out


def count_templates(
    signature: "tuple[Ints, Bytes]", parent: "Ints", container: "Ints", block_stats: tuple[Any, ...]
) -> tuple[Any, Any, Any]:
    """Return for each block the number of blocks in its template, their mean size, and their share of links.

    Blocks share a template where container, parent and grandparent have the same tags and classes. `signature` is as
    for `count_similar_siblings`; `block_stats` are size, non-space characters, and those of them in links.
    """
    class_ids, tag = signature
    size_of, nonspace_of, linked_of = block_stats
    count = len(container)
    mask = _mask_for(count)
    slot_of, members = array("i", bytes(4 * count)), array("i", bytes(4 * (mask + 1)))
    pairs, triples = array("Q", bytes(8 * (mask + 1))), array("Q", bytes(8 * (mask + 1)))
    sizes, nonspaces = array("d", bytes(8 * (mask + 1))), array("d", bytes(8 * (mask + 1)))
    linked = array("d", bytes(8 * (mask + 1)))
    for block in range(count):
        above = parent[container[block]]
        top = parent[above] if above >= 0 else -1
        key = _signature(class_ids, tag, container[block])
        key = key * _MAX_SIGNATURES + _signature(class_ids, tag, above) + 1
        slot = _slot_for(pairs, key, mask)
        key = slot
        key = key * _MAX_SIGNATURES + _signature(class_ids, tag, top) + 1
        slot = _slot_for(triples, key, mask)
        slot_of[block] = slot
        members[slot] += 1
        sizes[slot] += float(size_of[block])
        nonspaces[slot] += float(nonspace_of[block])
        linked[slot] += float(linked_of[block])
    blocks, mean_size = array("i", bytes(4 * count)), array("f", bytes(4 * count))
    link_share = array("f", bytes(4 * count))
    for block in range(count):
        slot = slot_of[block]
        blocks[block] = members[slot]
        mean_size[block] = sizes[slot] / members[slot]
        link_share[block] = linked[slot] / nonspaces[slot]
    return blocks, mean_size, link_share


def find_repeats(
    text: str, starts: "Ints", stops: "Ints", max_label: int, metadata: str, quote: int
) -> tuple[Any, Any, Any]:
    """Return for each block how often its text repeats, whether it quotes an earlier one, and whether it is metadata.

    Repeats are counted for blocks of at most `max_label` characters. Longer blocks are compared by their first and
    last `quote` characters, because a reply quotes a part of what it answers.

    >>> import numpy as np
    >>> text, starts, stops = "Buy.Buy.", np.array([0, 4], dtype=np.int32), np.array([4, 8], dtype=np.int32)
    >>> [list(values) for values in find_repeats(text, starts, stops, 60, "", 32)]
    [[1, 1], [0, 0], [0, 0]]
    """
    count = len(starts)
    repeats, quotes_earlier = array("i", bytes(4 * count)), array("i", bytes(4 * count))
    in_metadata = array("i", bytes(4 * count))
    mask = _mask_for(count)
    keys, members = array("Q", bytes(8 * (mask + 1))), array("i", bytes(4 * (mask + 1)))
    slot_of = array("i", bytes(4 * count))
    seen: set[str] = set()
    grams = _grams_of(metadata)
    for block in range(count):
        start, stop = starts[block], stops[block]
        if stop - start <= max_label:
            slot = _slot_for(keys, _hash_of(text, start, stop), mask)
            members[slot] += 1
            slot_of[block] = slot + 1
            continue
        begins = text[start : start + 3 * quote].lstrip()[:quote]
        ends = text[max(stop - 3 * quote, start) : stop].rstrip()[-quote:]
        if begins in seen or ends in seen:
            quotes_earlier[block] = 1
        seen.add(begins)
        seen.add(ends)
        if metadata and _may_contain(grams, begins) and begins in metadata:
            in_metadata[block] = 1
    for block in range(count):
        if slot_of[block]:
            repeats[block] = members[slot_of[block] - 1] - 1
    return repeats, quotes_earlier, in_metadata


def _hash_of(text: str, start: int, stop: int) -> int:
    """Return the hash of a part of a text, without the white space around it."""
    while start < stop and text[start].isspace():
        start += 1
    while start < stop and text[stop - 1].isspace():
        stop -= 1
    key = _SEED
    for k in range(start, stop):
        key = ((key ^ ord(text[k])) * _PRIME) & _MASK_64
    return key


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


def _may_contain(table: Any, part: str) -> bool:  # noqa: ANN401 (an array of bytes)
    """Return False only if the text of a table does not contain a part: a quick check for a long text.

    >>> table = _grams_of("bread and butter")
    >>> _may_contain(table, "and butter"), _may_contain(table, "and bread")
    (True, False)
    """
    key = 0
    length = 1
    for char in part:
        key = ((key << 8) ^ ord(char)) & _MASK_32
        if length >= _GRAM and table[((key * _MIX_32) & _MASK_32) >> 18] == 0:
            return False
        length += 1
    return True
