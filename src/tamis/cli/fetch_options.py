"""The options of commands that download or render pages: how servers are asked for them, and which may be."""

from typing import TYPE_CHECKING, Annotated, Final, cast

import click

from tamis.browser.modes import RENDER_MODES, RenderMode
from tamis.cli.options import Command, Option, option
from tamis.errors import OptionError
from tamis.lazy import dataclass
from tamis.sources.quantities import Duration

if TYPE_CHECKING:
    from tamis.sources.fetch import FetchKeywords, RequestKeywords
    from tamis.sources.guard import Policy

# ruff: noqa: PLC0415 (addresses are parsed where an option names some)

_PANEL: Final = "Fetching and rendering"  # as in `tamis.serve.settings`, which takes longer to import
RobotsOption = Annotated[
    bool, Option("--robots", help="Fetch nothing that robots.txt of a site disallows.", panel=_PANEL)
]


@dataclass(frozen=True, eq=False, repr=False)
class FetchOptions:
    """How pages are asked for.

    >>> FetchOptions(header=["Accept-Language: fr"], cookie=["a=1"]).keywords()
    {'headers': {'Accept-Language': 'fr'}, 'cookies': {'a': '1'}}
    """

    proxy: Annotated[
        str | None, option("proxy", "HTTP proxy: its URL, or env for HTTPS_PROXY, HTTP_PROXY and NO_PROXY.", _PANEL)
    ] = None
    header: Annotated[
        list[str] | None,
        Option("--header", help="Request header, as in 'Accept-Language: fr'. Repeatable.", panel=_PANEL),
    ] = None
    cookie: Annotated[
        list[str] | None, Option("--cookie", help="Cookie to send: name=value. Repeatable.", panel=_PANEL)
    ] = None
    user_agent: Annotated[str | None, option("user_agent", "The User-Agent header.", _PANEL)] = None
    retries: Annotated[
        int | None,
        option("retries", "How often a server that is busy is asked again. Default: 2.", _PANEL, minimum=0),
    ] = None
    fetch_timeout: Annotated[
        Duration | None,
        option("fetch_timeout", "Time for fetching a page in total. Default: 15s.", _PANEL, minimum=0.1),
    ] = None

    def keywords(self, *, robots: bool = False) -> "FetchKeywords":
        """Return the keywords of `tamis.fetch` that the options stand for."""
        keywords = cast("FetchKeywords", self.requests(robots=robots))
        if self.fetch_timeout is not None:
            keywords["timeout"] = self.fetch_timeout
        return keywords

    def requests(self, *, robots: bool = False) -> "RequestKeywords":
        """Return the values of `tamis.sources.fetch.Requests` that the options stand for."""
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


# ``--render``: an option that may have a value, for all commands that render pages.

RENDER_HELP: Final = (
    "Run the page's scripts in Chromium first (needs tamis[browser]): always (--render alone means this), never, or "
    "auto, for pages that scripts build and that show little without them."
)
RenderOption = Annotated[RenderMode, option("render", RENDER_HELP, _PANEL)]
AllowNetworkOption = Annotated[
    bool,
    Option("--allow-network", help="Let rendered files load resources. Pages from URLs always may.", panel=_PANEL),
]


@dataclass(frozen=True, eq=False, repr=False)
class AccessOptions:
    """The networks and ports that pages are fetched from, and that rendered pages load from."""

    allow_private: Annotated[bool, option("allow_private", "Also allow private and loopback addresses.", _PANEL)] = (
        False
    )
    allow_cidr: Annotated[
        list[str] | None, option("allow_cidr", "Also allow this network: 10.1.0.0/16. Repeatable.", _PANEL)
    ] = None
    allow_port: Annotated[
        list[int] | None, option("allow_port", "Also allow this port, besides 80 and 443. Repeatable.", _PANEL)
    ] = None

    def policy(self) -> "Policy":
        """Return what the options allow."""
        from ipaddress import ip_network

        from tamis.sources.guard import NetworkScope, Policy

        return Policy(
            NetworkScope.PRIVATE if self.allow_private else NetworkScope.PUBLIC,
            tuple(map(ip_network, parse_networks("--allow-cidr", self.allow_cidr))),
            frozenset({80, 443, *(self.allow_port or ())}),
        )


def parse_networks(flag: str, networks: list[str] | None) -> list[str]:
    """Return networks as they are written in full."""
    from ipaddress import ip_network

    try:
        return [str(ip_network(network)) for network in networks or ()]
    except ValueError as error:
        raise OptionError(f"{flag}: {error}") from error


class RenderCommand(Command):
    """A command whose option ``--render`` means ``--render always`` where no value follows."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments, with the value that was left out."""
        return super().parse_args(ctx, with_value(args))


def with_value(args: list[str]) -> list[str]:
    """Return arguments in which ``--render`` has a value.

    >>> with_value(["--render", "page.html"]), with_value(["a.html", "--render", "auto"])
    (['--render=always', 'page.html'], ['a.html', '--render=auto'])
    """
    found: list[str] = []
    rest = list(args)
    while rest:
        arg = rest.pop(0)
        if arg == "--":
            return [*found, arg, *rest]
        if arg == "--render":
            arg += "=" + (rest.pop(0) if rest and rest[0] in RENDER_MODES else "always")
        found.append(arg)
    return found
