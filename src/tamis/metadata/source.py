"""`MetadataSource`: everything that metadata is read from."""

from copy import copy
from dataclasses import field
from typing import Any, Final

from tamis.lazy import cached_property, dataclass
from tamis.metadata.site import find_site
from tamis.metadata.structured import Sourced, StructuredData
from tamis.metadata.title import find_title, find_title_row
from tamis.page.parse import base_url

#: A page type below this probability is not used to decide where authors and dates are looked for.
_MIN_PAGE_TYPE_PROBABILITY: Final = 0.65


@dataclass(frozen=True, eq=False)
class MetadataSource:
    """What the readers of metadata take: structured data, the page, and the results of extraction.

    Attributes:
        structured: the page and its structured data.
        url: the URL that the caller passed.
        selected_title: the title, where the extractor selects one.
        page_type: the page type, where the extractor determines it.
        page_type_probability: the probability of that page type, where the extractor knows it.
        text: the content. The language, the news agency and the location are read from its beginning.
        content_rows: from the first row of the content to the last one, where they are known.
        cache: what several fields need and only one computes.
    """

    structured: StructuredData
    url: str | None = None
    selected_title: str | None = None
    page_type: str | None = None
    page_type_probability: float | None = None
    text: str = ""
    content_rows: range | None = None
    cache: dict[str, Any] = field(default_factory=dict, repr=False)

    def with_text(self, text: str, rows: range | None = None) -> "MetadataSource":
        """Return the source with the content. The site and the title do not depend on it, and are not found again."""
        known = {"site": self.site, "title": self.title}
        out = copy(self)
        out.__dict__.update(known, text=text, content_rows=rows, cache={})
        return out

    @cached_property
    def site(self) -> Sourced[str] | None:
        """The site's name, or its host."""
        return find_site(self.structured, self.url)

    @cached_property
    def title(self) -> Sourced[str] | None:
        """The title of the page."""
        return find_title(self)

    @cached_property
    def title_row(self) -> int | None:
        """The row where the page shows its title, or None if it shows none."""
        return find_title_row(self)

    @property
    def site_name(self) -> str | None:
        """The site's name, where the page has one; its host is not a name."""
        return self.site.value if self.site and self.site.source not in {"url", "canonical"} else None

    @cached_property
    def base_url(self) -> str | None:
        """The URL against which relative URLs are resolved."""
        return base_url(self.structured.page, self.url)

    @property
    def likely_page_type(self) -> str | None:
        """The page type, if it is probable enough to decide where authors and dates are looked for."""
        probability = self.page_type_probability
        return self.page_type if probability is None or probability >= _MIN_PAGE_TYPE_PROBABILITY else None
