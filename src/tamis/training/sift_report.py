"""The held-out results of a training: as a table, for the card, and page by page."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tamis.errors import OptionError
from tamis.features.schema import PAGE_TYPES
from tamis.training.sift_samples import Sample

if TYPE_CHECKING:
    from tamis.training.train_sift import Trained


@dataclass(frozen=True, slots=True)
class Summary:
    """A table to print, and the same figures for the card."""

    table: str
    card: dict[str, object]


def summarize(samples: list[Sample], trained: "Trained") -> Summary:
    """Summarize the held-out scores by page type, the accuracy of the page type, and the confidence."""
    true_types = np.array([sample.example.page_type for sample in samples])
    lines = ["held-out words F1 by page type"]
    by_page_type: dict[str, float] = {}
    for number, page_type in enumerate(PAGE_TYPES):
        scores = trained.scores[true_types == number]
        if len(scores):
            by_page_type[page_type] = round(float(scores.mean()), 4)
            lines.append(f"  {page_type:<14}{len(scores):>6} pages  {by_page_type[page_type]:.4f}")
    mean = float(trained.scores.mean())
    lines.append(f"  {'all':<14}{len(samples):>6} pages  {mean:.4f}   median {np.median(trained.scores):.4f}")
    known = true_types >= 0
    correct = np.array([PAGE_TYPES.index(predicted) for predicted in trained.page_types])[known] == true_types[known]
    most_frequent = np.bincount(true_types[known]).max() / max(int(known.sum()), 1) if known.any() else 0.0
    accuracy = float(correct.mean()) if known.any() else 0.0
    lines.append(f"accuracy of the page type: {accuracy:.4f} (always the most frequent: {most_frequent:.4f})")
    varies = float(np.std(trained.confidence)) > 0 and float(np.std(trained.scores)) > 0
    correlation = float(np.corrcoef(trained.confidence, trained.scores)[0, 1]) if varies else 0.0
    lines.append(f"confidence: correlation with the true F1 {correlation:.3f}; means by tenths of the pages")
    order = np.argsort(trained.confidence, kind="stable")
    for part in np.array_split(order, 10):
        if len(part):
            confidence, score = float(trained.confidence[part].mean()), float(trained.scores[part].mean())
            lines.append(f"  confidence {confidence:.3f}  F1 {score:.3f}  {'█' * round(30 * score)}")
    lines.append(f"logit shift: {trained.model.logit_shift}")
    left_out = {name: round(float(scores.mean()), 4) for name, scores in trained.left_out.items()}
    lines += [
        f"left out: {name:<20}{len(trained.left_out[name]):>6} pages  {f1:.4f}" for name, f1 in left_out.items()
    ]
    card: dict[str, object] = {
        "words F1": round(mean, 4),
        "words F1 by page type": by_page_type,
        "page type accuracy": round(accuracy, 4),
        "confidence correlation": round(correlation, 3),
        **({"words F1 of corpora left out": left_out} if left_out else {}),
    }
    return Summary("\n".join(lines), card)


def write_results(path: Path, samples: list[Sample], trained: "Trained") -> None:
    """Write the held-out result of each page as JSON Lines."""
    lines = [
        json.dumps(
            {
                "page": sample.page_id,
                "site": sample.site,
                "page_type": PAGE_TYPES[sample.example.page_type] if sample.example.page_type >= 0 else None,
                "predicted_page_type": predicted,
                "f1": round(float(score), 4),
                "confidence": round(float(confidence), 4),
            }
        )
        for sample, score, confidence, predicted in zip(
            samples, trained.scores, trained.confidence, trained.page_types, strict=True
        )
    ]
    try:
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    except OSError as error:
        raise OptionError(f"cannot write {path}: {error.strerror}") from error
