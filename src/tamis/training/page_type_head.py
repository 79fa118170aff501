"""The page type: a linear layer that is fitted again when a network is trained.

It reads what the network has pooled and, beside it, the mean and the maximum of each feature over the page. Trained
together with the blocks, the type is the smaller part of the loss, and a small network has no room for it. The layer
learns labels and what the networks said of the page type before, in equal parts. Of pages that the networks do not
know (short pages, other scripts, corpora of articles) the labels count for more.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from tamis.model.network import Network, Parameters, pool, size_share
from tamis.model.sift_model import softmax
from tamis.training.adam import Adam
from tamis.training.batch import Example

Floats = npt.NDArray[np.float32]

#: Chosen on the folds of WCXB dev, where penalties from 0.01 to 0.2 differ by 0.003.
_PENALTY: Final = 0.05
_STEPS: Final = 300
_LEARNING_RATE: Final = 0.05
_LABEL_SHARE: Final = 0.5  # of the label in the target; the rest is what the networks say
_OTHER_LABEL_SHARE: Final = 0.8  # the same for other pages


def fit_page_types(
    networks: Sequence[Network], pages: Sequence[Example], others: Sequence[Example] = ()
) -> list[Parameters]:
    """Return the parameters of networks that are averaged, the page type of each fitted to the same targets.

    Args:
        networks: the networks.
        pages: pages like those that the networks were trained on; those without a type are left out.
        others: further pages, with their weights.
    """
    labelled = [page for page in pages if page.page_type >= 0]
    if not labelled:
        return [network.parameters for network in networks]
    further = [page for page in others if page.page_type >= 0]
    targets = [type_target(page, networks, _LABEL_SHARE) for page in labelled]
    targets += [type_target(page, networks, _OTHER_LABEL_SHARE) for page in further]
    return [fit_page_type(network, [*labelled, *further], np.array(targets)) for network in networks]


def type_target(page: Example, networks: Sequence[Network], label_share: float) -> npt.NDArray[np.float64]:
    """Return the probability of each type of a labelled page: the mean of what networks say, and its label."""
    matrix = np.asarray(page.matrix, dtype=np.float32)
    predicted = np.mean([softmax(network.forward(matrix, page.size)[1].tolist()) for network in networks], axis=0)
    out = np.asarray((1 - label_share) * predicted, dtype=np.float64)
    out[page.page_type] += label_share
    return out


def fit_page_type(network: Network, pages: Sequence[Example], targets: npt.NDArray[np.float64]) -> Parameters:
    """Return the parameters of a network with a page type that is fitted to targets, pages by types.

    The loss is the cross-entropy, weighted by page, with a penalty on the squares of the weights; all pages are one
    batch.
    """
    inputs = np.array([_inputs(network, page) for page in pages], dtype=np.float32)
    weight = np.array([page.weight for page in pages], dtype=np.float32)
    weight = (weight / weight.sum())[:, None]
    mean = (weight * inputs).sum(axis=0)
    scale = 1 / (np.sqrt((weight * (inputs - mean) ** 2).sum(axis=0)) + 0.01)
    inputs = (inputs - mean) * scale
    fitted = {
        "weights": np.zeros((inputs.shape[1], targets.shape[1]), dtype=np.float32),
        "bias": np.zeros(targets.shape[1], dtype=np.float32),
    }
    adam = Adam(fitted, _LEARNING_RATE, 0.0, _STEPS)
    for _ in range(_STEPS):
        logits = inputs @ fitted["weights"] + fitted["bias"]
        probs = np.exp(logits - logits.max(axis=1, keepdims=True))
        error = (weight * (probs / probs.sum(axis=1, keepdims=True) - targets)).astype(np.float32)
        adam.step({"weights": inputs.T @ error + _PENALTY * fitted["weights"], "bias": error.sum(axis=0)})
    weights = fitted["weights"] * scale[:, None]
    bias = fitted["bias"] - mean @ weights
    pooled, features = 2 * network.parameters["dense2"].shape[1], len(network.parameters["dense1"])
    # The features are standardized here and not in `Network`: their mean moves into the bias.
    of_mean, of_max = np.split(weights[pooled:] * np.tile(network.parameters["scale"], 2)[:, None], [features])
    bias = bias - network.parameters["mean"] @ (of_mean + of_max)
    return {
        **network.parameters,
        "page_type": weights[:pooled],
        "page_type_bias": bias,
        "page_type_mean": of_mean,
        "page_type_max": of_max,
    }


def _inputs(network: Network, page: Example) -> Floats:
    """Return what the page type reads: the pooled state, and the pooled features, standardized."""
    matrix, share = np.asarray(page.matrix, dtype=np.float32), size_share(page.size)
    standardized = (matrix - network.parameters["mean"]) * network.parameters["scale"]
    return np.concatenate([pool(network.state(matrix, share), share), pool(standardized.T, share)])
