"""`extract_many` in threads and processes, and its rows as data frames."""

import subprocess
import sys
import threading
from pathlib import Path

import pyarrow as pa
import pytest

import tamis
from tamis.batch import RowOptions
from tamis.batch.rows import DEFAULT_COLUMNS, FIRST_COLUMNS
from tamis.errors import OptionError
from tests.batch.pages import article

PAGES = [article(number) for number in range(30)]
SCRIPT = """
import tamis
pages = ["<p>Boil the water, and wait. Then pour it over.</p>"] * 3
print([row["status"] for row in tamis.extract_many(pages, workers=2, processes={processes})])
"""


@pytest.mark.slow
@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize("workers", [None, 0, 1, 5])
def test_threads_give_what_one_gives(workers, ordered):
    rows = list(tamis.extract_many(PAGES, workers=workers, ordered=ordered))
    expected = list(tamis.extract_many(PAGES, workers=0))
    assert (rows if ordered else sorted(rows, key=lambda row: int(row["id"]))) == expected


def test_pages_are_taken_as_rows_are():
    taken = 0

    def pages():
        nonlocal taken
        for page in PAGES:
            taken += 1
            yield page

    rows = tamis.extract_many(pages(), workers=2)
    next(rows)
    assert taken <= 8
    rows.close()
    assert not any(thread.name.startswith("tamis-extract") for thread in threading.enumerate())


@pytest.mark.parametrize("values", [{"wall_timeout": 1}, {"max_memory": 10**9}, {"workers": -1}])
def test_what_threads_cannot_do_is_told(values):
    with pytest.raises(OptionError, match=r"processes"):
        tamis.extract_many(["<p>"], **values)


@pytest.mark.slow
@pytest.mark.parametrize("processes", [False, True])
def test_a_script_without_ceremony(tmp_path, processes):
    (tmp_path / "script.py").write_text(SCRIPT.format(processes=processes))
    environment = {"PYTHONPATH": str(Path(tamis.__file__).parents[1])}
    command = [sys.executable, tmp_path / "script.py"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if not processes:
        assert (done.stdout, done.stderr) == ("['ok', 'ok', 'ok']\n", "")
        return
    assert done.returncode == 1
    assert done.stderr.count("Traceback") == 1  # that of the script itself, and none of its worker processes
    assert 'a script needs `if __name__ == "__main__":`' in done.stderr.splitlines()[-1]


def test_table_of_rows_and_of_extractions_is_the_same():
    rows = tamis.to_arrow(tamis.extract_many(PAGES[:3]))
    extractions = tamis.to_arrow(map(tamis.extract, PAGES[:3]))
    assert rows.equals(extractions)
    assert rows.column_names == [*FIRST_COLUMNS, *DEFAULT_COLUMNS]
    assert rows.schema.field("words").type == pa.int64()
    assert tamis.to_arrow([]).column_names == rows.column_names


def test_columns_of_a_table():
    options = RowOptions(("markdown", "authors"))
    table = tamis.to_arrow(tamis.extract_many(PAGES[:1], options=options))
    assert table.column_names == [*FIRST_COLUMNS, "markdown", "authors"]
    table = tamis.to_arrow([tamis.extract(PAGES[0])], columns=("title", "date"))
    assert table.column_names == [*FIRST_COLUMNS, "title", "date"]
    with pytest.raises(OptionError, match="not str"):
        tamis.to_arrow(["<p>"])
