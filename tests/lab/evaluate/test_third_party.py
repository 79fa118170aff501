import warnings

import pytest

from tamis.errors import MissingExtraError
from tamis.lab.evaluate.tools import THIRD_PARTY_TOOLS, ThirdPartyTool, open_tool

SENTENCE = "On day {0} the ferry left the harbour at dawn, and nobody on the quay was there to see it go."
PARAGRAPHS = "".join("<p>" + " ".join(SENTENCE.format(3 * n + k) for k in range(3)) + "</p>" for n in range(6))
PAGE = f"""<!doctype html><html lang="en"><head><title>The ferry</title></head><body>
<nav><ul><li><a href="/a">Home</a></li><li><a href="/b">Sport</a></li></ul></nav>
<article><h1>The ferry</h1>{PARAGRAPHS}</article>
<footer><a href="/c">Imprint</a></footer></body></html>"""


@pytest.mark.slow
@pytest.mark.parametrize("name", THIRD_PARTY_TOOLS)
def test_third_party_tool_extracts_a_plain_article(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some tools warn on import
        tool = open_tool(name)
        text = tool.text(PAGE, "https://news.example/ferry")
        assert text.count("harbour") == 18
        assert "Imprint" not in text
        assert tool.text(PAGE) == text
    assert tool.version[0].isdigit()


def test_missing_distribution_names_the_extra():
    missing = ThirdPartyTool("nobody", "nobody-has-this", lambda _html, _url: "")
    with pytest.raises(MissingExtraError, match=r"pip install 'tamis\[third-party\]'"):
        _ = missing.version


def test_missing_module_names_the_distribution():
    def call(_html, _url):
        raise ModuleNotFoundError("nobody")

    with pytest.raises(MissingExtraError, match="nobody-has-this"):
        ThirdPartyTool("nobody", "nobody-has-this", call).text("")
