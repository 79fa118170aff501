"""What of a document an output shows. A view never changes what was selected."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class View:
    """Switches of rendering.

    Attributes:
        links: write the addresses of links; without, their text alone.
        images: show pictures.
        tables: show tables of data.
        metadata: say who wrote what, and when.
    """

    links: bool = True
    images: bool = True
    tables: bool = True
    metadata: bool = False


EVERYTHING = View()
