import gc
import io
import json
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tamis.browser.config import find_chromium
from tamis.cli import main
from tests.needs import skip_without

PAGES = Path(__file__).parent / "pages"
#: Fixtures that start a browser. Tests that use one are slow without a marker of their own.
BROWSER_FIXTURES = {"browser", "chromium"}
#: Functions that start a service with worker processes of its own. Tests that call one are slow likewise.
STARTERS = {"serving"}

# No deadlines, because the suite runs beside other work and on slow machines. The same examples in each run.
# `make test` selects the profile "full".
settings.register_profile(
    "fast", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], max_examples=20
)
settings.register_profile("full", settings.get_profile("fast"), max_examples=60)
settings.load_profile("fast")


def pytest_configure(config):
    """Run a test that is named (``pytest tests/x.py::test_y``) even if it is slow."""
    given = config.invocation_params.args
    if any("::" in argument for argument in given) and "-m" not in given:
        config.option.markexpr = ""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    for item in items:
        code = getattr(getattr(item, "function", None), "__code__", None)
        called = set(code.co_names) if code else set()
        if BROWSER_FIXTURES & set(getattr(item, "fixturenames", ())) or STARTERS & called:
            item.add_marker(pytest.mark.slow)
    if hasattr(config, "workerinput"):  # one of several processes: long files first, so that all end together
        slow = {item.path for item in items if item.get_closest_marker("slow")}
        items.sort(key=lambda item: item.path not in slow)


@pytest.fixture(scope="session")
def chromium():
    """Skip tests that need a browser if there is none; `make test` installs one where it can."""
    skip_without("a browser")
    return find_chromium()


@dataclass(frozen=True)
class Completed:
    """The outcome of a run of the command line."""

    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def run_tamis(monkeypatch, capsys):
    """Return a function that runs the command line in this process: a new process costs a second."""

    def run(*arguments, stdin=b""):
        capsys.readouterr()
        monkeypatch.setattr(sys, "argv", ["tamis", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        with pytest.raises(SystemExit) as exit_info:
            main()
        return Completed(exit_info.value.code or 0, *capsys.readouterr())

    return run


@dataclass(frozen=True)
class Golden:
    slug: str
    html: bytes
    expected: str
    meta: dict


def golden_pages() -> list[Golden]:
    return [
        Golden(
            folder.name,
            (folder / "page.html").read_bytes(),
            (folder / "expected.txt").read_text("utf-8"),
            json.loads((folder / "meta.json").read_text("utf-8")),
        )
        for folder in sorted(PAGES.iterdir())
        if (folder / "page.html").exists()
    ]


@pytest.fixture(params=golden_pages(), ids=lambda golden: golden.slug)
def golden(request) -> Golden:
    return request.param


def pytest_collection_finish():
    """Keep the garbage collector from looking again and again at thousands of tests, which live until the end."""
    gc.collect()
    gc.freeze()
