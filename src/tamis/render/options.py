"""`RenderOptions`: what an output shows. They never change what was selected."""

from dataclasses import dataclass, fields, replace
from typing import Any, Final, Literal

from tamis.errors import OptionError

Structure = Literal["rebuilt", "original"]
STRUCTURES: Final = ("rebuilt", "original")
INCLUDABLE: Final = ("markdown", "html", "xml")  #: formats that JSON can include


@dataclass(frozen=True, slots=True)
class RenderOptions:
    """What an output shows, as an immutable value.

    >>> RenderOptions(links=False).replace(images=False)
    RenderOptions(links=False, images=False, tables=True, comments=False, with_metadata=False, provenance=False,
    structure='rebuilt', title=None, include=())

    Attributes:
        links: write the URLs of links; without, their text alone.
        images: write images.
        tables: write data tables.
        comments: write readers' comments after the content.
        with_metadata: begin with the page's metadata.
        provenance: JSON locates every part in the page's source and in each output.
        structure: ``"rebuilt"`` writes HTML from the document; ``"original"`` keeps the page's own elements around
            the content, with classes and ids, sanitized.
        title: begin with the page's title, as a heading of level 1, unless the content does already. None is the
            default of each format: Markdown, HTML and XML, which people read, have it; plain text, which programs
            compare and count, has the selected text alone.
        include: the formats that JSON contains besides the text: ``("markdown", "html")``.
    """

    links: bool = True
    images: bool = True
    tables: bool = True
    comments: bool = False
    with_metadata: bool = False
    provenance: bool = False
    structure: Structure = "rebuilt"
    title: bool | None = None
    include: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name == "structure":
                if value not in STRUCTURES:
                    raise OptionError(f"structure must be one of {', '.join(STRUCTURES)}, not {value!r}")
            elif field.name == "include":
                _check_include(value)
            elif not isinstance(value, bool) and not (field.name == "title" and value is None):
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
        title: bool | None = None,
        include: tuple[str, ...] | None = None,
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
            "title": title,
            "include": include,
        }
        changes = {name: value for name, value in changes.items() if value is not None}
        return replace(self, **changes) if changes else self

    def shows_title(self, *, default: bool = True) -> bool:
        """Return whether an output begins with the title; `default` is that of its format."""
        return default if self.title is None else self.title


def _check_include(names: object) -> None:
    if not isinstance(names, tuple):
        raise OptionError(f"include must be a tuple of formats, not {names!r}")
    for name in names:
        if name not in INCLUDABLE:
            raise OptionError(f"JSON can include {', '.join(INCLUDABLE)}, not {name!r}")


DEFAULT: Final = RenderOptions()
