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
    Packed = tuple[Floats, NDArray[int32], Any]

Numbers = Any  # what holds 32-bit numbers one after another, to be read and set: an array, or a view of one

BLOCKS: Final = 6  #: blocks at a time: six times two registers of eight sums, and enough to spare of sixteen
UNITS: Final = 16  #: units at a time


def infer(  # noqa: C901 (a network from end to end, compiled)
    packed: "Packed", share: "Floats", net: tuple[Any, ...], reaches: tuple[int, ...], room: "Floats"
) -> tuple[Any, Any]:
    """Return a logit for each block, and one for each kind of page.

    Args:
        packed: the features of at least `BLOCKS` blocks, as `pack` leaves them: values, features, ends.
        share: the size of each block beside that of the page.
        net: the parameters as flat arrays: first layer and bias, second layer and bias, a triple of arrays for each
            residual layer (neighbours, page as a whole, bias), out and its bias, kinds and their bias. All layers
            have a multiple of `UNITS` units.
        reaches: how far each residual layer looks.
        room: to work in, as large as `room_for` says; what stands there does not matter.
    """
    values, features, ends = packed
    first, first_bias, second, second_bias, residual, out, out_bias, kinds, kinds_bias = net
    count, units, width, told = len(share), len(first_bias), len(second_bias), len(kinds_bias)
    tiles = len(ends)
    spots, spans = array("i", bytes(8 * ends[tiles - 1])), array("i", bytes(8 * tiles))
    for k in range(ends[tiles - 1]):
        spots[2 * k], spots[2 * k + 1] = 6 * k, features[k] * units
    for tile in range(tiles):
        spans[2 * tile], spans[2 * tile + 1] = 2 * ends[tile - 1] if tile else 0, 2 * ends[tile]
    longest = reaches[len(reaches) - 1]
    start = longest * width  # so many zeros stand before the first block, and after the last
    state, fresh = (
        room[: count * width + 2 * start],
        room[count * width + 2 * start : 2 * (count * width + 2 * start)],
    )
    hidden = room[2 * (count * width + 2 * start) :]
    for k in range(start):
        state[k] = 0.0
        fresh[k] = 0.0
        state[start + count * width + k] = 0.0
        fresh[start + count * width + k] = 0.0
    product(hidden, values, first, first_bias, (spots, spans), (count, units, 0, 0, 0, 1, 0))
    bias, pooled = array("f", bytes(4 * width)), array("f", bytes(8 * width))
    spots = array("i", bytes(8 * units))
    for k in range(units):
        spots[2 * k], spots[2 * k + 1] = k, k * width
    product(
        state, hidden, second, second_bias, (spots, _all(tiles, spots)), (count, width, start, 0, units, units, 0)
    )
    for layer in range(len(reaches)):
        beside, whole, own = residual[layer]
        pool(state, start, share, pooled)
        for unit in range(width):
            bias[unit] = own[unit]
        for k in range(2 * width):
            value = pooled[k]
            for unit in range(width):
                bias[unit] += value * whole[k * width + unit]
        spots = _spots(width, reaches[layer])
        product(
            fresh, state, beside, bias, (spots, _all(tiles, spots)), (count, width, start, start, width, width, 1)
        )
        state, fresh = fresh, state
    logits = array("f", bytes(4 * count))
    for block in range(count):
        low = start + block * width
        value, second_value, third_value, fourth_value = out_bias, 0.0, 0.0, 0.0
        unit = 0
        while unit < width:  # four sums, for one would wait for itself
            value += state[low + unit] * out[unit]
            second_value += state[low + unit + 1] * out[unit + 1]
            third_value += state[low + unit + 2] * out[unit + 2]
            fourth_value += state[low + unit + 3] * out[unit + 3]
            unit += 4
        logits[block] = value + second_value + third_value + fourth_value
    pool(state, start, share, pooled)
    chances = array("f", bytes(4 * told))
    for kind in range(told):
        value = kinds_bias[kind]
        for k in range(2 * width):
            value += pooled[k] * kinds[k * told + kind]
        chances[kind] = value
    return logits, chances


def room_for(count: int, units: int, width: int, longest: int) -> int:
    """Return how many numbers a network works in: its state twice, noughts on either side, and its first layer."""
    return 2 * (count + 2 * longest) * width + count * units


def product(  # noqa: C901, PLR0912, PLR0915 (one loop, compiled)
    out: Numbers, values: Numbers, weights: Numbers, bias: Numbers, taken: tuple[Any, Any], layout: tuple[int, ...]
) -> None:
    """Set each block's units to the bias and the sum of its values times their weights, or nought if that is below.

    Args:
        out: the units of each block.
        values: what is multiplied.
        weights: with what.
        bias: of the units.
        taken: spots, which are pairs: where a value stands, from the block's beginning, and where its weights do; and
            where the spots of each tile of `BLOCKS` blocks begin and end.
        layout: blocks, units, where the first block begins in `out` and in `values`, how far it is there from one to
            the next, how far between the values of one spot, and 1 if what stands in `values` is added: then both are
            laid out alike.
    """
    spots, spans = taken
    count, width, begin, start, stride, step, adds = layout
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
                one[lane] = bias[unit + lane]
            for lane in range(16):
                two[lane] = bias[unit + lane]
            for lane in range(16):
                three[lane] = bias[unit + lane]
            for lane in range(16):
                four[lane] = bias[unit + lane]
            for lane in range(16):
                five[lane] = bias[unit + lane]
            for lane in range(16):
                six[lane] = bias[unit + lane]
            base = start + block * stride
            k, last = spans[tile], spans[tile + 1]
            while k < last:
                at = base + spots[k]
                row = unit + spots[k + 1]
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
                for lane in range(16):
                    out[low + lane] = values[low + lane] + max(one[lane], nought)
                for lane in range(16):
                    out[low + width + lane] = values[low + width + lane] + max(two[lane], nought)
                for lane in range(16):
                    out[low + 2 * width + lane] = values[low + 2 * width + lane] + max(three[lane], nought)
                for lane in range(16):
                    out[low + 3 * width + lane] = values[low + 3 * width + lane] + max(four[lane], nought)
                for lane in range(16):
                    out[low + 4 * width + lane] = values[low + 4 * width + lane] + max(five[lane], nought)
                for lane in range(16):
                    out[low + 5 * width + lane] = values[low + 5 * width + lane] + max(six[lane], nought)
            else:
                for lane in range(16):
                    out[low + lane] = max(one[lane], nought)
                for lane in range(16):
                    out[low + width + lane] = max(two[lane], nought)
                for lane in range(16):
                    out[low + 2 * width + lane] = max(three[lane], nought)
                for lane in range(16):
                    out[low + 3 * width + lane] = max(four[lane], nought)
                for lane in range(16):
                    out[low + 4 * width + lane] = max(five[lane], nought)
                for lane in range(16):
                    out[low + 5 * width + lane] = max(six[lane], nought)
            done += 6
            tile += 2
        unit += 16


def pool(state: Numbers, start: int, share: Numbers, out: Numbers) -> None:
    """Set the mean of the blocks by their share, then their maximum."""
    width = len(out) // 2
    for unit in range(2 * width):
        out[unit] = 0.0  # no state is below
    for block in range(len(share)):
        low = start + block * width
        weight = share[block]
        for unit in range(width):
            out[unit] += weight * state[low + unit]
        for unit in range(width):
            out[width + unit] = max(out[width + unit], state[low + unit])


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


def _all(tiles: int, spots: Numbers) -> Numbers:
    """Return where the spots of each tile begin and end if they are the same for all."""
    spans = array("i", bytes(8 * tiles))
    for tile in range(tiles):
        spans[2 * tile + 1] = len(spots)
    return spans


def _spots(width: int, reach: int) -> Numbers:
    """Return the spots of a block's neighbours before it, of itself, and of those after it."""
    spots = array("i", bytes(24 * width))
    for k in range(width):
        spots[2 * k], spots[2 * k + 1] = k - reach * width, k * width
        spots[2 * (width + k)], spots[2 * (width + k) + 1] = k, (width + k) * width
        spots[2 * (2 * width + k)], spots[2 * (2 * width + k) + 1] = k + reach * width, (2 * width + k) * width
    return spots
