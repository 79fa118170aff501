"""``tamis serve``: the reader and the HTTP API."""

from dataclasses import replace
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tamis.errors import MissingExtraError, OptionError, SourceError

if TYPE_CHECKING:
    from tamis.serve.settings import Settings

# ruff: noqa: PLC0415 (what needs the extra `serve` loads where it is used, not for --help)


def command(  # noqa: PLR0917 (each is an option of the command line)
    host: Annotated[str, typer.Option("--host", help="Address to listen on; 0.0.0.0 is all.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", "-p", help="Port to listen on; 0 takes a free one.")] = 8100,
    workers: Annotated[
        int | None, typer.Option("--workers", help="Worker processes; by default one per core.")
    ] = None,
    allow_private: Annotated[
        bool, typer.Option("--allow-private", help="Also fetch pages from private and loopback addresses.")
    ] = False,
    allow_cidr: Annotated[
        list[str] | None, typer.Option("--allow-cidr", help="Also fetch pages from this network: 10.1.0.0/16.")
    ] = None,
    allow_port: Annotated[
        list[int] | None, typer.Option("--allow-port", help="Also fetch pages from this port, besides 80 and 443.")
    ] = None,
    hostname: Annotated[
        list[str] | None, typer.Option("--hostname", help="Name of the service: an accepted Host header.")
    ] = None,
    cpu: Annotated[float, typer.Option("--cpu", help="Seconds of CPU time per page.")] = 10,
    max_requests: Annotated[
        int, typer.Option("--max-requests", help="Concurrent requests; the next one gets 503.")
    ] = 64,
    cache_size: Annotated[int, typer.Option("--cache-size", help="Megabytes of responses kept in memory.")] = 64,
    cache_file: Annotated[
        Path | None, typer.Option("--cache-file", help="SQLite file that keeps responses over restarts.")
    ] = None,
) -> None:
    """Serve a reader and an HTTP API (needs tamis[serve])."""
    minimums = (
        ("--workers", workers or 1, 1),
        ("--max-requests", max_requests, 1),
        ("--cache-size", cache_size, 0),
        ("--port", port, 0),
    )
    for flag, value, minimum in minimums:
        if value < minimum:
            raise OptionError(f"{flag} must be at least {minimum}, not {value}")
    if cpu <= 0:
        raise OptionError(f"--cpu must be more than 0 seconds, not {cpu:g}")
    _check_extra()
    from tamis.serve.settings import Settings
    from tamis.sources.ssrf import NetworkScope, Policy

    try:
        networks = tuple(ip_network(cidr) for cidr in allow_cidr or ())
    except ValueError as error:
        raise OptionError(f"--allow-cidr: {error}") from error
    policy = Policy(
        NetworkScope.PRIVATE if allow_private else NetworkScope.PUBLIC,
        networks,
        frozenset({80, 443, *(allow_port or ())}),
    )
    settings = Settings(
        policy=policy,
        cpu_timeout=cpu,
        max_requests=max_requests,
        cache_size=cache_size * 1_000_000,
        cache_file=cache_file,
        hostnames=_hostnames(host, hostname),
    )
    _serve(replace(settings, workers=workers) if workers else settings, host, port)


def _check_extra() -> None:
    for module in ("starlette", "uvicorn", "aiohttp", "nh3"):
        try:
            __import__(module)
        except ImportError as error:
            raise MissingExtraError.for_module(module, "serve") from error


def _hostnames(host: str, given: list[str] | None) -> frozenset[str]:
    """Return the accepted Host headers. A service on a loopback address accepts only loopback names by default."""
    try:
        is_loopback = ip_address(host).is_loopback
    except ValueError:
        is_loopback = host == "localhost"
    local = {"localhost", "127.0.0.1", "[::1]", f"[{host}]" if ":" in host else host} if is_loopback else set()
    return frozenset(name.lower() for name in (*local, *(given or ())))


def _serve(settings: "Settings", host: str, port: int) -> None:
    import os
    import socket
    import sys

    import uvicorn

    from tamis.serve.app import create_app

    os.environ.setdefault(
        "OPENBLAS_NUM_THREADS", "1"
    )  # one worker per core: more threads would compete for the cores
    app = create_app(settings)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family, backlog=512)
    except OSError as error:
        raise SourceError(f"cannot listen on {host} port {port}: {(error.strerror or str(error)).lower()}") from error
    url_host = f"[{host}]" if ":" in host else host
    typer.echo(f"Tamis listens at http://{url_host}:{listener.getsockname()[1]}/  (stop with Ctrl-C)")
    sys.stdout.flush()
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=5,
        timeout_graceful_shutdown=5,
        limit_concurrency=1000,
        lifespan="on",
    )
    uvicorn.Server(config).run(sockets=[listener])
