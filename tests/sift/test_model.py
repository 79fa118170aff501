"""The weights file of sift binds names to columns: it survives a permutation and names what does not fit."""

import base64
from dataclasses import replace

import numpy as np
import pytest

import tamis
from tamis.extractors.weights import Weights, from_json, to_json
from tamis.page import parse_page
from tamis.sift.extractor import Sift, shipped
from tamis.sift.features import NAMES, Features, measure
from tamis.sift.network import SiftModel, init_params

PAGE = "<nav><a href=/>Home</a></nav><article class=post><h1>Tea</h1><p>Boil water, and wait. Pour.</p></article>"


def shuffled(weights, order):
    """The same model with the columns of its features in another order."""
    names = weights.values["features"]
    networks = []
    for network in weights.values["networks"]:
        arrays = dict(network)
        for name in ("mean", "scale", "dense1", "page_type_mean", "page_type_max"):
            array = np.frombuffer(base64.b64decode(network[name]["f2"]), dtype="<f2").reshape(network[name]["shape"])
            arrays[name] = {
                "shape": network[name]["shape"],
                "f2": base64.b64encode(np.ascontiguousarray(array[order]).tobytes()).decode(),
            }
        networks.append(arrays)
    headline = np.frombuffer(base64.b64decode(weights.values["headline"]["f2"]), dtype="<f2")
    moved = np.append(headline[:-1][order], headline[-1])
    encoded = {"shape": [len(moved)], "f2": base64.b64encode(moved.tobytes()).decode()}
    bounds = np.frombuffer(base64.b64decode(weights.values["bounds"]["f2"]), dtype="<f2")[order]
    values = {
        **weights.values,
        "headline": encoded,
        "bounds": {"shape": [len(bounds)], "f2": base64.b64encode(bounds.tobytes()).decode()},
        "features": [names[k] for k in order],
        "networks": networks,
    }
    return Weights("sift", values, weights.card)


def test_weights_survive_a_file():
    model = SiftModel.from_weights(from_json(to_json(shipped().to_weights())))
    page = parse_page(PAGE)
    assert (Sift(model=model).select(page).score == Sift().select(page).score).all()
    assert to_json(model.to_weights()) == to_json(shipped().to_weights())


def test_permuted_features_load_as_the_same_model():
    order = np.random.default_rng(1).permutation(len(NAMES))
    weights = shuffled(shipped().to_weights(), order)
    assert weights.values["features"] != list(NAMES)
    model = SiftModel.from_weights(from_json(to_json(weights)))
    for network, expected in zip(model.networks, shipped().networks, strict=True):
        assert all((network.parameters[name] == expected.parameters[name]).all() for name in expected.parameters)
    assert (model.headline == shipped().headline).all()
    assert (model.bounds == shipped().bounds).all()
    page = parse_page(PAGE)
    assert (Sift(model=model).select(page).score == Sift().select(page).score).all()


@pytest.mark.parametrize(
    ("rename", "message"),
    [
        (lambda names: names[:-1], "they lack path_slug$"),
        (lambda names: [*names, "shoe_size"], "they have unknown shoe_size$"),
        (lambda names: ["colour", *names[1:]], "they lack size and have unknown colour$"),
        (lambda names: [*names, "size"], "twice"),
    ],
)
def test_features_that_do_not_fit_are_named(rename, message):
    weights = shipped().to_weights()
    values = {**weights.values, "features": rename(weights.values["features"])}
    with pytest.raises(tamis.OptionError, match=message):
        SiftModel.from_weights(Weights("sift", values))


@pytest.mark.parametrize(
    "field", ["features", "networks", "page_types", "logit_shift", "min_expected_f1", "calibration"]
)
def test_a_missing_field_is_named(field):
    weights = shipped().to_weights()
    values = {name: value for name, value in weights.values.items() if name != field}
    with pytest.raises(tamis.OptionError, match=field):
        SiftModel.from_weights(Weights("sift", values))


def test_parameters_of_another_shape_are_rejected():
    small = init_params(features=5, page_types=7, hidden=4, width=4, seed=0)
    weights = shipped().to_weights()
    model = SiftModel((type(shipped().networks[0])(small),), shipped().page_types, 0.0, 0.0, np.zeros((2, 2)), {})
    values = {**weights.values, "networks": model.to_weights().values["networks"]}
    with pytest.raises(tamis.OptionError, match="mean has 5 rows, not 301"):
        SiftModel.from_weights(Weights("sift", values))


def test_weights_of_another_method_are_rejected():
    with pytest.raises(tamis.OptionError, match="for ridge, not for sift"):
        SiftModel.from_weights(Weights("ridge", {}))


def test_values_beyond_the_bounds_say_no_more_than_the_bounds():
    model = shipped()
    page = parse_page(PAGE)
    features = measure(page)
    wild = Features(features.matrix.copy(), features.size)
    wild.matrix[:, NAMES.index("depth")] = 1e6
    capped = Features(features.matrix.copy(), features.size)
    capped.matrix[:, NAMES.index("depth")] = model.bounds[NAMES.index("depth")]
    np.testing.assert_array_equal(model.predict(model.bound(wild))[0], model.predict(model.bound(capped))[0])
    assert (wild.matrix <= model.bounds).all()
    deep = "<table><tr><td>x" * 200 + PAGE
    select = Sift().select(parse_page(deep))
    assert select.scores.features.column("depth").max() == model.bounds[NAMES.index("depth")]
    damaged = {**model.to_weights().values}
    damaged["bounds"] = damaged["headline"]
    with pytest.raises(tamis.OptionError, match="bounds has"):
        SiftModel.from_weights(Weights("sift", damaged))


def test_logits_are_shifted():
    features = measure(parse_page(PAGE))
    plain, _ = replace(shipped(), logit_shift=0.0).predict(features)
    assert replace(shipped(), logit_shift=1.5).predict(features)[0] == pytest.approx(plain - 1.5)
