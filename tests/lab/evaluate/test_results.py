import pytest

from tamis.errors import OptionError, SourceError
from tamis.lab.evaluate.run import Result, ResultFile, read_results

RESULTS = [
    Result(
        "news", "1", "a", page_type="article", site="x.example", scores={"words.f1": 0.5}, cpu_ms=4.0, parse_ms=2.0
    ),
    Result("news", "2", "b", scores={"words.f1": 0.0}, error="took its process down"),
    Result("ニュース", "3", "a", scores={"snippets.score": 0.5}, text="お茶", gold="お茶"),
]


@pytest.mark.parametrize("name", ["r.jsonl", "r.parquet"])
def test_results_survive_a_round_trip_through_a_file(tmp_path, name):
    with ResultFile(tmp_path / name) as file:
        for result in RESULTS:
            file.write(result)
    assert list(read_results(tmp_path / name)) == RESULTS


def test_result_file_rejects_other_suffixes_and_unwritable_paths(tmp_path):
    with pytest.raises(OptionError, match=r"not to r\.csv"):
        ResultFile(tmp_path / "r.csv")
    with pytest.raises(SourceError, match="cannot write"):
        ResultFile(tmp_path / "no/r.jsonl")
