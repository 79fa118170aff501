"""What is not collected: documents whose examples need packages that are missing, and examples of test modules."""

import re
from collections.abc import Generator
from importlib.util import find_spec
from pathlib import Path

import pytest

_NEEDS = {
    "docs/guides/dataframes.md": ("duckdb", "pandas", "polars", "pyarrow"),
    "docs/guides/asyncio.md": ("aiohttp",),
}
collect_ignore = [name for name, modules in _NEEDS.items() if not all(map(find_spec, modules))]
# These import a package of seconds, and have no examples to run.
collect_ignore += ["src/tamis/integrations/haystack.py", "src/tamis/integrations/llama_index.py"]
# This is Cython with C headers: it runs only as it is compiled.
collect_ignore += ["src/tamis/_core/_scan.py"]
_ROOT = Path(__file__).parent
_TESTS = _ROOT / "tests"
#: What imports PyTorch, scikit-learn, or newspaper4k with SciPy: eight seconds. Plain `pytest` leaves it out.
_HEAVY = (
    "src/tamis/lab/training",
    "tests/compat/test_names.py",
    "tests/compat/test_newspaper.py",
    "tests/compat/test_quality.py",
    "tests/compat/test_signatures.py",
    "tests/lab/training",
    "tests/sift/test_network.py",
)
_SLOW_MODULE = re.compile(r"^pytestmark = \[?\s*pytest\.mark\.slow", re.MULTILINE)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out what is slow as a whole, and heavy modules, where nothing is named and slow tests are left out.

    Importing them only to leave out their tests takes three seconds.
    """
    if config.args != config.getini("testpaths") or config.option.markexpr != "not slow":
        return None
    is_test = collection_path.is_relative_to(_TESTS) and collection_path.suffix == ".py"
    is_slow = is_test and _SLOW_MODULE.search(collection_path.read_text("utf-8"))
    return True if is_slow or collection_path.relative_to(_ROOT).as_posix() in _HEAVY else None


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Leave out the examples of test modules.

    There are none. Looking for them, pytest imports each module once more, and skips those that cannot be imported.
    """
    found = yield
    is_test = file_path.is_relative_to(_TESTS) and file_path.suffix == ".py"
    return [each for each in found if type(each) is pytest.Module] if is_test else found
