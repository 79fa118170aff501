"""`RenderOptions`: what an output shows. They never change what was selected."""

from dataclasses import dataclass, fields, replace
from typing import Final

from tamis.errors import OptionError


@dataclass(frozen=True, slots=True)
class RenderOptions:
    """What an output shows. An immutable value; every attribute is a switch.

    >>> RenderOptions(links=False).replace(images=False)
    RenderOptions(links=False, images=False, tables=True, comments=False, with_metadata=False, provenance=False)

    Attributes:
        links: write the URLs of links; without, their text alone.
        images: write images.
        tables: write data tables.
        comments: write readers' comments after the content.
        with_metadata: begin with the page's metadata.
        provenance: JSON locates every part in the page's source and in each output.
    """

    links: bool = True
    images: bool = True
    tables: bool = True
    comments: bool = False
    with_metadata: bool = False
    provenance: bool = False

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if not isinstance(value, bool):
                raise OptionError(f"{field.name} must be True or False, not {value!r}")

    def replace(
        self,
        *,
        links: bool | None = None,
        images: bool | None = None,
        tables: bool | None = None,
        comments: bool | None = None,
        with_metadata: bool | None = None,
        provenance: bool | None = None,
    ) -> "RenderOptions":
        """Return these options with some switches changed; None leaves a switch as it is."""
        changes = {
            "links": links,
            "images": images,
            "tables": tables,
            "comments": comments,
            "with_metadata": with_metadata,
            "provenance": provenance,
        }
        given = {name: value for name, value in changes.items() if value is not None}
        return replace(self, **given) if given else self


DEFAULT: Final = RenderOptions()
