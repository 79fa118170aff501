"""Readers of metadata: each yields the values of one kind of source, such as JSON-LD properties or ``meta`` names.

`tamis.metadata.fields` lists the readers of every field, the most trusted first. Fields that weigh several sources
against each other have a module of their own: `title`, `author`, `dates`, `language`, `media`, `rights`, `citation`.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from tamis.html.text import safe_url
from tamis.metadata.site import row_start
from tamis.metadata.source import MetadataSource
from tamis.metadata.structured import MAX_VALUE_CHARS, Sourced, as_list, meta_source, text_values

_MAX_LIST_VALUES: Final = 50  #: tags or categories of one page
_MAX_LINKS: Final = 30  #: links that are read as tags
_LAST_NAME_FIRST: Final = re.compile(r"[^\W\d_][\w'’-]+, [^\W\d_][\w'’-]+ [A-Z]\.?")  #: "Trump, Donald J"


@dataclass(frozen=True, slots=True)
class Reader:
    """One way to read a field.

    Attributes:
        reads: what it reads, for the documentation.
        read: yields the values that the page has for it, the most trusted first.
    """

    reads: str
    read: Callable[[MetadataSource], Iterable[Sourced[Any]]]


def one(reads: str, find: Callable[[MetadataSource], Sourced[Any] | None]) -> Reader:
    """Return a reader of the value that a function returns, or None."""

    def read(source: MetadataSource) -> Iterator[Sourced[Any]]:
        found = find(source)
        if found is not None:
            yield found

    return Reader(reads, read)


def json_ld(*properties: str) -> Reader:
    """Return a reader of the texts of some JSON-LD properties of the main items."""
    return Reader(f"JSON-LD {listed(properties)}", lambda source: source.structured.json_ld_texts(*properties))


def meta(*names: str) -> Reader:
    """Return a reader of the values of some ``meta`` names."""
    return Reader(listed(names), lambda source: source.structured.metas(*names))


def json_ld_list(name: str) -> Reader:
    """Return a reader of the values of a JSON-LD property: a list, or a text with commas."""

    def read(source: MetadataSource) -> Iterator[Sourced[tuple[str, ...]]]:
        for item in source.structured.main_items:
            values = split_list(text_values(item.get(name)), whole=True)
            if values:
                yield Sourced(values, f"json-ld {name}")

    return Reader(f"JSON-LD `{name}`", read)


def meta_list(*names: str) -> Reader:
    """Return a reader of the values of some ``meta`` names: several elements, or one text with commas."""

    def read(source: MetadataSource) -> Iterator[Sourced[tuple[str, ...]]]:
        for name in names:
            values = split_list(source.structured.meta.get(name, []), whole=":" in name)
            if values:
                yield Sourced(values, meta_source(name))

    return Reader(listed(names), read)


def link_texts(rel: str) -> Reader:
    """Return a reader of the texts of links with a ``rel``."""

    def read(source: MetadataSource) -> Iterator[Sourced[tuple[str, ...]]]:
        page = source.structured.page
        texts = [" ".join(row_start(page, row).split()) for row in page.select(f"a[rel~='{rel}']")[:_MAX_LINKS]]
        if any(texts):
            yield Sourced(_each_once(texts), f"rel {rel}")

    return Reader(f"links with `rel={rel}`", read)


def meta_url(*names: str) -> Reader:
    """Return a reader of the values of some ``meta`` names as absolute URLs."""

    def read(source: MetadataSource) -> Iterator[Sourced[str]]:
        for value in source.structured.metas(*names):
            url = safe_url(value.value, source.base_url) if len(value.value) < MAX_VALUE_CHARS else None
            if url:
                yield Sourced(url, value.source)

    return Reader(listed(names), read)


def link_url(rel: str) -> Reader:
    """Return a reader of the URL of ``<link rel=…>``."""

    def read(source: MetadataSource) -> Iterator[Sourced[str]]:
        page = source.structured.page
        for row in page.select(f"link[rel~='{rel}' i][href]")[:1]:
            url = safe_url(page.attributes(row)["href"], source.base_url)
            if url:
                yield Sourced(url, f"link {rel}")

    return Reader(f"`link rel={rel}`", read)


def split_list(values: list[str], *, whole: bool = False) -> tuple[str, ...]:
    """Return the entries of lists of tags, which semicolons divide, else commas.

    If `whole`, each of several values is one entry, which may have a comma: "Trump, Donald J".

    >>> split_list(["tea, kettles"]), split_list(["Lee, Ann; tea"]), split_list(["Lee, Ann T"])
    (('tea', 'kettles'), ('Lee, Ann', 'tea'), ('Lee, Ann T',))
    >>> split_list(["Lee, Ann", "tea"], whole=True), split_list(["Lee, Ann", "tea"])
    (('Lee, Ann', 'tea'), ('Lee', 'Ann', 'tea'))
    """
    entries: list[str] = []
    for value in values:
        is_entry = (whole and len(values) > 1 and value.count(",") < 2) or _LAST_NAME_FIRST.fullmatch(value.strip())  # noqa: PLR2004 (more are a list)
        entries += value.split(";") if ";" in value else [value] if is_entry else value.split(",")
    return _each_once(" ".join(entry.split()) for entry in entries)


def _each_once(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, values)))[:_MAX_LIST_VALUES]


def listed(names: Iterable[str]) -> str:
    """Return names for the documentation.

    >>> listed(["a", "b"])
    '`a`, `b`'
    """
    return ", ".join(f"`{name}`" for name in names)


def urls_in(value: object, base: str | None, *keys: str) -> Iterator[str]:
    """Yield the URLs of a JSON-LD value: of strings, and of items under some keys.

    >>> list(urls_in([{"contentUrl": "a.mp4"}, "b.mp4"], "https://example.org/", "contentUrl"))
    ['https://example.org/a.mp4', 'https://example.org/b.mp4']
    """
    for entry in as_list(value):
        found = next((entry[key] for key in keys if entry.get(key)), None) if isinstance(entry, dict) else entry
        for text in as_list(found)[:1]:
            url = safe_url(text, base) if isinstance(text, str) and 0 < len(text) < MAX_VALUE_CHARS else None
            if url:
                yield url
