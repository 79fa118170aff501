"""Too much is turned away, and what goes wrong in a worker stays there."""

import json
import socket
import threading
import time
from urllib.parse import urlsplit

import pytest

from tamis.sources.fetch import Limits
from tests.serve.loopback import Site, ask, open_settings, serving
from tests.serve.odd_works import odd

pytestmark = pytest.mark.slow  # processes

HEAD = b"POST /v1/extract HTTP/1.1\r\nHost: x\r\nContent-Type: text/html\r\n"


def sent(base, text):
    return ask(f"{base}/v1/extract?format=text&extractor=body", "POST", text.encode(), Content_Type="text/html")


@pytest.fixture(scope="module")
def odd_service():
    with serving(open_settings(80, cpu=1, wall_timeout=300, memory=1_500_000_000), work=odd) as base:
        yield base


@pytest.mark.parametrize(
    ("page", "status", "said"),
    [
        ("please-spin", 422, "more than 1 s of CPU time"),
        ("please-die", 422, "crashed its process (exit code 7)"),
        ("please-swell", 422, "more than 1.5 GB of memory"),
        ("please-fail", 500, "The server has noted what it was."),
    ],
)
def test_a_page_that_costs_too_much_ends_its_worker_and_nobody_elses(odd_service, page, status, said):
    found = sent(odd_service, page)
    assert found.status == status
    assert json.loads(found.body)["detail"].endswith(said) or said in found.text
    assert "secret" not in found.text
    assert "Traceback" not in found.text
    assert sent(odd_service, "<p>tea").text == "tea\n"
    restarts = next(
        line for line in ask(f"{odd_service}/metrics").text.splitlines() if line.startswith("tamis_worker_restarts")
    )
    if status == 422 and page != "please-swell":
        assert int(float(restarts.split()[1])) >= 1


def test_a_page_that_only_waits_is_not_waited_for():
    with serving(open_settings(80, wall_timeout=1), work=odd) as base:
        found = sent(base, "please-sleep")
        assert found.status == 422
        assert "took more than 1 s" in found.text


def test_a_real_page_has_a_budget_too():
    with serving(open_settings(80, cpu=0.5)) as base:
        found = ask(f"{base}/v1/extract", "POST", b"<p>x<b>y" * 400_000, Content_Type="text/html")
        assert found.status == 422
        assert "CPU time" in found.text or "memory" in found.text
        assert sent(base, "<p>tea").text == "tea\n"


def test_an_error_in_the_reader_is_a_page_without_a_traceback(odd_service):
    found = ask(f"{odd_service}/read", "POST", b"please-fail", Content_Type="text/html")
    assert found.status == 500
    assert "Traceback" not in found.text
    assert "secret" not in found.text


def test_too_many_requests_are_told_to_come_back():
    wait = threading.Event()
    with Site() as site, serving(open_settings(site.port, requests=2)) as base:
        site.pages["/slow"] = lambda handler: (wait.wait(300), handler.answer(b"<p>tea"))
        answers = []
        slow = [
            threading.Thread(
                target=lambda n=n: answers.append(ask(f"{base}/v1/extract?url={site.url(f'/slow?{n}')}"))
            )
            for n in range(2)
        ]
        try:
            for one in slow:
                one.start()
            while len(site.hits) < 2:
                time.sleep(0.02)
            for path in (f"/v1/extract?url={site.url('/x')}", f"/read?url={site.url('/x')}", f"/{site.url('/x')}"):
                refused = ask(base + path)
                assert refused.status == 503
                assert int(refused.headers["retry-after"]) >= 1
            assert ask(f"{base}/v1/batch", "POST", b"{}", Content_Type="application/x-ndjson").status == 503
            assert ask(f"{base}/healthz").status == 200  # what costs nothing is still answered
        finally:
            wait.set()
            for one in slow:
                one.join()
        assert [one.status for one in answers] == [200, 200]
        assert ask(f"{base}/v1/extract?url={site.url('/slow?3')}").status == 200


def test_the_size_of_a_request_is_limited():
    with serving(open_settings(80, body=10_000)) as base:
        assert sent(base, "<p>" + "x" * 9_000).status == 200
        assert sent(base, "<p>" + "x" * 11_000).status == 413
        parts = urlsplit(base)
        with socket.create_connection((parts.hostname, parts.port), 300) as line:  # without saying how long it is
            line.sendall(HEAD + b"Transfer-Encoding: chunked\r\n\r\n2ee0\r\n" + b"x" * 12_000 + b"\r\n")
            assert b" 413 " in line.makefile("rb").readline()


def test_a_request_that_does_not_arrive_is_given_up():
    with serving(open_settings(80, body_seconds=0.3)) as base:
        parts = urlsplit(base)
        with socket.create_connection((parts.hostname, parts.port), 300) as line:
            line.sendall(
                b"POST /v1/extract HTTP/1.1\r\nHost: x\r\nContent-Type: text/html\r\nContent-Length: 99\r\n\r\n<p>"
            )
            assert b" 408 " in line.makefile("rb").readline()


def test_slow_and_looping_sites_are_told_apart():
    wait = threading.Event()
    with Site() as site, serving(open_settings(site.port, limits=Limits(seconds=1))) as base:
        site.pages["/slow"] = lambda _: wait.wait(300)
        site.pages["/loop"] = lambda handler: handler.answer(b"", 302, Location="/loop")
        assert ask(f"{base}/v1/extract?url={site.url('/slow')}").status == 504
        assert ask(f"{base}/v1/extract?url={site.url('/loop')}").status == 502
        page = ask(f"{base}/read?url={site.url('/slow')}")
        assert page.status == 504
        assert "did not come in time" in page.text
        assert site.url("/slow") in page.text  # the way to the original
        wait.set()
