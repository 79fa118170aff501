"""Uploaded files: the one part of a multipart form that is read."""

import asyncio
from email.message import Message
from typing import Final

from tamis.serve.problems import Problem

#: A form of the reader has one part; those of programs may have a few more.
_MAX_PARTS: Final = 20
_MAX_HEADERS: Final = 8
_MAX_HEADER_BYTES: Final = 4096


def charset_param(content_type: str) -> str | None:
    """Return the charset parameter of a content type.

    >>> charset_param("text/html; charset=koi8-r"), charset_param("text/html")
    ('koi8-r', None)
    """
    message = Message()
    message["content-type"] = content_type
    charset = message.get_param("charset")
    return charset if isinstance(charset, str) and charset else None


async def uploaded_file(content_type: str, body: bytes) -> tuple[bytes, str | None]:
    """Return a file's bytes and charset: the part of a form that is named ``file``, or a body of HTML as it is."""
    media_type = content_type.partition(";")[0].strip().lower()
    if media_type in {"text/html", "application/xhtml+xml", "application/octet-stream"}:
        return body, charset_param(content_type)
    if media_type != "multipart/form-data":
        raise Problem(415, "send a form with a file, or text/html")
    return await asyncio.to_thread(parse_form, content_type, body)


def parse_form(content_type: str, body: bytes) -> tuple[bytes, str | None]:
    r"""Return the bytes and the charset of the part named ``file``.

    >>> form = b'--x\r\nContent-Disposition: form-data; name="file"\r\n\r\n<p>Tea\r\n--x--'
    >>> parse_form("multipart/form-data; boundary=x", form)
    (b'<p>Tea', None)
    """
    from python_multipart.exceptions import FormParserError  # noqa: PLC0415 (an extra)
    from python_multipart.multipart import MultipartParser, parse_options_header  # noqa: PLC0415 (likewise)

    boundary = parse_options_header(content_type)[1].get(b"boundary", b"")
    parts = _Parts()
    try:
        if not boundary:
            raise FormParserError  # noqa: TRY301 (as any malformed form)
        parser = MultipartParser(
            boundary,
            parts.callbacks,  # type: ignore[arg-type]  # the names that it knows
            max_header_count=_MAX_HEADERS,
            max_header_size=_MAX_HEADER_BYTES,
        )
        parser.write(body)
        parser.finalize()
    except FormParserError as error:
        raise Problem(400, "the form is malformed") from error
    for headers, content in parts.found:
        disposition = parse_options_header(headers.get(b"content-disposition", b""))
        if disposition[1].get(b"name") == b"file" and content:
            return bytes(content), charset_param(headers.get(b"content-type", b"").decode("latin-1"))
    raise Problem(400, "the form has no file")


class _Parts:
    """The parts of a form: headers and content of each."""

    def __init__(self) -> None:
        self.found: list[tuple[dict[bytes, bytes], bytearray]] = []
        self._name, self._value = bytearray(), bytearray()

    @property
    def callbacks(self) -> dict[str, object]:
        return {
            "on_part_begin": self._begin,
            "on_part_data": lambda data, start, end: self.found[-1][1].extend(data[start:end]),
            "on_header_field": lambda data, start, end: self._name.extend(data[start:end]),
            "on_header_value": lambda data, start, end: self._value.extend(data[start:end]),
            "on_header_end": self._end_header,
        }

    def _begin(self) -> None:
        if len(self.found) >= _MAX_PARTS:
            raise Problem(400, f"the form has more than {_MAX_PARTS} parts")
        self.found.append(({}, bytearray()))

    def _end_header(self) -> None:
        self.found[-1][0][bytes(self._name).lower()] = bytes(self._value)
        self._name.clear()
        self._value.clear()
