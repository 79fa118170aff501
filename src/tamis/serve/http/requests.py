"""What a client requests: one typed model makes validation, OpenAPI, the documentation and MCP's schemas."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import replace
from email.message import Message
from typing import Annotated, Any, Final, Literal, TypeVar

import mimeparse
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator
from pydantic.json_schema import SkipJsonSchema, WithJsonSchema
from starlette.datastructures import Headers, QueryParams, UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser

from tamis.browser.modes import RenderMode
from tamis.errors import closest_name
from tamis.render.registry import CONTENTS, Format, Replies, formats, get_format
from tamis.serve.http.responses import Problem
from tamis.serve.jobs import BUNDLE_NAMES, FetchOptions, Job, View
from tamis.serve.reader.preferences import SETTINGS, ReaderSettings
from tamis.serve.settings import Settings

Model = TypeVar("Model", bound=BaseModel)
DEFAULT_FORMAT: Final = "json"  #: of clients that accept anything
MAX_URL_CHARS: Final = 8000
#: In logits; beyond this everything or nothing is kept.
_MAX_FAVOR: Final = 20
_MAX_TIMEOUT: Final = 300  #: seconds; the service's own limits may be lower
#: Parameters that are keywords of `tamis.extract`, and those of `RenderOptions`.
_CHOOSING: Final[tuple[str, ...]] = ("extractor", "favor", "include", "exclude", "rules")
_SHOWING: Final = (
    "links", "images", "tables", "comments", "metadata", "provenance", "title", "contents", "facts", "clean_urls",
    "replies", "max_tokens", "overlap",
)  # fmt: skip
_TRUTH: Final = {"true": True, "1": True, "false": False, "0": False}
_MAX_PARTS: Final = 20  #: of a form: the reader's has one, those of programs may have a few more


def _format_names() -> list[str]:
    return [name for entry in formats() for name in entry.names]


def _check_format(value: object) -> object:
    """Refuse a format that is not registered now; formats of other packages may come later than this model."""
    if value not in _format_names():
        raise ValueError
    return value


def _some_of(names: tuple[str, ...]) -> BeforeValidator:
    """Return a check for some of these names: a list, or a text with commas."""

    def check(value: object) -> object:
        given = value.split(",") if isinstance(value, str) else value
        if not (isinstance(given, list) and given and all(name in names for name in given)):
            raise ValueError
        return given

    return BeforeValidator(check)


def _names_schema(names: tuple[str, ...]) -> WithJsonSchema:
    pattern = "|".join(names)
    text = {"type": "string", "pattern": f"^({pattern})(,({pattern}))*$"}
    return WithJsonSchema({"anyOf": [text, {"type": "array", "items": {"enum": list(names)}, "minItems": 1}]})


def _whole_number(value: object) -> object:
    """Return 2.0 as 2: in JSON Schema both are integers."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


_WHOLE: Final = BeforeValidator(_whole_number)
#: The types of parameters, which MCP's tools share.
Url = Annotated[
    str,
    Field(
        min_length=1,
        max_length=MAX_URL_CHARS,
        description="URL of the page; without a scheme it is https. Without html, the page is fetched from it.",
        json_schema_extra={"pattern": r"^(https?://)?[^\s/?#:]", "examples": ["https://example.org/"]},
    ),
]
Html = Annotated[str, Field(description="The page, as HTML.")]
Favor = (
    Literal["precision", "recall", "balance"]
    | Annotated[float, Field(ge=-_MAX_FAVOR, le=_MAX_FAVOR, allow_inf_nan=False)]
)
_Selector = Annotated[str, Field(pattern=r"\S", max_length=500, examples=["main, .post"])]
Include = Annotated[
    _Selector,
    Field(
        description="CSS selector: only what is in its elements is content: all of it, unless an extractor is named."
    ),
]
Exclude = Annotated[_Selector, Field(description="CSS selector: leave out its elements.")]
_HeaderText = Annotated[str, Field(pattern="^[ -~]+$", max_length=1000)]
_Missing = SkipJsonSchema[None]  #: what is left out; null is not a value


class ExtractRequest(BaseModel):
    """A request for an extraction. Without a value, a parameter has the default of `tamis.extract`."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        strict=True,
        json_schema_extra={
            "anyOf": [{"required": ["url"]}, {"required": ["html"]}],
            "not": {"anyOf": [{"required": ["formats", each]} for each in ("format", "with")]},
        },
    )

    url: Url | _Missing = None
    html: Html | _Missing = None
    format: Annotated[
        Annotated[
            str,
            BeforeValidator(_check_format),
            Field(json_schema_extra=lambda schema: schema.update(enum=_format_names())),
        ]
        | _Missing,
        Field(description=f"Output format. By default, Accept decides; {DEFAULT_FORMAT} for any."),
    ] = None
    formats: Annotated[
        list[str] | _Missing,
        _some_of(BUNDLE_NAMES),
        _names_schema(BUNDLE_NAMES),
        Field(
            description="Several outputs in one JSON object, separated by commas; metadata always, unless "
            "metadata=false."
        ),
    ] = None
    contents: Annotated[
        list[str] | _Missing,
        _some_of(CONTENTS),
        _names_schema(CONTENTS),
        Field(
            alias="with",
            description="JSON: contain the content in these formats besides the text, separated by commas.",
        ),
    ] = None
    extractor: Annotated[str, Field(description="Extraction method; see /v1/extractors.")] = "sift"
    favor: Annotated[
        Favor, Field(description="Favor precision or recall, or a number of logits: above 0 keeps less.")
    ] = "balance"
    include: Include | _Missing = None
    exclude: Exclude | _Missing = None
    rules: Annotated[bool, Field(description="Use the rules of known sites.")] = True
    links: Annotated[bool, Field(description="Write the URLs of links.")] = True
    images: Annotated[bool, Field(description="Write images.")] = True
    tables: Annotated[bool, Field(description="Write data tables.")] = True
    comments: Annotated[bool, Field(description="Write readers' comments after the content.")] = False
    metadata: Annotated[bool, Field(description="Write the metadata first: title, authors, date and so on.")] = False
    facts: Annotated[
        bool, Field(description="Markdown: write the facts of a product, recipe or event that the content lacks.")
    ] = True
    replies: Annotated[
        Replies, Field(description="Markdown: write answers to a post as quotations in it, or as a nested list.")
    ] = "quotes"
    max_tokens: Annotated[
        Annotated[int, Field(ge=1), _WHOLE] | _Missing,
        Field(description="JSON: contain the content in chunks of at most this many tokens."),
    ] = None
    overlap: Annotated[int, Field(ge=0, description="Tokens of a chunk that the next one repeats."), _WHOLE] = 0
    clean_urls: Annotated[bool, Field(description="Write links without parameters that track readers.")] = True
    provenance: Annotated[
        bool, Field(description="JSON: locate every part in the page's source and in each output.")
    ] = False
    title: Annotated[
        bool | _Missing,
        Field(
            description="Begin with the page's title, unless the content does. By default, Markdown, HTML and XML do."
        ),
    ] = None
    timeout: Annotated[
        Annotated[float, Field(gt=0, le=_MAX_TIMEOUT, allow_inf_nan=False)] | _Missing,
        Field(description="Seconds for the page in total, if the service allows as many."),
    ] = None
    no_cache: Annotated[bool, Field(description="Fetch the page again, even if a response is cached.")] = False
    user_agent: Annotated[_HeaderText | _Missing, Field(description="User-Agent for the page's server.")] = None
    headers: Annotated[
        dict[str, _HeaderText],
        Field(description="Request headers for the page's server, as far as they are allowed."),
    ] = {}
    render: Annotated[
        RenderMode | _Missing,
        Field(
            description="Let Chromium run the page's scripts first; auto: if the page has no content without them."
        ),
    ] = None
    id: Annotated[str | int | _Missing, Field(description="Returned with the result of a line of a batch.")] = None

    @model_validator(mode="before")
    @classmethod
    def _refuse_null(cls, values: Any) -> Any:  # noqa: ANN401 (any JSON value)
        for name, value in values.items() if isinstance(values, Mapping) else ():
            if value is None and name in PARAMETERS:
                raise Problem(400, f"{name!r} must be {_expected(PARAMETERS[name])}")
        return values

    def job(self, accept: str | None = None, html: str | bytes = "", encoding: str | None = None) -> Job:
        """Return the job for this request; the format is the requested one, else the best that `accept` allows."""
        given = self.model_dump(include=self.model_fields_set)
        options = {name: given[name] for name in _CHOOSING if name in given}
        shown = {"with_metadata" if name == "metadata" else name: given[name] for name in _SHOWING if name in given}
        bundle: tuple[str, ...] = tuple(self.formats or ())
        if bundle and (self.metadata or "metadata" not in given):
            bundle = tuple(dict.fromkeys(("metadata", *bundle)))
        output: Format | View = "bundle" if bundle else choose_format(self.format, accept)
        return Job(html, output, self.url, encoding, options, shown, names=bundle)

    def fetch_options(self, settings: Settings, request_headers: Headers | None = None) -> FetchOptions:
        """Return how the page is fetched, as far as the service allows it."""
        headers = {**self.headers, **({"User-Agent": self.user_agent} if self.user_agent else {})}
        for name in headers:
            if name.lower() not in settings.request_headers:
                allowed = ", ".join(sorted(settings.request_headers)) or "none"
                raise Problem(
                    400, f"the header {name[:50]!r} may not be sent to pages; allowed: {allowed}; see --allow-header"
                )
        render = self.render or settings.render
        if render == "always" and settings.render == "never":
            raise Problem(400, "this service does not render pages; it was started without --render")
        options = FetchOptions(
            headers,
            self.timeout,
            0.0 if self.no_cache else None,
            render="never" if settings.render == "never" else render,
        )
        return options if request_headers is None else with_cache_control(options, request_headers)


class ReadRequest(ReaderSettings):
    """A request of a person: a page to read, or to have explained, and how it is shown."""

    url: Url | _Missing = None
    file: Annotated[bytes | _Missing, Field(description="Drop an HTML file here, or choose one.")] = None


def _parameters(model: type[BaseModel]) -> dict[str, dict[str, Any]]:
    """Return the JSON schema of each parameter, with its description and its default."""
    schemas: dict[str, dict[str, Any]] = model.model_json_schema()["properties"]
    for schema in schemas.values():
        schema.pop("title", None)
        if schema.get("default", 0) in (None, {}):
            del schema["default"]
    return schemas


PARAMETERS: Final = _parameters(ExtractRequest)
READ_PARAMETERS: Final = _parameters(ReadRequest)
BODY_ONLY: Final = frozenset({"html", "id", "headers"})  #: parameters that a query cannot have


def request_schema() -> dict[str, Any]:
    """Return the JSON schema of a request, with the formats that are registered now."""
    return {**ExtractRequest.model_json_schema(), "properties": _parameters(ExtractRequest)}


def parse_values(values: Mapping[str, Any] | str) -> ExtractRequest:
    """Return the request that a JSON object describes. A string is a URL."""
    if isinstance(values, str):
        values = {"url": values}
    if not isinstance(values, Mapping):
        raise Problem(400, "the body must be a JSON object")
    request = _validate(ExtractRequest, values, PARAMETERS)
    if request.formats and not {"format", "contents"}.isdisjoint(request.model_fields_set):
        raise Problem(400, "give 'formats', or 'format' and 'with'")
    return request if request.url is None else request.model_copy(update={"url": add_scheme(request.url)})


def read_request(params: QueryParams) -> ReadRequest:
    """Return the request of a person. What the URL of a page has after an ``&`` may look like a parameter."""
    check_names(params, {"url", *SETTINGS})
    return _validate(ReadRequest, dict(params), READ_PARAMETERS)


def _validate(model: type[Model], values: Mapping[str, Any], parameters: Mapping[str, Any]) -> Model:
    try:
        return model.model_validate(values)
    except ValidationError as error:
        raise Problem(400, _sentence(error, parameters)) from None


def _sentence(error: ValidationError, parameters: Mapping[str, Any]) -> str:
    """Return what is wrong with a request, of several things the first."""
    unknown = [str(each["loc"][0]) for each in error.errors() if each["type"] == "extra_forbidden"]
    if unknown:
        meant = closest_name(unknown[0], parameters)
        hint = f"did you mean {meant}?" if meant else f"known: {', '.join(parameters)}"
        return f"unknown parameter {unknown[0]!r}; {hint}"
    name = str(error.errors()[0]["loc"][0])
    return f"{name!r} must be {_expected(parameters[name])}"


def _expected(schema: Mapping[str, Any]) -> str:  # noqa: PLR0911 (one kind of values each)
    """Return what a schema allows, in words.

    >>> _expected({"anyOf": [{"enum": ["a", "b"]}, {"type": "number", "minimum": -2, "maximum": 2}]})
    'one of a, b or a number from -2 to 2'
    """
    if "enum" in schema:
        return f"one of {', '.join(map(str, schema['enum']))}"
    match schema.get("type"):
        case "boolean":
            return "true or false"
        case "number":
            lowest = schema.get("minimum", schema.get("exclusiveMinimum"))
            return f"a number from {lowest} to {schema['maximum']}"
        case "integer":
            return "an integer"
        case "array":
            return f"some of {', '.join(schema['items']['enum'])}, separated by commas"
        case "object":
            return "an object of names and values"
        case "string" if "maxLength" in schema:
            what = "a URL" if schema.get("examples") == PARAMETERS["url"]["examples"] else "text"
            return f"{what} of at most {schema['maxLength']} characters"
    options = [_expected(each) for each in schema.get("anyOf", ()) if "(,(" not in each.get("pattern", "")]
    return " or ".join(options) or "a string"


def query_values(params: QueryParams) -> dict[str, Any]:
    """Return the parameters of a query, converted to JSON types."""
    names = [name for name, _ in params.multi_items()]
    if len(names) != len(set(names)):
        raise Problem(400, "a parameter is repeated")
    if not BODY_ONLY.isdisjoint(names):
        raise Problem(400, f"{min(BODY_ONLY & set(names))!r} must be in the body")
    return {name: _from_text(text, PARAMETERS.get(name, {})) for name, text in params.items()}


def check_names(params: QueryParams, known: Iterable[str] = ()) -> None:
    """Refuse a query with a parameter that is unknown or repeated."""
    names, known = [name for name, _ in params.multi_items()], set(known)
    wrong = [name for name in names if name not in known or names.count(name) > 1]
    if wrong:
        raise Problem(400, f"unexpected parameter {wrong[0]!r}; percent-encode a URL that contains &")


def _from_text(text: str, schema: Mapping[str, Any]) -> object:
    kinds = {schema.get("type"), *(each.get("type") for each in schema.get("anyOf", ()))}
    if "boolean" in kinds:
        return _TRUTH.get(text, text)
    try:
        is_integer = "integer" in kinds and "string" not in kinds
        return int(text) if is_integer else float(text) if "number" in kinds else text
    except ValueError:
        return text


def with_cache_control(options: FetchOptions, headers: Headers) -> FetchOptions:
    """Return options that honour the ``Cache-Control`` header of the client."""
    for directive in headers.get("cache-control", "")[:500].lower().split(","):
        name, _, value = directive.strip().partition("=")
        if name in {"no-cache", "no-store"}:
            options = replace(options, max_age=0.0, no_store=options.no_store or name == "no-store")
        elif name == "max-age" and value.isascii() and value.isdecimal():
            age = float(value[:9])
            options = replace(options, max_age=age if options.max_age is None else min(age, options.max_age))
    return options


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


def choose_format(requested: str | None, accept: str | None) -> Format:
    """Return the format of a response: the requested one, else the best that ``Accept`` allows.

    >>> choose_format(None, "text/markdown, */*;q=0.1").name, choose_format(None, None).name
    ('markdown', 'json')
    """
    if requested is not None:
        return get_format(requested)
    # Of types that are as good as each other, the last is taken: the default format, for any.
    ordered = sorted(formats(), key=lambda entry: entry.name == DEFAULT_FORMAT)
    by_type = {media_type: entry for entry in ordered for media_type in reversed(entry.media_types)}
    try:
        best = mimeparse.best_match(list(by_type), accept or "*/*")
    except mimeparse.MimeTypeParseException:
        best = ""
    if not best:
        raise Problem(406, f"available: {', '.join(by_type)}")
    return by_type[best]


# Uploaded files: the one part of a form that is read.


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
    return await asyncio.to_thread(lambda: asyncio.run(_read_form(content_type, body)))  # parsing holds up a thread


async def _read_form(content_type: str, body: bytes) -> tuple[bytes, str | None]:
    async def chunks() -> AsyncIterator[bytes]:
        yield body

    parser = MultiPartParser(
        Headers({"content-type": content_type}),
        chunks(),  # type: ignore[arg-type]  # any asynchronous iterator will do
        max_files=_MAX_PARTS,
        max_fields=_MAX_PARTS,
    )
    try:
        form = await parser.parse()
    except (MultiPartException, KeyError) as error:  # KeyError: without a boundary
        raise Problem(400, "the form is malformed") from error
    file = form.get("file")
    content = await file.read() if isinstance(file, UploadFile) else (file or "").encode()
    await form.close()
    if not content:
        raise Problem(400, "the form has no file")
    return content, charset_param((file.content_type or "") if isinstance(file, UploadFile) else "")
