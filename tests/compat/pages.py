"""Pages for these tests, written for them, and a golden page with comments."""

from pathlib import Path

SENTENCES = (
    "The kettle is filled with soft water and set on a low flame until the first bubbles rise. ",
    "While it warms, the leaves are weighed on a small brass scale, three grams for each cup. ",
    "Nobody in the house speaks before the pot has been covered with its old woollen cloth. ",
)
ARTICLE = f"""<!doctype html><html lang="en"><head><title>How tea is made | The Kettle</title>
<meta name="author" content="Ann Lee"><meta name="keywords" content="tea, water">
<meta property="article:published_time" content="2024-03-05T10:00:00Z">
<meta name="description" content="Three grams for each cup.">
<meta property="og:site_name" content="The Kettle"><meta property="og:image" content="https://example.org/pot.jpg">
<link rel="canonical" href="https://example.org/tea"></head><body>
<nav><ul><li><a href="/">Home</a></li><li><a href="/cups">Cups</a></li><li><a href="/pots">Pots</a></li></ul></nav>
<main><article><h1>How tea is made</h1><p class="byline">By Ann Lee</p>
<p>{SENTENCES[0] * 3}</p><p>{SENTENCES[1] * 3} Read <a href="/scales">about scales</a>.</p>
<h2>Silence</h2><p class="quiet">{SENTENCES[2] * 3}</p>
<table><tr><th>leaf</th><th>degrees</th></tr><tr><td>green</td><td>seventy</td></tr><tr><td>black</td><td>ninety</td></tr>
<tr><td>white, which is picked young</td><td>eighty</td></tr><tr><td>herbs</td><td>a hundred</td></tr></table>
</article></main>
<footer><p>Copyright of The Kettle. All rights reserved.</p><a href="/imprint">Imprint</a></footer></body></html>"""
COMMENTED = (Path(__file__).parents[1] / "pages" / "news-comments" / "page.html").read_text("utf-8")
COMMENT = "My father worked the old Guillemot"  #: in a reader's comment of that page
EMPTY = ["", b"", "   ", "<html></html>"]
