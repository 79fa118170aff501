"""The routes for people: the home page, the reader, the API as a page, and Markdown for a URL in the path."""

from html import escape
from typing import Final

from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import Response

from tamis.errors import TamisError
from tamis.serve.client_hints import HINTS, MEDIA_CHOICES, prefers_text_only
from tamis.serve.display_settings import DISPLAY_SETTINGS
from tamis.serve.jobs import Job, ReaderPrefs
from tamis.serve.openapi import describe_paths
from tamis.serve.pages import content_security_policy, style, template
from tamis.serve.problems import Problem
from tamis.serve.requests import MAX_URL_CHARS
from tamis.serve.responses import get_service, make_response, read_body
from tamis.serve.uploads import uploaded_file

#: The hints are requested from clients, and responses depend on them.
_HINT_HEADERS: Final = {"Accept-CH": ", ".join(HINTS), "Vary": ", ".join(HINTS)}
_URL_STARTS: Final = ("http:/", "https:/")


def _page(name: str, *, forms: bool = False, **values: str) -> Response:
    css = style("home.css")
    body = template(name).substitute(style=css, **values)
    policy = content_security_policy(css, forms=forms)
    headers = {"Content-Security-Policy": policy, "Cache-Control": "max-age=3600", **_HINT_HEADERS}
    return Response(body, headers=headers, media_type="text/html; charset=utf-8")


def _origin(request: Request) -> str:
    return escape(f"{request.url.scheme}://{request.headers.get('host', '127.0.0.1')}")


async def home(request: Request) -> Response:
    """Show a field for a URL, a field for a file, and a bookmarklet."""
    return _page("home.html", forms=True, origin=_origin(request))


async def docs(request: Request) -> Response:
    """Show the paths of the OpenAPI document as a table."""
    rows = []
    for path, operations in describe_paths(get_service(request).settings).items():
        for method, operation in operations.items():
            names = ", ".join(f"<code>{escape(param['name'])}</code>" for param in operation.get("parameters", ()))
            statuses = ", ".join(sorted(operation["responses"]))
            rows.append(
                f"<tr><td><code>{method.upper()} {escape(path)}</code></td><td>{escape(operation['summary'])}"
                f"{f'<br>{names}' if names else ''}</td><td>{statuses}</td></tr>"
            )
    return _page("docs.html", rows="".join(rows), origin=_origin(request))


async def read(request: Request) -> Response:
    """Show the page at a URL, or an uploaded file, as a page to read."""
    url = request.query_params.get("url")
    try:
        prefs = _read_prefs(request.query_params, request)
        service = get_service(request)
        if request.method == "POST":
            with service.slot():
                body = await read_body(request)
                html, charset = await uploaded_file(request.headers.get("content-type", ""), body)
                entry = await service.run_job(Job(html, "reader", encoding=charset, prefs=prefs))
            return make_response(request, entry, _HINT_HEADERS)
        if not url or len(url) > MAX_URL_CHARS:
            raise Problem(400, "give a URL: /read?url=https://…")  # noqa: TRY301
        with service.slot():
            entry = await service.extract_url(_add_scheme(url), "reader", {}, prefs)
        return make_response(request, entry, _HINT_HEADERS)
    except (Problem, TamisError) as error:
        response = (await Problem.from_error(error).delayed()).as_page(_add_scheme(url) if url else None)
        response.headers.update(_HINT_HEADERS)
        return response


def _read_prefs(params: QueryParams, request: Request) -> ReaderPrefs:
    names = [name for name, _ in params.multi_items()]
    unknown = sorted(set(names) - {"url", "media", *(setting.name for setting in DISPLAY_SETTINGS)})
    if unknown or len(names) != len(set(names)):
        name = unknown[0] if unknown else names[-1]
        raise Problem(400, f"unexpected parameter {name!r}; percent-encode a URL that contains &")
    media = params.get("media", "auto")
    if media not in MEDIA_CHOICES:
        raise Problem(400, f"'media' must be one of {', '.join(MEDIA_CHOICES)}")
    display = {}
    for setting in DISPLAY_SETTINGS:
        if setting.name in params:
            if params[setting.name] not in setting.values:
                raise Problem(400, f"{setting.name!r} must be one of {', '.join(setting.values)}")
            display[setting.name] = params[setting.name]
    return ReaderPrefs(prefers_text_only(request.headers, media), display)


def _add_scheme(url: str) -> str:
    """Return a URL as a person means it: without a scheme it is https.

    >>> _add_scheme(" example.org/tea "), _add_scheme("http://example.org")
    ('https://example.org/tea', 'http://example.org')
    """
    url = url.strip()
    has_scheme = "://" in url.partition("?")[0] or ":" in url.partition("/")[0].partition(".")[0]
    return url if has_scheme else f"https://{url}"


async def markdown(request: Request) -> Response:
    """Return the page whose URL is the path as Markdown: ``GET /https://example.org/``."""
    raw_path = request.scope.get("raw_path") or request.url.path.encode()
    url = raw_path.decode("ascii", "replace").lstrip("/")
    if not url.lower().startswith(_URL_STARTS):
        raise Problem(404, "not found; try / or /docs")
    scheme, _, rest = url.partition(":/")
    url = f"{scheme}://{rest.lstrip('/')}"  # some clients write two slashes as one
    if request.url.query:
        url += f"?{request.url.query}"
    if len(url) > MAX_URL_CHARS:
        raise Problem(400, f"a URL may have at most {MAX_URL_CHARS} characters")
    service = get_service(request)
    with service.slot():
        entry = await service.extract_url(url, "markdown", {})
    response = make_response(request, entry, {"Vary": "Accept"})
    # Browsers show plain text and would save Markdown as a file.
    if _prefers_html(request.headers.get("accept", "")):
        response.headers["content-type"] = "text/plain; charset=utf-8"
    return response


def _prefers_html(accept: str) -> bool:
    return "text/html" in accept and "text/markdown" not in accept
