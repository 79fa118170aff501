"""The options of the API for OpenAPI: what each means, which values it takes and what it is by default."""

from dataclasses import dataclass
from typing import Any, Final

from tamis.render.options import INCLUDABLE
from tamis.render.registry import formats
from tamis.serve.jobs import BUNDLE_NAMES
from tamis.serve.requests import (
    DEFAULT_FORMAT,
    FAVOR_WORDS,
    MAX_FAVOR,
    MAX_SELECTOR_CHARS,
    MAX_TIMEOUT,
    MAX_URL_CHARS,
    RENDER_CHOICES,
    SWITCHES,
)
from tamis.serve.settings import Settings

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
            _names_of(INCLUDABLE), "JSON: include the content in these formats, too, separated by commas."
        ),
        "extractor": Option(STRING, "Extraction method; see /v1/extractors.", "sift"),
        "favor": Option(_FAVOR, "Favor precision or recall, or a number of logits: above 0 keeps less.", "balance"),
        "include": Option(_SELECTOR, "CSS selector: read only the elements that it matches, and all of them."),
        "exclude": Option(_SELECTOR, "CSS selector: remove the elements that it matches before the page is read."),
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
            {"type": "string", "enum": list(RENDER_CHOICES)},
            rendering if settings.render else f"{rendering} This service does not: it was started without --render.",
            "auto" if settings.render else "never",
        ),
    }
    assert set(SWITCHES) < set(options)
    return options


def _names_of(names: tuple[str, ...]) -> dict[str, Any]:
    pattern = "|".join(names)
    return {"type": "string", "pattern": f"^({pattern})(,({pattern}))*$"}
