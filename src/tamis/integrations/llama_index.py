"""LlamaIndex: a reader of pages, and a node parser that keeps Tamis's chunks (``pip install llama-index-core``)."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tamis.api import Options
from tamis.errors import MissingExtraError
from tamis.integrations.documents import Texts, sources_of

try:
    from llama_index.core.bridge.pydantic import Field
    from llama_index.core.node_parser import NodeParser
    from llama_index.core.node_parser.node_utils import build_nodes_from_splits
    from llama_index.core.readers.base import BaseReader
    from llama_index.core.schema import BaseNode, Document, MetadataMode
except ImportError as error:
    raise MissingExtraError("llama-index-core is not installed; add it with: pip install llama-index-core") from error

__all__ = ["TamisNodeParser", "TamisReader"]


class TamisReader(BaseReader):
    """Reads files, folders, archives and URLs: one document of Markdown for each page.

    Args:
        options: the keywords of `tamis.extract`.
    """

    def __init__(self, **options: Any) -> None:  # noqa: ANN401 (those of `tamis.extract`, which Options checks)
        self._texts = Texts(Options(**options))

    def lazy_load_data(self, sources: str | Path | Sequence[str | Path]) -> Iterator[Document]:
        """Yield the documents of some sources. Pages without content are left out."""
        for text in self._texts.read(sources_of(sources)):
            yield Document(text=text.content, id_=text.id, metadata=text.metadata)


class TamisNodeParser(NodeParser):
    """Makes a node of each chunk of documents that contain HTML.

    The chunks are those of `Extraction.chunks`: no heading without its text, tables with their header, and the place
    of each in the source.
    """

    max_tokens: int = Field(default=300, description="The size of a chunk.")
    overlap: int = Field(default=0, description="How many tokens of a chunk the next one repeats.")

    @classmethod
    def class_name(cls) -> str:
        """Return the name by which LlamaIndex stores the parser."""
        return "TamisNodeParser"

    def _parse_nodes(
        self,
        nodes: Sequence[BaseNode],
        show_progress: bool = False,  # noqa: ARG002, FBT001, FBT002 (LlamaIndex calls it so)
        **_: Any,  # noqa: ANN401
    ) -> list[BaseNode]:
        texts = Texts(max_tokens=self.max_tokens, overlap=self.overlap)
        made: list[BaseNode] = []
        for node in nodes:
            url = node.metadata.get("url")
            for text in texts.of_page(node.get_content(metadata_mode=MetadataMode.NONE), url):
                (chunk,) = build_nodes_from_splits([text.content], node, id_func=lambda *_, name=text.id: name)
                chunk.metadata = text.metadata
                made.append(chunk)
        return made
