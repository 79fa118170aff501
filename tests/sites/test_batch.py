"""A batch with profiles that were learned before: from a file, from a folder, from the environment."""

import json

import pytest

from tamis.sites.learn import SitePage, learn_site
from tests.sites.pages import NOTICE, TOPICS, page


@pytest.fixture
def profiles(tmp_path):
    folder = tmp_path / "profiles"
    folder.mkdir()
    profile = learn_site([SitePage(page(topic)) for topic in TOPICS], host="valley.example")
    (folder / "valley.example.json").write_text(profile.as_json())
    return folder


@pytest.fixture
def crawl(tmp_path):
    hosts = ("valley.example", "other.example")
    rows = [{"id": host, "url": f"https://{host}/rain", "html": page("Rain", host=host)} for host in hosts]
    path = tmp_path / "crawl.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def rows_of(run_tamis, crawl, tmp_path, *options):
    output = tmp_path / "rows.jsonl"
    done = run_tamis("batch", crawl, "-o", output, "--overwrite", "-j", "1", *options)
    assert done.returncode == 0, done.stderr
    return {row["id"]: row for row in map(json.loads, output.read_text().splitlines())}


@pytest.mark.slow
def test_a_folder_of_profiles_is_chosen_by_host(run_tamis, crawl, profiles, tmp_path, monkeypatch):
    plain = rows_of(run_tamis, crawl, tmp_path)
    assert all(NOTICE in row["text"] for row in plain.values())
    by_folder = rows_of(run_tamis, crawl, tmp_path, "--profile", profiles)
    assert NOTICE not in by_folder["valley.example"]["text"]
    assert "Rain came late" in by_folder["valley.example"]["text"]
    assert by_folder["other.example"] == plain["other.example"]
    monkeypatch.setenv("TAMIS_PROFILES", str(profiles))
    assert rows_of(run_tamis, crawl, tmp_path) == by_folder


@pytest.mark.slow
def test_a_profile_of_another_host_steps_aside_and_the_row_says_so(run_tamis, crawl, profiles, tmp_path):
    profile = profiles / "valley.example.json"
    by_file = rows_of(run_tamis, crawl, tmp_path, "--profile", profile, "--columns", "text,warnings")
    assert NOTICE not in by_file["valley.example"]["text"]
    assert NOTICE in by_file["other.example"]["text"]
    assert by_file["valley.example"]["warnings"] == []
    warnings = by_file["other.example"]["warnings"]
    assert [each["type"] for each in warnings] == ["site profile"]
    assert "the page is of other.example" in warnings[0]["reason"]
