"""Build the compiled modules of `tamis._kernels`, for hatchling and by hand.

    python hatch_build.py                   build in place every module that is out of date
    python hatch_build.py --has-compiler    print 1 where there is a C compiler, else nothing
    python hatch_build.py --sanitize        build with bounds checks and sanitizers, into build/sanitize
    python hatch_build.py --bounds          build with bounds checks alone, into build/bounds, for fuzzing

Hatchling calls the hook below for wheels and editable installs. Without a C compiler, or with ``TAMIS_PURE=1``, it
builds a pure wheel: the sources of the modules are plain Python (Cython's pure Python mode) and run as they are.
``TAMIS_REQUIRE_COMPILED=1`` makes a failure to compile an error.

A second hook gives the README to the package's metadata, with links that lead to the repository.

Each module is compiled from a copy of its files (`tamis._kernels.manifest`) with their hash appended as
``__source_hash__``; the loader compares it with the source that it finds beside the module.
"""

import os
import re
import shutil
import sys
import sysconfig
import warnings
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

ROOT = Path(__file__).parent
KERNELS = Path("src", "tamis", "_kernels")
SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")

#: No debug information, no symbols: they are four fifths of a module's size. No exception of C++ passes through a
#: module, so it needs no tables to unwind its stack.
RELEASE_FLAGS = (
    []
    if os.name == "nt"
    else ["-g0", "-Wno-unused-function", "-fno-asynchronous-unwind-tables", "-fno-unwind-tables"]
)
STRIP_FLAGS = {"linux": ["-s"], "darwin": ["-Wl,-x"]}.get(sys.platform, [])
#: What `make sanitize` and `make fuzz` add. An index below 0 is an error too, because `wraparound` stays off.
BOUNDS_DIRECTIVES = {"boundscheck": True, "initializedcheck": True}
SANITIZE_FLAGS = ["-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-Wno-unused-function"]

#: Cython's code for memoryviews, once for all modules: half of the size of each module that has a copy of its own.
SHARED = "_shared"


class NoCompilerError(Exception):
    """There is no C compiler."""


def load_manifest(root: Path) -> ModuleType:
    """Load the manifest of the kernels alone: the package may need what a build environment lacks."""
    spec = spec_from_file_location("manifest", root / KERNELS / "manifest.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def has_compiler() -> bool:
    """Return whether there is a C compiler. On Windows only trying tells; see `compile_modules`."""
    command = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    return os.name == "nt" or shutil.which(command.split()[0]) is not None


def is_current(module: Path, source_hash: str) -> bool:
    """Return whether a compiled module exists and carries a hash."""
    return module.exists() and source_hash.encode() in module.read_bytes()


def cython_mark() -> str:
    """Return the string by which each module carries the version of Cython that made it."""
    import Cython  # noqa: PLC0415 (not needed where nothing is built)

    return f"_cython_{Cython.__version__.replace('.', '_')}"


def build(root: Path, output: Path, *, force: bool = False, checks: str = "") -> list[Path]:
    """Build the modules that are out of date in a folder, or all of them; return those that were built.

    Args:
        root: the folder of the project.
        output: where the modules go.
        force: build all of them.
        checks: ``"bounds"`` checks every index, ``"sanitize"`` has sanitizers too.
    """
    manifest = load_manifest(root)
    hashes = {name: manifest.source_hash(name) for name in manifest.SOURCES}
    if os.name == "nt":  # the compiler there does not know GCC's vector types; NumPy does the work of this module
        del hashes["_inference"]
    shared = output / f"{SHARED}{SUFFIX}"
    stale = {name: it for name, it in hashes.items() if not is_current(output / f"{name}{SUFFIX}", it)}
    if not force and shared.exists() and not stale:
        return []
    if not has_compiler():
        raise NoCompilerError("no C compiler")
    if force or not is_current(shared, cython_mark()):
        stale = hashes  # modules import this one, and understand only that of their own Cython
    work = root / "build" / f"kernels-{checks}".rstrip("-")
    built = []
    for path in compile_modules(manifest, work, stale, checks=checks):
        # Replaced, not written over: a running process may have mapped the old file.
        fresh = output / f".{path.name}"
        shutil.copyfile(path, fresh)
        built.append(fresh.replace(output / path.name))
    return built


def compile_modules(manifest: ModuleType, work: Path, hashes: dict[str, str], *, checks: str) -> list[Path]:
    """Compile modules in a working folder, where each sees its own files alone; return their paths."""
    from Cython.Build import cythonize  # noqa: PLC0415 (not needed where nothing is built)
    from setuptools import Distribution, Extension  # noqa: PLC0415 (likewise)
    from setuptools.command.build_ext import build_ext  # noqa: PLC0415 (likewise)
    from setuptools.errors import PlatformError  # noqa: PLC0415 (likewise)

    shutil.rmtree(work, ignore_errors=True)
    sanitize = checks == "sanitize"
    compile_flags, link_flags = (SANITIZE_FLAGS, SANITIZE_FLAGS) if sanitize else (RELEASE_FLAGS, STRIP_FLAGS)
    extensions = []
    for name, source_hash in hashes.items():
        package = work / name / "tamis" / "_kernels"
        package.mkdir(parents=True)
        (package.parent / "__init__.py").touch()
        (package / "__init__.py").touch()
        for file in manifest.SOURCES[name]:
            shutil.copyfile(manifest.FOLDER / file, package / file)
        main, *others = (package / file for file in manifest.SOURCES[name])
        with main.open("a", encoding="utf-8") as source:
            source.write(f'\n__source_hash__ = "{source_hash}"\n')
        extensions.append(
            Extension(
                f"tamis._kernels.{name}",
                [str(file.relative_to(work)) for file in (main, *others) if file == main or file.suffix == ".c"],
                # Strings as they are, so that `is_current` finds the hash.
                define_macros=[("CYTHON_COMPRESS_STRINGS", "0")],
                extra_compile_args=manifest.compile_flags(name) + compile_flags,
                extra_link_args=link_flags,
            )
        )
    shared = work / SHARED / f"{SHARED}.c"  # Cython writes it
    shared.parent.mkdir()
    qualified = f"tamis._kernels.{SHARED}"
    small = [] if sanitize or os.name == "nt" else ["-Os"]  # no loop of ours is in it
    source = str(shared.relative_to(work))
    extensions.append(
        Extension(qualified, [source], extra_compile_args=compile_flags + small, extra_link_args=link_flags)
    )
    before = Path.cwd()
    os.chdir(work)
    try:
        directives = manifest.DIRECTIVES | (BOUNDS_DIRECTIVES if checks else {})
        modules = cythonize(
            extensions, compiler_directives=directives, quiet=True, shared_utility_qualified_name=qualified
        )
        command = build_ext(Distribution({"ext_modules": modules}))
        command.build_lib, command.build_temp, command.parallel = "lib", "objects", True
        command.ensure_finalized()
        command.run()
    except PlatformError as error:
        raise NoCompilerError(str(error)) from error
    finally:
        os.chdir(before)
    return [work / "lib" / "tamis" / "_kernels" / f"{name}{SUFFIX}" for name in (*hashes, SHARED)]


def build_checked(root: Path, checks: str) -> Path:
    """Build a copy of the package with bounds checks, and sanitizers; return the folder to put on the path."""
    target = root / "build" / checks
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(root / "src", target, ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__"))
    build(root, target / "tamis" / "_kernels", force=True, checks=checks)
    return target


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Compiles before a wheel is put together."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add to the wheel exactly the modules that were built for this interpreter; or leave it pure."""
        if self.target_name != "wheel" or os.environ.get("TAMIS_PURE"):
            return
        root = Path(self.root)
        editable = version == "editable"
        output = root / KERNELS if editable else root / "build" / "wheel"
        try:
            output.mkdir(parents=True, exist_ok=True)
            built = build(root, output, force=not editable)
        except (Exception, SystemExit) as error:
            if os.environ.get("TAMIS_REQUIRE_COMPILED"):
                raise
            warnings.warn(f"Tamis is built without compiled modules and will run slower: {error}", stacklevel=1)
            return
        build_data["infer_tag"] = True
        build_data["pure_python"] = False
        if not editable:  # an editable install finds them beside their sources
            build_data["force_include"] |= {str(path): f"tamis/_kernels/{path.name}" for path in built}


class CustomMetadataHook(MetadataHookInterface):
    """Adds the README. Its relative links, which an index cannot follow, become links to the repository."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the readme; the repository is that of ``[project.urls]``, and stands nowhere else."""
        text = Path(self.root, "README.md").read_text("utf-8")
        repository = metadata["urls"]["Repository"]
        text = re.sub(r"\]\((?!https?:|#)", f"]({repository}/blob/HEAD/", text)
        text = re.sub(r'src="(?!https?:)', f'src="{repository}/raw/HEAD/', text)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def main() -> None:
    """Run one of the commands above."""
    arguments = sys.argv[1:]
    if arguments == ["--has-compiler"]:
        sys.stdout.write("1\n" if has_compiler() else "")
    elif arguments in (["--sanitize"], ["--bounds"]):
        sys.stdout.write(f"{build_checked(ROOT, arguments[0].removeprefix('--'))}\n")
    elif arguments:
        sys.exit(__doc__)
    else:
        try:
            built = build(ROOT, ROOT / KERNELS)
        except NoCompilerError as error:
            sys.stdout.write(f"{error}: Tamis runs as pure Python, more slowly\n")
            return
        names = ", ".join(path.name.partition(".")[0] for path in built)
        sys.stdout.write(f"compiled {names}\n" if built else "compiled modules are up to date\n")


if __name__ == "__main__":
    main()
