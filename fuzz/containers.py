"""Targets of containers: whatever a file holds, its reader yields a bounded number of records and no exception."""

import gzip
import io
import json
import tarfile
import tempfile
import zipfile
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import zstandard

from tamis.errors import SourceError
from tamis.sources.feeds import find_feeds, parse_feed
from tamis.sources.readers import count_records, read_records
from tamis.sources.sitemaps import parse_sitemap

MAX_BYTES = 100_000  #: of a page; what unpacks to more is an error
MAX_RECORDS = 100_000  #: of an input of a few thousand bytes
#: The suffixes of each target; the first byte of an input chooses one.
FAMILIES = {
    "warc": (".warc", ".warc.gz", ".warc.zst", ".wacz"),
    "zip": (".zip",),
    "tar": (".tar", ".tar.gz", ".tar.bz2", ".tar.xz"),
    "tables": (".parquet", ".arrow"),
    "lines": (".jsonl", ".jsonl.gz", ".jsonl.zst"),
}
PAGE = b"<title>Tea</title><p>Boil the water, and wait.</p>" * 3
_folder = Path(tempfile.mkdtemp(prefix="tamis-fuzz-"))


def _target(suffixes: tuple[str, ...]) -> Callable[[bytes], None]:
    def read(data: bytes) -> None:
        suffix = suffixes[data[0] % len(suffixes)] if data else suffixes[0]
        path = _folder / f"input{suffix}"
        path.write_bytes(data[1:])
        count_records([str(path)])
        records = list(islice(read_records([str(path)], MAX_BYTES), MAX_RECORDS))
        assert len(records) < MAX_RECORDS
        for record in records:
            assert record.error or record.is_remote or record.body is not None
            assert len(record.body or b"") <= 6 * MAX_BYTES + 1_000_000

    return read


def listings(data: bytes) -> None:
    """Feeds and sitemaps are read, or a `SourceError` says that they are none."""
    find_feeds(data, "https://example.org/")
    for parse in (parse_feed, parse_sitemap):
        try:
            parse(data, "https://example.org/")
        except SourceError:
            continue


TARGETS = {name: _target(suffixes) for name, suffixes in FAMILIES.items()} | {"listings": listings}


def seeds(target: str) -> list[bytes]:
    """Return small inputs that are sound."""
    if target == "listings":
        return [
            b"<rss><channel><item><link>/a</link></item></channel></rss>",
            b"<feed xmlns='http://www.w3.org/2005/Atom'><entry><link href='/a'/></entry></feed>",
            b'{"version": "https://jsonfeed.org/version/1.1", "items": [{"url": "/a"}]}',
            b"<urlset><url><loc>https://e.org/a</loc><lastmod>2024-01-02</lastmod></url></urlset>",
            b"<sitemapindex><sitemap><loc><![CDATA[/b.xml]]></loc></sitemap></sitemapindex>",
        ]
    made = {".jsonl": json.dumps({"id": 1, "url": "https://e.org/", "html": PAGE.decode()}).encode() + b"\n"}
    response = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + PAGE
    made[".warc"] = (
        (
            b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:a>\r\nWARC-Target-URI: https://e.org/\r\n"
            b"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%b\r\n\r\n"
        )
        % (len(response), response)
        * 2
    )
    made[".tar"] = _tar()
    for plain in (".jsonl", ".warc", ".tar"):
        made[f"{plain}.gz"] = gzip.compress(made[plain], mtime=0)
        made[f"{plain}.zst"] = zstandard.compress(made[plain])
    made[".zip"] = _zip({"a.html": PAGE, "b.html.gz": gzip.compress(PAGE, mtime=0)})
    made[".wacz"] = _zip({"archive/a.warc.gz": made[".warc.gz"]})
    table = pa.table({"id": ["a", "b"], "html": [PAGE.decode()] * 2})
    made[".parquet"], made[".arrow"] = _written(table)
    suffixes = FAMILIES[target]
    return [bytes([number]) + made[suffix] for number, suffix in enumerate(suffixes) if suffix in made]


def _tar() -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        info = tarfile.TarInfo("a.html")
        info.size = len(PAGE)
        archive.addfile(info, io.BytesIO(PAGE))
    return file.getvalue()[:2048]


def _zip(members: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return file.getvalue()


def _written(table: pa.Table) -> tuple[bytes, bytes]:
    parquet, arrow = io.BytesIO(), io.BytesIO()
    pq.write_table(table, parquet, row_group_size=1)
    with pa.ipc.new_file(arrow, table.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as writer:
        writer.write_table(table)
    return parquet.getvalue(), arrow.getvalue()
