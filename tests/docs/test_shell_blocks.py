"""Every line of the shell blocks in the README and in docs/command.md runs as it stands, in `examples/pages`.

The lines that download `https://example.org` reach a server on this machine: a name server that answers with its
address, and a certificate that the programs trust, stand in for the network.
"""

import http.client
import http.server
import os
import re
import shutil
import signal
import ssl
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.needs import skip_without

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "examples" / "pages"
PAGE = (
    "<title>Example</title><link rel=alternate type=application/rss+xml href=/feed.xml><main><h1>Example</h1><p>"
    + "This page is for examples in documents. " * 20
    + "</main>"
)
#: What else https://example.org serves: its sitemap, its feed and its robots.txt.
LISTS = {
    "/sitemap.xml": (
        "application/xml",
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.org/a</loc></url></urlset>',
    ),
    "/feed.xml": (
        "application/rss+xml",
        '<rss version="2.0"><channel><item><title>A</title><link>https://example.org/a</link></item></channel></rss>',
    ),
    "/robots.txt": ("text/plain", "User-agent: *\nDisallow: /private\n"),
}
BROWSER = re.compile(r"^tamis render |--render|cehtd")
NETWORK = "https://example.org"
RESOLVER = """
import socket
_resolve = socket.getaddrinfo
def getaddrinfo(host, port, *rest, **more):
    local = host in {{"example.org", b"example.org"}}
    return _resolve("127.0.0.1", {port}, *rest, **more) if local else _resolve(host, port, *rest, **more)
socket.getaddrinfo = getaddrinfo
_connect = socket.socket.connect
def connect(self, address):
    return _connect(self, ("127.0.0.1", {port}) if address == ("127.0.0.1", 443) else address)
socket.socket.connect = connect
"""


def fenced_lines(path, *languages):
    """Return the lines of a document's fences in these languages."""
    fences = re.findall(r"^ *```(\w*)\n(.*?)^ *```", path.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    lines = [line.strip() for language, fence in fences if language in languages for line in fence.splitlines()]
    return [line for line in lines if line]


LINES = [line for name in ("README.md", "docs/command.md") for line in fenced_lines(ROOT / name, "console")]
TAMIS_LINES = [line for line in LINES if "tamis" in line and not line.startswith("pip ")]


class _Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        kind, body = LISTS.get(self.path, ("text/html; charset=utf-8", PAGE))
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def example_org(tmp_path_factory):
    """Serve a page as https://example.org; return the variables by which programs find and trust it."""
    skip_without("openssl")
    folder = tmp_path_factory.mktemp("example.org")
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    command = (
        "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=example.org"
        " -addext subjectAltName=DNS:example.org"
        f" -keyout '{key}' -out '{certificate}'"
    )
    subprocess.run(["bash", "-c", command], check=True, capture_output=True)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    port = server.server_address[1]
    (folder / "sitecustomize.py").write_text(RESOLVER.format(port=port))
    (folder / ".curlrc").write_text(f'connect-to = "example.org:443:127.0.0.1:{port}"\n')
    path = os.pathsep.join([str(folder), str(ROOT / "src")])
    yield {
        "SSL_CERT_FILE": str(certificate),
        "CURL_CA_BUNDLE": str(certificate),
        "CURL_HOME": str(folder),
        "PYTHONPATH": path,
    }
    server.shutdown()
    server.server_close()


@pytest.fixture
def sandbox(tmp_path):
    """Return a copy of the sample pages, and an environment in which `tamis` is this version."""
    shutil.copytree(SAMPLES, tmp_path / "pages")
    program = tmp_path / "bin" / "tamis"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m tamis "$@"\n')
    program.chmod(0o755)
    environment = os.environ | {"PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}"}
    return tmp_path / "pages", environment | {"PYTHONPATH": str(ROOT / "src"), "COLUMNS": "120"}


def run_line(line, folder, environment):
    shell = ["bash", "-e", "-o", "pipefail", "-c", line]
    done = subprocess.run(
        shell, capture_output=True, check=False, cwd=folder, env=environment, stdin=subprocess.DEVNULL, timeout=300
    )
    assert done.returncode == 0, f"{line}\n{done.stderr.decode()}"
    return done.stdout.decode("utf-8", "replace")


def test_there_are_lines_of_every_command():
    commands = {"render", "compare", "eval", "train", "serve"}
    assert commands <= {word for line in TAMIS_LINES for word in line.split()[:2]}
    assert len(TAMIS_LINES) > 25


@pytest.mark.parametrize("line", [line for line in LINES if line not in TAMIS_LINES])
def test_targets_of_make_exist(line):
    command = line.partition("#")[0].split()
    if command[:2] == ["pip", "install"]:
        return  # `make release-check` installs all of these
    skip_without("make")
    assert command[0] == "make", f"not tested: {line}"
    done = subprocess.run([command[0], "-n", *command[1:]], capture_output=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr.decode()


@pytest.mark.slow
def test_lines_run(sandbox, example_org):
    folder, environment = sandbox
    for line in TAMIS_LINES:
        if BROWSER.search(line) or line.startswith("tamis serve"):
            continue
        if "curl" in line and shutil.which("curl") is None:
            continue
        if "| tamis batch -" in line:  # a batch refuses loopback, where the stand-in is: its first half runs
            line = line.partition("|")[0]  # noqa: PLW2901 (the same line)
        printed = run_line(line, folder, environment | (example_org if NETWORK in line else {}))
        outputs = re.findall(r"(?:-o|--output) ([\w./]+)", line)
        assert bool(printed) or outputs, f"{line} prints nothing"
        assert all((folder / output).exists() for output in outputs), line
        if "sitemap" in line or "feed" in line:
            assert printed == "https://example.org/a\n", line
        elif NETWORK in line:
            assert printed.startswith("Example\n\nThis page is for examples"), line


@pytest.mark.usefixtures("chromium")
def test_lines_with_a_browser_run(sandbox):
    folder, environment = sandbox
    lines = [line for line in TAMIS_LINES if BROWSER.search(line)]
    assert len(lines) >= 3
    for line in lines:
        run_line(line, folder, environment)
    assert (folder / "out.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
def test_serve_runs_until_it_is_stopped(sandbox):
    folder, environment = sandbox
    (line,) = [line for line in TAMIS_LINES if line.startswith("tamis serve")]
    command = ["bash", "-c", f"exec {line}"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, cwd=folder, env=environment, **pipes) as process:
        first = process.stdout.readline()
        if not first and "in use" in process.stderr.read():
            pytest.skip("another program listens on the port")
        port = int(re.search(r"http://127\.0\.0\.1:(\d+)/", first)[1])
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        connection.request("GET", "/healthz")
        with connection.getresponse() as response:
            assert response.status == 200
        connection.close()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)


OTHER_EXTRAS = ("pyarrow", "sklearn", "matplotlib", "aiohttp", "starlette", "uvicorn", "nh3", "playwright")
BLOCKED = """
import sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {names!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Blocked())
from tamis.cli import main
main()
"""


@pytest.mark.slow
def test_compare_needs_only_the_extra_that_it_names():
    program = BLOCKED.format(names=OTHER_EXTRAS)
    command = [sys.executable, "-c", program, "compare", str(SAMPLES / "page.html"), "--line-width", "400", "--tools"]
    tools = ["trafilatura,resiliparse", "readability-lxml,justext,boilerpy3,newspaper4k,goose3,turbohtml-article"]
    for names in (*tools, "cetd,body"):
        done = subprocess.run([*command, names], capture_output=True, check=False, text=True)
        assert done.returncode == 0, done.stderr
        assert "Error" not in done.stdout
        assert "Warm the pot first" in done.stdout
