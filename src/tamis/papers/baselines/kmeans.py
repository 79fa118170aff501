"""Deterministic k-means: the initial centres are spread evenly over the lengths of the points."""

from typing import Final

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

_MAX_ITERATIONS: Final = 100  # bounds the time; real pages converge within about ten


def cluster(points: Floats, clusters: int, *, origin: bool = False) -> tuple[npt.NDArray[np.int64], Floats]:
    """Cluster points; return the cluster of each point and the centres, ordered by distance from the origin.

    Args:
        points: one row per point.
        clusters: number of clusters; at most the number of points.
        origin: whether the first centre stays at the origin.

    >>> cluster(np.array([[0.1], [5.0], [0.0], [5.2], [9.0]]), 3)[0].tolist()
    [0, 1, 0, 1, 2]
    """
    length = np.sqrt((points**2).sum(axis=1))
    order = np.argsort(length, kind="stable")
    count = min(clusters, len(points))
    if not count:
        return np.zeros(0, dtype=np.int64), np.zeros((0, points.shape[1]))
    # Evenly spaced between the shortest and the longest length: the gaps matter, not the number of points.
    targets = np.linspace(length[order[0]], length[order[-1]], count)
    above = np.searchsorted(length[order], targets).clip(0, len(points) - 1)
    below = np.maximum(above - 1, 0)
    nearer = targets - length[order[below]] <= length[order[above]] - targets
    centres = points[order[np.where(nearer, below, above)]].copy()
    if origin:
        centres[0] = 0
    label = np.full(len(points), -1, dtype=np.int64)
    for _ in range(_MAX_ITERATIONS):
        nearest = _nearest(points, centres)
        if (nearest == label).all():
            break
        label = nearest
        size = np.bincount(label, minlength=count)
        for axis in range(points.shape[1]):
            sums = np.bincount(label, weights=points[:, axis], minlength=count)
            centres[:, axis] = np.where(size > 0, sums / np.maximum(size, 1), centres[:, axis])
        if origin:
            centres[0] = 0
    rank = np.argsort((centres**2).sum(axis=1), kind="stable")
    new_label = np.empty(count, dtype=np.int64)
    new_label[rank] = np.arange(count)
    return new_label[label], centres[rank]


def _nearest(points: Floats, centres: Floats) -> npt.NDArray[np.int64]:
    """Return the nearest centre of each point, the first of equally near ones. One centre at a time saves memory."""
    best = np.full(len(points), np.inf)
    label = np.zeros(len(points), dtype=np.int64)
    for number, centre in enumerate(centres):
        distance = ((points - centre) ** 2).sum(axis=1)
        nearer = distance < best
        label[nearer], best[nearer] = number, distance[nearer]
    return label
