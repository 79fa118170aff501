"""Answer questions about a folder of pages, and cite where each answer stands.

    pip install tamis duckdb wordllama
    python examples/retrieval.py crawl/ "How long does green tea take?"

Tamis makes chunks, wordllama (whose weights are in its package) embeds them, DuckDB keeps and searches them. Nothing
is downloaded while it runs.
"""

import argparse
import sys
from pathlib import Path

import duckdb
import wordllama

from tamis.integrations.documents import Texts

SIZE = 256  #: the dimensions of wordllama's vectors
CREATE = f"""
    CREATE TABLE IF NOT EXISTS chunks (
        id VARCHAR PRIMARY KEY, source VARCHAR, url VARCHAR, title VARCHAR, start BIGINT, stop BIGINT, text VARCHAR,
        vector FLOAT[{SIZE}]
    )
"""
SEARCH = f"""
    SELECT title, coalesce(url, source), start, stop, text, array_cosine_similarity(vector, ?::FLOAT[{SIZE}]) AS score
    FROM chunks ORDER BY score DESC, id LIMIT ?
"""  # noqa: S608 (nothing but the size is put in)


def load_model() -> wordllama.WordLlama:
    """Return the model; its files are in the package."""
    return wordllama.WordLlama.load(cache_dir=Path(wordllama.__file__).parent, disable_download=True)


def index(database: duckdb.DuckDBPyConnection, model: wordllama.WordLlama, sources: list[str]) -> int:
    """Add the chunks of some pages; return how many there are. A chunk that is there already is replaced."""
    database.execute(CREATE)
    texts = list(Texts(max_tokens=200, overlap=20).read(sources))
    vectors = model.embed([text.content for text in texts], norm=True) if texts else []
    for text, vector in zip(texts, vectors, strict=True):
        known = [text.metadata.get(name) for name in ("source", "url", "title", "start", "stop")]
        row = [text.id, *known, text.content, vector.tolist()]
        database.execute("INSERT OR REPLACE INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
    return len(texts)


def search(
    database: duckdb.DuckDBPyConnection, model: wordllama.WordLlama, question: str, limit: int = 3
) -> list[tuple[str, str, int, int, str, float]]:
    """Return the best chunks: title, URL or file, place in its source, text, similarity."""
    return database.execute(SEARCH, [model.embed([question], norm=True)[0].tolist(), limit]).fetchall()


def main() -> None:
    """Index the pages and answer the question."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", nargs="+", help="files, folders, archives or URLs, then the question")
    parser.add_argument("--database", default=":memory:", help="a file, to keep the index")
    options = parser.parse_args()
    *sources, question = options.sources
    database, model = duckdb.connect(options.database), load_model()
    if not index(database, model, sources):
        sys.exit("no page has content")
    for title, page, start, stop, text, score in search(database, model, question):
        print(f"{score:.2f}  {title}  <{page}> characters {start} to {stop}\n{text}\n")


if __name__ == "__main__":
    main()
