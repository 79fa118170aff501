import pytest

import tamis
from tamis.errors import UnknownNameError
from tamis.lab.evaluate import tools
from tamis.lab.evaluate.tools import THIRD_PARTY_TOOLS, TamisTool, open_tool, tool_names


def test_open_tool_finds_extractors_and_third_party_tools():
    assert open_tool("cetd") == open_tool("tamis:cetd") == TamisTool("cetd")
    assert open_tool("justext") is open_tool("third-party:justext") is THIRD_PARTY_TOOLS["justext"]
    assert open_tool("body").version == tamis.__version__
    assert {"cetd", "trafilatura"} <= set(tool_names())


def test_unknown_tool_names_a_similar_one_or_all():
    with pytest.raises(UnknownNameError, match="did you mean trafilatura"):
        open_tool("trafilature")
    with pytest.raises(UnknownNameError, match="there are"):
        open_tool("third-party:cetd-of-nobody-zzz")


def test_installed_tools_are_the_default_of_a_comparison(monkeypatch):
    assert set(tools.installed_tools()) <= set(tools.tool_names())
    monkeypatch.setattr(tools, "THIRD_PARTY_TOOLS", {})
    assert tools.installed_tools() == ["cetd", "coreex", "ridge"]
