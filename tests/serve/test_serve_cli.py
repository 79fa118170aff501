"""``tamis serve`` as a person runs it."""

import json
import signal
import socket
import subprocess
import sys

import pytest

from tests.serve.loopback import ask

pytestmark = pytest.mark.slow  # processes


def start(*args):
    return subprocess.Popen(
        [sys.executable, "-m", "tamis", "serve", *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def test_one_command_serves_until_it_is_stopped(site):
    with start("--port", "0", "--workers", "1", "--allow-private", "--allow-port", str(site.port)) as process:
        try:
            line = process.stdout.readline()
            base = line.split()[3].rstrip("/")
            assert base.startswith("http://127.0.0.1:")  # nobody else can reach it unless asked for
            assert json.loads(ask(f"{base}/healthz").body)["workers"] == 1
            assert ask(f"{base}/read?url={site.url('/product')}").status == 200
            assert ask(f"{base}/healthz", Host="evil.example").status == 421
            assert ask(f"{base}/v1/extract?url=http://169.254.169.254/").status == 403
        finally:
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=300)
        assert "Traceback" not in errors
        assert process.returncode in {0, -signal.SIGINT, 130}


def test_without_leave_ones_own_network_is_not_read(site):
    with start("--port", "0", "--workers", "1", "--allow-port", str(site.port)) as process:
        try:
            base = process.stdout.readline().split()[3].rstrip("/")
            assert ask(f"{base}/read?url={site.url('/product')}").status == 403
        finally:
            process.terminate()
            process.communicate(timeout=300)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--port", "TAKEN"], "cannot listen on 127.0.0.1 port"),
        (["--workers", "-1"], "at least 1"),
        (["--cpu", "0"], "--cpu"),
        (["--allow-network", "10.0.0.0/99"], "not a network"),
        (["--port", "0", "--cache-file", "/nowhere/at/all.db"], "cannot keep a cache"),
    ],
)
def test_mistakes_are_one_line(args, said):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        given = [one.replace("TAKEN", str(taken.getsockname()[1])) for one in args]
        with start(*given) as process:
            _, errors = process.communicate(timeout=300)
    assert process.returncode == 2
    assert said in errors
    assert errors.count("\n") == 1


@pytest.mark.parametrize("module", ["starlette", "uvicorn", "aiohttp", "nh3"])
def test_a_missing_extra_is_named(module):
    program = (
        f"import sys\nsys.modules[{module!r}] = None\nfrom tamis.cli import main\n"
        "sys.argv = ['tamis', 'serve']\nmain()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == f"tamis: {module} is not installed; install it with: pip install 'tamis[serve]'\n"
