"""The network as one compiled loop: what `tamis.model.network` says in NumPy, in half the time.

A page has some 270 blocks, so its products are small: OpenBLAS splits them among threads that wait for each other
longer than they work, or loses half of its speed in pieces small enough for one. Here six blocks and sixteen
units are summed up at a time, which fit the registers of a processor, and features that no block of the page has are
left out. Compiled as ``_infer`` where there is a compiler and the processor has the registers; without it NumPy does
the work, not this source, which would take seconds a page (see `tamis.model.network`).
"""

from array import array
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from numpy import float32, int32
    from numpy.typing import NDArray

    Floats = NDArray[float32]

Numbers = Any  # what holds 32-bit numbers one after another, to be read and set: an array, or a view of one

BLOCKS: Final = 6  #: blocks at a time: six times two registers of eight sums, and enough to spare of sixteen
UNITS: Final = 16  #: units at a time


def infer(  # noqa: C901 (a network from end to end, compiled)
    matrix: "Floats", share: "Floats", used: list[int], net: tuple[Any, ...], reaches: tuple[int, ...]
) -> tuple[Any, Any]:
    """Return a logit for each block, and one for each kind of page.

    Args:
        matrix: features by blocks; at least `BLOCKS` of them.
        share: the size of each block beside that of the page.
        used: the features that some block has (`used_features`).
        net: the parameters as flat arrays: first layer and bias, second layer and bias, a triple of arrays for each
            residual layer (neighbours, page as a whole, bias), out and its bias, kinds and their bias. All layers
            have a multiple of `UNITS` units.
        reaches: how far each residual layer looks.
    """
    first, first_bias, second, second_bias, residual, out, out_bias, kinds, kinds_bias = net
    count, units, width, told = len(share), len(first_bias), len(second_bias), len(kinds_bias)
    hidden = array("f", bytes(4 * count * units))
    spots = array("i", bytes(8 * len(used)))
    for k in range(len(used)):
        spots[2 * k], spots[2 * k + 1] = used[k] * count, used[k] * units
    product(hidden, matrix.reshape(-1), first, first_bias, spots, (count, units, 0, 1))
    longest = reaches[len(reaches) - 1]
    start = longest * width  # so many zeros stand before the first block, and after the last
    state = array("f", bytes(4 * (count + 2 * longest) * width))
    fresh, bias = array("f", bytes(4 * count * width)), array("f", bytes(4 * width))
    pooled = array("f", bytes(8 * width))
    spots = array("i", bytes(8 * units))
    for k in range(units):
        spots[2 * k], spots[2 * k + 1] = k, k * width
    product(fresh, hidden, second, second_bias, spots, (count, width, 0, units))
    add(state, start, fresh)
    for layer in range(len(reaches)):
        beside, whole, own = residual[layer]
        pool(state, start, share, pooled)
        for unit in range(width):
            bias[unit] = own[unit]
        for k in range(2 * width):
            value = pooled[k]
            for unit in range(width):
                bias[unit] += value * whole[k * width + unit]
        product(fresh, state, beside, bias, _spots(width, reaches[layer]), (count, width, start, width))
        add(state, start, fresh)
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


def product(  # noqa: C901, PLR0912 (one loop, compiled)
    out: Numbers, values: Numbers, weights: Numbers, bias: Numbers, spots: Numbers, layout: tuple[int, int, int, int]
) -> None:
    """Set each block's units to the bias and the sum of its values times their weights, or nought if that is below.

    `spots` are pairs: where a value stands, from the block's beginning, and where its weights do. `layout` is blocks,
    units, where the first block begins, and how far it is from one to the next.
    """
    count, width, start, step = layout
    # Written out: an array whose address was handed to a function does not stay in registers.
    one = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]  # fmt: skip
    two = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]  # fmt: skip
    three = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]  # fmt: skip
    four = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]  # fmt: skip
    five = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]  # fmt: skip
    six = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]  # fmt: skip
    spots_of, nought = len(spots), 0.0
    unit = 0
    while unit < width:  # the weights of some units, for all blocks, stay in the nearest cache
        done = 0
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
            base = start + block * step
            k = 0
            while k < spots_of:
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
            low = block * width + unit
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
        unit += 16


def add(state: Numbers, start: int, values: Numbers) -> None:
    """Add values, a multiple of `UNITS`, from `start` on."""
    some = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]  # fmt: skip
    size = len(values)
    place = 0
    while place < size:
        for lane in range(16):
            some[lane] = values[place + lane]
        low = start + place
        for lane in range(16):
            state[low + lane] += some[lane]
        place += 16


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


def used_features(bits: "NDArray[int32]") -> list[int]:
    """Return the features that some block has, of a matrix of features by blocks; its numbers are given as bits.

    >>> import numpy as np
    >>> used_features(np.array([[0, 0], [0, 0.5]], dtype=np.float32).view(np.int32))
    [1]
    """
    out: list[int] = []
    for feature in range(len(bits)):
        some = 0
        for block in range(bits.shape[1]):
            some |= bits[feature, block]
        if some:
            out.append(feature)
    return out


def _spots(width: int, reach: int) -> Numbers:
    """Return the spots of a block's neighbours before it, of itself, and of those after it."""
    spots = array("i", bytes(24 * width))
    for k in range(width):
        spots[2 * k], spots[2 * k + 1] = k - reach * width, k * width
        spots[2 * (width + k)], spots[2 * (width + k) + 1] = k, (width + k) * width
        spots[2 * (2 * width + k)], spots[2 * (2 * width + k) + 1] = k + reach * width, (2 * width + k) * width
    return spots
