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
    assert "| green *tea* | 70 |" in ours.HTML2Text().handle(page)
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


def test_images_of_figures_can_be_their_alternative_texts():
    page = "<figure><img src=p.png alt=pot width=400 height=300><figcaption>A pot.</figcaption></figure>"
    assert written(ours, page, images_to_alt=True).split() == ["pot", "A", "pot."]
    assert written(ours, page, images_to_alt=True, ignore_images=True).split() == ["A", "pot."]


def test_single_line_breaks_leave_code_as_it_is():
    page = "<h1>Tea</h1><p>Boil.</p><pre><code>first()\n\nsecond()</code></pre><p>Wait."
    text = written(ours, page, single_line_break=True)
    assert text == "# Tea\nBoil.\n```\nfirst()\n\nsecond()\n```\nWait.\n\n"


def test_the_class_has_the_parameters_and_the_settings_of_the_package():
    mine, real = (inspect.signature(package.HTML2Text).parameters for package in (ours, theirs))
    assert [(name, parameter.default) for name, parameter in mine.items()] == [
        (name, parameter.default) for name, parameter in real.items()
    ]
    settings = {name: value for name, value in vars(ours.HTML2Text()).items() if name != "baseurl"}
    assert settings == {name: getattr(theirs.HTML2Text(), name) for name in settings}
    documented = {"unicode_snob", "escape_snob", "protect_links", "bypass_tables", "mark_code", "wrap_links"}
    assert documented <= settings.keys()


@pytest.mark.parametrize("name", ["bypass_tables", "protect_links", "mark_code", "pad_tables", "google_doc"])
def test_settings_without_effect_say_so_once(name):
    with pytest.warns(UserWarning, match=f"'{name}' has no effect"):
        written(ours, PAGE, **{name: True})
    written(ours, PAGE, **{name: True})
    written(ours, PAGE, unicode_snob=True, escape_snob=True, ul_item_mark="-", emphasis_mark="*", wrap_links=False)


def test_a_width_says_once_that_it_has_no_effect():
    with pytest.warns(UserWarning, match="'bodywidth' has no effect"):
        ours.html2text(PAGE, bodywidth=40)
    ours.html2text(PAGE, bodywidth=40)
    ours.html2text(PAGE, bodywidth=0)
