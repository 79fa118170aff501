"""Hostile pages, made by code. Each grows with a number, so that cost can be compared between sizes.

`bench/attacks.py` prints what each costs; `test_linear.py` and `test_articles.py` hold every output to an answer.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass

#: An ordinary article. It is placed before, inside and after the hostile part, and must still be found.
SENTENCES = (
    "The ferry left the harbour at six in the morning, and the captain had already counted his passengers twice.",
    "Most of them were going to the market on the other side, with baskets of plums and a few nervous geese.",
    "Nobody had expected fog in August, but by the middle of the strait the lighthouse had disappeared completely.",
    "An old woman began to sing, quietly at first, and the sailors listened because the song named every rock.",
    "When they arrived, two hours late, the plums were still fresh and the geese had learned to stay silent.",
)
ARTICLE = "<article><h1>The ferry in the fog</h1>" + "".join(f"<p>{text}</p>" for text in SENTENCES) + "</article>"
TITLE = "<title>The ferry in the fog</title>"


@dataclass(frozen=True)
class Attack:
    """A hostile page.

    Attributes:
        name: what it attacks.
        make: returns the hostile part for a number.
        size: the number that the issue or the standard of other tools names.
        whole: the hostile part is a page of its own, which no article can be placed into.
        head: the hostile part belongs into the head.
    """

    name: str
    make: Callable[[int], str | bytes]
    size: int
    whole: bool = False
    head: bool = False

    def page(self, number: int | None = None, place: str = "before") -> str | bytes:
        """Return the page: an article, and the hostile part before, inside or after it."""
        hostile = self.make(number or self.size)
        if self.whole or isinstance(hostile, bytes):
            return hostile
        if self.head:
            return f"<!doctype html><html><head>{hostile}</head><body>{ARTICLE}</body></html>"
        half = len(ARTICLE) // 2
        middle = ARTICLE.index("</p>", half) + 4
        body = {
            "before": hostile + ARTICLE,
            "inside": ARTICLE[:middle] + hostile + ARTICLE[middle:],
            "after": ARTICLE + hostile,
        }[place]
        return f"<!doctype html><html><head>{TITLE}</head><body>{body}</body></html>"


def _title(text: str) -> str:
    return f"<title>{text}</title><meta property=og:site_name content='{text}'><meta name=author content='{text}'>"


def _notes(count: int, label: Callable[[int], int], class_: str = "footnotes") -> str:
    references = "".join(f'<sup><a id=r{k} href="#n{k}">{label(k)}</a></sup> ' for k in range(count))
    notes = "".join(f'<li id=n{k}>A note. <a href="#r{k}">^</a></li>' for k in range(count))
    return f"<p>Tea is hot {references}</p><ol class='{class_}'>{notes}</ol>"


def _nested_notes(count: int) -> str:
    references = "".join(f'<sup><a id=r{k} href="#n{k}">{k % 999}</a></sup> ' for k in range(count))
    return f"<p>Tea is hot {references}</p>" + "".join(f"<div class=footnote id=n{k}>x " for k in range(count))


def _posts(count: int) -> str:
    one = (
        "<div class=post><span class=author>Anna Berg</span> <time>2024-03-01</time><p>I think so too, and more.</p>"
    )
    return one * count + "</div>" * count


def _ragged(count: int) -> str:
    return "<table>" + "".join("<tr>" + "<td>x</td>" * (k % 50 + 1) + "</tr>" for k in range(count)) + "</table>"


def _json_ld_deep(depth: int) -> str:
    return "<script type=application/ld+json>" + '{"a":[' * depth + "]}" * depth + "</script>"


def _json_ld_large(count: int) -> str:
    items = [{"@type": "NewsArticle", "headline": f"Number {k}", "author": {"name": f"A B{k}"}} for k in range(count)]
    return f"<script type=application/ld+json>{json.dumps(items)}</script>"


def _unique_words(count: int) -> str:
    return " ".join(f"w{k:x}" for k in range(count))


def _asciimath(formula: str, count: int) -> str:
    script = "<script>MathJax = {loader: {load: ['input/asciimath', 'output/chtml']}}</script>"
    return script + f"<p>So `{formula}` it is.</p>" * count


def _asciimath_matrix(depth: int) -> str:
    return "x" if not depth else f"[[{_asciimath_matrix(depth - 1)},y],[z,w]]"


def _json_ld_value(name: str, depth: int) -> str:
    deep = '{"x":' * depth + '"y"' + "}" * depth
    return f'<script type=application/ld+json>{{"@type":"Article","{name}":{deep}}}</script>'


ATTACKS = tuple(
    Attack(*fields)
    for fields in (
        # Metadata fields.
        ("title of marks", lambda n: _title("?!" * (n // 2)), 1_000_000, False, True),
        ("title of dashes", lambda n: _title(" - " * (n // 3)), 1_000_000, False, True),
        ("title of bars and words", lambda n: _title("word | " * (n // 7)), 1_000_000, False, True),
        ("title of combining characters", lambda n: _title("a" + "\u0301" * n), 1_000_000, False, True),
        ("title of letters", lambda n: _title("a" * n), 1_000_000, False, True),
        ("title of spaces", lambda n: _title("a" + " " * n + "b"), 1_000_000, False, True),
        ("title of digits", lambda n: _title("2024-" * (n // 5)), 1_000_000, False, True),
        ("h1 of marks", lambda n: "<h1>" + "?!" * (n // 2) + "</h1>", 1_000_000),
        ("h1 of combining characters", lambda n: "<h1>a" + "\u0301" * n + "</h1>", 1_000_000),
        ("byline of names", lambda n: "<p class=author>By " + "Anna Berg and " * (n // 14) + "</p>", 300_000),
        ("byline of marks", lambda n: "<p class=byline>By " + ", " * (n // 2) + "</p>", 300_000),
        ("dates", lambda n: "<time>" + "1/2/2024 " * (n // 9) + "</time>", 300_000),
        (
            "title words against blocks",
            lambda n: f"<title>{_unique_words(n)}</title>" + "<p>w1 wff w3</p>" * n,
            300_000,
            True,
        ),
        ("JSON-LD, large", _json_ld_large, 220_000, False, True),
        ("JSON-LD, deep", _json_ld_deep, 100_000, False, True),
        (
            "JSON-LD scripts",
            lambda n: '<script type=application/ld+json>{"@type":"Article"}</script>' * n,
            50_000,
            False,
            True,
        ),
        ("meta elements", lambda n: "<meta property=article:author content='Anna Berg'>" * n, 100_000, False, True),
        ("microdata", lambda n: "<div itemscope itemtype=Article><b itemprop=author>A B</b>" * n, 30_000),
        # Attributes.
        ("style of display", lambda n: "<p style='" + "display" * (n // 7) + "'>Tea</p>", 1_000_000),
        ("style of display:", lambda n: "<p style='" + "display: " * (n // 9) + "'>Tea</p>", 1_000_000),
        ("style of visibility", lambda n: "<p style='" + "visibility : " * (n // 13) + "'>Tea</p>", 1_000_000),
        ("style of spaces", lambda n: "<p style='display" + " " * n + "x'>Tea</p>", 1_000_000),
        ("class of spaces", lambda n: "<div class='x" + " " * n + "y'><p>Tea</p></div>", 1_000_000),
        ("class of language", lambda n: "<pre class='" + "language- " * (n // 10) + "'>x = 1</pre>", 1_000_000),
        ("srcset", lambda n: "<img srcset='" + "a.jpg 1x, " * (n // 10) + "' alt=Tea>", 1_000_000),
        ("srcset of spaces", lambda n: "<img srcset='a" + " " * n + "' alt=Tea>", 1_000_000),
        ("attribute of 10 MB", lambda n: "<p data-x='" + "x" * n + "'>Tea</p>", 10_000_000),
        ("attributes", lambda n: "<p " + " ".join(f"a{k}=1" for k in range(n)) + ">Tea</p>", 500_000),
        ("data URL", lambda n: f"<p><img src='data:image/png;base64,{'A' * n}' alt=Tea></p>", 5_000_000),
        (
            "long base",
            lambda n: (
                f"<base href='https://example.org/{'a' * (300 * n)}/'>" + "<p><a href=x>Tea</a> is "
                "what we drink, every morning and every evening.</p>" * n
            ),
            1_000,
        ),
        ("long links", lambda n: f"<p><a href='https://example.org/{'a' * 10_000}'>Tea</a></p>" * n, 1_000),
        # Formulas.
        (
            "spaces in TeX",
            lambda n: r"<p>\(" + " " * n + r"x^2\) and $$" + " " * n + "y^2$$ and $" + " " * n,
            300_000,
        ),
        ("image of TeX", lambda n: "<p>So <img class=latex alt='" + " " * n + "x'> it is.</p>", 300_000),
        ("TeX delimiters", lambda n: "<p>" + r"\( " * n + "</p>", 100_000),
        ("dollars", lambda n: "<p>" + "$ x " * n + "</p>", 100_000),
        ("backticks", lambda n: "<p>" + "` x " * n + "</p>", 100_000),
        ("math scripts", lambda n: "<p>Tea " + "<script type='math/tex'>x</script>" * n + "</p>", 100_000),
        ("flat MathML", lambda n: "<p>Tea <math>" + "<mi>x</mi>" * n + "</math></p>", 100_000),
        ("nested MathML", lambda n: "<p>Tea <math>" + "<mrow>" * n + "<mi>x</mi></math></p>", 20_000),
        ("TeX environments", lambda n: "<p>" + "".join(rf"\begin{{a{k}}}<br>" for k in range(n)) + "</p>", 20_000),
        (
            "math in math in an equation table",
            lambda n: (
                f"<table class=ltx_equation><tr><td>{'<math>' * 90}<mi>x</mi>{'</math>' * 90}</td></tr></table>" * n
            ),
            300,
        ),
        (
            "spans of formulas around mspace",
            lambda n: (
                "<p>"
                + ("<span class=math-inline>" * 95 + "<math><mspace></mspace></math>" + "</span>" * 95) * n
                + "</p>"
            ),
            130,
        ),
        ("AsciiMath in parentheses", lambda n: _asciimath("(" * 38 + "x" + ")" * 38, n), 4_000),
        ("AsciiMath matrices", lambda n: _asciimath(_asciimath_matrix(12), n), 2_500),
        ("KaTeX text", lambda n: "<p>" + (r"\(" + r"\text{" * 390 + "x" + "}" * 390 + r"\) ") * n + "</p>", 150),
        (
            "KaTeX spans",
            lambda n: "<p>" + ("<span class=katex>" + "<span class=mord>" * 390 + "x" + "</span>" * 391) * n + "</p>",
            40,
        ),
        ("nested fractions", lambda n: "<p>Tea <math>" + "<mfrac><mi>a</mi>" * n + "</math></p>", 20_000),
        # Notes.
        ("notes with one label", lambda n: _notes(n, lambda _: 1), 20_000),
        ("notes", lambda n: _notes(n, lambda k: k % 999), 20_000),
        ("notes with a class of many words", lambda n: _notes(n, lambda k: k % 999, "w " * n), 20_000),
        ("nested notes", _nested_notes, 20_000),
        (
            "references to one note",
            lambda n: "<p>Tea " + "<sup><a href=#n>1</a></sup> " * n + "<p id=n>A note.",
            20_000,
        ),
        (
            "note of many details",
            lambda n: "<p>Tea<sup><a href=#n1 id=r1>1</a></sup></p><dl class=footnotes><dt id=n1>1" + "<dd>x" * n,
            80_000,
        ),
        (
            "notes of details",
            lambda n: (
                "<p>Tea "
                + "".join(f"<sup><a href=#n{k}>{k}</a></sup> " for k in range(1, n))
                + "</p><dl>"
                + "".join(f"<dt id=n{k}>{k}<dd>x<dd>y" for k in range(1, n))
                + "</dl>"
            ),
            6_000,
        ),
        ("side notes", lambda n: "<p>Tea " + "<sup>1</sup><span class=sidenote>Text " * n, 20_000),
        # Tables.
        ("ragged table", _ragged, 4_000),
        ("colspan", lambda n: "<table>" + "<tr><td colspan=1000>Tea<td>x" * n + "</table>", 1_000),
        ("columns", lambda n: "<table>" + ("<tr>" + "<td>x</td>" * n + "</tr>") * 3 + "</table>", 10_000),
        ("colspan of a million", lambda n: "<table>" + "<tr><td colspan=1000000>a<td>b" * n + "</table>", 1_000),
        ("rowspan of a million", lambda n: "<table>" + "<tr><td rowspan=1000000>a<td>b" * n + "</table>", 1_000),
        (
            "spanning header",
            lambda n: "<table><tr>" + "<th colspan=1000000 rowspan=1000000>x" * n + "<tr><td>y" * n + "</table>",
            10_000,
        ),
        ("spanning rows", lambda n: "<table>" + "<tr><th colspan=99 rowspan=99>x" * n + "</table>", 10_000),
        (
            "header of a long table",
            lambda n: "<table><tr>" + "<th>word" * n + "</tr>" + "<tr><td>x" * n + "</table>",
            20_000,
        ),
        ("tables with captions", lambda n: "<table><caption>Tea</caption><tr><td>a<td>b</table>" * n, 8_000),
        (
            "caption of many words",
            lambda n: "<table><caption>" + "<b>x</b> y " * n + "</caption><tr><td>a<td>b",
            40_000,
        ),
        ("rows", lambda n: "<table>" + "<tr><th>a</th><td>b</td></tr>" * n + "</table>", 50_000),
        ("nested tables", lambda n: "<table><tr><td>x" * n, 50_000),
        ("nested lists", lambda n: "<ul><li>x" * n, 50_000),
        ("deep lists", lambda n: ("<ul><li>" * 40 + "x" + "</ul>" * 40) * n, 600),
        ("long list", lambda n: "<ul>" + "<li>x" * n, 80_000),
        ("quotation with footers", lambda n: "<blockquote>" + "<footer>x</footer>" * n + "</blockquote>", 20_000),
        ("quotations with footers", lambda n: "<blockquote>x<footer>y</footer></blockquote>" * n, 10_000),
        ("nested definitions", lambda n: "<dl><dt>a<dd>b" * n, 30_000),
        ("nested quotations", lambda n: "<blockquote>x" * n, 50_000),
        # Posts, captions, pictures, links.
        ("nested posts", _posts, 1_000),
        ("posts", lambda n: "".join([_posts(1)] * n), 5_000),
        (
            "captions of a figure",
            lambda n: "<figure><img src=a.jpg>" + "<figcaption>Tea</figcaption>" * n + "</figure>",
            10_000,
        ),
        (
            "captions of a table",
            lambda n: "<table>" + "<caption>Tea</caption>" * n + "<tr><td>a<td>b</table>",
            10_000,
        ),
        ("nested figures", lambda n: "<figure><img src=a.jpg><figcaption>Tea" * n, 10_000),
        (
            "pictures",
            lambda n: "<picture>" + "<source srcset=a.webp><img src=a.jpg alt=Tea>" * n + "</picture>",
            3_000,
        ),
        (
            "sources",
            lambda n: "<picture>" + "<source srcset=a.webp>" * n + "<img src=a.jpg alt=Tea></picture>",
            30_000,
        ),
        ("touching bold links", lambda n: "<p>" + "<a href=x><b>Tea</b></a>" * n + "</p>", 30_000),
        ("emphasis", lambda n: "<p>" + "<i>a</i><b>b</b>*_" * n + "</p>", 30_000),
        ("unclosed links", lambda n: "<a href=x>Tea " * n, 200_000),
        ("javascript links", lambda n: "<p><a href='javascript:x()'>Tea</a></p>" * n, 100_000),
        ("hidden elements", lambda n: "<p hidden>Tea</p>" * n, 100_000),
        ("paragraphs", lambda n: "<p>Tea is what we drink.</p>" * n, 100_000),
        ("heading with links", lambda n: "<h2>" + "<a href=#x>x</a>" * n + "</h2>", 25_000),
        ("headings with links", lambda n: "<h2>" + "<a href=#x id=y>x</a>" * 20 + "</h2>" * n, 1_000),
        ("long heading", lambda n: "<h1>" + "word " * n + "</h1>" + "<p>x</p>" * n, 30_000),
        ("headings", lambda n: "<h2>Tea</h2>" * n, 20_000),
        ("line breaks", lambda n: "<p>" + "Tea is hot.<br>" * n, 100_000),
        ("code", lambda n: "<pre>" + "<span>x</span> = 1\n" * n + "</pre>", 50_000),
        ("code in a section", lambda n: "<section>" + "<pre>x;</pre><b></b>" * n + "</section>", 20_000),
        ("definitions", lambda n: "<dl>" + "<dt>a<dd>b" * n + "</dl>", 50_000),
        ("details", lambda n: "<details><summary>s</summary>x" * n, 10_000),
        # The parser and the columns.
        ("siblings", lambda n: "<p>x</p>" * n, 1_000_000),
        ("nested elements", lambda n: "<div>" * n + "x", 1_000_000),
        ("nested spans", lambda n: "<span>" * n + "x", 200_000),
        ("misnested formatting", lambda n: "<p>" + "<b><i>x</b>y</i>" * n + "</p>", 20_000),
        ("open formatting", lambda n: "<p><b>x" * n, 2_000),
        ("reopened formatting", lambda n: "".join(f"<p><b id=b{k}>x" for k in range(n)), 30_000),
        ("reopened fonts", lambda n: "".join(f"<p><font size={k}>x" for k in range(n)), 25_000),
        ("text of 50 MB", lambda n: "<p>" + "word " * (n // 5) + "</p>", 50_000_000),
        ("one word", lambda n: "<p>" + "a" * n + "</p>", 5_000_000),
        ("entities", lambda n: "<p>" + "&amp;&lt;&#65;&nosuch;" * n + "</p>", 200_000),
        ("comments", lambda n: "<p>a" + "<!--x-->b" * n + "</p>", 200_000),
        ("scripts", lambda n: "<p>a" + "<script>x</script>b" * n + "</p>", 100_000),
        ("bidi controls", lambda n: "<p>" + "a\u202e\u2066" * n + "</p>", 500_000),
        ("zero-width characters", lambda n: "<p>" + "a\u200b\ufeff\u2060" * n + "</p>", 500_000),
        ("lone surrogates", lambda n: "<p>" + "a\ud800 \udfff" * n + "</p>", 100_000),
        ("NUL", lambda n: "<p>" + "a\0" * n + "</p>", 500_000),
        ("combining characters", lambda n: "<p>a" + "\u0301" * n + "</p>", 1_000_000),
        # Not HTML, or not in its encoding.
        (
            "invalid UTF-8",
            lambda n: b"<meta charset=utf-8><p>Tea \xff\xfe\xc3\x28" + b"\xf0\x28\x8c\x28 tea " * n,
            100_000,
            True,
        ),
        ("UTF-16 without a BOM", lambda n: ("<p>Tea is hot. " * n).encode("utf-16-le"), 50_000, True),
        (
            "charset changed half way",
            lambda n: (
                ("<meta charset=utf-8><p>" + "Grüße aus Köln. " * n).encode()
                + ("<meta charset=latin-1><p>" + "Grüße aus Köln. " * n).encode("latin-1")
            ),
            20_000,
            True,
        ),
        ("gzip", lambda n: b"\x1f\x8b\x08\x00" + bytes(range(256)) * n, 4_000, True),
        ("PDF", lambda n: b"%PDF-1.7\n" + b"1 0 obj <</Length 3>> stream\nabc\nendstream\n" * n, 20_000, True),
        ("PNG", lambda n: b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * n, 4_000, True),
        ("XML", lambda n: "<?xml version='1.0'?><r>" + "<item><name>Tea</name></item>" * n + "</r>", 50_000, True),
        ("random bytes", lambda n: bytes((k * k * 2_654_435_761 >> 13) & 255 for k in range(n)), 500_000, True),
    )
)
BY_NAME = {attack.name: attack for attack in ATTACKS}
