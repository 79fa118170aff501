"""The Mountain Model's parameter sweeps as a picture, like the paper's figures 3 and 4."""

from collections.abc import Sequence
from pathlib import Path

from tamis.errors import MissingExtraError, OptionError
from tamis.training.train_ridge import Sweep


def plot(sweeps: Sequence[Sweep], path: Path) -> None:
    """Draw each sweep as lines, one for each value of the parameter that its table has down."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415 (an extra)
        from matplotlib.figure import Figure  # noqa: PLC0415 (likewise)
    except ImportError as error:
        raise MissingExtraError.for_module("matplotlib", "train") from error
    figure = Figure(figsize=(6 * len(sweeps), 4.5), layout="constrained")
    FigureCanvasAgg(figure)
    for axes, shown in zip(figure.subplots(1, len(sweeps), squeeze=False)[0], sweeps, strict=True):
        for value, share in zip(shown.down[1], shown.share, strict=True):
            axes.plot(shown.across[1], share, marker="o", label=f"{shown.down[0]} {value:g}")
        axes.set_xlabel(shown.across[0])
        axes.set_ylabel("share of pages above 0.9")
        axes.legend()
        axes.grid(visible=True, alpha=0.3)
    try:
        figure.savefig(path)
    except (OSError, ValueError) as error:  # no such folder, or no such format of pictures
        raise OptionError(f"cannot write {path}: {error}") from error
