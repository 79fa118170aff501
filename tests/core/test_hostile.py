"""Random pages through every compiled loop. `make sanitize` runs this with bounds checks and sanitizers on."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis._core import loader
from tests.needs import needs

PIECES = r"""
    <p> </p> <div> </div> <b> </b> <a> </a> <table> <tr> <td> </table> <ul> <li> </ul> <br> <br><br> <hr> <h1> </h1>
    <template> </template> <script>x</script> <style>y</style> <!--c--> <select> <option> </select> <svg> </svg> <mi>
    <noscript> </noscript> <pre> </pre> <textarea> </textarea> <title> </title> <article> </article> <img> <input> ,
    <meta> <base> <frameset> <body> <head> <html> <plaintext> <xmp> </xmp> &amp; 漢字。 😀 word words. <math> <h2>
"""
pieces = st.sampled_from([*PIECES.split(), "\0", "\u200b", "\U000e0041", "\ud800"])
attributes = st.sampled_from(
    [
        "class=comment",
        "class='a b c'",
        "id=S:1f",
        "hidden",
        "style=display:none",
        "href=x",
        "name=x",
        "role=main",
        "aria-hidden=true",
    ]
)
tags_with_attributes = st.builds(
    lambda name, values: f"<{name} {' '.join(values)}>",
    st.sampled_from(["p", "div", "a", "ul", "li", "td", "section", "body"]),
    st.lists(attributes, max_size=4),
)
markup = st.lists(st.one_of(pieces, tags_with_attributes, st.text(max_size=12)), max_size=80).map(" ".join)


@pytest.mark.slow
@given(st.one_of(markup, st.binary(max_size=400)))
def test_random_page_is_extracted(html):
    extraction = tamis.extract(html)
    extraction.markdown.encode()
    assert len(extraction.page.positions.start) == len(extraction.page)


@pytest.mark.slow
@given(markup, st.integers(1, 40))
def test_repeated_random_page_is_extracted(html, times):
    extraction = tamis.extract(html * times)
    assert len(extraction.selection.mask) == len(extraction.page)


@needs("sanitizers")
def test_sanitized_modules_check_bounds():
    parent = memoryview(b"\xff\xff\xff\xff\x05\x00\x00\x00").cast("i")
    with pytest.raises(IndexError):
        loader.core.ancestors_with_tag([1], parent, memoryview(bytes(2)), bytes(1), outermost=False)
    with pytest.raises(IndexError):
        loader.core.propagate_down(parent, memoryview(bytearray(1)))
