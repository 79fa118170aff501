"""The lead image of the reader."""

from dataclasses import replace
from typing import Final

from tamis.document.document import Document
from tamis.document.parts import Figure, Part
from tamis.document.spans import Image

#: Pixels. A smaller image does not lead a page; it is a portrait or a logo.
_MIN_LEAD_WIDTH: Final = 300
_MIN_LEAD_HEIGHT: Final = 150
_START_PARTS: Final = 2  #: the first parts of a document: a figure among them stands at the start
_WEB_SCHEMES: Final = ("http://", "https://")


def take_lead(document: Document, image_url: str | None) -> tuple[Figure | None, Document]:
    """Return the lead image and the document without it.

    A figure leads if it stands at the start. Else the image that the page calls its own leads, unless the content
    has figures.
    """
    for index, part in enumerate(document.parts[:_START_PARTS]):
        if isinstance(part, Figure) and part.images and not part.parts and _can_lead(part.images[0]):
            before, after = document.parts[:index], document.parts[index + 1 :]
            if len(part.images) == 1:
                return part, replace_parts(document, before + after)
            lead = replace(part, images=part.images[:1], caption=())
            rest = replace(part, images=part.images[1:])
            return lead, replace_parts(document, (*before, rest, *after))
    has_figures = any(isinstance(part, Figure) and part.images for part in document)
    if image_url and image_url.startswith(_WEB_SCHEMES) and not has_figures:
        return Figure(element=0, first=0, stop=1, images=(Image(image_url),)), document
    return None, document


def _can_lead(image: Image) -> bool:
    width, height = image.width or _MIN_LEAD_WIDTH, image.height or _MIN_LEAD_HEIGHT
    return width >= _MIN_LEAD_WIDTH and height >= _MIN_LEAD_HEIGHT


def replace_parts(document: Document, parts: tuple[Part, ...]) -> Document:
    """Return a document with other parts."""
    return Document(document.page, parts, document.direction, document.language)
