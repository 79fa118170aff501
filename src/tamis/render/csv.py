"""CSV: a table with one row per page, for batches and spreadsheets."""

import csv
import io
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from tamis.metadata.fields import FIELDS, Field, Metadata
from tamis.render.plain import plain_text
from tamis.render.rendered import Rendered

if TYPE_CHECKING:
    from tamis.render.content import Content
    from tamis.render.options import RenderOptions

_METADATA_FIELDS: Final = tuple(field for field in FIELDS if field.in_csv)
COLUMNS: Final = ("url", *(field.name for field in _METADATA_FIELDS), "extractor", "empty_reason", "text")


def write_csv(content: "Content", _options: "RenderOptions") -> Rendered:
    """Return an extraction as a table of one row, with a header."""
    return Rendered(render_csv([(content, None)]), {})


def render_csv(contents: "Iterable[tuple[Content, str | None]]", *, header: bool = True) -> str:
    r"""Return extractions as CSV (RFC 4180: lines end in ``\r\n``, a field with a comma or quote is quoted).

    The name beside an extraction, for example of its file, is written if it has no URL.

    >>> import tamis
    >>> extraction = tamis.extract("<p>some, text", "https://example.org/", extractor="body")
    >>> print(render_csv([(extraction, None)]))
    url,title,authors,date,site,language,page_type,word_count,extractor,empty_reason,text
    https://example.org/,,,,example.org,,,2,body,,"some, text"
    """
    out = io.StringIO()
    table = csv.writer(out)
    if header:
        table.writerow(COLUMNS)
    for content, name in contents:
        values = [_cell(content.metadata, field) for field in _METADATA_FIELDS]
        # Metadata has columns of its own.
        text = plain_text(content, content.render_options.replace(comments=False, with_metadata=False))
        table.writerow([content.url or name or "", *values, content.extractor, content.empty_reason or "", text])
    return out.getvalue()


def _cell(metadata: Metadata, field: Field) -> str:
    value = getattr(metadata, field.name)
    if not value and field.csv_fallback:
        value = getattr(metadata, field.csv_fallback)
    return "; ".join(value) if isinstance(value, tuple) else str(value or "")
