"""A file that was dropped on the first page: the one part of a form that is looked at."""

import asyncio
from email.message import Message

from tamis.serve.problems import Problem


def charset_of(content_type: str) -> str | None:
    """Return the charset that a content type names.

    >>> charset_of("text/html; charset=koi8-r"), charset_of("text/html")
    ('koi8-r', None)
    """
    message = Message()
    message["content-type"] = content_type
    found = message.get_param("charset")
    return found if isinstance(found, str) and found else None


async def file_of(content_type: str, body: bytes) -> tuple[bytes, str | None]:
    """Return a file's bytes and charset: the part of a form that is named ``file``, or a body of HTML as it is."""
    kind = content_type.partition(";")[0].strip().lower()
    if kind in {"text/html", "application/xhtml+xml", "application/octet-stream"}:
        return body, charset_of(content_type)
    if kind != "multipart/form-data":
        raise Problem(415, "send a form with a file, or text/html")
    import aiohttp  # noqa: PLC0415 (its reader of forms; the server needs nothing else of it)
    from aiohttp.base_protocol import BaseProtocol  # noqa: PLC0415 (likewise)

    loop = asyncio.get_running_loop()
    stream = aiohttp.StreamReader(BaseProtocol(loop), 2**16, loop=loop)
    stream.feed_data(body)
    stream.feed_eof()
    try:
        reader = aiohttp.MultipartReader({"Content-Type": content_type}, stream)
        while (part := await reader.next()) is not None:
            if isinstance(part, aiohttp.BodyPartReader) and part.name == "file":
                found = bytes(await part.read(decode=False))
                if found:
                    return found, charset_of(part.headers.get("Content-Type", ""))
    except (ValueError, AssertionError, aiohttp.ClientError, LookupError) as error:
        raise Problem(400, "the form is not understood") from error
    raise Problem(400, "the form has no file")
