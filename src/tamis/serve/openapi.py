"""The API as an OpenAPI 3.1 document, for programs and as a page for people."""

import json
from dataclasses import dataclass
from html import escape
from typing import Any, Final

import tamis
from tamis.browser.modes import RENDER_MODES
from tamis.render.options import CONTENTS
from tamis.render.registry import formats
from tamis.serve.display_settings import DISPLAY_SETTINGS, HINTS, LINKS, MEDIA_CHOICES
from tamis.serve.jobs import BUNDLE_NAMES
from tamis.serve.requests import (
    DEFAULT_FORMAT,
    FAVOR_WORDS,
    MAX_FAVOR,
    MAX_SELECTOR_CHARS,
    MAX_TIMEOUT,
    MAX_URL_CHARS,
    SWITCHES,
)
from tamis.serve.responses import MEDIA_TYPE, TITLES
from tamis.serve.settings import Settings

# The options of the API for OpenAPI: what each means, which values it takes and what it is by default.

STRING: Final = {"type": "string"}
BOOLEAN: Final = {"type": "boolean"}
URL: Final = {
    "type": "string",
    "pattern": r"^(https?://)?[^\s/?#:]",
    "maxLength": MAX_URL_CHARS,
    "examples": ["https://example.org/"],
}
_FAVOR: Final = {
    "anyOf": [{"enum": list(FAVOR_WORDS)}, {"type": "number", "minimum": -MAX_FAVOR, "maximum": MAX_FAVOR}]
}
_SELECTOR: Final = {"type": "string", "minLength": 1, "maxLength": MAX_SELECTOR_CHARS, "examples": ["main, .post"]}
_NOT_RENDERED: Final = " This service does not: it was started without --render."
_HEADER_TEXT: Final = {"type": "string", "pattern": "^[ -~]+$", "maxLength": 1000}


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a request.

    Attributes:
        schema: its values, as a JSON schema.
        description: what it means.
        default: what it is if it is not given; None if the description says it.
        in_query: whether it can be a parameter, too.
    """

    schema: dict[str, Any]
    description: str
    default: Any = None
    in_query: bool = True

    @property
    def full_schema(self) -> dict[str, Any]:
        """The schema with the default."""
        return self.schema if self.default is None else {**self.schema, "default": self.default}


def extract_options(settings: Settings) -> dict[str, Option]:
    """Return the options of an extraction. The formats are those that are registered now.

    >>> extract_options(Settings())["links"].default
    True
    """
    names = [name for entry in formats() for name in entry.names]
    headers = ", ".join(sorted(settings.request_headers)) or "none"
    rendering = "Let Chromium run the page's scripts first: auto does if the page has no content without them."
    options = {
        "format": Option(
            {"type": "string", "enum": names}, f"Output format. By default, Accept decides; {DEFAULT_FORMAT} for any."
        ),
        "formats": Option(
            _names_of(BUNDLE_NAMES),
            "Several outputs in one JSON object, separated by commas; metadata always, unless metadata=false.",
        ),
        "with": Option(
            _names_of(CONTENTS), "JSON: contain the content in these formats besides the text, separated by commas."
        ),
        "extractor": Option(STRING, "Extraction method; see /v1/extractors.", "sift"),
        "favor": Option(_FAVOR, "Favor precision or recall, or a number of logits: above 0 keeps less.", "balance"),
        "include": Option(
            _SELECTOR,
            "CSS selector: only what is in its elements is content: all of it, unless an extractor is named.",
        ),
        "exclude": Option(_SELECTOR, "CSS selector: leave out its elements."),
        "links": Option(BOOLEAN, "Write the URLs of links.", default=True),
        "images": Option(BOOLEAN, "Write images.", default=True),
        "tables": Option(BOOLEAN, "Write data tables.", default=True),
        "comments": Option(BOOLEAN, "Write readers' comments after the content.", default=False),
        "metadata": Option(BOOLEAN, "Write the metadata first: title, authors, date and so on.", default=False),
        "provenance": Option(
            BOOLEAN, "JSON: locate every part in the page's source and in each output.", default=False
        ),
        "title": Option(
            BOOLEAN,
            "Begin with the page's title, unless the content does. By default, Markdown, HTML and XML do.",
        ),
        "timeout": Option(
            {"type": "number", "exclusiveMinimum": 0, "maximum": MAX_TIMEOUT},
            f"Seconds for the page in total, if less than {settings.request_timeout:g}.",
        ),
        "no_cache": Option(BOOLEAN, "Fetch the page again, even if a response is cached.", default=False),
        "user_agent": Option(_HEADER_TEXT, "User-Agent for the page's server."),
        "headers": Option(
            {"type": "object", "additionalProperties": _HEADER_TEXT},
            f"Request headers for the page's server. Allowed: {headers}.",
            in_query=False,
        ),
        "render": Option(
            {"type": "string", "enum": list(RENDER_MODES)},
            rendering + (_NOT_RENDERED if settings.render == "never" else ""),
            settings.render,
        ),
    }
    assert set(SWITCHES) < set(options)
    return options


def _names_of(names: tuple[str, ...]) -> dict[str, Any]:
    pattern = "|".join(names)
    return {"type": "string", "pattern": f"^({pattern})(,({pattern}))*$"}


# The API as an OpenAPI 3.1 document.
#
# `tamis.render.schema` describes JSON results. It is handed in, because it loads the parser and NumPy, which the
# server process does without.

_EXTRACTION: Final = {"anyOf": [{"$ref": "#/components/schemas/Extraction"}, {"$ref": "#/components/schemas/Bundle"}]}
_HTML_CONTENT: Final = {"text/html": {"schema": STRING}}
_JSON_OBJECT: Final = {"application/json": {"schema": {"type": "object"}}}
#: Errors that every path may have: refused at the door, or a bug.
_COMMON_ERRORS: Final = (400, 401, 403, 405, 421, 429, 500)
_RESPONSE_HEADERS: Final = {
    "X-Request-ID": "Identifier of the request, as in the log; the client's own if it sent one.",
    "ETag": "Of the response, for If-None-Match.",
    "Cache-Control": "For how long the response is fresh; no-store if the page's server said so.",
    "Tamis-Empty-Reason": "Why the page has no content, if it has none.",
    "Tamis-Rendered": "true if Chromium rendered the page.",
}
_CACHE_CONTROL: Final = {
    "name": "Cache-Control",
    "in": "header",
    "required": False,
    "schema": {**STRING, "examples": ["no-cache"]},
    "description": "no-cache: fetch the page again. no-store: do not keep the response either. max-age: its age.",
}


def _query(name: str, option: Option, *, required: bool = False) -> dict[str, Any]:
    schema = option.full_schema
    return {"name": name, "in": "query", "required": required, "schema": schema, "description": option.description}


def _problems(*statuses: int) -> dict[str, Any]:
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    responses: dict[str, Any] = {
        str(status): {"description": TITLES[status], "content": content}
        for status in sorted({*statuses, *_COMMON_ERRORS})
    }
    for status in ("429", "503"):
        if status in responses:
            retry = {"schema": {"type": "integer"}, "description": "Seconds after which to retry."}
            responses[status]["headers"] = {"Retry-After": retry}
    return responses


def _problem_pages(*statuses: int) -> dict[str, Any]:
    responses = _problems(*statuses)
    for response in responses.values():
        response["content"] = {**response["content"], **_HTML_CONTENT}
    return responses


def _ok(content: dict[str, Any], description: str, *headers: str) -> dict[str, Any]:
    described = {
        name: {"schema": STRING, "description": _RESPONSE_HEADERS[name]} for name in ("X-Request-ID", *headers)
    }
    return {"200": {"description": description, "content": content, "headers": described}}


def _page_ok(content: dict[str, Any], description: str) -> dict[str, Any]:
    return _ok(content, description, "ETag", "Cache-Control", "Tamis-Empty-Reason", "Tamis-Rendered")


def _operation(summary: str, operation_id: str, **fields: Any) -> dict[str, Any]:  # noqa: ANN401 (any JSON)
    return {"summary": summary, "operationId": operation_id, **fields}


def _request_schema(settings: Settings) -> dict[str, Any]:
    options = extract_options(settings)
    properties: dict[str, Any] = {
        "url": {**URL, "description": "URL of the page. Without html, the page is fetched from it."},
        "html": {**STRING, "description": "The page."},
        **{name: {**option.full_schema, "description": option.description} for name, option in options.items()},
        "id": {"type": ["string", "integer"], "description": "Returned with the result of a line of a batch."},
    }
    required = [{"required": ["url"]}, {"required": ["html"]}]
    exclusive = {"not": {"anyOf": [{"required": ["formats", each]} for each in ("format", "with")]}}
    return {
        "type": "object",
        "properties": properties,
        "anyOf": required,
        "additionalProperties": False,
        **exclusive,
    }


def _schemas(settings: Settings, result_schema: str) -> dict[str, Any]:
    # The definitions of the JSON schema move to where OpenAPI keeps schemas.
    extraction = json.loads(result_schema.replace("#/$defs/", "#/components/schemas/"))
    definitions = extraction.pop("$defs")
    extraction.pop("$schema")
    problem = {
        "type": "object",
        "properties": {"type": STRING, "title": STRING, "status": {"type": "integer"}, "detail": STRING},
        "required": ["type", "title", "status", "detail"],
    }
    extractor = {"type": "object", "properties": dict.fromkeys(("name", "summary", "source"), STRING)}
    nullable = {"type": ["string", "null"]}
    bundle = {
        "type": "object",
        "description": "What formats= asks for.",
        "properties": {
            **dict.fromkeys(("url", "title", "page_type", "empty_reason"), nullable),
            "confidence": {"type": ["number", "null"]},
            **dict.fromkeys(("markdown", "html", "text", "xml"), STRING),
            "metadata": {"type": "object"},
            **{name: {"type": "array", "items": {"type": "object"}} for name in ("links", "images", "warnings")},
        },
        "required": ["url", "title", "page_type", "confidence", "empty_reason"],
    }
    return {
        "Extraction": extraction,
        **definitions,
        "Bundle": bundle,
        "Problem": problem,
        "ExtractRequest": _request_schema(settings),
        "Extractor": extractor,
    }


def _extract_path(settings: Settings) -> dict[str, Any]:
    options = [_query(name, option) for name, option in extract_options(settings).items() if option.in_query]
    url = _query("url", Option(URL, "URL of the page; without a scheme it is https."))
    content = {
        entry.media_types[0]: {"schema": _EXTRACTION if entry.name == "json" else STRING} for entry in formats()
    }
    ok = _page_ok(content, "The extracted content.")
    max_body = f"At most {settings.max_body / 1_000_000:g} MB."
    return {
        "get": _operation(
            "Extract the page at a URL.",
            "extract",
            parameters=[{**url, "required": True}, *options, _CACHE_CONTROL],
            responses={**ok, **_problems(406, 422, 502, 503, 504)},
        ),
        "post": _operation(
            "Extract a page that is sent: in JSON, or as it is with the options as parameters.",
            "extractPosted",
            parameters=[url, *options, _CACHE_CONTROL],
            requestBody={
                "required": True,
                "description": f"{max_body} Parameters are defaults for the values of a JSON body.",
                "content": {
                    "application/json": {"schema": {"$ref": "#/components/schemas/ExtractRequest"}},
                    "text/html": {"schema": STRING},
                    "text/plain": {"schema": STRING},
                    "application/octet-stream": {"schema": {"type": "string", "format": "binary"}},
                },
            },
            responses={**ok, **_problems(406, 408, 413, 415, 422, 502, 503, 504)},
        ),
    }


def _batch_path(settings: Settings) -> dict[str, Any]:
    line = {"anyOf": [{"$ref": "#/components/schemas/ExtractRequest"}, {**URL, "description": "A URL."}]}
    lines = {"type": "array", "items": line}
    limits = f"A line has at most {settings.max_body / 1_000_000:g} MB, all {settings.max_batch / 1_000_000:g} MB."
    result = {
        "type": "object",
        "properties": {"line": {"type": "integer"}, "status": {"type": "integer"}, "format": STRING},
        "required": ["line", "status"],
    }
    return {
        "post": _operation(
            "Extract many pages: a line of JSON in, a line of JSON out, in order.",
            "batch",
            requestBody={
                "required": True,
                "description": f"A line or a value is a JSON body of POST /v1/extract, or a URL. {limits}",
                "content": {"application/x-ndjson": {"schema": lines}, "application/json": {"schema": lines}},
            },
            responses={
                **_ok(
                    {
                        "application/x-ndjson": {"schema": STRING},
                        "application/json": {"schema": {"type": "array", "items": result}},
                    },
                    "One line per page; an array for an array, if Accept asks for application/json.",
                ),
                **_problems(408, 413, 415, 503),
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


def _reader_path(name: str, what: str) -> dict[str, Any]:
    media = Option({"type": "string", "enum": list(MEDIA_CHOICES)}, "Text only, or images too.", "auto")
    links = Option(
        {"type": "string", "enum": list(LINKS.values)},
        "Whether links lead to pages, or to the reader.",
        LINKS.default,
    )
    params = [_query("media", media), _query("links", links)]
    params += [
        _query(
            setting.name,
            Option({"type": "string", "enum": list(setting.values)}, f"Initial {setting.name}.", setting.default),
        )
        for setting in DISPLAY_SETTINGS
    ]
    params += [
        {"name": name, "in": "header", "required": False, "schema": STRING, "description": "A client hint."}
        for name in HINTS
    ]
    ok = _page_ok(_HTML_CONTENT, f"A page: {what}.")
    form = {
        "type": "object",
        "properties": {"file": {"type": "string", "format": "binary", "description": "An HTML file."}},
        "required": ["file"],
    }
    return {
        "get": _operation(
            f"Show for the page at a URL: {what}.",
            name,
            parameters=[
                _query("url", Option(URL, "URL of the page; without a scheme it is https."), required=True),
                *params,
                _CACHE_CONTROL,
            ],
            responses={**ok, **_problem_pages(422, 502, 503, 504)},
        ),
        "post": _operation(
            f"Show for a file: {what}.",
            f"{name}File",
            parameters=params,
            requestBody={
                "required": True,
                "content": {**_HTML_CONTENT, "multipart/form-data": {"schema": form}},
            },
            responses={**ok, **_problem_pages(408, 413, 415, 422, 503, 504)},
        ),
    }


def _url_path() -> dict[str, Any]:
    param = {
        "name": "url",
        "in": "path",
        "required": True,
        "schema": {**URL, "pattern": "^https?://"},
        "description": "URL of the page, as it is: GET /https://example.org/.",
    }
    ok = _page_ok({"text/markdown": {"schema": STRING}, "text/plain": {"schema": STRING}}, "Markdown.")
    return {
        "get": _operation(
            "Return the page at a URL as Markdown with front matter; an index page as a list of links.",
            "markdown",
            parameters=[param, _CACHE_CONTROL],
            responses={**ok, **_problems(404, 422, 502, 503, 504)},
        )
    }


def describe_paths(settings: Settings) -> dict[str, Any]:
    """Return the paths of the OpenAPI document.

    >>> sorted(describe_paths(Settings()))[:3]
    ['/', '/docs', '/explain']
    """
    ready = _operation(
        "Whether worker processes answer.",
        "ready",
        responses={
            **_ok(_JSON_OBJECT, "They do."),
            **_problems(),
            "503": {"description": "They do not.", "content": _JSON_OBJECT},
        },
    )
    simple = {
        "/": ("The home page: a field for a URL, and one for a file.", "home", _HTML_CONTENT, "A page."),
        "/settings": ("The settings of the reader.", "settings", _HTML_CONTENT, "A page."),
        "/docs": ("This document as a page.", "docs", _HTML_CONTENT, "A page."),
        "/favicon.ico": ("The icon.", "icon", {"image/svg+xml": {"schema": STRING}}, "An icon."),
        "/healthz": ("Whether the service is alive.", "health", _JSON_OBJECT, "It is."),
        "/metrics": ("Metrics for Prometheus.", "metrics", {"text/plain": {"schema": STRING}}, "Metrics as text."),
        "/openapi.json": ("This document.", "openapi", _JSON_OBJECT, "An OpenAPI document."),
    }
    return {
        "/v1/extract": _extract_path(settings),
        "/v1/batch": _batch_path(settings),
        "/v1/extractors": _extractors_path(),
        "/read": _reader_path("read", "its content, to read"),
        "/explain": _reader_path("explain", "why its blocks were kept or dropped"),
        "/{url}": _url_path(),
        "/readyz": {"get": ready},
        **{
            path: {"get": _operation(summary, name, responses={**_ok(content, description), **_problems()})}
            for path, (summary, name, content, description) in simple.items()
        },
    }


def describe_api(settings: Settings, result_schema: str) -> dict[str, Any]:
    """Return the OpenAPI document. `result_schema` is the JSON schema of results, as JSON."""
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
        "components": {
            "schemas": _schemas(settings, result_schema),
            **({"securitySchemes": schemes} if settings.api_keys else {}),
        },
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


def _section(path: str, method: str, operation: dict[str, Any], settings: Settings) -> str:
    parts = [f"<p>{escape(operation['summary'])}</p>"]
    rows = [_row(param) for param in operation.get("parameters", ())]
    if rows:
        head = "<thead><tr><th>parameter</th><th>meaning</th><th>default</th></tr></thead>"
        parts.append(f"<table>{head}<tbody>{''.join(rows)}</tbody></table>")
    body = operation.get("requestBody")
    if body:
        types = ", ".join(f"<code>{escape(name)}</code>" for name in body["content"])
        parts.append(f"<p>Body: {types}. {escape(body.get('description', ''))}</p>")
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
    values = schema.get("enum") or [each for part in schema.get("anyOf", ()) for each in part.get("enum", ())]
    choices = f'<br><span class="dim">{escape(", ".join(map(str, values)))}</span>' if values else ""
    where = "" if param["in"] == "query" else f' <span class="dim">({param["in"]})</span>'
    need = " (required)" if param.get("required") else ""
    return (
        f"<tr><td><code>{escape(param['name'])}</code>{where}{need}</td>"
        f"<td>{escape(param['description'])}{choices}</td><td>{shown}</td></tr>"
    )
