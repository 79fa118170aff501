"""`RenderOptions`: what an output shows. They never change what was selected."""

from dataclasses import dataclass, fields, replace
from typing import Any, Final, Literal

from tamis.errors import OptionError

Structure = Literal["rebuilt", "original"]
STRUCTURES: Final = ("rebuilt", "original")


@dataclass(frozen=True, slots=True)
class RenderOptions:
    """What an output shows, as an immutable value.

    >>> RenderOptions(links=False).replace(images=False)
    RenderOptions(links=False, images=False, tables=True, comments=False, with_metadata=False, provenance=False,
    structure='rebuilt')

    Attributes:
        links: write the URLs of links; without, their text alone.
        images: write images.
        tables: write data tables.
        comments: write readers' comments after the content.
        with_metadata: begin with the page's metadata.
        provenance: JSON locates every part in the page's source and in each output.
        structure: ``"rebuilt"`` writes HTML from the document; ``"original"`` keeps the page's own elements around
            the content, with classes and ids, sanitized.
    """

    links: bool = True
    images: bool = True
    tables: bool = True
    comments: bool = False
    with_metadata: bool = False
    provenance: bool = False
    structure: Structure = "rebuilt"

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name == "structure":
                if value not in STRUCTURES:
                    raise OptionError(f"structure must be one of {', '.join(STRUCTURES)}, not {value!r}")
            elif not isinstance(value, bool):
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
        structure: Structure | None = None,
    ) -> "RenderOptions":
        """Return these options with some changed; None leaves an option as it is."""
        changes: dict[str, Any] = {
            "links": links,
            "images": images,
            "tables": tables,
            "comments": comments,
            "with_metadata": with_metadata,
            "provenance": provenance,
            "structure": structure,
        }
        changes = {name: value for name, value in changes.items() if value is not None}
        return replace(self, **changes) if changes else self


DEFAULT: Final = RenderOptions()
