"""What groups of features add to the logit of a block: exact Shapley values of a small game.

The game of a block has one player for each group of its features, and one for all that is around it: the states of
its neighbours and the context of the page, as the network computed them. A group that takes part has the block's
features; one that does not has the mean of the training pages. What is around takes part as it is, or as an average
block among average blocks would have it. With all players the value of the game is the block's logit, so the Shapley
values and the value without players add up to the logit.

The surroundings are given and not computed again for each coalition. So a coalition costs one pass over the blocks of
a page, whatever their number, and all of them together stay linear in the page.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from tamis.page.deadline import check_time
from tamis.sift.network import DILATIONS, SINGLE_THREAD, Floats, Network, Parameters, size_share

Doubles = npt.NDArray[np.float64]

_BATCH: Final = 2  #: blocks that are computed at once: 2**9 coalitions of 96 hidden units fit the cache of a core
_ROWS: Final = 1024  #: blocks that are computed at once: their states fit the cache of a core


@dataclass(frozen=True, slots=True)
class GroupValues:
    """What each player adds to the logit of each block.

    Attributes:
        shapley: blocks by players; the last player is what is around the block.
        base: the value of the game without players, one for each block; with the Shapley values it adds up to the
            logit.
        without: the logit without one player: blocks by players.
        without_two: the logit without two players: blocks by players by players.
        slopes: how much each feature adds, to first order: blocks by features. It tells features of one group apart.
    """

    shapley: Doubles
    base: Doubles
    without: Doubles
    without_two: Doubles
    slopes: Doubles


def group_values(
    networks: Sequence[Network],
    matrix: Floats,
    size: Doubles,
    groups: Sequence[Sequence[int]],
    blocks: npt.NDArray[np.intp],
) -> GroupValues:
    """Return what each group of features adds to the logit of some blocks, averaged over the networks.

    Args:
        networks: the networks, whose logits are averaged.
        matrix: blocks by features.
        size: the size of each block.
        groups: the columns of each group. Each column is in one group.
        blocks: the blocks whose values are computed; the others are around them.

    >>> from tamis.sift.network import init_params
    >>> network = Network(init_params(features=3, page_types=2, hidden=4, width=4, seed=1))
    >>> matrix, size = np.eye(3, dtype=np.float32), np.ones(3)
    >>> values = group_values([network], matrix, size, [[0, 1], [2]], np.arange(3))
    >>> logits, _ = network.forward(matrix, size)
    >>> bool(np.allclose(values.base + values.shapley.sum(axis=1), logits, atol=1e-5))
    True
    """
    parts = [_network_values(network.parameters, matrix, size_share(size), groups, blocks) for network in networks]
    return GroupValues(*(np.mean(each, axis=0) for each in zip(*parts, strict=True)))


def _network_values(
    params: Parameters,
    matrix: Floats,
    share: Floats,
    groups: Sequence[Sequence[int]],
    blocks: npt.NDArray[np.intp],
) -> tuple[Doubles, ...]:
    """Return the fields of `GroupValues` for one network."""
    players = len(groups) + 1
    given, average = _surroundings(params, matrix, share, blocks)
    scaled: Floats = (matrix[blocks] - params["mean"]) * params["scale"]
    inputs: Floats = np.stack(
        [_product(scaled[:, columns], params["dense1"][columns]) for columns in map(list, groups)]
    )
    weights, full = shapley_weights(players), 2**players - 1
    one = [full ^ (1 << player) for player in range(players)]
    two = [[each & ~(1 << player) for player in range(players)] for each in one]
    shapley, without, without_two, base = [], [], [], []
    for first in range(0, max(len(blocks), 1), _BATCH):  # no blocks are one batch of none
        check_time()
        batch = slice(first, first + _BATCH)
        values = _coalition_logits(params, inputs[:, batch], given[:, batch], average)
        shapley.append((weights @ values).T)
        without.append(values[one].T)
        without_two.append(values[two].transpose(2, 0, 1))
        base.append(values[0])
    slopes = scaled * _product(_gradient(params, scaled, given), params["dense1"].T)
    return (*(np.concatenate(each) for each in (shapley, base, without, without_two)), slopes.astype(np.float64))


@cache
def shapley_weights(players: int) -> Doubles:
    """Return the matrix that turns the values of coalitions into Shapley values. Bit k of a coalition is player k.

    >>> shapley_weights(2).tolist()
    [[-0.5, 0.5, -0.5, 0.5], [-0.5, -0.5, 0.5, 0.5]]
    """
    out = np.zeros((players, 2**players))
    for coalition in range(2**players):
        count = coalition.bit_count()
        for player in range(players):
            if coalition >> player & 1:
                out[player, coalition] = 1 / (players * math.comb(players - 1, count - 1))
            else:
                out[player, coalition] = -1 / (players * math.comb(players - 1, count))
    return out


def _relu(values: Floats) -> Floats:
    return np.maximum(values, 0)


def _multiply(values: Floats, weights: Floats, out: Floats) -> None:
    """Multiply two matrices in parts for which OpenBLAS starts no threads, as `tamis.sift.network` does."""
    step = max(SINGLE_THREAD // weights.size, 1)
    for first in range(0, len(values), step):
        np.matmul(values[first : first + step], weights, out=out[first : first + step])


def _product(values: Floats, weights: Floats) -> Floats:
    out = np.empty((len(values), weights.shape[1]), dtype=np.float32)
    _multiply(values, weights, out)
    return out


def _surroundings(
    params: Parameters, matrix: Floats, share: Floats, blocks: npt.NDArray[np.intp]
) -> tuple[Floats, Floats]:
    """Return what neighbours and context add to each layer of some blocks, and of an average block among its like."""
    count, width, margin = len(matrix), params["dense2"].shape[1], max(DILATIONS)
    around = np.zeros((count + 2 * margin, width), dtype=np.float32)  # zeros around the first and the last block
    following = around.copy()
    _write_states(params, matrix, around[margin : margin + count])
    mean = _relu(_relu(params["dense1_bias"]) @ params["dense2"] + params["dense2_bias"])
    given, average = [], []
    for layer, distance in enumerate(DILATIONS):
        before, own, after = np.split(params[f"neighbour{layer}"], 3)
        context, bias = params[f"context{layer}"], params[f"bias{layer}"]
        state = around[margin : margin + count]
        context_all = np.concatenate([share @ state, state.max(axis=0)]) @ context + bias
        both = _product(around[blocks + margin - distance], before)
        both += _product(around[blocks + margin + distance], after)
        given.append(both + context_all)
        average.append(mean @ (before + after) + np.concatenate([mean, mean]) @ context + bias)
        mean = mean + _relu(mean @ own + average[-1])
        if layer + 1 == len(DILATIONS):
            break
        for first in range(margin, margin + count, _ROWS):
            check_time()
            stop = min(first + _ROWS, margin + count)
            added = _product(around[first:stop], own)
            added += _product(around[first - distance : stop - distance], before)
            added += _product(around[first + distance : stop + distance], after)
            added += context_all
            np.add(around[first:stop], np.maximum(added, 0, out=added), out=following[first:stop])
        around, following = following, around
    return np.stack(given), np.stack(average)


def _write_states(params: Parameters, matrix: Floats, out: Floats) -> None:
    """Write the states of all blocks after the dense layers, without a copy of the features of a whole page."""
    used = np.flatnonzero(matrix.any(axis=0))  # the others are 0: a page has few of the features
    weights = (params["scale"][:, None] * params["dense1"])[used]
    mean: Floats = params["mean"] * params["scale"]
    bias: Floats = np.subtract(params["dense1_bias"], mean @ params["dense1"], dtype=np.float32)
    for first in range(0, len(matrix), _ROWS):
        check_time()
        rows = slice(first, first + _ROWS)
        hidden = _product(matrix[rows][:, used], weights)
        hidden += bias
        state = _product(np.maximum(hidden, 0, out=hidden), params["dense2"])
        state += params["dense2_bias"]
        np.maximum(state, 0, out=out[rows])


def _coalition_logits(params: Parameters, inputs: Floats, given: Floats, average: Floats) -> Doubles:
    """Return the logits of all coalitions: coalitions by blocks. The last player is what is around."""
    groups, blocks, hidden = inputs.shape
    before_relu = np.empty((2**groups, blocks, hidden), dtype=np.float32)
    before_relu[0] = params["dense1_bias"]
    for player in range(groups):
        np.add(before_relu[: 1 << player], inputs[player], out=before_relu[1 << player : 2 << player])
    np.maximum(before_relu, 0, out=before_relu)
    start = np.empty((2**groups * blocks, params["dense2"].shape[1]), dtype=np.float32)
    _multiply(before_relu.reshape(-1, hidden), params["dense2"], start)
    start += params["dense2_bias"]
    np.maximum(start, 0, out=start)
    out = np.empty((2 ** (groups + 1), blocks))
    product = np.empty_like(start)
    by_block = product.reshape(2**groups, blocks, start.shape[1])
    for around in (False, True):
        state = start.copy()
        for layer in range(len(DILATIONS)):
            _multiply(state, np.split(params[f"neighbour{layer}"], 3)[1], product)
            by_block += given[layer] if around else average[layer]
            np.maximum(product, 0, out=product)
            state += product
        logits = (state @ params["out"])[:, 0] + params["out_bias"]
        out[2**groups * around : 2**groups * (around + 1)] = logits.reshape(2**groups, blocks)
    return out


def _gradient(params: Parameters, scaled: Floats, given: Floats) -> Floats:
    """Return the gradient of each block's logit by the inputs of its first layer, with given surroundings."""
    first = _product(scaled, params["dense1"]) + params["dense1_bias"]
    second = _product(_relu(first), params["dense2"]) + params["dense2_bias"]
    state = _relu(second)
    owns, masks = [], []
    for layer in range(len(DILATIONS)):
        own = np.split(params[f"neighbour{layer}"], 3)[1]
        product = _product(state, own) + given[layer]
        owns.append(own)
        masks.append(product > 0)
        state = state + _relu(product)
    slope = np.tile(params["out"][:, 0], (len(scaled), 1))
    for own, mask in zip(reversed(owns), reversed(masks), strict=True):
        slope = slope + _product(slope * mask, own.T)
    return np.asarray(_product(slope * (second > 0), params["dense2"].T) * (first > 0))
