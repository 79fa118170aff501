"""``tamis serve`` and ``tamis mcp``: the service for people and programs, the tools for language models."""

import os
from dataclasses import dataclass, make_dataclass
from importlib.util import find_spec
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any, Final

import click

from tamis.cli.fetch_options import AccessOptions, RenderCommand, parse_networks
from tamis.cli.options import Option, make_command, option
from tamis.cli.settings import setting_fields, setting_values
from tamis.errors import MissingExtraError, OptionError, SourceError
from tamis.serve.settings import ACCESS, FETCHING, OPERATION, Settings
from tamis.sources.fetch import FetchLimits
from tamis.sources.quantities import Duration, Size

# ``tamis serve`` and ``tamis mcp``. Their options are the fields of `tamis.serve.settings.Settings`.

# ruff: noqa: PLC0415 (what needs the extra `serve` loads where it is used, not for --help)
# ruff: noqa: RUF009 (`Size` and `Duration` are numbers)


@dataclass(frozen=True)
class _Common:
    """What ``tamis serve`` and ``tamis mcp`` share: where they listen, who may come in, what is fetched."""

    host: Annotated[str, option("host", "Address to listen on; 0.0.0.0 is all.", ACCESS)] = "127.0.0.1"
    hostname: Annotated[
        list[str] | None,
        option("hostname", "Name of the service: an accepted Host header; '*' accepts any.", ACCESS),
    ] = None
    api_key_file: Annotated[
        Path | None, option("api_key_file", "File with the API keys of clients, one per line.", ACCESS)
    ] = None
    access: AccessOptions = AccessOptions()
    fetch_timeout: Annotated[
        Duration, option("fetch_timeout", "Time for fetching a page in total.", FETCHING, minimum=0.1)
    ] = Duration(15)
    max_bytes: Annotated[
        Size, option("max_bytes", "Size of a page: larger ones are not fetched.", FETCHING, minimum=1)
    ] = Size(10_000_000)
    max_redirects: Annotated[int, option("max_redirects", "Redirects that are followed.", FETCHING, minimum=0)] = 5
    connections_per_host: Annotated[
        int, option("connections_per_host", "Connections to one host at a time.", FETCHING, minimum=1)
    ] = 4

    @property
    def limits(self) -> FetchLimits:
        """What fetching a page may cost."""
        return FetchLimits(self.fetch_timeout, self.max_bytes, self.max_redirects, self.connections_per_host)


@dataclass(frozen=True)
class _OfMcp(_Common):
    http: Annotated[
        bool, Option("--http", help="Serve streamable HTTP at /mcp instead of standard input and output.")
    ] = False
    port: Annotated[
        int, option("port", "Port to listen on; 0 takes a free one.", ACCESS, short=("-p",), minimum=0)
    ] = 8101


@dataclass(frozen=True)
class _OfServe(_Common):
    port: Annotated[
        int, option("port", "Port to listen on; 0 takes a free one.", ACCESS, short=("-p",), minimum=0)
    ] = 8100
    cors_origin: Annotated[
        list[str] | None,
        option("cors_origin", "Origin whose pages may use the API: https://app.example; '*' is all.", ACCESS),
    ] = None
    trusted_proxy: Annotated[
        list[str] | None,
        option("trusted_proxy", "Address or network of a proxy whose X-Forwarded-For is believed.", ACCESS),
    ] = None
    allow_header: Annotated[
        list[str] | None,
        option("allow_header", "Header that clients may have sent to pages; user-agent always.", FETCHING),
    ] = None
    profiles: Annotated[
        Path | None, option("profiles", "Folder of site profiles that are named for hosts.", OPERATION)
    ] = None


#: What each extra installs that its command imports.
_SERVE: Final = (
    "starlette uvicorn aiohttp nh3 python_multipart pydantic prometheus_client mimeparse latex2mathml babel"
)
_MODULES: Final = {"serve": _SERVE, "mcp": f"mcp {_SERVE}"}


def check_extra(extra: str) -> None:
    """Raise an error that names what is missing of the extra of a command, and the extra."""
    missing = [name for name in _MODULES[extra].split() if not _is_installed(name)]
    if missing:
        raise MissingExtraError.for_module(", ".join(missing), extra)


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):  # it stands for nothing
        return False


def read_api_keys(path: Path | None) -> frozenset[str]:
    """Return the keys of a file: one per line, lines that begin with # are comments."""
    if path is None:
        return frozenset()
    try:
        lines = [line.strip() for line in path.read_text("utf-8").splitlines()]
    except (OSError, UnicodeDecodeError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise SourceError(f"cannot read {path}: {reason}") from error
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

    from tamis.serve.http.app import Server
    from tamis.serve.http.connections import raise_file_limit

    raise_file_limit()
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family, backlog=512)
    except OSError as error:
        raise SourceError(f"cannot listen on {host} port {port}: {(error.strerror or str(error)).lower()}") from error
    url_host = f"[{host}]" if ":" in host else host
    click.echo(f"Tamis listens at http://{url_host}:{listener.getsockname()[1]}{path}  (stop with Ctrl-C)")
    sys.stdout.flush()
    Server(app, settings).run(sockets=[listener])


# ``tamis mcp``: tools for language models over the Model Context Protocol.


def _run_mcp(given: _OfMcp) -> None:
    """Give language models tools that read pages: read_url, extract_html, read_feed (needs tamis[mcp])."""
    check_extra("mcp")
    import asyncio

    from tamis.mcp import create_mcp_app, run_stdio
    from tamis.serve.service import Service

    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    settings = Settings(
        policy=given.access.policy(),
        limits=given.limits,
        hostnames=accepted_hostnames(given.host, given.hostname) if given.http else frozenset(),
        api_keys=read_api_keys(given.api_key_file),
        **setting_values(given),
    )
    _check_browser(settings)
    service = Service(settings)
    if given.http:
        run_server(create_mcp_app(service), settings, given.host, given.port, path="/mcp")
    else:
        asyncio.run(run_stdio(service))


def _run_serve(given: _OfServe) -> None:
    """Serve a reader and an HTTP API (needs tamis[serve]).

    Each option is also an environment variable: --max-body is TAMIS_MAX_BODY.
    """
    check_extra("serve")
    if given.profiles is not None:
        if not given.profiles.is_dir():
            raise OptionError(f"not a directory: {given.profiles} (--profiles)")
        os.environ["TAMIS_PROFILES"] = str(given.profiles)  # where the worker processes look
    headers = {"accept-language", "user-agent", *(name.lower() for name in given.allow_header or ())}
    settings = Settings(
        policy=given.access.policy(),
        limits=given.limits,
        hostnames=accepted_hostnames(given.host, given.hostname),
        api_keys=read_api_keys(given.api_key_file),
        cors_origins=frozenset(origin.rstrip("/").lower() for origin in given.cors_origin or ()),
        trusted_proxies=frozenset(parse_networks("--trusted-proxy", given.trusted_proxy)),
        request_headers=frozenset(headers),
        **setting_values(given),
    )
    _serve(settings, given.host, given.port)


def _serve(settings: "Settings", host: str, port: int) -> None:
    import logging
    import sys

    from tamis.serve.http.app import create_app

    if settings.access_log != "off":
        handler = logging.StreamHandler(sys.stdout)
        handler.setFormatter(logging.Formatter("%(message)s"))
        logging.getLogger("tamis.access").addHandler(handler)
        logging.getLogger("tamis.access").setLevel(logging.INFO)
    _check_browser(settings)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # one worker per core: more threads would compete for them
    run_server(create_app(settings), settings, host, port)


def _check_browser(settings: "Settings") -> None:
    """Raise an error if pages are to be rendered and there is no browser."""
    if settings.render != "never":
        from tamis.browser.config import check_available

        check_available()


#: Settings that matter to tools of language models.
_MCP_SETTINGS: Final = (
    *("rate_limit", "workers", "cpu_timeout", "wall_timeout", "max_memory", "max_output", "max_nodes"),
    *("proxy", "user_agent", "retries", "render", "render_timeout", "max_renders"),
)
serve = make_command(
    make_dataclass("ServeArguments", setting_fields(), bases=(_OfServe,), frozen=True),
    "serve",
    run=_run_serve,
    cls=RenderCommand,
    examples=("tamis serve", "tamis serve --host 0.0.0.0 --hostname reader.example.org --render auto"),
)
mcp = make_command(
    make_dataclass("McpArguments", setting_fields(_MCP_SETTINGS), bases=(_OfMcp,), frozen=True),
    "mcp",
    run=_run_mcp,
    cls=RenderCommand,
    examples=("tamis mcp", "tamis mcp --http --port 8101"),
)
