"""What a client requests: parameters, bodies and uploaded files, checked name by name."""

import asyncio
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from email.message import Message
from typing import Any, Final

from starlette.datastructures import Headers, QueryParams

from tamis.browser.modes import RENDER_MODES, RenderMode
from tamis.render.options import CONTENTS
from tamis.render.registry import Format, formats, get_format
from tamis.serve.jobs import BUNDLE_NAMES, Job, View
from tamis.serve.responses import Problem
from tamis.serve.settings import Settings

# Uploaded files: the one part of a multipart form that is read.

#: A form of the reader has one part; those of programs may have a few more.
_MAX_PARTS: Final = 20
_MAX_HEADERS: Final = 8
_MAX_HEADER_BYTES: Final = 4096


def charset_param(content_type: str) -> str | None:
    """Return the charset parameter of a content type.

    >>> charset_param("text/html; charset=koi8-r"), charset_param("text/html")
    ('koi8-r', None)
    """
    message = Message()
    message["content-type"] = content_type
    charset = message.get_param("charset")
    return charset if isinstance(charset, str) and charset else None


async def uploaded_file(content_type: str, body: bytes) -> tuple[bytes, str | None]:
    """Return a file's bytes and charset: the part of a form that is named ``file``, or a body of HTML as it is."""
    media_type = content_type.partition(";")[0].strip().lower()
    if media_type in {"text/html", "application/xhtml+xml", "application/octet-stream"}:
        return body, charset_param(content_type)
    if media_type != "multipart/form-data":
        raise Problem(415, "send a form with a file, or text/html")
    return await asyncio.to_thread(parse_form, content_type, body)


def parse_form(content_type: str, body: bytes) -> tuple[bytes, str | None]:
    r"""Return the bytes and the charset of the part named ``file``.

    >>> form = b'--x\r\nContent-Disposition: form-data; name="file"\r\n\r\n<p>Tea\r\n--x--'
    >>> parse_form("multipart/form-data; boundary=x", form)
    (b'<p>Tea', None)
    """
    from python_multipart.exceptions import FormParserError  # noqa: PLC0415 (an extra)
    from python_multipart.multipart import MultipartParser, parse_options_header  # noqa: PLC0415 (likewise)

    boundary = parse_options_header(content_type)[1].get(b"boundary", b"")
    parts = _Parts()
    try:
        if not boundary:
            raise FormParserError  # noqa: TRY301 (as any malformed form)
        parser = MultipartParser(
            boundary,
            parts.callbacks,  # type: ignore[arg-type]  # the names that it knows
            max_header_count=_MAX_HEADERS,
            max_header_size=_MAX_HEADER_BYTES,
        )
        parser.write(body)
        parser.finalize()
    except FormParserError as error:
        raise Problem(400, "the form is malformed") from error
    for headers, content in parts.found:
        disposition = parse_options_header(headers.get(b"content-disposition", b""))
        if disposition[1].get(b"name") == b"file" and content:
            return bytes(content), charset_param(headers.get(b"content-type", b"").decode("latin-1"))
    raise Problem(400, "the form has no file")


class _Parts:
    """The parts of a form: headers and content of each."""

    def __init__(self) -> None:
        self.found: list[tuple[dict[bytes, bytes], bytearray]] = []
        self._name, self._value = bytearray(), bytearray()

    @property
    def callbacks(self) -> dict[str, object]:
        return {
            "on_part_begin": self._begin,
            "on_part_data": lambda data, start, end: self.found[-1][1].extend(data[start:end]),
            "on_header_field": lambda data, start, end: self._name.extend(data[start:end]),
            "on_header_value": lambda data, start, end: self._value.extend(data[start:end]),
            "on_header_end": self._end_header,
        }

    def _begin(self) -> None:
        if len(self.found) >= _MAX_PARTS:
            raise Problem(400, f"the form has more than {_MAX_PARTS} parts")
        self.found.append(({}, bytearray()))

    def _end_header(self) -> None:
        self.found[-1][0][bytes(self._name).lower()] = bytes(self._value)
        self._name.clear()
        self._value.clear()


# What a client requests: parameters and bodies, checked name by name.

DEFAULT_FORMAT: Final = "json"  #: of clients that accept anything
#: Switches of the API, and the keywords of `RenderOptions` that they set.
SWITCHES: Final = {
    "links": "links",
    "images": "images",
    "tables": "tables",
    "comments": "comments",
    "metadata": "with_metadata",
    "provenance": "provenance",
    "title": "title",
}
FAVOR_WORDS: Final = ("precision", "recall", "balance")
#: In logits; beyond this everything or nothing is kept.
MAX_FAVOR: Final = 20.0
MAX_URL_CHARS: Final = 8000
MAX_SELECTOR_CHARS: Final = 500
MAX_TIMEOUT: Final = 300.0  #: seconds; the service's own limits may be lower
_MAX_HEADER_CHARS: Final = 1000
_TRUE, _FALSE = frozenset({"true", "1"}), frozenset({"false", "0"})


@dataclass(frozen=True, slots=True)
class FetchOptions:
    """How a page is fetched.

    Attributes:
        headers: request headers for the page's server.
        timeout: seconds for the page in total: fetching and extracting.
        max_age: seconds that a cached response may be old; 0 uses none.
        no_store: do not store the response.
        render: whether Chromium renders the page: ``auto`` if the page has no content without its scripts.
    """

    headers: dict[str, str] = field(default_factory=dict)
    timeout: float | None = None
    max_age: float | None = None
    no_store: bool = False
    render: RenderMode = "never"


@dataclass(frozen=True, slots=True)
class ExtractRequest:
    """A request for an extraction.

    Attributes:
        url: the page's URL. Without `html`, the page is fetched from it.
        html: the page.
        format: the name of the format of the response; None lets ``Accept`` decide.
        names: what a response with several formats has, if one is asked for.
        options: keywords of `tamis.extract`: how the content is chosen.
        shown: keywords of `RenderOptions`: how it is shown.
        fetch: how the page is fetched.
        id: of a line of a batch; returned with its result.
    """

    url: str | None = None
    html: str | None = None
    format: str | None = None
    names: tuple[str, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)
    shown: dict[str, Any] = field(default_factory=dict)
    fetch: FetchOptions = field(default_factory=FetchOptions)
    id: str | int | None = None

    def job(self, accept: str | None = None, html: str | bytes = "", encoding: str | None = None) -> Job:
        """Return the job for this request; the format is the requested one, else the best that `accept` allows."""
        output: Format | View = "bundle" if self.names else choose_format(self.format, accept)
        return Job(html, output, self.url, encoding, self.options, self.shown, names=self.names)


def query_values(params: QueryParams) -> dict[str, Any]:
    """Return the parameters of a query, converted to JSON types."""
    names = [name for name, _ in params.multi_items()]
    if len(names) != len(set(names)):
        raise Problem(400, "a parameter is repeated")
    values: dict[str, Any] = dict(params)
    for name in (*SWITCHES, "no_cache"):
        if name in params:
            if params[name] not in _TRUE | _FALSE:
                raise Problem(400, f"{name!r} must be true or false, not {params[name]!r}")
            values[name] = params[name] in _TRUE
    for name in ("favor", "timeout"):
        if name in params:
            values[name] = _as_number(params[name])
    for name in ("html", "id", "headers"):
        if name in params:
            raise Problem(400, f"{name!r} must be in the body")
    return values


def parse_values(values: Mapping[str, Any] | str, settings: Settings | None = None) -> ExtractRequest:
    """Return the request that a JSON object, or the parameters of a query, describes. A string is a URL."""
    if isinstance(values, str):
        values = {"url": values}
    if not isinstance(values, Mapping):
        raise Problem(400, "the body must be a JSON object")
    unknown = sorted(set(values) - set(_CHECKS))
    if unknown:
        raise Problem(400, f"unknown parameter {unknown[0]!r}; known: {', '.join(_CHECKS)}")
    for name, value in values.items():
        expected = _CHECKS[name](value)
        if expected:
            raise Problem(400, f"{name!r} must be {expected}")
    if "formats" in values and ("format" in values or "with" in values):
        raise Problem(400, "give 'formats', or 'format' and 'with'")
    options = {name: values[name] for name in ("extractor", "favor", "include", "exclude") if name in values}
    shown = {SWITCHES[name]: values[name] for name in SWITCHES if name in values}
    if "with" in values:
        shown["contents"] = _names(values["with"])
    names = tuple(dict.fromkeys(("metadata", *_names(values["formats"])))) if "formats" in values else ()
    if values.get("metadata") is False:
        names = tuple(name for name in names if name != "metadata") or names
    return ExtractRequest(
        add_scheme(values["url"]) if "url" in values else None,
        values.get("html"),
        values.get("format"),
        names,
        options,
        shown,
        _fetch_options(values, settings or Settings()),
        values.get("id"),
    )


def _fetch_options(values: Mapping[str, Any], settings: Settings) -> FetchOptions:
    headers = dict(values.get("headers", {}))
    if "user_agent" in values:
        headers["User-Agent"] = values["user_agent"]
    for name in headers:
        if name.lower() not in settings.request_headers:
            allowed = ", ".join(sorted(settings.request_headers)) or "none"
            raise Problem(400, f"the header {name[:50]!r} may not be sent to pages; allowed: {allowed}")
    render = values.get("render", settings.render)
    if render == "always" and settings.render == "never":
        raise Problem(400, "this service does not render pages; it was started without --render")
    return FetchOptions(
        headers,
        values.get("timeout"),
        0.0 if values.get("no_cache") else None,
        render="never" if settings.render == "never" else render,
    )


def with_cache_control(wanted: ExtractRequest, headers: Headers) -> ExtractRequest:
    """Return a request that honours the ``Cache-Control`` header of the client."""
    fetch = wanted.fetch
    for directive in headers.get("cache-control", "")[:500].lower().split(","):
        name, _, value = directive.strip().partition("=")
        if name in {"no-cache", "no-store"}:
            fetch = replace(fetch, max_age=0.0, no_store=fetch.no_store or name == "no-store")
        elif name == "max-age" and value.isascii() and value.isdecimal():
            age = float(value[:9])
            fetch = replace(fetch, max_age=age if fetch.max_age is None else min(age, fetch.max_age))
    return replace(wanted, fetch=fetch)


def add_scheme(url: str) -> str:
    """Return a URL as a person means it: without a scheme it is https.

    >>> add_scheme(" example.org/tea "), add_scheme("http://example.org"), add_scheme("example.org:8080/tea")
    ('https://example.org/tea', 'http://example.org', 'https://example.org:8080/tea')
    """
    url = url.strip()
    start = url.partition("?")[0].partition("#")[0]
    host, colon, rest = start.partition(":")
    has_scheme = "://" in start or (colon and "." not in host and "/" not in host and not rest[:1].isdigit())
    return url if has_scheme else f"https://{url}"


def _names(value: object) -> list[str]:
    """Return names that are a list, or a text with commas."""
    return [str(name) for name in value] if isinstance(value, list) else str(value).split(",")


def choose_format(requested: str | None, accept: str | None) -> Format:
    """Return the format of a response: the requested one, else the best that ``Accept`` allows.

    >>> choose_format(None, "text/markdown, */*;q=0.1").name, choose_format(None, None).name
    ('markdown', 'json')
    """
    if requested is not None:
        return get_format(requested)
    best, best_quality = None, 0.0
    for media_range in (accept or "*/*").split(","):
        media_type, _, params = media_range.partition(";")
        candidate, quality = _match(media_type.strip().lower()), _quality(params)
        if candidate is not None and quality > best_quality:
            best, best_quality = candidate, quality
    if best is None:
        available = ", ".join(media_type for entry in formats() for media_type in entry.media_types)
        raise Problem(406, f"available: {available}")
    return best


def _match(media_range: str) -> Format | None:
    """Return the first format of a media range; ranges prefer the default format."""
    ordered = sorted(formats(), key=lambda entry: entry.name != DEFAULT_FORMAT)
    return next((entry for entry in ordered if any(_covers(media_range, each) for each in entry.media_types)), None)


def _covers(media_range: str, media_type: str) -> bool:
    if media_range.endswith("/*"):
        return media_range == "*/*" or media_type.startswith(media_range[:-1])
    return media_range == media_type


def _quality(params: str) -> float:
    for param in params.split(";"):
        name, _, value = param.partition("=")
        if name.strip().lower() == "q":
            try:
                return min(1.0, max(0.0, float(value)))
            except ValueError:
                return 0.0
    return 1.0


def _as_number(favor: str) -> str | float:
    try:
        return float(favor)
    except ValueError:
        return favor


# Each check returns what the value must be, or an empty string if the value is right.


def _check_url(value: object) -> str:
    valid = isinstance(value, str) and 0 < len(value) <= MAX_URL_CHARS
    return "" if valid else f"a URL of at most {MAX_URL_CHARS} characters"


def _check_text(value: object) -> str:
    return "" if isinstance(value, str) else "a string"


def _check_favor(value: object) -> str:
    expected = f"{', '.join(FAVOR_WORDS)} or a number from {-MAX_FAVOR:g} to {MAX_FAVOR:g}"
    if isinstance(value, str):
        return "" if value in FAVOR_WORDS else expected
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return expected
    return "" if math.isfinite(value) and abs(value) <= MAX_FAVOR else expected


def _check_format(value: object) -> str:
    names = [name for entry in formats() for name in entry.names]
    return "" if isinstance(value, str) and value in names else f"one of {', '.join(names)}"


def _check_switch(value: object) -> str:
    return "" if isinstance(value, bool) else "true or false"


def _check_names(value: object, known: tuple[str, ...]) -> str:
    is_valid = isinstance(value, (str, list)) and all(name in known for name in _names(value))
    return "" if is_valid else f"some of {', '.join(known)}, separated by commas"


def _check_selector(value: object) -> str:
    is_valid = isinstance(value, str) and len(value.strip()) > 0 and len(value) <= MAX_SELECTOR_CHARS
    return "" if is_valid else f"a CSS selector of at most {MAX_SELECTOR_CHARS} characters"


def _check_timeout(value: object) -> str:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return "" if is_number and 0 < value <= MAX_TIMEOUT else f"a number of seconds up to {MAX_TIMEOUT:g}"  # type: ignore[operator]


def _check_header(value: object) -> str:
    is_text = isinstance(value, str) and value.isascii() and value.isprintable()
    is_valid = is_text and 0 < len(str(value)) <= _MAX_HEADER_CHARS
    return "" if is_valid else f"printable ASCII text of at most {_MAX_HEADER_CHARS} characters"


def _check_headers(value: object) -> str:
    is_valid = isinstance(value, dict) and not any(_check_header(each) for each in value.values())
    return "" if is_valid else "an object of header names and their values"


def _check_render(value: object) -> str:
    return "" if value in RENDER_MODES else f"one of {', '.join(RENDER_MODES)}"


def _check_id(value: object) -> str:
    return "" if isinstance(value, (str, int)) and not isinstance(value, bool) else "a string or an integer"


_CHECKS: Final[dict[str, Callable[[object], str]]] = {
    "url": _check_url,
    "html": _check_text,
    "format": _check_format,
    "extractor": _check_text,
    "favor": _check_favor,
    **dict.fromkeys(SWITCHES, _check_switch),
    "with": lambda value: _check_names(value, CONTENTS),
    "formats": lambda value: _check_names(value, BUNDLE_NAMES),
    "include": _check_selector,
    "exclude": _check_selector,
    "timeout": _check_timeout,
    "no_cache": _check_switch,
    "user_agent": _check_header,
    "headers": _check_headers,
    "render": _check_render,
    "id": _check_id,
}
