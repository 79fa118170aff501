"""What a machine may lack. A test that cannot run without it says ``@needs("node")``; the reason stands here."""

import os
import shutil
import signal
import socket
import sys
import sysconfig
from collections.abc import Callable
from importlib.metadata import distributions
from importlib.util import find_spec
from pathlib import Path

import pytest

from tamis._core import loader
from tamis.browser.config import find_chromium
from tamis.errors import BrowserError


def _has_chromium() -> bool:
    try:
        return find_spec("playwright") is not None and bool(find_chromium())
    except BrowserError:
        return False


def _has_second_loopback_address() -> bool:
    try:
        with socket.socket() as each:
            each.bind(("127.0.0.2", 0))
    except OSError:
        return False
    return True


def _has_javascript_tools() -> bool:
    from tamis.lab.evaluate.javascript import cache_folder  # noqa: PLC0415 (for one test)

    return cache_folder().is_dir()


#: Whether it is here, and why not or what installs it.
_NEEDS: dict[str, tuple[Callable[[], object], str]] = {
    "a browser": (_has_chromium, "`make chromium` and the extra `browser` install one"),
    "a compiler": (lambda: shutil.which((sysconfig.get_config_var("CC") or "cc").split()[0]), "there is none"),
    "a full device": (lambda: Path("/dev/full").exists(), "there is none"),
    "a second loopback address": (_has_second_loopback_address, "there is none"),
    "AVX2": (lambda: loader.inference, "the core is not compiled, or the processor lacks it"),
    "datatrove": (lambda: find_spec("datatrove"), "`make test-engines` installs it"),
    "fork": (lambda: hasattr(os, "fork"), "this system has none"),
    "Java": (lambda: shutil.which("java"), "`make java` installs it where apt-get works"),
    "LangChain": (lambda: find_spec("langchain_core"), "the group `examples` has it"),
    "Linux": (lambda: sys.platform == "linux", "the test reads /proc, or sets limits of Linux"),
    "make": (lambda: shutil.which("make"), "there is none"),
    "Node.js": (lambda: shutil.which("node"), "there is none"),
    "openssl": (lambda: shutil.which("openssl"), "it makes a certificate"),
    "ray": (lambda: find_spec("ray"), "`make test-engines` installs it"),
    "sanitizers": (lambda: os.environ.get("TAMIS_SANITIZED"), "`make sanitize` has them"),
    "Scrapy": (lambda: find_spec("scrapy"), "the group `examples` has it"),
    "setitimer": (lambda: hasattr(signal, "setitimer"), "this system has none"),
    "shell scripts": (lambda: os.name != "nt", "a program of the test is one"),
    "spark": (lambda: find_spec("pyspark"), "the extra `spark` has it"),
    "the compiled core": (lambda: loader.COMPILED, "there was no compiler, or TAMIS_PURE is set"),
    "the distribution": (lambda: "tamis" in {each.name for each in distributions()}, "`pip install -e .` makes it"),
    "the JavaScript tools": (_has_javascript_tools, "`tamis eval FOLDER --javascript-tools` installs them"),
}


def _missing(name: str) -> str | None:
    is_here, reason = _NEEDS[name]
    return None if is_here() else f"needs {name}: {reason}"


def needs(name: str) -> pytest.MarkDecorator:
    """Return a mark that skips a test where something is missing."""
    return pytest.mark.skipif(_missing(name) is not None, reason=_missing(name) or "")


def skip_without(name: str) -> None:
    """Skip a test from within, or from a fixture, where something is missing."""
    if reason := _missing(name):
        pytest.skip(reason)
