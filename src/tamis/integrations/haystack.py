"""Haystack: a component that converts pages to documents (``pip install haystack-ai``)."""

from pathlib import Path
from typing import Any

from tamis.api import Options
from tamis.errors import MissingExtraError
from tamis.integrations.documents import Texts

try:
    from haystack import Document, component, default_from_dict, default_to_dict
    from haystack.components.converters.utils import get_bytestream_from_source, normalize_metadata
    from haystack.dataclasses import ByteStream
except ImportError as error:
    raise MissingExtraError("haystack-ai is not installed; add it with: pip install haystack-ai") from error

__all__ = ["TamisConverter"]


@component
class TamisConverter:
    """Converts HTML to documents of Markdown; it takes the place of ``HTMLToDocument`` in a pipeline.

    Args:
        max_tokens: the size of a chunk; None makes one document of each page.
        overlap: how many tokens of a chunk the next one repeats.
        extraction_kwargs: the keywords of `tamis.extract`.
    """

    def __init__(
        self, max_tokens: int | None = None, overlap: int = 0, extraction_kwargs: dict[str, Any] | None = None
    ) -> None:
        self.max_tokens, self.overlap, self.extraction_kwargs = max_tokens, overlap, extraction_kwargs or {}
        self._texts = Texts(Options(**self.extraction_kwargs), max_tokens, overlap)

    def to_dict(self) -> dict[str, Any]:
        """Return the component as plain values, for pipelines that are saved."""
        values = {"max_tokens": self.max_tokens, "overlap": self.overlap}
        return dict(default_to_dict(self, **values, extraction_kwargs=self.extraction_kwargs))

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "TamisConverter":
        """Make the component again from plain values."""
        made: TamisConverter = default_from_dict(cls, data)
        return made

    @component.output_types(documents=list[Document])
    def run(
        self, sources: list[str | Path | ByteStream], meta: dict[str, Any] | list[dict[str, Any]] | None = None
    ) -> dict[str, list[Document]]:
        """Convert files and byte streams. Pages without content give no document.

        Args:
            sources: paths, or byte streams as ``LinkContentFetcher`` gives them.
            meta: metadata for all documents, or one mapping for each source.
        """
        documents = []
        for source, given in zip(sources, normalize_metadata(meta=meta, sources_count=len(sources)), strict=True):
            stream = get_bytestream_from_source(source=source)
            known = {**stream.meta, **given}
            texts = self._texts.of_page(stream.data, known.get("url"), str(known.get("file_path", "")))
            documents += [Document(content=text.content, meta=text.metadata | known) for text in texts]
        return {"documents": documents}
