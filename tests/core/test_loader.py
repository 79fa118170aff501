"""The loader never runs a compiled module that was not built from the source beside it."""

import ast
import importlib
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import tamis
from tamis._core import loader, manifest, pure
from tests.needs import needs

pytestmark = pytest.mark.slow  # processes

PACKAGE = Path(tamis.__file__).parent
SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")

REPORT = """
from tamis._core import loader
print(loader.core.__name__, loader.COMPILED)
print(loader.describe())
"""
MODULE = f"{manifest.MODULE}{SUFFIX}"
COMPILED, PURE = f"tamis._core.{manifest.MODULE} True", "tamis._core.pure False"


@pytest.fixture
def copy(tmp_path):
    """Return a copy of the package, the compiled core included, that a test may damage."""
    shutil.copytree(PACKAGE, tmp_path / "tamis", ignore=shutil.ignore_patterns("__pycache__", "data", "serve"))
    return tmp_path / "tamis" / "_core"


def run(core, *arguments, **variables):
    env = {name: value for name, value in os.environ.items() if not name.startswith("TAMIS_")}
    return subprocess.run(
        [sys.executable, *(arguments or ("-c", REPORT))],
        env={**env, "PYTHONPATH": str(core.parent.parent), **variables},
        capture_output=True,
        text=True,
        check=False,
    )


def edit(path, old, new):
    content = path.read_bytes()
    assert content.count(old) >= 1
    path.write_bytes(content.replace(old, new))


@needs("the compiled core")
def test_unchanged_copy_runs_compiled_without_a_word(copy):
    done = run(copy)
    assert done.stdout.splitlines() == [COMPILED, "compiled"]
    assert done.stderr == ""


@needs("the compiled core")
@pytest.mark.parametrize("file", ["columns.py", "_scan.pxd", "inference.c", "enums.py"])
def test_edited_source_wins_over_its_old_binary(copy, file):
    with (copy / file).open("a", encoding="utf-8") as source:
        source.write("\n")
    done = run(copy)
    reason = "the compiled core was not built from this version of its sources"
    assert done.stdout.splitlines() == [PURE, f"pure Python: {reason}"]
    (warned,) = [line for line in done.stderr.splitlines() if "RuntimeWarning" in line]
    assert "it was not built from this version of its sources" in warned
    assert "python hatch_build.py" in warned


@needs("the compiled core")
def test_edited_compiler_settings_refuse_the_module(copy):
    edit(copy / "manifest.py", b'"boundscheck": False', b'"boundscheck": True')
    done = run(copy)
    assert done.stdout.startswith(f"{PURE}\npure Python: ")
    assert "RuntimeWarning" in done.stderr


@needs("the compiled core")
def test_module_with_another_hash_is_refused(copy):
    edit(copy / MODULE, manifest.source_hash().encode(), b"0123456789abcdef")
    done = run(copy)
    assert done.stdout.startswith(f"{PURE}\n")
    assert "RuntimeWarning" in done.stderr


@needs("the compiled core")
@pytest.mark.parametrize("content", [b"", b"\x7fELF"], ids=["empty", "broken"])
def test_file_that_is_no_such_module_is_refused(copy, content):
    (copy / MODULE).write_bytes(content)
    done = run(copy)
    assert done.stdout.startswith(f"{PURE}\n")
    assert "it cannot be imported" in done.stderr


@needs("the compiled core")
def test_require_compiled_fails_on_a_stale_module(copy):
    edit(copy / "columns.py", b'"""', b'""" ')
    done = run(copy, TAMIS_REQUIRE_COMPILED="1")
    assert done.returncode == 1
    error = done.stderr.splitlines()[-1]
    assert error.startswith("ImportError: TAMIS_REQUIRE_COMPILED is set, but the compiled core was not built from")
    assert "python hatch_build.py" in error


@needs("the compiled core")
def test_require_compiled_fails_on_a_missing_module(copy):
    (copy / MODULE).unlink()
    done = run(copy, TAMIS_REQUIRE_COMPILED="1")
    assert done.returncode == 1
    assert "the compiled core is missing" in done.stderr.splitlines()[-1]


@needs("the compiled core")
def test_pure_wins_over_require_compiled(copy):
    done = run(copy, TAMIS_REQUIRE_COMPILED="1", TAMIS_PURE="1")
    assert done.stdout.splitlines() == [PURE, "pure Python: TAMIS_PURE is set"]


def test_package_without_a_compiled_core_runs_as_pure_python(copy):
    for module in copy.glob("*.so"):
        module.unlink()
    done = run(copy)
    assert done.stdout.splitlines() == [PURE, "pure Python"]
    assert done.stderr.count("RuntimeWarning: Tamis runs as pure Python") == 1
    assert run(copy, "-m", "tamis", "--version").stdout == f"tamis {tamis.__version__} (pure Python)\n"


@needs("the compiled core")
def test_version_says_compiled_and_says_why_the_core_was_refused(copy):
    assert run(copy, "-m", "tamis", "--version").stdout == f"tamis {tamis.__version__} (compiled)\n"
    edit(copy / "blocks.py", b'"""', b'""" ')
    reason = "the compiled core was not built from this version of its sources"
    assert run(copy, "-m", "tamis", "--version").stdout == f"tamis {tamis.__version__} (pure Python: {reason})\n"


@needs("the compiled core")
def test_old_module_that_fails_on_a_renamed_constant_is_refused_in_one_line(copy):
    for file in ("enums.py", "text.py"):
        edit(copy / file, b"PRIME", b"FACTOR")
    done = run(copy)
    assert done.stdout.startswith(f"{PURE}\n")
    (warned,) = [line for line in done.stderr.splitlines() if "RuntimeWarning" in line]
    assert "it cannot be imported" in warned
    assert "Traceback" not in done.stderr


def test_manifest_names_every_source_of_the_compiled_core():
    there = {path.name for suffix in ("pxd", "pyx", "c", "h") for path in manifest.FOLDER.glob(f"*.{suffix}")}
    assert there <= set(manifest.SOURCES)
    assert all((manifest.FOLDER / file).exists() for file in manifest.SOURCES)
    assert {path.stem for path in manifest.FOLDER.glob("*.pxd")} == set(manifest.WITH_C)  # others have their types


def functions_of_c(source):
    """Return the functions that other parts call and Python cannot."""
    return {
        node.name
        for node in ast.parse(source.read_text("utf-8")).body
        if isinstance(node, ast.FunctionDef) and "cython.cfunc" in map(ast.unparse, node.decorator_list)
    }


@needs("the compiled core")
@pytest.mark.parametrize("part", [part for part in manifest.PARTS if part not in {"_inference", "_scan"}])
def test_both_cores_have_all_public_functions_of_each_part(part):
    source = importlib.import_module(f"tamis._core.{part}")
    functions = {
        word
        for word, value in vars(source).items()
        if callable(value) and word[0] != "_" and value.__module__ == source.__name__
    } - functions_of_c(Path(source.__file__))
    assert functions or part == "text"
    assert functions <= set(vars(loader.core))
    assert functions - {"word_table"} <= set(pure.__all__)  # a table is made once, when Tamis is imported
