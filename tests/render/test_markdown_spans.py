"""Spans as Markdown: CommonMark reads back the emphasis that was written, and there is no HTML in it."""

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tamis.document.parts import CodeSpan, Emphasis, Image, LineBreak, Link, Text
from tamis.render.markdown import image_markdown, paragraph_markdown, spans_markdown, without_needless_escapes
from tamis.render.registry import RenderOptions

COMMONMARK = MarkdownIt("commonmark").enable("strikethrough")
DEFAULT = RenderOptions()
_TEXTS = st.text("ab é漢.,:!*_()“”™ ", min_size=1, max_size=6).map(Text)
_LEAVES = st.one_of(_TEXTS, _TEXTS, st.just(CodeSpan("c`d")), st.just(LineBreak()))
_SPANS = st.recursive(
    _LEAVES,
    lambda inner: st.one_of(
        st.builds(
            Emphasis,
            st.sampled_from(["em", "strong", "em", "strong", "del"]),
            st.lists(inner, min_size=1, max_size=4).map(tuple),
        ),
        st.builds(
            lambda spans: Link("/u", tuple(s for s in spans if not isinstance(s, Link))),
            st.lists(inner, min_size=1, max_size=3),
        ),
    ),
    max_leaves=8,
)


def has_link(span):
    return isinstance(span, Link) or (isinstance(span, Emphasis) and any(map(has_link, span.spans)))


def walk(spans):
    for span in spans:
        yield span
        if isinstance(span, Emphasis | Link):
            yield from walk(span.spans)


def emphasised(spans, within=frozenset()):
    """Return each letter with the emphases around it."""
    for span in spans:
        match span:
            case Text(text) | CodeSpan(text):
                yield from ((char, within) for char in text if char.isalnum())
            case Emphasis(tag, inner):
                yield from emphasised(inner, within | {tag})
            case Link(_, inner):
                yield from emphasised(inner, within)


def parsed(markdown):
    out, within = [], []
    for block in COMMONMARK.parse(markdown):
        for token in block.children or ():
            name = {"em": "em", "strong": "strong", "s": "del"}.get(token.tag)
            if name and token.nesting == 1:
                within.append(name)
            elif name and token.nesting == -1:
                within.pop()
            out += [(char, frozenset(within)) for char in token.content if char.isalnum()]
    return out


@pytest.mark.slow
@given(st.lists(_SPANS, min_size=1, max_size=5).map(tuple))
def test_commonmark_reads_no_emphasis_that_is_not_there(spans):
    assume(not any(isinstance(span, Link) and any(map(has_link, span.spans)) for span in walk(spans)))
    # A document has line breaks before or after an inline element, not at its edge.
    inner = [span.spans for span in walk(spans) if isinstance(span, Emphasis | Link)]
    assume(not any(isinstance(edge, LineBreak) for each in inner for edge in (*each[:1], *each[-1:])))
    markdown = spans_markdown((Text("x "), *spans), DEFAULT)
    assert "<" not in markdown
    expected = [("x", frozenset()), *emphasised(spans)]
    found = parsed(markdown)
    assert [char for char, _ in found] == [char for char, _ in expected]
    for (char, read), (_, meant) in zip(found, expected, strict=True):
        assert read <= meant, (char, markdown)


@pytest.mark.parametrize(
    ("spans", "markdown"),
    [
        ((Emphasis("strong", (Text("bold "), Emphasis("em", (Text("it"),)))),), "**bold *it***"),
        ((Emphasis("em", (Emphasis("strong", (Text("both"),)),)),), "***both***"),
        ((Emphasis("em", (Emphasis("em", (Text("one"),)),)),), "*one*"),
        ((Emphasis("strong", (Text("Note:"),)), Text("tea")), "**Note**:tea"),
        ((Text("tea"), Emphasis("strong", (Text(" (hot)"),)), Text(".")), "tea **(hot)**."),
        ((Link("u", (Text("tea"),)), Emphasis("em", (Text("."),))), "[tea](u)*.*"),
        ((Text("a"), Emphasis("em", (Link("u", (Text("b"),)),))), "a[*b*](u)"),
        ((Text("“"), Emphasis("strong", (Text("Tea."),)), Text("”")), "“**Tea.**”"),
        ((Emphasis("strong", (Text("a"),)), Emphasis("em", (Text("b"),))), "**a**_b_"),
        ((Emphasis("del", (Text("cold"),)), Text(" hot")), "~~cold~~ hot"),
        ((Emphasis("mark", (Text("hot"),)),), "==hot=="),
        ((Emphasis("ins", (Text("new"),)),), "new"),
        ((Text("H"), Emphasis("sub", (Text("2"),)), Text("O")), "H<sub>2</sub>O"),
        ((Text("the 2"), Emphasis("sup", (Text("nd"),)), Text(" cup")), "the 2nd cup"),
        ((Text("Tea"), Emphasis("sup", (Text("®"),))), "Tea®"),
        ((Text("the "), Link("u", (CodeSpan("cup"),)), Text(" of")), "the [`cup`](u) of"),
    ],
)
def test_emphasis_as_people_write_it(spans, markdown):
    assert spans_markdown(spans, DEFAULT) == markdown


def test_no_two_spaces_where_an_image_was():
    spans = (Text("Green "), Image("https://example.org/a.png", "tea"), Text(" tea"))
    assert spans_markdown(spans, RenderOptions(images=False)) == "Green tea"
    assert not re.search("  ", spans_markdown(spans, DEFAULT))


def test_the_alternative_text_of_a_picture_is_escaped_where_it_must_be():
    assert image_markdown(Image("/a.png", "The market [Photo: Ann]")) == "![The market [Photo: Ann]](/a.png)"
    assert image_markdown(Image("/a.png", "A] & B")) == "![A\\] & B](/a.png)"


@pytest.mark.slow
@given(st.lists(_SPANS, min_size=1, max_size=5).map(tuple))
def test_a_paragraph_reads_the_same_without_needless_backslashes(spans):
    markdown = spans_markdown((Text("x "), *spans), DEFAULT)
    assert COMMONMARK.render(without_needless_escapes(markdown)) == COMMONMARK.render(markdown)


@given(st.text("ab .*_`~=-|:#\\\\[](<", min_size=1, max_size=24))
def test_a_paragraph_of_signs_is_read_as_its_text(text):
    text = " ".join(text.split())
    assume(text)
    (_, inline, _) = COMMONMARK.parse(paragraph_markdown((Text(text),)))
    assert [child.type for child in inline.children] in (["text"], [])
    assert "".join(child.content for child in inline.children) == text


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("Tea for 5 € * in all.", "Tea for 5 € * in all."),
        ("2 * 3 * 4", "2 * 3 * 4"),
        ("She *has* to", r"She \*has\* to"),
        ("a _b_ c_ d", r"a \_b\_ c\_ d"),
        ("Write to @ann_ or call", "Write to @ann_ or call"),
        ("* a note", r"\* a note"),
        ("*a note", "*a note"),
        ("x[i][k] = y[1](2)", r"x[i][k] = y[1\](2)"),
        ("-- Ann", "-- Ann"),
        ("---", r"\---"),
    ],
)
def test_backslashes_stand_only_where_they_are_needed(text, markdown):
    assert paragraph_markdown((Text(text),)) == markdown


def test_what_is_deleted_at_the_start_of_a_line_is_marked():
    assert paragraph_markdown((Emphasis("del", (Text("5 €"),)), Text(" 4 €"))) == "~~5 €~~ 4 €"
