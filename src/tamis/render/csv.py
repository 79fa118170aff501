"""CSV: a line a page, for batches and spreadsheets."""

import csv
import io
from collections.abc import Iterable
from itertools import chain, repeat
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tamis.render.content import Content

COLUMNS: Final = (
    "url",
    "title",
    "authors",
    "date",
    "site",
    "language",
    "page_type",
    "extractor",
    "empty_reason",
    "text",
)


def render_csv(pages: "Iterable[Content]", names: Iterable[str | None] = (), *, header: bool = True) -> str:
    r"""Return pages as CSV (RFC 4180: lines end in ``\r\n``, a field with a comma or quote is quoted).

    The `names` of pages, such as their files', stand for the addresses of those that were given without one.

    >>> import tamis
    >>> print(render_csv([tamis.extract("<p>some, text", "https://example.org/", extractor="body")]))
    url,title,authors,date,site,language,page_type,extractor,empty_reason,text
    https://example.org/,,,,example.org,,,body,,"some, text"
    """
    out = io.StringIO()
    lines = csv.writer(out)
    if header:
        lines.writerow(COLUMNS)
    for found, name in zip(pages, chain(names, repeat(None))):  # noqa: B905 (there may be no names)
        known = found.metadata
        lines.writerow(
            value or ""
            for value in (
                found.url or name,
                found.title,
                "; ".join(known.authors),
                known.date,
                known.site,
                known.language or known.detected_language,
                known.page_type,
                found.extractor,
                found.empty_reason,
                found.text,
            )
        )
    return out.getvalue()
