"""What cross-validation found, as a table, for the card, and page by page."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tamis.errors import OptionError
from tamis.extractors.sift import KINDS
from tamis.training.sift_samples import Sample

if TYPE_CHECKING:
    from tamis.training.train_sift import Trained


@dataclass(frozen=True, slots=True)
class Summary:
    """A table for a person, and the same figures for the card."""

    table: str
    card: dict[str, object]


def summary(samples: list[Sample], trained: "Trained") -> Summary:
    """Sum the held-out scores up: by kind, the kinds told, the confidence."""
    true = np.array([sample.example.kind for sample in samples])
    lines = ["held-out words F1, by the kind of page"]
    by_kind: dict[str, float] = {}
    for number, kind in enumerate(KINDS):
        own = trained.scores[true == number]
        if len(own):
            by_kind[kind] = round(float(own.mean()), 4)
            lines.append(f"  {kind:<14}{len(own):>6} pages  {by_kind[kind]:.4f}")
    mean = float(trained.scores.mean())
    lines.append(f"  {'all':<14}{len(samples):>6} pages  {mean:.4f}   median {np.median(trained.scores):.4f}")
    known = true >= 0
    right = np.array([KINDS.index(told) for told in trained.kinds])[known] == true[known]
    commonest = np.bincount(true[known]).max() / max(int(known.sum()), 1) if known.any() else 0.0
    accuracy = float(right.mean()) if known.any() else 0.0
    lines.append(f"kind of page told rightly: {accuracy:.4f} (always the commonest: {commonest:.4f})")
    spread = float(np.std(trained.expected)) > 0 and float(np.std(trained.scores)) > 0
    correlation = float(np.corrcoef(trained.expected, trained.scores)[0, 1]) if spread else 0.0
    lines.append(f"confidence: correlation with the true F1 {correlation:.3f}; by tenths of the pages")
    order = np.argsort(trained.expected, kind="stable")
    for part in np.array_split(order, 10):
        if len(part):
            said, came = float(trained.expected[part].mean()), float(trained.scores[part].mean())
            lines.append(f"  said {said:.3f}  came {came:.3f}  {'█' * round(30 * came)}")
    lines.append(f"shift: {trained.model.shift}")
    card: dict[str, object] = {
        "words F1": round(mean, 4),
        "by kind": by_kind,
        "kind told rightly": round(accuracy, 4),
        "confidence correlation": round(correlation, 3),
    }
    return Summary("\n".join(lines), card)


def write_results(path: Path, samples: list[Sample], trained: "Trained") -> None:
    """Write the held-out result of every page, one JSON object a line."""
    lines = [
        json.dumps(
            {
                "page": sample.page,
                "site": sample.site,
                "page_type": KINDS[sample.example.kind] if sample.example.kind >= 0 else None,
                "told": told,
                "f1": round(float(score), 4),
                "confidence": round(float(expected), 4),
            }
        )
        for sample, score, expected, told in zip(
            samples, trained.scores, trained.expected, trained.kinds, strict=True
        )
    ]
    try:
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    except OSError as error:
        raise OptionError(f"cannot write {path}: {error.strerror}") from error
