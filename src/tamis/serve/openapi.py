"""The API, described as OpenAPI 3.1. `tamis.render.schema` describes what JSON answers hold."""

import json
from functools import cache
from typing import Any, Final

import tamis
from tamis.render.schema import SCHEMA
from tamis.serve.client_hints import HINTS, MEDIA
from tamis.serve.pages import KNOBS
from tamis.serve.problems import MEDIA_TYPE, TITLES
from tamis.serve.requests import FARTHEST, FORMATS, LONGEST, SWITCHES
from tamis.serve.settings import Settings

_TEXT: Final = {"type": "string"}
_URL: Final = {
    "type": "string",
    "pattern": "^https?://",
    "maxLength": LONGEST,
    "examples": ["https://example.org/"],
}
_FAVOR: Final = {
    "anyOf": [
        {"enum": ["precision", "recall", "balance"]},
        {"type": "number", "minimum": -FARTHEST, "maximum": FARTHEST},
    ]
}
_OPTIONS: Final[dict[str, tuple[dict[str, Any], str]]] = {
    "format": ({"type": "string", "enum": list(FORMATS)}, "How the answer is written; else Accept decides."),
    "extractor": (_TEXT, "Which method chooses; see /v1/extractors."),
    "favor": (_FAVOR, "Precision, recall, or a number: above 0 keeps less."),
    "links": ({"type": "boolean"}, "Write the addresses of links."),
    "images": ({"type": "boolean"}, "Write pictures."),
    "tables": ({"type": "boolean"}, "Write tables of data."),
    "comments": ({"type": "boolean"}, "Write what readers wrote, after the content."),
    "metadata": ({"type": "boolean"}, "Begin with title, authors, date … of the page."),
    "provenance": ({"type": "boolean"}, "JSON: say where every part stands in the page."),
}
assert set(SWITCHES) < set(_OPTIONS)
_ANSWERS: Final = {
    "application/json": {"schema": {"$ref": "#/components/schemas/Extraction"}},
    "text/markdown": {"schema": _TEXT},
    "text/plain": {"schema": _TEXT},
    "text/html": {"schema": _TEXT},
}


def _query(name: str, schema: dict[str, Any], said: str, *, required: bool = False) -> dict[str, Any]:
    return {"name": name, "in": "query", "required": required, "schema": schema, "description": said}


def _problems(*statuses: int) -> dict[str, Any]:
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    out: dict[str, Any] = {str(status): {"description": TITLES[status], "content": content} for status in statuses}
    if "503" in out:
        out["503"]["headers"] = {"Retry-After": {"schema": {"type": "integer"}, "description": "Seconds."}}
    return out


def _pages(*statuses: int) -> dict[str, Any]:
    content = {"text/html": {"schema": _TEXT}}
    return {str(status): {"description": TITLES[status], "content": content} for status in statuses}


def _ok(content: dict[str, Any], said: str = "What was found.") -> dict[str, Any]:
    return {"200": {"description": said, "content": content}}


def _ask() -> dict[str, Any]:
    properties: dict[str, Any] = {
        "url": {**_URL, "description": "The page's address; without html, the page is fetched from it."},
        "html": {**_TEXT, "description": "The page."},
        **{name: {**schema, "description": said} for name, (schema, said) in _OPTIONS.items()},
        "id": {"type": ["string", "integer"], "description": "Comes back with the answer."},
    }
    needs = [{"required": ["url"]}, {"required": ["html"]}]
    return {"type": "object", "properties": properties, "anyOf": needs, "additionalProperties": False}


@cache
def _schemas() -> dict[str, Any]:
    # The parts of the JSON schema move to where OpenAPI keeps schemas.
    own = json.loads(json.dumps(SCHEMA).replace("#/$defs/", "#/components/schemas/"))
    parts = own.pop("$defs")
    own.pop("$schema")
    number = {"type": "integer"}
    problem = {
        "type": "object",
        "properties": {"type": _TEXT, "title": _TEXT, "status": number, "detail": _TEXT},
        "required": ["type", "title", "status", "detail"],
    }
    described = {"type": "object", "properties": dict.fromkeys(("name", "summary", "source"), _TEXT)}
    return {"Extraction": own, **parts, "Problem": problem, "Ask": _ask(), "Extractor": described}


def _reader() -> dict[str, Any]:
    look = [_query("media", {"type": "string", "enum": list(MEDIA)}, "Text alone, or everything.")]
    for name, (_, choices) in KNOBS.items():
        schema = {"type": "string", "enum": [value for value, _, _ in choices]}
        look.append(_query(name, schema, f"The {name} at first."))
    hints = [
        {"name": name, "in": "header", "required": False, "schema": _TEXT, "description": "A client hint."}
        for name in HINTS
    ]
    html = {"text/html": {"schema": _TEXT}}
    return {
        "get": {
            "summary": "The page at an address, as a page to read.",
            "operationId": "read",
            "parameters": [_query("url", _URL, "The page's address.", required=True), *look, *hints],
            "responses": {**_ok(html, "A page to read."), **_pages(400, 403, 422, 502, 503, 504)},
        },
        "post": {
            "summary": "A file, as a page to read.",
            "operationId": "readFile",
            "parameters": [*look, *hints],
            "requestBody": {"required": True, "content": {"text/html": {"schema": _TEXT}}},
            "responses": {**_ok(html, "A page to read."), **_pages(400, 408, 413, 415, 422, 503)},
        },
    }


def document(settings: Settings) -> dict[str, Any]:
    """Return the description of the API.

    >>> sorted(document(Settings())["paths"])[:3]
    ['/healthz', '/metrics', '/openapi.json']
    """
    options = [_query(name, schema, said) for name, (schema, said) in _OPTIONS.items()]
    base = _query("url", _URL, "The page's address.")
    size = f"{settings.body / 1_000_000:g} MB at most."
    ask = {"schema": {"$ref": "#/components/schemas/Ask"}}
    plain = {"text/plain": {"schema": _TEXT}}
    listed = {
        "type": "object",
        "properties": {"extractors": {"type": "array", "items": {"$ref": "#/components/schemas/Extractor"}}},
        "required": ["extractors"],
    }
    paths: dict[str, Any] = {
        "/v1/extract": {
            "get": {
                "summary": "The content of the page at an address.",
                "operationId": "extract",
                "parameters": [{**base, "required": True}, *options],
                "responses": {**_ok(_ANSWERS), **_problems(400, 403, 406, 422, 502, 503, 504)},
            },
            "post": {
                "summary": "The content of a page that is sent: as JSON, or as it is with the options as parameters.",
                "operationId": "extractSent",
                "parameters": [base, *options],
                "requestBody": {
                    "required": True,
                    "description": f"{size} What a body of JSON does not say, the parameters may.",
                    "content": {
                        "application/json": ask,
                        "text/html": {"schema": _TEXT},
                        "application/octet-stream": {"schema": {"type": "string", "format": "binary"}},
                    },
                },
                "responses": {**_ok(_ANSWERS), **_problems(400, 403, 406, 408, 413, 415, 422, 502, 503, 504)},
            },
        },
        "/v1/batch": {
            "post": {
                "summary": "Many pages: a line of JSON in, a line of JSON out, in order.",
                "operationId": "batch",
                "requestBody": {
                    "required": True,
                    "description": f"A line is what POST /v1/extract takes as JSON, {size}",
                    "content": {"application/x-ndjson": {"schema": {"type": "array", "items": ask["schema"]}}},
                },
                "responses": {**_ok({"application/x-ndjson": {"schema": _TEXT}}), **_problems(415, 503)},
            }
        },
        "/v1/extractors": {
            "get": {
                "summary": "The methods there are.",
                "operationId": "extractors",
                "responses": {**_ok({"application/json": {"schema": listed}}), **_problems(503)},
            }
        },
        "/read": _reader(),
        "/healthz": {
            "get": {
                "summary": "Whether the service is there.",
                "operationId": "health",
                "responses": _ok({"application/json": {"schema": {"type": "object"}}}),
            }
        },
        "/metrics": {
            "get": {
                "summary": "What was done, for Prometheus.",
                "operationId": "metrics",
                "responses": _ok(plain),
            }
        },
        "/openapi.json": {
            "get": {
                "summary": "This description.",
                "operationId": "openapi",
                "responses": _ok({"application/json": {"schema": {"type": "object"}}}),
            }
        },
    }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Tamis",
            "version": tamis.__version__,
            "description": "Reads web pages and keeps their main content.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "paths": paths,
        "components": {"schemas": _schemas()},
    }
