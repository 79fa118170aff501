"""The routes for people: the home page, the reader, the API as a page, and Markdown for a URL in the path."""

from html import escape
from typing import Final, Literal
from urllib.parse import unquote

from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import Response

from tamis.errors import TamisError
from tamis.serve.http.forms import file_field, radio_buttons, url_field
from tamis.serve.http.openapi import describe_as_html, describe_form, describe_paths
from tamis.serve.http.requests import (
    MAX_URL_CHARS,
    READ_PARAMETERS,
    ExtractRequest,
    add_scheme,
    check_names,
    read_request,
    uploaded_file,
)
from tamis.serve.http.responses import (
    Problem,
    content_security_policy,
    get_service,
    make_response,
    received_body,
    style,
    template,
    while_connected,
)
from tamis.serve.jobs import FetchOptions, Job, ReaderPrefs
from tamis.serve.reader.preferences import (
    COOKIE,
    DISPLAY_SETTINGS,
    HINTS,
    SETTINGS,
    prefers_text_only,
    read_cookie,
    settings_form,
    write_cookie,
)

# The routes for people: the home page, the reader, the API as a page, and Markdown for a URL in the path.

_COOKIE_SECONDS: Final = 31_536_000  #: a year
#: The hints are requested from clients, and responses depend on them.
_HINT_HEADERS: Final = {"Accept-CH": ", ".join(HINTS), "Vary": ", ".join([*HINTS, "Cookie"])}
_ENCODED_STARTS: Final = ("http%3a", "https%3a")
_URL_STARTS: Final = ("http:/", "https:/")


def _page(name: str, *, forms: bool = False, cache: str = "max-age=3600", **values: str) -> Response:
    css = style("home.css")
    body = template(name).substitute(style=css, **values)
    policy = content_security_policy(css, forms=forms, same_origin=True)
    headers = {"Content-Security-Policy": policy, "Cache-Control": cache, **_HINT_HEADERS}
    return Response(body, headers=headers, media_type="text/html; charset=utf-8")


def _origin(request: Request) -> str:
    return escape(f"{request.url.scheme}://{request.headers.get('host', '127.0.0.1')}")


async def home(request: Request) -> Response:
    """Show a field for a URL, a field for a file, and a bookmarklet."""
    fields = {
        "url": url_field(READ_PARAMETERS["url"]),
        "file": file_field("file", READ_PARAMETERS["file"]),
        "media": radio_buttons("media", READ_PARAMETERS["media"]),
    }
    return _page("home.html", forms=True, origin=_origin(request), **fields)


async def docs(request: Request) -> Response:
    """Show the OpenAPI document as a page: every path with its parameters, responses and errors."""
    service = get_service(request)
    sections = describe_as_html(describe_paths(service.settings), service.settings)
    form = describe_form(service.settings)
    url = url_field(READ_PARAMETERS["url"])
    return _page("docs.html", forms=True, sections=sections, form=form, url=url, origin=_origin(request))


async def favicon(_: Request) -> Response:
    """Return the icon."""
    headers = {"Cache-Control": "max-age=86400"}
    return Response(template("icon.svg").template, headers=headers, media_type="image/svg+xml")


async def read(request: Request) -> Response:
    """Show the page at a URL, or an uploaded file, as a page to read."""
    return await _show(request, "reader")


async def explain(request: Request) -> Response:
    """Show why the blocks of the page at a URL, or of an uploaded file, were kept or dropped."""
    return await _show(request, "explain")


async def _show(request: Request, view: Literal["reader", "explain"]) -> Response:
    url = request.query_params.get("url")
    try:
        prefs = _read_prefs(request.query_params, request)
        service = get_service(request)
        service.slots.check()
        if request.method == "POST":
            async with received_body(request) as body:
                html, charset = await uploaded_file(request.headers.get("content-type", ""), body)
                job = Job(html, view, encoding=charset, prefs=prefs)
                entry = await while_connected(request, service.run_in_slot(job))
        elif not url:
            raise Problem(400, f"give a URL: {request.url.path}?url=https://…")  # noqa: TRY301
        else:
            job = Job("", view, prefs=prefs)
            entry = await while_connected(request, service.run_in_slot(job, add_scheme(url), _options(request)))
        return await make_response(request, entry, _HINT_HEADERS)
    except (Problem, TamisError) as error:
        response = (await Problem.from_error(error).delayed()).as_page(add_scheme(url) if url else None)
        response.headers.update(_HINT_HEADERS)
        return response


def _options(request: Request) -> FetchOptions:
    return ExtractRequest().fetch_options(get_service(request).settings, request.headers)


def _read_prefs(params: QueryParams, request: Request) -> ReaderPrefs:
    """Return how a client wants to read: by parameters, else by its cookie, else by its hints."""
    given = read_request(params).model_dump(include=set(SETTINGS), exclude_unset=True)
    values = read_cookie(request.cookies.get(COOKIE, "")) | given
    display = {name: values[name] for name in DISPLAY_SETTINGS if name in values}
    in_url = tuple(name for name in DISPLAY_SETTINGS if name in given)
    text_only = prefers_text_only(request.headers, values.get("media", "auto"))
    return ReaderPrefs(text_only, values.get("links") == "reader", display, in_url)


async def settings(request: Request) -> Response:
    """Show the settings of the reader, or keep those of its form in a cookie and go back to the page."""
    params = request.query_params
    check_names(params, {"back", *SETTINGS})
    back = params.get("back", "/")
    if not back.startswith("/") or back.startswith(("//", "/\\")) or len(back) > 2 * MAX_URL_CHARS:
        back = "/"
    given = {name: params[name] for name, schema in SETTINGS.items() if params.get(name) in schema["enum"]}
    if not given:
        selected = read_cookie(request.cookies.get(COOKIE, ""))
        form = settings_form(selected, back)
        return _page("settings.html", forms=True, settings=form, back=escape(back), cache="no-store")
    response = Response(status_code=303, headers={"Location": _without_settings(back), "Cache-Control": "no-store"})
    value = write_cookie(given)
    age = _COOKIE_SECONDS if value else 0
    response.set_cookie(COOKIE, value, max_age=age, path="/", samesite="lax", httponly=True)
    return response


def _without_settings(back: str) -> str:
    """Return the URL of a page without the settings that were just changed."""
    path, _, query = back.partition("?")
    kept = [part for part in query.split("&") if part.partition("=")[0] not in SETTINGS]
    return f"{path}?{'&'.join(kept)}" if kept and kept != [""] else path


async def markdown(request: Request) -> Response:
    """Return the page whose URL is the path as Markdown: ``GET /https://example.org/``."""
    raw_path = request.scope.get("raw_path") or request.url.path.encode()
    url = raw_path.decode("ascii", "replace").lstrip("/")
    if url.lower().startswith(_ENCODED_STARTS):
        url = unquote(url)
    if not url.lower().startswith(_URL_STARTS):
        raise Problem(404, "not found; try / or /docs")
    scheme, _, rest = url.partition(":/")
    url = f"{scheme}://{rest.lstrip('/')}"  # some clients write two slashes as one
    if request.url.query:
        url += f"?{request.url.query}"
    if len(url) > MAX_URL_CHARS:
        raise Problem(400, f"a URL may have at most {MAX_URL_CHARS} characters")
    service = get_service(request)
    service.slots.check()
    work = service.run_in_slot(Job("", "markdown"), url, _options(request))
    response = await make_response(request, await while_connected(request, work), {"Vary": "Accept"})
    # Browsers show plain text and would save Markdown as a file.
    if _prefers_html(request.headers.get("accept", "")):
        response.headers["content-type"] = "text/plain; charset=utf-8"
    return response


def _prefers_html(accept: str) -> bool:
    return "text/html" in accept and "text/markdown" not in accept
