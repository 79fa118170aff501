"""The registry: built-in, installed and registered extractors by name."""

import pytest

from tamis.errors import OptionError, UnknownNameError
from tamis.extractors import registry
from tamis.extractors.registry import Selection


class Everything:
    name = "everything"
    summary = "all text"
    source = "tests"

    def select(self, page):
        return Selection.from_mask(page, page.shown)


class NeedsArgument(Everything):
    def __init__(self, option):
        self.option = option


@pytest.fixture(autouse=True)
def _unregister():
    yield
    registry.unregister("everything")


def test_registered_extractor_is_found_until_it_is_unregistered():
    registry.register(Everything)
    assert "everything" in registry.names()
    assert isinstance(registry.get("everything"), Everything)
    registry.unregister("everything")
    assert "everything" not in registry.names()
    with pytest.raises(UnknownNameError):
        registry.get("everything")


@pytest.mark.parametrize(
    ("factory", "message"),
    [
        (Everything(), "takes a callable that returns an extractor, such as its class, not Everything"),
        ("everything", "not str"),
        (NeedsArgument, "calls its argument without arguments: .*option"),
        (dict, "dict is not an extractor: it has no name, summary, source, select"),
        (lambda: Everything, r"got the class Everything; pass an instance: Everything\(\)"),
    ],
)
def test_register_rejects_what_is_not_an_extractor(factory, message):
    before = registry.names()
    with pytest.raises(OptionError, match=message):
        registry.register(factory)
    assert registry.names() == before


def test_unknown_name_suggests_a_similar_one():
    with pytest.raises(UnknownNameError, match="no extractor is named 'coreax'; did you mean coreex"):
        registry.get("coreax")


def test_entry_point_that_is_not_an_extractor_is_an_option_error(tmp_path, monkeypatch):
    package = tmp_path / "plugin_with_dict-1.0.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: plugin-with-dict\nVersion: 1.0\n")
    (package / "entry_points.txt").write_text("[tamis.extractors]\ndictionary = builtins:dict\n")
    monkeypatch.syspath_prepend(tmp_path)
    registry._installed.cache_clear()
    try:
        assert "dictionary" in registry.names()
        with pytest.raises(OptionError, match="dict is not an extractor"):
            registry.get("dictionary")
    finally:
        monkeypatch.undo()
        registry._installed.cache_clear()


def test_only_visual_extractors_need_a_layout():
    needing = {name for name in registry.names() if registry.needs_layout(registry.get(name))}
    assert needing == {"cehtd", "vips-leaf"}
