"""``tamis mcp``: tools for language models over the Model Context Protocol."""

import os
from pathlib import Path
from typing import Annotated

import typer

from tamis.cli.serve_options import (
    ACCESS,
    LIMITS,
    OPERATION,
    AllowCIDR,
    AllowPort,
    AllowPrivate,
    accepted_hostnames,
    check_extra,
    make_policy,
    option,
    read_api_keys,
    run_server,
)
from tamis.errors import MissingExtraError

# ruff: noqa: PLC0415 (what needs the extra `mcp` loads where it is used, not for --help)


def command(  # noqa: PLR0917 (each is an option of the command line)
    http: Annotated[
        bool, typer.Option("--http", help="Serve streamable HTTP at /mcp instead of standard input and output.")
    ] = False,
    host: Annotated[str, option("--host", "Address to listen on; 0.0.0.0 is all.", ACCESS)] = "127.0.0.1",
    port: Annotated[int, option("--port", "Port to listen on; 0 takes a free one.", ACCESS, short=("-p",))] = 8101,
    hostname: Annotated[
        list[str] | None,
        option("--hostname", "Name of the service: an accepted Host header; '*' accepts any.", ACCESS),
    ] = None,
    api_key_file: Annotated[
        Path | None, option("--api-key-file", "File with the API keys of clients, one per line.", ACCESS)
    ] = None,
    rate_limit: Annotated[
        float, option("--rate-limit", "Requests per minute and client; 0 is no limit.", ACCESS)
    ] = 0,
    allow_private: AllowPrivate = False,
    allow_cidr: AllowCIDR = None,
    allow_port: AllowPort = None,
    cpu: Annotated[float, option("--cpu", "Seconds of CPU time per page.", LIMITS)] = 10,
    workers: Annotated[
        int | None, option("--workers", "Worker processes; by default one per core.", OPERATION)
    ] = None,
) -> None:
    """Give language models tools that read pages: read_url, extract_html, read_feed (needs tamis[mcp])."""
    check_extra()
    try:
        import mcp.server  # noqa: F401 (whether it is there)
    except ImportError as error:
        raise MissingExtraError.for_module("mcp", "mcp") from error
    import asyncio

    from tamis.serve.mcp_server import create_mcp_app, run_stdio
    from tamis.serve.service import Service
    from tamis.serve.settings import Settings

    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    settings = Settings(
        policy=make_policy(allow_private=allow_private, allow_cidr=allow_cidr, allow_port=allow_port),
        workers=workers or max(1, os.cpu_count() or 1),
        cpu_timeout=cpu,
        hostnames=accepted_hostnames(host, hostname) if http else frozenset(),
        api_keys=read_api_keys(api_key_file),
        rate_limit=rate_limit,
    )
    service = Service(settings)
    if http:
        run_server(create_mcp_app(service), settings, host, port, path="/mcp")
    else:
        asyncio.run(run_stdio(service))
