import warnings

import pytest

import tamis
from tamis.errors import MissingExtraError, UnknownExtractorError
from tamis.evaluate.third_party import PEERS, Peer
from tamis.evaluate.tools import Own, open_tool, tool_names

SENTENCE = "On day {0} the ferry left the harbour at dawn, and nobody on the quay was there to see it go."
PARAGRAPHS = "".join("<p>" + " ".join(SENTENCE.format(3 * n + k) for k in range(3)) + "</p>" for n in range(6))
PAGE = f"""<!doctype html><html lang="en"><head><title>The ferry</title></head><body>
<nav><ul><li><a href="/a">Home</a></li><li><a href="/b">Sport</a></li></ul></nav>
<article><h1>The ferry</h1>{PARAGRAPHS}</article>
<footer><a href="/c">Imprint</a></footer></body></html>"""


@pytest.mark.parametrize("name", PEERS)
def test_every_peer_finds_a_plain_article(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what peers do while they are imported is theirs
        peer = open_tool(name)
        text = peer.text(PAGE, "https://news.example/ferry")
        assert text.count("harbour") == 18
        assert "Imprint" not in text
        assert peer.text(PAGE) == text
    assert peer.version[0].isdigit()


def test_a_peer_that_is_not_installed_says_how_to_get_it():
    missing = Peer("nobody", "nobody-has-this", lambda _html, _url: "")
    with pytest.raises(MissingExtraError, match=r"pip install 'tamis\[peers\]'"):
        _ = missing.version


def test_a_peer_whose_module_is_missing_says_how_to_get_it():
    def call(_html, _url):
        raise ModuleNotFoundError("nobody")

    with pytest.raises(MissingExtraError, match="nobody-has-this"):
        Peer("nobody", "nobody-has-this", call).text("")


def test_tools_are_asked_for_by_name():
    assert open_tool("cetd") == open_tool("tamis:cetd") == Own("cetd")
    assert open_tool("justext") is open_tool("peer:justext") is PEERS["justext"]
    assert open_tool("body").version == tamis.__version__
    assert {"cetd", "trafilatura"} <= set(tool_names())


def test_a_name_that_nobody_has_is_told_with_the_nearest():
    with pytest.raises(UnknownExtractorError, match="did you mean trafilatura"):
        open_tool("trafilature")
    with pytest.raises(UnknownExtractorError, match="there are"):
        open_tool("peer:cetd-of-nobody-zzz")
