"""Build the compiled core, `tamis._core`, for hatchling and by hand.

    python hatch_build.py                   build the core in place if it is out of date
    python hatch_build.py --has-compiler    print 1 where there is a C compiler, else nothing
    python hatch_build.py --sanitize        build with bounds checks and sanitizers, into build/sanitize
    python hatch_build.py --bounds          build with bounds checks alone, into build/bounds, for fuzzing

Hatchling calls the hook below for wheels and editable installs. Without a C compiler, or with ``TAMIS_PURE=1``, it
builds a pure wheel: the sources of the core are plain Python (Cython's pure Python mode) and run as they are.
``TAMIS_REQUIRE_COMPILED=1`` makes a failure to compile an error.

A second hook gives the README to the package's metadata, with links that lead to the repository.

The core is compiled from a copy of its files (`tamis._core.manifest`), one after another as one module, with their
hash appended as ``__source_hash__``; the loader compares it with the sources that it finds beside the module.
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
CORE = Path("src", "tamis", "_core")
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


class NoCompilerError(Exception):
    """There is no C compiler."""


def load_manifest(root: Path) -> ModuleType:
    """Load the manifest of the core alone: the package may need what a build environment lacks."""
    spec = spec_from_file_location("manifest", root / CORE / "manifest.py")
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


def build(root: Path, output: Path, *, force: bool = False, checks: str = "") -> list[Path]:
    """Build the core in a folder if it is out of date there; return what was built.

    Args:
        root: the folder of the project.
        output: where the module goes.
        force: build it in any case.
        checks: ``"bounds"`` checks every index, ``"sanitize"`` has sanitizers too.
    """
    manifest = load_manifest(root)
    source_hash = manifest.source_hash()
    if not force and is_current(output / f"{manifest.MODULE}{SUFFIX}", source_hash):
        return []
    if not has_compiler():
        raise NoCompilerError("no C compiler")
    path = compile_core(manifest, root / "build" / f"core-{checks}".rstrip("-"), source_hash, checks=checks)
    # Replaced, not written over: a running process may have mapped the old file.
    fresh = output / f".{path.name}"
    shutil.copyfile(path, fresh)
    return [fresh.replace(output / path.name)]


def join_parts(manifest: ModuleType, package: Path, source_hash: str) -> Path:
    """Write the parts of the core as one module with its types, and the C files beside it; return the module."""
    parts = [part for part in manifest.PARTS if os.name != "nt" or not part.startswith("_")]
    sources = [(manifest.FOLDER / f"{part}.py").read_text("utf-8") for part in parts]
    types = [(manifest.FOLDER / f"{part}.pxd").read_text("utf-8") for part in parts if part in manifest.WITH_C]
    if (
        os.name == "nt"
    ):  # the compiler there does not know GCC's vector types: NumPy and the walk do the work of these
        sources.append("def supported():\n    return False\n")
    sources = [re.sub(r"^if TYPE_CHECKING:\n(?: .*\n|\n)+", "", source, flags=re.MULTILINE) for source in sources]
    # What the parts import from each other is in the same module.
    imports = re.compile(rf"^from tamis\._core\.(?:{'|'.join(parts)}) import (?:\([^)]*\)|.*)\n", re.MULTILINE)
    sources = [imports.sub("", source) for source in sources]
    # These functions are those of C.
    c_functions = re.compile(r"^from (?:math|tamis\._core\.shadow) import .*\n", re.MULTILINE)
    sources = [c_functions.sub("", source) for source in sources]
    sources = [source.replace("from tamis._core import shadow as cython\n", "import cython\n") for source in sources]
    module = package / f"{manifest.MODULE}.py"
    module.write_text("\n\n".join([*sources, f'__source_hash__ = "{source_hash}"\n']), "utf-8")
    module.with_suffix(".pxd").write_text("\n".join(types), "utf-8")
    for name in manifest.C_FILES:
        shutil.copyfile(manifest.FOLDER / name, package / name)
    return module


def compile_core(manifest: ModuleType, work: Path, source_hash: str, *, checks: str) -> Path:
    """Compile the core in a working folder, where it sees its own files alone; return the path of the module."""
    from Cython.Build import cythonize  # noqa: PLC0415 (not needed where nothing is built)
    from setuptools import Distribution, Extension  # noqa: PLC0415 (likewise)
    from setuptools.command.build_ext import build_ext  # noqa: PLC0415 (likewise)
    from setuptools.errors import PlatformError  # noqa: PLC0415 (likewise)

    shutil.rmtree(work, ignore_errors=True)
    sanitize = checks == "sanitize"
    compile_flags, link_flags = (SANITIZE_FLAGS, SANITIZE_FLAGS) if sanitize else (RELEASE_FLAGS, STRIP_FLAGS)
    package = work / "tamis" / "_core"
    package.mkdir(parents=True)
    for folder in (package.parent, package):
        (folder / "__init__.py").touch()
    module = join_parts(manifest, package, source_hash)
    c_files = [] if os.name == "nt" else [package / name for name in manifest.C_FILES if name.endswith(".c")]
    extension = Extension(
        f"tamis._core.{manifest.MODULE}",
        [str(file.relative_to(work)) for file in (module, *c_files)],
        # Strings as they are, so that `is_current` finds the hash.
        define_macros=[("CYTHON_COMPRESS_STRINGS", "0")],
        include_dirs=[str(package.relative_to(work))],
        extra_compile_args=([] if os.name == "nt" else list(manifest.COMPILE_FLAGS)) + compile_flags,
        extra_link_args=link_flags,
    )
    before = Path.cwd()
    os.chdir(work)
    try:
        directives = manifest.DIRECTIVES | (BOUNDS_DIRECTIVES if checks else {})
        modules = cythonize([extension], compiler_directives=directives, quiet=True)
        command = build_ext(Distribution({"ext_modules": modules}))
        command.build_lib, command.build_temp = "lib", "objects"
        command.ensure_finalized()
        command.run()
    except PlatformError as error:
        raise NoCompilerError(str(error)) from error
    finally:
        os.chdir(before)
    return work / "lib" / "tamis" / "_core" / f"{manifest.MODULE}{SUFFIX}"


def build_checked(root: Path, checks: str) -> Path:
    """Build a copy of the package with bounds checks, and sanitizers; return the folder to put on the path."""
    target = root / "build" / checks
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(root / "src", target, ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__"))
    build(root, target / "tamis" / "_core", force=True, checks=checks)
    return target


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Compiles before a wheel is put together."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add to the wheel exactly the module that was built for this interpreter; or leave it pure."""
        if self.target_name != "wheel" or os.environ.get("TAMIS_PURE"):
            return
        root = Path(self.root)
        editable = version == "editable"
        output = root / CORE if editable else root / "build" / "wheel"
        try:
            output.mkdir(parents=True, exist_ok=True)
            built = build(root, output, force=not editable)
        except (Exception, SystemExit) as error:
            if os.environ.get("TAMIS_REQUIRE_COMPILED"):
                raise
            warnings.warn(f"Tamis is built without its compiled core and will run slower: {error}", stacklevel=1)
            return
        build_data["infer_tag"] = True
        build_data["pure_python"] = False
        if not editable:  # an editable install finds it beside its sources
            build_data["force_include"] |= {str(path): f"tamis/_core/{path.name}" for path in built}


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
            built = build(ROOT, ROOT / CORE)
        except NoCompilerError as error:
            sys.stdout.write(f"{error}: Tamis runs as pure Python, more slowly\n")
            return
        sys.stdout.write("compiled the core\n" if built else "the compiled core is up to date\n")


if __name__ == "__main__":
    main()
