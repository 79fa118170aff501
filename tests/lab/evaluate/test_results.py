import json

import pyarrow.parquet
import pytest

from tamis.errors import OptionError, SourceError
from tamis.lab.evaluate.run import Result, ResultFile

RESULTS = [
    Result(
        "news", "1", "a", page_type="article", site="x.example", scores={"words.f1": 0.5}, cpu_ms=4.0, parse_ms=2.0
    ),
    Result("news", "2", "b", scores={"words.f1": 0.0}, error="took its process down"),
    Result("ニュース", "3", "a", scores={"snippets.score": 0.5}, text="お茶", gold="お茶"),
]


@pytest.mark.parametrize("name", ["r.jsonl", "r.parquet"])
def test_file_has_a_row_for_each_result(tmp_path, name):
    with ResultFile(tmp_path / name) as file:
        for result in RESULTS:
            file.write(result)
    path = tmp_path / name
    lines = path.read_text("utf-8").splitlines() if name == "r.jsonl" else []
    rows = list(map(json.loads, lines)) or pyarrow.parquet.read_table(path).to_pylist()
    written = [{key: value for key, value in row.items() if value is not None} for row in rows]
    assert written == [{key: value for key, value in each.to_row().items() if value is not None} for each in RESULTS]


def test_result_file_rejects_other_suffixes_and_unwritable_paths(tmp_path):
    with pytest.raises(OptionError, match=r"not to r\.csv"):
        ResultFile(tmp_path / "r.csv")
    with pytest.raises(SourceError, match="cannot write"):
        ResultFile(tmp_path / "no/r.jsonl")
