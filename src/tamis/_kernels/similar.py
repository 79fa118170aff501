"""The loops that find what a page says or builds more than once: blocks, items of a list, templates.

Compiled as ``_twins`` where there is a compiler, like `tamis._kernels.walk`; import from `tamis._kernels.loader`. What is
counted is put into tables of numbers, by hashes: a dictionary makes an object of each number.
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
_LOOKS: Final = 1 << 24  # more than a page has: a look is one of its classes and a tag
_SEED, _PRIME, _ALL, _MIX = hashing.SEED, hashing.PRIME, hashing.ALL, hashing.MIX
_RUN: Final = 4  # characters of a run
_RUNS: Final = 1 << 14  # slots of a table of runs: what a page tells of itself has a few thousand
_KEY, _SPREAD = 0xFFFFFFFF, hashing.MIX_32  # 32 bits, of which the upper 14 are taken


def _mask_for(count: int) -> int:
    """Return the last slot of a table for some keys, at most half full; all its bits are set.

    >>> _mask_for(3), _mask_for(20)
    (15, 63)
    """
    mask = 15
    while mask < 2 * count:
        mask = 2 * mask + 1
    return mask


def _slot_for(keys: Any, key: int, mask: int) -> int:  # noqa: ANN401 (an array)
    """Return the slot of a key above nought in a table of keys, where it now stands.

    >>> table = array("Q", bytes(8 * 16))
    >>> _slot_for(table, 7, 15) == _slot_for(table, 7, 15) != _slot_for(table, 8, 15)
    True
    """
    slot = (key * _MIX) >> 32 & mask
    while keys[slot] != 0 and keys[slot] != key:
        slot = (slot + 1) & mask
    keys[slot] = key
    return slot


def _look(classes: "Ints", tag: "Bytes", row: int) -> int:
    """Return a number for what a row looks like, which is its class and its tag; 0 for no row."""
    if row < 0:
        return 0
    look, own = int(classes[row]), int(tag[row])
    return look * _TAGS + own


def count_similar_siblings(parent: "Ints", looks: "tuple[Ints, Bytes]", is_head: "Bytes") -> Any:  # noqa: ANN401 (an array)
    """Count for each head how many siblings look like it: items of a list, posts of a thread.

    `looks` are the number of each row's class, and its tag.
    """
    classes, tag = looks
    rows = len(parent)
    out, slot_of = array("i", bytes(4 * rows)), array("i", bytes(4 * rows))
    heads = 0
    for row in range(rows):
        heads += is_head[row]
    mask = _mask_for(heads)
    keys, sizes = array("Q", bytes(8 * (mask + 1))), array("i", bytes(4 * (mask + 1)))
    for row in range(rows):
        if is_head[row]:
            key = int(parent[row])
            key = key * _LOOKS + _look(classes, tag, row) + 1
            slot = _slot_for(keys, key, mask)
            slot_of[row] = slot
            sizes[slot] += 1
    for row in range(rows):
        if is_head[row]:
            out[row] = sizes[slot_of[row]] - 1
    return out


def fill_templates(
    out: "Floats", looks: "tuple[Ints, Bytes]", parent: "Ints", host: "Ints", measures: tuple[Any, ...]
) -> None:
    """Fill in how many blocks stand in the same look of three elements, their mean size, and their share of links.

    `out` has these three rows; `looks` are as for `count_twins`; `measures` are size, ink and ink in links of blocks.
    """
    classes, tag = looks
    size, ink, link_ink = measures
    count = len(host)
    mask = _mask_for(count)
    slot_of, members = array("i", bytes(4 * count)), array("i", bytes(4 * (mask + 1)))
    pairs, triples = array("Q", bytes(8 * (mask + 1))), array("Q", bytes(8 * (mask + 1)))
    sizes, inks = array("d", bytes(8 * (mask + 1))), array("d", bytes(8 * (mask + 1)))
    links = array("d", bytes(8 * (mask + 1)))
    for block in range(count):
        up = parent[host[block]]
        top = parent[up] if up >= 0 else -1
        key = _look(classes, tag, host[block])
        key = key * _LOOKS + _look(classes, tag, up) + 1
        slot = _slot_for(pairs, key, mask)
        key = slot
        key = key * _LOOKS + _look(classes, tag, top) + 1
        slot = _slot_for(triples, key, mask)
        slot_of[block] = slot
        members[slot] += 1
        sizes[slot] += size[block]
        inks[slot] += ink[block]
        links[slot] += link_ink[block]
    for block in range(count):
        slot = slot_of[block]
        out[0, block] = members[slot]
        out[1, block] = sizes[slot] / members[slot]
        out[2, block] = links[slot] / inks[slot]


def find_repeats(
    text: str, starts: "NDArray[int32]", stops: "NDArray[int32]", longest: int, record: str, quoted: int
) -> tuple[Any, Any, Any]:
    """Return how often each short block comes again, which long ones repeat what was said, and which are on record.

    A long block is known by how it begins or ends: an answer quotes a part of what it answers.

    >>> import numpy as np
    >>> text, starts, stops = "Buy.Buy.", np.array([0, 4], dtype=np.int32), np.array([4, 8], dtype=np.int32)
    >>> [list(found) for found in find_repeats(text, starts, stops, 60, "", 32)]
    [[1, 1], [0, 0], [0, 0]]
    """
    size = len(starts)
    repeats, echoes, told = array("i", bytes(4 * size)), array("i", bytes(4 * size)), array("i", bytes(4 * size))
    mask = _mask_for(size)
    keys, times = array("Q", bytes(8 * (mask + 1))), array("i", bytes(4 * (mask + 1)))
    slot_of = array("i", bytes(4 * size))
    said: set[str] = set()
    runs = _runs_of(record)
    for block in range(size):
        start, stop = starts[block], stops[block]
        if stop - start <= longest:
            slot = _slot_for(keys, _hash_of(text, start, stop), mask)
            times[slot] += 1
            slot_of[block] = slot + 1
            continue
        begins = text[start : start + 3 * quoted].lstrip()[:quoted]
        ends = text[max(stop - 3 * quoted, start) : stop].rstrip()[-quoted:]
        if begins in said or ends in said:
            echoes[block] = 1
        said.add(begins)
        said.add(ends)
        if record and _may_hold(runs, begins) and begins in record:
            told[block] = 1
    for block in range(size):
        if slot_of[block]:
            repeats[block] = times[slot_of[block] - 1] - 1
    return repeats, echoes, told


def _hash_of(text: str, start: int, stop: int) -> int:
    """Return the hash of a part of a text without the white space around it."""
    while start < stop and text[start].isspace():
        start += 1
    while start < stop and text[stop - 1].isspace():
        stop -= 1
    key = _SEED
    for place in range(start, stop):
        key = ((key ^ ord(text[place])) * _PRIME) & _ALL
    return key


def _runs_of(text: str) -> Any:  # noqa: ANN401 (an array of bytes)
    """Return a table of all runs of four characters in a text, for `_may_hold`."""
    table = bytearray(_RUNS)
    key = 0
    place = 1
    for letter in text:
        key = ((key << 8) ^ ord(letter)) & _KEY  # what is four letters back is shifted out
        if place >= _RUN:
            table[((key * _SPREAD) & _KEY) >> 18] = 1
        place += 1
    return table


def _may_hold(table: Any, part: str) -> bool:  # noqa: ANN401 (an array of bytes)
    """Tell by a quick look whether a text may have a part: never no if it has. A text may be long, its parts many.

    >>> table = _runs_of("bread and butter")
    >>> _may_hold(table, "and butter"), _may_hold(table, "and bread")
    (True, False)
    """
    key = 0
    place = 1
    for letter in part:
        key = ((key << 8) ^ ord(letter)) & _KEY
        if place >= _RUN and table[((key * _SPREAD) & _KEY) >> 18] == 0:
            return False
        place += 1
    return True
