"""Sources of lines: JSON Lines, lists of URLs, and standard input.

A line of JSON Lines is an object with ``html`` (or ``content``, ``body``; bytes in base64 as ``body_base64``), or
with only a ``url``, which is downloaded; ``id`` and ``url`` are taken if present.
"""

import base64
import binascii
import gzip
import io
import json
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any, Final, cast

from tamis.errors import SourceError, needs_extra
from tamis.sources.files import open_binary
from tamis.sources.records import Record

_HTML_KEYS: Final = ("html", "content", "body", "raw_content")
#: Bytes of a line for each byte of its page: JSON escapes a character with up to six.
_LINE_FACTOR: Final = 6
_LINE_REST: Final = 1_000_000  #: bytes of a line beside its page
_MAX_LINE: Final = 300_000_000  #: bytes of a line where the batch has no limit: that of the command's default
_URL_KEYS: Final = ("url", "source_url", "uri")


def read_json_lines(name: str, max_bytes: int | None) -> Iterator[Record]:
    """Yield the pages of a file of JSON Lines, plain or compressed (.gz, .zst)."""
    try:
        with open_binary(name) as raw, _decompressed(name, raw) as lines:
            yield from _parse_lines(lines, max_bytes)
    except (SourceError, OSError, EOFError, zlib.error) as error:
        yield Record("(end)", error=f"{name} could not be read to its end: {error}")


def read_url_list(name: str, _max_bytes: int | None) -> Iterator[Record]:
    """Yield the pages at the URLs in a file, one on each line. Nothing here downloads them."""
    try:
        urls = listed_urls(name)
    except SourceError as error:
        yield Record(name, error=str(error))
        return
    for url in urls:
        yield Record(url, url)


def listed_urls(name: str) -> list[str]:
    """Return the URLs in a file. Empty lines and lines that begin with ``#`` are left out."""
    with open_binary(name) as file:
        lines = [line.strip() for line in file.read().decode("utf-8", "replace").splitlines()]
    return [line for line in lines if line and not line.startswith("#")]


def read_url(name: str, _max_bytes: int | None) -> Iterator[Record]:
    """Yield the page at a URL."""
    yield Record(name, name)


def read_stdin(_name: str, max_bytes: int | None) -> Iterator[Record]:
    """Yield the pages on standard input: lines of JSON, or URLs."""
    yield from _parse_lines(sys.stdin.buffer, max_bytes)


@contextmanager
def _decompressed(name: str, raw: IO[bytes]) -> Iterator[IO[bytes]]:
    if name.endswith(".gz"):
        with gzip.open(raw) as lines:
            yield cast("IO[bytes]", lines)
    elif name.endswith(".zst"):
        with needs_extra("zstandard", "batch"):
            import zstandard  # noqa: PLC0415 (an extra)
        try:
            with zstandard.ZstdDecompressor().stream_reader(raw, read_across_frames=True) as stream:
                yield io.BufferedReader(stream)
        except zstandard.ZstdError as error:
            raise SourceError(f"broken zstd data ({error})") from error
    else:
        yield raw


def _parse_lines(lines: IO[bytes], max_bytes: int | None) -> Iterator[Record]:
    limit = _MAX_LINE if max_bytes is None else _LINE_FACTOR * max_bytes + _LINE_REST
    for number, line in enumerate(_bounded_lines(lines, limit), 1):
        if line is None:
            yield Record(f"line {number}", error=f"the line is longer than {limit} bytes", too_large=True)
            continue
        text = line.strip()
        if text.startswith((b"http://", b"https://")):
            url = text.decode("utf-8", "replace")
            yield Record(url, url)
        elif text:
            yield _from_json(text, number)


def _bounded_lines(lines: IO[bytes], limit: int) -> Iterator[bytes | None]:
    """Yield lines; None for one that is too long, which is never in memory as a whole."""
    while line := lines.readline(limit):
        is_whole = len(line) < limit or line.endswith(b"\n")
        yield line if is_whole else None
        while not is_whole:
            rest = lines.readline(_LINE_REST)
            is_whole = not rest or rest.endswith(b"\n")


def _from_json(text: bytes, number: int) -> Record:
    name = f"line {number}"
    try:
        values = json.loads(text)
    except (ValueError, RecursionError) as error:
        return Record(name, error=f"not valid JSON: {error}")
    if not isinstance(values, dict):
        return Record(name, error="not a JSON object")
    return from_values(values, name)


def from_values(values: dict[str, Any], name: str) -> Record:
    """Return the page of a JSON object, or of a row of a table.

    >>> from_values({"id": 7, "html": "<p>tea"}, "line 1")
    Record(id='7', url=None, body='<p>tea', encoding=None, path=None, error=None)
    """
    identity = values.get("id")
    if isinstance(identity, bytes):
        identity = identity.decode("utf-8", "replace")
    name = name if identity is None or identity == "" else str(identity)
    url = next((values[key] for key in _URL_KEYS if isinstance(values.get(key), str)), None)
    body = next((values[key] for key in _HTML_KEYS if isinstance(values.get(key), (str, bytes))), None)
    if body is None and isinstance(values.get("body_base64"), str):
        try:
            body = base64.b64decode(values["body_base64"], validate=True)
        except binascii.Error as error:
            return Record(name, url, error=f"body_base64 is invalid: {error}")
    if body is not None:
        encoding = values.get("encoding") if isinstance(values.get("encoding"), str) else None
        status, crawled = values.get("http_status"), values.get("crawled")
        return Record(
            name,
            url,
            body,
            encoding,
            http_status=status if isinstance(status, int) else None,
            crawled=str(crawled) if crawled else None,
        )
    if url is not None:
        return Record(name if identity is not None else url, url)
    return Record(name, error=f"has none of {', '.join(_HTML_KEYS)}, and no url")
