import http.server
import threading

import pytest

from tamis.browser import Browser, BrowserConfig


@pytest.fixture(scope="session")
def browser(chromium):  # noqa: ARG001 (skips)
    with Browser() as browser:
        yield browser


@pytest.fixture(scope="session")
def script_browser(chromium):  # noqa: ARG001 (skips)
    with Browser(BrowserConfig(scripts=True)) as browser:
        yield browser


class Server:
    """A real HTTP server on loopback that records requested paths and counts connections.

    `resources` maps a path to its content type and body.
    """

    def __init__(self, resources):
        server = self
        self.requested_paths, self.connections = [], 0

        class Handler(http.server.BaseHTTPRequestHandler):
            def setup(self):
                server.connections += 1
                super().setup()

            def do_GET(self):
                server.requested_paths.append(self.path)
                content_type, body = resources.get(self.path, (None, b"not found"))
                self.send_response(200 if content_type else 404)
                self.send_header("Content-Type", content_type or "text/plain")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def start_server():
    servers = []

    def start(resources):
        servers.append(Server(resources))
        return servers[-1]

    yield start
    for server in servers:
        server.close()
