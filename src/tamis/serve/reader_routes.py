"""The routes for people: the first page, the reader, and the address written behind ours."""

from html import escape
from typing import Final

from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import Response

from tamis.errors import TamisError
from tamis.serve.client_hints import HINTS, MEDIA, wants_text
from tamis.serve.jobs import Job, Look
from tamis.serve.openapi import document
from tamis.serve.pages import KNOBS, policy, style, template
from tamis.serve.problems import Problem
from tamis.serve.requests import LONGEST
from tamis.serve.responses import read_body, reply, service_of
from tamis.serve.uploads import file_of

#: Clients are asked to say what they can bear, and answers differ by what they said.
_SIZED: Final = {"Accept-CH": ", ".join(HINTS), "Vary": ", ".join(HINTS)}
_SCHEMES: Final = ("http:/", "https:/")


def _page(name: str, *, forms: bool = False, **values: str) -> Response:
    css = style("home.css")
    body = template(name).substitute(style=css, **values)
    headers = {"Content-Security-Policy": policy(css, forms=forms), "Cache-Control": "max-age=3600"}
    return Response(body, headers={**headers, **_SIZED}, media_type="text/html; charset=utf-8")


async def home(request: Request) -> Response:
    """Show a field for an address, a place for a file, and a bookmarklet."""
    here = escape(f"{request.url.scheme}://{request.headers.get('host', '127.0.0.1')}")
    return _page("home.html", forms=True, here=here)


async def docs(request: Request) -> Response:
    """Show the API to a person: what its description says, as a table."""
    described = document(service_of(request).settings)
    rows = []
    for path, methods in described["paths"].items():
        for method, one in methods.items():
            names = ", ".join(f"<code>{escape(given['name'])}</code>" for given in one.get("parameters", ()))
            answers = ", ".join(sorted(one["responses"]))
            rows.append(
                f"<tr><td><code>{method.upper()} {escape(path)}</code></td><td>{escape(one['summary'])}"
                f"{f'<br>{names}' if names else ''}</td><td>{answers}</td></tr>"
            )
    here = escape(f"{request.url.scheme}://{request.headers.get('host', '127.0.0.1')}")
    return _page("docs.html", rows="".join(rows), here=here)


async def read(request: Request) -> Response:
    """Show the page at an address, or a file that was dropped, as a page to read."""
    url = request.query_params.get("url")
    try:
        look = _look(request.query_params, request)
        service = service_of(request)
        if request.method == "POST":
            with service.slot():
                body = await read_body(request)
                markup, charset = await file_of(request.headers.get("content-type", ""), body)
                entry = await service.make(Job(markup, None, charset, "reader", look=look))
            return reply(request, entry, _SIZED)
        if not url or len(url) > LONGEST:
            raise Problem(400, "give an address: /read?url=https://…")  # noqa: TRY301
        with service.slot():
            entry = await service.read(_completed(url), "reader", {}, look)
        return reply(request, entry, _SIZED)
    except (Problem, TamisError) as error:
        answer = (await Problem.of(error).paused()).as_page(_completed(url) if url else None)
        answer.headers.update(_SIZED)
        return answer


def _look(params: QueryParams, request: Request) -> Look:
    names = [name for name, _ in params.multi_items()]
    unknown = sorted(set(names) - {"url", "media", *KNOBS})
    if unknown or len(names) != len(set(names)):
        raise Problem(
            400, f"{unknown[0] if unknown else names[-1]!r} is unexpected; encode an address that has & in it"
        )
    media = params.get("media", "auto")
    if media not in MEDIA:
        raise Problem(400, f"media is {', '.join(MEDIA)}")
    switches = {}
    for name, (_, choices) in KNOBS.items():
        values = [value for value, _, _ in choices]
        if name in params:
            if params[name] not in values:
                raise Problem(400, f"{name} is one of {', '.join(values)}")
            switches[name] = params[name]
    return Look(wants_text(request.headers, media), switches)


def _completed(url: str) -> str:
    """Return an address as a person means it: without a scheme it is https.

    >>> _completed(" example.org/tea "), _completed("http://example.org")
    ('https://example.org/tea', 'http://example.org')
    """
    url = url.strip()
    return (
        url if "://" in url.partition("?")[0] or ":" in url.partition("/")[0].partition(".")[0] else f"https://{url}"
    )


async def simple(request: Request) -> Response:
    """Return the page whose address stands behind ours as Markdown: ``GET /https://example.org/``."""
    raw = request.scope.get("raw_path") or request.url.path.encode()
    address = raw.decode("ascii", "replace").lstrip("/")
    if not address.lower().startswith(_SCHEMES):
        raise Problem(404, "there is nothing here; try / or /docs")
    scheme, _, rest = address.partition(":/")
    address = f"{scheme}://{rest.lstrip('/')}"  # some clients write two slashes as one
    if request.url.query:
        address += f"?{request.url.query}"
    if len(address) > LONGEST:
        raise Problem(400, f"an address has {LONGEST} characters at most")
    service = service_of(request)
    with service.slot():
        entry = await service.read(address, "simple", {})
    answer = reply(request, entry, {"Vary": "Accept"})
    # Browsers show plain text and would save Markdown as a file.
    if _prefers_html(request.headers.get("accept", "")):
        answer.headers["content-type"] = "text/plain; charset=utf-8"
    return answer


def _prefers_html(accept: str) -> bool:
    return "text/html" in accept and "text/markdown" not in accept
