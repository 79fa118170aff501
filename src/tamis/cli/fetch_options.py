"""The options of commands that download pages: how servers are asked for them."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Final

from tamis.cli.options import Option
from tamis.errors import OptionError

if TYPE_CHECKING:
    from tamis.sources.fetch import RequestKeywords

_PANEL: Final = "Fetching"

ProxyOption = Annotated[
    str | None,
    Option("--proxy", help="HTTP proxy: its URL, or env for HTTPS_PROXY, HTTP_PROXY and NO_PROXY.", panel=_PANEL),
]
HeaderOption = Annotated[
    list[str] | None,
    Option("--header", help="Request header, as in 'Accept-Language: fr'. Repeatable.", panel=_PANEL),
]
CookieOption = Annotated[
    list[str] | None, Option("--cookie", help="Cookie to send: name=value. Repeatable.", panel=_PANEL)
]
UserAgentOption = Annotated[str | None, Option("--user-agent", help="The User-Agent header.", panel=_PANEL)]
RetriesOption = Annotated[
    int | None,
    Option(
        "--retries", min=0, max=10, help="How often a server that is busy is asked again. Default: 2.", panel=_PANEL
    ),
]
RobotsOption = Annotated[
    bool, Option("--robots", help="Fetch nothing that robots.txt of a site disallows.", panel=_PANEL)
]


def fetch_keywords(
    *,
    proxy: str | None = None,
    header: Iterable[str] | None = None,
    cookie: Iterable[str] | None = None,
    user_agent: str | None = None,
    retries: int | None = None,
    robots: bool = False,
) -> "RequestKeywords":
    """Return the keywords of `tamis.fetch` that the options stand for.

    >>> fetch_keywords(header=["Accept-Language: fr"], cookie=["a=1"], robots=True)
    {'headers': {'Accept-Language': 'fr'}, 'cookies': {'a': '1'}, 'robots': True}
    """
    keywords: RequestKeywords = {}
    if proxy is not None:
        keywords["proxy"] = proxy
    if header:
        keywords["headers"] = dict(_pair(each, ":", "--header", "'Accept-Language: fr'") for each in header)
    if cookie:
        keywords["cookies"] = dict(_pair(each, "=", "--cookie", "name=value") for each in cookie)
    if user_agent is not None:
        keywords["user_agent"] = user_agent
    if retries is not None:
        keywords["retries"] = retries
    if robots:
        keywords["robots"] = True
    return keywords


def _pair(text: str, separator: str, flag: str, example: str) -> tuple[str, str]:
    name, found, value = text.partition(separator)
    if not found or not name.strip():
        raise OptionError(f"{flag} {text!r} is not understood; write it as {example}")
    return name.strip(), value.strip()
