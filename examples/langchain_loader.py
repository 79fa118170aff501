"""A LangChain document loader: pages become documents, or chunks of a size that a model can read.

    pip install tamis langchain-core
    python examples/langchain_loader.py crawl/ --max-tokens 300

LangChain's own tools take it from there: ``InMemoryVectorStore.from_documents(TamisLoader(["crawl/"]).load(), …)``.
"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from langchain_core.document_loaders import BaseLoader
from langchain_core.documents import Document

import tamis


class TamisLoader(BaseLoader):
    """Loads files, folders and URLs. Pages without content are left out."""

    def __init__(self, sources: Sequence[str], max_tokens: int | None = None) -> None:
        """Name the pages.

        Args:
            sources: files, folders (all .html files in them and below) and URLs.
            max_tokens: the size of a chunk; None makes one document of each page.
        """
        self.sources, self.max_tokens = sources, max_tokens

    def lazy_load(self) -> Iterator[Document]:
        """Yield documents of Markdown, with what is known about their page as metadata."""
        for name, extraction in self._extractions():
            known = {name: value for name, value in extraction.metadata.as_dict().items() if isinstance(value, str)}
            metadata = known | {"source": name, "confidence": extraction.confidence}
            if self.max_tokens is None:
                yield Document(extraction.markdown, metadata=metadata)
                continue
            for chunk in extraction.chunks(self.max_tokens):
                yield Document(chunk.text, metadata=metadata | {"headings": list(chunk.headings)})

    def _extractions(self) -> Iterator[tuple[str, tamis.Extraction]]:
        for source in self.sources:
            if source.startswith(("http://", "https://")):
                pages = [(source, tamis.extract(tamis.fetch(source)))]
            else:
                path = Path(source)
                files = sorted(path.rglob("*.html")) if path.is_dir() else [path]
                pages = [(str(file), tamis.extract(file.read_bytes())) for file in files]
            yield from (page for page in pages if page[1])


def main() -> None:
    """Print the documents of the pages that are named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", nargs="+")
    parser.add_argument("--max-tokens", type=int)
    options = parser.parse_args()
    for document in TamisLoader(options.sources, options.max_tokens).lazy_load():
        print(document.model_dump_json())


if __name__ == "__main__":
    main()
