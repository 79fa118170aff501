"""What the server asks of its workers. The server itself never loads the parser or numpy: only workers do."""

from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import quote, urlencode

from tamis.serve.pages import BARE_POLICY, DEFAULTS


@dataclass(frozen=True, slots=True)
class Look:
    """How a client wants a page: text alone or not, and what its switches were set to."""

    text_only: bool = False
    switches: dict[str, str] = field(default_factory=dict)

    def address(self, url: str, **changes: str) -> str:
        """Return the address of the reader for a page, with the switches as they are.

        >>> Look(switches={"size": "l"}).address("https://e.org/?a=1")
        '/read?url=https%3A%2F%2Fe.org%2F%3Fa%3D1&size=l'
        """
        kept = {name: value for name, value in self.switches.items() if value != DEFAULTS[name]}
        return "/read?" + urlencode({"url": url, **kept, **changes}, quote_via=quote, errors="replace")


#: The forms of the API, and what each is called in HTTP.
MEDIA_TYPES: Final = {
    "json": "application/json",
    "markdown": "text/markdown; charset=utf-8",
    "txt": "text/plain; charset=utf-8",
    "html": "text/html; charset=utf-8",
}


@dataclass(frozen=True, slots=True)
class Job:
    """A page, and what is wanted of it.

    Attributes:
        markup: the page.
        url: its address, where it has one.
        encoding: what its HTTP header said.
        form: one of `MEDIA_TYPES`; or ``reader``; or ``simple``: Markdown with front matter, or a list of links; or
            ``extractors``: the methods there are, for which the page is not looked at.
        options: of `tamis.extract`.
        look: how the reader shows it.
    """

    markup: str | bytes
    url: str | None = None
    encoding: str | None = None
    form: str = "json"
    options: dict[str, Any] = field(default_factory=dict)
    look: Look = field(default_factory=Look)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a client gets: a body, what it is, what a browser may do with it, and why it is empty if it is."""

    body: bytes
    media_type: str
    policy: str = BARE_POLICY
    empty_reason: str | None = None


def run(job: Job) -> Answer:
    """Do a job, in a worker."""
    from tamis.serve.work import answer  # noqa: PLC0415 (see above)

    return answer(job)


def prepare() -> None:
    """Load everything that a page needs, so that the first one does not wait for it."""
    page = "<title>Tea</title><article><h1>Tea</h1><p>" + "Water just off the boil, and three minutes. " * 9
    run(Job(page, "https://example.org/", form="reader"))
