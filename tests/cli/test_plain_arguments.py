"""Calls with plain flags do not need typer. They do what typer would do."""

import subprocess
import sys
from dataclasses import fields
from inspect import signature

import pytest

from tamis.cli import program
from tamis.cli.app import app
from tamis.cli.extract import command
from tamis.cli.extraction import Arguments

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
    ["page.html", "-o", "-"],
    ["page.html", "-f", "xml", "-e", "cetd", "--url", "https://tea.example/"],
    ["page.html", "--field", "title"],
    ["page.html", "--field", "nothing"],  # an error
    ["page.html", "-f", "docx"],  # an error
    ["page.html", "--format"],  # an error
    ["page.html", "-e", "-q"],  # an error
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
    monkeypatch.setattr(program, "plain_arguments", lambda _: None)
    assert run_tamis(*arguments, stdin=PAGE.encode()) == plain


@pytest.mark.parametrize(
    "arguments",
    [
        ["serve"],
        ["train", "ridge"],
        ["--help"],
        ["page.html", "-ox.md"],
        ["page.html", "--format"],
        ["page.html", "--favor=recall"],
        ["--", "x"],
    ],
    ids=" ".join,
)
def test_everything_else_is_left_to_typer(arguments):
    assert program.plain_arguments(arguments) is None


def test_completion_is_left_to_typer(monkeypatch):
    monkeypatch.setenv("_TAMIS_COMPLETE", "complete_bash")
    assert program.plain_arguments(["page.html"]) is None


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
def test_page_as_text_loads_no_pydantic():
    code = "import sys; sys.argv = ['tamis', 'page.html']; from tamis.cli import main\ntry: main()\nfinally: "
    code += "print('pydantic' in sys.modules, 'numpy.ma' in sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.split()) == (0, ["False", "False"])


def test_commands_are_those_of_typer():
    names = {*(command.name for command in app.registered_commands), *(group.name for group in app.registered_groups)}
    assert names == program.COMMANDS


def test_arguments_have_the_names_and_defaults_of_the_parameters():
    parameters = dict(signature(command).parameters)
    del parameters["list_extractors"]
    assert {name: each.default for name, each in parameters.items()} == {
        each.name: each.default for each in fields(Arguments)
    }


@pytest.mark.usefixtures("folder")
def test_plain_call_imports_no_typer():
    code = (
        "import sys; from tamis.cli import main\ntry: main()\nfinally: print('typer' in sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code, "page.html"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("Tea\n\nBoil the water")
    assert done.stderr == "False\n"
