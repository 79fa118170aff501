"""`Record`: a page of a batch, as a source gives it."""

from dataclasses import field

from tamis.lazy import dataclass


@dataclass(frozen=True, slots=True)
class Record:
    """A page to extract.

    Attributes:
        id: its name, unique in the batch: a relative path, a WARC record id, an id column.
        url: its URL, if it is known.
        body: its bytes; None where a worker reads them from `path`, or where they are to be downloaded from `url`.
        encoding: the character encoding of its HTTP header.
        path: the file to read it from.
        error: why the source could not give it. Such a record becomes a row with this error.
        too_large: whether the error is that the page is larger than allowed.
        http_status: the status of its HTTP response, if it came with one.
        crawled: when it was crawled, as its source writes it (``WARC-Date``).
    """

    id: str
    url: str | None = None
    body: bytes | str | None = None
    encoding: str | None = None
    path: str | None = None
    error: str | None = None
    too_large: bool = field(default=False, repr=False)
    http_status: int | None = field(default=None, repr=False)
    crawled: str | None = field(default=None, repr=False)

    @property
    def is_remote(self) -> bool:
        """Whether the page is still to be downloaded."""
        return self.body is None and self.path is None and self.error is None and self.url is not None
