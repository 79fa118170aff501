"""Structure that was once lost or invented: the smallest page for each case, and its Markdown."""

import pytest

import tamis

CASES = {
    "numbered rows of a table beside code": (
        (
            "<p>Options.</p><table><tr><th>#</th><th>Option</th></tr><tr><td>1</td><td><code>-a</code> all</"
            "td></tr><tr><td>2</td><td>blocks</td></tr><tr><td>3</td><td>columns</td></tr></table>"
        ),
        "Options.\n\n| # | Option |\n| --- | --- |\n| 1 | `-a` all |\n| 2 | blocks |\n| 3 | columns |",
    ),
    "years in a list beside code": (
        (
            "<ol><li>Clock. Retrieved <b>14 April</b> 2016</li><li>Census. Retrieved <b>2 May</b> 2017</li><"
            "li>Use <code>cite</code>. Retrieved <b>1 June</b> 2018</li></ol>"
        ),
        (
            "1. Clock. Retrieved **14 April** 2016\n"
            "2. Census. Retrieved **2 May** 2017\n"
            "3. Use `cite`. Retrieved **1 June** 2018"
        ),
    ),
    "years in a box of sources": (
        (
            '<div class="source-list"><div>Report <span>2016</span></div><div>Report <span>2017</span></div>'
            "<div>Report <span>2018</span></div></div>"
        ),
        "Report 2016\n\nReport 2017\n\nReport 2018",
    ),
    "number literals in numbered code": (
        (
            "<pre><code><span> 1</span>p = <b>61</b>\n<span> 2</span>q = <b>97</b>\n<span> 3</span>r = 1\n<span"
            "> 4</span>s = 2\n<span> 5</span>t = 5\n</code></pre>"
        ),
        "```\np = 61\nq = 97\nr = 1\ns = 2\nt = 5\n```",
    ),
    "numbers in elements of their own": (
        (
            "<pre><div><span>1</span><div>AGENTS.md</div></div><div><span>2</span><div>ARCH.md</div></div><d"
            "iv><span>3</span><div>docs/</div></div></pre>"
        ),
        "```\nAGENTS.md\nARCH.md\ndocs/\n```",
    ),
    "a bar inside of code": (
        (
            '<pre><code class="hljs language-bash"><div class="code__header"><span>bash</span><button>Copy</'
            "button></div><div>read -p name\n</div></code></pre>"
        ),
        "```bash\nread -p name\n```",
    ),
    "a bar inside of pre": (
        (
            '<pre><div><div>Python</div><div><button><div>Run</div></button></div></div><div class="cm-conte'
            'nt">def f(n):<br>    return n</div></pre>'
        ),
        "```python\ndef f(n):\n    return n\n```",
    ),
    "code alone in its block": (
        '<p>See:</p><code class="hl lean block">def m : Nat := 1</code><p>More.</p>',
        "See:\n\n```lean\ndef m : Nat := 1\n```\n\nMore.",
    ),
    "a box of code with breaks": (
        '<div class="pari code codebox">mf = mfinit([N,k,chi],0)<br>lf = mfeigenbasis(mf)<br></div>',
        "```\nmf = mfinit([N,k,chi],0)\nlf = mfeigenbasis(mf)\n```",
    ),
    "a box of code with line ends": (
        '<div class="code-block" data-lang="http">GET /items\n\n&gt; {%\n    console.log(1)\n%}</div>',
        "```http\nGET /items\n\n> {%\n    console.log(1)\n%}\n```",
    ),
    "a modifier of a class beside the language": (
        (
            '<div data-syntax-language="console"><div class="highlight highlight--with-header">'
            "<pre><code>$ python hello.py\n</code></pre></div></div>"
        ),
        "```console\n$ python hello.py\n```",
    ),
    "lines of code tokens": (
        (
            '<div class="codeBlock"><div><code>&lt;</code><code>script</code></div><div><code>function f() {'
            "</code></div><div><code>}</code></div></div>"
        ),
        "```\n<script\nfunction f() {\n}\n```",
    ),
    "a column of code beside its numbers": (
        (
            '<table><tr><td class="gutter"><div class="line number1">1</div><div class="line number2">2</div'
            '><div class="line number3">3</div></td><td class="code"><div class="container"><div class="line'
            ' number1"><code>a = f();</code></div><div class="line number2"><code>int</code> <code>b;</code>'
            '</div><div class="line number3"><code>}</code></div></div></td></tr></table>'
        ),
        "```\na = f();\nint b;\n}\n```",
    ),
    "a declaration with a link": (
        '<pre>public void add (XmlSerializer serializer, \n                <a href="/x">Holder</a> holder)</pre>',
        "```\npublic void add (XmlSerializer serializer,\n                Holder holder)\n```",
    ),
    "an example of Texinfo": (
        '<div class="example"><pre class="example-preformatted">a2p.1\nctags.1\nemacs.1\n</pre></div>',
        "```\na2p.1\nctags.1\nemacs.1\n```",
    ),
    "notes in a box named note": (
        (
            '<p>Text of it. Text of it. Text of it. Text of it. Text of it. <a href="#n1">1</a> <a href="#n2'
            '">2</a></p><div class="note"><p class="notetitle">Notes</p><p id="n1">1. One note.</p><p id="n2'
            '">2. Two note.</p><p>More of it.</p></div>'
        ),
        (
            "Text of it. Text of it. Text of it. Text of it. Text of it. [^1] [^2]\n"
            "\n"
            "[^1]: One note.\n"
            "\n"
            "[^2]: Two note.\n"
            "\n"
            "More of it."
        ),
    ),
    "a note below a heading with its number": (
        (
            '<p>files<a id="DOCF1" href="#FOOT1"><sup>1</sup></a> in x.</p><hr><h4>Footnotes</h4><h5><a id="'
            'FOOT1" href="#DOCF1">(1)</a></h5><p>As of an ancient release.</p>'
        ),
        "files[^1] in x.\n\n[^1]: As of an ancient release.",
    ),
    "a hidden note with its number": (
        (
            '<p>Far.<span class="inline-footnote">1<span class="footnoteContent" style="display:none">The no'
            "te.</span></span></p>"
        ),
        "Far.[^1]\n\n[^1]: The note.",
    ),
    "an arrow that leads nowhere": (
        (
            '<p>Claim.<a href="#one"><sup>1</sup></a> More.<a href="#two"><sup>2</sup></a></p><hr><p><a name'
            '="one"><sup>1</sup></a> It is odd. <a href="#">↩</a><br><br><a name="two"><sup>2</sup></a> Two.'
            ' <a href="#">↩</a></p>'
        ),
        "Claim.[^1] More.[^2]\n\n[^1]: It is odd.\n\n[^2]: Two.",
    ),
    "notes below their paragraphs": (
        (
            '<p>A<sup>1</sup> b.</p><p class="footnote"><sup>1</sup>One.</p><p>C<sup>2</sup> d.</p><p class='
            '"footnote"><sup>2</sup>Two.</p><p>End.</p>'
        ),
        "A[^1] b.\n\n[^1]: One.\n\nC[^2] d.\n\n[^2]: Two.\n\nEnd.",
    ),
    "notes of Word without ids": (
        (
            '<p>Plan <sup><a href="#_ftn1">[1]</a></sup>, x.</p><hr><p><sup><a href="//6CB5#_ftnref1">[1]</a'
            "> </sup>Country A.</p>"
        ),
        "Plan [^1], x.\n\n[^1]: Country A.",
    ),
    "references by script": (
        (
            '<p>Nationals<sup class="footnoteref"><a id="footnoteref-1" href="javascript:;" class="footnoter'
            'ef">1</a></sup> that.</p><div class="footnotes-footer"><div class="footnote-footer" id="footnot'
            'e-1"><a href="javascript:;">1</a>. No relation.</div></div>'
        ),
        "Nationals[^1] that.\n\n[^1]: No relation.",
    ),
    "notes in asides": (
        (
            '<div><p>Library.<sup>1</sup></p></div><aside><ol start="1"><li>A joke.</li></ol></aside><div><p'
            '>Main<sup>2</sup>.</p></div><aside><ol start="2"><li>Others.</li></ol></aside>'
        ),
        "Library.[^1]\n\n[^1]: A joke.\n\nMain[^2].\n\n[^2]: Others.",
    ),
    "a note that an attribute names": (
        (
            '<p>Six threads.<span class="fna-ref" data-definition="fna0"><a href="#">*</a></span></p><aside '
            'style="display:none" class="fna-content" id="fna0">By my count six.</aside>'
        ),
        "Six threads.[^*]\n\n[^*]: By my count six.",
    ),
    "a note that a box shows": (
        (
            '<p>A system. <span class="footnote-container"><label for="1" class="margin-toggle footnote-numb'
            'er"></label><input type="checkbox" id="1"><span class="footnote">The word is strong.</span></sp'
            "an> More.</p>"
        ),
        "A system. [^1] More.\n\n[^1]: The word is strong.",
    ),
    "an empty element between sentences": (
        '<div>It topped the list for several years.<span class="br"></span>A series of incidents emerged.</div>',
        "It topped the list for several years. A series of incidents emerged.",
    ),
    "a label and a time": (
        "<ul><li><span>Updated</span><time></time><span>20:49, 5 Aug 2024</span></li></ul>",
        "- Updated 20:49, 5 Aug 2024",
    ),
    "a count and a link": (
        '<div><span>Thanked by <span>1</span></span><a href="/p/r">rurutia</a></div>',
        "Thanked by 1 [rurutia](https://e.org/p/r)",
    ),
    "breaks in a cell": (
        (
            "<table><tr><th>Item</th><th>First</th></tr><tr><td>Team</td><td><b>Xinzhuang</b><br>Fang<br>Li<"
            "br>Zhou</td></tr></table>"
        ),
        "| Item | First |\n| --- | --- |\n| Team | **Xinzhuang**<br>Fang<br>Li<br>Zhou |",
    ),
    "a table with a row of one cell": (
        (
            "<table><tr><td>Self dual:</td><td>no</td></tr><tr><td>Field:</td><td>Q</td></tr><tr><td colspan"
            '=2><div class="codebox">gp: f.mod<br></div></td></tr><tr><td>Dimension:</td><td>4</td></tr></ta'
            "ble>"
        ),
        "| Self dual: | no |\n| --- | --- |\n| Field: | Q |\n| gp: f.mod |  |\n| Dimension: | 4 |",
    ),
    "a picture and its thumbnail": (
        (
            '<p>Text</p><figure><div><img src="https://m.com/max/60/1.png?q=20" width=1894 height=970></div>'
            '<img width=1894><noscript><img src="https://m.com/max/3788/1.png" width=1894></noscript><figcap'
            "tion>Leak</figcaption></figure><p>x</p>"
        ),
        "Text\n\n![](https://m.com/max/3788/1.png)\n\nLeak\n\nx",
    ),
    "a picture in two sizes": (
        (
            '<p>Text</p><figure><div><img src="https://e.org/photo-large.webp" alt="A landscape photo."></di'
            'v><div><img src="https://e.org/photo-small.jpg" alt="A landscape photo."></div><figcaption>A ph'
            "oto.</figcaption></figure><p>x</p>"
        ),
        "Text\n\n![A landscape photo.](https://e.org/photo-large.webp)\n\nA photo.\n\nx",
    ),
    "a placeholder": (
        (
            '<p>Text</p><figure><img src="//w.com/a3-lazy-load/assets/images/lazy_placeholder.gif" alt="x" w'
            "idth=820 height=461><figcaption>(Image credit: W)</figcaption></figure><p>x</p>"
        ),
        "Text\n\n(Image credit: W)\n\nx",
    ),
    "a picture at the end": (
        '<p>Text</p><img src="https://e.org/a.png" alt="A">',
        "Text\n\n![A](https://e.org/a.png)",
    ),
    "a paragraph beside a caption": (
        (
            '<section><p>Creating notes is putting thoughts into words.</p><img src="https://e.org/a.png" al'
            't="A"><div class="caption">Startup page</div></section><p>End</p>'
        ),
        "Creating notes is putting thoughts into words.\n\n![A](https://e.org/a.png)\n\nStartup page\n\nEnd",
    ),
    "TeX as alternative text": (
        (
            '<p>From just</p><p><img src="https://e.org/eq.svg" alt="\\operatorname{fn}(x,y) = \\exp(x) - \\log'
            '(y)" width="224" height="18"></p><p>and 1.</p>'
        ),
        "From just\n\n$$\n\\operatorname{fn}(x,y) = \\exp(x) - \\log(y)\n$$\n\nand 1.",
    ),
    "the number of an equation": (
        (
            '<p>A</p><math display="block"><mtable><mlabeledtr><mtd><mtext>(1)</mtext></mtd><mtd><mi>a</mi><'
            "mo>=</mo><mi>b</mi></mtd></mlabeledtr></mtable></math><p>B</p>"
        ),
        "A\n\n$$\na = b \\tag{1}\n$$\n\nB",
    ),
    "paragraphs that are numbered with brackets": (
        "<p>1) Boil water.</p><p>2) Pour it.</p><p>4) Wait.</p>",
        "1) Boil water.\n\n2) Pour it.\n\n4\\) Wait.",
    ),
    "an alert without a title": (
        '<p>Text</p><div class="alert alert-success"><p>It is done.</p></div><p>x</p>',
        "Text\n\n> [!success] Success\n> It is done.\n\nx",
    ),
    "the picture that browsers show": (
        (
            '<p>Text</p><figure><a href="https://e.org/full/a.png"><picture><source type="image/webp" srcset='
            '"https://e.org/a-400.webp 400w, https://e.org/a-800.webp 800w"><img src="https://e.org/a-800.png" '
            'srcset="https://e.org/a-800.png 800w"></picture></a></figure><p>x</p>'
        ),
        "Text\n\n![](https://e.org/a-800.webp)\n\nx",
    ),
    "a picture that links to itself in full size": (
        '<p>Text</p><p><a href="https://e.org/original/a.png"><img src="https://e.org/small/a.png"></a></p><p>x</p>',
        "Text\n\n![](https://e.org/original/a.png)\n\nx",
    ),
    "a heading without an end before code": (
        "<h2>License <pre>a = f(b);</pre></h2><p>Text</p>",
        "## License\n\n```\na = f(b);\n```\n\nText",
    ),
    "line ends of the markup in code with breaks": (
        "<p>Try:</p><code>\nSELECT<br>\n&nbsp;f(a),<br>\nFROM b;\n</code><p>x</p>",
        "Try:\n\n```\nSELECT\n f(a),\nFROM b;\n```\n\nx",
    ),
    "two boxes of code": (
        '<p>A</p><div class="sage codebox">sage: f = N[0] # one</div><div class="pari codebox">gp: f = lf[1]</div>',
        "A\n\n```\nsage: f = N[0] # one\n```\n\n```\ngp: f = lf[1]\n```",
    ),
    "a line of code in a table": (
        (
            "<table><tr><td>Defined in <code>a.h</code></td><td></td></tr><tr><td><pre>typedef int b;</pre></td>"
            "<td>(since 17)</td></tr></table><p>x</p>"
        ),
        "| Defined in `a.h` |  |\n| --- | --- |\n| `typedef int b;` | (since 17) |\n\nx",
    ),
    "a table of one row": (
        "<p>Signs</p><table><tr><td>sum <code>+</code></td><td>product <code>x</code></td></tr></table>",
        "Signs\n\n| sum `+` | product `x` |\n| --- | --- |",
    ),
    "a table of one row with lines of code": (
        (
            "<p>x</p><table><tr><td>block</td><td><code>begin</code><br>&nbsp;<code>end</code></td></tr></table>"
            "<p>y</p><table><tr><td>Mill Lane<br>Leeds</td><td><code>x</code> is in</td></tr></table>"
        ),
        "x\n\n| block | `begin`<br>`end` |\n| --- | --- |\n\ny\n\nMill Lane\\\nLeeds\n\n`x` is in",
    ),
    "a sentence in lines that an editor filled": (
        (
            "<p>This book will tell a cook how to brew green tea, and keep it warm while you are<br>away. It needs a "
            "pot that holds a litre of tea, with milk and lemon, or<br>a half.</p>"
        ),
        (
            "This book will tell a cook how to brew green tea, and keep it warm while you are away. It needs a pot "
            "that holds a litre of tea, with milk and lemon, or a half."
        ),
    ),
    "the card of a page with its name in bold": (
        (
            '<p>See:</p><a href="/t"><div><img src="/p.png" alt="A pot"></div><div><span>tea.example</span> '
            "<strong>Green tea</strong> <span>It is from China.</span></div></a><p>x</p>"
        ),
        (
            "See:\n\n![A pot](https://e.org/p.png)\n\ntea.example [**Green tea**](https://e.org/t) It is from China."
            "\n\nx"
        ),
    ),
    "items with numbers of their own": (
        "<ul><li>1. Who may come?<p>All.</p></li><li>2. <b>When</b>?</li></ul>",
        "1. Who may come?\n\n   All.\n\n2. **When**?",
    ),
    "numbers that are typed twice": ("<ol><li>1. Boil it.</li><li>2. Pour it.</li></ol>", "1. Boil it.\n2. Pour it."),
    "numbered paragraphs that begin with a link or go on after a list": (
        '<p>1. <a href="/a">Tea</a></p><p>2. <i>Milk</i></p><p>x</p><ol><li>a<li>b</ol><p>3. c</p><p>5. d</p>',
        "1. [Tea](https://e.org/a)\n\n2. *Milk*\n\nx\n\n1. a\n2. b\n\n3. c\n\n5\\. d",
    ),
    "numbered paragraphs of several lines": (
        f"<p>1. Ask<br>him.</p><p>2. {'Boil it for long. ' * 4}<br>3. Wait.</p><p>R&D; and &amp;lt;, &amp;#38;</p>",
        f"1. Ask\\\nhim.\n\n2. {('Boil it for long. ' * 4).strip()}\n3. Wait.\n\nR&D; and \\&lt;, \\&#38;",
    ),
    "what a pointer shows above code": (
        (
            '<p>See:</p><pre><code>let <span class="twoslash-hover"><span class="twoslash-popup-container"><code>'
            'const a: number</code></span>a</span> = 1</code></pre><p class="tooltip">x</p>'
        ),
        "See:\n\n```\nlet a = 1\n```\n\nx",
    ),
    "text for machines and print": (
        (
            '<h3><span class="not-machine:hidden">### </span>Tea<span class="m-1 not-print:hidden"> (https://e.org)'
            '</span></h3><p class="not-sm:hidden">Boil it.</p>'
        ),
        "### Tea\n\nBoil it.",
    ),
    "an alert without paragraphs": (
        '<p>Text</p><div class="alert alert-warning"><strong>Warning!</strong> This is a warning.</div><p>x</p>',
        "Text\n\n> [!warning] Warning!\n> This is a warning.\n\nx",
    ),
}

PRINTED = """<pre>
1.  Trays

   Tea is lost whenever a cup leaves its saucer.  The loss grows with the
   distance, and with the number of stairs between the kitchen and

<span class="grey">Kettle                       Informational                      [Page 1]</span></pre>
<hr class="noprint"><!--NewPage--><pre class="newpage"><span id="page-2"></span>
<span class="grey">RFC 9999             The Transport of Tea by Trays              May 2024</span>

   the <a href="/table">table</a>.

   tray
      A board with a rim that keeps its cups where they are, however far
      they are carried.

   C: POUR <b>tea</b>
   S: 250 OK

<span class="grey">Kettle                       Informational                      [Page 2]</span></pre><p>End.</p>"""


def test_pages_of_a_printed_document_are_joined():
    extraction = tamis.extract(PRINTED, "https://e.org/rfc", extractor="body")
    assert extraction.to_markdown(title=False) == (
        "## 1. Trays\n\n"
        "Tea is lost whenever a cup leaves its saucer. The loss grows with the distance, and with the number of "
        "stairs between the kitchen and the table.\n\ntray\n\n"
        "A board with a rim that keeps its cups where they are, however far they are carried.\n\n"
        "```\nC: POUR tea\nS: 250 OK\n```\n\nEnd."
    )
    assert extraction.text.split() == extraction.render("text", title=False).text.split()


@pytest.mark.parametrize("name", CASES)
def test_structure_is_kept(name):
    html, markdown = CASES[name]
    assert tamis.extract(html, "https://e.org/a/b.html", extractor="body").to_markdown(title=False) == markdown


@pytest.mark.parametrize("name", CASES)
def test_the_plain_text_is_that_of_the_document(name):
    extraction = tamis.extract(CASES[name][0], "https://e.org/a/b.html", extractor="body")
    assert extraction.text.split() == extraction.render("text", title=False).text.split()


def select(html, *left_out):
    """Return the Markdown of a page without the rows that have one of these texts."""
    page = tamis.parse_page(html)
    mask = page.shown & [page.row_text(row).strip() not in left_out for row in range(len(page))]
    return tamis.Extraction(page, tamis.Selection.from_mask(page, mask), None, "test")


def test_a_section_that_is_selected_keeps_its_heading():
    html = "<p>Boil it.</p><div><a href='#p'><h2 id=p>Pour</h2></a><div><p>Then wait.</p></div></div>"
    assert select(html, "Pour").markdown == "Boil it.\n\n## Pour\n\nThen wait."
    assert select(html, "Pour").text == "Boil it.\n\nThen wait."  # which has what was selected
    card = "<p>One.</p><aside><a href='/b'><h3>Elsewhere</h3></a></aside><p>Two.</p>"
    assert select(card, "Elsewhere").markdown == "One.\n\nTwo."


def test_code_of_which_nearly_all_is_selected_is_whole():
    html = (
        "<p>Try:</p><pre><code><span>int first = 1;\n</span><span>int second = 2;\n</span><span>}</span></code></pre>"
    )
    assert select(html, "}").markdown == "Try:\n\n```\nint first = 1;\nint second = 2;\n}\n```"
    assert select(html, "}").text.endswith("}")


SELECTED = {
    "text that waits for a script": (
        (
            '<h1>encode_cups</h1><section><h2>Description</h2><span style="display:block;visibility:hidden"><p>'
            "One-hot encoding maps a column of cups to a column of binary vectors, with at most a "
            "single one-value for each "
            "of the cups.</p></span></section>"
        ),
        (
            "# encode_cups\n\n## Description\n\nOne-hot encoding maps a column of cups to a column of binary "
            "vectors, with at most a single one-value for each of the cups."
        ),
    ),
    "an alert between paragraphs": (
        (
            "<p>Text before that is long enough to be the content of it.</p><div class='alert alert-danger' "
            "role=alert><p>The pot is broken.</p></div><p>Text after that is long enough to be the content of it.</p>"
        ),
        (
            "Text before that is long enough to be the content of it.\n\n> [!danger] Danger\n> The pot is broken.\n\n"
            "Text after that is long enough to be the content of it."
        ),
    ),
    "a picture in a carousel": (
        (
            "<article><p>Some introductory text about the pot, long enough to be the content of the page here.</p>"
            "<div><span>Gallery</span><swiper-container><swiper-slide><figure><img src='https://e.org/a.jpg'></figure>"
            "</swiper-slide></swiper-container></div><p>Text after the carousel is here and it is long enough too, "
            "as all of the content.</p></article>"
        ),
        (
            "Some introductory text about the pot, long enough to be the content of the page here.\n\nGallery\n\n"
            "![](https://e.org/a.jpg)\n\nText after the carousel is here and it is long enough too, as all of the "
            "content."
        ),
    ),
}


@pytest.mark.parametrize("name", SELECTED)
def test_what_is_selected_of_a_short_page_has_its_structure(name):
    html, markdown = SELECTED[name]
    assert tamis.extract(html, "https://e.org/a/b.html").markdown == markdown


def test_a_link_to_a_place_that_a_page_without_url_lacks_is_text():
    html = '<p>Figure <a href="#f1">1</a>, <a href="#s2">section 2</a> and <a href="#%C3%BC">3</a>.</p>'
    html += '<h2 id=s2>Tea</h2><h2><a name="ü"></a>Milk</h2>'
    text = "## Tea\n\n## Milk"
    assert tamis.extract(html, extractor="body").to_markdown(title=False) == (
        f"Figure 1, [section 2](#s2) and [3](#%C3%BC).\n\n{text}"
    )
    assert "[1](https://e.org/a#f1)" in tamis.extract(html, "https://e.org/a", extractor="body").markdown
