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
    assert "labels of 1 template," in run_tamis("learn", pages, "-o", tmp_path / "site.json").stdout
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
    done = run_tamis("learn", pages, "-o", tmp_path / "profiles")
    assert "other.example: 1 page, too few pages to learn from" in done.stderr
    assert [path.name for path in (tmp_path / "profiles").iterdir()] == ["valley.example.json"]


def test_the_host_of_a_site_is_written_as_profiles_name_it(run_tamis, pages, tmp_path):
    given = ("--site-host", "https://WWW.Valley.Example:8080/tea")
    assert run_tamis("learn", pages, *given, "-o", tmp_path / "profiles").returncode == 0
    assert json.loads((tmp_path / "profiles" / "valley.example.json").read_text())["host"] == "valley.example"
    done = run_tamis("learn", pages, "--site-host", "../x", "-o", tmp_path / "site.json")
    assert (done.returncode, "--site-host must be a host" in done.stderr) == (2, True)


def test_profile_that_changes_nothing_says_so(run_tamis, tmp_path):
    (tmp_path / "rain.html").write_text(page("Rain"))
    (tmp_path / "rain.txt").write_text("Rain came late this year")
    done = run_tamis("learn", tmp_path / "rain.html", "-o", tmp_path / "site.json")
    assert done.returncode == 0, done.stderr
    assert "site.json changes nothing: no text or template repeats" in done.stderr


def test_files_that_are_no_pages_are_not_learned_from(run_tamis, pages, tmp_path):
    (pages / "book.html").write_bytes(b"%PDF-1.7 a book")
    done = run_tamis("learn", pages, "-o", tmp_path / "site.json")
    assert "book.html: not a web page but a PDF document" in done.stderr
    assert json.loads((tmp_path / "site.json").read_text())["pages"] == 5
    (pages / "Tea.json").write_text("[]")
    done = run_tamis("learn", pages, "-o", tmp_path / "site.json")
    assert "the file of marks beside Tea.html is not a file of marks" in done.stderr


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
    assert run_tamis("pin", rain, "-o", cases, "--overwrite", "-f", "text").returncode == 0
    assert NOTICE in (cases / "rain" / "expected.txt").read_text()


def test_broken_case_is_a_failure_and_no_case_is_an_error(run_tamis, pages, tmp_path):
    run_tamis("pin", tmp_path / "rain.html", "-o", tmp_path / "pins")
    case = tmp_path / "pins" / "rain"
    (case / "expected.md").unlink()
    done = run_tamis("check", tmp_path / "pins")
    assert done.returncode == 1
    assert f"{case}: cannot read expected.md: no such file or directory\n" in done.stdout
    assert done.stdout.endswith("1 case, 0 changed, 1 cannot be read\n")
    assert run_tamis("check", tmp_path / "pins", "--update").returncode == 0  # the output is pinned again
    assert run_tamis("check", tmp_path / "pins").returncode == 0
    for values in ("{", '{"url": 5, "encoding": null, "extractor": "sift", "format": "markdown"}'):
        (case / "case.json").write_text(values)
        done = run_tamis("check", tmp_path / "pins", "--update")
        assert (done.returncode, "Traceback" in done.stderr) == (1, False)
        assert "pinned again" not in done.stdout
    assert run_tamis("check", pages).returncode == 2


def test_pages_of_one_name_are_cases_of_their_own(run_tamis, tmp_path):
    for name, topic in (("a", "Rain"), ("b", "Hay")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "x.html").write_text(page(topic))
    done = run_tamis("pin", tmp_path / "a" / "x.html", tmp_path / "b" / "x.html", "-o", tmp_path / "pins")
    assert done.returncode == 0, done.stderr
    assert "Rain came" in (tmp_path / "pins" / "x" / "expected.md").read_text()
    assert "Hay came" in (tmp_path / "pins" / "x-2" / "expected.md").read_text()
    assert run_tamis("check", tmp_path / "pins").returncode == 0


def test_pin_that_fails_leaves_nothing(run_tamis, pages, tmp_path):
    rain, cases = tmp_path / "rain.html", tmp_path / "pins"
    for options, message in (
        (("-e", "nope"), "no extractor is named 'nope'"),
        (("--profile", tmp_path / "none.json"), "cannot read"),
        (("--name", "../out"), "--name is the name of a folder"),
    ):
        done = run_tamis("pin", rain, "-o", cases, *options)
        assert (done.returncode, message in done.stderr) == (2, True), done.stderr
    missing = run_tamis("pin", tmp_path / "none.html", "-o", cases)
    assert "none.html: cannot be read" in missing.stderr
    both = run_tamis("pin", pages / "Tea.html", pages / "Snow.html", "--url", "https://e.org/", "-o", cases)
    assert "--url is for one page" in both.stderr
    assert not cases.exists()
    assert not (tmp_path / "out").exists()


def test_line_ends_of_a_checkout_are_no_change(run_tamis, pages, tmp_path):
    assert pages.exists()
    run_tamis("pin", tmp_path / "rain.html", "-o", tmp_path / "pins")
    expected = tmp_path / "pins" / "rain" / "expected.md"
    expected.write_bytes(expected.read_bytes().replace(b"\n", b"\r\n"))
    assert run_tamis("check", tmp_path / "pins").returncode == 0


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


def test_explain_and_pin_take_selectors(run_tamis, tmp_path):
    (tmp_path / "tea.html").write_text(
        "<h1>Tea</h1><p class=a>Boil water, and wait.</p><p class=b>Buy a pot now.</p>"
    )
    page, cases = tmp_path / "tea.html", tmp_path / "pins"
    explained = run_tamis("explain", page, "-e", "body", "--exclude", ".b", "--json", "--no-browser").stdout
    assert "Boil water" in explained
    assert '"text": "Buy a pot."' not in explained
    assert run_tamis("pin", page, "-o", cases, "-e", "body", "--include", ".a, .b", "--exclude", ".b").returncode == 0
    (expected,) = cases.rglob("expected.md")
    assert "Boil water" in expected.read_text()
    assert "Buy a pot" not in expected.read_text()
    assert run_tamis("check", cases).stdout == "1 case, 0 changed\n"
    case = cases / "tea" / "case.json"
    case.write_text(case.read_text().replace('".b"', "3"))
    assert "exclude in case.json is [3], not a list of CSS selectors" in run_tamis("check", cases).stdout
