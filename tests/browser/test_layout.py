"""`Layout`: the browser's nodes match the page's rows; rectangles, styles and visibility are right."""

from pathlib import Path

import pytest

from tamis.browser import Browser, Visibility
from tamis.browser.engine import Job
from tamis.browser.match import same_rows
from tamis.errors import OptionError
from tamis.page import parse_page
from tamis.page.layout import with_layout

HOSTILE = {
    "empty": "",
    "white space": " \n\t ",
    "plain text": "Just a line of text.\nNo markup at all.",
    "foster parenting": "<table>lost<b>x<tr><td>y</b>z<p>w</table>after",
    "fostered spaces": "<table> <tr> lost <td> x </td></tr> <form><input type=hidden></form></table>",
    "misnested formatting": "<b>1<p>2</b>3<i>4</p>5</i>6<a href=x>7<a href=y>8<div>9</a>",
    "reopened formatting": "<p><b><i><u>one<p>two<p>three</b>four",
    "Noah's ark": "<p><b class=x><b class=x><b class=x><b class=x>deep<p>again",
    "templates": "<template><p>in<template>deep<tr><td>x</template></template><p>x<table><template><tr></table>",
    "shadow": "<div><template shadowrootmode=open><u>drawn</u><slot></slot></template>light</div>",
    "noscript": "<head><noscript><style>p{}</style></noscript></head><p>a<noscript><p>b <i>c</noscript>d",
    "frameset": "<frameset><frame src=a></frameset><noframes>text</noframes>",
    "svg and math": "<svg><foreignObject><p>x</p></foreignObject><title>t</title><![CDATA[a]]>b</svg>"
    "<math><mi>y</mi><annotation-xml encoding='text/html'><p>z",
    "select": "<select><b>x<option>y<optgroup>z<hr><div>q</select>",
    "plaintext": "<p>a<plaintext><b>x",
    "raw text": "<title><b></title><textarea>\n<p>x</textarea><xmp><i></xmp><iframe><p></iframe><style><p></style>",
    "fields that hide nodes": "<form><input name=nodeType><input name=lastChild><input name=prefix>"
    "<input name=getBoundingClientRect><input name=setAttribute><p>text</form>"
    "<img name=documentElement><form name=body></form><img name=createRange>",
    "comments between texts": "a<!--b-->c<?d?>e</p>f<!doctype g>",
    "NUL bytes": "<p>a\0b</p>\0<p>\0</p><svg>\0</svg>",
    "lone surrogates": "<p>\ud800 alone \udfff</p>\ufeff<p>and \ud83d split 😀",
    "byte-order marks": "\ufeff\ufeff<p>x",
    "line ends": "<pre>\r\na\rb\n\nc</pre>",
    "one huge word": "<p>" + "a" * 200_000,
    "a refresh": "<meta http-equiv=refresh content='0;url=/elsewhere'><p>still here",
    "a refresh of itself": "<meta http-equiv=refresh content=0><p>still here",
    "a base": "<base href='http://192.0.2.1/'><link rel=stylesheet href=x.css><img src=y.png>text",
    "a policy": "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'\"><p style='color:red'>x",
    "500 deep": "<div>" * 500 + "text",
}


def take_snapshot(browser: Browser, page):
    return browser._submit(Job(browser._job(page, None).markup)).result()[0]


def golden_markup():
    tests = Path(__file__).parent.parent
    return [
        pytest.param(path.read_bytes(), id=f"{path.parent.parent.name}-{path.parent.name}")
        for folder in ("pages", "structure", "visual/pages")
        for path in sorted((tests / folder).glob("*/page.html"))
    ]


@pytest.mark.parametrize("markup", golden_markup())
def test_golden_pages_have_the_same_rows_in_the_browser(browser, markup):
    page = parse_page(markup)
    assert same_rows(page, take_snapshot(browser, page))


@pytest.mark.parametrize("markup", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_markup_has_the_same_rows_in_the_browser(browser, markup):
    page = parse_page(markup)
    assert same_rows(page, take_snapshot(browser, page))


def test_same_rows_detects_differences(browser):
    page = parse_page("<p>one<b>two</b></p>")
    for different in ("<p>one<i>two</i></p>", "<p>one<b>three</b></p>", "<p>one<!--two--></p>", "<p>one"):
        assert not same_rows(parse_page(different), take_snapshot(browser, page))


def test_bytes_are_rendered_as_they_were_decoded(browser):
    markup = '<meta charset="windows-1251"><p>Привет, мир'.encode("cp1251")
    page = browser.render(parse_page(markup))
    assert page.layout.unmatched == 0
    assert page.layout.visible[page.rows_of("p")[0] + 1]
    japanese = parse_page("<p>お茶".encode("shift_jis"), encoding="shift_jis")
    assert same_rows(japanese, take_snapshot(browser, japanese))


def test_document_nested_deeper_than_the_browser_allows_is_matched_up_to_two_rows(browser):
    page = browser.render(parse_page("<div>" * 600 + "t" + "</div>u" * 600))
    assert page.layout.unmatched <= 2
    assert page.layout.visible[page.is_element & (page.depth > 3)].all()


def test_hidden_field_in_a_table_leaves_only_its_own_row_unmatched(browser):
    """The parser moves the field out of the table; the browser does not."""
    page = browser.render(parse_page('before<table><input type="hidden"><tr><td>in the table</table>after —'))
    assert page.layout.unmatched <= 1
    assert page.layout.visible[page.shown].all()


def row_of(page, text):
    return next(row for row in range(len(page)) if page.is_text[row] and page.row_text(row).strip() == text)


STYLED_PAGE = """
<style>body { margin: 0; font: 20px sans-serif } #box { position: absolute; left: 100px; top: 50px; width: 300px }
b { color: rgb(1, 2, 3) } i { background: #ff0000 }</style>
<div id=box style="height: 40px; background: rgba(0, 128, 0, .5)">plain <b>bold</b> <i>red</i></div>
<p style="margin-top: 200px; color: oklch(0 0 0)">below</p>
"""


def test_layout_has_rectangles_fonts_and_colors(browser):
    page = browser.render(parse_page(STYLED_PAGE))
    layout, row = page.layout, page.rows_of("div")[0]
    assert [float(getattr(layout, side)[row]) for side in ("left", "top", "right", "bottom")] == [100, 50, 400, 90]
    assert layout.font_size[row] == 20
    assert layout.area[row] == 300 * 40
    bold, red = row_of(page, "bold"), row_of(page, "red")
    assert layout.font_weight[bold] == 700
    assert layout.font_weight[red] == 400
    assert layout.color[bold] == 0x010203FF
    assert layout.background[red] == 0xFF0000FF
    assert layout.background[bold] == layout.background[row] == 0x00800080
    assert layout.background[page.body] == 0xFFFFFFFF
    assert layout.color[row_of(page, "below")] == 0x000000FF  # a color that is not written rgb()
    assert not layout.inline[row]
    assert layout.inline[bold]
    assert layout.viewport == (1280, 1024)


def test_text_between_elements_has_its_own_rectangle(browser):
    page = browser.render(parse_page(STYLED_PAGE))
    layout = page.layout
    plain, bold, red = (row_of(page, text) for text in ("plain", "bold", "red"))
    assert layout.left[plain] == 100
    assert layout.left[plain] < layout.right[plain] <= layout.left[bold] < layout.right[bold] < layout.left[red]
    assert layout.right[red] < 400


VISIBILITY = {
    "<p style='display: none'>x</p>": Visibility.NO_BOX,
    "<style>.a { display: none }</style><div class=a><p>x</p></div>": Visibility.NO_BOX,
    "<details><summary>more</summary>x</details>": Visibility.NO_BOX,
    "<details><summary>more</summary><p>x</p></details>": Visibility.NO_BOX,
    "<details open><summary>more</summary><p>x</p></details>": Visibility.VISIBLE,
    "<p style='font-size: 0'>x</p>": Visibility.NO_BOX,
    "<template><p>x</p></template>": Visibility.NO_BOX,
    "<p style='visibility: hidden'>x</p>": Visibility.INVISIBLE,
    "<p style='visibility: hidden'><b style='visibility: visible'>x</b></p>": Visibility.VISIBLE,
    "<div style='opacity: 0'><p style='opacity: 1'>x</p></div>": Visibility.TRANSPARENT,
    "<div style='height: 0; overflow: hidden'><p>x</p></div>": Visibility.OUTSIDE,
    "<div style='height: 0'><p>x</p></div>": Visibility.VISIBLE,
    "<div style='height: 9px; overflow: auto'><p style='margin-top: 90px'>x</p></div>": Visibility.VISIBLE,
    "<div style='overflow: hidden; height: 0'><p style='position: absolute; top: 9px'>x</p></div>": (
        Visibility.VISIBLE
    ),
    "<div style='overflow: hidden; height: 0; position: relative'><p style='position: absolute'>x</p></div>": (
        Visibility.OUTSIDE
    ),
    "<p style='position: absolute; clip: rect(0 0 0 0)'>x</p>": Visibility.OUTSIDE,
    "<p style='position: absolute; left: -9999px'>x</p>": Visibility.OUTSIDE,
    "<p style='text-indent: -9999px'>x</p>": Visibility.OUTSIDE,
    "<p style='margin-top: 5000px'>x</p>": Visibility.VISIBLE,
    "<body style='overflow: hidden; height: 0'><p>x</p>": Visibility.VISIBLE,
    "<div style='display: contents'>x</div>": Visibility.VISIBLE,
    "<html dir=rtl><div style='width: 9px; white-space: nowrap'>x</div>": Visibility.VISIBLE,
}


@pytest.mark.parametrize(("markup", "visibility"), VISIBILITY.items())
def test_visibility_of_a_text(browser, markup, visibility):
    page = browser.render(parse_page(markup))
    assert page.layout.visibility[row_of(page, "x")] == visibility


def test_rectangle_is_clipped_by_overflow(browser):
    wide = "<div style='width: 200px; overflow: hidden'><div id=strip style='width: 5000px'>text</div></div>"
    page = browser.render(parse_page(f"<style>body {{ margin: 0 }}</style>{wide}"))
    strip = page.select("#strip")[0]
    assert (page.layout.left[strip], page.layout.right[strip]) == (0, 200)


SCRIPTED_PAGE = """<div id=a>start</div><script>
const p = document.createElement('p');
p.append('one ', 'run', document.createElement('p'), 'tail');
p.children[0].append('inner');
document.body.append(p);
document.getElementById('a').textContent = 'changed';
customElements.define('x-y', class extends HTMLElement {
  connectedCallback() { this.attachShadow({mode: 'open'}).innerHTML = '<b>in the shadow</b>'; }
});
document.body.append(document.createElement('x-y'));
</script>"""


def test_page_is_read_after_its_scripts_ran(script_browser):
    page = script_browser.render(
        parse_page("<p>old</p><script>document.querySelector('p').textContent = 'new'</script>")
    )
    assert page.text.strip() == "new"
    assert page.layout.unmatched == 0
    assert page.layout.visible[row_of(page, "new")]
    assert "data-tamis" not in page.markup


def test_unmatched_rows_are_counted_and_other_rows_are_matched(script_browser):
    page = script_browser.render(parse_page(SCRIPTED_PAGE))
    layout = page.layout
    # Nested paragraphs do not survive parsing: the outer end tag makes an empty paragraph that was not rendered.
    assert layout.unmatched == 1
    assert layout.visibility[page.rows_of("p")].tolist() == [
        Visibility.VISIBLE,
        Visibility.VISIBLE,
        Visibility.NO_BOX,
    ]
    for text in ("changed", "one run", "inner", "tail", "in the shadow"):
        assert layout.visible[row_of(page, text)], text


def test_scripts_cannot_redefine_what_the_collector_reads(script_browser):
    page = script_browser.render(
        parse_page(
            "<body style='margin: 0'><p style='margin: 0; width: 70px'>x</p><script>"
            "Element.prototype.getBoundingClientRect = () => ({left: 7, right: 8, top: 7, bottom: 8});"
            "window.getComputedStyle = () => null; Array.prototype.push = null;"
            "Object.defineProperty(Node.prototype, 'nodeType', {get: () => 3});</script>"
        )
    )
    row = page.rows_of("p")[0]
    assert (page.layout.left[row], page.layout.right[row]) == (0, 70)


def test_layout_of_another_page_is_rejected(browser):
    rendered = browser.render(parse_page("<p>one"))
    with pytest.raises(OptionError, match="the layout has 6 rows, but the page has 8"):
        with_layout(parse_page("<p>one<p>two"), rendered.layout)


def test_render_does_not_change_its_argument(browser):
    page = parse_page("<p>one")
    assert browser.render(page) is not page
    assert page.layout is None
