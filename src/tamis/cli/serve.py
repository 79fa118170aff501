"""``tamis serve``: the reader and the HTTP API."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from tamis.cli.render_flag import RENDER_HELP, RenderFlag
from tamis.cli.serve_options import (
    ACCESS,
    FETCHING,
    LIMITS,
    OPERATION,
    AllowCIDR,
    AllowPort,
    AllowPrivate,
    accepted_hostnames,
    check_extra,
    check_minimums,
    make_policy,
    option,
    parse_networks,
    read_api_keys,
    run_server,
)
from tamis.errors import OptionError

if TYPE_CHECKING:
    from tamis.serve.settings import Settings

# ruff: noqa: PLC0415 (what needs the extra `serve` loads where it is used, not for --help)

_MEGABYTE: Final = 1_000_000


def command(  # noqa: PLR0917 (each is an option of the command line)
    host: Annotated[str, option("--host", "Address to listen on; 0.0.0.0 is all.", ACCESS)] = "127.0.0.1",
    port: Annotated[
        int, option("--port", "Port to listen on; 0 takes a free one.", ACCESS, short=("-p",), least=0)
    ] = 8100,
    hostname: Annotated[
        list[str] | None,
        option("--hostname", "Name of the service: an accepted Host header; '*' accepts any.", ACCESS),
    ] = None,
    api_key_file: Annotated[
        Path | None, option("--api-key-file", "File with the API keys of clients, one per line.", ACCESS)
    ] = None,
    rate_limit: Annotated[
        float, option("--rate-limit", "Requests per minute and client; 0 is no limit.", ACCESS, least=0)
    ] = 0,
    rate_burst: Annotated[
        int, option("--rate-burst", "Requests that a client may send at once.", ACCESS, least=1)
    ] = 20,
    cors_origin: Annotated[
        list[str] | None,
        option("--cors-origin", "Origin whose pages may use the API: https://app.example; '*' is all.", ACCESS),
    ] = None,
    trusted_proxy: Annotated[
        list[str] | None,
        option("--trusted-proxy", "Address or network of a proxy whose X-Forwarded-For is believed.", ACCESS),
    ] = None,
    allow_private: AllowPrivate = False,
    allow_cidr: AllowCIDR = None,
    allow_port: AllowPort = None,
    allow_header: Annotated[
        list[str] | None,
        option("--allow-header", "Header that clients may have sent to pages; user-agent always.", FETCHING),
    ] = None,
    render: Annotated[
        RenderFlag | None, option("--render", f"{RENDER_HELP} Clients choose; auto by default.", FETCHING)
    ] = None,
    render_timeout: Annotated[
        float, option("--render-timeout", "Seconds for Chromium to render a page.", FETCHING, least=0.1)
    ] = 20,
    max_renders: Annotated[
        int, option("--max-renders", "Pages that Chromium renders at a time.", FETCHING, least=1)
    ] = 2,
    fetch_timeout: Annotated[
        float, option("--fetch-timeout", "Seconds for fetching a page in total.", FETCHING, least=0.1)
    ] = 15,
    max_page: Annotated[
        float, option("--max-page", "Megabytes of a page that is fetched.", FETCHING, least=0.001)
    ] = 10,
    max_redirects: Annotated[int, option("--max-redirects", "Redirects that are followed.", FETCHING, least=0)] = 5,
    connections_per_host: Annotated[
        int, option("--connections-per-host", "Connections to one host at a time.", FETCHING, least=1)
    ] = 4,
    workers: Annotated[
        int | None, option("--workers", "Worker processes; by default one per core.", OPERATION, least=1)
    ] = None,
    cpu: Annotated[float, option("--cpu", "Seconds of CPU time per page.", LIMITS, least=0.01)] = 10,
    wall_timeout: Annotated[
        float, option("--wall-timeout", "Seconds on the clock per page in a worker process.", LIMITS, least=0.1)
    ] = 60,
    max_memory: Annotated[
        float, option("--max-memory", "Megabytes of memory of a worker process.", LIMITS, least=100)
    ] = 2000,
    max_requests: Annotated[
        int, option("--max-requests", "Requests that are worked on at a time.", LIMITS, least=1)
    ] = 64,
    max_waiting: Annotated[
        int, option("--max-waiting", "Requests that wait for others; the next one gets 503.", LIMITS, least=0)
    ] = 512,
    wait_timeout: Annotated[
        float, option("--wait-timeout", "Seconds for which a request waits for others.", LIMITS, least=0.1)
    ] = 10,
    max_batches: Annotated[
        int, option("--max-batches", "Batches at a time; the next one gets 503.", LIMITS, least=0)
    ] = 8,
    max_connections: Annotated[int, option("--max-connections", "Open connections.", LIMITS, least=1)] = 2000,
    head_timeout: Annotated[
        float, option("--head-timeout", "Seconds for a client to send the head of a request.", LIMITS, least=0.1)
    ] = 10,
    body_timeout: Annotated[
        float, option("--body-timeout", "Seconds for a client to send a body.", LIMITS, least=0.1)
    ] = 30,
    request_timeout: Annotated[
        float, option("--request-timeout", "Seconds for a request until its response was sent.", LIMITS, least=1)
    ] = 120,
    batch_timeout: Annotated[
        float, option("--batch-timeout", "Seconds for a batch until its response was sent.", LIMITS, least=1)
    ] = 1800,
    max_body: Annotated[float, option("--max-body", "Megabytes of a request body.", LIMITS, least=0.001)] = 10,
    max_batch: Annotated[float, option("--max-batch", "Megabytes of a batch.", LIMITS, least=0.001)] = 1000,
    max_buffered: Annotated[
        float, option("--max-buffered", "Megabytes of bodies and responses held at a time.", LIMITS, least=1)
    ] = 256,
    max_output: Annotated[
        float, option("--max-output", "Megabytes of the output for one page.", LIMITS, least=0.001)
    ] = 20,
    max_nodes: Annotated[
        int, option("--max-nodes", "Elements and text runs of a page that are read.", LIMITS, least=1)
    ] = 1_000_000,
    profiles: Annotated[
        Path | None, option("--profiles", "Folder of site profiles that are named for hosts.", OPERATION)
    ] = None,
    cache_size: Annotated[
        float, option("--cache-size", "Megabytes of responses kept in memory.", OPERATION, least=0)
    ] = 64,
    cache_file: Annotated[
        Path | None, option("--cache-file", "SQLite file that keeps responses over restarts.", OPERATION)
    ] = None,
    cache_ttl: Annotated[
        float, option("--cache-ttl", "Seconds for which a response is fresh.", OPERATION, least=0)
    ] = 600,
    access_log: Annotated[str, option("--access-log", "Log of requests: off, plain or json.", OPERATION)] = "off",
    drain_timeout: Annotated[
        float, option("--drain-timeout", "Seconds for requests in flight to end at a stop.", OPERATION, least=1)
    ] = 30,
) -> None:
    """Serve a reader and an HTTP API (needs tamis[serve]).

    Each option is also an environment variable: --max-body is TAMIS_MAX_BODY.
    """
    check_minimums(locals())
    check_extra()
    from tamis.serve.settings import Settings
    from tamis.sources.fetch import Limits

    if access_log not in {"off", "plain", "json"}:
        raise OptionError(f"--access-log must be off, plain or json, not {access_log}")
    if profiles is not None:
        if not profiles.is_dir():
            raise OptionError(f"--profiles must be a folder, and {profiles} is none")
        os.environ["TAMIS_PROFILES"] = str(profiles)  # where the worker processes look
    hostnames = accepted_hostnames(host, hostname)
    settings = Settings(
        policy=make_policy(allow_private=allow_private, allow_cidr=allow_cidr, allow_port=allow_port),
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
        max_nodes=max_nodes,
        cache_size=round(cache_size * _MEGABYTE),
        cache_file=cache_file,
        cache_ttl=cache_ttl,
        drain_timeout=drain_timeout,
        hostnames=hostnames,
        api_keys=read_api_keys(api_key_file),
        rate_limit=rate_limit,
        rate_burst=rate_burst,
        cors_origins=frozenset(origin.rstrip("/").lower() for origin in cors_origin or ()),
        trusted_proxies=frozenset(parse_networks("--trusted-proxy", trusted_proxy)),
        request_headers=frozenset({"accept-language", "user-agent", *(name.lower() for name in allow_header or ())}),
        access_log=access_log,  # type: ignore[arg-type]  # checked above
        render=render is not None,
        render_timeout=render_timeout,
        max_renders=max_renders,
    )
    _serve(settings, host, port)


def _serve(settings: "Settings", host: str, port: int) -> None:
    import logging
    import sys

    from tamis.serve.app import create_app

    if settings.access_log != "off":
        handler = logging.StreamHandler(sys.stdout)
        handler.setFormatter(logging.Formatter("%(message)s"))
        logging.getLogger("tamis.access").addHandler(handler)
        logging.getLogger("tamis.access").setLevel(logging.INFO)
    if settings.render:
        from tamis.serve.rendering import check_available

        check_available()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # one worker per core: more threads would compete for them
    run_server(create_app(settings), settings, host, port)
