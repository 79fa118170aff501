"""Pages for batches, and WARC files of them."""

import gzip

SENTENCES = [
    "The ferry leaves at six in the morning, and it comes back at nine.",
    "Nobody knows why the bell rings twice before the door is shut.",
    "Bread is baked at four, when the streets are still wet and quiet.",
]
MENU = "<nav><ul>" + "".join(f"<li><a href=/{k}>Menu {k}</a></li>" for k in range(6)) + "</ul></nav>"


def article(number):
    """Return a page with a menu and an article that has its number in it."""
    body = "".join(f"<p>{sentence} This is page {number}, part {k}.</p>" for k, sentence in enumerate(SENTENCES * 2))
    return f"<title>Page {number}</title>{MENU}<main><h1>Page {number}</h1>{body}</main>"


def response(url, body, headers=(), status="200 OK", kind="response"):
    """Return a WARC record of an HTTP response."""
    lines = "".join(f"{name}: {value}\r\n" for name, value in dict(headers).items())
    http = f"HTTP/1.1 {status}\r\n{lines}\r\n".encode() + body
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2024-01-01T00:00:00Z\r\n"
        f"WARC-Record-ID: <urn:test:{url}>\r\nContent-Type: application/http; msgtype=response\r\n"
        f"Content-Length: {len(http)}\r\n\r\n"
    )
    return head.encode() + http + b"\r\n\r\n"


def html_response(number, **options):
    headers = {"Content-Type": "text/html; charset=utf-8"}
    return response(f"https://example.org/{number}", article(number).encode(), headers, **options)


def gzipped(*records):
    """Return a WARC file with one gzip member for each record."""
    return b"".join(gzip.compress(record, mtime=0) for record in records)


def lz4_frame(data):
    """Return an LZ4 frame that holds some bytes uncompressed: no package for LZ4 is needed to write it."""
    header = b"\x04\x22\x4d\x18\x60\x70\x73"  # independent blocks of up to 4 MB, no checksums
    return header + (len(data) | 0x80000000).to_bytes(4, "little") + data + bytes(4)
