"""Batches: lines in, lines out, in order, while they come."""

import json
import socket
from urllib.parse import urlsplit

import pytest

from tests.serve.loopback import Site, ask, open_settings, serving
from tests.serve.odd_works import odd

pytestmark = pytest.mark.slow  # processes


def batch(base, lines):
    body = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    found = ask(f"{base}/v1/batch", "POST", body, Content_Type="application/x-ndjson")
    assert found.status == 200
    assert found.headers["content-type"] == "application/x-ndjson"
    return [json.loads(line) for line in found.text.splitlines()]


def test_lines_come_back_in_order(service, site):
    lines = [{"id": n, "html": f"<p>page {n}", "extractor": "body", "format": "text"} for n in range(40)]
    lines[7] = {"id": 7, "url": site.url("/blog-ru"), "format": "markdown"}
    found = batch(service, lines)
    assert [one["line"] for one in found] == list(range(1, 41))
    assert [one["id"] for one in found] == list(range(40))
    assert found[3] == {"line": 4, "id": 3, "status": 200, "format": "text", "result": "page 3\n"}
    assert found[7]["status"] == 200
    assert isinstance(batch(service, [{"html": "<p>x"}])[0]["result"]["blocks"], list)


def test_a_bad_line_gives_an_error_line_and_the_others_go_on(service, site):
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
    found = batch(service, lines)
    assert [one["status"] for one in found] == [200, 400, 400, 502, 400, 400, 200]
    assert found[-1]["result"] == "last\n"
    assert "no extractor is named" in found[5]["error"]["detail"]


def test_answers_come_while_the_request_is_still_being_written(service):
    parts = urlsplit(service)
    with socket.create_connection((parts.hostname, parts.port), 300) as line:
        head = "POST /v1/batch HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-ndjson\r\n"
        line.sendall(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode())
        back = line.makefile("rb")

        def send(text):
            line.sendall(f"{len(text):x}\r\n{text}\r\n".encode())

        def receive():
            while not (got := back.readline()).startswith(b"{"):
                assert got
            return json.loads(got)

        for number in range(3):
            send(f'{{"id":{number},"html":"<p>tea","format":"te')
            send('xt","extractor":"body"}\n')
            assert receive()["id"] == number  # before the next line is sent, and before the request ends
        line.sendall(b"0\r\n\r\n")


def test_a_line_that_is_too_long_is_passed_over():
    with serving(open_settings(80, body=1000)) as base:
        found = batch(base, [{"html": "x" * 5000}, {"html": "<p>tea", "extractor": "body", "format": "text"}])
        assert [one["status"] for one in found] == [413, 200]
    with serving(open_settings(80, batch=1000)) as base:
        found = batch(base, [{"html": f"<p>{n}", "extractor": "body"} for n in range(100)])
        assert found[-1]["status"] == 413
        assert len(found) < 100


def test_a_page_that_fails_its_worker_is_one_line():
    with serving(open_settings(80, cpu=1, workers=2), work=odd) as base:
        lines = [
            {"html": "<p>a"},
            {"html": "please-die"},
            {"html": "please-fail"},
            {"html": "please-spin"},
            {"html": "b"},
        ]
        assert [one["status"] for one in batch(base, lines)] == [200, 422, 500, 422, 200]


def test_a_batch_waits_for_workers_where_a_request_would_be_turned_away():
    with Site() as site, serving(open_settings(site.port, requests=1), work=odd) as base:
        assert {one["status"] for one in batch(base, [{"html": "please-wait"}] * 6)} == {200}
