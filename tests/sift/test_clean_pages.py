"""Pages without boilerplate come back whole: short pages, beginnings of articles, and the HTML that Tamis writes."""

import json
import re
from collections import Counter
from html import escape
from pathlib import Path

import pytest

import tamis

GOLDEN = sorted((Path(__file__).parents[1] / "pages").glob("*/page.html"))
SHORT = {
    "table": "<html><body><h1>Prices</h1><p>The prices of our two products are these.</p><table><tr><th>Name</th>"
    "<th>Price</th></tr><tr><td>Tea</td><td>3</td></tr><tr><td>Coffee</td><td>4</td></tr></table></body></html>",
    "fragment": "<p>First paragraph of a comment.</p><p>Second.</p>",
    "code": "<h2>Install</h2><pre><code class=language-bash>pip install x\nx --help</code></pre><p>Done.</p>",
    "main": "<nav><a href=/>Home</a><a href=/b>Blog</a></nav><main><h1>Title</h1><p>Short text.</p><p>Another.</p>"
    "</main><footer>© 2026 Foo</footer>",
    "letter": "<div>Hi Bob,<br><br>Thanks for the mail. See you on Monday.<br><br>Best,<br>Alice</div>",
    "quotation": "<article><p>He said:</p><blockquote>To be or not to be.</blockquote><p>And left.</p></article>",
    "list": "<article><p>Here are the items:</p><ul><li>Milk</li><li>Eggs</li><li>Bread</li></ul></article>",
    "definitions": "<dl><dt>Tea</dt><dd>A drink.</dd><dt>Cup</dt><dd>A vessel.</dd></dl>",
    "poem": "<div><p>Roses are red,<br>violets are blue,</p><p>sugar is sweet.</p></div>",
    "faq": "<section><h2>Can I return it?</h2><p>Yes.</p><h2>How long do I have?</h2><p>30 days.</p></section>",
}
CHROME = {"home", "blog", "2026", "foo"}


def words(text):
    return re.findall(r"\w+", text.lower())


def lost_words(name, output):
    """Return the words of a short page that an output lacks, and those of its menu and footer that it has."""
    wanted, kept = Counter(words(re.sub(r"<[^>]*>", " ", SHORT[name]))), Counter(words(output))
    return tuple(word for word in wanted if (word in CHROME) == bool(kept[word]))


@pytest.mark.parametrize("name", SHORT)
def test_short_page_is_whole(name):
    assert lost_words(name, tamis.extract(SHORT[name]).markdown) == ()


def test_short_pages_are_whole_in_a_batch():
    for name, row in zip(SHORT, tamis.extract_many(SHORT.values()), strict=True):
        assert (row["status"], lost_words(name, row["text"])) == ("ok", ()), name


@pytest.mark.slow  # worker processes
def test_short_pages_are_whole_on_the_command_line(run_tamis, tmp_path):
    for name, html in SHORT.items():
        assert lost_words(name, run_tamis("-", "--format", "markdown", stdin=html.encode()).stdout) == (), name
        (tmp_path / f"{name}.html").write_text(html)
    assert run_tamis("batch", tmp_path, "-o", tmp_path / "rows.jsonl").returncode == 0
    rows = map(json.loads, (tmp_path / "rows.jsonl").read_text().splitlines())
    lost = {Path(row["id"]).stem: lost_words(Path(row["id"]).stem, row["text"]) for row in rows}
    assert lost == dict.fromkeys(SHORT, ())


@pytest.mark.parametrize("html", [*SHORT.values(), "<p>Hello world.</p>", "Hello world, and good morning."])
def test_short_page_is_not_a_forum(html):
    assert tamis.extract(html).page_type != "forum"


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.parent.name)
def test_beginning_of_a_page_is_whole(path):
    lines = [line for line in (path.parent / "expected.txt").read_text("utf-8").splitlines() if line.strip()][:3]
    for count in range(1, len(lines) + 1):
        html = "".join(f"<p>{escape(line)}</p>" for line in lines[:count])
        assert words(tamis.extract(html).text) == words(" ".join(lines[:count])), html


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.parent.name)
def test_extracting_what_was_extracted_gives_the_same_words(path):
    """The HTML has the title, which the text has only if it was selected."""
    first = tamis.extract(path.read_text("utf-8"))
    second = tamis.extract(first.html)
    assert words(tamis.extract(second.html, extractor="body").text) == words(
        tamis.extract(first.html, extractor="body").text
    )
