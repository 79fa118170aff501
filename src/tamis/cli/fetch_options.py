"""The options of commands that download pages: how servers are asked for them."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Final

from tamis.cli.options import Option
from tamis.errors import OptionError

if TYPE_CHECKING:
    from tamis.sources.fetch import RequestKeywords

_PANEL: Final = "Fetching"

RobotsOption = Annotated[
    bool, Option("--robots", help="Fetch nothing that robots.txt of a site disallows.", panel=_PANEL)
]


@dataclass(frozen=True)
class FetchOptions:
    """How pages are asked for.

    >>> FetchOptions(header=["Accept-Language: fr"], cookie=["a=1"]).keywords()
    {'headers': {'Accept-Language': 'fr'}, 'cookies': {'a': '1'}}
    """

    proxy: Annotated[
        str | None,
        Option("--proxy", help="HTTP proxy: its URL, or env for HTTPS_PROXY, HTTP_PROXY and NO_PROXY.", panel=_PANEL),
    ] = None
    header: Annotated[
        list[str] | None,
        Option("--header", help="Request header, as in 'Accept-Language: fr'. Repeatable.", panel=_PANEL),
    ] = None
    cookie: Annotated[
        list[str] | None, Option("--cookie", help="Cookie to send: name=value. Repeatable.", panel=_PANEL)
    ] = None
    user_agent: Annotated[str | None, Option("--user-agent", help="The User-Agent header.", panel=_PANEL)] = None
    retries: Annotated[
        int | None,
        Option(
            "--retries",
            min=0,
            max=10,
            help="How often a server that is busy is asked again. Default: 2.",
            panel=_PANEL,
        ),
    ] = None

    def keywords(self, *, robots: bool = False) -> "RequestKeywords":
        """Return the keywords of `tamis.fetch` that the options stand for."""
        keywords: RequestKeywords = {}
        if self.proxy is not None:
            keywords["proxy"] = self.proxy
        if self.header:
            pairs = (_pair(each, ":", "--header", "'Accept-Language: fr'") for each in self.header)
            keywords["headers"] = dict(pairs)
        if self.cookie:
            keywords["cookies"] = dict(_pair(each, "=", "--cookie", "name=value") for each in self.cookie)
        if self.user_agent is not None:
            keywords["user_agent"] = self.user_agent
        if self.retries is not None:
            keywords["retries"] = self.retries
        if robots:
            keywords["robots"] = True
        return keywords


def _pair(text: str, separator: str, flag: str, example: str) -> tuple[str, str]:
    name, found, value = text.partition(separator)
    if not found or not name.strip():
        raise OptionError(f"{flag} {text!r} is not understood; write it as {example}")
    return name.strip(), value.strip()
