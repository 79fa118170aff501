"""Every source yields its pages, in order, each with an id; what is damaged is a record with an error."""

import gzip
import http.server
import io
import json
import tarfile
import threading
import tracemalloc
import zipfile
import zlib
from functools import partial

import brotli
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from tamis.batch.rows import RowOptions, make_row
from tamis.sources.fetch import fetch
from tamis.sources.readers import count_records, read_records
from tests.batch.pages import article, gzipped, html_response, lz4_frame, response
from tests.sampling import sampled


def statuses(inputs, **options):
    return [(row["id"], row["status"]) for row in rows(inputs, **options)]


def rows(inputs, max_bytes=None):
    options = RowOptions(("text",), max_bytes=max_bytes)
    return [make_row(record, options) for record in read_records([str(each) for each in inputs], max_bytes)]


def test_folder_is_read_recursively_and_ids_are_relative_paths(tmp_path):
    for number, name in enumerate(["b/index.html", "a/index.html", "a/x/page.htm", "top.html.gz", "notes.css"]):
        path = tmp_path / "crawl" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        data = article(number).encode()
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    assert statuses([tmp_path / "crawl"]) == [
        ("a/index.html", "ok"), ("a/x/page.htm", "ok"), ("b/index.html", "ok"), ("top.html.gz", "ok")
    ]  # fmt: skip


def test_ids_of_several_folders_begin_with_their_names(tmp_path):
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "index.html").write_text(article(1))
    found = statuses([tmp_path / "one", tmp_path / "two"])
    assert [name for name, _ in found] == ["one/index.html", "two/index.html"]


def test_containers_in_a_folder_are_opened(tmp_path):
    (tmp_path / "crawl").mkdir()
    (tmp_path / "crawl" / "a.warc.gz").write_bytes(gzipped(html_response(1)))
    (tmp_path / "crawl" / "b.html").write_text(article(2))
    assert statuses([tmp_path / "crawl"]) == [("a.warc.gz#urn:test:https://example.org/1", "ok"), ("b.html", "ok")]


def test_number_of_pages_is_known_where_a_source_tells_it(tmp_path):
    (tmp_path / "a.html").write_text(article(1))
    (tmp_path / "urls.txt").write_text("# two\nhttps://example.org/1\n\nhttps://example.org/2\n")
    pq.write_table(pa.table({"html": [article(1)] * 5}), tmp_path / "pages.parquet")
    with zipfile.ZipFile(tmp_path / "pages.zip", "w") as archive:
        for name in ("a.html", "b.html", "style.css"):
            archive.writestr(name, "<p>")
    assert count_records([str(tmp_path)]) == 1 + 5 + 2
    assert count_records([str(tmp_path / "urls.txt"), "https://example.org"]) == 3
    (tmp_path / "crawl.warc").write_bytes(html_response(1))
    assert count_records([str(tmp_path)]) is None
    assert count_records(["-"]) is None
    (tmp_path / "broken.zip").write_bytes(b"PK")
    assert count_records([str(tmp_path / "broken.zip")]) is None


@pytest.mark.parametrize("suffix", ["jsonl", "ndjson", "ndjson.gz", "ndjson.zst"])
def test_every_container_that_is_read_is_found_in_a_folder(tmp_path, suffix):
    data = json.dumps({"id": "x", "html": article(1)}).encode()
    compress = {"gz": gzip.compress, "zst": zstandard.ZstdCompressor().compress}.get(suffix.rpartition(".")[2], bytes)
    (tmp_path / f"pages.{suffix}").write_bytes(compress(data))
    assert statuses([tmp_path]) == [(f"pages.{suffix}#x", "ok")]


def test_missing_file_is_a_row_with_an_error(tmp_path):
    (row,) = rows([tmp_path / "nowhere.html"])
    assert (row["status"], row["error"]) == ("error", "no such file or directory")


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
def test_json_lines(tmp_path, suffix):
    lines = [
        json.dumps({"id": 7, "url": "https://example.org/7", "html": article(7)}),
        "",
        json.dumps({"content": article(8)}),
        "{broken",
        json.dumps([1]),
        json.dumps({"id": "x", "size": 3}),
    ]
    data = "\n".join(lines).encode()
    compress = {"": bytes, ".gz": gzip.compress, ".zst": zstandard.ZstdCompressor().compress}[suffix]
    (tmp_path / f"pages.jsonl{suffix}").write_bytes(compress(data))
    found = rows([tmp_path / f"pages.jsonl{suffix}"])
    assert [(row["id"], row["status"]) for row in found] == [
        ("7", "ok"), ("line 3", "ok"), ("line 4", "error"), ("line 5", "error"), ("x", "error")
    ]  # fmt: skip
    assert found[0]["url"] == "https://example.org/7"
    assert "not valid JSON" in found[2]["error"]


@pytest.mark.slow
def test_truncated_gzip_of_json_lines_keeps_what_came_before(tmp_path):
    data = gzip.compress(b"".join(json.dumps({"html": article(n)}).encode() + b"\n" for n in range(400)))
    (tmp_path / "pages.jsonl.gz").write_bytes(data[: len(data) // 2])
    found = statuses([tmp_path / "pages.jsonl.gz"])
    assert len(found) > 50
    assert found[-1][1] == "error"
    assert found[0] == ("line 1", "ok")


@pytest.mark.parametrize("suffix", ["parquet", "arrow", "arrows.arrow"])
def test_arrow_tables(tmp_path, suffix):
    table = pa.table({
        "id": ["a", "b"], "url": ["https://example.org/a", None], "html": [article(1).encode(), b""], "other": [1, 2]
    })  # fmt: skip
    path = tmp_path / f"pages.{suffix}"
    if suffix == "parquet":
        pq.write_table(table, path)
    else:
        new = pa.ipc.new_file if suffix == "arrow" else pa.ipc.new_stream
        with new(path, table.schema) as writer:
            writer.write_table(table)
    assert statuses([path]) == [("a", "ok"), ("b", "empty")]


def test_damaged_parquet_is_a_row_with_an_error(tmp_path):
    (tmp_path / "pages.parquet").write_bytes(b"PAR1 nothing here PAR1")
    ((name, status),) = statuses([tmp_path / "pages.parquet"])
    assert (name, status) == ("(end)", "error")


def test_zip_and_tar(tmp_path):
    with zipfile.ZipFile(tmp_path / "pages.zip", "w") as archive:
        for name in ("b.html", "a/c.htm", "style.css"):
            archive.writestr(name, article(1))
    with tarfile.open(tmp_path / "pages.tar.gz", "w:gz") as archive:
        for name in ("b.html", "a/c.htm", "style.css"):
            info = tarfile.TarInfo(name)
            info.size = len(article(1))
            archive.addfile(info, io.BytesIO(article(1).encode()))
    assert statuses([tmp_path / "pages.zip"]) == [("a/c.htm", "ok"), ("b.html", "ok")]
    assert statuses([tmp_path / "pages.tar.gz"]) == [("b.html", "ok"), ("a/c.htm", "ok")]


@pytest.mark.slow
def test_archive_that_expands_without_end_is_cut_off(tmp_path):
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.html", b" " * 50_000_000)
    assert statuses([tmp_path / "bomb.zip"], max_bytes=1000) == [("a.html", "too_large")]


WARC_RECORDS = [
    html_response(1),
    response("https://example.org/x.png", b"\x89PNG", {"Content-Type": "image/png"}),
    html_response(2, kind="request"),
    response("https://example.org/3", gzip.compress(article(3).encode()), {
        "Content-Type": "text/html", "Content-Encoding": "gzip"
    }),
    response("https://example.org/4", b"4\r\n<p>t\r\n3\r\nea.\r\n0\r\n\r\n", {
        "Content-Type": "text/html", "Transfer-Encoding": "chunked"
    }),
    response("https://example.org/5", "<p>Größe und Maße, die zählen.</p>".encode("latin-1"), {
        "Content-Type": "text/html; charset=iso-8859-1"
    }),
]  # fmt: skip
WARC_IDS = [f"urn:test:https://example.org/{number}" for number in (1, 3, 4, 5)]


COMPRESS = {"": bytes, ".gz": gzip.compress, ".zst": zstandard.ZstdCompressor().compress, ".lz4": lz4_frame}


@pytest.mark.parametrize("suffix", COMPRESS)
def test_warc(tmp_path, suffix):
    (tmp_path / f"crawl.warc{suffix}").write_bytes(b"".join(map(COMPRESS[suffix], WARC_RECORDS)))
    found = rows([tmp_path / f"crawl.warc{suffix}"])
    assert [row["id"] for row in found] == WARC_IDS
    assert found[0]["url"] == "https://example.org/1"
    assert "page 3" in found[1]["text"]
    assert found[3]["text"] == "Größe und Maße, die zählen."


def test_status_and_date_of_a_response_are_columns_and_an_error_is_no_page(tmp_path):
    records = [
        html_response(1),
        html_response(2, status="404 Not Found"),
        html_response(3, status="301 Moved Permanently"),
    ]
    (tmp_path / "crawl.warc").write_bytes(b"".join(records))
    options = RowOptions(("http_status", "crawled", "text"))
    found = [make_row(record, options) for record in read_records([str(tmp_path / "crawl.warc")])]
    assert [(row["status"], row["error"], row["http_status"]) for row in found] == [
        ("ok", None, 200),
        ("http_error", "404 Not Found", 404),
        ("http_error", "301 Moved Permanently", 301),
    ]
    assert {row["crawled"] for row in found} == {"2024-01-01T00:00:00Z"}
    assert [bool(row["text"]) for row in found] == [True, False, False]


def chunked(data):
    return b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in (data[:9], data[9:])) + b"0\r\n\r\n"


CODED = {
    "gzip": (gzip.compress, {"Content-Encoding": "gzip"}),
    "two members": (lambda data: gzip.compress(data[:9]) + gzip.compress(data[9:]), {"Content-Encoding": "gzip"}),
    "deflate": (zlib.compress, {"Content-Encoding": "deflate"}),
    "raw deflate": (lambda data: zlib.compress(data)[2:-4], {"Content-Encoding": "deflate"}),
    "brotli": (brotli.compress, {"Content-Encoding": "br"}),
    "zstd": (zstandard.ZstdCompressor().compress, {"Content-Encoding": "zstd"}),
    "chunked gzip": (
        lambda data: chunked(gzip.compress(data)), {"Content-Encoding": "gzip", "Transfer-Encoding": "chunked"}
    ),
    "transferred gzip": (lambda data: chunked(gzip.compress(data)), {"Transfer-Encoding": "gzip, chunked"}),
    "twice": (lambda data: brotli.compress(gzip.compress(data)), {"Content-Encoding": "gzip, br"}),
    "decoded before": (bytes, {"Content-Encoding": "br", "Transfer-Encoding": "chunked"}),
}  # fmt: skip


@pytest.mark.parametrize("name", CODED)
def test_encodings_of_a_response_are_undone(tmp_path, name):
    code, headers = CODED[name]
    body = code(article(7).encode())
    record = response("https://example.org/7", body, {"Content-Type": "text/html", **headers})
    (tmp_path / "crawl.warc").write_bytes(record + html_response(8))
    found = rows([tmp_path / "crawl.warc"], max_bytes=100_000)
    assert [row["status"] for row in found] == ["ok", "ok"]
    assert "page 7, part 5" in found[0]["text"]


BOMBS = {"gzip": gzip.compress, "br": brotli.compress, "zstd": zstandard.ZstdCompressor().compress, "identity": bytes}


@pytest.mark.slow
@pytest.mark.parametrize("encoding", sampled(BOMBS, 4))
def test_response_that_expands_without_end_is_cut_off(tmp_path, encoding):
    headers = {"Content-Type": "text/html", "Content-Encoding": encoding}
    bomb = response("https://example.org/b", BOMBS[encoding](bytes(30_000_000)), headers)
    (tmp_path / "crawl.warc.gz").write_bytes(gzipped(bomb, html_response(2)))
    tracemalloc.start()
    found = rows([tmp_path / "crawl.warc.gz"], max_bytes=100_000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [row["status"] for row in found] == ["too_large", "ok"]
    assert "larger than 0.1 MB" in found[0]["error"]
    assert peak < 10_000_000


@pytest.mark.parametrize(
    ("encoding", "body"),
    [("br", b"no brotli"), ("zstd", b"\x28\xb5\x2f\xfd" + b"\xff" * 40), ("gzip", b"\x1f\x8b\x08 no"), ("x", b"")],
)
def test_response_that_cannot_be_decoded_is_an_error(tmp_path, encoding, body):
    record = response("https://example.org/b", body, {"Content-Type": "text/html", "Content-Encoding": encoding})
    (tmp_path / "crawl.warc").write_bytes(record + html_response(2))
    found = rows([tmp_path / "crawl.warc"])
    assert [row["status"] for row in found] == ["error", "ok"]
    assert "compression is broken" in found[0]["error"] or "unexpected content encoding: x" in found[0]["error"]


def test_wacz(tmp_path):
    with zipfile.ZipFile(tmp_path / "crawl.wacz", "w") as archive:
        archive.writestr("archive/data.warc.gz", gzipped(*WARC_RECORDS))
        archive.writestr("pages/pages.jsonl", "{}")
    assert [row["id"] for row in rows([tmp_path / "crawl.wacz"])] == WARC_IDS


@pytest.mark.parametrize("suffix", COMPRESS)
def test_damaged_record_is_one_error_and_the_rest_is_read(tmp_path, suffix):
    members = [COMPRESS[suffix](html_response(number)) for number in range(6)]
    broken = bytearray(members[2])
    place = (
        len(broken) // 2
        if suffix in {".gz", ".zst"}
        else len(members[2]) - len(html_response(2)) - (4 * (suffix == ".lz4"))
    )
    broken[place : place + 20] = bytes(20)
    members[2] = bytes(broken)
    (tmp_path / f"crawl.warc{suffix}").write_bytes(b"".join(members))
    found = rows([tmp_path / f"crawl.warc{suffix}"])
    assert [row["status"] for row in found].count("error") == 1
    good = [row["id"] for row in found if row["status"] == "ok"]
    assert good == [f"urn:test:https://example.org/{number}" for number in (0, 1, 3, 4, 5)]


@pytest.mark.parametrize("suffix", COMPRESS)
def test_truncated_warc_keeps_what_came_before_and_counts_the_last_record(tmp_path, suffix):
    data = b"".join(COMPRESS[suffix](html_response(number)) for number in range(4))
    (tmp_path / f"crawl.warc{suffix}").write_bytes(data[:-100])
    found = rows([tmp_path / f"crawl.warc{suffix}"])
    assert [row["status"] for row in found] == ["ok", "ok", "ok", "error"]
    assert "damaged WARC data" in found[-1]["error"]


def test_record_that_claims_to_be_longer_does_not_swallow_the_next(tmp_path):
    wrong = html_response(1).replace(b"Content-Length: ", b"Content-Length: 9")
    (tmp_path / "crawl.warc").write_bytes(html_response(0) + wrong + html_response(2))
    assert [row["status"] for row in rows([tmp_path / "crawl.warc"])] == ["ok", "error", "ok"]


def test_gzipped_pages_in_archives_and_file_systems_are_read(tmp_path):
    page = gzip.compress(article(3).encode())
    (tmp_path / "a.html.gz").write_bytes(page)
    with zipfile.ZipFile(tmp_path / "pages.zip", "w") as archive:
        archive.writestr("a.html.gz", page)
        archive.writestr("b.html.gz", page[:-20])
    with tarfile.open(tmp_path / "pages.tar", "w") as archive:
        archive.add(tmp_path / "a.html.gz", "a.html.gz")
    inputs = [tmp_path / "pages.zip", tmp_path / "pages.tar", f"file://{tmp_path}/a.html.gz"]
    found = rows(inputs)
    assert [row["status"] for row in found] == ["ok", "error", "ok", "ok"]
    assert all("page 3" in found[number]["text"] for number in (0, 2, 3))


@pytest.mark.slow
def test_gzipped_page_that_expands_without_end_is_cut_off(tmp_path):
    (tmp_path / "a.html.gz").write_bytes(gzip.compress(bytes(30_000_000)))
    tracemalloc.start()
    assert statuses([tmp_path / "a.html.gz"], max_bytes=100_000)[0][1] == "too_large"
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5_000_000


@pytest.mark.slow
def test_line_without_end_is_cut_off_and_the_next_one_is_read(tmp_path):
    lines = json.dumps({"html": "x" * 9_000_000}) + "\n" + json.dumps({"html": article(1)}) + "\n"
    (tmp_path / "pages.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    assert statuses([tmp_path / "pages.jsonl.gz"], max_bytes=10_000) == [("line 1", "too_large"), ("line 2", "ok")]


def test_lines_on_standard_input(monkeypatch):
    data = json.dumps({"id": "a", "html": article(1)}) + "\n" + json.dumps({"id": "b", "html": "<p></p>"})
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data.encode())))
    assert statuses(["-"]) == [("a", "ok"), ("b", "empty")]


def test_list_of_urls_is_downloaded(tmp_path, monkeypatch):
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200 if self.path != "/gone" else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(article(5).encode())

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    root = f"http://127.0.0.1:{server.server_address[1]}"
    (tmp_path / "urls.txt").write_text(f"# pages\n{root}/a\n\n{root}/gone\n")
    try:
        guarded = rows([tmp_path / "urls.txt"])
        monkeypatch.setattr("tamis.sources.fetch.fetch", partial(fetch, allow_private=True))
        found = rows([tmp_path / "urls.txt"])
        (large,) = rows([f"{root}/a"], max_bytes=100)
    finally:
        server.shutdown()
        server.server_close()
    assert [row["id"] for row in found] == [f"{root}/a", f"{root}/gone"]
    assert [row["status"] for row in found] == ["ok", "http_error"]
    assert "404" in found[1]["error"]
    assert large["status"] == "too_large"
    assert [row["status"] for row in guarded] == ["error", "error"]  # lists are data: they do not name this machine


def test_every_source_of_a_batch_can_be_on_a_local_fsspec_system(tmp_path):
    (tmp_path / "a.html").write_text(article(1))
    (tmp_path / "b.warc.gz").write_bytes(gzipped(html_response(2)))
    pq.write_table(pa.table({"id": ["c"], "html": [article(3)]}), tmp_path / "c.parquet")
    with zipfile.ZipFile(tmp_path / "d.zip", "w") as archive:
        archive.writestr("d.html", article(4))
    assert [status for _, status in statuses([f"file://{tmp_path}"])] == ["ok"] * 4


def test_fsspec_folders_and_files():
    fsspec = pytest.importorskip("fsspec")
    system = fsspec.filesystem("memory")
    system.pipe("/crawl/a/index.html", article(1).encode())
    system.pipe("/crawl/b.warc.gz", gzipped(html_response(2)))
    try:
        assert statuses(["memory://crawl"]) == [
            ("a/index.html", "ok"), ("b.warc.gz#urn:test:https://example.org/2", "ok")
        ]  # fmt: skip
        assert statuses(["memory://crawl/a/index.html"]) == [("memory://crawl/a/index.html", "ok")]
    finally:
        system.rm("/crawl", recursive=True)
