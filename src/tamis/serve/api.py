"""The API for programs: ``/v1/extract``, ``/v1/extractors``, ``/healthz``, ``/metrics``, ``/openapi.json``."""

import json

from starlette.requests import Request
from starlette.responses import Response

import tamis
from tamis.render.registry import Format
from tamis.serve.cache import Entry
from tamis.serve.jobs import Job
from tamis.serve.openapi import describe_api
from tamis.serve.problems import Problem
from tamis.serve.requests import ExtractRequest, choose_format, parse_json, parse_values, query_values
from tamis.serve.responses import get_service, make_response, read_body
from tamis.serve.service import Service
from tamis.serve.uploads import charset_param


async def get_extract(request: Request) -> Response:
    """Extract the page at a URL."""
    wanted = parse_values(query_values(request.query_params))
    if wanted.url is None:
        raise Problem(400, "'url' is missing")
    output = choose_format(wanted.format, request.headers.get("accept"))
    service = get_service(request)
    with service.slot():
        entry = await service.extract_url(wanted.url, output, wanted.options)
    return make_response(request, entry, {"Vary": "Accept"})


async def post_extract(request: Request) -> Response:
    """Extract the page in the body, or the page at a URL in the body."""
    service = get_service(request)
    service.check_capacity()
    content_type = request.headers.get("content-type", "")
    media_type = content_type.partition(";")[0].strip().lower()
    if media_type == "application/json":
        wanted = parse_json(await read_body(request), query_values(request.query_params))
        html: str | bytes | None = wanted.html
    elif media_type in {"text/html", "application/xhtml+xml", "application/octet-stream", "text/plain", ""}:
        wanted = parse_values(query_values(request.query_params))
        html = await read_body(request)
    else:
        raise Problem(415, "the body must be application/json, text/html or application/octet-stream")
    output = choose_format(wanted.format, request.headers.get("accept"))
    with service.slot():
        entry = await run_request(service, wanted, html, output, encoding=charset_param(content_type))
    return make_response(request, entry, {"Vary": "Accept"})


async def run_request(
    service: Service,
    wanted: ExtractRequest,
    html: str | bytes | None,
    output: Format,
    *,
    encoding: str | None = None,
    wait: bool = False,
) -> Entry:
    """Return the response for the page that was sent, else for the page at the URL."""
    if html is not None:
        return await service.run_job(Job(html, output, wanted.url, encoding, wanted.options), wait=wait)
    if wanted.url is None:
        raise Problem(400, "'url' or 'html' is missing")
    return await service.extract_url(wanted.url, output, wanted.options)


async def extractors(request: Request) -> Response:
    """List the extractors."""
    service = get_service(request)
    key = "extractors"
    entry = await service.cache.get(key)
    if entry is None:
        with service.slot():
            entry = await service.run_job(Job("", "extractors"))
        await service.cache.put(key, entry)
    return make_response(request, entry)


async def healthz(request: Request) -> Response:
    """Return the state of the service."""
    service = get_service(request)
    values = {
        "status": "ok",
        "version": tamis.__version__,
        "workers": service.pool.size,
        "active": service.active_requests,
    }
    return Response(json.dumps(values), headers={"Cache-Control": "no-store"}, media_type="application/json")


async def metrics(request: Request) -> Response:
    """Return metrics for Prometheus."""
    service = get_service(request)
    text = service.metrics.render(service.gauges())
    media_type = "text/plain; version=0.0.4; charset=utf-8"
    return Response(text, headers={"Cache-Control": "no-store"}, media_type=media_type)


async def openapi(request: Request) -> Response:
    """Return the OpenAPI description."""
    service = get_service(request)
    body = json.dumps(describe_api(service.settings, await service.result_schema()), ensure_ascii=False)
    return Response(body, headers={"Cache-Control": "max-age=3600"}, media_type="application/json")
