"""The columns that are scanned from the serialization of a page equal those of the walk over its nodes."""

from itertools import pairwise

import numpy as np
import pytest
import turbohtml
from hypothesis import given
from hypothesis import strategies as st

from tamis._core import loader
from tamis._core.loader import core
from tamis.html.attributes import LISTED
from tamis.page import parse_page
from tamis.page.parse import _walk
from tests.needs import needs

pytestmark = needs("the compiled core")  # the scanner is compiled alone

pieces = st.lists(
    st.sampled_from(
        [
            "<p>", "</p>", "<div class='a  b'>", '<div id=x role="a&amp;b" title="&quot;<>&nbsp;">', "<i hidden>",
            "<b style='Display: none'>", "<b style=color:red>", "<u aria-hidden=TRUE>", "<a name=x>", "<a id=y>",
            "<a href=z>", "</a>", "</b>", "</div>", "<pre>\n\nx", "<pre>\nx", "<textarea>\n\n", "</textarea>",
            "</pre>",
            "<svg>", "<style>a<b</style>", "<script>x<y</script>", "<script type=math/tex>z</script>", "<title>t<b>",
            "<script><!-- <script> </script> --> </script>", "<script><!-->\n</script>", "<!-- c -->", "<!-->",
            "<!--a--->", "<?pi x>", "<foreignObject>", "<math>", "<mi>", "<annotation-xml encoding=text/html>",
            "<annotation-xml>", "<desc>", "</svg>", "</math>", "<template>", "</template>", "<table>", "<tr>", "<td>",
            "</table>", "<br>", '<img a"b=c =d=e>', "<p<b>", "<xmp><i></xmp>", "<iframe><p></iframe>", "<keygen>",
            "<noscript>", "<link>", "<custom-tag data-tex='x &lt; y'>", "<plaintext>", "<select><option>", "<hr>",
            "two words", "&lt;&amp;&nbsp;&gt;\"'", "漢字", "\U0001f600", "é", " \n", "<![CDATA[x]]>", "&amp;lt;",
        ]
    ),
    max_size=30,
)  # fmt: skip


@given(pieces)
def test_scan_equals_walk(parts):
    document = turbohtml.parse("".join(parts), positions=False, allow_declarative_shadow_roots=False)
    scanned, walked = loader.scan(document.serialize()), _walk(document)
    if scanned is None:  # the page is walked
        return
    nodes = walked[11].nodes
    if len(nodes) != len(scanned[0]):  # texts side by side are one row
        texts = [type(node) is turbohtml.Text for node in nodes]
        assert any(first and second for first, second in pairwise(texts))
        return
    for one, other in zip(scanned[:10], walked[:10], strict=True):
        assert np.array_equal(one, other)
    assert scanned[10] == walked[10]
    source, classes = scanned[11], scanned[13]
    for row in range(len(nodes)):
        assert source.all(row) == walked[11].all(row)
        assert source.raw_text(row) == walked[11].raw_text(row)
        number = scanned[12][row]
        assert (classes[number - 1] if number else None) == walked[11].value(row, "class")
        if scanned[0][row] == 1:
            assert source.tag(row) == walked[11].tag(row)
    hiding = {LISTED.index(name) for name in ("hidden", "aria-hidden", "style")}
    listed = [sorted(zip(*each[14], strict=True)) for each in (scanned, walked)]
    assert [entry for entry in listed[0] if entry[1] not in hiding] == [
        entry for entry in listed[1] if entry[1] not in hiding
    ]
    assert {entry for entry in listed[0] if entry[1] in hiding} <= set(listed[1])


@pytest.mark.parametrize(
    "source",
    [
        "<p>",
        "<p></b>",
        "</p>",
        "<p class>x</p>",
        '<p class="x',
        "<!--",
        "<",
        "<p",
        "<plaintext>x</plaintext>",
        "<![CDATA[",
    ],
)
def test_what_is_no_serialization_is_refused(source):
    assert loader.scan(source) is None


def test_attributes_of_every_kind_of_row():
    page = parse_page('<p id=x class=" a  b " rel="c  d" title="&amp;quot;">one<!-- two --><x-y>three</x-y>')
    row = int(page.rows_of("p")[0])
    assert page.attributes(row) == {"id": "x", "class": "a b", "rel": "c d", "title": "&quot;"}
    assert page.attribute_of(row, "class") == " a  b "
    assert page.attribute_of(row, "missing") is page.attribute_of(row + 1, "id") is None
    assert page.attributes(row + 1) == page.attributes(row + 2) == {}
    assert [page.tag_name(each) for each in range(row, len(page))] == ["p", "", "", "x-y", ""]
    assert [page.raw_text(each) for each in range(row, len(page))] == ["onethree", "one", " two ", "three", "three"]


def test_nodes_are_those_of_the_rows():
    page = parse_page("<p>one<!-- two --><b>three</b><template><i>four</i></template>")
    assert len(page.nodes) == len(page)
    assert [getattr(node, "tag", "") for node in page.nodes] == [page.tag_name(row) for row in range(len(page))]


def test_no_nodes_are_made_for_text():
    import tamis  # noqa: PLC0415 (the whole way, in one test)

    page = parse_page("<main><h1>Tea</h1><p class=note>" + "Boil the water, and wait. " * 20 + "</main>")
    assert tamis.extract(page).text
    assert "nodes" not in vars(page)


def test_core_has_the_walk_too():
    assert core.walk(turbohtml.parse("<p>x"))[-1] == ["x"]


@given(st.text(st.characters(codec=None, exclude_categories=()), max_size=40))
def test_surrogates_are_found(text):
    try:
        text.encode()
    except UnicodeEncodeError:
        assert loader.has_surrogates(text)
    else:
        assert not loader.has_surrogates(text)
