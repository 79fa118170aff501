"""The API for programs: ``/v1/extract``, ``/v1/extractors``, what monitors read, and ``/openapi.json``."""

import json
from dataclasses import replace
from typing import Final

from prometheus_client import CONTENT_TYPE_LATEST
from starlette.requests import Request
from starlette.responses import Response

import tamis
from tamis.serve.cache import Entry
from tamis.serve.http.openapi import describe_api
from tamis.serve.http.requests import ExtractRequest, charset_param, check_names, parse_values, query_values
from tamis.serve.http.responses import Problem, get_service, make_response, received_body, while_connected
from tamis.serve.jobs import FetchOptions, Job
from tamis.serve.service import Service

_BODY_TYPES: Final = frozenset(
    {"application/json", "text/html", "application/xhtml+xml", "application/octet-stream", "text/plain", ""}
)


async def get_extract(request: Request) -> Response:
    """Extract the page at a URL."""
    service = get_service(request)
    wanted = parse_values(query_values(request.query_params))
    if wanted.url is None:
        raise Problem(400, "'url' is missing")
    job, options = wanted.job(request.headers.get("accept")), wanted.fetch_options(service.settings, request.headers)
    service.slots.check()
    entry = await while_connected(request, service.run_in_slot(job, wanted.url, options))
    return await make_response(request, entry, {"Vary": "Accept"})


async def post_extract(request: Request) -> Response:
    """Extract the page in the body, or the page at a URL in the body."""
    service = get_service(request)
    service.slots.check()
    content_type = request.headers.get("content-type", "")
    media_type = content_type.partition(";")[0].strip().lower()
    if media_type not in _BODY_TYPES:
        raise Problem(415, "the body must be application/json, text/html or application/octet-stream")
    async with received_body(request) as body:
        entry = await while_connected(request, _extract_posted(request, body, media_type, content_type))
    return await make_response(request, entry, {"Vary": "Accept"})


async def _extract_posted(request: Request, body: bytes, media_type: str, content_type: str) -> Entry:
    service = get_service(request)
    params = query_values(request.query_params)
    async with service.slot():
        if media_type == "application/json":
            values = await service.parse_json(body)
            if not isinstance(values, dict):
                raise Problem(400, "the body must be a JSON object")
            wanted = parse_values({**params, **values})
            html: str | bytes | None = wanted.html
        else:
            wanted = parse_values(params)
            html = body
        job = wanted.job(request.headers.get("accept"), html or "", charset_param(content_type))
        if media_type == "text/plain":
            job = replace(job, media_type=media_type)
        options = wanted.fetch_options(service.settings, request.headers)
        return await run_request(service, wanted, job, options, posted=html is not None)


async def run_request(
    service: Service,
    wanted: ExtractRequest,
    job: Job,
    options: FetchOptions,
    *,
    posted: bool = False,
    wait: bool = False,
) -> Entry:
    """Return the response for the page that was sent, else for the page at the URL."""
    if posted:
        return await service.run_job(job, wait=wait)
    if wanted.url is None:
        raise Problem(400, "'url' or 'html' is missing")
    return await service.extract_url(wanted.url, job, options)


async def extractors(request: Request) -> Response:
    """List the extractors."""
    check_names(request.query_params)
    service = get_service(request)
    key = "extractors"
    entry = await service.cache.get(key)
    if entry is None:
        async with service.slot():
            entry = await service.run_job(Job("", "extractors"))
        await service.cache.put(key, entry)
    return await make_response(request, entry)


async def healthz(request: Request) -> Response:
    """Return that the service is alive."""
    service = get_service(request)
    values = {
        "status": "ok",
        "version": tamis.__version__,
        "workers": service.pool.size,
        "active": service.slots.active,
        "waiting": service.slots.waiting,
    }
    return Response(json.dumps(values), headers={"Cache-Control": "no-store"}, media_type="application/json")


async def readyz(request: Request) -> Response:
    """Return whether worker processes answer."""
    ready = await get_service(request).is_ready()
    body = json.dumps({"status": "ready" if ready else "not ready"})
    headers = {"Cache-Control": "no-store"}
    return Response(body, 200 if ready else 503, headers, "application/json")


async def metrics(request: Request) -> Response:
    """Return metrics for Prometheus."""
    return Response(
        get_service(request).metrics.render(), headers={"Cache-Control": "no-store"}, media_type=CONTENT_TYPE_LATEST
    )


async def openapi(request: Request) -> Response:
    """Return the OpenAPI description."""
    service = get_service(request)
    body = json.dumps(describe_api(service.settings, await service.result_schema()), ensure_ascii=False)
    return Response(body, headers={"Cache-Control": "max-age=3600"}, media_type="application/json")
