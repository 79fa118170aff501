"""Weights files: exact round trips, and errors for damaged or invalid files."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.extractors.weights import Weights, from_json, save_weights, to_json
from tamis.papers.ridge import Svm
from tamis.sites.rules import load_profile


@pytest.mark.slow
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False)), st.dictionaries(st.text(), st.text()))
def test_round_trip_is_exact(values, card):
    weights = Weights("ridge", {"values": values}, card)
    assert from_json(to_json(weights)) == weights


def test_changed_file_is_rejected(tmp_path):
    path = tmp_path / "w.json"
    save_weights(path, Weights("ridge", {"bias": 0.5}))
    path.write_text(path.read_text().replace("0.5", "0.6"))
    with pytest.raises(tamis.OptionError, match="damaged"):
        load_profile(path)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ridge.json", "sift.json", "sift-open.json"])
def test_shipped_file_that_is_truncated_or_altered_is_rejected(tmp_path, name):
    room = "papers" if name == "ridge.json" else "sift"
    data = (Path(tamis.__file__).parent / room / "weights" / name).read_bytes()
    random = np.random.default_rng(7)
    for place in random.integers(0, len(data) - 2, 6):
        (tmp_path / name).write_bytes(data[:place])
        with pytest.raises(tamis.OptionError, match=name):
            load_profile(tmp_path / name)
        altered = bytearray(data)
        altered[place] ^= 1 + place % 7  # a letter, a digit or a mark becomes another
        (tmp_path / name).write_bytes(altered)
        with pytest.raises(tamis.OptionError, match=name):
            load_profile(tmp_path / name)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "other"}', "\x80\x04K\x01."])
def test_invalid_file_is_rejected(tmp_path, text):
    path = tmp_path / "w.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(tamis.OptionError):
        load_profile(path)


def test_unreadable_and_unwritable_files_raise_option_errors(tmp_path):
    with pytest.raises(tamis.OptionError, match="cannot read"):
        load_profile(tmp_path / "none.json")
    with pytest.raises(tamis.OptionError, match="cannot write"):
        save_weights(tmp_path / "none" / "w.json", Weights("ridge", {}))
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(tamis.OptionError, match="not text"):
        load_profile(tmp_path / "binary")


def test_file_is_plain_json_with_a_card(tmp_path):
    save_weights(tmp_path / "w.json", Weights("ridge", {"bias": 1}, {"data": ["corpus"]}))
    content = json.loads((tmp_path / "w.json").read_text())
    assert content["card"] == {"data": ["corpus"]}
    assert len(content["sha256"]) == 64


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"vectors": [[1.0]], "coefficients": [1.0, 2.0], "bias": 0, "gamma": 1},
        {"vectors": [1.0], "coefficients": [1.0], "bias": 0, "gamma": 1},
        {"vectors": [["a"]], "coefficients": [1.0], "bias": 0, "gamma": 1},
    ],
)
def test_svm_values_of_another_shape_are_rejected(values):
    with pytest.raises(tamis.OptionError, match="support vector machine"):
        Svm.from_values(values)


@pytest.mark.parametrize(
    ("method", "values"), [("ridge", {}), ("ridge", {"shape": {"no": 1}}), ("sst", {}), ("body", {})]
)
def test_profile_without_the_values_of_its_method_is_rejected(tmp_path, method, values):
    save_weights(tmp_path / "p.json", Weights(method, values))
    with pytest.raises(tamis.OptionError):
        load_profile(tmp_path / "p.json")
