"""How many of the peers' own tests pass with `tamis.compat` in place of the package.

``python bench/peer_suites.py FOLDER [PEER...]``, where the folder has the unpacked source archives of trafilatura,
newspaper4k, html2text and jusText (``pip download --no-deps --no-binary :all:``). The tests of readability-lxml are
in its repository alone: ``readability*/tests``, with the package beside them.

A test counts if every name of the package that it uses, itself or by a helper of its file, is public (`PEERS`): one
that needs a network, a command line or an internal function does not. Names that are not there fail when they are
used; none is lent by the package, which is not imported. ``--mixed`` also counts tests that use internal
names beside one of the package's ``__all__``. ``--failed`` and ``--left-out`` name tests.
"""

import argparse
import ast
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tamis import compat


@dataclass(frozen=True)
class Peer:
    """A suite: where its tests are, and which names of the package are public."""

    files: str
    public: str
    #: Tests that ask for one of these fixtures or markers need a network or the package's own command.
    not_here: str = ""
    conftest: bool = True
    options: tuple[str, ...] = ()


#: The names of each package's documentation.
PEERS = {
    "trafilatura": Peer(
        "trafilatura*/tests/*_tests.py",
        "extract bare_extraction baseline html2txt extract_metadata extract_with_metadata fetch_url fetch_response "
        "load_html use_config DEFAULT_CONFIG Extractor Document find_feed_urls sitemap_search focused_crawler "
        "decode_file sanitize trim Response reset_caches xmltotxt validate_tei content_fingerprint Simhash "
        "try_readability try_justext is_probably_readerable LANGID_FLAG",
        not_here="mock_network",
        conftest=False,  # it replaces internal functions of the downloads
    ),
    "readability": Peer("readability*/tests/test_*.py", "Document"),
    "newspaper": Peer(
        "newspaper*/tests/unit/test_*.py",
        "article Article ArticleException ArticleBinaryDataException ArticleDownloadState Config Configuration "
        "Source Category Feed RobotsException build build_article fulltext hot languages valid_languages "
        "popular_urls nlp keywords summarize normalize_language_code get_path",
        not_here="integration e2e mocker mock_request",
    ),
    "html2text": Peer("html2text*/test/test_*.py", "HTML2Text html2text", not_here="test_command"),
    "justext": Peer(
        "justext*/tests/test_*.py",
        "justext Paragraph JustextError get_stoplist get_stoplists",
        options=("-p", "no:cacheprovider"),
    ),
}


class _Missing:
    """A name that Tamis has not: it may be imported by a file of tests, and fails when it is used."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __call__(self, *_values: object, **_keywords: object) -> Any:
        raise ImportError(f"tamis.compat has no {self._name!r}")

    __getattr__ = __iter__ = __getitem__ = __enter__ = __call__


class _Paths(ModuleType):
    """The module of Tamis as each import path of the package; what it has not is `_Missing`."""

    def __init__(self, name: str, module: ModuleType) -> None:
        super().__init__(name)
        self.__dict__["_module"] = module
        self.__path__ = []

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if (submodule := sys.modules.get(f"{self.__name__}.{name}")) and not hasattr(self._module, name):
            return submodule
        return getattr(self._module, name, None) if hasattr(self._module, name) else _Missing(name)

    def __setattr__(self, name: str, value: object) -> None:
        if name.startswith("__"):
            super().__setattr__(name, value)
        elif not isinstance(value, _Paths):  # an import binds submodules, which a function of that name outranks
            setattr(self._module, name, value)


class _Finder:
    """Finds every submodule of the package: as a path to the module of Tamis."""

    def __init__(self, package: str, module: ModuleType) -> None:
        self._package, self._module = package, module

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> Any:
        from importlib.machinery import ModuleSpec

        return ModuleSpec(name, self, is_package=True) if name.startswith(f"{self._package}.") else None

    def create_module(self, spec: Any) -> ModuleType:
        return _Paths(spec.name, self._module)

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing: the module is made."""


@dataclass
class _Names(ast.NodeVisitor):
    """The names of the package that a function of a file uses."""

    package: str
    imported: dict[str, str]
    used: set[str] = field(default_factory=set)
    helpers: set[str] = field(default_factory=set)

    def visit_Name(self, node: ast.Name) -> None:
        self.helpers.add(node.id)
        if origin := self.imported.get(node.id):
            self.used.add(origin)

    def visit_arg(self, node: ast.arg) -> None:
        self.helpers.add(node.arg)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        chain, inner = [node.attr], node.value
        while isinstance(inner, ast.Attribute):
            chain.append(inner.attr)
            inner = inner.value
        if isinstance(inner, ast.Name) and (origin := self.imported.get(inner.id)) and origin.startswith("module "):
            self.used.add(f"{origin}.{'.'.join(reversed(chain))}")
        else:
            self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        replaced = ast.unparse(node.func).endswith(("patch.object", "setattr")) and len(node.args) > 1
        if replaced and isinstance(node.args[0], ast.Name) and isinstance(node.args[1], ast.Constant):
            is_module = (self.imported.get(node.args[0].id) or "").startswith("module ")
            self.used |= {str(node.args[1].value)} if is_module else set()  # what a mock replaces
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str) and re.fullmatch(rf"{self.package}(\.\w+)+", node.value):
            self.used.add(f"module {node.value}")  # what a mock replaces

    def visit_Import(self, node: ast.Import) -> None:
        self.imported.update(_imports(node, self.package))

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        self.imported.update(_imports(node, self.package))


def _imports(node: ast.AST, package: str) -> dict[str, str]:
    """Return what an import binds: a name of the package, or a ``module`` with its path."""
    found = {}
    if isinstance(node, ast.Import):
        for alias in node.names:
            if alias.name.split(".")[0] == package:
                found[alias.asname or package] = f"module {alias.name if alias.asname else package}"
    elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == package:
        for alias in node.names:
            path = f"{node.module}.{alias.name}"
            name = f"{alias.name} of {node.module}" if alias.asname else alias.name
            found[alias.asname or alias.name] = f"module {path}" if path in _MODULES - _FUNCTIONS else name
    return found


#: Submodules of the packages by path, so that ``from package import module`` is not taken for a name.
_MODULES: set[str] = set()
#: Of these the paths that the package binds to a function: ``from trafilatura import baseline``.
_FUNCTIONS: set[str] = set()


def public_name(used: str) -> str:
    """Return the first part of a path that is no module."""
    if not used.startswith("module "):
        return used
    path = used.removeprefix("module ").split(".")
    depth = 1
    while depth < len(path) and ".".join(path[: depth + 1]) in _MODULES:
        depth += 1
    return path[depth] if depth < len(path) else ""


class Chooser:
    """A plugin of pytest that leaves out the tests that do not count, and counts the others."""

    def __init__(self, peer: Peer, package: str, mixed: frozenset[str]) -> None:
        self._peer, self._package, self._mixed = peer, package, mixed
        self._files: dict[Path, dict[str, set[str]]] = {}
        self.left_out: dict[str, str] = {}
        self.outcomes: dict[str, str] = {}

    def pytest_collection_modifyitems(self, config: Any, items: list[Any]) -> None:
        chosen = []
        for item in items:
            reason = self._reason(item)
            if reason:
                self.left_out[item.nodeid] = reason
            else:
                chosen.append(item)
        config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
        items[:] = chosen

    def _reason(self, item: Any) -> str:
        marks = {mark.name for mark in item.iter_markers()} | set(getattr(item, "fixturenames", ()))
        for mark in item.iter_markers("usefixtures"):
            marks.update(mark.args)
        for unwanted in self._peer.not_here.split():
            if unwanted in marks or item.originalname == unwanted:
                return unwanted
        used = self._used(item.path).get(item.originalname or item.name, set())
        names = {public_name(name) for name in used} - {""}
        internal = names - set(self._peer.public.split())
        if internal and not names & self._mixed:
            return "internal: " + ", ".join(sorted(internal))
        return "" if names else "no call"

    def _used(self, path: Path) -> dict[str, set[str]]:
        if path not in self._files:
            tree = ast.parse(path.read_text("utf-8"))
            imported: dict[str, str] = {}
            for node in tree.body:
                imported.update(_imports(node, self._package))
            functions = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
            direct: dict[str, _Names] = {}
            for name, node in functions.items():
                direct[name] = _Names(self._package, dict(imported))
                for inner in ast.walk(node):  # imports within the function come first
                    direct[name].imported.update(_imports(inner, self._package))
                direct[name].generic_visit(node)
            self._files[path] = {name: _with_helpers(name, direct) for name in direct}
        return self._files[path]

    def pytest_runtest_logreport(self, report: Any) -> None:
        before = self.outcomes.get(report.nodeid)
        if report.failed and str(report.longrepr).startswith("[XPASS(strict)]"):  # right where the package is not
            self.outcomes[report.nodeid] = "passed"
        elif report.failed or (report.when == "call" and before != "failed") or report.skipped:
            self.outcomes[report.nodeid] = report.outcome

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            print(f"not collected: {report.nodeid}\n{report.longreprtext[-600:]}")


def _with_helpers(name: str, direct: dict[str, _Names]) -> set[str]:
    seen, stack = {name}, [name]
    used: set[str] = set()
    while stack:
        names = direct[stack.pop()]
        used |= names.used
        for helper in names.helpers & direct.keys() - seen:
            seen.add(helper)
            stack.append(helper)
    return used


def run(
    package: str, folder: Path, *, mixed: bool, show_failed: bool, show_left_out: bool, traces: bool, keyword: str
) -> None:
    """Run one suite in this process and print its line."""
    peer = PEERS[package]
    files = sorted(path for path in folder.glob(peer.files) if not path.name.startswith("eval_"))
    if not files:
        print(f"{package:12} no tests at {peer.files}")
        return
    root = next(path for path in folder.glob(peer.files.partition("/")[0]) if path.is_dir())
    sources = root / package if (root / package).is_dir() else root / "src" / package
    for path in sources.rglob("*.py"):
        relative = path.relative_to(sources.parent).with_suffix("")
        _MODULES.add(".".join(relative.parts).removesuffix(".__init__"))
    exported: list[str] = []
    for node in ast.parse((sources / "__init__.py").read_text("utf-8")).body:
        if isinstance(node, ast.ImportFrom):
            _FUNCTIONS.update(f"{package}.{alias.asname or alias.name}" for alias in node.names if node.module)
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            exported = ast.literal_eval(node.value)
    compat.install(package)
    module = sys.modules[package]
    paths = _Paths(package, module)
    for name in [name for name in sys.modules if name.startswith(f"{package}.")]:
        del sys.modules[name]
    sys.modules[package] = paths
    sys.meta_path.insert(0, _Finder(package, module))  # type: ignore[arg-type]
    sys.path.insert(0, str(root))
    chooser = Chooser(peer, package, frozenset(exported if mixed else ()))
    arguments = [
        "-c",
        "/dev/null",
        f"--rootdir={root}",
        "-q",
        "--no-header",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:randomly",
    ]
    arguments += [
        "--tb=short" if traces else "--tb=no",
        "-o",
        "python_files=*.py",
        "-o",
        "addopts=",
        "-W",
        "ignore",
        "--import-mode=importlib",
        "--continue-on-collection-errors",
    ]
    arguments += [] if peer.conftest else ["--noconftest"]
    arguments += ["-k", keyword] if keyword else []
    pytest.main([*arguments, *peer.options, *map(str, files)], plugins=[chooser])
    cases = {name: outcome == "passed" for name, outcome in chooser.outcomes.items() if outcome != "skipped"}
    functions: dict[str, bool] = {}
    for name, passed in cases.items():  # a function passes if each of its cases does
        function = name.partition("[")[0]
        functions[function] = functions.get(function, True) and passed
    if show_failed:
        print(*(f"failed: {name}" for name, passed in cases.items() if not passed), sep="\n")
    if show_left_out:
        print(*(f"left out: {name}: {reason}" for name, reason in chooser.left_out.items()), sep="\n")
    counts = [
        f"{sum(results.values()):5} of {len(results):4} {what} ({sum(results.values()) / max(1, len(results)):.0%})"
        for what, results in (("tests", functions), ("cases", cases))
    ]
    print(f"RESULT {package:12} {'  '.join(counts)}", flush=True)


def main() -> None:
    """Run each suite in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("peers", nargs="*", choices=[[], *PEERS])
    parser.add_argument(
        "--mixed", action="store_true", help="count tests that use internal names beside exported ones"
    )
    parser.add_argument("--failed", action="store_true", help="name the tests that fail")
    parser.add_argument("--left-out", action="store_true", help="name the tests that do not count")
    parser.add_argument("--traces", action="store_true", help="show what pytest shows")
    parser.add_argument("-k", default="", help="the tests to run, as for pytest")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    flags = [flag for flag in sys.argv[1:] if flag not in {str(options.folder), *options.peers}]
    for package in options.peers or PEERS:
        if options.here:
            run(
                package,
                options.folder.resolve(),
                mixed=options.mixed,
                show_failed=options.failed,
                show_left_out=options.left_out,
                traces=options.traces,
                keyword=options.k,
            )
            continue
        done = subprocess.run(
            [sys.executable, __file__, str(options.folder), package, *flags, "--here"],
            capture_output=not options.traces,
            text=True,
            check=False,
        )
        if not options.traces:
            lines = [
                line
                for line in done.stdout.splitlines()
                if line.startswith(("RESULT", "failed:", "left out:", "not coll"))
            ]
            print("\n".join(line.removeprefix("RESULT ") for line in lines) or done.stdout + done.stderr)


if __name__ == "__main__":
    main()
