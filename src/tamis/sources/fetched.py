"""`Fetched`: a downloaded page. A value without dependencies, so that `tamis.extract` can take it."""

from tamis.lazy import dataclass
from tamis.reprs import one_line


@dataclass(frozen=True, slots=True)
class Fetched:
    """A downloaded page.

    Attributes:
        body: its bytes, content encodings undone.
        url: the final URL, after redirects.
        encoding: the character encoding that the HTTP header declares.
        storable: False where the server asked that the page not be stored, or where the request had credentials.
        media_type: the media type that the HTTP header declares, in lower case.
        max_age: seconds for which the server calls the page fresh.
        http_status: the status of the response, if there was one.
    """

    body: bytes
    url: str
    encoding: str | None
    storable: bool = True
    media_type: str | None = None
    max_age: int | None = None
    http_status: int | None = None

    def __repr__(self) -> str:
        return f"Fetched({one_line(self.url)}, {len(self.body)} bytes, encoding={self.encoding!r})"
