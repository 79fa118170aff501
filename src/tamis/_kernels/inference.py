"""The network as one compiled loop: what `tamis.model.network` says in NumPy, in half the time.

A page has some 270 blocks, so its products are small: OpenBLAS splits them among threads that wait for each other
longer than they work, or loses half of its speed in pieces small enough for one. Here six blocks and sixteen
units are summed up at a time, which fit the registers of a processor, and features that none of the six has are left
out. Compiled as ``_infer`` where there is a compiler and the processor has the registers; without it NumPy does
the work, not this source, which would take seconds a page (see `tamis.model.network`).
"""

from array import array
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from numpy import float32, int32
    from numpy.typing import NDArray

    Floats = NDArray[float32]
    Packed = tuple[Floats, NDArray[int32], Any, NDArray[int32]]
    Net = tuple[Floats, NDArray[int32], int, int, int, int, tuple[int, ...]]

Numbers = Any  # what holds 32-bit numbers one after another, to be read and set: an array, or a view of one

BLOCKS: Final = 6  #: blocks at a time: six times two registers of eight sums, and enough to spare of sixteen
UNITS: Final = 16  #: units at a time


def infer(  # noqa: C901, PLR0912 (a network from end to end, compiled)
    packed: "Packed", share: "Floats", net: "Net", room: "Floats"
) -> tuple[Any, Any]:
    """Return a logit for each block, and one for each kind of page.

    Args:
        packed: the features of at least `BLOCKS` blocks, as `pack` leaves them: values, features, ends; and room for
            twice as many numbers as there are features.
        share: the size of each block beside that of the page.
        net: the parameters one after another (as `tamis.model.network` lays them out: what a page is read with is
            handed over as one array, for looking at an array from here costs as much as reading two blocks), the
            spots of the layers after the first, how many features, units in the first layer, units and kinds there
            are, and how far each residual layer looks. All layers have a multiple of `UNITS` units.
        room: to work in, as large as `room_for` says; what stands there does not matter.
    """
    values, features, ends, spots = packed
    weights, steady, inputs, units, width, told, reaches = net
    count, tiles, layers = len(share), len(ends), len(reaches)
    spans = array("i", bytes(8 * tiles))
    for k in range(ends[tiles - 1]):
        spots[2 * k], spots[2 * k + 1] = 6 * k, features[k] * units
    for tile in range(tiles):
        spans[2 * tile], spans[2 * tile + 1] = 2 * ends[tile - 1] if tile else 0, 2 * ends[tile]
    start = reaches[layers - 1] * width  # so many zeros stand before the first block, and after the last
    whole = count * width + 2 * start
    state, fresh, hidden = 0, whole, 2 * whole
    pooled = hidden + count * units
    bias = pooled + 2 * width
    for k in range(start):
        room[state + k] = room[fresh + k] = 0.0
        room[state + start + count * width + k] = room[fresh + start + count * width + k] = 0.0
    at = inputs * units
    for unit in range(units):
        room[bias + unit] = weights[at + unit]
    product(room, values, weights, spots, spans, (count, units, hidden, 0, 0, 1, 0, 0, bias, -1, 0))
    at += units
    for unit in range(width):
        room[bias + unit] = weights[at + units * width + unit]
    product(
        room,
        room,
        weights,
        steady,
        spans,
        (count, width, state + start, hidden, units, units, 0, at, bias, 0, 2 * units),
    )
    at += units * width + width
    for layer in range(layers):
        _pool(room, state + start, share, pooled, width)
        for unit in range(width):
            room[bias + unit] = weights[at + 5 * width * width + unit]
        for k in range(2 * width):
            value = room[pooled + k]
            low = at + (3 * width + k) * width
            for unit in range(width):
                room[bias + unit] += value * weights[low + unit]
        first = 2 * units + 6 * width * layer
        product(
            room, room, weights, steady, spans,
            (count, width, fresh + start, state + start, width, width, 1, at, bias, first, first + 6 * width),
        )  # fmt: skip
        state, fresh = fresh, state
        at += 5 * width * width + width
    logits = array("f", bytes(4 * count))
    last = at + width + 2 * width * told + told  # the bias of what comes out
    for block in range(count):
        low = state + start + block * width
        value, second_value, third_value, fourth_value = weights[last], 0.0, 0.0, 0.0
        unit = 0
        while unit < width:  # four sums, for one would wait for itself
            value += room[low + unit] * weights[at + unit]
            second_value += room[low + unit + 1] * weights[at + unit + 1]
            third_value += room[low + unit + 2] * weights[at + unit + 2]
            fourth_value += room[low + unit + 3] * weights[at + unit + 3]
            unit += 4
        logits[block] = value + second_value + third_value + fourth_value
    at += width
    _pool(room, state + start, share, pooled, width)
    chances = array("f", bytes(4 * told))
    for kind in range(told):
        value = weights[at + 2 * width * told + kind]
        for k in range(2 * width):
            value += room[pooled + k] * weights[at + k * told + kind]
        chances[kind] = value
    return logits, chances


def room_for(count: int, units: int, width: int, longest: int) -> int:
    """Return how many numbers a network works in.

    They are its state twice, with noughts on either side, its first layer, the page as a whole, and a bias.
    """
    return 2 * (count + 2 * longest) * width + count * units + 2 * width + max(units, width)


def steady_spots(units: int, width: int, reaches: tuple[int, ...]) -> list[int]:
    """Return the spots of the layers after the first, which are the same for all blocks of all pages.

    The second layer takes the units of the first. A residual layer takes those of a block's neighbours before it, of
    itself, and of those after it.
    """
    out = [number for k in range(units) for number in (k, k * width)]
    for reach in reaches:
        for place, far in enumerate((-reach, 0, reach)):
            for k in range(width):
                out += [k + far * width, (place * width + k) * width]
    return out


def product(  # noqa: C901, PLR0912, PLR0915 (one loop, compiled)
    room: Numbers, values: Numbers, weights: Numbers, spots: Numbers, spans: Numbers, layout: tuple[int, ...]
) -> None:
    """Set each block's units to the bias and the sum of its values times their weights, or nought if that is below.

    Args:
        room: where the units of each block are set, and where the bias stands.
        values: what is multiplied; may be the same room.
        weights: with what.
        spots: pairs: where a value stands, from the block's beginning, and where its weights do.
        spans: where the spots of each tile of `BLOCKS` blocks begin and end.
        layout: blocks, units, where the first block begins in `room` and in `values`, how far it is there from one to
            the next, how far between the values of one spot, and 1 if what stands in `values` is added: then both are
            laid out alike; where weights and bias begin; where the spots begin and end if they are the same for all
            tiles, else -1.
    """
    count, width, begin, start, stride, step, adds, base_weight, base_bias, low_spot, high_spot = layout
    # Written out: an array whose address was handed to a function does not stay in registers.
    one = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]  # fmt: skip
    two = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]  # fmt: skip
    three = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]  # fmt: skip
    four = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]  # fmt: skip
    five = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]  # fmt: skip
    six = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]  # fmt: skip
    nought = 0.0
    unit = 0
    while unit < width:  # the weights of some units, for all blocks, stay in the nearest cache
        done = tile = 0
        while done < count:
            block = done if done + 6 <= count else count - 6  # the last ones again rather than fewer
            for lane in range(16):
                one[lane] = room[base_bias + unit + lane]
            for lane in range(16):
                two[lane] = room[base_bias + unit + lane]
            for lane in range(16):
                three[lane] = room[base_bias + unit + lane]
            for lane in range(16):
                four[lane] = room[base_bias + unit + lane]
            for lane in range(16):
                five[lane] = room[base_bias + unit + lane]
            for lane in range(16):
                six[lane] = room[base_bias + unit + lane]
            base = start + block * stride
            k, last = low_spot, high_spot
            if k < 0:
                k, last = spans[tile], spans[tile + 1]
            while k < last:
                at = base + spots[k]
                row = base_weight + unit + spots[k + 1]
                value = values[at]
                for lane in range(16):
                    one[lane] += value * weights[row + lane]
                value = values[at + step]
                for lane in range(16):
                    two[lane] += value * weights[row + lane]
                value = values[at + 2 * step]
                for lane in range(16):
                    three[lane] += value * weights[row + lane]
                value = values[at + 3 * step]
                for lane in range(16):
                    four[lane] += value * weights[row + lane]
                value = values[at + 4 * step]
                for lane in range(16):
                    five[lane] += value * weights[row + lane]
                value = values[at + 5 * step]
                for lane in range(16):
                    six[lane] += value * weights[row + lane]
                k += 2
            low = begin + block * width + unit
            if adds:
                own = start + block * width + unit
                for lane in range(16):
                    room[low + lane] = values[own + lane] + max(one[lane], nought)
                for lane in range(16):
                    room[low + width + lane] = values[own + width + lane] + max(two[lane], nought)
                for lane in range(16):
                    room[low + 2 * width + lane] = values[own + 2 * width + lane] + max(three[lane], nought)
                for lane in range(16):
                    room[low + 3 * width + lane] = values[own + 3 * width + lane] + max(four[lane], nought)
                for lane in range(16):
                    room[low + 4 * width + lane] = values[own + 4 * width + lane] + max(five[lane], nought)
                for lane in range(16):
                    room[low + 5 * width + lane] = values[own + 5 * width + lane] + max(six[lane], nought)
            else:
                for lane in range(16):
                    room[low + lane] = max(one[lane], nought)
                for lane in range(16):
                    room[low + width + lane] = max(two[lane], nought)
                for lane in range(16):
                    room[low + 2 * width + lane] = max(three[lane], nought)
                for lane in range(16):
                    room[low + 3 * width + lane] = max(four[lane], nought)
                for lane in range(16):
                    room[low + 4 * width + lane] = max(five[lane], nought)
                for lane in range(16):
                    room[low + 5 * width + lane] = max(six[lane], nought)
            done += 6
            tile += 2
        unit += 16


def _pool(room: Numbers, start: int, share: Numbers, out: int, width: int) -> None:
    """Set the mean of the blocks by their share, then their maximum; `start` and `out` are places in the room."""
    for unit in range(2 * width):
        room[out + unit] = 0.0  # no state is below
    for block in range(len(share)):
        low = start + block * width
        weight = share[block]
        for unit in range(width):
            room[out + unit] += weight * room[low + unit]
        for unit in range(width):
            room[out + width + unit] = max(room[out + width + unit], room[low + unit])


def pack(bits: "NDArray[int32]", values: "NDArray[int32]", features: "NDArray[int32]") -> Any:  # noqa: ANN401 (an array)
    """Put the values of each tile of `BLOCKS` blocks one after another, without features that none of its blocks has.

    Returns where the features of each tile end. The last tile is the last blocks, some of which may be in the one
    before, too.

    Args:
        bits: the matrix of features by blocks, as the bits of its numbers.
        values: to be filled with as many numbers for each feature as there are blocks in a tile; room for all.
        features: to be filled with the features themselves; room for all in each tile.

    >>> import numpy as np
    >>> bits = np.array([[0, 0, 0, 0, 0, 0, 0], [5, 0, 0, 0, 0, 0, 0]], dtype=np.int32)
    >>> values, features = np.empty(24, dtype=np.int32), np.empty(4, dtype=np.int32)
    >>> list(pack(bits, values, features)), values[:6].tolist(), features[0]
    ([1, 1], [5, 0, 0, 0, 0, 0], np.int32(1))
    """
    most, count = len(bits), bits.shape[1]
    tiles = (count + 5) // 6
    used, ends = array("i", bytes(4 * most)), array("i", bytes(4 * tiles))
    many = size = 0
    for feature in range(most):
        some = 0
        for block in range(count):
            some |= bits[feature, block]
        if some:
            used[many] = feature
            many += 1
    for tile in range(tiles):
        block = 6 * tile if 6 * tile + 6 <= count else count - 6
        for k in range(many):
            feature = used[k]
            one, two, three = bits[feature, block], bits[feature, block + 1], bits[feature, block + 2]
            four, five, six = bits[feature, block + 3], bits[feature, block + 4], bits[feature, block + 5]
            low = 6 * size  # written over by the next feature if this one is all noughts: no branch to guess
            values[low], values[low + 1], values[low + 2] = one, two, three
            values[low + 3], values[low + 4], values[low + 5] = four, five, six
            features[size] = feature
            size += (one | two | three | four | five | six) != 0
        ends[tile] = size
    return ends
