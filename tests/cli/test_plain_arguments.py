"""Calls with plain flags do not need typer. They do what typer would do."""

import subprocess
import sys

import pytest

from tamis.cli import app

PAGE = "<title>Tea</title><main><h1>Tea</h1><p>" + "Boil the water, and wait. Then pour. " * 9 + "</main>"
CALLS = [
    ["page.html"],
    ["page.html", "--md"],
    ["--markdown", "page.html", "-v"],
    ["page.html", "empty.html", "--json"],
    ["page.html", "-q", "--html", "--with-metadata"],
    ["empty.html"],
    ["empty.html", "--quiet"],
    ["missing.html"],
    ["-", "--json"],
    ["--md"],
    [],
    ["page.html", "--json", "--md"],  # an error
    ["page.html", "-q", "-v"],  # an error
    ["folder"],
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "folder").mkdir()
    (tmp_path / "page.html").write_text(PAGE)
    (tmp_path / "empty.html").write_text("<script>1</script>")
    (tmp_path / "folder" / "a.html").write_text(PAGE)
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("arguments", CALLS, ids=" ".join)
@pytest.mark.usefixtures("folder")
def test_plain_calls_do_what_typer_does(arguments, run_tamis, monkeypatch):
    plain = run_tamis(*arguments, stdin=PAGE.encode())
    monkeypatch.setattr(app, "plain_arguments", lambda _: None)
    assert run_tamis(*arguments, stdin=PAGE.encode()) == plain


@pytest.mark.parametrize(
    "arguments",
    [
        ["serve"],
        ["train", "ridge"],
        ["--help"],
        ["page.html", "-o", "x.md"],
        ["page.html", "--favor=recall"],
        ["--", "x"],
    ],
    ids=" ".join,
)
def test_everything_else_is_left_to_typer(arguments):
    assert app.plain_arguments(arguments) is None


def test_completion_is_left_to_typer(monkeypatch):
    monkeypatch.setenv("_TAMIS_COMPLETE", "complete_bash")
    assert app.plain_arguments(["page.html"]) is None


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
def test_page_as_text_loads_no_pydantic():
    code = "import sys; sys.argv = ['tamis', 'page.html']; from tamis.cli import main\ntry: main()\nfinally: "
    code += "print('pydantic' in sys.modules, 'numpy.ma' in sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.split()) == (0, ["False", "False"])
