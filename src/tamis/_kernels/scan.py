"""The loops over names and titles that no whole-array operation does.

Compiled as ``_scan`` where there is a compiler, like `tamis._kernels.walk`; import from `tamis._kernels.loader`.
"""

from array import array
from typing import TYPE_CHECKING, Any, Final

from tamis._kernels import hashing

if TYPE_CHECKING:
    from numpy import float32, int32, uint8
    from numpy.typing import NDArray


# A word is known by its hash. That another word has the hash of one of our four hundred is as likely as that a memory
# cell flips.
_SEED, _PRIME, _ALL = hashing.SEED, hashing.PRIME, hashing.ALL
_SLOTS: Final = 4096  # a tenth of them filled


def hashes_of(words: dict[str, int]) -> tuple[Any, Any]:
    """Return a table of the hashes of some words in small letters, and of the numbers that they stand for."""
    keys, values = array("Q", bytes(8 * _SLOTS)), array("i", bytes(4 * _SLOTS))
    for word, number in words.items():
        key = _SEED
        for letter in word.encode("ascii"):
            key = ((key ^ letter) * _PRIME) & _ALL
        slot = (key >> 32) & (_SLOTS - 1)
        while keys[slot]:
            slot = (slot + 1) & (_SLOTS - 1)
        keys[slot], values[slot] = key, number
    return keys, values


def categorize(names: list[str], table: tuple[Any, Any], notions: int) -> tuple[Any, Any]:
    """Return the notions that some names speak of: those of name k are ``numbers[first[k] : first[k + 1]]``.

    A name is cut where letters and digits end, and at the humps of a camel. All names are read as one row of bytes,
    with a nought after each, which no name has (the standard has the parser replace it).

    >>> table = hashes_of({"related": 0, "posts": 1, "nav": 2})
    >>> first, numbers = categorize(["relatedPosts__list", "x1", "nav"], table, 3)
    >>> list(first), list(numbers)
    ([0, 2, 2, 3], [0, 1, 2])
    """
    keys, values = table
    letters = bytearray("\0".join([*names, ""]), "utf-8", "replace")
    first, numbers = array("i", bytes(4 * (len(names) + 1))), array("i", bytes(4 * len(letters)))
    last_seen = array("i", bytes(4 * notions))  # the name, from 1, that spoke of each notion last
    place = 1
    size = 0
    key = _SEED
    small = False
    for at in range(len(letters)):
        letter = letters[at]
        capital = 65 <= letter <= 90  # noqa: PLR2004 (A to Z)
        lower = 97 <= letter <= 122  # noqa: PLR2004 (a to z)
        known = capital or lower or 48 <= letter <= 57 or letter > 127  # noqa: PLR2004 (digits; beyond ASCII)
        if not known or (capital and small):
            slot = (key >> 32) & (_SLOTS - 1)
            while keys[slot] != 0 and keys[slot] != key:
                slot = (slot + 1) & (_SLOTS - 1)
            if keys[slot] != 0:
                number = values[slot]
                if last_seen[number] != place:
                    last_seen[number] = place
                    numbers[size] = number
                    size += 1
            key = _SEED
            if letter == 0 and place < len(first):  # beyond would be memory of others, whatever a parser lets through
                first[place] = size
                place += 1
        if known:
            key = ((key ^ (letter | 32 if capital else letter)) * _PRIME) & _ALL
        small = lower
    return first, numbers[:size]


def read_names(
    elements: list[Any],
    rows: list[int],
    ground: "tuple[NDArray[uint8], NDArray[int32]]",
    attributes: tuple[str, ...],
    names: list[str],
) -> tuple[Any, Any]:
    """Add the values of some attributes to a list of names; return rows and the numbers of their names.

    Args:
        elements: that have such attributes.
        rows: of them.
        ground: which rows hold something: others are not read; and the number of each row's class, from 1 on, 0 for
            none: that is the first of its names.
        attributes: to be read.
        names: the classes, to which values are added.
    """
    holds, looks = ground
    most = 4 * (len(looks) + len(elements) * len(attributes))
    named, values = array("i", bytes(most)), array("i", bytes(most))
    size = 0
    for row in range(len(looks)):
        if looks[row]:
            named[size], values[size] = row, looks[row] - 1
            size += 1
    for place, element in enumerate(elements):
        row = rows[place]
        if not holds[row]:
            continue
        for attribute in attributes:
            value = element.attr(attribute)
            if value:
                named[size], values[size] = row, len(names)
                names.append(value)
                size += 1
    return named[:size], values[:size]


def fill_ancestors(  # noqa: C901, PLR0912 (three loops, compiled)
    out: "NDArray[float32]",
    hosts: "tuple[NDArray[int32], NDArray[int32]]",
    cover: "tuple[NDArray[int32], NDArray[int32]]",
    tagged: "tuple[NDArray[uint8], NDArray[int32]]",
    named: "tuple[NDArray[int32], NDArray[int32]]",
    notions: tuple[Any, Any],
    layout: tuple[int, int, int, float],
) -> None:
    """Mark what each block stands in, and count the elements above it that say a thing, up to a number.

    How: an element covers a range of blocks, so what it says is +1 where the range begins and -1 where it ends; one
    sum along the blocks then tells how many such elements each block stands in.

    Args:
        out: columns by blocks, to be filled.
        hosts: the element that each block stands in, and the column of each tag for that, -1 for none.
        cover: for each row its first block and the one after its last.
        tagged: the tag of each row, and the column of each tag, -1 for none.
        named: rows with a name, and the number of the name.
        notions: the notions of each name, as `notions_of` returns them.
        layout: the column where notions begin, how many there are, how many blocks a near element may cover, and the
            largest number, beyond which more say no more.
    """
    host, host_column = hosts
    opens, closes = cover
    tag, column_of = tagged
    rows, names = named
    first, numbers = notions
    base, count, near, most = layout
    columns, blocks = len(out), out.shape[1]
    used = bytearray(columns)
    out[:] = 0
    for block in range(blocks):
        column = host_column[tag[host[block]]]
        if column >= 0:
            out[column, block] = 1
    for row in range(len(tag)):
        column = column_of[tag[row]]
        if column >= 0 and closes[row] > opens[row]:
            used[column] = 1
            out[column, opens[row]] += 1
            if closes[row] < blocks:
                out[column, closes[row]] -= 1
    for place in range(len(rows)):
        row = rows[place]
        covers = closes[row] - opens[row]
        if covers <= 0:
            continue
        name = names[place]
        for k in range(first[name], first[name + 1]):
            column = base + numbers[k]
            if covers > near:
                column += count
            used[column] = 1
            out[column, opens[row]] += 1
            if closes[row] < blocks:
                out[column, closes[row]] -= 1
    for column in range(columns):
        if used[column]:
            above = 0.0
            for block in range(blocks):
                above += out[column, block]
                out[column, block] = min(above, most)


def title_overlap(text: str, starts: "NDArray[int32]", stops: "NDArray[int32]", title: str) -> Any:  # noqa: ANN401 (an array)
    """Return how much each block of about its length says what a title says, from 0 to 1.

    >>> import numpy as np
    >>> starts, stops = np.array([0, 11], dtype=np.int32), np.array([11, 16], dtype=np.int32)
    >>> list(title_overlap("Fresh breadOther", starts, stops, "Bread"))
    [0.6666666865348816, 0.0]
    """
    size = len(starts)
    out = array("f", bytes(4 * size))
    wanted = set(title.casefold().split())
    # What tells is a word of some length (of any in scripts whose words are short): looked for before words are cut.
    telling = [word for word in wanted if len(word) > 3] or list(wanted)  # noqa: PLR2004
    longest, shortest = len(title) + 40, len(title) // 4
    for block in range(size):
        start, stop = starts[block], stops[block]
        if stop - start > longest or stop - start < shortest:
            continue
        own = text[start:stop].casefold()
        for word in telling:
            if word in own:
                words = set(own.split())
                out[block] = 2.0 * len(words & wanted) / (len(words) + len(wanted))
                break
    return out
