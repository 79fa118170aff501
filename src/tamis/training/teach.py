"""Teaching: one network, the student, learns what the average of several, its teachers, says of the same pages."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
import numpy.typing as npt

from tamis.features.schema import PAGE_TYPES
from tamis.model.choice import sigmoid
from tamis.model.network import Network, Parameters
from tamis.model.sift_model import softmax
from tamis.training.batch import Example
from tamis.training.page_type_head import fit_page_type
from tamis.training.sift_samples import Corpus, examples_of
from tamis.training.train_network import TrainConfig, train

LABEL_SHARE: Final = 0.25  #: of the labels in what the student learns; the rest is what its teachers say
_TYPE_LABEL_SHARE: Final = 0.5  # the same for the type of a page


def teach(
    corpora: Sequence[Corpus],
    teachers: Sequence[Network],
    shares: Sequence[float],
    config: TrainConfig,
    groups: Sequence[npt.NDArray[np.int64]],
) -> Parameters:
    """Train a student on the pages of corpora, with teachers and their shares in the average."""
    student = Network(train(taught_examples(corpora, teachers, shares), len(PAGE_TYPES), config, groups))
    labelled = [page for page in examples_of(corpora) if page.page_type >= 0]
    if not labelled:
        return student.parameters
    return fit_page_type(student, labelled, np.array([taught_type(page, teachers) for page in labelled]))


def taught_examples(corpora: Sequence[Corpus], teachers: Sequence[Network], shares: Sequence[float]) -> list[Example]:
    """Return the training pages with what the teachers say of each block, mixed with its label.

    They all count as pages of one corpus: the teachers have settled in what the corpora differ.
    """
    out = []
    for example in examples_of(corpora):
        matrix = np.asarray(example.matrix, dtype=np.float32)
        logits = np.zeros(len(example.size))
        for network, share in zip(teachers, shares, strict=True):
            logits += share * network.forward(matrix, example.size)[0]
        taught = example.words * sigmoid(logits)
        hits = LABEL_SHARE * example.hits + (1 - LABEL_SHARE) * taught
        out.append(replace(example, hits=hits, corpus=0))
    return out


def taught_type(page: Example, teachers: Sequence[Network]) -> npt.NDArray[np.float64]:
    """Return the probability of each type of a labelled page: the mean of what the teachers say, and its label."""
    matrix = np.asarray(page.matrix, dtype=np.float32)
    said = np.mean([softmax(network.forward(matrix, page.size)[1].tolist()) for network in teachers], axis=0)
    out = np.asarray((1 - _TYPE_LABEL_SHARE) * said, dtype=np.float64)
    out[page.page_type] += _TYPE_LABEL_SHARE
    return out
