"""``tamis serve``: the reader and the HTTP API."""

import os
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from tamis.errors import MissingExtraError, OptionError, SourceError

if TYPE_CHECKING:
    from tamis.serve.settings import Settings

# ruff: noqa: PLC0415 (what needs the extra `serve` loads where it is used, not for --help)

_MEGABYTE: Final = 1_000_000
_LIMITS: Final = "Limits"
_FETCHING: Final = "Fetching"
_ACCESS: Final = "Access"
_OPERATION: Final = "Operation"
_MINIMUMS: Final[dict[str, float]] = {}  #: of the options that are numbers, by the names of their parameters


def _option(  # (typer's)
    flag: str, text: str, panel: str, *, short: tuple[str, ...] = (), least: float | None = None
) -> Any:  # noqa: ANN401
    """Return an option that an environment variable also sets: ``--max-body`` is ``TAMIS_MAX_BODY``."""
    name = flag.removeprefix("--").replace("-", "_")
    if least is not None:
        _MINIMUMS[name] = least
    return typer.Option(flag, *short, help=text, envvar=f"TAMIS_{name.upper()}", rich_help_panel=panel)


def command(  # noqa: PLR0917 (each is an option of the command line)
    host: Annotated[str, _option("--host", "Address to listen on; 0.0.0.0 is all.", _ACCESS)] = "127.0.0.1",
    port: Annotated[
        int, _option("--port", "Port to listen on; 0 takes a free one.", _ACCESS, short=("-p",), least=0)
    ] = 8100,
    hostname: Annotated[
        list[str] | None,
        _option("--hostname", "Name of the service: an accepted Host header; '*' accepts any.", _ACCESS),
    ] = None,
    api_key_file: Annotated[
        Path | None, _option("--api-key-file", "File with the API keys of clients, one per line.", _ACCESS)
    ] = None,
    rate_limit: Annotated[
        float, _option("--rate-limit", "Requests per minute and client; 0 is no limit.", _ACCESS, least=0)
    ] = 0,
    rate_burst: Annotated[
        int, _option("--rate-burst", "Requests that a client may send at once.", _ACCESS, least=1)
    ] = 20,
    cors_origin: Annotated[
        list[str] | None,
        _option("--cors-origin", "Origin whose pages may use the API: https://app.example; '*' is all.", _ACCESS),
    ] = None,
    trusted_proxy: Annotated[
        list[str] | None,
        _option("--trusted-proxy", "Address or network of a proxy whose X-Forwarded-For is believed.", _ACCESS),
    ] = None,
    allow_private: Annotated[
        bool, _option("--allow-private", "Also fetch pages from private and loopback addresses.", _FETCHING)
    ] = False,
    allow_cidr: Annotated[
        list[str] | None, _option("--allow-cidr", "Also fetch pages from this network: 10.1.0.0/16.", _FETCHING)
    ] = None,
    allow_port: Annotated[
        list[int] | None, _option("--allow-port", "Also fetch pages from this port, besides 80 and 443.", _FETCHING)
    ] = None,
    allow_header: Annotated[
        list[str] | None,
        _option("--allow-header", "Header that clients may have sent to pages; user-agent always.", _FETCHING),
    ] = None,
    render: Annotated[
        bool,
        _option(
            "--render",
            "Run the page's scripts in Chromium first (needs tamis[visual]), where needed.",
            _FETCHING,
        ),
    ] = False,
    render_timeout: Annotated[
        float, _option("--render-timeout", "Seconds for Chromium to render a page.", _FETCHING, least=0.1)
    ] = 20,
    max_renders: Annotated[
        int, _option("--max-renders", "Pages that Chromium renders at a time.", _FETCHING, least=1)
    ] = 2,
    fetch_timeout: Annotated[
        float, _option("--fetch-timeout", "Seconds for fetching a page in total.", _FETCHING, least=0.1)
    ] = 15,
    max_page: Annotated[
        float, _option("--max-page", "Megabytes of a page that is fetched.", _FETCHING, least=0.001)
    ] = 10,
    max_redirects: Annotated[int, _option("--max-redirects", "Redirects that are followed.", _FETCHING, least=0)] = 5,
    connections_per_host: Annotated[
        int, _option("--connections-per-host", "Connections to one host at a time.", _FETCHING, least=1)
    ] = 4,
    workers: Annotated[
        int | None, _option("--workers", "Worker processes; by default one per core.", _OPERATION, least=1)
    ] = None,
    cpu: Annotated[float, _option("--cpu", "Seconds of CPU time per page.", _LIMITS, least=0.01)] = 10,
    wall_timeout: Annotated[
        float, _option("--wall-timeout", "Seconds on the clock per page in a worker process.", _LIMITS, least=0.1)
    ] = 60,
    max_memory: Annotated[
        float, _option("--max-memory", "Megabytes of memory of a worker process.", _LIMITS, least=100)
    ] = 2000,
    max_requests: Annotated[
        int, _option("--max-requests", "Requests that are worked on at a time.", _LIMITS, least=1)
    ] = 64,
    max_waiting: Annotated[
        int, _option("--max-waiting", "Requests that wait for others; the next one gets 503.", _LIMITS, least=0)
    ] = 512,
    wait_timeout: Annotated[
        float, _option("--wait-timeout", "Seconds for which a request waits for others.", _LIMITS, least=0.1)
    ] = 10,
    max_batches: Annotated[
        int, _option("--max-batches", "Batches at a time; the next one gets 503.", _LIMITS, least=0)
    ] = 8,
    max_connections: Annotated[int, _option("--max-connections", "Open connections.", _LIMITS, least=1)] = 2000,
    head_timeout: Annotated[
        float, _option("--head-timeout", "Seconds for a client to send the head of a request.", _LIMITS, least=0.1)
    ] = 10,
    body_timeout: Annotated[
        float, _option("--body-timeout", "Seconds for a client to send a body.", _LIMITS, least=0.1)
    ] = 30,
    request_timeout: Annotated[
        float, _option("--request-timeout", "Seconds for a request until its response was sent.", _LIMITS, least=1)
    ] = 120,
    batch_timeout: Annotated[
        float, _option("--batch-timeout", "Seconds for a batch until its response was sent.", _LIMITS, least=1)
    ] = 1800,
    max_body: Annotated[float, _option("--max-body", "Megabytes of a request body.", _LIMITS, least=0.001)] = 10,
    max_batch: Annotated[float, _option("--max-batch", "Megabytes of a batch.", _LIMITS, least=0.001)] = 1000,
    max_buffered: Annotated[
        float, _option("--max-buffered", "Megabytes of bodies and responses held at a time.", _LIMITS, least=1)
    ] = 256,
    max_output: Annotated[
        float, _option("--max-output", "Megabytes of the response for one page.", _LIMITS, least=0.001)
    ] = 20,
    cache_size: Annotated[
        float, _option("--cache-size", "Megabytes of responses kept in memory.", _OPERATION, least=0)
    ] = 64,
    cache_file: Annotated[
        Path | None, _option("--cache-file", "SQLite file that keeps responses over restarts.", _OPERATION)
    ] = None,
    cache_ttl: Annotated[
        float, _option("--cache-ttl", "Seconds for which a response is fresh.", _OPERATION, least=0)
    ] = 600,
    access_log: Annotated[str, _option("--access-log", "Log of requests: off, plain or json.", _OPERATION)] = "off",
    drain_timeout: Annotated[
        float, _option("--drain-timeout", "Seconds for requests in flight to end at a stop.", _OPERATION, least=1)
    ] = 30,
) -> None:
    """Serve a reader and an HTTP API (needs tamis[serve]).

    Each option is also an environment variable: --max-body is TAMIS_MAX_BODY.
    """
    _check_minimums(locals())
    _check_extra()
    from tamis.serve.settings import Settings
    from tamis.sources.fetch import Limits

    if access_log not in {"off", "plain", "json"}:
        raise OptionError(f"--access-log must be off, plain or json, not {access_log}")
    hostnames = _hostnames(host, hostname)
    settings = Settings(
        policy=_policy(allow_private=allow_private, allow_cidr=allow_cidr, allow_port=allow_port),
        limits=Limits(fetch_timeout, round(max_page * _MEGABYTE), max_redirects, connections_per_host),
        workers=workers or max(1, os.cpu_count() or 1),
        max_requests=max_requests,
        max_waiting=max_waiting,
        wait_timeout=wait_timeout,
        max_batches=max_batches,
        max_connections=max_connections,
        head_timeout=head_timeout,
        body_timeout=body_timeout,
        request_timeout=request_timeout,
        batch_timeout=batch_timeout,
        cpu_timeout=cpu,
        wall_timeout=wall_timeout,
        max_memory=round(max_memory * _MEGABYTE),
        max_body=round(max_body * _MEGABYTE),
        max_batch=round(max_batch * _MEGABYTE),
        max_buffered=round(max_buffered * _MEGABYTE),
        max_output=round(max_output * _MEGABYTE),
        cache_size=round(cache_size * _MEGABYTE),
        cache_file=cache_file,
        cache_ttl=cache_ttl,
        drain_timeout=drain_timeout,
        hostnames=hostnames,
        api_keys=_api_keys(api_key_file),
        rate_limit=rate_limit,
        rate_burst=rate_burst,
        cors_origins=frozenset(origin.rstrip("/").lower() for origin in cors_origin or ()),
        trusted_proxies=frozenset(_networks("--trusted-proxy", trusted_proxy)),
        request_headers=frozenset({"accept-language", "user-agent", *(name.lower() for name in allow_header or ())}),
        access_log=access_log,  # type: ignore[arg-type]  # checked above
        render=render,
        render_timeout=render_timeout,
        max_renders=max_renders,
    )
    _serve(settings, host, port)


def _check_minimums(values: dict[str, Any]) -> None:
    for name, least in _MINIMUMS.items():
        if values[name] is not None and values[name] < least:
            raise OptionError(f"--{name.replace('_', '-')} must be at least {least:g}, not {values[name]:g}")


def _check_extra() -> None:
    for module in ("starlette", "uvicorn", "aiohttp", "nh3", "python_multipart"):
        try:
            __import__(module)
        except ImportError as error:
            raise MissingExtraError.for_module(module, "serve") from error


def _policy(*, allow_private: bool, allow_cidr: list[str] | None, allow_port: list[int] | None) -> Any:  # noqa: ANN401
    from tamis.sources.ssrf import NetworkScope, Policy

    return Policy(
        NetworkScope.PRIVATE if allow_private else NetworkScope.PUBLIC,
        tuple(map(ip_network, _networks("--allow-cidr", allow_cidr))),
        frozenset({80, 443, *(allow_port or ())}),
    )


def _networks(flag: str, networks: list[str] | None) -> list[str]:
    try:
        return [str(ip_network(network)) for network in networks or ()]
    except ValueError as error:
        raise OptionError(f"{flag}: {error}") from error


def _api_keys(path: Path | None) -> frozenset[str]:
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


def _hostnames(host: str, given: list[str] | None) -> frozenset[str]:
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


def _serve(settings: "Settings", host: str, port: int) -> None:
    import logging
    import socket
    import sys

    from tamis.serve.app import create_app
    from tamis.serve.connections import raise_file_limit
    from tamis.serve.server import Server

    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # one worker per core: more threads would compete for them
    raise_file_limit()
    if settings.access_log != "off":
        handler = logging.StreamHandler(sys.stdout)
        handler.setFormatter(logging.Formatter("%(message)s"))
        logging.getLogger("tamis.access").addHandler(handler)
        logging.getLogger("tamis.access").setLevel(logging.INFO)
    if settings.render:
        from tamis.serve.rendering import check_available

        check_available()
    app = create_app(settings)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family, backlog=512)
    except OSError as error:
        raise SourceError(f"cannot listen on {host} port {port}: {(error.strerror or str(error)).lower()}") from error
    url_host = f"[{host}]" if ":" in host else host
    typer.echo(f"Tamis listens at http://{url_host}:{listener.getsockname()[1]}/  (stop with Ctrl-C)")
    sys.stdout.flush()
    Server(app, settings).run(sockets=[listener])
