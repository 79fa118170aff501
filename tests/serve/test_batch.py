"""Batches: lines in, lines out, in order, as they come."""

import json
import socket
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import pytest

from tests.serve.faulty_jobs import run_faulty_job
from tests.serve.loopback import Site, loopback_settings, send, serving
from tests.sift.test_clean_pages import SHORT, lost_words
from tests.waiting import wait_until

pytestmark = pytest.mark.slow  # processes


def batch(base, lines):
    body = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    response = send(f"{base}/v1/batch", "POST", body, Content_Type="application/x-ndjson")
    assert response.status == 200
    assert response.headers["content-type"] == "application/x-ndjson"
    return [json.loads(line) for line in response.text.splitlines()]


def test_results_come_in_the_order_of_the_lines(service, site):
    lines = [{"id": n, "html": f"<p>page {n}", "extractor": "body", "format": "text"} for n in range(40)]
    lines[7] = {"id": 7, "url": site.url("/blog-ru"), "format": "markdown"}
    results = batch(service, lines)
    assert [each["line"] for each in results] == list(range(1, 41))
    assert [each["id"] for each in results] == list(range(40))
    assert results[3] == {"line": 4, "id": 3, "status": 200, "format": "text", "result": "page 3\n"}
    assert results[7]["status"] == 200
    assert isinstance(batch(service, [{"html": "<p>x"}])[0]["result"]["blocks"], list)


def test_short_pages_are_whole(service):
    results = batch(service, [{"id": name, "html": html, "format": "markdown"} for name, html in SHORT.items()])
    assert {each["id"]: lost_words(each["id"], each["result"]) for each in results} == dict.fromkeys(SHORT, ())
    for name, html in SHORT.items():
        response = send(f"{service}/v1/extract?format=markdown", "POST", html.encode(), Content_Type="text/html")
        assert lost_words(name, response.text) == (), name


def test_an_invalid_line_gets_an_error_line_and_the_others_go_on(service, site):
    lines = [
        {"html": "<p>one", "extractor": "body", "format": "text"},
        "not json",
        {"id": "c", "html": 5},
        {"url": site.url("/missing")},
        {"url": "http://10.0.0.1/"},
        {"html": "<p>x", "extractor": "nothing"},
        "",
        {"html": "<p>last", "extractor": "body", "format": "text"},
    ]
    results = batch(service, lines)
    assert [each["status"] for each in results] == [200, 400, 400, 502, 400, 400, 200]
    assert results[-1]["result"] == "last\n"
    assert "extractor" in results[5]["error"]["detail"]


def test_results_come_while_the_request_is_still_being_sent(service):
    parts = urlsplit(service)
    with socket.create_connection((parts.hostname, parts.port), 300) as connection:
        head = "POST /v1/batch HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-ndjson\r\n"
        connection.sendall(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode())
        stream = connection.makefile("rb")

        def send_chunk(text):
            connection.sendall(f"{len(text):x}\r\n{text}\r\n".encode())

        def receive():
            while not (got := stream.readline()).startswith(b"{"):
                assert got
            return json.loads(got)

        for number in range(3):
            send_chunk(f'{{"id":{number},"html":"<p>tea","format":"te')
            send_chunk('xt","extractor":"body"}\n')
            assert receive()["id"] == number  # before the next line is sent, and before the request ends
        connection.sendall(b"0\r\n\r\n")


def test_a_line_that_is_too_long_is_skipped():
    with serving(loopback_settings(80, max_body=1000)) as base:
        results = batch(base, [{"html": "x" * 5000}, {"html": "<p>tea", "extractor": "body", "format": "text"}])
        assert [each["status"] for each in results] == [413, 200]
    with serving(loopback_settings(80, max_batch=1000)) as base:
        results = batch(base, [{"html": f"<p>{n}", "extractor": "body"} for n in range(100)])
        assert results[-1]["status"] == 413
        assert len(results) < 100


def test_a_page_that_kills_its_worker_is_one_error_line():
    with serving(loopback_settings(80, cpu_timeout=1, workers=2), run_job=run_faulty_job) as base:
        lines = [
            {"html": "<p>a"},
            {"html": "please-die"},
            {"html": "please-fail"},
            {"html": "please-spin"},
            {"html": "b"},
        ]
        assert [each["status"] for each in batch(base, lines)] == [200, 422, 500, 422, 200]


def test_a_batch_waits_for_workers_instead_of_failing(tmp_path):
    gate = tmp_path / "gate"
    with (
        Site() as site,
        serving(loopback_settings(site.port, max_requests=1), run_job=run_faulty_job) as base,
        ThreadPoolExecutor(1) as thread,
    ):
        results = thread.submit(batch, base, [{"html": f"please-wait-for:{gate} {number}"} for number in range(6)])
        wait_until(lambda: "tamis_queued_jobs 0.0" not in send(f"{base}/metrics").text)
        gate.touch()
        assert {each["status"] for each in results.result()} == {200}
    assert gate.read_bytes() == b"......"
