"""One flag means one thing in every command."""

import subprocess
import sys
from collections import defaultdict
from dataclasses import dataclass

import click
import pytest

from tamis.cli.app import app


@dataclass(frozen=True)
class Flag:
    """An option of a command: what its value is, and what its help says before the first punctuation mark."""

    command: str
    names: tuple[str, ...]
    value_type: str
    meaning: str
    variable: str | None


def commands(group=app, prefix=""):
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from commands(command, f"{prefix}{name} ")
        else:
            yield f"{prefix}{name}", command


def value_type(param):
    """Return the type of one value: an enumeration of strings and a path are strings."""
    if isinstance(param.type, (click.Choice, click.Path)):
        return "text"
    return param.type.name.removesuffix(" range")


def flags():
    for name, command in commands():
        for param in command.params:
            if isinstance(param, click.Option):
                meaning = param.help.split(".")[0].split(",")[0].split(":")[0]
                yield Flag(name, (*param.opts, *param.secondary_opts), value_type(param), meaning, param.envvar)


BY_NAME = defaultdict(list)
for flag in flags():
    for flag_name in flag.names:
        BY_NAME[flag_name].append(flag)
SHARED = {name: uses for name, uses in BY_NAME.items() if len(uses) > 1}


def test_flags_are_found_in_all_commands():
    assert {name for name, _ in commands()} == {flag.command for uses in BY_NAME.values() for flag in uses} | {
        "schema"
    }
    assert {"--extractor", "--output", "--jobs", "--wall-timeout", "--layout"} <= SHARED.keys()


@pytest.mark.parametrize("name", sorted(SHARED))
def test_flag_has_one_meaning_one_type_and_one_short_form(name):
    uses = SHARED[name]
    assert len({(flag.meaning, flag.value_type, flag.names) for flag in uses}) == 1, "\n".join(map(str, uses))


@pytest.mark.parametrize("name", sorted(SHARED))
def test_flag_has_one_variable_in_all_commands_that_fetch_many_pages(name):
    uses = [flag for flag in SHARED[name] if flag.command in {"serve", "mcp", "batch"}]
    assert len({flag.variable for flag in uses}) <= 1, "\n".join(map(str, uses))


@pytest.mark.parametrize("name", sorted(BY_NAME))
def test_flag_has_a_help_text_that_is_a_sentence(name):
    for flag in BY_NAME[name]:
        assert flag.meaning
        assert flag.meaning[0].isupper() or not flag.meaning[0].isalpha(), flag


@pytest.mark.parametrize("name", ["", "train", *(name for name, _ in commands())])
def test_help_fits_80_columns_and_has_two_examples(run_tamis, monkeypatch, name):
    monkeypatch.setenv("COLUMNS", "200")
    done = run_tamis(*name.split(), "--help")
    assert done.returncode == 0
    assert max(map(len, done.stdout.splitlines())) <= 80
    examples = done.stdout.partition("Examples:\n")[2].split("\n\n")[0].splitlines()
    assert len(examples) >= 2
    assert all(line.lstrip().startswith("tamis") for line in examples)


def test_help_says_defaults_in_words(run_tamis):
    text = " ".join(run_tamis("serve", "--help").stdout.split())
    assert "--port NUMBER Port to listen on; 0 takes a free one. Default: 8100." in text
    assert "Size of a request body. Default: 10MB." in text
    assert "Time for a client to send a body. Default: 30s." in text
    assert "RANGE" not in text


@pytest.mark.slow
def test_exit_handlers_of_the_process_run(tmp_path):
    (tmp_path / "page.html").write_text("<p>Tea</p>")
    program = (
        "import atexit, sys\nfrom tamis.cli import program\n"
        "if sys.argv.pop() == 'handler': atexit.register(print, 'end')\nprogram()\nprint('not reached')"
    )
    for last, printed in (("handler", "Tea\nend\n"), ("none", "Tea\n")):
        command = [sys.executable, "-c", program, tmp_path / "page.html", "-e", "body", last]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert done.stdout == printed


@pytest.mark.parametrize("name", [name for name, _ in commands()])
def test_every_option_is_explained_in_a_sentence(name):
    command = dict(commands())[name]
    texts = [param.help for param in command.params if isinstance(param, click.Option)]
    assert all(
        text and text[0].isupper() and text.endswith((".", "…")) for text in [command.help.split("\n")[0], *texts]
    )


def required(kind):
    return [
        (name, param)
        for name, command in commands()
        for param in command.params
        if isinstance(param, kind) and param.required
    ]


@pytest.mark.parametrize(("name", "argument"), required(click.Argument), ids=str)
def test_an_argument_that_is_missing_is_named_in_one_line(run_tamis, name, argument):
    done = run_tamis(*name.split())
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"tamis: Missing argument '{argument.name.upper()}")
    assert done.stderr.endswith(f"; see tamis {name} --help\n")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(("name", "option"), required(click.Option), ids=str)
def test_an_option_that_is_missing_is_named(run_tamis, name, option):
    done = run_tamis(*name.split(), "page.html")
    assert done.returncode == 2
    assert done.stderr == f"tamis: Missing option {' / '.join(map(repr, option.opts))}; see tamis {name} --help\n"


def test_commands_that_write_files_need_to_know_where():
    assert {("batch", "output"), ("learn", "output"), ("train sst", "output")} <= {
        (name, option.name) for name, option in required(click.Option)
    }


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("serve", "--port", "x"), "'x' is not a whole number; see tamis serve --help"),
        (("batch", "a", "-o", "b.jsonl", "--languages"), "requires an argument; see tamis batch --help"),
        (("--favor", "precison", "-"), "not 'precison'; did you mean precision?"),
        (("--favor", "much", "-"), "'balance' or a number, not 'much'"),
        (("",), "the name of a page is empty"),
        (("explain", "a.html", "-o", "b.docx"), "unknown suffix of the output: b.docx; known: .html, .htm, .json"),
        (("compare", "a.html", "-o", "b.docx"), "unknown suffix of the output: b.docx; known: .html, .htm"),
        (("learn", "a.html", "-o", "b.docx"), "unknown suffix of the output: b.docx; known: .json, .toml"),
        (("feed", "."), "a feed is a file or a URL, not a folder: ."),
        (("sitemap", "nothing"), "expected the URL of a site or a sitemap, got 'nothing'"),
        (("batch", "a", "-o", "b.jsonl", "--page-types", "artcle"), "named 'artcle'; did you mean article?"),
        (("ftp://example.org/tea",), "ftp://example.org/tea: only http and https URLs are read"),
    ],
)
def test_wrong_usage_is_told_in_one_line(run_tamis, words, message):
    done = run_tamis(*words)
    assert done.returncode == 2
    assert done.stderr.endswith(f"{message}\n")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(("typed", "meant"), [("evl", "eval"), ("bacth", "batch"), ("servve", "serve")])
def test_a_typo_of_a_command_is_answered(run_tamis, typed, meant):
    done = run_tamis(typed)
    assert done.returncode == 2
    assert done.stderr == f"tamis: no such file or command: {typed}; did you mean {meant}?\n"


def test_a_file_may_have_the_name_of_a_typo(run_tamis, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "evl").write_text("<p>Tea</p>")
    assert run_tamis("evl", "-e", "body").stdout == "Tea\n"


@pytest.mark.slow
def test_a_command_imports_no_other_command():
    program = (
        "import sys\nfrom tamis.cli import main\nsys.argv = ['tamis', 'schema']\n"
        "try: main()\nexcept SystemExit: pass\n"
        "print(sorted(name for name in sys.modules if name.startswith(('tamis.cli.', 'tamis.lab'))), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stderr == "['tamis.cli.app', 'tamis.cli.options', 'tamis.cli.output', 'tamis.cli.schema']\n"
