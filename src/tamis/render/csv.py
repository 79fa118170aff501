"""CSV: a table with one row per page, for batches and spreadsheets."""

import csv
import io
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from tamis.metadata.fields import FIELDS, Field, Metadata, plain_value
from tamis.render.registry import DEFAULT, Rendered, RenderOptions
from tamis.render.text import content_text

if TYPE_CHECKING:
    from tamis.render.content import Content

_METADATA_FIELDS: Final = tuple(field for field in FIELDS if field.in_csv)
COLUMNS: Final = ("url", *(field.name for field in _METADATA_FIELDS), "extractor", "empty_reason", "text")


def write_csv(content: "Content", options: RenderOptions) -> Rendered:
    """Return an extraction as a table of one row, with a header."""
    return Rendered(render_csv([(content, None)], options), {})


def render_csv(
    contents: "Iterable[tuple[Content, str | None]]", options: RenderOptions = DEFAULT, *, header: bool = True
) -> str:
    r"""Return extractions as CSV (RFC 4180: lines end in ``\r\n``, a field with a comma or quote is quoted).

    The name beside an extraction, for example of its file, is written if it has no URL.

    >>> import tamis
    >>> extraction = tamis.extract("<p>some, text", "https://example.org/", extractor="body")
    >>> print(render_csv([(extraction, None)]))
    url,title,authors,date,site,language,page_type,word_count,extractor,empty_reason,text
    https://example.org/,,,,example.org,,,2,body,,"some, text"
    """
    plain = options.replace(comments=False, with_metadata=False)  # metadata has columns of its own
    out = io.StringIO()
    table = csv.writer(out)
    if header:
        table.writerow(COLUMNS)
    for content, name in contents:
        values = [_cell(content.metadata, field) for field in _METADATA_FIELDS]
        text = content_text(content, plain)
        table.writerow([content.url or name or "", *values, content.extractor, content.empty_reason or "", text])
    return out.getvalue()


def _cell(metadata: Metadata, field: Field) -> str:
    value = plain_value(getattr(metadata, field.name))
    return "; ".join(value) if isinstance(value, list) else str(value or "")
