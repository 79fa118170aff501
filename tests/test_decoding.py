"""The same bytes are the same text in Python, the command, a batch, the service and the evaluation."""

import json
from urllib.parse import quote

import pytest

import tamis
from tamis.api.options import Options
from tamis.batch import Record, RowOptions, run
from tamis.batch.rows import make_row
from tamis.lab.evaluate.corpora.reader import decode_markup
from tamis.lab.evaluate.tools import open_tool
from tests.batch.pages import response
from tests.serve.loopback import Site, loopback_settings, send, serving

RUSSIAN = "Это русский текст, который написан давно. Он рассказывает о реке и о лесе. "
JAPANESE = "これは日本語の文章です。東京は今日も雨でした。明日は晴れるでしょう。"
CHINESE = "这是一个中文网页的正文内容，北京今天下雨，明天大概会放晴。"
GERMAN = "Größe und Maß, das „Übliche“ – schöne Grüße. "
#: Name: text, its encoding, what the page declares, what the HTTP header declares.
CASES = {
    "declared": (CHINESE, "gbk", "gbk", None),
    "not declared": (JAPANESE, "shift_jis", None, None),
    "UTF-8 not declared": (RUSSIAN, "utf-8", None, None),
    "declared UTF-8, and is Shift_JIS": (JAPANESE, "shift_jis", "utf-8", None),
    "declared UTF-8, and is windows-1251": (RUSSIAN, "windows-1251", "utf-8", None),
    "declared gb2312, and is UTF-8": (CHINESE, "utf-8", "gb2312", None),
    "declared iso-8859-1, and is UTF-8": (RUSSIAN, "utf-8", "iso-8859-1", None),
    "iso-8859-1 is windows-1252": (GERMAN, "windows-1252", "iso-8859-1", None),
    "UTF-16 with a mark": (RUSSIAN, "utf-16", None, None),
    "unknown declaration": (GERMAN, "utf-8", "klingon", None),
    "the header wins": (RUSSIAN, "koi8-r", "windows-1251", "koi8-r"),
    "unknown header": (GERMAN, "windows-1252", "iso-8859-1", "klingon"),
    "decoded twice": (GERMAN.encode().decode("windows-1252", "ignore"), "utf-8", "utf-8", None),
}


def page(name):
    text, encoding, declared, _ = CASES[name]
    meta = f"<meta charset={declared}>" if declared else ""
    return f"<!doctype html>{meta}<title>Tea</title><article><p>{text * 6}</p></article>".encode(encoding)


def header(name):
    return CASES[name][3]


@pytest.fixture(scope="module")
def site():
    with Site() as site:
        for number, name in enumerate(CASES):
            charset = f"; charset={header(name)}" if header(name) else ""
            site.pages[f"/{number}"] = lambda handler, name=name, charset=charset: handler.respond(
                page(name), Content_Type=f"text/html{charset}"
            )
        yield site


@pytest.fixture(scope="module")
def service(site):
    with serving(loopback_settings(site.port)) as base:
        yield base


@pytest.fixture(scope="module")
def batched(tmp_path_factory):
    """The texts that a batch reads of all cases in one WARC file."""
    folder = tmp_path_factory.mktemp("crawl")
    records = []
    for number, name in enumerate(CASES):
        head = {"Content-Type": "text/html" + (f"; charset={header(name)}" if header(name) else "")}
        records.append(response(f"https://example.org/{number}", page(name), head))
    (folder / "crawl.warc").write_bytes(b"".join(records))
    options = RowOptions(("text",), Options(extractor="body"))
    run([str(folder / "crawl.warc")], folder / "rows.jsonl", row_options=options)
    return [json.loads(line)["text"] for line in (folder / "rows.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_all_read_the_same_text(run_tamis, site, service, batched, tmp_path, name):
    data, charset = page(name), header(name)
    url = site.url(f"/{list(CASES).index(name)}")
    fetched = tamis.extract(tamis.fetch(url, allow_private=True), extractor="body").text
    expected = CASES[name][0].strip() if name != "decoded twice" else "Größe und Maß"
    assert expected in fetched

    assert run_tamis(url, "-e", "body", "--no-title").stdout.strip() == fetched
    assert send(f"{service}/v1/extract?url={quote(url)}&format=text&extractor=body").text.strip() == fetched
    body = send(
        f"{service}/v1/extract?format=text&extractor=body",
        "POST",
        data,
        Content_Type="text/html" + (f"; charset={charset}" if charset else ""),
    )
    assert body.text.strip() == fetched

    options = RowOptions(("text",), Options(extractor="body"))
    assert make_row(Record("a", body=data, encoding=charset), options)["text"] == fetched
    assert batched[list(CASES).index(name)] == fetched

    assert open_tool("body").text(decode_markup(data, charset)[0]) == fetched
    if charset is None:
        (tmp_path / "page.html").write_bytes(data)
        assert run_tamis(tmp_path / "page.html", "-e", "body", "--no-title").stdout.strip() == fetched
        assert tamis.extract(data, extractor="body").text == fetched
