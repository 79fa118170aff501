import gzip
import json

import pytest

from tamis.errors import CorpusError, OptionError
from tamis.lab.evaluate.corpora import READERS, BrokenPage, open_corpora, open_corpus, unique_corpora
from tamis.lab.evaluate.corpora.reader import decode_markup, decode_text


def write_file(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    data = content.encode() if isinstance(content, str) else content
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)


def write_wcxb(folder):
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
    write_file(folder / "html/0001.html.gz", "<nav>Basket</nav><p>Green tea<p>Black tea")
    write_file(folder / "ground-truth/0001.json", json.dumps(truth))
    return folder


def write_cleaneval(folder):
    page = b'<text id="http://a.example/x" title="T" encoding="iso-8859-1">\n<p>caf\xe9 \x93open\x94</p>\n\n</text>\n'
    write_file(folder / "input/1.html", page)
    gold = "URL: http://a.example/x\n\n <h> Caf\xe9\n\n<p>It is\n   open.\n<l>daily".encode("latin-1")
    write_file(folder / "GoldStandard/1.txt", gold)
    return folder


def write_l3s(folder):
    write_file(folder / "input/a-b.html", "<h1>Rain</h1><p>It rained.</p><p>First!</p>")
    gold = """<style>.x-nc-sel2 {}</style><h1 class="x-nc-sel1">Rain</h1>
    <div class="x-nc-sel2"><b class="x-nc-sel2">It <!-- all -->rained.</b><b class="x-nc-sel0">Menu</b></div>
    <p class="x-nc-sel3">Photo: C.</p><p class="x-nc-sel4">First!</p><p class="x-nc-sel5">More</p>"""
    write_file(folder / "GoldStandard/a-b.txt", gold)
    return folder


def write_dragnet(folder):
    write_file(folder / "input/7.html", "<p>The news.</p><p>First!</p>")
    write_file(folder / "GoldStandard/7.txt", "The news.\n\n!@#$%^&*()  COMMENTS\n\nFirst!\n")
    return folder


def write_dragnet_as_published(folder):
    write_file(folder / "HTML/7.html", "<p>The news.</p>")
    write_file(folder / "Corrected/7.html.corrected.txt", "The news.")
    return folder


def write_article_benchmark(folder):
    write_file(folder / "html/ab12.html.gz", "<p>The news.</p>")
    truth = {"ab12": {"articleBody": "The news.", "url": "https://news.example/1"}}
    write_file(folder / "ground-truth.json", json.dumps(truth))
    return folder


def write_readability(folder):
    write_file(folder / "001/source.html", "<nav>Menu</nav><p>The <b>news</b>.</p>")
    write_file(folder / "001/expected.html", '<div id="readability-page-1"><p>The <b>news</b>.</p></div>')
    write_file(folder / "001/expected-metadata.json", '{"title": "News", "byline": "A. B.", "lang": "en"}')
    return folder


def write_plain(folder):
    write_file(folder / "x.html", "<p>The news.</p>")
    write_file(folder / "x.txt", "The news.")
    write_file(folder / "x.json", '{"url": "https://n.example/", "page_type": "article", "language": "en"}')
    write_file(folder / "LICENCE.txt", "Do as you like.")
    return folder


def write_webmainbench(folder):
    page = {
        "track_id": "a-1",
        "url": "https://tea.example/p",
        "html": '<nav>Menu</nav><h1 cc-select="true">Tea</h1>\n<p cc-select=true>Pour <b>it</b>.</p>',
        "main_html": "<h1>Tea</h1><p>Pour <b>it</b>.</p>",
        "convert_main_content": "# Tea\n\nPour **it**.",
        "groundtruth_content": "# Tea\n\nPour **it**, `now()`.",
        "meta": {"language": "en", "style": "Content Listing", "level": "mid", "code": ["inline"], "table": []},
    }
    write_file(folder / "bench.jsonl", json.dumps(page) + "\n\n")
    return folder


def write_chatnoir(folder):
    record = {"page_id": "f00", "plaintext": "The news.", "url": "https://n.example/", "source": ["tea", "7"]}
    write_file(folder / "ground-truth/tea.jsonl", json.dumps(record) + "\n")
    write_file(folder / "html/tea/f00.html.gz", "<nav>Menu</nav><p>The news.</p>")
    return folder


def write_defuddle(folder):
    write_file(folder / "fixtures/news--tea.example:pour.html", "<nav>Menu</nav><p>Pour <b>it</b>.</p>")
    preamble = '```json\n{"title": "Tea", "author": "A. B.", "published": "2025-01-02"}\n```\n\n'
    write_file(folder / "expected/news--tea.example:pour.md", preamble + "Pour **it**.\n\n```json\n{}\n```\n")
    return folder


WRITERS = {
    "webmainbench": write_webmainbench,
    "chatnoir": write_chatnoir,
    "defuddle": write_defuddle,
    "wcxb": write_wcxb,
    "cleaneval": write_cleaneval,
    "l3s-gn1": write_l3s,
    "dragnet": write_dragnet,
    "article-benchmark": write_article_benchmark,
    "readability": write_readability,
    "plain": write_plain,
}


@pytest.mark.parametrize("corpus_format", WRITERS)
def test_corpus_format_is_recognized_from_its_files(corpus_format, tmp_path):
    corpus = open_corpus(WRITERS[corpus_format](tmp_path / "c"))
    assert corpus.reader.name == corpus_format
    (page,) = corpus
    assert not isinstance(page, BrokenPage)
    assert page.corpus == {"webmainbench": "c/bench", "chatnoir": "c/tea"}.get(corpus_format, "c")
    assert "<p>" in page.html


def test_wcxb_page_has_gold_text_snippets_metadata_and_page_type(tmp_path):
    (page,) = open_corpus(write_wcxb(tmp_path / "wcxb/dev"))
    assert (page.id, page.corpus, page.gold) == ("0001", "wcxb/dev", "Green tea\n\nBlack tea")
    assert (page.required, page.forbidden) == (("Green tea",), ("Basket",))
    assert (page.title, page.author, page.date) == ("Teas", "A. B.", "2025-01-02")
    assert (page.page_type, page.site) == ("collection", "shop.example")


def test_cleaneval_page_is_unwrapped_and_decoded_as_its_wrapper_declares(tmp_path):
    (page,) = open_corpus(write_cleaneval(tmp_path))
    assert page.html.strip() == "<p>café “open”</p>"
    assert page.encoding == "windows-1252"
    assert page.gold == "Café\n\nIt is open.\n\ndaily"
    assert page.parts == {"headings": "Café", "paragraphs": "It is open.", "lists": "daily"}
    assert page.url == "http://a.example/x"


def test_l3s_gold_text_is_leaf_elements_of_three_classes(tmp_path):
    (page,) = open_corpus(write_l3s(tmp_path))
    assert page.gold == "Rain\nIt rained.\nPhoto: C."
    assert page.parts == {"headline": "Rain", "body": "It rained.", "supplement": "Photo: C."}
    assert page.comments == "First!"


def test_dragnet_comments_are_separate_from_the_gold_text(tmp_path):
    (page,) = open_corpus(write_dragnet(tmp_path))
    assert (page.gold, page.comments) == ("The news.", "First!")


def test_dragnet_is_read_as_first_published(tmp_path):
    (page,) = open_corpus(write_dragnet_as_published(tmp_path))
    assert (page.id, page.gold, page.comments) == ("7", "The news.", None)


def test_readability_gold_text_is_the_text_of_the_expected_html(tmp_path):
    (page,) = open_corpus(write_readability(tmp_path / "test/test-pages"))
    assert (page.gold, page.title, page.author, page.language) == ("The news.", "News", "A. B.", "en")


def test_readability_gold_markdown_is_the_expected_html(tmp_path):
    (page,) = open_corpus(write_readability(tmp_path))
    assert page.gold_markdown.strip() == "The **news**."


def test_webmainbench_page_has_markdown_and_tags_and_no_labels_in_its_markup(tmp_path):
    (page,) = open_corpus(write_webmainbench(tmp_path))
    assert page.html == "<nav>Menu</nav><h1>Tea</h1>\n<p>Pour <b>it</b>.</p>"
    assert (page.id, page.gold, page.gold_markdown) == (
        "a-1",
        "Tea\n\nPour it, now().",
        "# Tea\n\nPour **it**, `now()`.",
    )
    assert (page.page_type, page.language, page.level, page.tags) == ("content-listing", "en", "mid", ("code",))
    assert (page.url, page.site) == ("https://tea.example/p", "tea.example")


def test_webmainbench_gold_text_is_converted_if_people_did_not_correct_it(tmp_path):
    records = [
        {"track_id": "1", "html": "<p>a", "convert_main_content": "converted"},
        {"track_id": "2", "html": "<p>b", "groundtruth_content": "", "main_html": "<p>main</p>"},
        {"track_id": "2", "html": "<p>b", "groundtruth_content": "same name"},
        {"html": "<p>c", "groundtruth_content": "no name"},
        {"track_id": "5", "html": "<p>d", "groundtruth_content": None},
        {"track_id": "6", "html": "", "groundtruth_content": "no page"},
    ]
    file = tmp_path / "bench.jsonl"
    write_file(file, "\n".join([*map(json.dumps, records), '{"track_id": "7", "html"']))
    pages = {page.id: page for page in open_corpus(file)}
    gold = {name: page.gold for name, page in pages.items() if not isinstance(page, BrokenPage)}
    assert gold == {"1": "converted", "2": "main", "2#3": "same name", "4": "no name"}
    reasons = {name: page.reason for name, page in pages.items() if isinstance(page, BrokenPage)}
    assert (reasons["5"], reasons["6"]) == ("has no gold text", "has a gold text but no page")
    assert "not JSON" in reasons["7"]


def test_webmainbench_markup_has_no_traces_of_the_annotation(tmp_path):
    html = (
        "<p data-anno-uid='anno-1' CC-SELECT class=a><marked-text cc-select=true>Tea</marked-text> <b>pot</b>"
        '<marked-tail data-anno-uid="2"> and cup</marked-tail></p><p data-anno-uid>cc-select="true"</p>'
    )
    write_file(tmp_path / "b.jsonl", json.dumps({"html": html, "main_html": html}))
    (page,) = open_corpus(tmp_path / "b.jsonl")
    assert page.html == '<p class=a>Tea <b>pot</b> and cup</p><p>cc-select="true"</p>'
    assert page.gold.startswith("Tea pot and cup")


def test_webmainbench_page_without_content_has_an_empty_gold_text(tmp_path):
    write_file(tmp_path / "b.jsonl", json.dumps({"html": "<nav>Menu", "convert_main_content": "", "main_html": ""}))
    (page,) = open_corpus(tmp_path / "b.jsonl")
    assert (page.gold, page.gold_markdown) == ("", "")


def test_typed_parts_are_markdown_and_a_page_without_parts_was_not_labelled(tmp_path):
    parts = [{"type": "code", "content": {"code_content": "brew()", "language": "py"}}]
    for name, groups in (("a", [parts]), ("b", [[]])):
        write_file(tmp_path / "origin" / f"{name}.html", "<pre>brew()</pre>")
        write_file(tmp_path / "groundtruth" / f"{name}.jsonl", json.dumps({"content_list": groups, "content": "x"}))
    assert [page.gold_markdown for page in open_corpus(tmp_path)] == ["```py\nbrew()\n```", None]


@pytest.mark.parametrize("first", ["{damaged", "", "[1]", '"text"'])
def test_json_lines_are_recognized_by_their_first_sound_record(first, tmp_path):
    record = json.dumps({"track_id": "a", "html": "<p>Tea", "groundtruth_content": "Tea"})
    write_file(tmp_path / "b.jsonl", f"{first}\n{record}\n")
    corpus = open_corpus(tmp_path / "b.jsonl")
    assert corpus.reader.name == "webmainbench"
    assert [page.gold for page in corpus if not isinstance(page, BrokenPage)] == ["Tea"]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("b.csv", "a,b", "is neither a folder nor a .jsonl file"),
        ("b.jsonl", "", "has no JSON object in its first lines"),
        ("b.jsonl", "{}", "has no JSON object in its first lines"),
        ("b.jsonl", '{"a": 1}', "has records of none of the known corpus formats"),
    ],
)
def test_file_that_is_not_a_corpus_says_why(name, text, message, tmp_path):
    write_file(tmp_path / name, text)
    with pytest.raises(CorpusError, match=message):
        open_corpora(tmp_path / name)


def test_folder_of_pages_without_records_is_not_taken_for_wcxb(tmp_path):
    write_file(tmp_path / "html/tea/f00.html", "<p>x")
    write_file(tmp_path / "ground-truth/tea.jsonl", "damaged")
    with pytest.raises(CorpusError, match="none of the known corpus formats"):
        open_corpora(tmp_path)


def test_corpora_with_one_name_are_named_by_their_paths(tmp_path):
    first, second = (write_plain(tmp_path / parent / "pages") for parent in "ab")
    other = write_plain(tmp_path / "other")
    corpora = unique_corpora(open_corpus(folder) for folder in (first, second, other, first))
    assert [corpus.name for corpus in corpora] == [first.as_posix(), second.as_posix(), "other"]


@pytest.mark.parametrize(
    ("gold", "page"),
    [
        ("ground-truth/tea.jsonl", "html/tea/f00.html.gz"),
        ("dataset/tea/tea.jsonl", "dataset/tea/html/f00.html"),
        ("dataset/tea.jsonl", "html/tea/f00.html"),
        ("tea.jsonl", "tea/f00.html"),
        ("tea.jsonl", "html/tea/f00.html"),
    ],
)
def test_chatnoir_datasets_are_corpora_wherever_their_pages_are(gold, page, tmp_path):
    write_file(tmp_path / "combined" / gold, '{"page_id": "f00", "plaintext": "The news."}\n')
    write_file(tmp_path / "combined" / page, "<p>The news.</p>")
    corpus = open_corpus(tmp_path / "combined")
    assert (corpus.name, corpus.reader.name) == ("combined/tea", "chatnoir")
    assert [page.gold for page in corpus] == ["The news."]


def test_chatnoir_folder_has_a_corpus_for_each_dataset(tmp_path):
    write_chatnoir(tmp_path / "combined")
    write_file(tmp_path / "combined/ground-truth/pot.jsonl", '{"page_id": "1", "plaintext": null}\n')
    write_file(tmp_path / "combined/html/pot/1.html.gz", "<p>x")
    write_file(tmp_path / "combined/html/pot/2.html.gz", "<p>x")
    pot, tea = open_corpora(tmp_path / "combined")
    assert [page.reason for page in pot] == ["has no gold text", "has no gold text"]
    (page,) = tea
    assert (page.id, page.gold, page.url) == ("f00", "The news.", "https://n.example/")
    assert [corpus.name for corpus in open_corpora(tmp_path)] == [
        f"{tmp_path.name}/combined/pot",
        f"{tmp_path.name}/combined/tea",
    ]


def test_defuddle_page_has_markdown_after_its_metadata_and_the_url_of_its_name(tmp_path):
    (page,) = open_corpus(write_defuddle(tmp_path / "defuddle/tests"))
    assert page.gold_markdown.startswith("Pour **it**.")
    assert page.gold == "Pour it.\n\n{}"
    assert (page.title, page.author, page.date) == ("Tea", "A. B.", "2025-01-02")
    assert page.url == "https://tea.example/pour"
    fixture = tmp_path / "defuddle/tests/fixtures/news--tea.example:pour.html"
    for before in ("", "<!DOCTYPE html>\n"):
        write_file(fixture, f'{before}<!-- {{"url": "https://pot.example/x"}} -->\n<p>Pour <b>it</b>.</p>')
        (page,) = open_corpus(tmp_path / "defuddle")
        assert page.url == "https://pot.example/x"


def test_plain_corpus_may_have_metadata_beside_its_pages(tmp_path):
    (page,) = open_corpus(write_plain(tmp_path))
    assert (page.id, page.page_type, page.url, page.language) == ("x", "article", "https://n.example/", "en")


def test_golden_pages_of_this_repository_are_a_corpus(request):
    pages = list(open_corpus(request.config.rootpath / "tests/pages"))
    assert all(not isinstance(page, BrokenPage) and page.gold for page in pages)
    assert "news-zh" in {page.id for page in pages}


def test_parent_folder_means_the_corpora_in_it(tmp_path):
    write_cleaneval(tmp_path / "cleaneval/dev")
    write_cleaneval(tmp_path / "cleaneval/final")
    corpora = open_corpora(tmp_path / "cleaneval")
    assert [corpus.name for corpus in corpora] == ["cleaneval/dev", "cleaneval/final"]
    with pytest.raises(CorpusError, match="dev, final"):
        open_corpus(tmp_path / "cleaneval")


def test_corpus_format_can_be_given(tmp_path):
    write_cleaneval(tmp_path)
    (page,) = open_corpus(tmp_path, corpus_format="dragnet")
    assert page.gold.startswith("URL:")
    with pytest.raises(OptionError, match="no corpus format is named 'x'; there are webmainbench"):
        open_corpus(tmp_path, corpus_format="x")


def test_folder_that_is_not_a_corpus_lists_the_formats(tmp_path):
    with pytest.raises(CorpusError, match="no such folder"):
        open_corpus(tmp_path / "x")
    with pytest.raises(CorpusError) as raised:
        open_corpus(tmp_path)
    assert all(reader.files in str(raised.value) for reader in READERS)


def test_missing_and_broken_pages_have_a_reason(tmp_path):
    write_wcxb(tmp_path)
    write_file(tmp_path / "html/0002.html.gz", "<p>no gold")
    write_file(tmp_path / "ground-truth/0003.json", '{"ground_truth": {"main_content": "no page"}}')
    write_file(tmp_path / "html/0004.html.gz", "<p>x")
    write_file(tmp_path / "ground-truth/0004.json", "{")
    (tmp_path / "html/0005.html.gz").write_bytes(gzip.compress(b"<p>cut short" * 100)[:30])
    write_file(tmp_path / "ground-truth/0005.json", '{"ground_truth": {"main_content": "x"}}')
    write_file(tmp_path / "html/0006.html.gz", " ")
    write_file(tmp_path / "ground-truth/0006.json", '{"ground_truth": {"main_content": "x"}}')
    write_file(tmp_path / "html/0007.html.gz", "<p>x")
    write_file(tmp_path / "ground-truth/0007.json", '{"ground_truth": {"title": "x"}}')
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
    ("write", "lone_page", "lone_gold"),
    [
        (write_cleaneval, "input/2.html", "GoldStandard/3.txt"),
        (write_dragnet, "input/2.html", "GoldStandard/3.txt"),
        (write_readability, "002/source.html", "003/expected.html"),
        (write_article_benchmark, "html/2.html.gz", None),
        (write_plain, "2.html", None),
        (write_defuddle, "fixtures/2.html", "expected/3.md"),
    ],
)
def test_page_without_gold_text_and_gold_text_without_page_are_broken(write, lone_page, lone_gold, tmp_path):
    write(tmp_path)
    write_file(tmp_path / lone_page, "<p>x")
    if lone_gold:
        write_file(tmp_path / lone_gold, "x")
    pages = list(open_corpus(tmp_path))
    assert sum(isinstance(page, BrokenPage) for page in pages) == (2 if lone_gold else 1)
    assert len(pages) == (3 if lone_gold else 2)


def test_page_ids_are_sorted_by_number(tmp_path):
    for number in (10, 2, 1):
        write_file(tmp_path / f"{number}.html", "<p>x")
        write_file(tmp_path / f"{number}.txt", "x")
    assert open_corpus(tmp_path).page_ids() == ["1", "2", "10"]


@pytest.mark.parametrize(
    ("data", "label", "text", "encoding"),
    [
        ("<p>thé".encode(), None, "<p>thé", "UTF-8"),
        ("\ufeff<p>thé".encode(), None, "<p>thé", "UTF-8"),
        ("<p>thé".encode("utf-16"), None, "<p>thé", "UTF-16LE"),
        ('<meta charset="gb2312">茶'.encode("gbk"), None, '<meta charset="gb2312">茶', "GBK"),
        (b"<p>caf\xe9", "unset", "<p>café", "windows-1252"),  # unknown label: detected from the page
        (b"<p>caf\xe9", "utf8", "<p>café", "windows-1252"),  # invalid bytes: detected from the page
        ("<meta charset=utf-8>чай".encode("cp1251"), "windows-1251", "<meta charset=utf-8>чай", "windows-1251"),
        ("<p>茶".encode("big5"), "big5", "<p>茶", "Big5"),
    ],
)
def test_markup_is_decoded_as_the_html_standard_prescribes(data, label, text, encoding):
    assert decode_markup(data, label) == (text, encoding)


def test_gold_text_is_decoded_as_utf8_or_as_detected():
    assert decode_text("thé 茶".encode()) == decode_text("\ufeffthé 茶".encode()) == "thé 茶"
    assert decode_text(b"caf\xe9 \x93open\x94") == "café “open”"
    assert decode_text(b"") == ""
