"""The API for programs: ``/v1/extract``, ``/v1/extractors``, ``/healthz``, ``/metrics``, ``/openapi.json``."""

import json

from starlette.requests import Request
from starlette.responses import Response

import tamis
from tamis.serve.cache import Entry
from tamis.serve.jobs import Job
from tamis.serve.openapi import document
from tamis.serve.problems import Problem
from tamis.serve.requests import FORMATS, Ask, chosen_format, from_json, from_values, query_values
from tamis.serve.responses import read_body, reply, service_of
from tamis.serve.service import Service
from tamis.serve.uploads import charset_of


async def get_extract(request: Request) -> Response:
    """Extract the page at an address."""
    ask = from_values(query_values(request.query_params))
    if ask.url is None:
        raise Problem(400, "url is missing")
    form = chosen_format(ask, request.headers.get("accept"))
    service = service_of(request)
    with service.slot():
        entry = await service.read(ask.url, FORMATS[form], ask.options)
    return reply(request, entry, {"Vary": "Accept"})


async def post_extract(request: Request) -> Response:
    """Extract a page that was sent, or the page at an address that was sent."""
    service = service_of(request)
    service.turn_away()
    given = request.headers.get("content-type", "")
    kind, charset = given.partition(";")[0].strip().lower(), charset_of(given)
    if kind == "application/json":
        ask = from_json(await read_body(request), query_values(request.query_params))
        markup: str | bytes | None = ask.html
    elif kind in {"text/html", "application/xhtml+xml", "application/octet-stream", "text/plain", ""}:
        ask = from_values(query_values(request.query_params))
        markup = await read_body(request)
    else:
        raise Problem(415, "a body is application/json, text/html or application/octet-stream")
    form = chosen_format(ask, request.headers.get("accept"))
    with service.slot():
        entry = await extracted(service, ask, markup, FORMATS[form], charset)
    return reply(request, entry, {"Vary": "Accept"})


async def extracted(
    service: Service,
    ask: Ask,
    markup: str | bytes | None,
    form: str,
    encoding: str | None = None,
    *,
    wait: bool = False,
) -> Entry:
    """Return what was asked for: of markup that was sent, else of the page at the address."""
    if markup is not None:
        return await service.make(Job(markup, ask.url, encoding, form, ask.options), wait=wait)
    if ask.url is None:
        raise Problem(400, "url or html is missing")
    return await service.read(ask.url, form, ask.options)


async def extractors(request: Request) -> Response:
    """List the methods there are."""
    service = service_of(request)
    key = "extractors"
    entry = await service.cache.get(key)
    if entry is None:
        with service.slot():
            entry = await service.make(Job("", form="extractors"))
        await service.cache.put(key, entry)
    return reply(request, entry)


async def healthz(request: Request) -> Response:
    """Say that the service is there."""
    service = service_of(request)
    values = {"status": "ok", "version": tamis.__version__, "workers": service.pool.size, "active": service.active}
    return Response(json.dumps(values), headers={"Cache-Control": "no-store"}, media_type="application/json")


async def metrics(request: Request) -> Response:
    """Tell Prometheus what was done."""
    service = service_of(request)
    text = service.metrics.render(service.gauges())
    kind = "text/plain; version=0.0.4; charset=utf-8"
    return Response(text, headers={"Cache-Control": "no-store"}, media_type=kind)


async def openapi(request: Request) -> Response:
    """Describe the API."""
    body = json.dumps(document(service_of(request).settings), ensure_ascii=False)
    return Response(body, headers={"Cache-Control": "max-age=3600"}, media_type="application/json")
