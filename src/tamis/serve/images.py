"""Pictures of the reader: the one that leads, and the posters of videos, which the document leaves out."""

from dataclasses import replace
from typing import TYPE_CHECKING

from tamis.document.detect.images import is_in_content
from tamis.document.document import Document
from tamis.document.parts import Figure, Part
from tamis.document.spans import Image, Link, Text
from tamis.html.urls import safe_url
from tamis.page.base_url import base_url

if TYPE_CHECKING:
    from tamis.api import Extraction

_WIDE, _HIGH = 300, 150  #: pixels: a smaller picture does not lead a page; it is a portrait or a logo


def with_posters(found: "Extraction") -> Document:
    """Return the document of an extraction with the posters of its videos, each a link to the video.

    >>> import tamis
    >>> page = '<article><p>One.<video poster=/p.jpg src=/v.mp4 title=Tea></video><p>Two.</article>'
    >>> found = tamis.extract(page, "https://e.org/", extractor="body")
    >>> [type(part).__name__ for part in with_posters(found).parts]
    ['Paragraph', 'Figure', 'Paragraph']
    """
    page, document = found.page, found.document
    base = base_url(page, found.url)
    parts = list(document.parts)
    for row in page.rows_of("video").tolist():
        given = page.attributes(row)
        poster = safe_url(given.get("poster", ""), base) if given.get("poster") else None
        if not poster or not poster.startswith(("http://", "https://")) or page.hidden[page.parent[row]]:
            continue
        if not is_in_content(page, found.selection.mask, row):
            continue
        image = Image(poster, given.get("aria-label") or given.get("title") or "Video")
        caption = _caption(_source(found, row, given), base, image.alt, found.url)
        figure = Figure(element=row, first=row, stop=row + 1, images=(image,), caption=caption)
        place = next((k for k, part in enumerate(parts) if part.first > row), len(parts))
        parts.insert(place, figure)
    return Document(page, tuple(parts), document.direction, document.language)


def _source(found: "Extraction", row: int, given: dict[str, str]) -> str:
    if given.get("src"):
        return given["src"]
    page = found.page
    inside = [k for k in range(row + 1, int(page.end[row])) if page.tag_name(k) == "source"]
    return next((src for src in (page.attributes(k).get("src", "") for k in inside) if src), "")


def _caption(source: str, base: str | None, named: str, url: str | None) -> tuple[Link | Text, ...]:
    address = safe_url(source, base) if source and not source.startswith("blob:") else None
    text = Text(f"▶ {named}")
    where = address or url
    return (Link(where, (text,)),) if where and where.startswith(("http://", "https://")) else (text,)


def take_lead(document: Document, image: str | None) -> tuple[Figure | None, Document]:
    """Return the picture that leads, and the document without it: its first figure, else the page's own picture."""
    for place, part in enumerate(document.parts):
        if isinstance(part, Figure) and part.images and not part.parts and _leads(part.images[0]):
            rest: tuple[Part, ...] = document.parts[:place] + document.parts[place + 1 :]
            if len(part.images) > 1:
                rest = (*document.parts[:place], replace(part, images=part.images[1:]), *document.parts[place + 1 :])
                part = replace(part, images=part.images[:1], caption=())  # noqa: PLW2901 (the first of several)
            return part, replace_parts(document, rest)
    if image and image.startswith(("http://", "https://")):
        return Figure(element=0, first=0, stop=1, images=(Image(image),)), document
    return None, document


def _leads(image: Image) -> bool:
    return (image.width or _WIDE) >= _WIDE and (image.height or _HIGH) >= _HIGH


def replace_parts(document: Document, parts: tuple[Part, ...]) -> Document:
    """Return a document with other parts."""
    return Document(document.page, parts, document.direction, document.language)
