"""DataTrove: documents that are dropped, and the example pipeline with filters and deduplication."""

import gzip
import json
import runpy

import pytest

from tamis.batch import RowOptions
from tamis.batch.datatrove import Tamis
from tamis.batch.job import JobOptions
from tamis.errors import OptionError
from tests.batch.pages import MENU, article, gzipped, response
from tests.batch.runners import ROOT, documented_code, set_python_path

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("default")]  # DataTrove warns about itself
pytest.importorskip("datatrove", reason="datatrove is not installed: see `make test-engines`")

STORIES = [
    """The miller had three sons, and when he died the eldest took the mill, the second took the donkey and the third
    had nothing but the cat. He sat down by the road and thought that his brothers could live well together, but that
    he would have to starve as soon as he had eaten his cat and made a pair of gloves of its skin.""",
    """A loaf needs four things and a good deal of time. Mix the flour with most of the water and let it rest an hour.
    Add the salt and the rest of the water, fold the dough every thirty minutes until it holds its shape, and put it
    in a cold place for the night. In the morning heat the oven until the stone has been hot for most of an hour.""",
    """The harbour was built when ships still had sails, and its walls are too narrow for those that come now. Twice a
    day the tide leaves the inner basin dry. The town has asked for money to dig it out, and has been told each year
    that there is none, so that the fishermen go out when the water lets them and sleep when it does not.""",
]


def story(number, prefix=""):
    text = "".join(f"<p>{part}</p>" for part in STORIES[number].split(". "))
    return f"<title>Story {number}</title>{MENU}<main><h1>Story {number}</h1>{prefix}{text}</main>"


def read(folder):
    lines = [
        line
        for path in sorted(folder.rglob("*.jsonl.gz"))
        for line in gzip.decompress(path.read_bytes()).splitlines()
    ]
    return [json.loads(line) for line in lines]


def test_documents_without_text_are_dropped_and_written_with_their_status(tmp_path):
    from datatrove.data import Document  # noqa: PLC0415 (an extra)
    from datatrove.pipeline.writers import JsonlWriter  # noqa: PLC0415 (an extra)

    pages = {"a": article(1), "empty": "<p></p>", "large": "<p>tea" + " " * 3000, "b": article(2)}
    step = Tamis(
        JobOptions(RowOptions(("markdown", "title", "confidence"), max_bytes=2900)),
        exclusion_writer=JsonlWriter(str(tmp_path)),
    )
    documents = (
        Document(html, name, metadata={"url": f"https://example.org/{name}"}) for name, html in pages.items()
    )
    kept = list(step.run(documents))
    assert [document.id for document in kept] == ["a", "b"]
    assert kept[0].text.startswith("# Page 1")
    assert kept[0].metadata["title"] == "Page 1"
    assert 0 <= kept[0].metadata["confidence"] <= 1
    assert "status" not in kept[0].metadata
    assert [(each["id"], each["metadata"]["status"]) for each in read(tmp_path)] == [
        ("empty", "empty"), ("large", "too_large")
    ]  # fmt: skip
    assert step.stats["total"].total == 4
    assert step.stats["dropped_too_large"].total == 1


def test_one_page_in_this_process():
    assert "page 1, part 0" in Tamis().extract(article(1))


def test_options_without_text_are_refused():
    with pytest.raises(OptionError, match="needs the column"):
        Tamis(JobOptions(RowOptions(("title",))))


def test_pipeline_of_the_document_runs(tmp_path, monkeypatch):
    from datatrove.executor import LocalPipelineExecutor  # noqa: PLC0415 (an extra)

    monkeypatch.chdir(tmp_path)
    set_python_path()
    (tmp_path / "crawl").mkdir()
    html = {"Content-Type": "text/html; charset=utf-8"}
    pages = [story(0), "<!DOCTYPE html><html><p></p>"]
    records = [response(f"https://a.org/{k}", page.encode(), html) for k, page in enumerate(pages)]
    (tmp_path / "crawl" / "a.warc.gz").write_bytes(gzipped(*records))
    names = {}
    exec(compile(documented_code("DataTrove"), "docs/guides/cluster.md", "exec"), names)
    LocalPipelineExecutor(names["pipeline"], logging_dir=str(tmp_path / "logs")).run()
    assert [each["metadata"]["title"] for each in read(tmp_path / "documents")] == ["Story 0"]
    assert [each["metadata"]["status"] for each in read(tmp_path / "dropped")] == ["empty"]


def test_example_extracts_filters_and_removes_near_duplicates(tmp_path):
    set_python_path()
    (tmp_path / "crawl").mkdir()
    html = {"Content-Type": "text/html; charset=utf-8"}
    pages = [
        [story(0), story(1), "<!DOCTYPE html><html><p></p>"],
        [story(2), story(0, "<p>Seen on the coast.</p>"), "<!DOCTYPE html><html><p>Too short."],
    ]
    for name, each in zip("ab", pages, strict=True):
        records = [response(f"https://{name}.org/{k}", page.encode(), html) for k, page in enumerate(each)]
        (tmp_path / "crawl" / f"{name}.warc.gz").write_bytes(gzipped(*records))
    example = runpy.run_path(str(ROOT / "examples" / "datatrove_pipeline.py"))
    example["main"](str(tmp_path / "crawl"), str(tmp_path / "corpus"), 2)
    documents = read(tmp_path / "corpus" / "documents")
    assert sorted(document["metadata"]["title"] for document in documents) == ["Story 0", "Story 1", "Story 2"]
    assert all("Menu" not in document["text"] for document in documents)
    dropped = {folder.name: len(read(folder)) for folder in (tmp_path / "corpus" / "dropped").iterdir()}
    assert dropped["duplicates"] == 1
    assert sum(dropped.values()) == 3
