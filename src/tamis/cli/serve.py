"""``tamis serve``: the reader and the API."""

from dataclasses import replace
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tamis.errors import MissingExtraError, OptionError, SourceError

if TYPE_CHECKING:
    from tamis.serve.settings import Settings


def command(  # noqa: PLR0917 (each is an option of the command line)
    host: Annotated[str, typer.Option("--host", help="Where to listen; 0.0.0.0 is everywhere.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", "-p", help="Which port; 0 takes a free one.")] = 8100,
    workers: Annotated[int | None, typer.Option("--workers", help="Processes that extract; one a core.")] = None,
    allow_private: Annotated[
        bool, typer.Option("--allow-private", help="Read pages of your own network too.")
    ] = False,
    allow_network: Annotated[
        list[str] | None, typer.Option("--allow-network", help="Read pages of this network too: 10.1.0.0/16.")
    ] = None,
    allow_port: Annotated[
        list[int] | None, typer.Option("--allow-port", help="Read pages at this port too, besides 80 and 443.")
    ] = None,
    name: Annotated[
        list[str] | None, typer.Option("--name", help="A name the service goes by (the Host header).")
    ] = None,
    cpu: Annotated[float, typer.Option("--cpu", help="Seconds of processor time a page may take.")] = 10,
    requests: Annotated[int, typer.Option("--requests", help="Requests at a time; others get 503.")] = 64,
    cache_size: Annotated[int, typer.Option("--cache-size", help="Megabytes of answers kept in memory.")] = 64,
    cache_file: Annotated[
        Path | None, typer.Option("--cache-file", help="Keep answers here too, over restarts (SQLite).")
    ] = None,
) -> None:
    """Serve a reader and an HTTP API (extra: serve)."""
    for given, least in ((workers or 1, 1), (requests, 1), (cache_size, 0), (port, 0)):
        if given < least:
            raise OptionError(f"a number of at least {least} is expected, not {given}")
    if cpu <= 0:
        raise OptionError(f"--cpu is a number of seconds, not {cpu:g}")
    _check_extra()
    from tamis.serve.settings import Settings  # noqa: PLC0415 (needs the extra `serve`)
    from tamis.sources.ssrf import NetworkScope, Policy  # noqa: PLC0415 (as above)

    try:
        networks = tuple(ip_network(one) for one in allow_network or ())
    except ValueError as error:
        raise OptionError(f"not a network: {error}") from error
    policy = Policy(
        NetworkScope.PRIVATE if allow_private else NetworkScope.PUBLIC,
        networks,
        frozenset({80, 443, *(allow_port or ())}),
    )
    settings = Settings(
        policy=policy,
        cpu=cpu,
        requests=requests,
        cache=cache_size * 1_000_000,
        cache_file=cache_file,
        names=_names(host, name),
    )
    _serve(replace(settings, workers=workers) if workers else settings, host, port)


def _check_extra() -> None:
    for module in ("starlette", "uvicorn", "aiohttp", "nh3"):
        try:
            __import__(module)
        except ImportError as error:
            raise MissingExtraError.for_module(module, "serve") from error


def _names(host: str, given: list[str] | None) -> frozenset[str]:
    """Return what the service may be called. On a loopback address nothing but that is its name."""
    try:
        local = ip_address(host).is_loopback
    except ValueError:
        local = host == "localhost"
    own = {"localhost", "127.0.0.1", "[::1]", f"[{host}]" if ":" in host else host} if local else set()
    return frozenset(name.lower() for name in (*own, *(given or ())))


def _serve(settings: "Settings", host: str, port: int) -> None:
    import os  # noqa: PLC0415 (as everything here, only where the service runs)
    import socket  # noqa: PLC0415
    import sys  # noqa: PLC0415

    import uvicorn  # noqa: PLC0415

    from tamis.serve.app import create_app  # noqa: PLC0415

    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # workers are as many as cores; threads would fight for them
    app = create_app(settings)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family, backlog=512)
    except OSError as error:
        raise SourceError(f"cannot listen on {host} port {port}: {(error.strerror or str(error)).lower()}") from error
    shown = f"[{host}]" if ":" in host else host
    typer.echo(f"Tamis reads at http://{shown}:{listener.getsockname()[1]}/  (stop with Ctrl-C)")
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
