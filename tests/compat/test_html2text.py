import inspect

import pytest

from tamis.compat import html2text as ours
from tests.compat.real import load, outcome

theirs = load("html2text")
PAGE = "<h1>Tea</h1><p><strong>Soft</strong> water from <a href='/well'>the well</a>.</p><h2>Pots</h2>"


@pytest.mark.parametrize("page", ["", "<html></html>", "hello", "  "], ids=repr)
def test_pages_with_little_text_are_the_same(page):
    assert ours.html2text(page) == theirs.html2text(page)


def test_paragraphs_emphasis_headings_and_links_are_the_same():
    assert ours.html2text(PAGE, "https://example.org/") == theirs.html2text(PAGE, "https://example.org/")


def test_bytes_are_a_type_error():
    assert outcome(ours.html2text, b"<p>x</p>") is outcome(theirs.html2text, b"<p>x</p>") is TypeError


@pytest.mark.parametrize("name", ["ignore_links", "ignore_images"])
def test_settings_of_the_class(name):
    page = "<p>Hello, <a href='https://example.org/'>world</a> <img src='https://example.org/p.png' alt=pot>!</p>"
    texts = []
    for package in (ours, theirs):
        writer = package.HTML2Text()
        setattr(writer, name, True)
        texts.append(writer.handle(page))
    assert texts[0].split() == texts[1].split()


def test_tables_can_be_written_as_text():
    page = "<p>Tea<table><caption>Heat<tr><th>leaf<th>degrees<tr><td>green <i>tea</i><td>70</table>"
    assert "green _tea_| 70" in ours.HTML2Text().handle(page)
    for package in (ours, theirs):
        text = written(package, page, ignore_tables=True)
        assert "|" not in text
        assert all(word in text for word in ("Heat", "leaf", "degrees", "green", "70"))


def written(package, page, baseurl="", **settings):
    writer = package.HTML2Text(baseurl=baseurl, bodywidth=0)
    for name, value in settings.items():
        setattr(writer, name, value)
    return writer.handle(page)


RICH = (
    "<p>Some <b>bold</b> <i>tea</i> <del>milk</del> <img src='https://example.org/p.png'> "
    "<img src='https://example.org/q.png' alt=pot> <a href='mailto:ann@example.org'>Ann</a> "
    "<a href='#top'>top</a> <a href='https://example.org/other#part'>part</a></p>"
)


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"skip_internal_links": False},
        {"ignore_mailto_links": True},
        {"ignore_emphasis": True},
        {"images_to_alt": True},
        {"images_to_alt": True, "ignore_images": True},
        {"images_to_alt": True, "default_image_alt": "picture"},
        {"default_image_alt": "picture"},
        {"ignore_links": True, "ignore_images": True, "ignore_emphasis": True},
    ],
    ids=str,
)
def test_settings_write_the_same_markdown(settings):
    mine, real = (written(package, RICH, emphasis_mark="*", **settings) for package in (ours, theirs))
    assert mine.split() == real.split()


def test_links_within_the_page_are_skipped_also_with_a_base_url():
    for package in (ours, theirs):
        assert "[" not in written(package, "<a href='#top'>top</a>", "https://example.org/tea")


FIGURE = "<figure><img src=p.png alt=pot width=400 height=300><figcaption>A pot.</figcaption></figure>"
CODE = "<h1>Tea</h1><p>Boil.</p><pre>first()\n\nsecond()</pre><p>Wait."
TABLE = "<table> <tr> <th>leaf</th> <th>degrees</th> </tr> <tr> <td>green</td> <td>70</td> </tr> </table>"
LIST = "<p>To do</p><ul><li>boil<ol><li>well</li><li>tap</li></ol></li><li>wait</li></ul><p>Then pour.</p>"
LINES = "<p>" + "Boil soft water, wait three minutes, and pour it over the leaves. " * 4


@pytest.mark.parametrize(
    ("page", "settings"),
    [
        ("<img src=a.png alt=A>", {}),  # an image alone
        ("<p><img src=a.png alt=A> Tea <img src=b.png></p>", {}),  # images at the ends
        (FIGURE, {"images_to_alt": True}),
        (FIGURE, {"images_as_html": True}),
        (FIGURE, {"images_with_size": True}),
        (CODE, {}),
        (CODE, {"mark_code": True}),
        (CODE, {"backquote_code_style": True}),
        ("<pre>first()</pre><pre>second()</pre>", {"mark_code": True}),
        ("<blockquote><p>Boil.</p><pre>first()\nsecond()</pre></blockquote>", {"backquote_code_style": True}),
        ("<blockquote><p>Boil.</p><pre>first()\nsecond()</pre></blockquote>", {"mark_code": True}),
        (TABLE, {}),
        (TABLE, {"pad_tables": True}),
        (TABLE, {"ignore_tables": True}),
        (LIST, {}),
        (LIST, {"ul_item_mark": "-"}),
        (RICH, {"protect_links": True}),
        (RICH, {"inline_links": False}),
        (RICH, {"emphasis_mark": "*", "strong_mark": "__"}),
        (LINES, {"body_width": 40}),
        (LINES + LIST, {"body_width": 78}),
        ("<blockquote><p>Boil.</p><p>Wait.</p></blockquote><p>Pour.", {}),
        ("<p>1. No list<p>+ none<p>- none", {}),
        ("<p>A _mark_ [here]", {"escape_snob": True}),
        ("<p>&eacute; &mdash; &rsquo;", {}),
        ("<p>&eacute; &mdash; &rsquo;", {"unicode_snob": True}),
    ],
    ids=str,
)
def test_pages_are_the_same_markdown(page, settings):
    texts = (written(package, page, **settings) for package in (ours, theirs))
    mine, real = ([line for line in text.splitlines() if line.strip()] for text in texts)  # it has more blank lines
    assert mine == real


@pytest.mark.parametrize("setting", ["mark_code", "backquote_code_style"])
def test_code_in_marks_is_a_block_of_its_own(setting):
    mine, real = ours.HTML2Text(), theirs.HTML2Text()
    setattr(mine, setting, True)
    setattr(real, setting, True)
    for page in ("<pre>first()</pre>Tea", CODE, "Tea<br><pre>first()</pre>"):
        assert mine.handle(page) == real.handle(page)


def test_text_can_be_fed_in_pieces():
    writer = ours.HTML2Text()
    writer.feed("<p>Boil")
    writer.feed(" water.</p>")
    assert writer.close() == "Boil water.\n\n"


def test_the_class_has_the_parameters_and_the_settings_of_the_package():
    mine, real = (inspect.signature(package.HTML2Text).parameters for package in (ours, theirs))
    assert [(name, parameter.default) for name, parameter in mine.items()] == [
        (name, parameter.default) for name, parameter in real.items()
    ]
    settings = {name: getattr(ours.HTML2Text(), name) for name in (*ours._SETTINGS, *ours._IGNORED)}
    assert settings == {name: getattr(theirs.HTML2Text(), name) for name in settings}


def test_settings_without_effect_say_so_once():
    with pytest.warns(UserWarning, match="'google_doc' has no effect"):
        written(ours, PAGE, google_doc=True)
    written(ours, PAGE, google_doc=True)
