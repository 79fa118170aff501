"""The tutorial and the guides: every shell line runs, in order, in a copy of `examples/pages`."""

import gzip
import re
import runpy
import tomllib
from pathlib import Path

import click
import pytest

from tamis.cli.app import app
from tests.docs.test_shell_blocks import fenced_lines, run_line, sandbox  # noqa: F401 (a fixture)

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
GUIDES = [DOCS / "tutorial.md", *sorted((DOCS / "guides").glob("*.md"))]
EXTRAS = set(tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"])


def write_warc(path, pages):
    """Write pages as a WARC file, each record a member of its own."""
    with path.open("wb") as file:
        for number, page in enumerate(pages):
            body = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + page
            head = (
                f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{number}>\r\n"
                f"WARC-Target-URI: https://example.org/{number}\r\nWARC-Date: 2026-05-02T00:00:00Z\r\n"
                f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(body)}\r\n\r\n"
            )
            file.write(gzip.compress(head.encode() + body + b"\r\n\r\n"))


@pytest.mark.slow
@pytest.mark.parametrize("path", GUIDES, ids=lambda path: path.stem)
def test_shell_lines_run(path, sandbox):  # noqa: F811 (the fixture)
    folder, environment = sandbox
    write_warc(folder / "crawl.warc.gz", [page.read_bytes() for page in sorted((folder / "labelled").glob("*.html"))])
    for line in fenced_lines(path, "console"):
        if line.startswith("pip install"):
            continue
        printed = run_line(line, folder, environment)
        outputs = re.findall(r"(?:-o|--output) ([\w./-]+)", line)
        assert bool(printed) or outputs or line.startswith("tamis pin"), f"{line} prints nothing"
        assert all((folder / output).exists() for output in outputs), line


@pytest.mark.parametrize(
    "path", sorted([*DOCS.rglob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]), ids=lambda path: path.name
)
def test_every_shell_line_is_of_a_kind_that_is_checked(path):
    for line in fenced_lines(path, "console"):
        command = line.partition("#")[0].split()
        if command[:2] == ["pip", "install"]:
            named = re.findall(r"\[([\w,-]+)\]", line)
            assert {extra for each in named for extra in each.split(",")} <= EXTRAS, line
        elif command[0] == "python":
            assert (ROOT / command[1]).exists(), line
        elif command[0] == "make":
            assert re.search(rf"^{command[1]}:", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE), line
        else:
            assert command[0] in {"tamis", "cat", "curl", "pytest", "pre-commit", "apt-get"}, line


def test_pictures_of_methods_are_current(tmp_path, monkeypatch):
    script = ROOT / "examples" / "method_pictures.py"
    monkeypatch.setattr("sys.argv", [str(script), "--output", str(tmp_path)])
    runpy.run_path(str(script), run_name="__main__")
    drawn = {path.name for path in tmp_path.iterdir()}
    kept = {path.name for path in (DOCS / "pictures" / "methods").iterdir()}
    assert drawn == kept
    text = (DOCS / "methods.md").read_text("utf-8")
    for name in drawn:
        assert f"pictures/methods/{name}" in text
        # Scores differ in their last digits between processors; what is kept does not.
        new, old = ((folder / name).read_text("utf-8") for folder in (tmp_path, DOCS / "pictures" / "methods"))
        assert new.count("#00897b") == old.count("#00897b"), f"{name}: run python examples/method_pictures.py"


def command_lines():
    """Yield each line of a fence that begins with `tamis`, also those that need a corpus or a network."""
    for path in sorted([*DOCS.rglob("*.md"), ROOT / "README.md"]):
        for block in re.findall(r"^ *```\w*\n(.*?)^ *```", path.read_text("utf-8"), re.DOTALL | re.MULTILINE):
            yield from ((path, line.strip()) for line in block.splitlines() if line.strip().startswith("tamis "))


def test_flags_of_every_command_line_exist():
    context = click.Context(app)
    commands = {name: app.get_command(context, name) for name in app.list_commands(context)}
    lines = list(command_lines())
    assert len(lines) > 100
    for path, line in lines:
        words = re.split(r"\s#|\||<|;|&&", line)[0].split()
        name = words[1] if words[1] in commands else "extract"
        known = {flag for param in commands[name].params for flag in (*param.opts, *param.secondary_opts)}
        known |= {"--help", "-h"} | ({"--version"} if name == "extract" else set())
        if name == "train":  # a command of its own for each extractor
            train = commands[name]
            inner = getattr(train, "commands", {}).get(words[2])
            known |= {
                flag for param in (inner.params if inner else ()) for flag in (*param.opts, *param.secondary_opts)
            }
        used = {word.partition("=")[0] for word in words if re.fullmatch(r"--?[a-z][\w-]*(=.*)?", word)}
        assert used <= known, f"{path.name}: {line}: {used - known}"
