"""Compile the few hot loops where a compiler is at hand; build without them where not.

Called by hatchling for wheels and editable installs, and by hand (``python hatch_build.py``) after a change. The
sources are plain Python (Cython's pure Python mode); ``TAMIS_PURE=1`` builds without compiling.
"""

import os
import platform
import sys
import warnings
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).parent
#: The module to build, and the file it is built from: every one whose types stand beside it.
MODULES = {
    f"tamis.{types.parent.name}.{types.stem}": f"src/tamis/{types.parent.name}/{types.stem.removeprefix('_')}.py"
    for types in sorted(ROOT.glob("src/tamis/*/_*.pxd"))
}
#: What a module is compiled with besides. Loops of sixteen steps stay loops until they are made into few wide ones;
#: else GCC writes them out one by one (others ignore this).
FLAGS = {
    "tamis._kernels._inference": ["--param", "max-completely-peel-times=8", "-ffinite-math-only", "-fno-signed-zeros"]
}
#: … and on x86-64. `tamis._kernels.loader` looks whether the processor at hand has these instructions before it loads
#: what was compiled with them.
WIDE_FLAGS = {"tamis._kernels._inference": ["-mavx2", "-mfma"]}
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "initializedcheck": False,
    "annotation_typing": False,  # types for the compiler stand in the .pxd files alone
}


def flags_of(name: str) -> list[str]:
    """Return what the compiler is told for one module on this machine."""
    wide = platform.machine().lower() in {"x86_64", "amd64"}
    return FLAGS.get(name, []) + (WIDE_FLAGS.get(name, []) if wide else [])


def compile_loops(root: Path) -> None:
    """Compile each module in place, beside its source."""
    from Cython.Build import cythonize  # noqa: PLC0415 (there may be none)
    from setuptools import Distribution, Extension  # noqa: PLC0415 (likewise)
    from setuptools.command.build_ext import build_ext  # noqa: PLC0415

    before = Path.cwd()
    os.chdir(root)
    try:
        extensions = cythonize(
            [
                Extension(name, [source], extra_compile_args=flags_of(name))
                for name, source in MODULES.items()
                # The compiler of Windows knows no such flags; there NumPy does the work of that module.
                if sys.platform != "win32" or name not in FLAGS
            ],
            compiler_directives=DIRECTIVES,
            build_dir="build/cython",
            quiet=True,
        )
        command = build_ext(Distribution({"ext_modules": extensions, "package_dir": {"": "src"}}))
        command.inplace = True
        command.force = True  # flags may have changed, not only sources
        command.ensure_finalized()
        command.run()
    finally:
        os.chdir(before)


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Compiles before a wheel is put together."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 (hatchling's signature)
        """Compile, and tell hatchling that the wheel is for this machine; or leave it pure."""
        if self.target_name != "wheel" or os.environ.get("TAMIS_PURE"):
            return
        try:
            compile_loops(Path(self.root))
        except (Exception, SystemExit) as error:  # noqa: BLE001 (whatever a compiler may say: the source runs as it is)
            warnings.warn(f"Tamis is built without compiled loops, and runs slower: {error}", stacklevel=1)
            return
        build_data["infer_tag"] = True
        build_data["pure_python"] = False
        build_data["artifacts"] += ["src/tamis/**/*.so", "src/tamis/**/*.pyd"]


if __name__ == "__main__":
    compile_loops(ROOT)
    sys.stdout.write("compiled\n")
