"""What a release is made of agrees: versions, links, extras, containers, workflows."""

import re
import runpy
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import tamis
from tamis.errors import MissingExtraError
from tests.needs import needs

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
REPOSITORY = PROJECT["project"]["urls"]["Repository"]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def text_files():
    for pattern in (
        "*.md",
        "*.cff",
        "*.yml",
        "docs/**/*.md",
        ".github/**/*",
        "deploy/*",
        "src/**/*.py",
        "examples/*.py",
    ):
        yield from (path for path in ROOT.glob(pattern) if path.is_file())


def test_repository_is_named_in_one_place():
    assert len(list(text_files())) > 300
    for path in text_files():
        assert "github.com/OWNER" not in path.read_text("utf-8"), path
        assert REPOSITORY not in path.read_text("utf-8"), path


def test_version_of_the_citation_is_that_of_the_package():
    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    assert re.search(r"^version: (.*)$", citation, re.MULTILINE)[1] == tamis.__version__


def test_changelog_keeps_its_form():
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    versions = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert versions[0].startswith(f"[{tamis.__version__}] - ")
    assert all(re.fullmatch(r"\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d", each) for each in versions)
    for section in text.split("\n## ")[1:]:
        headings = re.findall(r"^### (.*)$", section, re.MULTILINE)
        assert len(headings) == len(set(headings))
        assert set(headings) <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def test_every_change_is_of_a_kind_that_towncrier_knows():
    kinds = {each["directory"] for each in PROJECT["tool"]["towncrier"]["type"]}
    for path in (ROOT / "changes").glob("*.md"):
        assert path.name == "README.md" or path.suffixes[-2].strip(".") in kinds, path.name
    assert PROJECT["tool"]["towncrier"]["start_string"].strip() in (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_core_requires_three_packages():
    names = {re.split(r"[^\w-]", each)[0] for each in PROJECT["project"]["dependencies"]}
    assert names == {"turbohtml", "numpy", "click"}


def test_core_pulls_in_nothing_else():
    """What is installed with the core: its three packages, and what they require themselves."""
    found, waiting = set(), ["turbohtml", "numpy", "click"]
    while waiting:
        name = waiting.pop()
        found.add(name)
        for text in metadata.requires(name) or ():
            requirement = Requirement(text)
            applies = requirement.marker is None or requirement.marker.evaluate({"extra": ""})
            if applies and requirement.name not in found:
                waiting.append(requirement.name)
    assert found - {"colorama"} == {"turbohtml", "numpy", "click"}  # colorama: on Windows
    written = (ROOT / "docs" / "install.md").read_text("utf-8")
    assert set(re.findall(r"^\| (\w+) \| .* \| nothing", written, re.MULTILINE)) == found - {"colorama"}


def test_installation_names_every_extra_and_its_packages():
    written = (ROOT / "docs" / "install.md").read_text("utf-8")
    for extra, requirements in PROJECT["project"]["optional-dependencies"].items():
        assert f"`{extra}`" in written
        if extra in {"fetch", "serve", "mcp", "batch", "browser", "eval", "train"}:
            (row,) = [line for line in written.splitlines() if line.startswith(f"| `{extra}`")]
            for name in (Requirement(each).name for each in requirements if not each.startswith("tamis")):
                assert name in row


def test_extras_are_few_and_repeat_no_package():
    extras = PROJECT["project"]["optional-dependencies"]
    assert len(extras) <= 10
    assert sum(each.startswith("pyarrow") for extra in extras.values() for each in extra) == 1
    assert not {"test", "docs", "dev", "release"} & set(extras)  # groups: nobody installs them with the package
    assert {"test", "docs", "dev", "release"} <= set(PROJECT["dependency-groups"])


def test_every_extra_of_a_message_exists():
    named = set()
    for path in (ROOT / "src").rglob("*.py"):
        source = path.read_text("utf-8")
        named |= set(re.findall(r"(?:for_module|needs_extra)\([^)]*?, \"([\w-]+)\"\)", source, re.DOTALL))
        named |= {extra for each in re.findall(r"'tamis\[([\w,-]+)\]'", source) for extra in each.split(",")}
    assert len(named) > 5
    assert named <= set(PROJECT["project"]["optional-dependencies"])
    assert "pip install 'tamis[fetch]'" in str(MissingExtraError.for_module("aiohttp", "fetch"))


def test_readme_of_the_package_has_no_relative_link():
    pytest.importorskip("hatchling")
    hook = runpy.run_path(str(ROOT / "hatch_build.py"))["CustomMetadataHook"](str(ROOT), {})
    fields = {"urls": PROJECT["project"]["urls"]}
    hook.update(fields)
    text = fields["readme"]["text"]
    assert f"]({REPOSITORY}/blob/HEAD/docs/command.md)" in text
    assert f'src="{REPOSITORY}/raw/HEAD/docs/pictures/' in text
    assert all(link.startswith(("http", "#")) for link in re.findall(r"\]\(([^)]+)\)", text))
    assert all(link.startswith("http") for link in re.findall(r'src="([^"]+)"', text))


def test_badges_say_what_pyproject_says():
    readme = (ROOT / "README.md").read_text("utf-8")
    badges = dict(re.findall(r'<img src="docs/pictures/badges/([\w-]+)\.svg" alt="([^"]+)"', readme))
    draw = runpy.run_path(str(ROOT / "release" / "badges.py"))
    assert badges == {name: f"{label}: {value}" for name, (label, value) in draw["badges"]().items()}
    for name, (label, value) in draw["badges"]().items():
        written = (ROOT / "docs" / "pictures" / "badges" / f"{name}.svg").read_text("utf-8")
        assert written == draw["svg"](label, value)


def test_actions_are_pinned_to_commits():
    for path in WORKFLOWS:
        uses = re.findall(r"uses: (\S+)(.*)", path.read_text("utf-8"))
        assert uses
        for action, comment in uses:
            assert re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", action), action
            assert re.fullmatch(r" # v\d+\.\d+\.\d+", comment), comment


def test_targets_of_make_in_workflows_exist():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    for path in WORKFLOWS:
        assert set(re.findall(r"run: make ([\w-]+)", path.read_text("utf-8"))) <= targets


def test_wheels_are_built_for_each_python_of_the_classifiers():
    named = {each.rpartition(" ")[2] for each in PROJECT["project"]["classifiers"] if re.search(r":: 3\.\d+$", each)}
    built = {f"3.{each[3:5]}" for each in PROJECT["tool"]["cibuildwheel"]["build"]}
    checked = {each.rstrip("t") for each in runpy.run_path(str(ROOT / "release" / "check.py"))["SUPPORTED"]}
    assert named == built == checked == {"3.11", "3.12", "3.13", "3.14"}


def test_container_reads_all_that_the_build_needs():
    kept = {line[1:] for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line.startswith("!")}
    assert {"src", "hatch_build.py", "pyproject.toml", "README.md", "LICENSE", "NOTICE"} == kept
    assert set(PROJECT["project"]["license-files"]) <= kept


@pytest.mark.parametrize("options", [("batch", "--help"), ("serve", "--help")])
def test_commands_of_the_container_exist(run_tamis, options):
    dockerfile = (ROOT / "deploy" / "Dockerfile").read_text("utf-8")
    assert f'["tamis", "{options[0]}"]' in dockerfile
    extras = re.search(r"ARG EXTRAS=(\S+)", dockerfile)[1].split(",")
    assert options[0] in extras
    assert set(extras) <= set(PROJECT["project"]["optional-dependencies"])
    assert run_tamis(*options).returncode == 0


@pytest.mark.slow
@needs("the distribution")
def test_smoke_test_passes_here(monkeypatch):
    smoke = runpy.run_path(str(ROOT / "release" / "smoke.py"))
    smoke["check_extraction"]()
    monkeypatch.setitem(smoke["check_extraction"].__globals__, "PAGE", "<p>Another page.</p>")
    with pytest.raises(SystemExit, match="smoke test failed: title"):
        smoke["check_extraction"]()


def test_pre_commit_runs_what_make_lint_and_types_run():
    makefile = (ROOT / "Makefile").read_text("utf-8")
    commands = {
        line.strip().removeprefix("$(BIN)/").split()[0]
        for target in ("lint", "types")
        for line in re.search(rf"^{target}:.*\n((?:\t.*\n)+)", makefile, re.MULTILINE)[1].splitlines()
    }
    hooks = re.findall(r"entry: (\S+)", (ROOT / ".pre-commit-config.yaml").read_text("utf-8"))
    assert commands == {"ruff", "lint-imports", "mypy"} == set(hooks)


@pytest.mark.slow
def test_quick_suite_of_the_workflow_needs_only_what_its_job_installs():
    """Packages that only extras have are hidden while its tests are collected."""
    job = (ROOT / ".github" / "workflows" / "ci.yml").read_text("utf-8").partition("\n  quick:")[2]
    assert re.search(r"pip install (.*)\n +- run: python -m pytest", job)[1] == "-e . --group test"
    folders = re.search(r"python -m pytest (tests/.*)", job)[1].split()
    groups = PROJECT["dependency-groups"]["test"], *PROJECT["project"]["optional-dependencies"].values()
    installed, *extras = ({Requirement(line).name.lower() for line in group} for group in groups)
    hidden = (
        set().union(*extras) - installed - {Requirement(line).name for line in PROJECT["project"]["dependencies"]}
    )
    modules = [
        module for module, names in metadata.packages_distributions().items() if hidden & {n.lower() for n in names}
    ]
    assert {"torch", "pyarrow", "aiohttp"} <= {*modules}
    arguments = ["--collect-only", "-q", "-p", "no:cacheprovider", *folders]
    program = f"import sys, pytest; sys.modules.update(dict.fromkeys({modules})); sys.exit(pytest.main({arguments}))"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_older_python_is_told_which_one_is_needed():
    older = "import sys; sys.version_info = (3, 10, 13); sys.version = '3.10.13 (main)'; import tamis"
    done = subprocess.run([sys.executable, "-c", older], capture_output=True, text=True, check=False)
    assert done.stderr.endswith("ImportError: Tamis needs Python 3.11 or newer, not 3.10.13\n")
