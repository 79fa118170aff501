"""Weights in files: plain JSON with a card that says where they come from, checked by a hash when read.

A file holds numbers, lists and words, never code: nothing in it can run. The hash covers everything else in the
file, so a truncated download or a stray edit is told instead of giving slightly wrong answers.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from tamis.errors import OptionError

FORMAT: Final = "tamis weights 1"


@dataclass(frozen=True, slots=True)
class Weights:
    """Learned values for one method.

    Attributes:
        method: the extractor they are for.
        values: what it needs, by name: numbers, strings, and lists of them.
        card: where they come from: data, date, scores.
    """

    method: str
    values: Mapping[str, Any]
    card: Mapping[str, Any] = field(default_factory=dict)


def _written(content: Mapping[str, Any]) -> str:
    """Return the one way to write some content: keys sorted, no spaces, floats with all their digits."""
    return json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _digest(content: Mapping[str, Any]) -> str:
    return sha256(_written(content).encode()).hexdigest()


def to_json(weights: Weights) -> str:
    """Return the text of a weights file.

    >>> print(to_json(Weights("ridge", {"bias": 0.5}, {"pages": 2})))
    {"card":{"pages":2},"format":"tamis weights 1","method":"ridge","sha256":"...","values":{"bias":0.5}}
    """
    content = {
        "format": FORMAT,
        "method": weights.method,
        "card": dict(weights.card),
        "values": dict(weights.values),
    }
    return _written({**content, "sha256": _digest(content)})


def from_json(text: str, name: str = "the weights") -> Weights:
    """Read the text of a weights file; an `OptionError` says what is wrong with it.

    >>> from_json(to_json(Weights("ridge", {"bias": 0.5}))).values["bias"]
    0.5
    """
    try:
        content = json.loads(text)
    except ValueError as error:
        raise OptionError(f"{name} is not JSON: {error}") from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise OptionError(f"{name} is no weights file of this version ({FORMAT})")
    told = content.pop("sha256", None)
    if told != _digest(content):
        raise OptionError(f"{name} is damaged: its content does not have the hash that it names")
    if not (isinstance(content.get("method"), str) and isinstance(content.get("values"), dict)):
        raise OptionError(f"{name} has no method or no values")
    return Weights(content["method"], content["values"], content.get("card") or {})


def save_weights(path: Path, weights: Weights) -> None:
    """Write a weights file."""
    try:
        path.write_text(to_json(weights) + "\n", encoding="utf-8")
    except OSError as error:
        raise OptionError(f"cannot write {path}: {error.strerror}") from error


def load_weights(path: Path) -> Weights:
    """Read a weights file and check its hash."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise OptionError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise OptionError(f"{path} is not text: {error.reason}") from error
    return from_json(text, str(path))
