"""Uploaded files: the one part of a multipart form that is read."""

import asyncio
from email.message import Message

from tamis.serve.problems import Problem


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
    import aiohttp  # noqa: PLC0415 (only for its multipart reader)
    from aiohttp.base_protocol import BaseProtocol  # noqa: PLC0415 (likewise)

    loop = asyncio.get_running_loop()
    stream = aiohttp.StreamReader(BaseProtocol(loop), 2**16, loop=loop)
    stream.feed_data(body)
    stream.feed_eof()
    try:
        reader = aiohttp.MultipartReader({"Content-Type": content_type}, stream)
        while (part := await reader.next()) is not None:
            if isinstance(part, aiohttp.BodyPartReader) and part.name == "file":
                content = bytes(await part.read(decode=False))
                if content:
                    return content, charset_param(part.headers.get("Content-Type", ""))
    except (ValueError, AssertionError, aiohttp.ClientError, LookupError) as error:
        raise Problem(400, "the form is malformed") from error
    raise Problem(400, "the form has no file")
