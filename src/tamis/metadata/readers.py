"""Readers of metadata: each takes a value from one kind of source, such as JSON-LD properties or ``meta`` names.

`tamis.metadata.fields` lists the readers of every field. Fields that weigh several sources against each other have a
module of their own: `title`, `author`, `date`, `language`, `rights`, `newswire`.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, Generic

from tamis.html.urls import safe_url
from tamis.metadata.date_formats import parse_day
from tamis.metadata.inline_text import row_start
from tamis.metadata.source import MetadataSource
from tamis.metadata.structured import MAX_VALUE_CHARS, Sourced, T_co, meta_source, text_values

_MAX_LIST_VALUES: Final = 50  #: tags or categories of one page
_MAX_LINKS: Final = 30  #: links that are read as tags
_MAX_DATE_CHARS: Final = 200  #: of a value that is read as a date


@dataclass(frozen=True, slots=True)
class Reader(Generic[T_co]):
    """One way to read a field.

    Attributes:
        reads: what it reads, for the documentation.
        read: returns the value, or None if the page does not have it.
    """

    reads: str
    read: Callable[[MetadataSource], Sourced[T_co] | None]

    def __call__(self, source: MetadataSource) -> Sourced[T_co] | None:
        """Return the value, or None if the page does not have it."""
        return self.read(source)


def json_ld(*properties: str) -> Reader[str]:
    """Return a reader of the first text among some JSON-LD properties of the main items."""
    return Reader(f"JSON-LD {_listed(properties)}", lambda source: source.structured.first_json_ld(*properties))


def meta(*names: str) -> Reader[str]:
    """Return a reader of the first value among some ``meta`` names."""
    return Reader(_listed(names), lambda source: source.structured.first_meta(*names))


def json_ld_day(*properties: str) -> Reader[str]:
    """Return a reader of the first day among some JSON-LD properties of the main items, as ISO 8601."""

    def read(source: MetadataSource) -> Sourced[str] | None:
        for name in properties:
            for item in source.structured.authored_items:
                value = item.get(name)
                day = parse_day(value[:_MAX_DATE_CHARS]) if isinstance(value, str) else None
                if day:
                    return Sourced(day, f"json-ld {name}")
        return None

    return Reader(f"JSON-LD {_listed(properties)}", read)


def meta_day(*names: str) -> Reader[str]:
    """Return a reader of the first day among some ``meta`` names, as ISO 8601."""

    def read(source: MetadataSource) -> Sourced[str] | None:
        for name in names:
            for value in source.structured.meta.get(name, ()):
                day = parse_day(value[:_MAX_DATE_CHARS])
                if day:
                    return Sourced(day, meta_source(name))
        return None

    return Reader(_listed(names), read)


def json_ld_list(name: str) -> Reader[tuple[str, ...]]:
    """Return a reader of the comma-separated values of a JSON-LD property."""

    def read(source: MetadataSource) -> Sourced[tuple[str, ...]] | None:
        for item in source.structured.main_items:
            values = _split(text_values(item.get(name)))
            if values:
                return Sourced(values, f"json-ld {name}")
        return None

    return Reader(f"JSON-LD `{name}`", read)


def meta_list(*names: str) -> Reader[tuple[str, ...]]:
    """Return a reader of the comma-separated values of the first ``meta`` name that has some."""

    def read(source: MetadataSource) -> Sourced[tuple[str, ...]] | None:
        for name in names:
            values = _split(source.structured.meta.get(name, []))
            if values:
                return Sourced(values, meta_source(name))
        return None

    return Reader(_listed(names), read)


def link_texts(rel: str) -> Reader[tuple[str, ...]]:
    """Return a reader of the texts of links with a ``rel``."""

    def read(source: MetadataSource) -> Sourced[tuple[str, ...]] | None:
        page = source.structured.page
        values = _split([row_start(page, row) for row in page.select(f"a[rel~='{rel}']")[:_MAX_LINKS]])
        return Sourced(values, f"rel {rel}") if values else None

    return Reader(f"links with `rel={rel}`", read)


def meta_url(*names: str) -> Reader[str]:
    """Return a reader of the first value among some ``meta`` names as an absolute URL."""

    def read(source: MetadataSource) -> Sourced[str] | None:
        value = source.structured.first_meta(*names)
        is_whole = value is not None and len(value.value) < MAX_VALUE_CHARS
        url = safe_url(value.value, source.base_url) if value and is_whole else None
        return Sourced(url, value.source) if value and url else None

    return Reader(_listed(names), read)


def json_ld_image() -> Reader[str]:
    """Return a reader of the URL of a main item's image in JSON-LD."""

    def read(source: MetadataSource) -> Sourced[str] | None:
        for item in source.structured.main_items:
            image = item.get("image")
            for entry in image if isinstance(image, list) else [image]:
                value = entry.get("url") or entry.get("contentUrl") if isinstance(entry, dict) else entry
                url = safe_url(value, source.base_url) if isinstance(value, str) and value else None
                if url:
                    return Sourced(url, "json-ld image")
        return None

    return Reader("JSON-LD `image`", read)


def canonical_link() -> Reader[str]:
    """Return a reader of the URL of ``<link rel="canonical">``."""

    def read(source: MetadataSource) -> Sourced[str] | None:
        page = source.structured.page
        for row in page.select("link[rel~='canonical' i][href]")[:1]:
            url = safe_url(page.attributes(row)["href"], source.base_url)
            if url:
                return Sourced(url, "link canonical")
        return None

    return Reader("`link rel=canonical`", read)


def selected_page_type() -> Reader[str]:
    """Return a reader of the page type that the extractor determined."""

    def read(source: MetadataSource) -> Sourced[str] | None:
        return Sourced(source.page_type, "extractor") if source.page_type else None

    return Reader("the extractor", read)


def argument_url() -> Reader[str]:
    """Return a reader of the URL that the caller passed, if its scheme is safe."""

    def read(source: MetadataSource) -> Sourced[str] | None:
        url = safe_url(source.url, None) if source.url else None
        return Sourced(url, "argument") if url else None

    return Reader("the argument `url`", read)


def _split(values: list[str]) -> tuple[str, ...]:
    parts = [" ".join(part.split()) for value in values for part in value.split(",")]
    return tuple(dict.fromkeys(part for part in parts if part))[:_MAX_LIST_VALUES]


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
