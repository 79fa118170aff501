import gzip
import json

import pytest

from tamis.errors import CorpusError, OptionError
from tamis.evaluate.corpora import LAYOUTS, BrokenPage, open_corpora, open_corpus
from tamis.evaluate.corpora.decode import decode_markup, decode_text


def _write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    data = content.encode() if isinstance(content, str) else content
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)


def _wcxb(folder):
    truth = {
        "url": "https://www.shop.example/a",
        "file_id": "0001",
        "_internal": {"page_type": {"primary": "category"}},
        "ground_truth": {
            "title": "Teas",
            "author": "A. B.",
            "publish_date": "2025-01-02",
            "main_content": "Green tea\n\nBlack tea",
            "with": ["Green tea"],
            "without": ["Basket"],
        },
    }
    _write(folder / "html/0001.html.gz", "<nav>Basket</nav><p>Green tea<p>Black tea")
    _write(folder / "ground-truth/0001.json", json.dumps(truth))
    return folder


def _cleaneval(folder):
    page = b'<text id="http://a.example/x" title="T" encoding="iso-8859-1">\n<p>caf\xe9 \x93open\x94</p>\n\n</text>\n'
    _write(folder / "input/1.html", page)
    gold = "URL: http://a.example/x\n\n <h> Caf\xe9\n\n<p>It is\n   open.\n<l>daily".encode("latin-1")
    _write(folder / "GoldStandard/1.txt", gold)
    return folder


def _l3s(folder):
    _write(folder / "input/a-b.html", "<h1>Rain</h1><p>It rained.</p><p>First!</p>")
    gold = """<style>.x-nc-sel2 {}</style><h1 class="x-nc-sel1">Rain</h1>
    <div class="x-nc-sel2"><b class="x-nc-sel2">It <!-- all -->rained.</b><b class="x-nc-sel0">Menu</b></div>
    <p class="x-nc-sel3">Photo: C.</p><p class="x-nc-sel4">First!</p><p class="x-nc-sel5">More</p>"""
    _write(folder / "GoldStandard/a-b.txt", gold)
    return folder


def _dragnet(folder):
    _write(folder / "input/7.html", "<p>The news.</p><p>First!</p>")
    _write(folder / "GoldStandard/7.txt", "The news.\n\n!@#$%^&*()  COMMENTS\n\nFirst!\n")
    return folder


def _dragnet_as_published(folder):
    _write(folder / "HTML/7.html", "<p>The news.</p>")
    _write(folder / "Corrected/7.html.corrected.txt", "The news.")
    return folder


def _article_benchmark(folder):
    _write(folder / "html/ab12.html.gz", "<p>The news.</p>")
    truth = {"ab12": {"articleBody": "The news.", "url": "https://news.example/1"}}
    _write(folder / "ground-truth.json", json.dumps(truth))
    return folder


def _readability(folder):
    _write(folder / "001/source.html", "<nav>Menu</nav><p>The <b>news</b>.</p>")
    _write(folder / "001/expected.html", '<div id="readability-page-1"><p>The <b>news</b>.</p></div>')
    _write(folder / "001/expected-metadata.json", '{"title": "News", "byline": "A. B.", "lang": "en"}')
    return folder


def _plain(folder):
    _write(folder / "x.html", "<p>The news.</p>")
    _write(folder / "x.txt", "The news.")
    _write(folder / "x.json", '{"url": "https://n.example/", "page_type": "article", "language": "en"}')
    _write(folder / "LICENCE.txt", "Do as you like.")
    return folder


MAKERS = {
    "wcxb": _wcxb,
    "cleaneval": _cleaneval,
    "l3s-gn1": _l3s,
    "dragnet": _dragnet,
    "article-benchmark": _article_benchmark,
    "readability": _readability,
    "plain": _plain,
}


@pytest.mark.parametrize("layout", MAKERS)
def test_a_layout_is_told_from_its_files(layout, tmp_path):
    corpus = open_corpus(MAKERS[layout](tmp_path / "c"))
    assert corpus.layout.name == layout
    (page,) = corpus
    assert not isinstance(page, BrokenPage)
    assert page.corpus == "c"
    assert "<p>" in page.html


def test_wcxb_has_the_gold_text_snippets_and_the_kind(tmp_path):
    (page,) = open_corpus(_wcxb(tmp_path / "wcxb/dev"))
    assert (page.id, page.corpus, page.gold) == ("0001", "wcxb/dev", "Green tea\n\nBlack tea")
    assert (page.required, page.forbidden) == (("Green tea",), ("Basket",))
    assert (page.title, page.author, page.date) == ("Teas", "A. B.", "2025-01-02")
    assert (page.page_type, page.site) == ("collection", "shop.example")


def test_cleaneval_pages_are_unwrapped_and_decoded_by_the_label_beside_them(tmp_path):
    (page,) = open_corpus(_cleaneval(tmp_path))
    assert page.html.strip() == "<p>café “open”</p>"
    assert page.encoding == "windows-1252"
    assert page.gold == "Café\n\nIt is open.\n\ndaily"
    assert page.parts == {"headings": "Café", "paragraphs": "It is open.", "lists": "daily"}
    assert page.url == "http://a.example/x"


def test_l3s_gold_is_leaf_elements_of_three_classes(tmp_path):
    (page,) = open_corpus(_l3s(tmp_path))
    assert page.gold == "Rain\nIt rained.\nPhoto: C."
    assert page.parts == {"headline": "Rain", "body": "It rained.", "supplement": "Photo: C."}
    assert page.comments == "First!"


def test_dragnet_comments_are_kept_apart(tmp_path):
    (page,) = open_corpus(_dragnet(tmp_path))
    assert (page.gold, page.comments) == ("The news.", "First!")


def test_dragnet_as_first_published(tmp_path):
    (page,) = open_corpus(_dragnet_as_published(tmp_path))
    assert (page.id, page.gold, page.comments) == ("7", "The news.", None)


def test_readability_gold_is_the_text_of_clean_html(tmp_path):
    (page,) = open_corpus(_readability(tmp_path / "test/test-pages"))
    assert (page.gold, page.title, page.author, page.language) == ("The news.", "News", "A. B.", "en")


def test_a_plain_folder_may_have_notes_beside_its_pages(tmp_path):
    (page,) = open_corpus(_plain(tmp_path))
    assert (page.id, page.page_type, page.url, page.language) == ("x", "article", "https://n.example/", "en")


def test_golden_pages_of_this_repository_are_a_corpus(request):
    pages = list(open_corpus(request.config.rootpath / "tests/pages"))
    assert all(not isinstance(page, BrokenPage) and page.gold for page in pages)
    assert "news-zh" in {page.id for page in pages}


def test_a_parent_folder_stands_for_the_corpora_in_it(tmp_path):
    _cleaneval(tmp_path / "cleaneval/dev")
    _cleaneval(tmp_path / "cleaneval/final")
    found = open_corpora(tmp_path / "cleaneval")
    assert [corpus.name for corpus in found] == ["cleaneval/dev", "cleaneval/final"]
    with pytest.raises(CorpusError, match="dev, final"):
        open_corpus(tmp_path / "cleaneval")


def test_a_layout_can_be_named(tmp_path):
    _cleaneval(tmp_path)
    (page,) = open_corpus(tmp_path, layout="dragnet")
    assert page.gold.startswith("URL:")
    with pytest.raises(OptionError, match="no layout is named 'x'; there are wcxb"):
        open_corpus(tmp_path, layout="x")


def test_folders_that_are_no_corpus_are_told_what_one_looks_like(tmp_path):
    with pytest.raises(CorpusError, match="no such folder"):
        open_corpus(tmp_path / "x")
    with pytest.raises(CorpusError) as raised:
        open_corpus(tmp_path)
    assert all(layout.shape in str(raised.value) for layout in LAYOUTS)


def test_missing_and_broken_pages_come_with_the_reason(tmp_path):
    _wcxb(tmp_path)
    _write(tmp_path / "html/0002.html.gz", "<p>no gold")
    _write(tmp_path / "ground-truth/0003.json", '{"ground_truth": {"main_content": "no page"}}')
    _write(tmp_path / "html/0004.html.gz", "<p>x")
    _write(tmp_path / "ground-truth/0004.json", "{")
    (tmp_path / "html/0005.html.gz").write_bytes(gzip.compress(b"<p>cut short" * 100)[:30])
    _write(tmp_path / "ground-truth/0005.json", '{"ground_truth": {"main_content": "x"}}')
    _write(tmp_path / "html/0006.html.gz", " ")
    _write(tmp_path / "ground-truth/0006.json", '{"ground_truth": {"main_content": "x"}}')
    _write(tmp_path / "html/0007.html.gz", "<p>x")
    _write(tmp_path / "ground-truth/0007.json", '{"ground_truth": {"title": "x"}}')
    pages = list(open_corpus(tmp_path))
    reasons = {page.id: page.reason for page in pages if isinstance(page, BrokenPage)}
    assert len(pages) == 7
    assert reasons.keys() == {f"000{number}" for number in range(2, 8)}
    assert reasons["0002"] == "has no gold text"
    assert reasons["0003"] == "has a gold text but no page"
    assert "not JSON" in reasons["0004"]
    assert "broken gzip" in reasons["0005"]
    assert reasons["0006"] == "the page is empty"
    assert reasons["0007"] == "its record has no main_content"


@pytest.mark.parametrize(
    ("make", "lone_page", "lone_gold"),
    [
        (_cleaneval, "input/2.html", "GoldStandard/3.txt"),
        (_dragnet, "input/2.html", "GoldStandard/3.txt"),
        (_readability, "002/source.html", "003/expected.html"),
        (_article_benchmark, "html/2.html.gz", None),
        (_plain, "2.html", None),
    ],
)
def test_lone_pages_and_lone_gold_texts_are_counted(make, lone_page, lone_gold, tmp_path):
    make(tmp_path)
    _write(tmp_path / lone_page, "<p>x")
    if lone_gold:
        _write(tmp_path / lone_gold, "x")
    pages = list(open_corpus(tmp_path))
    assert sum(isinstance(page, BrokenPage) for page in pages) == (2 if lone_gold else 1)
    assert len(pages) == (3 if lone_gold else 2)


def test_pages_are_in_the_order_a_person_expects(tmp_path):
    for number in (10, 2, 1):
        _write(tmp_path / f"{number}.html", "<p>x")
        _write(tmp_path / f"{number}.txt", "x")
    assert open_corpus(tmp_path).ids() == ["1", "2", "10"]


@pytest.mark.parametrize(
    ("data", "label", "text", "encoding"),
    [
        ("<p>thé".encode(), None, "<p>thé", "UTF-8"),
        ("\ufeff<p>thé".encode(), None, "<p>thé", "UTF-8"),
        ("<p>thé".encode("utf-16"), None, "<p>thé", "UTF-16LE"),
        ('<meta charset="gb2312">茶'.encode("gbk"), None, '<meta charset="gb2312">茶', "GBK"),
        (b"<p>caf\xe9", "unset", "<p>café", "windows-1252"),  # no encoding: the page decides
        (b"<p>caf\xe9", "utf8", "<p>café", "windows-1252"),  # does not fit: the page decides
        ("<meta charset=utf-8>чай".encode("cp1251"), "windows-1251", "<meta charset=utf-8>чай", "windows-1251"),
        ("<p>茶".encode("big5"), "big5", "<p>茶", "Big5"),
    ],
)
def test_markup_is_decoded_by_the_steps_of_the_standard(data, label, text, encoding):
    assert decode_markup(data, label) == (text, encoding)


def test_gold_texts_are_utf8_or_what_they_look_like():
    assert decode_text("thé 茶".encode()) == decode_text("\ufeffthé 茶".encode()) == "thé 茶"
    assert decode_text(b"caf\xe9 \x93open\x94") == "café “open”"
    assert decode_text(b"") == ""
