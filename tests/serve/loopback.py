"""Real servers on loopback: a site with pages, and the service itself."""

import asyncio
import http.client
import http.server
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from ipaddress import ip_network
from urllib.parse import urlsplit

from tamis.serve.http.app import Server, create_app
from tamis.serve.settings import Settings
from tamis.sources.fetch import FetchLimits
from tamis.sources.guard import Policy
from tests.waiting import wait_until

LOOPBACK = (ip_network("127.0.0.0/8"), ip_network("::1/128"))


@dataclass
class Site:
    """A small web site. `pages` has bytes, or functions of the request's handler; `hits` has the requested paths."""

    address: str = "127.0.0.1"
    port: int = 0
    pages: dict = field(default_factory=dict)
    hits: list = field(default_factory=list)
    headers: list = field(default_factory=list)

    def url(self, path="/"):
        host = f"[{self.address}]" if ":" in self.address else self.address
        return f"http://{host}:{self.port}{path}"

    def __enter__(self):
        site = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                site.hits.append(self.path)
                site.headers.append(dict(self.headers))
                page = site.pages.get(urlsplit(self.path).path)
                try:
                    if callable(page):
                        page(self)
                    elif page is None:
                        self.respond(b"nothing", 404)
                    else:
                        self.respond(page)
                except OSError:  # the client has closed the connection
                    self.close_connection = True

            do_POST = do_GET  # noqa: N815 (http.server's)

            def respond(self, body, status=200, **headers):
                self.send_response(status)
                defaults = {"Content-Type": "text/html; charset=utf-8", "Content-Length": str(len(body))}
                for name, value in (defaults | {name.replace("_", "-"): v for name, v in headers.items()}).items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *args):
                pass

        class Server(http.server.ThreadingHTTPServer):
            address_family = socket.AF_INET6 if ":" in site.address else socket.AF_INET
            daemon_threads = True

            def handle_error(self, *args):
                pass

        self._server = Server((self.address, self.port), Handler)
        self.port = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05})
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@dataclass
class Response:
    status: int
    headers: dict
    body: bytes

    @property
    def text(self):
        return self.body.decode()


def send(url, method="GET", body=None, **headers):
    """Send one request and return the response. An underscore in the name of a header is a dash."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=300)
    try:
        path = parts.path + (f"?{parts.query}" if parts.query else "")
        connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
        response = connection.getresponse()
        headers = {name.lower(): value for name, value in response.getheaders()}
        return Response(response.status, headers, response.read())
    finally:
        connection.close()


def run(coroutine):
    """Run a coroutine in a thread of its own: the browser of another test may run an event loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()


@contextmanager
def serving(settings, **options):
    """Run the service in a thread, with a real uvicorn on a free loopback port."""
    app = create_app(settings, **options)
    listener = socket.create_server(("127.0.0.1", 0))
    server = Server(app, settings, "critical")
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    wait_until(lambda: server.started or not thread.is_alive())
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        listener.close()


def loopback_settings(*ports, **changes):
    """Return settings that fetch pages from some ports of loopback, and from nowhere else."""
    values = {
        "policy": Policy(networks=LOOPBACK, ports=frozenset(ports)),
        "limits": FetchLimits(timeout=120),
        "workers": 1,
        **changes,
    }
    return Settings(**values)
