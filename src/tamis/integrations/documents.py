"""Pages as texts with metadata: what the loaders of all frameworks share."""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from tamis.api import Extraction, Options
from tamis.api.extraction import extract_with
from tamis.page.parse import known_encoding
from tamis.sources.files import read_file
from tamis.sources.readers import read_records

__all__ = ["Text", "Texts", "sources_of"]

LOG: Final = logging.getLogger("tamis.integrations")  # as the frameworks report what their loaders leave out


@dataclass(frozen=True, slots=True)
class Text:
    """A page or a chunk of one.

    Attributes:
        id: the same for the same text of the same page.
        content: Markdown.
        metadata: what is known, as plain values: the fields of the page's metadata, ``source``, ``url``,
            ``page_type`` and ``confidence``; of a chunk also ``chunk_id``, ``index``, ``headings``, ``tokens``, and
            ``start`` and ``stop``, its place in the source of the page.
    """

    id: str
    content: str
    metadata: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Texts:
    """How pages become texts.

    Args:
        options: how the content is selected.
        max_tokens: the size of a chunk; None makes one text of each page.
        overlap: how many tokens of a chunk the next one repeats.
    """

    options: Options = field(default_factory=Options)
    max_tokens: int | None = None
    overlap: int = 0

    def read(self, sources: Sequence[str]) -> Iterator[Text]:
        """Yield the texts of files, folders, archives and URLs.

        Pages without content, and pages that cannot be read, are left out; the log says which, and why.
        """
        for record in read_records(sources):
            if record.error is not None:
                LOG.warning("%s is left out: %s", record.id, record.error)
                continue
            body = record.body if record.body is not None else read_file(Path(str(record.path)))
            yield from self.of_page(body, record.url, record.path or record.id, record.encoding)

    def of_page(
        self, html: str | bytes, url: str | None = None, source: str = "", encoding: str | None = None
    ) -> Iterator[Text]:
        """Yield the texts of one page.

        >>> page = "<title>Tea</title><p>Warm the pot first. Use water just off the boil, and wait.</p>"
        >>> (text,) = Texts(max_tokens=100).of_page(page, "https://example.org/tea")
        >>> text.metadata["title"], text.metadata["headings"], page[text.metadata["start"]:][:11]
        ('Tea', ['Tea'], 'Warm the po')
        """
        options = self.options.replace(encoding=known_encoding(encoding)) if encoding else self.options
        extraction = extract_with(html, url, options)
        if not extraction:
            LOG.warning("%s is left out: %s", source or url or "a page", extraction.empty_reason)
            return
        metadata = _metadata(extraction, source or url or "")
        if self.max_tokens is None:
            yield Text(source or url or "", extraction.markdown, metadata)
            return
        for chunk in extraction.chunks(self.max_tokens, overlap=self.overlap):
            start, stop = chunk.span
            place = {"start": start, "stop": stop} if start >= 0 else {}
            values = {"chunk_id": chunk.id, "index": chunk.index, "tokens": chunk.tokens}
            yield Text(chunk.id, chunk.text, metadata | values | {"headings": list(chunk.headings)} | place)


def sources_of(sources: str | Path | Sequence[str | Path]) -> list[str]:
    """Return one or several sources as a list of names."""
    return [str(sources)] if isinstance(sources, (str, Path)) else [str(source) for source in sources]


def _metadata(extraction: Extraction, source: str) -> dict[str, Any]:
    values = {**extraction.metadata.as_dict(), "source": source, "confidence": extraction.confidence}
    values = {"url": extraction.url, "page_type": extraction.page_type} | values
    values.pop("sources")  # where each field was read; `Extraction.metadata` has it
    return {name: value for name, value in values.items() if value not in (None, [], ())}
