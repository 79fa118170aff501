"""Whatever is typed, a command ends with a code and messages of one line, and no page that it reads is changed."""

import random

import click
import pytest

from tamis.cli.app import app

pytestmark = pytest.mark.slow
#: Those that start no worker process, browser or service.
COMMANDS = ("extract", "explain", "learn", "pin", "check", "feed", "sitemap", "schema", "compare")
PATHS = ("page.html", "crawl", "missing", "empty.html", "x.pdf", "bad.json", "feed.xml", "-", "nowhere/x.md")
OUTPUTS = (*PATHS, "out.jsonl", "out.parquet", "out.md", "out/", "out.toml", "out.html")
WORDS = (
    "",
    "x",
    "a,b",
    "text",
    "title",
    "sift",
    "body",
    "1",
    "-1",
    "http://",
    "nan",
    "é",
    "5MB",
    "1s",
    "999999999999",
)
PAGE = "<title>Tea</title><nav><a href=/>Home</a></nav><article><p>Boil the water, and wait. Then pour it.</article>"


def typed(rng):
    """Return what somebody may type: a command with some of its options and any values."""
    name = rng.choice(COMMANDS)
    params = app.get_command(click.Context(app), name).params
    words = [name]
    options = [param for param in params if isinstance(param, click.Option) and param.name not in {"jobs", "render"}]
    for option in rng.sample(options, min(len(options), rng.choice([0, 1, 1, 2, 3]))):
        words.append(rng.choice([*option.opts, *option.secondary_opts]))
        if not option.is_flag:
            choices = option.type.choices if isinstance(option.type, click.Choice) else ()
            words.append(rng.choice([*choices, *WORDS, *OUTPUTS]))
    for param in params:
        if param.required and not set(param.opts) & set(words):
            words += [] if isinstance(param, click.Argument) else [param.opts[0]]
            words.append(rng.choice(PATHS if isinstance(param, click.Argument) else OUTPUTS))
    return words if name != "extract" else [*words, rng.choice(PATHS)]


@pytest.mark.parametrize("seed", range(12))
def test_any_words_end_with_a_code_and_leave_pages_alone(run_tamis, tmp_path, monkeypatch, seed):
    monkeypatch.setenv("TAMIS_CHROMIUM", "none")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "crawl").mkdir()
    pages = {"page.html": PAGE, "crawl/a.html": PAGE, "crawl/b.html": PAGE * 2, "empty.html": "", "x.pdf": "%PDF-1.7"}
    for name, text in {**pages, "bad.json": "{", "feed.xml": "<rss version='2.0'/>"}.items():
        (tmp_path / name).write_text(text)
    rng = random.Random(seed)
    for _ in range(10):
        words = typed(rng)
        done = run_tamis(*words, stdin=PAGE.encode())
        assert done.returncode in {0, 1, 2}, words
        assert all(line.startswith("tamis: ") for line in done.stderr.splitlines()), (words, done.stderr)
        assert all((tmp_path / name).read_text() == text for name, text in pages.items()), words
