"""Weights files: plain JSON with a model card, checked by a hash when read.

A file holds numbers, strings and lists, never code: nothing in it can run. The hash covers everything else in the
file, so that a truncated download or a stray edit is an error and not a slightly wrong result.
"""

import json
from collections.abc import Mapping
from dataclasses import field
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from tamis.errors import OptionError
from tamis.lazy import dataclass

FORMAT: Final = "tamis weights 1"


@dataclass(frozen=True, slots=True)
class Weights:
    """Learned values for one method.

    Attributes:
        method: the name of the extractor.
        values: its learned values by name: numbers, strings, and lists of them.
        card: the data, date and scores of the training.
    """

    method: str
    values: Mapping[str, Any]
    card: Mapping[str, Any] = field(default_factory=dict)


def _canonical(content: Mapping[str, Any]) -> str:
    """Return content as canonical JSON: keys sorted, no spaces, floats with all their digits."""
    return json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _digest(content: Mapping[str, Any]) -> str:
    return sha256(_canonical(content).encode()).hexdigest()


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
    return _canonical({**content, "sha256": _digest(content)})


def from_json(text: str, name: str = "the weights") -> Weights:
    """Read the text of a weights file. An `OptionError` says what is wrong with it.

    >>> from_json(to_json(Weights("ridge", {"bias": 0.5}))).values["bias"]
    0.5
    """
    try:
        content = json.loads(text)
    except ValueError as error:
        raise OptionError(f"{name} is not JSON: {error}") from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise OptionError(f"{name} is not a weights file of this version ({FORMAT})")
    declared_digest = content.pop("sha256", None)
    # `to_json` wrote all but the hash as it was hashed; a file that was formatted since is written again for it.
    unhashed = text.strip().replace(f'"sha256":"{declared_digest}",', "", 1)
    if declared_digest != sha256(unhashed.encode()).hexdigest() and declared_digest != _digest(content):
        raise OptionError(f"{name} is damaged: its content does not match its hash")
    if not (isinstance(content.get("method"), str) and isinstance(content.get("values"), dict)):
        raise OptionError(f"{name} has no method or no values")
    return Weights(content["method"], content["values"], content.get("card") or {})


def save_weights(path: Path, weights: Weights) -> None:
    """Write a weights file."""
    try:
        path.write_text(to_json(weights) + "\n", encoding="utf-8")
    except OSError as error:
        raise OptionError(f"cannot write {path}: {error.strerror}") from error
