"""The loader never runs a compiled module that was not built from the source beside it."""

import importlib
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import tamis
from tamis._kernels import loader, manifest

pytestmark = pytest.mark.slow  # processes

PACKAGE = Path(tamis.__file__).parent
SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")
needs_compiled = pytest.mark.skipif(not loader.COMPILED, reason="built without a compiler, or TAMIS_PURE is set")

REPORT = """
from tamis._kernels import loader
print(loader.walk.__name__, loader.runs.__name__, loader.COMPILED)
print(loader.describe())
"""


@pytest.fixture
def copy(tmp_path):
    """Return a copy of the package, compiled modules included, that a test may damage."""
    shutil.copytree(PACKAGE, tmp_path / "tamis", ignore=shutil.ignore_patterns("__pycache__", "data", "serve"))
    return tmp_path / "tamis" / "_kernels"


def run(kernels, *arguments, **variables):
    env = {name: value for name, value in os.environ.items() if not name.startswith("TAMIS_")}
    return subprocess.run(
        [sys.executable, *(arguments or ("-c", REPORT))],
        env={**env, "PYTHONPATH": str(kernels.parent.parent), **variables},
        capture_output=True,
        text=True,
        check=False,
    )


def edit(path, old, new):
    content = path.read_bytes()
    assert content.count(old) >= 1
    path.write_bytes(content.replace(old, new))


@needs_compiled
def test_unchanged_copy_runs_compiled_without_a_word(copy):
    done = run(copy)
    assert done.stdout.splitlines() == ["tamis._kernels._walk tamis._kernels._runs True", "compiled"]
    assert done.stderr == ""


@needs_compiled
@pytest.mark.parametrize("file", ["walk.py", "_walk.pxd"])
def test_edited_source_wins_over_its_old_binary(copy, file):
    with (copy / file).open("a", encoding="utf-8") as source:
        source.write("\n# edited\n")
    done = run(copy)
    # The edited module runs as Python, the others stay compiled.
    assert done.stdout.splitlines()[0] == "tamis._kernels.walk tamis._kernels._runs False"
    assert done.stdout.splitlines()[1] == "partly compiled: _walk was not built from this version of walk.py"
    warned = [line for line in done.stderr.splitlines() if "RuntimeWarning" in line]
    assert len(warned) == 1
    assert "_walk was not built from this version of walk.py" in warned[0]
    assert "python hatch_build.py" in warned[0]


@needs_compiled
def test_edited_compiler_settings_refuse_every_module(copy):
    edit(copy / "manifest.py", b'"boundscheck": False', b'"boundscheck": True')
    done = run(copy)
    assert done.stdout.startswith("tamis._kernels.walk tamis._kernels.runs False\npure Python: ")
    assert all(name in done.stderr for name in manifest.SOURCES)


@needs_compiled
def test_module_with_another_hash_is_refused(copy):
    edit(copy / f"_walk{SUFFIX}", manifest.source_hash("_walk").encode(), b"0123456789abcdef")
    done = run(copy)
    assert done.stdout.startswith("tamis._kernels.walk tamis._kernels._runs False\n")
    assert "RuntimeWarning" in done.stderr


@needs_compiled
@pytest.mark.parametrize("content", [b"", b"\x7fELF", "_runs"], ids=["empty", "broken", "another module"])
def test_file_that_is_no_such_module_is_refused(copy, content):
    if isinstance(content, str):
        content = (copy / f"{content}{SUFFIX}").read_bytes()
    (copy / f"_walk{SUFFIX}").write_bytes(content)
    done = run(copy)
    assert done.stdout.startswith("tamis._kernels.walk tamis._kernels._runs False\n")
    assert "_walk cannot be imported" in done.stderr


@needs_compiled
def test_require_compiled_fails_on_missing_and_on_stale_modules(copy):
    (copy / f"_runs{SUFFIX}").unlink()
    edit(copy / "walk.py", b'"""', b'""" ')
    done = run(copy, TAMIS_REQUIRE_COMPILED="1")
    assert done.returncode == 1
    error = done.stderr.splitlines()[-1]
    assert error.startswith(
        "ImportError: TAMIS_REQUIRE_COMPILED is set, but _runs is missing, _walk was not built from"
    )
    assert "python hatch_build.py" in error


@needs_compiled
def test_pure_wins_over_require_compiled(copy):
    done = run(copy, TAMIS_REQUIRE_COMPILED="1", TAMIS_PURE="1")
    assert done.stdout.splitlines() == [
        "tamis._kernels.walk tamis._kernels.runs False",
        "pure Python: TAMIS_PURE is set",
    ]


def test_package_without_compiled_modules_runs_as_pure_python(copy):
    for module in copy.glob("*.so"):
        module.unlink()
    done = run(copy)
    assert done.stdout.splitlines() == ["tamis._kernels.walk tamis._kernels.runs False", "pure Python"]
    assert done.stderr.count("RuntimeWarning: Tamis runs as pure Python") == 1
    assert run(copy, "-m", "tamis", "--version").stdout == f"tamis {tamis.__version__} (pure Python)\n"


@needs_compiled
def test_version_says_compiled_and_says_why_a_module_was_refused(copy):
    assert run(copy, "-m", "tamis", "--version").stdout == f"tamis {tamis.__version__} (compiled)\n"
    edit(copy / "runs.py", b'"""', b'""" ')
    expected = f"tamis {tamis.__version__} (partly compiled: _runs was not built from this version of runs.py)\n"
    assert run(copy, "-m", "tamis", "--version").stdout == expected


@needs_compiled
def test_old_module_that_fails_on_a_renamed_constant_is_refused_in_one_line(copy):
    edit(copy / "hashing.py", b"PRIME", b"FACTOR")
    edit(copy / "scan.py", b"hashing.PRIME", b"hashing.FACTOR")
    edit(copy / "similar.py", b"hashing.PRIME", b"hashing.FACTOR")
    done = run(copy, "-c", "from tamis._kernels import loader; print(loader.scan.__name__, loader.walk.__name__)")
    assert done.stdout == "tamis._kernels.scan tamis._kernels._walk\n"
    (warned,) = [line for line in done.stderr.splitlines() if "RuntimeWarning" in line]
    assert "_scan cannot be imported" in warned
    assert "Traceback" not in done.stderr


@needs_compiled
def test_constants_that_modules_import_are_part_of_their_hash(copy):
    edit(copy / "hashing.py", b"SEED: Final", b"SEED : Final")
    done = run(copy)
    assert "_scan was not built from this version" in done.stderr
    assert "_similar was not built from this version" in done.stderr


def test_manifest_names_every_source_of_a_compiled_module():
    listed = {file for files in manifest.SOURCES.values() for file in files}
    there = {path.name for suffix in ("pxd", "pyx", "c", "h") for path in manifest.FOLDER.glob(f"*.{suffix}")}
    assert there <= listed
    assert all((manifest.FOLDER / file).exists() for file in listed)


@needs_compiled
@pytest.mark.parametrize("name", [name for name, files in manifest.SOURCES.items() if files[0].endswith(".py")])
def test_compiled_module_has_all_public_functions_of_its_source(name):
    source = importlib.import_module(f"tamis._kernels.{name.removeprefix('_')}")
    compiled = importlib.import_module(f"tamis._kernels.{name}")
    functions = {
        word
        for word, value in vars(source).items()
        if callable(value) and word[0] != "_" and value.__module__ == source.__name__
    }
    assert functions
    assert functions <= set(vars(compiled))
