"""The loaders keep the conventions of their frameworks, with the real packages."""

import json
import logging
import re
import runpy
from pathlib import Path

import pytest

from tests.batch.pages import article

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PAGE = (
    '<html lang=en><head><title>Tea</title><meta name=author content="Ada Green">'
    '<meta name=keywords content="tea, pots">'
    '<link rel=canonical href="https://tea.example/brew"></head><body><nav><a href=/>Home</a></nav><main><h1>Tea</h1>'
    "<h2>Black</h2><p>" + "Warm the pot first, and use water just off the boil. " * 6 + "</p>"
    "<h2>Green</h2><p>"
    + "Let the water cool, and wait two minutes before you pour. " * 6
    + "</p></main></body></html>"
)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "tea.html").write_text(PAGE)
    (tmp_path / "pages" / "other.html").write_text(f"<html lang=en>{article(1)}")
    (tmp_path / "pages" / "empty.html").write_text("<p></p>")
    return tmp_path / "pages"


class TestLangChain:
    @pytest.fixture(autouse=True)
    def _framework(self):
        pytest.importorskip("langchain_core", reason="needs langchain-core")

    def test_loader_is_lazy_and_keeps_every_field(self, folder, caplog):
        from tamis.integrations.langchain import TamisLoader  # noqa: PLC0415 (needs the framework)

        with caplog.at_level(logging.WARNING):
            documents = list(TamisLoader(folder).lazy_load())
        by_source = {Path(document.metadata["source"]).name: document for document in documents}
        assert by_source.keys() == {"tea.html", "other.html"}
        assert "empty.html is left out" in caplog.text
        tea = by_source["tea.html"]
        assert tea.page_content.startswith("# Tea\n")
        assert tea.metadata["authors"] == ["Ada Green"]
        assert tea.metadata["tags"] == ["tea", "pots"]
        assert tea.metadata["language"] == "en"
        assert 0 < tea.metadata["confidence"] <= 1
        json.dumps(tea.metadata)  # plain values alone

    def test_chunks_have_a_limit_an_id_headings_and_their_place(self, folder):
        from tamis.integrations.langchain import TamisLoader  # noqa: PLC0415

        chunks = TamisLoader([folder / "tea.html"], max_tokens=100).load()
        assert len(chunks) >= 2
        assert all(chunk.metadata["tokens"] <= 100 for chunk in chunks)
        assert len({chunk.id for chunk in chunks}) == len(chunks)
        assert chunks[-1].metadata["headings"][-1] == "Green"
        start, stop = chunks[-1].metadata["start"], chunks[-1].metadata["stop"]
        assert "Let the water cool" in PAGE[start:stop]
        assert "Warm the pot" not in PAGE[start:stop]

    def test_transformer_takes_what_other_loaders_downloaded(self):
        from langchain_core.documents import Document  # noqa: PLC0415

        from tamis.integrations.langchain import TamisTransformer  # noqa: PLC0415

        given = [Document(PAGE, metadata={"source": "https://tea.example/x", "mine": 1}), Document("<p></p>")]
        (made,) = TamisTransformer().transform_documents(given)
        assert made.page_content.startswith("# Tea\n")
        assert made.metadata["mine"] == 1
        assert made.metadata["source"] == "https://tea.example/x"
        assert made.metadata["title"] == "Tea"

    def test_options_are_those_of_extract(self, folder):
        from tamis.errors import OptionError  # noqa: PLC0415
        from tamis.integrations.langchain import TamisLoader  # noqa: PLC0415

        (only,) = TamisLoader(folder / "tea.html", include="h2").load()
        assert "Warm the pot" not in only.page_content
        with pytest.raises((OptionError, TypeError)):
            TamisLoader(folder, extractor="no such extractor").load()


@pytest.mark.filterwarnings("ignore")  # of the framework
class TestLlamaIndex:
    @pytest.fixture(autouse=True)
    def _framework(self):
        pytest.importorskip("llama_index.core", reason="needs llama-index-core")

    def test_reader_makes_a_document_of_each_page(self, folder):
        from tamis.integrations.llama_index import TamisReader  # noqa: PLC0415

        documents = {
            Path(document.metadata["source"]).name: document for document in TamisReader().load_data([folder])
        }
        assert documents.keys() == {"tea.html", "other.html"}
        assert documents["tea.html"].metadata["authors"] == ["Ada Green"]
        assert documents["tea.html"].text.startswith("# Tea\n")

    def test_node_parser_keeps_our_chunks(self):
        from llama_index.core.schema import Document, NodeRelationship  # noqa: PLC0415

        import tamis  # noqa: PLC0415
        from tamis.integrations.llama_index import TamisNodeParser  # noqa: PLC0415

        page = Document(text=PAGE, metadata={"url": "https://tea.example/brew"})
        nodes = TamisNodeParser(max_tokens=100).get_nodes_from_documents([page])
        chunks = tamis.extract(PAGE, "https://tea.example/brew").chunks(100)
        assert [node.text for node in nodes] == [chunk.text for chunk in chunks]
        assert [node.node_id for node in nodes] == [chunk.id for chunk in chunks]
        assert nodes[0].relationships[NodeRelationship.SOURCE].node_id == page.node_id
        assert nodes[1].relationships[NodeRelationship.PREVIOUS].node_id == nodes[0].node_id
        assert nodes[1].metadata["headings"][-1] == "Green"


@pytest.mark.filterwarnings("ignore")  # of the framework
class TestHaystack:
    @pytest.fixture(autouse=True)
    def _framework(self):
        pytest.importorskip("haystack", reason="needs haystack-ai")

    def test_component_runs_in_a_pipeline_that_is_saved(self, folder):
        from haystack import Pipeline  # noqa: PLC0415
        from haystack.dataclasses import ByteStream  # noqa: PLC0415

        from tamis.integrations.haystack import TamisConverter  # noqa: PLC0415

        pipeline = Pipeline()
        pipeline.add_component("pages", TamisConverter(max_tokens=100, extraction_kwargs={"favor": "recall"}))
        again = TamisConverter.from_dict(TamisConverter(max_tokens=100).to_dict())
        assert again.max_tokens == 100
        stream = ByteStream(PAGE.encode(), meta={"url": "https://tea.example/brew"})
        sources = [folder / "tea.html", stream, folder / "empty.html"]
        documents = pipeline.run({"pages": {"sources": sources, "meta": {"mine": 1}}})["pages"]["documents"]
        assert len(documents) >= 4
        assert all(document.meta["mine"] == 1 for document in documents)
        assert all(document.meta["authors"] == ["Ada Green"] for document in documents)
        assert documents[-1].meta["url"] == "https://tea.example/brew"


def test_framework_that_is_missing_is_named(monkeypatch):
    import importlib  # noqa: PLC0415
    import sys  # noqa: PLC0415

    from tamis.errors import MissingExtraError  # noqa: PLC0415

    for name in ("langchain_core", "langchain_core.document_loaders", "langchain_core.documents"):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, "tamis.integrations.langchain", raising=False)
    with pytest.raises(MissingExtraError, match="pip install langchain-core"):
        importlib.import_module("tamis.integrations.langchain")


@pytest.mark.filterwarnings("ignore")  # of the frameworks
def test_code_of_the_guide_runs(monkeypatch):
    for name in ("langchain_core", "llama_index.core", "haystack"):
        pytest.importorskip(name)
    monkeypatch.chdir(ROOT)
    names = {"html": PAGE, "url": "https://tea.example/brew"}
    blocks = re.findall(
        r"```python\n(?!>>>)(.*?)```", (ROOT / "docs/guides/retrieval.md").read_text("utf-8"), re.DOTALL
    )
    assert len(blocks) == 3
    for block in blocks:
        exec(compile(block, "docs/guides/retrieval.md", "exec"), names)
        assert names.pop("documents", names.get("nodes"))
    assert len(names["pages"]) > 3


def test_retrieval_finds_and_cites_the_answer(tmp_path):
    duckdb = pytest.importorskip("duckdb", reason="needs duckdb")
    pytest.importorskip("wordllama", reason="needs wordllama")
    example = runpy.run_path(str(ROOT / "examples" / "retrieval.py"))
    model, database = example["load_model"](), duckdb.connect(str(tmp_path / "index.duckdb"))
    sources = [str(ROOT / "examples" / "pages")]
    count = example["index"](database, model, sources)
    assert example["index"](database, model, sources) == count  # ids are stable: rows are replaced
    assert database.execute("SELECT count(*) FROM chunks").fetchone() == (count,)
    title, page, start, stop, text, score = example["search"](database, model, "How hot should the water be?")[0]
    assert title == "How to brew tea"
    assert "95 °C" in text
    source = Path(page).read_text("utf-8")
    assert "95 °C" in source[start:stop].replace("&nbsp;", " ").replace("\xa0", " ")
    assert 0 < score <= 1
