"""``tamis serve`` as a person runs it."""

import json
import signal
import socket
import subprocess
import sys

import pytest

from tests.serve.loopback import send

pytestmark = pytest.mark.slow  # processes


def start(*args):
    return subprocess.Popen(
        [sys.executable, "-m", "tamis", "serve", *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


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
        (["--workers", "-1"], "--workers must be at least 1"),
        (["--cpu", "0"], "--cpu"),
        (["--host", "0.0.0.0"], "--hostname"),
        (["--access-log", "loud"], "--access-log must be off, plain or json"),
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


@pytest.mark.parametrize("module", ["starlette", "uvicorn", "aiohttp", "nh3", "python_multipart"])
def test_a_missing_dependency_names_the_extra(module):
    program = (
        f"import sys\nsys.modules[{module!r}] = None\nfrom tamis.cli import main\n"
        "sys.argv = ['tamis', 'serve']\nmain()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == f"tamis: {module} is not installed; install it with: pip install 'tamis[serve]'\n"
