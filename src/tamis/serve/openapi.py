"""The API as an OpenAPI 3.1 document.

`tamis.render.schema` describes JSON results. It is handed in, because it loads the parser and NumPy, which the server
process does without.
"""

import json
from typing import Any, Final

import tamis
from tamis.render.options import INCLUDABLE
from tamis.render.registry import formats
from tamis.serve.client_hints import HINTS, MEDIA_CHOICES
from tamis.serve.display_settings import DISPLAY_SETTINGS
from tamis.serve.problems import MEDIA_TYPE, TITLES
from tamis.serve.requests import FAVOR_WORDS, MAX_FAVOR, MAX_URL_CHARS, SWITCHES
from tamis.serve.settings import Settings

_STRING: Final = {"type": "string"}
_BOOLEAN: Final = {"type": "boolean"}
_URL: Final = {
    "type": "string",
    "pattern": "^https?://",
    "maxLength": MAX_URL_CHARS,
    "examples": ["https://example.org/"],
}
_FAVOR: Final = {
    "anyOf": [{"enum": list(FAVOR_WORDS)}, {"type": "number", "minimum": -MAX_FAVOR, "maximum": MAX_FAVOR}]
}
_OPTIONS: Final[dict[str, tuple[dict[str, Any], str]]] = {
    "extractor": (_STRING, "Extraction method; see /v1/extractors."),
    "favor": (_FAVOR, "Favor precision or recall, or a number of logits: above 0 keeps less."),
    "links": (_BOOLEAN, "Write the URLs of links."),
    "images": (_BOOLEAN, "Write images."),
    "tables": (_BOOLEAN, "Write data tables."),
    "comments": (_BOOLEAN, "Write readers' comments after the content."),
    "metadata": (_BOOLEAN, "Write the metadata first: title, authors, date and so on."),
    "provenance": (_BOOLEAN, "JSON: locate every part in the page's source and in each output."),
    "title": (
        _BOOLEAN,
        "Begin with the page's title, unless the content does. Default: true for Markdown, HTML and XML.",
    ),
}
_FORMATS_IN_JSON: Final = "|".join(INCLUDABLE)
_OPTIONS["with"] = (
    {"type": "string", "pattern": f"^({_FORMATS_IN_JSON})(,({_FORMATS_IN_JSON}))*$"},
    "JSON: include the content in these formats, too, separated by commas.",
)
assert set(SWITCHES) < set(_OPTIONS)
_EXTRACTION: Final = {"$ref": "#/components/schemas/Extraction"}
_HTML_CONTENT: Final = {"text/html": {"schema": _STRING}}


def _all_options() -> dict[str, tuple[dict[str, Any], str]]:
    """Return schema and description of every option. The formats are those that are registered now."""
    names = [name for entry in formats() for name in entry.names]
    return {"format": ({"type": "string", "enum": names}, "Output format; by default, Accept decides."), **_OPTIONS}


def _rendered_content() -> dict[str, Any]:
    return {entry.media_types[0]: {"schema": _EXTRACTION if entry.name == "json" else _STRING} for entry in formats()}


def _query(name: str, schema: dict[str, Any], description: str, *, required: bool = False) -> dict[str, Any]:
    return {"name": name, "in": "query", "required": required, "schema": schema, "description": description}


def _problems(*statuses: int) -> dict[str, Any]:
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    responses: dict[str, Any] = {
        str(status): {"description": TITLES[status], "content": content} for status in statuses
    }
    if "503" in responses:
        responses["503"]["headers"] = {"Retry-After": {"schema": {"type": "integer"}, "description": "Seconds."}}
    return responses


def _problem_pages(*statuses: int) -> dict[str, Any]:
    return {str(status): {"description": TITLES[status], "content": _HTML_CONTENT} for status in statuses}


def _ok(content: dict[str, Any], description: str) -> dict[str, Any]:
    return {"200": {"description": description, "content": content}}


def _operation(summary: str, operation_id: str, **fields: Any) -> dict[str, Any]:  # noqa: ANN401 (any JSON)
    return {"summary": summary, "operationId": operation_id, **fields}


def _request_schema() -> dict[str, Any]:
    properties: dict[str, Any] = {
        "url": {**_URL, "description": "URL of the page. Without html, the page is fetched from it."},
        "html": {**_STRING, "description": "The page."},
        **{name: {**schema, "description": description} for name, (schema, description) in _all_options().items()},
        "id": {"type": ["string", "integer"], "description": "Returned with the result."},
    }
    required = [{"required": ["url"]}, {"required": ["html"]}]
    return {"type": "object", "properties": properties, "anyOf": required, "additionalProperties": False}


def _schemas(result_schema: str) -> dict[str, Any]:
    # The definitions of the JSON schema move to where OpenAPI keeps schemas.
    extraction = json.loads(result_schema.replace("#/$defs/", "#/components/schemas/"))
    definitions = extraction.pop("$defs")
    extraction.pop("$schema")
    problem = {
        "type": "object",
        "properties": {"type": _STRING, "title": _STRING, "status": {"type": "integer"}, "detail": _STRING},
        "required": ["type", "title", "status", "detail"],
    }
    extractor = {"type": "object", "properties": dict.fromkeys(("name", "summary", "source"), _STRING)}
    return {
        "Extraction": extraction,
        **definitions,
        "Problem": problem,
        "ExtractRequest": _request_schema(),
        "Extractor": extractor,
    }


def _extract_path(max_body: str) -> dict[str, Any]:
    options = [_query(name, schema, description) for name, (schema, description) in _all_options().items()]
    url = _query("url", _URL, "URL of the page.")
    ok = _ok(_rendered_content(), "The extracted content.")
    return {
        "get": _operation(
            "Extract the page at a URL.",
            "extract",
            parameters=[{**url, "required": True}, *options],
            responses={**ok, **_problems(400, 403, 406, 422, 502, 503, 504)},
        ),
        "post": _operation(
            "Extract a page that is sent: in JSON, or as it is with the options as parameters.",
            "extractPosted",
            parameters=[url, *options],
            requestBody={
                "required": True,
                "description": f"{max_body} Parameters are defaults for the values of a JSON body.",
                "content": {
                    "application/json": {"schema": {"$ref": "#/components/schemas/ExtractRequest"}},
                    "text/html": {"schema": _STRING},
                    "application/octet-stream": {"schema": {"type": "string", "format": "binary"}},
                },
            },
            responses={**ok, **_problems(400, 403, 406, 408, 413, 415, 422, 502, 503, 504)},
        ),
    }


def _batch_path(max_body: str) -> dict[str, Any]:
    lines = {"type": "array", "items": {"$ref": "#/components/schemas/ExtractRequest"}}
    return {
        "post": _operation(
            "Extract many pages: a line of JSON in, a line of JSON out, in order.",
            "batch",
            requestBody={
                "required": True,
                "description": f"Each line is a JSON body of POST /v1/extract. {max_body}",
                "content": {"application/x-ndjson": {"schema": lines}},
            },
            responses={
                **_ok({"application/x-ndjson": {"schema": _STRING}}, "One line per page."),
                **_problems(415, 503),
            },
        )
    }


def _extractors_path() -> dict[str, Any]:
    listed = {
        "type": "object",
        "properties": {"extractors": {"type": "array", "items": {"$ref": "#/components/schemas/Extractor"}}},
        "required": ["extractors"],
    }
    ok = _ok({"application/json": {"schema": listed}}, "The extractors.")
    return {"get": _operation("List the extractors.", "extractors", responses={**ok, **_problems(503)})}


def _reader_path() -> dict[str, Any]:
    params = [_query("media", {"type": "string", "enum": list(MEDIA_CHOICES)}, "Text only, or images too.")]
    params += [
        _query(setting.name, {"type": "string", "enum": list(setting.values)}, f"Initial {setting.name}.")
        for setting in DISPLAY_SETTINGS
    ]
    params += [
        {"name": name, "in": "header", "required": False, "schema": _STRING, "description": "A client hint."}
        for name in HINTS
    ]
    ok = _ok(_HTML_CONTENT, "A page to read.")
    return {
        "get": _operation(
            "Show the page at a URL as a page to read.",
            "read",
            parameters=[_query("url", _URL, "URL of the page.", required=True), *params],
            responses={**ok, **_problem_pages(400, 403, 422, 502, 503, 504)},
        ),
        "post": _operation(
            "Show a file as a page to read.",
            "readFile",
            parameters=params,
            requestBody={"required": True, "content": _HTML_CONTENT},
            responses={**ok, **_problem_pages(400, 408, 413, 415, 422, 503)},
        ),
    }


def describe_paths(settings: Settings) -> dict[str, Any]:
    """Return the paths of the OpenAPI document.

    >>> sorted(describe_paths(Settings()))[:3]
    ['/healthz', '/metrics', '/openapi.json']
    """
    max_body = f"At most {settings.max_body / 1_000_000:g} MB."
    json_object = {"application/json": {"schema": {"type": "object"}}}
    health = _operation("State of the service.", "health", responses=_ok(json_object, "The service is up."))
    metrics = _operation(
        "Metrics for Prometheus.",
        "metrics",
        responses=_ok({"text/plain": {"schema": _STRING}}, "Metrics in the text format of Prometheus."),
    )
    description = _operation("This document.", "openapi", responses=_ok(json_object, "An OpenAPI document."))
    return {
        "/v1/extract": _extract_path(max_body),
        "/v1/batch": _batch_path(max_body),
        "/v1/extractors": _extractors_path(),
        "/read": _reader_path(),
        "/healthz": {"get": health},
        "/metrics": {"get": metrics},
        "/openapi.json": {"get": description},
    }


def describe_api(settings: Settings, result_schema: str) -> dict[str, Any]:
    """Return the OpenAPI document. `result_schema` is the JSON schema of results, as JSON."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Tamis",
            "version": tamis.__version__,
            "description": "Reads web pages and keeps their main content.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "paths": describe_paths(settings),
        "components": {"schemas": _schemas(result_schema)},
    }
