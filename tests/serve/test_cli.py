"""``tamis serve`` as a person runs it."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.serve.loopback import send
from tests.waiting import wait_until

pytestmark = pytest.mark.slow  # processes


def start(*args, env=None):
    command = [sys.executable, "-m", "tamis", "serve", *args]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)


def refuses_connections(base):
    try:
        send(f"{base}/healthz")
    except ConnectionError:
        return True
    return False


def test_serve_runs_until_it_is_interrupted(site):
    with start("--port", "0", "--workers", "1", "--allow-private", "--allow-port", str(site.port)) as process:
        try:
            line = process.stdout.readline()
            base = line.split()[3].rstrip("/")
            assert base.startswith("http://127.0.0.1:")  # other machines cannot reach it by default
            assert json.loads(send(f"{base}/healthz").body)["workers"] == 1
            assert send(f"{base}/read?url={site.url('/product')}").status == 200
            assert send(f"{base}/healthz", Host="evil.example").status == 421
            assert send(f"{base}/v1/extract?url=http://169.254.169.254/").status == 403
        finally:
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=300)
        assert "Traceback" not in errors
        assert process.returncode in {0, -signal.SIGINT, 130}


def test_requests_in_flight_end_when_the_service_is_stopped(site):
    wait = threading.Event()
    site.pages["/slow"] = lambda handler: (wait.wait(), handler.respond(b"<p>tea"))
    flags = ["--port", "0", "--workers", "1", "--allow-private", "--allow-port", str(site.port)]
    with start(*flags, "--access-log", "json", "--drain-timeout", "60") as process, ThreadPoolExecutor(1) as threads:
        base = process.stdout.readline().split()[3].rstrip("/")
        before = len(site.hits)
        request = threads.submit(send, f"{base}/v1/extract?url={site.url('/slow')}&format=text")
        wait_until(lambda: len(site.hits) > before)
        process.terminate()
        wait_until(lambda: refuses_connections(base))
        wait.set()
        assert request.result().text == "tea\n"
        output, errors = process.communicate(timeout=300)
        assert "Traceback" not in errors
        assert json.loads(output.splitlines()[-1])["status"] == 200


def test_options_are_environment_variables(site):
    settings = {"TAMIS_ALLOW_PRIVATE": "1", "TAMIS_ALLOW_PORT": str(site.port), "TAMIS_WORKERS": "1"}
    with start("--port", "0", env={**os.environ, **settings, "TAMIS_MAX_BODY": "1kB"}) as process:
        try:
            base = process.stdout.readline().split()[3].rstrip("/")
            assert json.loads(send(f"{base}/healthz").body)["workers"] == 1
            assert send(f"{base}/read?url={site.url('/product')}").status == 200
            assert send(f"{base}/v1/extract", "POST", b"x" * 2000).status == 413
        finally:
            process.terminate()
            process.communicate(timeout=300)


def test_private_addresses_are_blocked_by_default(site):
    with start("--port", "0", "--workers", "1", "--allow-port", str(site.port)) as process:
        try:
            base = process.stdout.readline().split()[3].rstrip("/")
            assert send(f"{base}/read?url={site.url('/product')}").status == 403
        finally:
            process.terminate()
            process.communicate(timeout=300)


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--port", "TAKEN"], "cannot listen on 127.0.0.1 port"),
        (["--workers", "-1"], "--workers"),
        (["--cpu-timeout", "0"], "--cpu-timeout"),
        (["--max-body", "10"], "less than 1kB"),
        (["--max-body", "ten"], "write it as 20MB"),
        (["--host", "0.0.0.0"], "--hostname"),
        (["--access-log", "loud"], "--access-log"),
        (["--api-key-file", "/nowhere/at/all"], "cannot read"),
        (["--trusted-proxy", "nobody"], "--trusted-proxy"),
        (["--allow-cidr", "10.0.0.0/99"], "--allow-cidr: '10.0.0.0/99'"),
        (["--port", "0", "--cache-file", "/nowhere/at/all.db"], "as a cache"),
    ],
)
def test_invalid_options_print_one_line(args, message):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        args = [arg.replace("TAKEN", str(taken.getsockname()[1])) for arg in args]
        with start(*args) as process:
            _, errors = process.communicate(timeout=300)
    assert process.returncode == 2
    assert message in errors
    assert errors.count("\n") == 1


@pytest.mark.parametrize(
    ("command", "modules"),
    [("serve", ["starlette"]), ("serve", ["nh3", "babel"]), ("mcp", ["mcp", "pydantic"]), ("mcp", ["uvicorn"])],
)
def test_missing_dependencies_are_all_named_with_the_extra_of_the_command(command, modules):
    program = (
        f"import sys\nsys.modules.update(dict.fromkeys({modules!r}))\nfrom tamis.cli import main\n"
        f"sys.argv = ['tamis', {command!r}]\nmain()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    them = "is not installed; install it" if len(modules) == 1 else "are not installed; install them"
    assert done.stderr == f"tamis: {', '.join(modules)} {them} with: pip install 'tamis[{command}]'\n"


def test_the_check_of_an_extra_knows_all_that_it_installs():
    from tamis.cli.serve import _MODULES  # noqa: PLC0415

    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))
    named = {re.split(r"[>=<\[]", each)[0] for each in project["project"]["optional-dependencies"]["serve"]}
    optional = {"tamis", "h11", "brotli", "zstandard"}  # h11 comes with uvicorn; the others are encodings of pages
    modules = {"python-mimeparse": "mimeparse"}
    expected = {modules.get(name, name.replace("-", "_")) for name in named - optional} | {"aiohttp"}
    assert set(_MODULES["serve"].split()) == expected
