"""The columns of a page agree with the parser's tree."""

import re
from pathlib import Path

import numpy as np
import pytest
import turbohtml
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis._core import loader
from tamis.errors import EncodingNameError, MarkupTypeError
from tamis.html import tags
from tamis.page import ELEMENT, TEXT, Hidden, parse_page

# Markup that a careless author could have written: nested, unclosed, misnested, with tables and templates.
PIECES = """
    <p> </p> <div> </div> <b> </b> <i> </i> <a href=x> </a> <table> <tr> <td> </table> <ul> <li> </ul> <br> <hr>
    <template> </template> <script>x</script> <style>y</style> <!--c--> <select> <option> </select> <svg> </svg>
    <math> <mi> </math> <noscript> </noscript> <pre> </pre> <textarea> </textarea> text words, &amp; <h1> </h1>
"""
pieces = st.sampled_from(PIECES.split())
markup = st.lists(st.one_of(pieces, st.text(max_size=8)), max_size=40).map(" ".join)


def parser_text(html):
    document = turbohtml.parse(html, allow_declarative_shadow_roots=False)
    raw = {name for name, is_raw in zip(tags.NAMES, tags.RAW, strict=True) if is_raw}
    return "".join(
        node.data
        for node in document.descendants
        if isinstance(node, turbohtml.Text) and getattr(node.parent, "tag", None) not in raw
    )


@given(markup)
def test_text_of_all_rows_equals_the_parsers_text(html):
    page = parse_page(html)
    expected = "".join("�" if "\ud800" <= char <= "\udfff" else char for char in parser_text(html))
    assert "".join(page.row_text(row) for row in np.flatnonzero(page.is_text)) == expected
    assert page.text == expected


@given(markup)
def test_rows_equal_the_parsers_tree(html):
    page = parse_page(html)
    nodes = page.nodes
    rows = {id(node): row for row, node in enumerate(nodes)}
    for row in range(1, len(page)):
        parent = nodes[row].parent
        assert rows.get(id(parent), page.parent[row]) == page.parent[row]
        assert page.depth[row] == page.depth[page.parent[row]] + 1
        assert row < page.end[row] <= page.end[page.parent[row]]
        if page.node_type[row] == ELEMENT:
            assert page.tag_name(row) == nodes[row].tag


def test_text_of_golden_pages_equals_the_parsers_text(golden):
    html = golden.html.decode("utf-8")
    assert parse_page(golden.html).text == parser_text(html)


def page_and_row(html, word):
    page = parse_page(html)
    row = next(row for row in np.flatnonzero(page.is_text) if word in page.row_text(row))
    return page, int(row)


@pytest.mark.parametrize("tag", ["a", "button", "select"])
def test_text_inside_a_link_has_the_link_flag(tag):
    inner = "<option>here</option>" if tag == "select" else "<b>here</b>"
    page, row = page_and_row(f"<p>out <{tag}>{inner}</{tag}></p>", "here")
    assert page.link[row]
    page, row = page_and_row(f"<p>out <{tag}>{inner}</{tag}></p>", "out")
    assert not page.link[row]


@pytest.mark.parametrize(
    ("html", "reason"),
    [
        ("<div hidden><p>word</div>", Hidden.ATTRIBUTE),
        ("<div aria-hidden=TRUE><p>word</div>", Hidden.ARIA),
        ("<div style='color:red;DISPLAY : none'><p>word</div>", Hidden.DISPLAY),
        ("<div style='visibility:hidden'><p>word</div><p>more that is shown", Hidden.VISIBILITY),
        ("<template><p>word</template>", Hidden.ELEMENT),
        ("<body><noscript><p>word</noscript>", Hidden.ELEMENT),
        ("<title>word</title>", Hidden.ELEMENT),
        ("<div hidden><p aria-hidden=true>word</div>", Hidden.ATTRIBUTE | Hidden.ARIA),
    ],
)
def test_hidden_text_has_the_bits_of_its_reasons(html, reason):
    page, row = page_and_row(html, "word")
    assert Hidden(int(page.hidden[row])) == reason


@pytest.mark.parametrize(
    "html",
    [
        "<div style='--no-display:nonexistent'>word",
        "<p style='display:block'>word",
        "<div aria-hidden=false>word",
        "<body style='display:none'><p>word",  # an anti-flicker snippet
        "<div><template shadowrootmode=open><p>word</template></div>",  # a browser shows it
        f"<p>nav</p><div hidden><p>word {'and more text ' * 50}</div>",  # contains most of the page
        f"<body><p>nav</p><noscript><p>word {'and more text ' * 50}</noscript>",  # a page built by scripts
        "<p>Shown from the start.</p><div hidden id=S:1f>word</div>",  # streamed by React
    ],
)
def test_shown_text_is_not_hidden(html):
    page, row = page_and_row(html, "word")
    assert page.hidden[row] == 0


def test_scripts_styles_and_comments_keep_their_rows_without_text():
    page = parse_page("<p>a<script>b</script><style>c</style><!--d-->e")
    assert page.text == "ae"
    assert [page.tag_name(int(row)) for row in page.rows_of("script")] == ["script"]
    assert len(page) == 12  # document html head body p a script b style c comment e


def test_preformatted_text_has_the_pre_flag():
    page, row = page_and_row("<pre><code>word</code></pre>", "word")
    assert page.pre[row]


def test_attribute_returns_values_by_row():
    page = parse_page('<img src=i.png alt="An image"><a href=/x rel=next>y</a><time datetime=2020-01-02>z</time>')
    assert list(page.attribute("src").values()) == ["i.png"]
    assert list(page.attribute("alt").values()) == ["An image"]
    assert list(page.attribute("rel").values()) == ["next"]
    assert list(page.attribute("datetime").values()) == ["2020-01-02"]
    assert page.attribute("lang") == {}


@pytest.mark.parametrize(
    ("data", "header", "encoding"),
    [
        (b"\xef\xbb\xbf<p>\xc3\xa9", "windows-1252", "UTF-8"),  # the byte-order mark wins over the header
        (
            b"<meta charset=windows-1251><p>\xe9",
            "iso-8859-1",
            "windows-1252",
        ),  # the header wins over the page
        (b"<meta charset=windows-1251><p>\xe9", None, "windows-1251"),
        (
            "<p>漢字仮名交じり文、これはペンです。日本語の文章が続きます。".encode("shift_jis"),
            None,
            "Shift_JIS",
        ),
    ],
)
def test_bytes_are_decoded_in_the_order_of_the_standard(data, header, encoding):
    assert parse_page(data, encoding=header).encoding == encoding


def test_invalid_input_raises_a_typed_error():
    with pytest.raises(MarkupTypeError, match="expected str or bytes, got NoneType"):
        parse_page(None)
    with pytest.raises(EncodingNameError, match="klingon"):
        parse_page(b"x", encoding="klingon")


@given(st.text())
def test_counts_of_a_text_run_equal_naive_counts(text):
    page = parse_page("<pre>x" + text.replace("<", "(").replace("&", "+") + "</pre>")
    for row in np.flatnonzero(page.node_type == TEXT):
        row_text = page.row_text(row)
        assert page.words[row] == len(row_text.split())
        assert page.chars[row] == len(page.collapsed_text(row)) == len(" ".join(row_text.split()))
        assert page.nonspace[row] == len("".join(row_text.split()))


def test_raw_text_and_attributes_are_those_of_the_source_also_where_rows_are_removed():
    page = parse_page("<nav><script type=x>brew()</script><!-- c --></nav><p>Tea")
    (script,) = page.rows_of("script").tolist()
    removed = page.with_removed(((4, int(page.end[4])),))
    for each in (page, removed):
        assert [each.raw_text(row) for row in (script, script + 1, script + 2)] == ["brew()", "brew()", " c "]
        assert each.attribute_of(script, "type") == "x"
        assert each.attribute_of(script, "src") is None


def test_the_nodes_of_the_parser_are_read_in_the_page_alone():
    source = Path(tamis.__file__).parent
    readers = [
        path.relative_to(source).as_posix()
        for path in source.rglob("*.py")
        if re.search(r"(?:page|parsed|\))\.nodes\b", path.read_text("utf-8"))
    ]
    assert {path.partition("/")[0] for path in readers} <= {"page"}


DECLARATION = "<!doctype html><html><head><meta charset=utf-8><title>Thé</title>"


@pytest.mark.parametrize(
    "head",
    [
        DECLARATION,
        DECLARATION.replace("charset=utf-8", 'http-equiv=content-type content="text/html; charset=UTF-8"'),
        "\ufeff" + DECLARATION,
        DECLARATION.replace("utf-8", "windows-1252"),
        "<!-- <meta charset=utf-8> -->" + DECLARATION.replace("utf-8", "latin1"),
        DECLARATION.replace("<meta", "<meta charset=gbk><meta"),
        "x" * 1024 + DECLARATION,
    ],
)
@pytest.mark.parametrize("body", ["<p>Deux tasses de thé, s'il vous plaît.", "<p>\r\n漢字\0<br>"])
def test_bytes_are_decoded_as_the_parser_decodes_them(head, body):
    markup = (head + body).encode()
    document = turbohtml.parse(markup, detect_encoding=True, positions=False)
    page = parse_page(markup)
    if page.declared_encoding is None:
        assert (page.encoding, page.document.serialize()) == (document.encoding, document.serialize())
    else:  # the bytes contradict what the page declares
        assert (page.encoding, page.declared_encoding) == ("UTF-8", document.encoding)


def test_the_document_of_a_large_page_is_parsed_again_where_it_is_asked_for() -> None:
    page = parse_page("<body>" + "<p class=x>Tea<br>" * 40_000)
    assert len(page) > 100_000
    assert page.parsed.is_kept is (loader.scan is None)  # the nodes are walked without it, and kept
    assert page.element_rows(page.elements("br"))[-1] == len(page) - 1
    assert page.parsed.is_kept is True
    assert parse_page("<p>Tea").parsed.is_kept is True
