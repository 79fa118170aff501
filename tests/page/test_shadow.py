"""A declarative shadow root: its fragment is a row without tag and attributes."""

import pytest

import tamis

HTML = """<div><template shadowrootmode="open"><h2>Tea <a href="#tea">¶</a></h2>
Loose text. <a href="#x">1</a><p class="author">Ann Lee</p><li>stray</li><img src="a.png" alt="x"></template></div>"""


@pytest.mark.parametrize("format_name", ["markdown", "html", "text", "json", "xml"])
def test_every_format_has_the_text_of_a_shadow_root(format_name):
    extraction = tamis.extract(HTML, "https://example.org/", extractor="body")
    assert "Loose text." in extraction.render(format_name, provenance=True).text


def test_metadata_is_read_beside_a_shadow_root():
    extraction = tamis.extract(HTML, "https://example.org/", extractor="body")
    assert extraction.metadata.url == "https://example.org/"
    assert extraction.title is None or "Tea" in extraction.title
