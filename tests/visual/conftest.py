import http.server
import threading
from pathlib import Path

import pytest

from tamis.errors import BrowserError
from tamis.visual.browser import Browser
from tamis.visual.chromium import find_chromium
from tamis.visual.config import Settings


@pytest.fixture(scope="session")
def chromium():
    """Skip what needs a browser where there is none; `make test` installs one where it can."""
    pytest.importorskip("playwright")
    try:
        return find_chromium()
    except BrowserError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def browser(chromium):  # noqa: ARG001 (skips)
    with Browser() as one:
        yield one


@pytest.fixture(scope="session")
def scripted(chromium):  # noqa: ARG001 (skips)
    with Browser(Settings(scripts=True)) as one:
        yield one


def pages_of_the_repository():
    tests = Path(__file__).parent.parent
    return [
        pytest.param(path.read_bytes(), id=f"{path.parent.parent.name}-{path.parent.name}")
        for folder in ("pages", "structure", "visual/pages")
        for path in sorted((tests / folder).glob("*/page.html"))
    ]


class Listener:
    """A real server on loopback: what was asked for, and how many connections were made at all."""

    def __init__(self, answers):
        listener = self
        self.asked, self.connections = [], 0

        class Handler(http.server.BaseHTTPRequestHandler):
            def setup(self):
                listener.connections += 1
                super().setup()

            def do_GET(self):
                listener.asked.append(self.path)
                kind, body = answers.get(self.path, (None, b"not here"))
                self.send_response(200 if kind else 404)
                self.send_header("Content-Type", kind or "text/plain")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def listen():
    made = []

    def start(answers):
        made.append(Listener(answers))
        return made[-1]

    yield start
    for one in made:
        one.close()
