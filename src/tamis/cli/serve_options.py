"""Options and checks that ``tamis serve`` and ``tamis mcp`` share."""

from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from tamis.errors import MissingExtraError, OptionError, SourceError

if TYPE_CHECKING:
    from tamis.serve.settings import Settings
    from tamis.sources.ssrf import Policy

# ruff: noqa: PLC0415 (what needs the extra `serve` loads where it is used, not for --help)

LIMITS: Final = "Limits"
FETCHING: Final = "Fetching"
ACCESS: Final = "Access"
OPERATION: Final = "Operation"
MINIMUMS: Final[dict[str, float]] = {}  #: of the options that are numbers, by the names of their parameters


def option(  # (typer's)
    flag: str, text: str, panel: str, *, short: tuple[str, ...] = (), least: float | None = None
) -> Any:  # noqa: ANN401
    """Return an option that an environment variable also sets: ``--max-body`` is ``TAMIS_MAX_BODY``."""
    name = flag.removeprefix("--").replace("-", "_")
    if least is not None:
        MINIMUMS[name] = least
    return typer.Option(flag, *short, help=text, envvar=f"TAMIS_{name.upper()}", rich_help_panel=panel)


AllowPrivate = Annotated[
    bool, option("--allow-private", "Also fetch pages from private and loopback addresses.", FETCHING)
]
AllowCIDR = Annotated[
    list[str] | None, option("--allow-cidr", "Also fetch pages from this network: 10.1.0.0/16.", FETCHING)
]
AllowPort = Annotated[
    list[int] | None, option("--allow-port", "Also fetch pages from this port, besides 80 and 443.", FETCHING)
]


def check_minimums(values: dict[str, Any]) -> None:
    """Raise an error for the first option that is too small."""
    for name, least in MINIMUMS.items():
        if values[name] is not None and values[name] < least:
            raise OptionError(f"--{name.replace('_', '-')} must be at least {least:g}, not {values[name]:g}")


def check_extra() -> None:
    """Raise an error that names the extra, if something is not installed."""
    for module in ("starlette", "uvicorn", "aiohttp", "nh3", "python_multipart"):
        try:
            __import__(module)
        except ImportError as error:
            raise MissingExtraError.for_module(module, "serve") from error


def make_policy(*, allow_private: bool, allow_cidr: list[str] | None, allow_port: list[int] | None) -> "Policy":
    """Return the networks and ports that pages are fetched from."""
    from tamis.sources.ssrf import NetworkScope, Policy

    return Policy(
        NetworkScope.PRIVATE if allow_private else NetworkScope.PUBLIC,
        tuple(map(ip_network, parse_networks("--allow-cidr", allow_cidr))),
        frozenset({80, 443, *(allow_port or ())}),
    )


def parse_networks(flag: str, networks: list[str] | None) -> list[str]:
    """Return networks as they are written in full."""
    try:
        return [str(ip_network(network)) for network in networks or ()]
    except ValueError as error:
        raise OptionError(f"{flag}: {error}") from error


def read_api_keys(path: Path | None) -> frozenset[str]:
    """Return the keys of a file: one per line, lines that begin with # are comments."""
    if path is None:
        return frozenset()
    try:
        lines = [line.strip() for line in path.read_text("utf-8").splitlines()]
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(f"cannot read {path}: {error}") from error
    keys = frozenset(line for line in lines if line and not line.startswith("#"))
    if not keys:
        raise OptionError(f"--api-key-file: {path} has no keys")
    return keys


def accepted_hostnames(host: str, given: list[str] | None) -> frozenset[str]:
    """Return the accepted Host headers. A service on a loopback address accepts only loopback names by default."""
    try:
        is_loopback = ip_address(host).is_loopback
    except ValueError:
        is_loopback = host == "localhost"
    if not is_loopback and not given:
        raise OptionError(
            f"--host {host} lets other machines in: give the names by which they call the service with --hostname, "
            "or --hostname '*' for any: then a page of any site may reach the service by a name of its own"
        )
    local = {"localhost", "127.0.0.1", "[::1]", f"[{host}]" if ":" in host else host} if is_loopback else set()
    return frozenset(name.lower() for name in (*local, *(given or ())))


def run_server(app: Any, settings: "Settings", host: str, port: int, path: str = "/") -> None:  # noqa: ANN401 (ASGI)
    """Serve an application until it is stopped, and print where it is."""
    import socket
    import sys

    from tamis.serve.connections import raise_file_limit
    from tamis.serve.server import Server

    raise_file_limit()
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family, backlog=512)
    except OSError as error:
        raise SourceError(f"cannot listen on {host} port {port}: {(error.strerror or str(error)).lower()}") from error
    url_host = f"[{host}]" if ":" in host else host
    typer.echo(f"Tamis listens at http://{url_host}:{listener.getsockname()[1]}{path}  (stop with Ctrl-C)")
    sys.stdout.flush()
    Server(app, settings).run(sockets=[listener])
