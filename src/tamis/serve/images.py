"""Images of the reader: the lead image, and posters of videos, which the document does not have."""

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tamis.document.detect.images import is_in_content
from tamis.document.document import Document
from tamis.document.parts import Figure, Part
from tamis.document.spans import Image, Link, Text
from tamis.html.urls import safe_url
from tamis.page.base_url import base_url

if TYPE_CHECKING:
    from tamis.api import Extraction

#: Pixels. A smaller image does not lead a page; it is a portrait or a logo.
_MIN_LEAD_WIDTH: Final = 300
_MIN_LEAD_HEIGHT: Final = 150
_WEB_SCHEMES: Final = ("http://", "https://")


def with_posters(extraction: "Extraction") -> Document:
    """Return the document of an extraction with the posters of its videos, each a link to the video.

    >>> import tamis
    >>> page = '<article><p>One.<video poster=/p.jpg src=/v.mp4 title=Tea></video><p>Two.</article>'
    >>> extraction = tamis.extract(page, "https://e.org/", extractor="body")
    >>> [type(part).__name__ for part in with_posters(extraction).parts]
    ['Paragraph', 'Figure', 'Paragraph']
    """
    page, document = extraction.page, extraction.document
    base = base_url(page, extraction.url)
    parts = list(document.parts)
    for row in page.rows_of("video").tolist():
        attributes = page.attributes(row)
        poster = safe_url(attributes.get("poster", ""), base) if attributes.get("poster") else None
        if not poster or not poster.startswith(_WEB_SCHEMES) or page.hidden[page.parent[row]]:
            continue
        if not is_in_content(page, extraction.selection.mask, row):
            continue
        image = Image(poster, attributes.get("aria-label") or attributes.get("title") or "Video")
        caption = _caption(_source(extraction, row, attributes), base, image.alt, extraction.url)
        figure = Figure(element=row, first=row, stop=row + 1, images=(image,), caption=caption)
        index = next((index for index, part in enumerate(parts) if part.first > row), len(parts))
        parts.insert(index, figure)
    return replace_parts(document, tuple(parts))


def _source(extraction: "Extraction", row: int, attributes: dict[str, str]) -> str:
    if attributes.get("src"):
        return attributes["src"]
    page = extraction.page
    sources = [child for child in range(row + 1, int(page.end[row])) if page.tag_name(child) == "source"]
    return next((src for src in (page.attributes(child).get("src", "") for child in sources) if src), "")


def _caption(source: str, base: str | None, label: str, page_url: str | None) -> tuple[Link | Text, ...]:
    video_url = safe_url(source, base) if source and not source.startswith("blob:") else None
    text = Text(f"▶ {label}")
    target = video_url or page_url
    return (Link(target, (text,)),) if target and target.startswith(_WEB_SCHEMES) else (text,)


def take_lead(document: Document, image_url: str | None) -> tuple[Figure | None, Document]:
    """Return the lead image and the document without it: the first figure, else the image of the metadata."""
    for index, part in enumerate(document.parts):
        if isinstance(part, Figure) and part.images and not part.parts and _can_lead(part.images[0]):
            before, after = document.parts[:index], document.parts[index + 1 :]
            if len(part.images) == 1:
                return part, replace_parts(document, before + after)
            lead = replace(part, images=part.images[:1], caption=())
            rest = replace(part, images=part.images[1:])
            return lead, replace_parts(document, (*before, rest, *after))
    if image_url and image_url.startswith(_WEB_SCHEMES):
        return Figure(element=0, first=0, stop=1, images=(Image(image_url),)), document
    return None, document


def _can_lead(image: Image) -> bool:
    width, height = image.width or _MIN_LEAD_WIDTH, image.height or _MIN_LEAD_HEIGHT
    return width >= _MIN_LEAD_WIDTH and height >= _MIN_LEAD_HEIGHT


def replace_parts(document: Document, parts: tuple[Part, ...]) -> Document:
    """Return a document with other parts."""
    return Document(document.page, parts, document.direction, document.language)
