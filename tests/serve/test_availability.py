"""Small inputs that froze or filled the service once. Through each, ``/healthz`` is answered before other work.

The service runs as a program of its own, and so does the client that asks for ``/healthz``.
"""

import gzip
import json
import re
import resource
import select
import signal
import socket
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tamis.sources.guard import ThreadResolver
from tests.serve.faulty_jobs import run_faulty_job
from tests.serve.loopback import Site, loopback_settings, send, serving
from tests.waiting import wait_until

pytestmark = pytest.mark.slow  # processes

PULSE = Path(__file__).parent / "pulse.py"
#: Seconds of CPU time that the service may use before it answers /healthz. What froze it took tens of seconds.
LIMIT = 3
WORDS = "<p>A paragraph about tea, with words enough, commas too, and a point to make at its end.</p>"


class Program:
    """``tamis serve`` as a program."""

    def __init__(self, *args, files=None, errors=subprocess.DEVNULL):
        limit = (lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))) if files else None
        command = [sys.executable, "-m", "tamis", "serve", "--port", "0", "--workers", "1", *args]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, preexec_fn=limit, text=True)  # noqa: PLW1509
        self.base = self.process.stdout.readline().split()[3].rstrip("/")
        self.port = urlsplit(self.base).port
        wait_until(lambda: send(f"{self.base}/readyz").status == 200)

    def memory(self, name="VmRSS"):
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(rf"{name}:\s+(\d+) kB", status)[1]) * 1000

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), 60)

    def close(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()
        self.process.stdout.close()


@pytest.fixture(scope="module")
def origin():
    with Site() as site:
        yield site


@pytest.fixture(scope="module")
def program(origin):
    flags = (
        "--max-connections 250 --head-timeout 4s --request-timeout 12s --max-buffered 20MB --fetch-timeout 5s"
        " --cpu-timeout 3s"
    )
    program = Program(*flags.split(), "--allow-private", "--allow-port", str(origin.port))
    yield program
    program.close()


@contextmanager
def answering(program):
    """Do something while /healthz is asked for, and check that the service did little before each answer.

    Its CPU time counts, not the time of the clock: the tests run beside other work.
    """
    command = [sys.executable, str(PULSE), str(program.port), str(program.process.pid)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as pulse:
        assert pulse.stdout.readline() == "answered\n"
        yield
        output, _ = pulse.communicate()
    assert pulse.returncode == 0
    answers = json.loads(output)
    assert answers["most"] < LIMIT, answers


def at_once(count, function):
    with ThreadPoolExecutor(count) as threads:
        return list(threads.map(function, range(count)))


def extract(program, page="<p>tea"):
    return send(f"{program.base}/v1/extract?format=text&extractor=body", "POST", page, Content_Type="text/html")


def test_forms_of_many_empty_parts(program):
    part = b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'
    content_type = "multipart/form-data; boundary=x"
    forms = [part * 26_000 + b"--x--", b"--x\r\n" + b"a:\r\n" * 40_000 + b"\r\n--x--", b"--x\r\n" + b"a" * 900_000]
    with answering(program):
        for form in forms:
            responses = at_once(
                8, lambda _, f=form: send(f"{program.base}/read", "POST", f, Content_Type=content_type)
            )
            assert {response.status for response in responses} == {400}


def test_large_files_are_read_from_forms(program):
    page = f"<title>Tea</title><article><h1>Tea</h1>{WORDS * 4000}</article>".encode()
    assert len(page) > 300_000
    head = b'--x\r\nContent-Disposition: form-data; name="file"; filename="t.html"\r\nContent-Type: text/html\r\n\r\n'
    form = head + page + b"\r\n--x--\r\n"
    response = send(f"{program.base}/read", "POST", form, Content_Type="multipart/form-data; boundary=x")
    assert response.status == 200
    assert response.text.count("A paragraph about tea") > 3900  # sift may take one for a teaser


def test_a_long_base_that_many_links_multiply(program):
    links = "".join(f"<li><a href=s{n}>Words about matter number {n}, and more of them</a></li>" for n in range(1000))
    page = f"<base href='https://e.org/{'x' * 300_000}/'><article><h1>Tea</h1>{WORDS}<ul>{links}</ul></article>"
    with answering(program):
        for path in ("/v1/extract?with=html,markdown", "/read"):
            response = send(program.base + path, "POST", page, Content_Type="text/html", Accept_Encoding="gzip")
            assert response.status in {200, 422, 504}
            if response.status == 200:
                assert len(gzip.decompress(response.body)) < 20_000_000


def test_bodies_in_flight_have_a_budget(program):
    head = (
        b"POST /v1/extract HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/html\r\nContent-Length: 9900000\r\n\r\n"
    )
    before = program.memory()
    with ExitStack() as stack, answering(program):
        connections = [stack.enter_context(program.connect()) for _ in range(40)]

        def flood(number):
            try:
                connections[number].sendall(head + b"x" * 6_000_000)
            except OSError:
                return b"refused"
            return b""

        refused = {number for number, message in enumerate(at_once(40, flood)) if message}
        while len(refused) < 30:
            waiting = [number for number in range(40) if number not in refused]
            readable, _, _ = select.select([connections[number] for number in waiting], [], [])
            # What can be read is an answer, or the end of the connection.
            refused |= {number for number in waiting if connections[number] in readable}
        assert program.memory() - before < 120_000_000
    assert extract(program).text == "tea\n"


def test_idle_and_trickling_connections_leave_room_for_others(program):
    with ExitStack() as stack:
        with answering(program):
            idle = [stack.enter_context(program.connect()) for _ in range(300)]
            trickling = [stack.enter_context(program.connect()) for _ in range(100)]
            for byte in b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n":
                for connection in trickling:
                    try:
                        connection.sendall(bytes([byte]))
                    except OSError:
                        continue
            assert extract(program).text == "tea\n"
        for connection in idle + trickling:  # all of them are closed: some for others, the rest after --head-timeout
            try:
                assert connection.recv(100) == b""
            except ConnectionError:
                continue


def test_exhausted_file_descriptors_are_no_hang(tmp_path):
    log = tmp_path / "errors"
    with log.open("w") as errors:
        program = Program("--head-timeout", "2", files=400, errors=errors)
        with ExitStack() as stack, answering(program):
            for _ in range(600):
                stack.enter_context(program.connect())
        assert extract(program).text == "tea\n"
        program.close()
    assert log.stat().st_size < 20_000


def test_trickling_batches_leave_room_for_others(program):
    head = b"POST /v1/batch HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    with ExitStack() as stack, answering(program):
        batches = [stack.enter_context(program.connect()) for _ in range(64)]
        for connection in batches:
            connection.sendall(head)
        for _ in range(10):
            for connection in batches:
                try:
                    connection.sendall(b"1\r\n{\r\n")
                except OSError:
                    continue
        assert extract(program).text == "tea\n"


def test_a_line_of_a_batch_has_one_deadline():
    with ExitStack() as stack:
        base = stack.enter_context(serving(loopback_settings(80, body_timeout=1)))
        with socket.create_connection(("127.0.0.1", urlsplit(base).port), 60) as connection:
            connection.sendall(b"POST /v1/batch HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
            stop = threading.Event()

            def trickle():
                while not stop.wait(0.2):
                    try:
                        connection.sendall(b"1\r\n \r\n")
                    except OSError:
                        return

            thread = threading.Thread(target=trickle)
            thread.start()
            try:
                received = b""
                while b"No line within 1 seconds" not in received:
                    received += connection.recv(1000)
                    assert received
            finally:
                stop.set()
                thread.join()


def test_clients_that_never_read_are_closed():
    page = f"<article><h1>Tea</h1>{WORDS * 40_000}</article>"
    request = (
        "POST /v1/extract?format=text&extractor=body HTTP/1.1\r\nHost: x\r\nContent-Type: text/html\r\n"
        f"Content-Length: {len(page)}\r\n\r\n{page}"
    ).encode()
    with serving(loopback_settings(80, request_timeout=3)) as base, ExitStack() as stack:
        port = urlsplit(base).port
        for _ in range(2):
            connection = stack.enter_context(socket.socket())
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.connect(("127.0.0.1", port))
            connection.sendall(request)

        def held():
            text = send(f"{base}/metrics").text
            return int(float(re.search(r"^tamis_buffered_bytes (\S+)$", text, re.MULTILINE)[1]))

        wait_until(held)
        wait_until(lambda: not held())


def test_names_that_never_resolve():
    release = threading.Event()

    def lookup(host, port, **_):
        if host.startswith("never"):
            release.wait()
            raise socket.gaierror(socket.EAI_AGAIN, "no answer")
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    with Site() as site:
        site.pages["/"] = b"<p>tea"
        service = serving(loopback_settings(site.port), resolver=ThreadResolver(lookup, timeout=600))
        with service as base, ThreadPoolExecutor(40) as threads:
            never = [
                threads.submit(send, f"{base}/v1/extract?url=http://never{n}.example:{site.port}/") for n in range(40)
            ]
            wait_until(lambda: "tamis_active_requests 40.0" in send(f"{base}/metrics").text)
            assert send(f"{base}/v1/extract?url=http://tea.example:{site.port}/&format=text").text == "tea\n"
            release.set()
            assert {each.result().status for each in never} == {502}


def test_origins_that_never_end(program, origin):
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"

    def endless(start, piece):
        def respond(handler):
            handler.wfile.write(start)
            while True:
                handler.wfile.write(piece * 2000)

        return respond

    origin.pages["/chunks"] = endless(head + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n")
    origin.pages["/continue"] = endless(b"", b"HTTP/1.1 100 Continue\r\n\r\n")
    origin.pages["/members"] = endless(head + b"Content-Encoding: gzip\r\n\r\n", gzip.compress(b""))
    origin.pages["/tea"] = b"<p>tea"
    with answering(program):
        paths = ["chunks", "continue", "members"] * 4
        responses = at_once(12, lambda n: send(f"{program.base}/v1/extract?url={origin.url(f'/{paths[n]}?{n}')}"))
        assert {response.status for response in responses} <= {502, 504}
        assert send(f"{program.base}/v1/extract?url={origin.url('/tea')}&format=text").text == "tea\n"


def test_work_of_clients_that_left_is_dropped(tmp_path):
    gate = tmp_path / "gate"
    page = f"please-wait-for:{gate} ".encode()
    request = b"POST /v1/extract?n=%d HTTP/1.1\r\nHost: x\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n"
    with serving(loopback_settings(80), run_job=run_faulty_job) as base:
        with ExitStack() as stack:
            for _ in range(30):
                connection = stack.enter_context(socket.create_connection(("127.0.0.1", urlsplit(base).port)))
                connection.sendall(request.replace(b"?n=%d", b"") % len(page) + page)
            wait_until(lambda: "tamis_queued_jobs 29.0" in send(f"{base}/metrics").text)
        wait_until(lambda: "tamis_queued_jobs 0.0" in send(f"{base}/metrics").text)
        gate.touch()
        assert send(f"{base}/v1/extract?format=text&extractor=body", "POST", b"<p>tea").text == "tea\n"
        assert gate.read_bytes() == b"."  # the one that ran when its client left
