"""Fetch one page over HTTP (extra ``fetch``), for the command line: bounded in time, size and redirects."""

import asyncio
from dataclasses import dataclass
from typing import Final

from tamis.errors import FetchError, MissingExtraError

SECONDS: Final = 15  #: for everything: connecting, redirects, reading
BYTES: Final = 10_000_000  #: of the decoded body
REDIRECTS: Final = 5
_AGENT: Final = "Mozilla/5.0 (compatible; Tamis; main-content reader)"


@dataclass(frozen=True, slots=True)
class Fetched:
    """A page as it came: its bytes, the address it ended at, the encoding its header named."""

    body: bytes
    url: str
    encoding: str | None


def fetch(url: str) -> Fetched:
    """Fetch a page."""
    try:
        import aiohttp  # noqa: PLC0415 (an extra)
    except ImportError as error:
        raise MissingExtraError.of("aiohttp", "fetch") from error

    async def run() -> Fetched:
        timeout = aiohttp.ClientTimeout(total=SECONDS)
        headers = {"User-Agent": _AGENT, "Accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.5"}
        async with (
            aiohttp.ClientSession(timeout=timeout, headers=headers) as session,
            session.get(url, max_redirects=REDIRECTS) as response,
        ):
            if response.status >= 400:  # noqa: PLR2004 (HTTP's error codes)
                raise FetchError(f"the server answered {response.status} {response.reason}")
            body = bytearray()
            async for chunk in response.content.iter_chunked(65536):
                body += chunk
                if len(body) > BYTES:
                    raise FetchError(f"the page is larger than {BYTES // 1_000_000} MB")
            return Fetched(bytes(body), str(response.url), response.charset)

    try:
        return asyncio.run(run())
    except TimeoutError as error:
        raise FetchError(f"no answer within {SECONDS} seconds") from error
    except (aiohttp.ClientError, ValueError, OSError) as error:
        if isinstance(error, FetchError):
            raise
        raise FetchError(str(error) or type(error).__name__) from error
