"""Requests beyond the capacity are refused, and failures in a worker stay there."""

import json
import socket
import threading
from urllib.parse import urlsplit

import pytest

from tamis.sources.fetch import FetchLimits
from tests.serve.faulty_jobs import run_faulty_job
from tests.serve.loopback import Site, loopback_settings, send, serving
from tests.waiting import wait_until

pytestmark = pytest.mark.slow  # processes

HEAD = b"POST /v1/extract HTTP/1.1\r\nHost: x\r\nContent-Type: text/html\r\n"


def extract(base, text):
    return send(f"{base}/v1/extract?format=text&extractor=body", "POST", text.encode(), Content_Type="text/html")


@pytest.fixture(scope="module")
def faulty_service():
    with serving(
        loopback_settings(80, cpu_timeout=1, wall_timeout=300, max_memory=1_500_000_000), run_job=run_faulty_job
    ) as base:
        yield base


@pytest.mark.parametrize(
    ("page", "status", "detail"),
    [
        ("please-spin", 422, "more than 1 s of CPU time; see --cpu-timeout"),
        ("please-die", 422, "crashed its process (exit code 7)"),
        ("please-swell", 422, "more than 1.5 GB of memory; see --max-memory"),
        ("please-fail", 500, "The error was logged."),
    ],
)
def test_a_page_that_exceeds_its_budget_fails_alone(faulty_service, page, status, detail):
    response = extract(faulty_service, page)
    assert response.status == status
    assert detail in json.loads(response.body)["detail"]
    assert "secret" not in response.text
    assert "Traceback" not in response.text
    assert extract(faulty_service, "<p>tea").text == "tea\n"
    restarts = next(
        line
        for line in send(f"{faulty_service}/metrics").text.splitlines()
        if line.startswith("tamis_worker_restarts")
    )
    if status == 422:
        assert int(float(restarts.split()[1])) >= 1


def test_a_page_that_only_waits_times_out():
    with serving(loopback_settings(80, wall_timeout=1), run_job=run_faulty_job) as base:
        response = extract(base, "please-sleep")
        assert response.status == 422
        assert "took more than 1 s" in response.text


def test_a_real_page_can_exceed_its_budget():
    with serving(loopback_settings(80, cpu_timeout=0.5)) as base:
        response = send(f"{base}/v1/extract", "POST", b"<p>x<b>y" * 400_000, Content_Type="text/html")
        assert response.status == 422
        assert "CPU time" in response.text or "memory" in response.text
        assert extract(base, "<p>tea").text == "tea\n"


def test_an_error_in_the_reader_is_a_page_without_a_traceback(faulty_service):
    response = send(f"{faulty_service}/read", "POST", b"please-fail", Content_Type="text/html")
    assert response.status == 500
    assert "Traceback" not in response.text
    assert "secret" not in response.text


def test_too_many_requests_get_503_with_retry_after():
    wait = threading.Event()
    with Site() as site, serving(loopback_settings(site.port, max_requests=2, max_waiting=0, max_batches=0)) as base:
        site.pages["/slow"] = lambda handler: (wait.wait(), handler.respond(b"<p>tea"))
        responses = []
        threads = [
            threading.Thread(
                target=lambda n=n: responses.append(send(f"{base}/v1/extract?url={site.url(f'/slow?{n}')}"))
            )
            for n in range(2)
        ]
        try:
            for thread in threads:
                thread.start()
            wait_until(lambda: len(site.hits) == 2)
            for path in (f"/v1/extract?url={site.url('/x')}", f"/read?url={site.url('/x')}", f"/{site.url('/x')}"):
                refused = send(base + path)
                assert refused.status == 503
                assert int(refused.headers["retry-after"]) >= 1
            assert send(f"{base}/v1/batch", "POST", b"{}", Content_Type="application/x-ndjson").status == 503
            assert send(f"{base}/healthz").status == 200  # cheap requests are still answered
        finally:
            wait.set()
            for thread in threads:
                thread.join()
        assert [response.status for response in responses] == [200, 200]
        assert send(f"{base}/v1/extract?url={site.url('/slow?3')}").status == 200


def test_the_size_of_a_body_is_limited():
    with serving(loopback_settings(80, max_body=10_000)) as base:
        assert extract(base, "<p>" + "x" * 9_000).status == 200
        refused = extract(base, "<p>" + "x" * 11_000)
        assert refused.status == 413
        assert "see --max-body" in refused.text
        parts = urlsplit(base)
        with socket.create_connection((parts.hostname, parts.port), 300) as connection:  # without a Content-Length
            connection.sendall(HEAD + b"Transfer-Encoding: chunked\r\n\r\n2ee0\r\n" + b"x" * 12_000 + b"\r\n")
            assert b" 413 " in connection.makefile("rb").readline()


def test_a_page_of_too_many_nodes_is_read_in_part():
    with serving(loopback_settings(80, max_nodes=50)) as base:
        page = b"<p>Boil the water, and wait.</p>" * 100
        values = json.loads(send(f"{base}/v1/extract?extractor=body", "POST", page, Content_Type="text/html").text)
        assert [warning["type"] for warning in values["warnings"]] == ["limit reached"]
        assert 0 < values["text"].count("Boil") < 50


def test_a_body_that_does_not_arrive_times_out():
    with serving(loopback_settings(80, body_timeout=0.3)) as base:
        parts = urlsplit(base)
        with socket.create_connection((parts.hostname, parts.port), 300) as connection:
            connection.sendall(
                b"POST /v1/extract HTTP/1.1\r\nHost: x\r\nContent-Type: text/html\r\nContent-Length: 99\r\n\r\n<p>"
            )
            assert b" 408 " in connection.makefile("rb").readline()


def test_slow_and_looping_sites_have_different_statuses():
    wait = threading.Event()
    with Site() as site, serving(loopback_settings(site.port)) as base:
        site.pages["/loop"] = lambda handler: handler.respond(b"", 302, Location="/loop")
        assert send(f"{base}/v1/extract?url={site.url('/loop')}").status == 502
    with Site() as site, serving(loopback_settings(site.port, limits=FetchLimits(timeout=1))) as base:
        site.pages["/slow"] = lambda _: wait.wait()
        assert send(f"{base}/v1/extract?url={site.url('/slow')}").status == 504
        page = send(f"{base}/read?url={site.url('/slow')}")
        assert page.status == 504
        assert "did not arrive in time" in page.text
        assert site.url("/slow") in page.text  # a link to the original
        wait.set()
