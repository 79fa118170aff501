"""What everything that runs a batch has in common: the same rows, in the same order, whatever a page does.

`make test` runs the local pool, the iterator, the job function and Spark; `make test-engines` runs Ray and DataTrove.
"""

import pytest

from tamis.api.options import Options
from tamis.batch import Record, RowOptions
from tamis.batch.job import JobOptions
from tamis.batch.rows import make_row
from tests.batch.hostile import Hostile
from tests.batch.pages import SENTENCES, article, gzipped, html_response
from tests.batch.runners import RUNNERS
from tests.needs import skip_without

pytestmark = [
    pytest.mark.slow,  # processes, and engines
    pytest.mark.filterwarnings("default"),  # engines warn about themselves
]

COLUMNS = ("title", "text", "page_type", "confidence", "words")
OPTIONS = JobOptions(RowOptions(COLUMNS, max_bytes=25_000_000), wall_timeout=120)
BAD = {
    "nothing": "",
    "spaces": " \n ",
    "image": b"\x89PNG\r\n\x1a\n" + bytes(range(256)),
    "zeros": bytes(1000),
    "unclosed": "<table><tr><td><p><b>tea",
    "deep": "<div>" * 3000 + "tea",
    "empty paragraph": "<p></p>",
    "script": "<script>document.write('tea')</script>",
}


def page(name, html):
    return {"id": name, "url": f"https://example.org/{name.replace(' ', '-')}", "html": html}


def large_page():
    """Return a page of 20 MB. Its paragraphs begin and end differently: copies are no content."""
    text = " ".join(SENTENCES * 250)
    count = 20_000_000 // (len(text) + 60)
    paragraphs = (f"<p>In the year {number} they said: {text} So it was in {number}.</p>" for number in range(count))
    return "<title>Large</title><main>" + "".join(paragraphs) + "</main>"


@pytest.fixture(scope="module")
def pages():
    articles = [page(f"article {number}", article(number)) for number in range(24)]
    articles[5]["html"] = "<p>Größe und Maße, die zählen, sind 3 m² und 5 µm.</p>".encode("latin-1").decode("latin-1")
    articles[6]["url"] = None
    bad = [page(name, html) for name, html in BAD.items()]
    too_large = page("too large", "<p>tea</p>" + " " * 25_000_000)
    return [*articles[:12], *bad, page("large", large_page()), too_large, *articles[12:]]


@pytest.fixture(scope="module", params=RUNNERS)
def runner(request, tmp_path_factory):
    if request.param == "spark":
        yield request.getfixturevalue("spark")
        return
    if request.param in {"ray", "datatrove"}:
        skip_without(request.param)
    made = RUNNERS[request.param](tmp_path_factory.mktemp(request.param))
    yield made
    if hasattr(made, "close"):
        made.close()


@pytest.fixture(scope="module")
def rows(runner, pages):
    return runner.rows(pages, OPTIONS)


@pytest.fixture(scope="module")
def expected(pages):
    records = (Record(each["id"], each["url"], each["html"]) for each in pages)
    return [make_row(record, OPTIONS.rows) for record in records]


def test_every_page_has_its_row_in_order(rows, expected):
    assert [row["id"] for row in rows] == [row["id"] for row in expected]
    assert [row["url"] for row in rows] == [row["url"] for row in expected]


def test_rows_are_those_of_one_page_at_a_time(rows, expected, runner):
    decoded = {"image", "zeros"} if runner.text_only else set()  # their bytes are no text
    for row, wanted in zip(rows, expected, strict=True):
        if row["id"] not in decoded:
            assert row == wanted


def test_bad_pages_are_rows(rows):
    found = {row["id"]: row["status"] for row in rows}
    assert BAD.keys() <= found.keys()
    assert set(found.values()) == {"ok", "empty", "not_html", "too_large"}
    assert found["nothing"] == found["script"] == "empty"


def test_page_of_20_mb(rows):
    (row,) = [row for row in rows if row["id"] == "large"]
    assert row["status"] == "ok"
    assert len(row["text"]) > 5_000_000


def test_rows_have_the_columns_of_the_schema(rows):
    types = {"confidence": float, "words": int}
    for row in rows:
        assert list(row) == ["id", "url", "status", "error", *COLUMNS]
        assert all(value is None or isinstance(value, types.get(name, str)) for name, value in row.items())


@pytest.mark.parametrize("runner", [name for name, kind in RUNNERS.items() if kind.types], indirect=True)
def test_arrow_schema(runner):
    assert runner.types([page("a", article(1))], OPTIONS) == {
        "id": "string", "url": "string", "status": "string", "error": "string", "title": "string", "text": "string",
        "page_type": "string", "confidence": "double", "words": "int64",
    }  # fmt: skip


def test_no_pages_no_rows(runner):
    assert runner.rows([], OPTIONS) == []


@pytest.mark.parametrize("runner", [name for name, kind in RUNNERS.items() if kind.read], indirect=True)
def test_paths_of_archives_are_read_where_the_pages_are_extracted(runner, tmp_path):
    paths = [tmp_path / f"{name}.warc.gz" for name in "ab"]
    for number, path in enumerate(paths):
        path.write_bytes(gzipped(*(html_response(5 * number + k) for k in range(5))))
    rows = runner.read(paths, OPTIONS)
    assert [(row["id"], row["title"], row["status"]) for row in rows] == [
        (f"{'ab'[number // 5]}.warc.gz/urn:test:https://example.org/{number}", f"Page {number}", "ok")
        for number in range(10)
    ]


def test_page_that_ends_its_process_and_one_that_hangs_lose_no_other_row(runner):
    words = {3: "crash now", 7: "hang now", 9: "raise now"}
    pages = [page(str(number), f"<p>{words.get(number, 'fine')}, page {number}.") for number in range(14)]
    options = JobOptions(RowOptions(COLUMNS, Options(extractor=Hostile())), wall_timeout=20)
    rows = runner.rows(pages, options)
    assert [row["id"] for row in rows] == [str(number) for number in range(14)]
    assert {int(row["id"]): row["status"] for row in rows if row["status"] != "ok"} == {
        3: "crash", 7: "timeout", 9: "error"
    }  # fmt: skip
    assert rows[13]["text"] == "fine, page 13."
    assert "exit code 7" in rows[3]["error"]
