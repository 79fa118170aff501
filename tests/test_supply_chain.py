"""The core opens no socket, unpickles nothing, evaluates nothing, and keeps no state between pages."""

import ast
import importlib
import pkgutil
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import tamis
from tests.conftest import golden_pages

SOURCE = Path(tamis.__file__).parent
#: The packages that read a page; the others talk to networks, browsers, files and processes.
CORE = [
    "errors",
    "html",
    "_core",
    "page",
    "extractors",
    "sift",
    "papers",
    "sites",
    "document",
    "metadata",
    "render",
    "api",
]
THREADS = 16
#: Module-level containers that change. Each is a registry that a program writes to, or a table that is loaded once.
REGISTRIES = {
    "tamis.extractors.registry._registered",
    "tamis.render.registry._FORMATS",
}


def core_files():
    return [path for path in SOURCE.rglob("*.py") if path.relative_to(SOURCE).parts[0].removesuffix(".py") in CORE]


def core_modules():
    for package in CORE:
        module = importlib.import_module(f"tamis.{package}")
        yield module
        for found in pkgutil.walk_packages(getattr(module, "__path__", []), f"tamis.{package}."):
            if not found.name.rpartition(".")[2].startswith("_"):  # compiled modules
                yield importlib.import_module(found.name)


@pytest.mark.slow
def test_core_has_no_pickle_no_eval_and_changes_no_global():
    for path in core_files():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            assert not isinstance(node, ast.Global), path
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = [alias.name for alias in node.names] + [getattr(node, "module", None) or ""]
                forbidden = {"pickle", "marshal", "shelve", "dill", "socket", "urllib.request", "http.client"}
                assert not forbidden.intersection(names), path
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in {"eval", "exec", "compile", "__import__"}, path


@pytest.mark.slow
def test_extraction_opens_no_socket(monkeypatch):
    def refuse(*_args, **_keywords):
        raise AssertionError("extraction opened a socket")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    for golden in golden_pages():
        extraction = tamis.extract(golden.html, "https://example.org/a")
        for name in ("text", "markdown", "html", "json", "xml", "csv"):
            extraction.render(name, comments=True, with_metadata=True)


@pytest.mark.slow
def test_modules_have_no_mutable_state():
    """A container of a module that is changed while pages are read would be state between pages."""
    modules = list(core_modules())

    def containers():
        return {
            f"{module.__name__}.{name}": repr(value)
            for module in modules
            for name, value in vars(module).items()
            if isinstance(value, list | dict | set | bytearray) and not name.startswith("__")
        }

    for golden in golden_pages()[:3]:  # loads what is loaded once
        tamis.extract(golden.html).to_json(comments=True)
    before = containers()
    for golden in golden_pages()[3:]:
        tamis.extract(golden.html).to_json(comments=True)
    changed = {name for name, value in containers().items() if before.get(name) != value}
    assert changed <= REGISTRIES


def outputs(html):
    extraction = tamis.extract(html, "https://example.org/a")
    return extraction.text, extraction.to_markdown(comments=True), extraction.to_json(comments=True)


@pytest.mark.slow
def test_threads_give_what_one_gives():
    pages = [golden.html for golden in golden_pages()[:4]]
    expected = [outputs(html) for html in pages]
    found = {}
    barrier = threading.Barrier(THREADS)

    def work(number):
        barrier.wait()
        found[number] = outputs(pages[number % len(pages)])

    threads = [threading.Thread(target=work, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[number] for number in range(THREADS)] == [expected[n % len(pages)] for n in range(THREADS)]


def test_threads_share_one_extraction():
    extraction = tamis.extract(golden_pages()[0].html)
    expected = outputs(golden_pages()[0].html)[0]
    found = []
    threads = [threading.Thread(target=lambda: found.append(extraction.text)) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * THREADS


@pytest.mark.slow
def test_hash_seeds_and_processes_give_the_same():
    script = (
        "import hashlib, sys, tamis; from pathlib import Path; digest = hashlib.sha256()\n"
        "for path in sorted(Path(sys.argv[1]).glob('*/page.html')):\n"
        "    extraction = tamis.extract(path, 'https://example.org/')\n"
        "    digest.update((extraction.to_json(comments=True) + extraction.markdown + extraction.xml).encode())\n"
        "print(digest.hexdigest())"
    )
    pages = str(Path(__file__).parent / "structure")
    digests = {
        subprocess.run(
            [sys.executable, "-c", script, pages],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(SOURCE.parent), "PATH": ""},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "4711")
    }
    assert len(digests) == 1
