"""The loops that fill the feature matrix, a feature a row, a block a column.

With a few hundred blocks a page, a whole-array operation costs more to call than to do, and features are some two
hundred of them; one compiled loop does the same in a tenth of the time. Compiled as ``_fill`` where there is a
compiler, like `tamis._kernels.walk`; import from `tamis._kernels.loader`. The order of the rows is that of each module's
``NAMES``; logarithms are taken afterwards, all at once.
"""

from array import array
from typing import TYPE_CHECKING, Any, Final

from tamis.html import characters

if TYPE_CHECKING:
    from numpy import float32, int32, uint8
    from numpy.typing import NDArray

    Ints = NDArray[int32]
    Floats = NDArray[float32]
    Bytes = NDArray[uint8]

_KINDS: Final = characters.CLASSES
_WIDE, _STOP, _COMMA, _PUNCTUATION = characters.WIDE, characters.STOP, characters.COMMA, characters.PUNCTUATION
_DIGIT, _UPPER, _SYMBOL = characters.DIGIT, characters.UPPER, characters.SYMBOL
_HEIGHTS: Final = 5


def block_ranges(start: "Ints", end: "Ints", kind: "Bytes") -> tuple[Any, Any, Any]:
    """Return how many blocks have begun before each row, and before its end, and which elements blocks begin in.

    The first has one entry more than there are rows: row r covers the blocks ``begun[r] : until[r]``.

    >>> import numpy as np
    >>> start, end = np.array([2], dtype=np.int32), np.array([3, 3, 3], dtype=np.int32)
    >>> [list(column) for column in block_ranges(start, end, np.array([0, 1, 2], dtype=np.uint8))]
    [[0, 0, 0, 1], [1, 1, 1], [0, 1, 0]]
    """
    rows, count = len(end), len(start)
    begun, until, holds = array("i", bytes(4 * rows + 4)), array("i", bytes(4 * rows)), bytearray(rows)
    block = 0
    for row in range(rows):
        begun[row] = block
        if block < count and start[block] == row:  # no two blocks begin at one row
            block += 1
    begun[rows] = block
    for row in range(rows):
        until[row] = begun[end[row]]
        holds[row] = 1 if kind[row] == 1 and until[row] > begun[row] else 0
    return begun, until, holds


def fill_text(  # noqa: PLR0915 (one loop, compiled: a line a feature)
    out: "Floats", blocks: tuple[Any, ...], tally: tuple[Any, ...], rows: tuple[Any, ...]
) -> tuple[Any, ...]:
    """Fill in what each block's own text says; return sizes, ink, ink in links and sentence ends of the blocks.

    Args:
        out: the rows of `tamis.features.text.NAMES` (repeats and told are left to others).
        blocks: start, stop, rows and first of the blocks.
        tally: kinds, words, ink, first and last of the rows, and words a character of alphabetic and of wide scripts.
        rows: tag, parent and link of the rows; for each tag whether it is a link, a break, a picture or a field
            (bits 1 to 4) or bold (bit 5).
    """
    start, stop, own, first = blocks
    kinds, words_of, ink_of, begins, ends, alphabetic, ideographic = tally
    tag, parent, link, meaning = rows
    count = len(start)
    size, ink, link_ink = array("f", bytes(4 * count)), array("f", bytes(4 * count)), array("f", bytes(4 * count))
    stops = array("f", bytes(4 * count))
    counts = array("i", bytes(4 * _KINDS))
    for block in range(count):
        for kind in range(_KINDS):
            counts[kind] = 0
        low = first[block]
        high = first[block + 1] if block + 1 < count else len(own)
        words = dark = linked = bold = 0
        for place in range(low, high):
            row = own[place]
            for kind in range(_KINDS):
                counts[kind] += kinds[row, kind]
            words += words_of[row]
            dark += ink_of[row]
            if link[row]:
                linked += ink_of[row]
            if meaning[tag[parent[row]]] & 16:
                bold += ink_of[row]
        anchors = breaks = pictures = fields = 0
        before = start[block] - 1  # with the element that opens right before the text
        for row in range(max(0, before), stop[block]):
            means = meaning[tag[row]]
            if means:
                anchors += means & 1
                breaks += (means >> 1) & 1
                pictures += (means >> 2) & 1
                fields += (means >> 3) & 1
        wide = counts[_WIDE]
        weight = (dark - wide) / alphabetic + wide / ideographic
        size[block], ink[block], link_ink[block], stops[block] = weight, dark, linked, counts[_STOP]
        begin, end = begins[own[low]], ends[own[high - 1]]
        inked = dark + 0.0
        out[0, block] = weight
        out[1, block] = words
        out[2, block] = high - low
        out[3, block] = anchors
        out[4, block] = breaks
        out[5, block] = pictures
        out[6, block] = fields
        out[8, block] = linked / inked
        out[9, block] = counts[_STOP] / (weight + 1)
        out[10, block] = counts[_COMMA] / (weight + 1)
        out[11, block] = counts[_PUNCTUATION] / inked
        out[12, block] = counts[_DIGIT] / inked
        out[13, block] = counts[_UPPER] / inked
        out[14, block] = counts[_SYMBOL] / inked
        out[15, block] = wide / inked
        out[16, block] = min(inked / (words or 1), 30.0)
        out[17, block] = begin == _UPPER
        out[18, block] = begin == _DIGIT
        out[19, block] = begin >= _STOP
        out[20, block] = end == _STOP
        out[21, block] = end > _STOP
        out[22, block] = linked >= 0.9 * inked  # a link and the marks around it
        out[23, block] = weight < 4  # noqa: PLR2004 (words)
        out[24, block] = bold / inked
    return size, ink, link_ink, stops


def find_branch_points(parent: "Ints", end: "Ints", begun: "Ints", kind: "Bytes", body: int) -> tuple[Any, Any, Any]:
    """Return for each row the head it stands in, which rows are heads, and the elements before each row.

    A head is an element that holds fewer blocks than its parent; what stands in none stands in the body.
    """
    rows = len(parent)
    head_of, elements = array("i", bytes(4 * rows)), array("i", bytes(4 * rows + 4))
    is_head = bytearray(rows)
    for row in range(rows):
        elements[row + 1] = elements[row] + (1 if kind[row] == 1 else 0)
        if row <= body:
            head_of[row] = body
            is_head[row] = row == body
            continue
        above = parent[row]
        holds = begun[end[row]] - begun[row]
        if kind[row] == 1 and holds > 0 and begun[end[above]] - begun[above] > holds:
            head_of[row] = row
            is_head[row] = 1
        else:
            head_of[row] = head_of[above] if above > body else body
    return head_of, is_head, elements


def fill_ancestor_levels(
    out: "Floats",
    blocks: tuple[Any, ...],
    page: tuple[Any, ...],
    heads: tuple[Any, ...],
    measures: tuple[Any, ...],
    body: int,
) -> Any:  # noqa: ANN401 (an array)
    """Fill in the totals of the elements around each block, at each height; return those elements, heights by blocks.

    Args:
        out: the first rows of `tamis.features.structure.NAMES`.
        blocks: the host of each block.
        page: parent and end of the rows, blocks begun before each and elements before each.
        heads: for each row the head it stands in, and how many twins that has.
        measures: size, ink, ink in links and sentence ends of the blocks; the tag of each row, and a 1 for each tag
            of prose.
        body: the row of the body, above which nothing is looked at.
    """
    (host,) = blocks
    parent, end, begun, elements = page
    head_of, twins = heads
    size_of, ink_of, link_of, stops_of, tag, is_prose = measures
    count = len(host)
    sums = array("d", bytes(8 * 5 * (count + 1)))  # prefix sums: five numbers before each block
    for block in range(count):
        at = 5 * block
        sums[at + 5] = sums[at] + size_of[block]
        sums[at + 6] = sums[at + 1] + ink_of[block]
        sums[at + 7] = sums[at + 2] + link_of[block]
        sums[at + 8] = sums[at + 3] + stops_of[block]
        sums[at + 9] = sums[at + 4] + (size_of[block] if is_prose[tag[host[block]]] else 0.0)
    above = array("i", bytes(4 * _HEIGHTS * count))
    total = max(sums[5 * count], 1.0)
    for block in range(count):
        row = head_of[host[block]]
        for height in range(_HEIGHTS):
            if height:
                up = parent[row]
                row = head_of[max(body, up)]
            above[height * count + block] = row
            first, last = begun[row], begun[end[row]]
            number = last - first if last > first else 1
            low, high = 5 * first, 5 * last
            size = sums[high] - sums[low]
            ink = sums[high + 1] - sums[low + 1]
            within = elements[end[row]] - elements[row]
            out[height, block] = size
            out[_HEIGHTS + height, block] = number
            out[2 * _HEIGHTS + height, block] = size / number
            out[3 * _HEIGHTS + height, block] = ink / (max(1, within))
            out[4 * _HEIGHTS + height, block] = twins[row]
            out[5 * _HEIGHTS + height, block] = size / total
            out[6 * _HEIGHTS + height, block] = (sums[high + 2] - sums[low + 2]) / max(ink, 1.0)
            out[7 * _HEIGHTS + height, block] = (sums[high + 3] - sums[low + 3]) / (size + 1)
            out[8 * _HEIGHTS + height, block] = (block - first) / (number + 0.0)
            out[9 * _HEIGHTS + height, block] = (sums[high + 4] - sums[low + 4]) / max(size, 1.0)
    return above


def fill_prose(out: "Floats", above: "Ints", end: "Ints", begun: "Ints", measures: tuple[Any, ...]) -> None:
    """Fill in where each block stands to the element that holds the most prose.

    As readers of articles have long found it: every block of sentences speaks for the element around it, and half as
    much for the one around that.

    Args:
        out: five rows: blocks before it, blocks after it, inside it, height of the element that holds it, its share.
        above: the elements around each block, heights by blocks, as `fill_heights` returned them.
        end: of the rows.
        begun: blocks begun before each row.
        measures: size, ink, ink in links and sentence ends of the blocks.
    """
    size, ink, link_ink, stops = measures
    count = len(size)
    score = array("d", bytes(8 * len(end)))
    prose = array("d", bytes(8 * count))
    total = share = most = 0.0
    main = above[count]
    for block in range(count):
        if stops[block] > 0:
            prose[block] = size[block] * (1 - link_ink[block] / ink[block])
            total += prose[block]
            score[above[count + block]] += prose[block]
            score[above[2 * count + block]] += 0.5 * prose[block]
    for place in range(count, 3 * count):
        row = above[place]
        if score[row] > most or (score[row] == most and row < main):
            most = score[row]
            main = row
    first, last, stop = begun[main], begun[end[main]], end[main]
    for block in range(first, last):
        share += prose[block]
    share /= max(total, 1.0)
    for block in range(count):
        height = 0
        while height < _HEIGHTS:
            row = above[height * count + block]
            if row <= main and end[row] >= stop:
                break
            height += 1
        out[0, block] = first - block if first > block else 0
        out[1, block] = block - last + 1 if block >= last else 0
        out[2, block] = first <= block < last
        out[3, block] = height
        out[4, block] = share


def fill_positions(out: "Floats", size: "Floats", level: "Bytes", match: "Floats", far: int) -> None:
    """Fill in where each block stands on the page and after its headings.

    Args:
        out: the rows of places.
        size: of the blocks.
        level: 1 to 6 for headings, else 0.
        match: how much each block says what the title says.
        far: blocks; farther is just far.
    """
    count = len(size)
    total = before = best = since = 0.0
    h1 = title = heading = -1
    for block in range(count):
        total += size[block]
        if h1 < 0 and level[block] == 1:
            h1 = block
        if match[block] > best:
            best = match[block]
            title = block
    at_title = 0.0
    for block in range(count):
        if level[block]:
            heading = level[block]
            since = before
        if block == title:
            at_title = before
        out[0, block] = before - since
        out[1, block] = before - at_title if title < 0 or block > title else 0.0
        out[2, block] = block / (count + 0.0)
        out[3, block] = before / max(total, 1.0)
        out[4, block] = max(0, heading)
        out[5, block] = h1 >= 0
        out[6, block] = 0 <= h1 < block
        out[7, block] = max(min(block - h1, far), -far) if h1 >= 0 else 0
        out[8, block] = match[block]
        out[9, block] = best
        out[10, block] = 0 <= title < block
        out[11, block] = max(min(block - title, far), -far) if title >= 0 else 0
        before += size[block]
