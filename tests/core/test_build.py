"""The build: what goes into a wheel, and what happens without a compiler."""

import ast
import os
import runpy
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

import tamis
from tamis._core import manifest
from tests.needs import needs

ROOT = Path(__file__).parent.parent.parent
SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")
FOREIGN = "_compiled.cpython-310-x86_64-linux-gnu.so"

pytest.importorskip("hatchling")


def run(folder, *arguments, **variables):
    env = {name: value for name, value in os.environ.items() if not name.startswith("TAMIS_")}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**env, **variables},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def checkout(tmp_path):
    """Return a copy of what a build reads, without compiled modules. It compiles unoptimized, which takes less."""
    folder = tmp_path / "checkout"
    folder.mkdir()
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE", "NOTICE", ".gitignore"):
        shutil.copy(ROOT / name, folder)
    shutil.copytree(ROOT / "src", folder / "src", ignore=shutil.ignore_patterns("__pycache__", "*.so", "*.pyd"))
    settings = folder / "src/tamis/_core/manifest.py"
    settings.write_text(settings.read_text("utf-8").replace('"-O3"', '"-O0"'), "utf-8")
    return folder


def build_wheel(checkout, **variables):
    done = run(checkout, "-c", "import hatchling.build; hatchling.build.build_wheel('dist')", **variables)
    assert done.returncode == 0, done.stderr
    (wheel,) = (checkout / "dist").glob("*.whl")
    return wheel


@needs("a compiler")
@pytest.mark.slow
def test_wheel_has_exactly_the_modules_of_this_interpreter(checkout, tmp_path):
    (checkout / "src/tamis/_core" / FOREIGN).write_bytes(b"of another Python")
    (checkout / "src/tamis/page/_old.so").write_bytes(b"of another day")
    wheel = build_wheel(checkout, TAMIS_REQUIRE_COMPILED="1")
    assert wheel.name.startswith(f"tamis-{tamis.__version__}-cp")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        modules = [name for name in names if name.endswith((".so", ".pyd"))]
        assert modules == [f"tamis/_core/{manifest.MODULE}{SUFFIX}"]
        assert {f"tamis/_core/{file}" for file in manifest.SOURCES} <= set(names)
        for name in modules:
            assert b".symtab" not in archive.read(name), "stripped modules have no table of symbols"
        archive.extractall(tmp_path / "installed")
    size = wheel.stat().st_size
    sys.stdout.write(f"{wheel.name}: {size / 1e6:.2f} MB\n")
    # Half a megabyte each: the two weights files of sift, and the stop words of the jusText drop-in.
    assert size < 2_800_000
    installed = {"PYTHONPATH": str(tmp_path / "installed"), "TAMIS_REQUIRE_COMPILED": "1"}
    done = run(tmp_path, "-m", "tamis", "--version", **installed)
    assert done.stdout == f"tamis {tamis.__version__} (compiled)\n"


@pytest.mark.slow
def test_wheel_without_a_compiler_is_pure_and_says_so(checkout):
    (checkout / "src/tamis/_core" / FOREIGN).write_bytes(b"of another Python")
    done = run(checkout, "-c", "import hatchling.build; hatchling.build.build_wheel('dist')", CC="no-such-compiler")
    assert "built without its compiled core" in done.stderr
    (wheel,) = (checkout / "dist").glob("*.whl")
    assert wheel.name == f"tamis-{tamis.__version__}-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as archive:
        assert not [name for name in archive.namelist() if name.endswith((".so", ".pyd"))]


@pytest.mark.slow
def test_pure_installation_warns_once_unless_it_was_asked_for(checkout):
    code = "import tamis; tamis.extract('<p>One.'); tamis.extract('<p>Two.')"
    done = run(checkout, "-c", code, PYTHONPATH=str(checkout / "src"))
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("RuntimeWarning: Tamis runs as pure Python, several times slower") == 1
    assert run(checkout, "-c", code, PYTHONPATH=str(checkout / "src"), TAMIS_PURE="1").stderr == ""


def test_a_core_that_is_up_to_date_is_not_built_again(tmp_path, monkeypatch):
    hatch_build = runpy.run_path(str(ROOT / "hatch_build.py"))
    asked = []
    fresh = tmp_path / "fresh"
    fresh.touch()
    monkeypatch.setitem(
        hatch_build["build"].__globals__, "compile_core", lambda *arguments, **_: asked.append(arguments[2]) or fresh
    )
    monkeypatch.setitem(hatch_build["build"].__globals__, "has_compiler", lambda: True)
    module = tmp_path / f"{manifest.MODULE}{SUFFIX}"
    module.write_text(manifest.source_hash())
    hatch_build["build"](ROOT, tmp_path)
    assert asked == []
    module.write_text("of another day")
    hatch_build["build"](ROOT, tmp_path)
    assert asked == [manifest.source_hash()]


@pytest.mark.slow
def test_wheel_that_must_be_compiled_fails_without_a_compiler(checkout):
    command = "import hatchling.build; hatchling.build.build_wheel('dist')"
    done = run(checkout, "-c", command, CC="no-such-compiler", TAMIS_REQUIRE_COMPILED="1")
    assert done.returncode != 0
    assert "no C compiler" in done.stderr


@pytest.mark.slow
def test_build_without_a_compiler_says_so_and_succeeds(checkout):
    done = run(checkout, "hatch_build.py", CC="no-such-compiler")
    assert done.returncode == 0
    assert done.stdout == "no C compiler: Tamis runs as pure Python, more slowly\n"
    assert run(checkout, "hatch_build.py", "--has-compiler", CC="no-such-compiler").stdout == ""


@pytest.mark.slow
@needs("a compiler")
def test_build_that_fails_with_a_compiler_is_an_error(checkout):
    (checkout / "src/tamis/_core/_scan.pxd").write_text("cpdef no such syntax", encoding="utf-8")
    assert run(checkout, "hatch_build.py").returncode != 0


@pytest.mark.slow
@needs("a compiler")
def test_make_test_requires_compiled_modules_where_there_is_a_compiler():
    assert run(ROOT, "hatch_build.py", "--has-compiler").stdout == "1\n"
    recipe = subprocess.run(["make", "-n", "test"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert any("TAMIS_REQUIRE_COMPILED=$(" in line and "-m pytest" in line for line in recipe.splitlines())


def test_version_has_one_source():
    assert 'dynamic = ["version", ' in (ROOT / "pyproject.toml").read_text("utf-8")
    assert tamis.__version__.count(".") == 2


def test_no_two_parts_of_the_core_define_one_name():
    defined = {}
    for part in manifest.PARTS:
        tree = ast.parse((manifest.FOLDER / f"{part}.py").read_text("utf-8"))
        for node in tree.body:
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", node)]
            names = [
                name.id if isinstance(name, ast.Name) else name.name
                for target in targets
                for name in getattr(target, "elts", [target])
                if isinstance(name, ast.Name | ast.FunctionDef | ast.ClassDef)
            ]
            for name in names:
                assert defined.setdefault(name, part) == part, f"{name} is in {defined[name]} and in {part}"
    assert len(defined) > 100
