"""LangChain: a lazy loader of pages, and a transformer of documents with HTML (``pip install langchain-core``)."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tamis.api import Options
from tamis.errors import MissingExtraError
from tamis.integrations.documents import Texts, sources_of

try:
    from langchain_core.document_loaders import BaseLoader
    from langchain_core.documents import BaseDocumentTransformer, Document
except ImportError as error:
    raise MissingExtraError("langchain-core is not installed; add it with: pip install langchain-core") from error

__all__ = ["TamisLoader", "TamisTransformer"]


class TamisLoader(BaseLoader):
    r"""Loads files, folders, archives and URLs. Pages without content are left out.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "tea.html").write_text("<title>Tea</title><p>Warm the pot, and wait. Then pour it.")
    ...     [document] = TamisLoader(folder).load()
    >>> document.page_content, Path(document.metadata["source"]).name
    ('# Tea\n\nWarm the pot, and wait. Then pour it.', 'tea.html')

    Args:
        sources: one or several files, folders, archives (WARC, zip …) and URLs.
        max_tokens: the size of a chunk; None makes one document of each page.
        overlap: how many tokens of a chunk the next one repeats.
        options: the keywords of `tamis.extract`.
    """

    def __init__(
        self,
        sources: str | Path | Sequence[str | Path],
        *,
        max_tokens: int | None = None,
        overlap: int = 0,
        **options: Any,  # noqa: ANN401 (those of `tamis.extract`, which Options checks)
    ) -> None:
        self.sources = sources_of(sources)
        self._texts = Texts(Options(**options), max_tokens, overlap)

    def lazy_load(self) -> Iterator[Document]:
        """Yield documents of Markdown, with what is known about their page as metadata."""
        for text in self._texts.read(self.sources):
            yield Document(text.content, id=text.id, metadata=text.metadata)


class TamisTransformer(BaseDocumentTransformer):
    """Makes Markdown, or chunks, of documents that contain HTML; what other loaders downloaded, for example.

    Args:
        max_tokens: the size of a chunk; None makes one document of each page.
        overlap: how many tokens of a chunk the next one repeats.
        options: the keywords of `tamis.extract`.
    """

    def __init__(self, *, max_tokens: int | None = None, overlap: int = 0, **options: Any) -> None:  # noqa: ANN401
        self._texts = Texts(Options(**options), max_tokens, overlap)

    def transform_documents(self, documents: Sequence[Document], **_: Any) -> Sequence[Document]:  # noqa: ANN401
        """Return the documents of the content. The metadata of a document stays, and wins."""
        return [
            Document(text.content, id=text.id, metadata=text.metadata | document.metadata)
            for document in documents
            for text in self._texts.of_page(document.page_content, _url(document.metadata))
        ]


def _url(metadata: dict[str, Any]) -> str | None:
    """Return the URL of a document, as LangChain's loaders name it."""
    source = str(metadata.get("url") or metadata.get("source") or "")
    return source if source.startswith(("http://", "https://")) else None
