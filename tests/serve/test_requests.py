"""What a client can ask for: several formats, selectors, its own headers, fresh pages, plain text, arrays."""

import gzip
import json
import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote, urlencode

import pytest

import tamis
from tamis.serve.http.requests import request_schema
from tamis.serve.jobs import Job
from tamis.serve.worker import run_job
from tests.serve.loopback import Site, loopback_settings, send, serving
from tests.waiting import wait_until

WORDS = "A paragraph about tea, with words enough, commas too, and a point to make at its end. "
PAGE = (
    "<!doctype html><html lang=en><title>Tea</title><nav><a href=/>Home</a></nav><article><h1>Tea</h1>"
    f"<p>{WORDS * 3}<a href=/more>More about it</a></p><aside class=ad>Buy one now, and save!</aside>"
    f"<figure><img src=/pot.jpg alt=Pot></figure><p id=last>{WORDS * 3}</p></article>"
)


def post(base, query="", body=PAGE, content_type="text/html", **headers):
    return send(f"{base}/v1/extract{query}", "POST", body, Content_Type=content_type, **headers)


def test_one_call_gives_several_formats_with_metadata(service):
    response = post(service, "?url=https://e.org/&formats=markdown,html,text,links,images,warnings")
    assert response.headers["content-type"] == "application/json"
    values = json.loads(response.body)
    assert {"url", "title", "page_type", "confidence", "empty_reason", "metadata"} < set(values)
    assert values["title"] == values["metadata"]["title"] == "Tea"
    assert values["markdown"].startswith("# Tea")
    assert "<p>" in values["html"]
    assert WORDS.strip() in values["text"]
    assert {"text": "More about it", "url": "https://e.org/more"} in values["links"]
    assert values["images"][0]["url"] == "https://e.org/pot.jpg"
    assert values["warnings"] == []
    assert set(json.loads(post(service, "?formats=text&metadata=false").body)) >= {"text"}
    assert "metadata" not in json.loads(post(service, "?formats=text&metadata=false").body)
    body = json.dumps({"html": PAGE, "formats": ["markdown"]})
    assert "markdown" in json.loads(post(service, "", body, "application/json").body)
    assert "'formats', or 'format'" in post(service, "?formats=text&format=text").text
    assert "some of markdown, html" in post(service, "?formats=docx").text


def test_json_has_the_chunks_of_the_library(service):
    url = "https://e.org/"
    values = json.loads(post(service, f"?url={url}&format=json&max_tokens=90&overlap=30").body)
    chunks = tamis.extract(PAGE, url).chunks(90, overlap=30)
    assert [chunk["id"] for chunk in values["chunks"]] == [chunk.id for chunk in chunks]
    assert len(chunks) > 1
    assert "chunks" not in json.loads(post(service, "?format=json").body)
    assert post(service, "?format=json&max_tokens=0").status == 400
    assert post(service, "?format=json&max_tokens=9&overlap=9").status == 400
    body = json.dumps({"html": PAGE, "url": url, "max_tokens": 90.0, "overlap": 30.0})  # integers, for JSON Schema
    assert json.loads(post(service, "", body, "application/json").body)["chunks"] == values["chunks"]


def test_html_of_a_bundle_is_sanitized(service):
    page = PAGE.replace("<p id=last>", "<p id=last onclick=x()><a href='javascript:x()'>y</a>")
    html = json.loads(post(service, "?formats=html&extractor=body", page).body)["html"]
    assert "javascript" not in html
    assert "onclick" not in html


def test_selectors_choose_what_is_read(service):
    assert (
        post(service, f"?format=text&include={quote('#last')}").text.strip()
        == WORDS.strip() * 1 + (" " + WORDS.strip()) * 2
    )
    everything = post(service, "?format=text&extractor=body").text
    assert "Buy one now" in everything
    without = post(service, "?format=text&extractor=body&exclude=.ad,nav").text
    assert "Buy one now" not in without
    assert "Home" not in without
    assert "Tea" in without
    both = json.loads(post(service, f"?formats=text&include=article&exclude={quote('p, .ad, figure')}").body)
    assert (both["text"], both["title"]) == ("Tea", "Tea")
    nested = post(service, f"?format=text&include={quote('article, article p')}").text
    assert nested.count(WORDS.strip()) == 6  # once, though two elements match
    wrong = post(service, f"?format=text&include={quote('p:has(')}")
    assert wrong.status == 400
    assert "CSS selector" in wrong.text
    assert post(service, "?format=text&include=.nothing").headers["tamis-empty-reason"]


def test_plain_text_is_not_parsed_as_html(service, site):
    text = "Tea\n\n1 < 2 and <b>this</b> is no markup & nor is this.\n\nA second paragraph of it."
    site.pages["/notes.txt"] = lambda handler: handler.respond(
        text.encode(), Content_Type="text/plain; charset=utf-8"
    )
    for response in (
        send(f"{service}/v1/extract?url={site.url('/notes.txt')}&format=text"),
        post(service, "?format=text", text.encode(), "text/plain; charset=utf-8"),
    ):
        assert "1 < 2 and <b>this</b> is no markup & nor is this." in response.text
        assert "A second paragraph" in response.text


def test_a_url_without_a_scheme_is_https(service):
    for url in ("example.invalid/tea", "example.invalid:443/"):
        response = send(f"{service}/v1/extract?url={url}")
        assert response.status == 400  # the port of https is not allowed in this test
        assert "Port 443 is not allowed" in response.text


def test_headers_of_the_client_are_sent_if_they_are_allowed():
    with Site() as site:
        settings = loopback_settings(site.port, request_headers=frozenset({"user-agent", "cookie"}))
        with serving(settings) as base:
            site.pages["/"] = lambda handler: handler.respond(f"<p>{handler.headers['User-Agent']}".encode())
            url = f"{base}/v1/extract?url={site.url()}&format=text"
            assert send(f"{url}&user_agent=Teapot").text == "Teapot\n"
            assert send(url).text != "Teapot\n"  # cached apart
            body = {"url": site.url(), "headers": {"Cookie": "a=1"}, "format": "text"}
            for _ in range(2):
                assert (
                    send(f"{base}/v1/extract", "POST", json.dumps(body), Content_Type="application/json").status
                    == 200
                )
            assert [headers.get("Cookie") for headers in site.headers[-2:]] == ["a=1", "a=1"]  # not stored
            for headers in ({"X-Other": "1"}, {"Cookie": "a\r\nb"}, {"Cookie": 1}, []):
                body["headers"] = headers
                refused = send(f"{base}/v1/extract", "POST", json.dumps(body), Content_Type="application/json")
                assert refused.status == 400
            assert "must be in the body" in send(f"{url}&headers=x").text


def test_clients_and_servers_decide_how_fresh_a_page_is():
    with Site() as site, serving(loopback_settings(site.port)) as base:
        site.pages["/"] = PAGE.encode()
        url = f"{base}/v1/extract?url={site.url()}&format=text"
        for _ in range(2):
            send(url)
        assert len(site.hits) == 1
        send(f"{url}&no_cache=true")
        send(url, Cache_Control="no-cache")
        send(url, Cache_Control="no-store")
        assert len(site.hits) == 4
        send(url, Cache_Control="max-age=1000")
        assert len(site.hits) == 4
        now = time.time()
        wait_until(lambda: time.time() > now + 1)
        send(url, Cache_Control="max-age=1")
        assert len(site.hits) == 5
        for value in ("private", "no-cache", "max-age=0"):
            site.pages["/own"] = lambda handler, value=value: handler.respond(PAGE.encode(), Cache_Control=value)
            site.hits.clear()
            responses = [send(f"{base}/v1/extract?url={site.url(f'/own?{value}')}") for _ in range(2)]
            assert len(site.hits) == 2, value
        assert responses[1].headers["cache-control"] in {"no-store", "private, max-age=0"}
        site.pages["/short"] = lambda handler: handler.respond(PAGE.encode(), Cache_Control="max-age=5")
        header = send(f"{base}/v1/extract?url={site.url('/short')}").headers["cache-control"]
        assert int(header.rpartition("=")[2]) <= 5


def test_equal_requests_under_way_are_done_once():
    wait = threading.Event()
    with Site() as site, serving(loopback_settings(site.port)) as base, ThreadPoolExecutor(10) as threads:
        site.pages["/"] = lambda handler: (wait.wait(), handler.respond(PAGE.encode()))
        requests = [threads.submit(send, f"{base}/v1/extract?url={site.url()}&format=text") for _ in range(10)]
        wait_until(lambda: "tamis_active_requests 10.0" in send(f"{base}/metrics").text)
        wait.set()
        assert len({request.result().body for request in requests}) == 1
        assert site.hits == ["/"]


@pytest.mark.slow
def test_a_request_may_have_less_time(service, site):
    wait = threading.Event()
    site.pages["/slow"] = lambda handler: (wait.wait(), handler.respond(b"<p>tea"))
    response = send(f"{service}/v1/extract?url={site.url('/slow')}&timeout=0.5")
    wait.set()
    assert response.status == 504
    assert "0.5 seconds" in response.text
    assert send(f"{service}/v1/extract?url={site.url()}&timeout=0").status == 400


def test_a_batch_takes_an_array_of_urls_and_pages(service, site):
    site.pages["/tea"] = b"<p>tea"
    values = [site.url("/tea"), {"html": "<p>two", "format": "text", "extractor": "body", "id": 2}, 3, {"url": 5}]
    body = json.dumps(values)
    lines = send(f"{service}/v1/batch", "POST", body, Content_Type="application/json").text.splitlines()
    results = [json.loads(line) for line in lines]
    assert [each["status"] for each in results] == [200, 200, 400, 400]
    assert results[0]["result"]["url"] == site.url("/tea")
    assert results[1] == {"line": 2, "id": 2, "status": 200, "format": "text", "result": "two\n"}
    array = send(f"{service}/v1/batch", "POST", body, Content_Type="application/json", Accept="application/json")
    assert json.loads(array.body) == results
    assert (
        send(f"{service}/v1/batch", "POST", "[]", Content_Type="application/json", Accept="application/json").text
        == "[]"
    )
    urls = json.dumps(site.url("/tea")) + "\n" + json.dumps({"url": site.url("/tea"), "formats": "text"})
    lines = send(f"{service}/v1/batch", "POST", urls, Content_Type="application/x-ndjson").text.splitlines()
    assert [json.loads(line)["status"] for line in lines] == [200, 200]
    assert json.loads(lines[1])["result"]["text"] == "tea"


@pytest.mark.slow
def test_a_large_json_body_is_parsed_in_a_worker(service):
    long = "<p>" + "x\n" * 400_000
    body = json.dumps({"html": long, "format": "text", "extractor": "body"})
    assert len(post(service, "", body, "application/json").body) > 400_000
    broken = post(service, "", body[:-5], "application/json")
    assert broken.status == 400
    assert "not valid JSON" in broken.text


def test_every_route_and_default_is_in_the_openapi_document(service):
    from tamis.serve.http.app import _ROUTES  # noqa: PLC0415

    document = json.loads(send(f"{service}/openapi.json").body)
    assert {route.path.replace("{url:path}", "{url}") for route in _ROUTES} == set(document["paths"])
    page = send(f"{service}/docs").text
    for path, operations in document["paths"].items():
        for operation in operations.values():
            assert path in page
            assert {"400", "403", "421", "429", "500"} <= set(operation["responses"])
            for param in operation.get("parameters", ()):
                assert param["description"]
                assert f"<code>{param['name']}</code>" in page
    text = json.dumps(document)
    for reference in {part.partition('"')[0] for part in text.split('"$ref": "')[1:]}:
        target = document
        for step in reference.removeprefix("#/").split("/"):
            target = target[step]


def test_form_of_the_docs_has_what_the_model_has_and_all_of_it_is_accepted(service, site):
    form = send(f"{service}/docs").text.partition("<form")[2].partition("</form>")[0]
    chosen = dict(re.findall(r'<select name="(\w+)".*?<option selected>([\w-]+)<', form))
    booleans = {name for name, schema in request_schema()["properties"].items() if schema.get("type") == "boolean"}
    assert booleans - {"title"} < set(chosen)  # a title has a default of its own in each format
    assert {"format", "favor", "replies", "render"} < set(chosen)
    query = urlencode([("url", site.url("/news-ar")), *chosen.items()])
    assert send(f"{service}/v1/extract?{query}").status == 200


def test_readiness_and_the_icon_are_served(service):
    assert json.loads(send(f"{service}/readyz").body) == {"status": "ready"}
    icon = send(f"{service}/favicon.ico")
    assert icon.headers["content-type"] == "image/svg+xml"
    assert icon.headers["cross-origin-resource-policy"] == "cross-origin"  # for pages in a sandbox
    assert 'href="/favicon.ico"' in send(f"{service}/").text


@pytest.mark.parametrize("name", ["text", "markdown", "html", "xml"])
def test_a_bundle_says_that_an_output_was_cut(name):
    page = "<h1>Tea</h1>" + "<p>Water just off the boil, three minutes, no more.</p>" * 999
    job = Job(page, "bundle", options={"extractor": "body"}, names=(name, "warnings"), max_output=20_000)
    result = run_job(job)
    values = json.loads(gzip.decompress(result.body) if result.gzip else result.body)
    assert 0 < len(values[name]) <= 5000
    assert [warning["type"] for warning in values["warnings"]] == ["limit reached"]


def test_the_service_fetches_as_the_command_does():
    with Site() as site:
        left = [503]
        site.pages["/"] = lambda handler: (
            handler.respond(b"", left.pop(), Retry_After="0") if left else handler.respond(PAGE.encode())
        )
        with serving(loopback_settings(site.port, retries=1, user_agent="Teapot/1")) as base:
            assert send(f"{base}/v1/extract?url={site.url()}&format=text").status == 200
        assert [headers["User-Agent"] for headers in site.headers] == ["Teapot/1"] * 2
        with Site() as proxy:
            proxy.pages["/tea"] = PAGE.encode()
            settings = loopback_settings(80, proxy=proxy.url(""))
            with serving(settings) as base:
                assert send(f"{base}/v1/extract?url=http://tea.invalid/tea&format=text").status == 200
                assert send(f"{base}/v1/extract?url=http://10.0.0.1/tea&format=text").status == 403
            assert proxy.hits == ["http://tea.invalid/tea"]
