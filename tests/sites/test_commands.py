"""``tamis learn``, ``--profile``, ``TAMIS_PROFILES``, ``tamis pin`` and ``tamis check``."""

import json

import pytest

from tamis.cli.pin import word_diff
from tests.sites.pages import NOTICE, TOPICS, page


@pytest.fixture(name="pages")
def make_pages(tmp_path):
    folder = tmp_path / "pages"
    folder.mkdir()
    for topic in TOPICS[:5]:
        (folder / f"{topic}.html").write_text(page(topic))
    (tmp_path / "rain.html").write_text(page("Rain"))
    return folder


def test_learned_profile_is_used_from_a_file_a_folder_and_the_environment(run_tamis, pages, tmp_path, monkeypatch):
    done = run_tamis("learn", pages, "-o", tmp_path / "site.json")
    assert done.returncode == 0, done.stderr
    assert "valley.example" in done.stdout
    assert json.loads((tmp_path / "site.json").read_text())["page_names"] == [
        f"{name}.html" for name in sorted(TOPICS[:5])
    ]
    assert run_tamis("learn", pages, "-o", tmp_path / "profiles").returncode == 0
    rain = tmp_path / "rain.html"
    assert NOTICE in run_tamis(rain).stdout
    by_file = run_tamis(rain, "--profile", tmp_path / "site.json")
    assert NOTICE not in by_file.stdout
    assert "Rain came late" in by_file.stdout
    assert run_tamis(rain, "--profile", tmp_path / "profiles").stdout == by_file.stdout
    monkeypatch.setenv("TAMIS_PROFILES", str(tmp_path / "profiles"))
    assert run_tamis(rain).stdout == by_file.stdout


def test_profile_that_steps_aside_says_so_on_stderr(run_tamis, pages, tmp_path):
    run_tamis("learn", pages, "-o", tmp_path / "site.json")
    done = run_tamis(tmp_path / "rain.html", "--profile", tmp_path / "site.json", "--url", "https://other.example/")
    assert "the page is of other.example" in done.stderr
    assert NOTICE in done.stdout


def test_labels_are_read_beside_the_pages(run_tamis, pages, tmp_path):
    marks = {"format": "tamis marks 1", "marks": [{"text": NOTICE, "content": True}]}
    (pages / "Tea.json").write_text(json.dumps(marks))
    assert "labels of 1 templates" in run_tamis("learn", pages, "-o", tmp_path / "site.json").stdout
    assert NOTICE in run_tamis(tmp_path / "rain.html", "--profile", tmp_path / "site.json").stdout
    (pages / "Tea.json").write_text("{")
    assert run_tamis("learn", pages, "-o", tmp_path / "site.json").returncode == 2


def test_too_few_pages_and_several_hosts_are_errors(run_tamis, pages, tmp_path):
    done = run_tamis("learn", tmp_path / "rain.html", "-o", tmp_path / "site.json")
    assert (done.returncode, "4 different pages" in done.stderr) == (2, True)
    (pages / "x.html").write_text(page("Wool", host="other.example"))
    done = run_tamis("learn", pages, "-o", tmp_path / "site.json")
    assert (done.returncode, "2 hosts" in done.stderr) == (2, True)
    assert run_tamis("learn", pages, "--site-host", "valley.example", "-o", tmp_path / "site.json").returncode == 0


def test_pinned_page_is_checked_and_a_change_is_a_word_diff(run_tamis, tmp_path):
    (tmp_path / "rain.html").write_text(page("Rain"))
    cases = tmp_path / "pins"
    assert run_tamis("pin", tmp_path / "rain.html", "-o", cases).returncode == 0
    same = run_tamis("check", cases)
    assert (same.returncode, same.stdout) == (0, "1 case, 0 changed\n")
    expected = cases / "rain" / "expected.md"
    expected.write_text(expected.read_text().replace("came late", "came early"))
    done = run_tamis("check", cases)
    assert done.returncode == 1
    assert "Rain came [-early-] {+late+} this year" in done.stdout
    assert done.stdout.endswith("1 case, 1 changed\n")
    assert run_tamis("check", cases, "--update").returncode == 0
    assert run_tamis("check", cases).returncode == 0


def test_pin_keeps_the_profile_and_replaces_only_when_told(run_tamis, pages, tmp_path):
    run_tamis("learn", pages, "-o", tmp_path / "site.json")
    cases, rain = tmp_path / "pins", tmp_path / "rain.html"
    assert run_tamis("pin", rain, "-o", cases, "--profile", tmp_path / "site.json").returncode == 0
    assert NOTICE not in (cases / "rain" / "expected.md").read_text()
    assert run_tamis("check", cases).returncode == 0
    assert run_tamis("pin", rain, "-o", cases).returncode == 2
    assert run_tamis("pin", rain, "-o", cases, "--replace", "-f", "text").returncode == 0
    assert NOTICE in (cases / "rain" / "expected.txt").read_text()


def test_broken_case_counts_as_changed_and_no_case_is_an_error(run_tamis, pages, tmp_path):
    run_tamis("pin", tmp_path / "rain.html", "-o", tmp_path / "pins")
    (tmp_path / "pins" / "rain" / "expected.md").unlink()
    assert run_tamis("check", tmp_path / "pins").returncode == 1
    assert run_tamis("check", pages).returncode == 2


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("a b c", "a b c", []),
        ("a b c", "a c", ["… a [-b-] c …"]),
        ("", "a", ["… {+a+} …"]),
        ("a  b", "a b", ["white space changed"]),
        ("a\n\nb\n", "a\n", ["… [-¶ b ¶-] …"]),
    ],
)
def test_word_diff(before, after, expected):
    assert list(word_diff(before, after)) == expected
