"""Containers that are damaged or lie: rows or named errors for what is broken, and every other page its row."""

import gzip
import io
import json
import random
import struct
import tarfile
import tracemalloc
import zipfile

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from tamis.batch.rows import RowOptions, make_row
from tamis.sources.readers import count_records, read_records
from tests.batch.pages import article, gzipped, html_response, response

MAX_BYTES = 5_000_000


def rows(path, max_bytes=MAX_BYTES):
    count_records([str(path)])  # raises nothing
    options = RowOptions(("text",), max_bytes=max_bytes)
    return [make_row(record, options) for record in read_records([str(path)], max_bytes)]


def statuses(path, max_bytes=MAX_BYTES):
    return [(row["id"], row["status"]) for row in rows(path, max_bytes)]


def zipped(members, compression=zipfile.ZIP_DEFLATED):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return file.getvalue()


def test_wacz_with_a_corrupt_member(tmp_path):
    names = [f"archive/{number}.warc.gz" for number in range(3)]
    data = bytearray(zipped({name: gzipped(html_response(number)) * 3 for number, name in enumerate(names)}))
    start = data.index(names[1].encode()) + len(names[1])
    data[start + 20 : start + 60] = bytes(40)
    (tmp_path / "a.wacz").write_bytes(data)
    found = statuses(tmp_path / "a.wacz")
    assert [status for name, status in found if "1.warc" not in name].count("ok") >= 6
    assert any("1.warc" in name and status == "error" for name, status in found)


def test_wacz_whose_member_is_not_deflated_as_it_says(tmp_path):
    data = bytearray(zipped({f"archive/{n}.warc": html_response(n) for n in range(2)}, zipfile.ZIP_STORED))
    for signature, offset in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):  # the first member: stored, called deflated
        struct.pack_into("<H", data, data.index(signature) + offset, zipfile.ZIP_DEFLATED)
    (tmp_path / "a.wacz").write_bytes(data)
    assert [status for _, status in statuses(tmp_path / "a.wacz")] == ["error", "ok"]


def test_zip_with_a_name_that_is_not_utf_8(tmp_path):
    data = zipped({"tée.html": article(1), "b.html": article(2)}).replace("tée".encode(), b"t\xe9\xffe"[:4])
    (tmp_path / "a.zip").write_bytes(data)
    assert [status for _, status in statuses(tmp_path / "a.zip")] == ["ok", "ok"]
    assert count_records([str(tmp_path / "a.zip")]) == 2


@pytest.mark.parametrize(("offset", "value"), [(6, 99), (10, 77)])
def test_zip_with_a_version_or_a_compression_that_is_unknown(tmp_path, offset, value):
    data = bytearray(zipped({"a.html": article(1), "b.html": article(2)}))
    struct.pack_into("<H", data, data.index(b"PK\x01\x02") + offset, value)
    (tmp_path / "a.zip").write_bytes(data)
    found = statuses(tmp_path / "a.zip")
    assert [name for name, _ in found] == ["a.html", "b.html"]
    assert found[1][1] == "ok"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["gz-in-zip.zip", "gz-in-tar.tar"])
def test_gzipped_pages_inside_of_archives(tmp_path, name):
    members = {
        "a.html.gz": gzip.compress(bytes(50_000_000)), "b.html.gz": b"\x1f\x8b broken", "c.html": article(3).encode(),
    }  # fmt: skip
    if name.endswith("zip"):
        (tmp_path / name).write_bytes(zipped(members))
    else:
        with tarfile.open(tmp_path / name, "w") as archive:
            for member, data in members.items():
                info = tarfile.TarInfo(member)
                info.size = len(data)
                archive.addfile(info, io.BytesIO(data))
    assert statuses(tmp_path / name) == [("a.html.gz", "too_large"), ("b.html.gz", "error"), ("c.html", "ok")]


def tar(*numbers):
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for number in numbers:
            info = tarfile.TarInfo(f"{number}.html")
            info.size = len(article(number).encode())
            archive.addfile(info, io.BytesIO(article(number).encode()))
    return bytearray(file.getvalue())


def test_tar_with_a_damaged_header_is_read_on(tmp_path):
    data = tar(1, 2, 3)
    start = data.index(b"2.html")
    data[start : start + 300] = b"\xff" * 300
    (tmp_path / "a.tar").write_bytes(data)
    found = rows(tmp_path / "a.tar")
    assert [row["status"] for row in found] == ["ok", "error", "ok"]
    assert "damaged header" in found[1]["error"]


def test_tar_whose_member_claims_terabytes(tmp_path):
    data = tar(1, 2)
    start = data.index(b"1.html")
    header = data[start : start + 512]
    header[124:136] = b"\x80" + (5 * 10**12).to_bytes(11, "big")
    header[148:156] = b" " * 8
    header[148:156] = f"{sum(header):06o}\0 ".encode()
    data[start : start + 512] = header
    (tmp_path / "a.tar").write_bytes(data)
    found = statuses(tmp_path / "a.tar")
    assert found[-1] == ("(end)", "error")


@pytest.mark.parametrize("suffix", ["parquet", "arrow"])
def test_two_columns_of_one_name(tmp_path, suffix):
    table = pa.Table.from_arrays([pa.array([article(1)]), pa.array([article(2)])], names=["html", "html"])
    write_table(tmp_path / f"a.{suffix}", table)
    (row,) = rows(tmp_path / f"a.{suffix}")
    assert (row["status"], "This is page 1," in row["text"]) == ("ok", True)


def write_table(path, table, **options):
    if path.suffix == ".parquet":
        pq.write_table(table, path, **options)
    else:
        with pa.ipc.new_file(path, table.schema, options=pa.ipc.IpcWriteOptions(**options)) as writer:
            writer.write_table(table, max_chunksize=1)


@pytest.mark.parametrize("suffix", ["parquet", "arrow"])
def test_strings_that_are_not_utf_8(tmp_path, suffix):
    html = article(1).replace("quiet", "quïet").encode("latin-1").replace(b"<title>", b"<meta charset=latin1><title>")
    column = pa.array([html, article(2).encode()], pa.binary()).view(pa.string())
    ids = pa.array([b"\xff", b"b"], pa.binary()).view(pa.string())
    write_table(tmp_path / f"a.{suffix}", pa.table({"id": ids, "html": column}))
    found = rows(tmp_path / f"a.{suffix}")
    assert [(row["id"], row["status"]) for row in found] == [("�", "ok"), ("b", "ok")]
    assert "quïet" in found[0]["text"]


def test_damaged_group_of_rows_is_one_error(tmp_path):
    path = tmp_path / "a.parquet"
    pages = [article(number) for number in range(3)]
    pq.write_table(pa.table({"html": pages}), path, row_group_size=1, compression="gzip", use_dictionary=False)
    data = bytearray(path.read_bytes())
    column = pq.ParquetFile(path).metadata.row_group(1).column(0)
    end = column.data_page_offset + column.total_compressed_size
    data[end - 100 : end] = bytes(100)
    path.write_bytes(data)
    found = rows(path)
    assert [row["status"] for row in found] == ["ok", "error", "ok"]
    assert (found[1]["id"], "damaged Parquet data" in found[1]["error"]) == ("row group 1", True)


@pytest.mark.slow
@pytest.mark.parametrize("dictionary", [True, False])
@pytest.mark.parametrize("suffix", ["parquet", "arrow"])
def test_values_that_unpack_to_very_much(tmp_path, suffix, dictionary):
    path = tmp_path / f"a.{suffix}"
    table = pa.table({"html": [article(1), "x" * 120_000_000, article(3)]})
    if suffix == "parquet":
        write_table(path, table, row_group_size=1, compression="zstd", use_dictionary=dictionary)
    else:
        write_table(path, table, compression="zstd")
    assert path.stat().st_size < 100_000
    del table
    before = pa.total_allocated_bytes()
    peak = pa.default_memory_pool().max_memory()
    found = statuses(path)
    assert [status for _, status in found] == ["ok", "too_large", "ok"]
    assert pa.total_allocated_bytes() - before < 50_000_000
    assert pa.default_memory_pool().max_memory() == peak


def test_arrow_positions_outside_of_the_data(tmp_path):
    offsets = pa.py_buffer(struct.pack("<iiii", 0, 10, 2_000_000_000, 20))
    broken = pa.StringArray.from_buffers(3, offsets, pa.py_buffer(b"x" * 20))
    write_table(tmp_path / "a.arrow", pa.table({"html": broken}))
    assert "error" in {status for _, status in statuses(tmp_path / "a.arrow")}


@pytest.mark.parametrize("suffix", ["jsonl.zst", "jsonl.gz", "ndjson.zst"])
def test_json_lines_that_are_not_compressed_as_their_name_says(tmp_path, suffix):
    (tmp_path / f"a.{suffix}").write_bytes(json.dumps({"html": article(1)}).encode())
    ((name, status),) = statuses(tmp_path / f"a.{suffix}")
    assert (name, status) == ("(end)", "error")


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["jsonl", "jsonl.gz", "jsonl.zst"])
def test_line_of_a_gigabyte(tmp_path, suffix):
    path = tmp_path / f"a.{suffix}"
    opened = {"jsonl": open, "jsonl.gz": gzip.open, "jsonl.zst": zstandard.open}[suffix]
    with opened(path, "wb") as file:
        file.write(b'{"html": "')
        for _ in range(1000 if suffix == "jsonl.zst" else 100):
            file.write(b"x" * 1_000_000)
        file.write(b'"}\n' + json.dumps({"id": "b", "html": article(2)}).encode() + b"\n")
    tracemalloc.start()
    found = statuses(path, 2_000_000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found == [("line 1", "too_large"), ("b", "ok")]
    assert peak < 60_000_000


@pytest.mark.parametrize("compress", [False, True])
@pytest.mark.parametrize("length", ["0", "1", "12", "999999999999999999999999", "-5", "many", ""])
def test_warc_records_whose_length_lies(tmp_path, length, compress):
    lying = html_response(2)
    start = lying.index(b"Content-Length: ") + len(b"Content-Length: ")
    end = lying.index(b"\r\n", start)
    records = [html_response(1), lying[:start] + length.encode() + lying[end:], html_response(3)]
    path = tmp_path / ("a.warc.gz" if compress else "a.warc")
    path.write_bytes(gzipped(*records) if compress else b"".join(records))
    found = rows(path)
    texts = " ".join(row["text"] or "" for row in found)
    assert "This is page 1," in texts
    assert "This is page 3," in texts
    assert len(found) <= 6


def test_random_bytes_json_and_error_pages_have_a_status_of_their_own(tmp_path):
    rng = random.Random(5)
    pages = {
        "a.html": rng.randbytes(20_000),
        "b.html": json.dumps([{"html": article(1)}]).encode(),
        "c.html": b"<html><head><title>404 Not Found</title></head><body><center><h1>404 Not Found</h1></center><hr>"
        b"<center>nginx/1.18.0</center></body></html>",
        "d.html": b"%PDF-1.7 some text",
        "e.html": article(1).encode(),
        "f.html": article(1).replace("Page 1", "404 ways to bake").encode(),
    }
    for name, data in pages.items():
        (tmp_path / name).write_bytes(data)
    found = rows(tmp_path)
    assert [row["status"] for row in found] == ["not_html", "not_html", "http_error", "not_html", "ok", "ok"]
    assert found[2]["error"] == "404 Not Found, by its title"
    assert [row["text"] for row in found[:4]] == [None] * 4


def test_error_of_a_server_in_a_warc(tmp_path):
    headers = {"Content-Type": "text/html"}
    pages = [response("https://e.org/1", article(1).encode(), headers, status="500 Oops"), html_response(2)]
    (tmp_path / "a.warc").write_bytes(b"".join(pages))
    assert [status for _, status in statuses(tmp_path / "a.warc")] == ["http_error", "ok"]


def samples():
    """Return small containers of each kind, by their suffixes."""
    table = pa.table({"id": ["a", "b"], "url": ["https://e.org/", None], "html": [article(1), article(2)]})
    parquet, arrow, stream = io.BytesIO(), io.BytesIO(), io.BytesIO()
    pq.write_table(table, parquet, row_group_size=1)
    with pa.ipc.new_file(arrow, table.schema, options=pa.ipc.IpcWriteOptions(compression="lz4")) as writer:
        writer.write_table(table)
    with pa.ipc.new_stream(stream, table.schema) as writer:
        writer.write_table(table)
    lines = b"".join(json.dumps({"id": n, "html": article(n)}).encode() + b"\n" for n in range(3))
    return {
        ".parquet": parquet.getvalue(),
        ".arrow": arrow.getvalue(),
        ".stream.arrow": stream.getvalue(),
        ".jsonl": lines,
        ".jsonl.gz": gzip.compress(lines),
        ".jsonl.zst": zstandard.compress(lines),
        ".zip": zipped({"a.html": article(1), "b.html.gz": gzip.compress(article(2).encode())}),
        ".tar": bytes(tar(1, 2)),
        ".tar.gz": gzip.compress(bytes(tar(1, 2))),
        ".warc": html_response(1) + html_response(2),
        ".warc.gz": gzipped(html_response(1), html_response(2)),
        ".wacz": zipped({"archive/a.warc.gz": gzipped(html_response(1), html_response(2))}),
    }


@pytest.mark.slow
@pytest.mark.parametrize("suffix", samples())
def test_damage_anywhere_gives_rows_and_no_exception(tmp_path, suffix):
    rng = random.Random(11)
    sample, path = samples()[suffix], tmp_path / f"a{suffix}"
    for _ in range(60):
        data = bytearray(sample)
        for _ in range(rng.choice([1, 1, 3, 20])):
            position = rng.randrange(len(data))
            data[position : position + rng.choice([1, 1, 8])] = rng.randbytes(rng.choice([1, 1, 8]))
        path.write_bytes(data[: rng.choice([len(data), len(data), rng.randrange(len(data))])])
        count_records([str(path)])
        for record in read_records([str(path)], MAX_BYTES):
            assert record.body is not None or record.error is not None or record.is_remote
