"""The API as an OpenAPI 3.1 document, for programs and as a page for people.

Parameters come from `tamis.serve.http.requests.ExtractRequest` and from the settings of the reader; results from
`tamis.render.schema`, which is handed in, because it loads the parser and NumPy, which the server process does
without.
"""

import json
from html import escape
from typing import Any, Final

import tamis
from tamis.render.registry import formats
from tamis.serve.http.forms import choices, select_field
from tamis.serve.http.requests import BODY_ONLY, DEFAULT_FORMAT, READ_PARAMETERS, request_schema
from tamis.serve.http.responses import MEDIA_TYPE, TITLES
from tamis.serve.reader.preferences import HINTS, SETTINGS
from tamis.serve.settings import Settings

_STRING: Final = {"type": "string"}
_OBJECT: Final = {"type": "object"}
_NULLABLE: Final = {"type": ["string", "null"]}
_HTML: Final = {"text/html": {"schema": _STRING}}
_JSON: Final = {"application/json": {"schema": _OBJECT}}
_NDJSON: Final = "application/x-ndjson"
_REQUEST: Final = {"$ref": "#/components/schemas/ExtractRequest"}
_EXTRACTION: Final = {"anyOf": [{"$ref": "#/components/schemas/Extraction"}, {"$ref": "#/components/schemas/Bundle"}]}
#: Errors that every path may have: refused at the door, or a bug.
_COMMON_ERRORS: Final = (400, 401, 403, 405, 421, 429, 500)
_PAGE_HEADERS: Final = {
    "X-Request-ID": "Identifier of the request, as in the log; the client's own if it sent one.",
    "ETag": "Of the response, for If-None-Match.",
    "Cache-Control": "For how long the response is fresh; no-store if the page's server said so.",
    "Tamis-Empty-Reason": "Why the page has no content, if it has none.",
    "Tamis-Rendered": "true if Chromium rendered the page.",
}
#: Schemas besides that of a request and that of a result.
_SCHEMAS: Final = {
    "Bundle": {
        **_OBJECT,
        "description": "What formats= asks for.",
        "properties": {
            **dict.fromkeys(("url", "title", "page_type", "empty_reason"), _NULLABLE),
            "confidence": {"type": ["number", "null"]},
            **dict.fromkeys(("markdown", "html", "text", "xml"), _STRING),
            "metadata": _OBJECT,
            **{name: {"type": "array", "items": _OBJECT} for name in ("links", "images", "warnings")},
        },
        "required": ["url", "title", "page_type", "confidence", "empty_reason"],
    },
    "Problem": {
        **_OBJECT,
        "properties": {"type": _STRING, "title": _STRING, "status": {"type": "integer"}, "detail": _STRING},
        "required": ["type", "title", "status", "detail"],
    },
    "Extractors": {
        **_OBJECT,
        "properties": {
            "extractors": {
                "type": "array",
                "items": {**_OBJECT, "properties": dict.fromkeys(("name", "summary", "source"), _STRING)},
            }
        },
        "required": ["extractors"],
    },
    "Line": {
        **_OBJECT,
        "properties": {"line": {"type": "integer"}, "status": {"type": "integer"}, "format": _STRING},
        "required": ["line", "status"],
    },
}


def _properties(settings: Settings) -> dict[str, Any]:
    """Return the parameters of an extraction with what this service allows."""
    properties: dict[str, Any] = request_schema()["properties"]
    headers = ", ".join(sorted(settings.request_headers)) or "none"
    for name, note in (
        ("timeout", f" This service: at most {settings.request_timeout:g}."),
        ("headers", f" Allowed: {headers}."),
        ("render", " This service does not: it was started without --render." if settings.render == "never" else ""),
    ):
        properties[name]["description"] += note
    properties["render"]["default"] = settings.render
    return properties


def _param(name: str, schema: dict[str, Any], where: str = "query", *, required: bool = False) -> dict[str, Any]:
    """Return a parameter. A list is a text with commas in it."""
    schema = dict(schema)
    description = schema.pop("description", "")
    options = schema.get("anyOf", ())
    if any(each.get("type") == "array" for each in options):
        schema = next(each for each in options if each.get("type") == "string")
    return {"name": name, "in": where, "required": required, "schema": schema, "description": description}


_CACHE_CONTROL: Final = _param(
    "Cache-Control",
    {
        **_STRING,
        "examples": ["no-cache"],
        "description": "no-cache: fetch the page again. no-store: do not keep the response either. max-age: its age.",
    },
    "header",
)


def _operation(
    summary: str,
    name: str,
    content: dict[str, Any],
    description: str,
    *errors: int,
    is_page: bool = False,
    **fields: Any,  # noqa: ANN401 (any JSON)
) -> dict[str, Any]:
    """Return an operation: what it does, what it returns, and the errors that it may have."""
    headers = _PAGE_HEADERS if is_page else {"X-Request-ID": _PAGE_HEADERS["X-Request-ID"]}
    described = {header: {"schema": _STRING, "description": text} for header, text in headers.items()}
    problem = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    problem |= _HTML if is_page and content is _HTML else {}
    responses: dict[str, Any] = {"200": {"description": description, "content": content, "headers": described}}
    for status in sorted({*errors, *_COMMON_ERRORS}):
        responses[str(status)] = {"description": TITLES[status], "content": problem}
    for busy in {"429", "503"} & set(responses):
        retry = {"schema": {"type": "integer"}, "description": "Seconds after which to retry."}
        responses[busy]["headers"] = {"Retry-After": retry}
    return {"summary": summary, "operationId": name, **fields, "responses": responses}


def _body(description: str, **content: Any) -> dict[str, Any]:  # noqa: ANN401 (schemas by media type)
    return {"required": True, "description": description, "content": content}


def _extract_path(settings: Settings, properties: dict[str, Any]) -> dict[str, Any]:
    names = [name for name in properties if name not in BODY_ONLY]
    params = [_param(name, properties[name]) for name in names]
    schemas = {"json": _EXTRACTION, "csl": {"type": "array", "items": _OBJECT}}
    content = {entry.media_types[0]: {"schema": schemas.get(entry.name, _STRING)} for entry in formats()}
    limit = f"At most {settings.max_body / 1_000_000:g} MB."
    body = _body(
        f"{limit} Parameters are defaults for the values of a JSON body.",
        **{
            "application/json": {"schema": _REQUEST},
            "text/html": {"schema": _STRING},
            "text/plain": {"schema": _STRING},
            "application/octet-stream": {"schema": {"type": "string", "format": "binary"}},
        },
    )
    done = "The extracted content."
    posted = "Extract a page that is sent: in JSON, or as it is with the options as parameters."
    return {
        "get": _operation(
            "Extract the page at a URL.", "extract", content, done, 406, 422, 502, 503, 504, is_page=True,
            parameters=[{**param, "required": param["name"] == "url"} for param in params] + [_CACHE_CONTROL],
        ),
        "post": _operation(
            posted, "extractPosted", content, done, 406, 408, 413, 415, 422, 502, 503, 504, is_page=True,
            parameters=[*params, _CACHE_CONTROL], requestBody=body,
        ),
    }  # fmt: skip


def _batch_path(settings: Settings, properties: dict[str, Any]) -> dict[str, Any]:
    lines = {"schema": {"type": "array", "items": {"anyOf": [_REQUEST, properties["url"]]}}}
    limits = f"A line has at most {settings.max_body / 1_000_000:g} MB, all {settings.max_batch / 1_000_000:g} MB."
    listed = {"type": "array", "items": {"$ref": "#/components/schemas/Line"}}
    return {
        "post": _operation(
            "Extract many pages: a line of JSON in, a line of JSON out, in order.",
            "batch",
            {_NDJSON: {"schema": _STRING}, "application/json": {"schema": listed}},
            "One line per page; an array for an array, if Accept asks for application/json.",
            *(408, 413, 415, 503),
            requestBody=_body(
                f"A line or a value is a JSON body of POST /v1/extract, or a URL. {limits}",
                **{_NDJSON: lines, "application/json": lines},
            ),
        )
    }


def _reader_path(name: str, what: str, properties: dict[str, Any]) -> dict[str, Any]:
    params = [_param(setting, READ_PARAMETERS[setting]) for setting in SETTINGS]
    params += [_param(hint, {**_STRING, "description": "A client hint."}, "header") for hint in HINTS]
    form = {"schema": {**_OBJECT, "properties": {"file": READ_PARAMETERS["file"]}, "required": ["file"]}}
    done = f"A page: {what}."
    return {
        "get": _operation(
            f"Show for the page at a URL: {what}.", name, _HTML, done, 422, 502, 503, 504, is_page=True,
            parameters=[_param("url", properties["url"], required=True), *params, _CACHE_CONTROL],
        ),
        "post": _operation(
            f"Show for a file: {what}.", f"{name}File", _HTML, done, 408, 413, 415, 422, 503, 504, is_page=True,
            parameters=params, requestBody=_body("", **{**_HTML, "multipart/form-data": form}),
        ),
    }  # fmt: skip


def describe_paths(settings: Settings) -> dict[str, Any]:
    """Return the paths of the OpenAPI document.

    >>> sorted(describe_paths(Settings()))[:3]
    ['/', '/docs', '/explain']
    """
    properties = _properties(settings)
    text = {"text/plain": {"schema": _STRING}}
    in_path = {**properties["url"], "pattern": "^https?://", "description": "URL of the page, as it is."}
    extractors = {"application/json": {"schema": {"$ref": "#/components/schemas/Extractors"}}}
    paths = {
        "/v1/extract": _extract_path(settings, properties),
        "/v1/batch": _batch_path(settings, properties),
        "/v1/extractors": _operation("List the extractors.", "extractors", extractors, "The extractors.", 503),
        "/read": _reader_path("read", "its content, to read", properties),
        "/explain": _reader_path("explain", "why its blocks were kept or dropped", properties),
        "/{url}": _operation(
            "Return the page at a URL as Markdown with front matter: GET /https://example.org/.",
            "markdown",
            {"text/markdown": {"schema": _STRING}, **text},
            "Markdown.",
            *(404, 422, 502, 503, 504),
            is_page=True,
            parameters=[_param("url", in_path, "path", required=True), _CACHE_CONTROL],
        ),
        "/": _operation("The home page: a field for a URL, and one for a file.", "home", _HTML, "A page."),
        "/settings": _operation("The settings of the reader.", "settings", _HTML, "A page."),
        "/docs": _operation("This document as a page.", "docs", _HTML, "A page."),
        "/favicon.ico": _operation("The icon.", "icon", {"image/svg+xml": {"schema": _STRING}}, "An icon."),
        "/healthz": _operation("Whether the service is alive.", "health", _JSON, "It is."),
        "/readyz": _operation("Whether worker processes answer.", "ready", _JSON, "They do.", 503),
        "/metrics": _operation("Metrics for Prometheus.", "metrics", text, "Metrics as text."),
        "/openapi.json": _operation("This document.", "openapi", _JSON, "An OpenAPI document."),
    }
    paths["/readyz"]["responses"]["503"] = {"description": "They do not.", "content": _JSON}
    return {path: {"get": each} if "operationId" in each else each for path, each in paths.items()}


def describe_api(settings: Settings, result_schema: str) -> dict[str, Any]:
    """Return the OpenAPI document. `result_schema` is the JSON schema of results, as JSON."""
    # The definitions of the JSON schema move to where OpenAPI keeps schemas.
    extraction = json.loads(result_schema.replace("#/$defs/", "#/components/schemas/"))
    definitions = extraction.pop("$defs")
    extraction.pop("$schema")
    request = {**request_schema(), "properties": _properties(settings)}
    schemas = {"Extraction": extraction, **definitions, **_SCHEMAS, "ExtractRequest": request}
    schemes = {
        "bearer": {"type": "http", "scheme": "bearer", "description": "An API key."},
        "basic": {"type": "http", "scheme": "basic", "description": "An API key as the password, for browsers."},
        "header": {"type": "apiKey", "in": "header", "name": "X-API-Key", "description": "An API key."},
    }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Tamis",
            "version": tamis.__version__,
            "description": "Reads web pages and keeps their main content.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "paths": describe_paths(settings),
        "components": {"schemas": schemas, **({"securitySchemes": schemes} if settings.api_keys else {})},
        **({"security": [{name: []} for name in schemes]} if settings.api_keys else {}),
    }


# The OpenAPI document as HTML, for people.


def describe_as_html(paths: dict[str, Any], settings: Settings) -> str:
    """Return a section for each operation.

    >>> operation = {"summary": "Say hello.", "operationId": "hello", "responses": {"200": {"description": "Hello."}}}
    >>> print(describe_as_html({"/hello": {"get": operation}}, Settings()))
    <section id="hello"><h2><code>GET /hello</code></h2><p>Say hello.</p><p class="dim">200 Hello.</p></section>
    """
    return "".join(
        _section(path, method, operation, settings)
        for path, operations in paths.items()
        for method, operation in operations.items()
    )


def describe_form(settings: Settings) -> str:
    """Return the rows of a form for `GET /v1/extract`: a list for each parameter that has values to choose from."""
    rows = []
    for name, schema in _properties(settings).items():
        default = schema.get("default", DEFAULT_FORMAT if name == "format" else None)
        if choices(schema) and default is not None:
            text = f'<label for="try-{name}"><code>{name}</code> {escape(schema.get("description", ""))}</label>'
            rows.append(f"<tr><td>{select_field(name, schema, default)}</td><td>{text}</td></tr>")
    return "".join(rows)


def _section(path: str, method: str, operation: dict[str, Any], settings: Settings) -> str:
    parts = [f"<p>{escape(operation['summary'])}</p>"]
    rows = [_row(param) for param in operation.get("parameters", ())]
    if rows:
        head = "<thead><tr><th>parameter</th><th>meaning</th><th>default</th></tr></thead>"
        parts.append(f"<table>{head}<tbody>{''.join(rows)}</tbody></table>")
    body = operation.get("requestBody")
    if body:
        types = ", ".join(f"<code>{escape(name)}</code>" for name in body["content"])
        parts.append(f"<p>Body: {types}. {escape(body['description'])}</p>")
    hidden = set() if settings.api_keys else {"401"}
    headers = {name for response in operation["responses"].values() for name in response.get("headers", ())}
    if headers:
        names = ", ".join(f"<code>{escape(name)}</code>" for name in sorted(headers))
        parts.append(f'<p class="dim">Response headers: {names}</p>')
    statuses = " · ".join(
        f"{status} {escape(response['description'])}"
        for status, response in sorted(operation["responses"].items())
        if status not in hidden
    )
    parts.append(f'<p class="dim">{statuses}</p>')
    name = escape(operation["operationId"])
    return f'<section id="{name}"><h2><code>{method.upper()} {escape(path)}</code></h2>{"".join(parts)}</section>'


def _row(param: dict[str, Any]) -> str:
    schema = param["schema"]
    default = schema.get("default")
    shown = "" if default is None else f"<code>{escape(str(default).lower())}</code>"
    values = [] if schema.get("type") == "boolean" else choices(schema)
    listed = f'<br><span class="dim">{escape(", ".join(map(str, values)))}</span>' if values else ""
    where = "" if param["in"] == "query" else f' <span class="dim">({param["in"]})</span>'
    need = " (required)" if param.get("required") else ""
    return (
        f"<tr><td><code>{escape(param['name'])}</code>{where}{need}</td>"
        f"<td>{escape(param['description'])}{listed}</td><td>{shown}</td></tr>"
    )
