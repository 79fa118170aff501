"""A plot of the Mountain Model's parameter sweeps, like figures 3 and 4 of the paper."""

from collections.abc import Sequence
from pathlib import Path

from tamis.errors import MissingExtraError, OptionError
from tamis.training.train_ridge import Sweep


def plot_sweeps(sweeps: Sequence[Sweep], path: Path) -> None:
    """Plot each sweep as lines, one for each value of its row parameter."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415 (an extra)
        from matplotlib.figure import Figure  # noqa: PLC0415 (likewise)
    except ImportError as error:
        raise MissingExtraError.for_module("matplotlib", "train") from error
    figure = Figure(figsize=(6 * len(sweeps), 4.5), layout="constrained")
    FigureCanvasAgg(figure)
    for axes, sweep in zip(figure.subplots(1, len(sweeps), squeeze=False)[0], sweeps, strict=True):
        for value, share in zip(sweep.row_values, sweep.share, strict=True):
            axes.plot(sweep.column_values, share, marker="o", label=f"{sweep.row_name} {value:g}")
        axes.set_xlabel(sweep.column_name)
        axes.set_ylabel("share of pages above 0.9")
        axes.legend()
        axes.grid(visible=True, alpha=0.3)
    try:
        figure.savefig(path)
    except (OSError, ValueError) as error:  # no such folder, or an unknown image format
        raise OptionError(f"cannot write {path}: {error}") from error
