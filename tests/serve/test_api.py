"""The API over a real server: requests, responses and errors."""

import csv
import gzip
import io
import json
import re
import socket
from urllib.parse import quote, urlsplit

import pytest
from jsonschema import Draft202012Validator

from tamis.render.registry import formats
from tamis.render.schema import SCHEMA
from tests.serve.loopback import Site, loopback_settings, send, serving

PAGE = "<title>Tea</title><main><h1>Tea</h1><p>Boil <b>soft</b> water, then <a href=/wait>wait</a>.</p></main>"


def extract_url(base, target, **params):
    query = "".join(f"&{name}={quote(str(value))}" for name, value in params.items())
    return f"{base}/v1/extract?url={quote(target, safe='')}{query}"


@pytest.mark.slow
def test_extract_returns_every_format_by_name_and_by_accept(service, site):
    url = extract_url(service, site.url("/news-zh"))
    response = send(url)
    assert response.status == 200
    assert response.headers["content-type"] == "application/json"
    values = json.loads(response.body)
    Draft202012Validator(SCHEMA).validate(values)
    assert values["url"] == site.url("/news-zh")
    by_name = {entry.name: send(f"{url}&format={entry.name}") for entry in formats()}
    assert set(by_name) == {"text", "markdown", "html", "json", "jsonl", "xml", "csv", "bibtex", "csl"}
    for entry in formats():
        assert by_name[entry.name].headers["content-type"] == entry.content_type
        for media_type in entry.media_types:
            accepted = send(url, Accept=f"image/png, {media_type}, */*;q=0.1")
            assert accepted.body == by_name[entry.name].body
        for alias in entry.aliases:
            assert send(f"{url}&format={alias}").body == by_name[entry.name].body
    assert by_name["text"].text.strip() == values["text"]
    assert "<p>" in by_name["html"].text
    assert by_name["xml"].text.startswith("<?xml")
    assert len(list(csv.reader(io.StringIO(by_name["csv"].text)))) == 2
    assert "Accept" in response.headers["vary"]


@pytest.mark.slow
def test_title_and_included_formats_are_parameters(service):
    page, url = b"<title>Tea</title><p>Boil water.", f"{service}/v1/extract?extractor=body"
    markdown = send(f"{url}&format=markdown", "POST", page, Content_Type="text/html")
    assert markdown.text == "# Tea\n\nBoil water.\n"
    without = send(f"{url}&format=markdown&title=false", "POST", page, Content_Type="text/html")
    assert without.text == "Boil water.\n"
    text = send(f"{url}&format=text&title=true", "POST", page, Content_Type="text/html")
    assert text.text == "Tea\n\nBoil water.\n"
    values = json.loads(send(f"{url}&with=markdown,html", "POST", page, Content_Type="text/html").body)
    assert (values["markdown"], values["html"]) == ("# Tea\n\nBoil water.", "<h1>Tea</h1><p>Boil water.</p>")
    wrong = send(f"{url}&with=docx", "POST", page, Content_Type="text/html")
    assert wrong.status == 400
    assert "some of markdown, html, xml" in wrong.text


def test_extract_takes_the_options_of_tamis_extract(service):
    def sent(**options):
        body = json.dumps(
            {"html": PAGE, "url": "https://e.org/", "extractor": "body", "format": "markdown", **options}
        )
        return send(f"{service}/v1/extract", "POST", body, Content_Type="application/json").text

    assert sent() == "# Tea\n\nBoil **soft** water, then [wait](https://e.org/wait).\n"
    assert sent(links=False) == "# Tea\n\nBoil **soft** water, then wait.\n"
    with_metadata = json.loads(sent(metadata=True, comments=True, format="json"))
    assert (with_metadata["metadata"]["title"], with_metadata["comments"]) == ("Tea", [])
    assert sent(metadata=True).startswith('---\ntitle: "Tea"\n')
    assert "<title>Tea</title>" in sent(metadata=True, format="html")
    long = (
        "<nav><a href=/>Home</a></nav><main>" + "<p>A paragraph about tea, with words, commas, and a point.</p>" * 9
    )
    both = [sent(html=long, extractor="sift", favor=favor, format="text") for favor in (-8, 19.5)]
    assert len(both[0]) > len(both[1])


def test_bytes_are_decoded_by_the_charset_of_their_header(service):
    body = "<p>schöne Grüße".encode("cp1252")
    content_type = "text/html; charset=windows-1252"
    response = send(f"{service}/v1/extract?extractor=body&format=text", "POST", body, Content_Type=content_type)
    assert response.text == "schöne Grüße\n"
    unknown = send(f"{service}/v1/extract?format=text", "POST", b"<p>tea", Content_Type="text/html; charset=klingon")
    assert unknown.status == 200


def test_empty_reason_is_in_a_header_and_in_json(service):
    pdf = send(f"{service}/v1/extract?format=text", "POST", b"%PDF-1.7", Content_Type="application/octet-stream")
    assert pdf.status == 200
    assert pdf.headers["tamis-empty-reason"] == "not a web page but a PDF document"
    assert json.loads(send(f"{service}/v1/extract", "POST", b"", Content_Type="text/html").body)["empty_reason"]


@pytest.mark.parametrize(
    ("path", "status", "detail"),
    [
        ("/v1/extract", 400, "'url' is missing"),
        ("/v1/extract?url=", 400, "'url' must be a URL"),
        ("/v1/extract?url=ftp://e.org", 400, "Only http and https URLs"),
        ("/v1/extract?url=http://e.org:22/", 400, "Port 22 is not allowed"),
        ("/v1/extract?url=SITE&format=pdf", 400, "'format' must be one of text, txt, markdown"),
        ("/v1/extract?url=SITE&links=maybe", 400, "'links' must be true or false"),
        ("/v1/extract?url=SITE&favor=nan", 400, "or a number from -20 to 20"),
        ("/v1/extract?url=SITE&colour=red", 400, "Unknown parameter 'colour'"),
        ("/v1/extract?url=SITE&url=SITE", 400, "repeated"),
        ("/v1/extract?url=SITE&html=x", 400, "must be in the body"),
        ("/v1/extract?url=SITE&extractor=nothing", 400, "extractor"),
        ("/v1/extract?url=SITE/missing", 502, "The server returned 404"),
        ("/v1/extract?url=http://10.0.0.1:PORT/", 403, "a network that is not allowed"),
        ("/nowhere", 404, "Not found"),
    ],
)
def test_an_invalid_request_gets_a_problem_with_a_detail(service, site, path, status, detail):
    response = send(service + path.replace("SITE", site.url("/news-ar")).replace("PORT", str(site.port)))
    assert response.status == status
    assert response.headers["content-type"] == "application/problem+json"
    problem = json.loads(response.body)
    assert problem["status"] == status
    assert detail in problem["detail"]
    assert problem["detail"].endswith(".")


@pytest.mark.parametrize(
    ("body", "content_type", "status"),
    [
        ("{", "application/json", 400),
        ("[]", "application/json", 400),
        ("{}", "application/json", 400),
        ('{"html": 1}', "application/json", 400),
        ('{"html": "", "links": 1}', "application/json", 400),
        ('{"html": "", "favor": true}', "application/json", 400),
        ('{"html": "", "favor": NaN}', "application/json", 400),
        ('{"html": "", "more": 1}', "application/json", 400),
        ("[" * 100_000, "application/json", 400),
        ('{"html": "\\ud800"}', "application/json", 200),
        ("x", "image/png", 415),
        ("x", "multipart/form-data", 415),
    ],
)
def test_an_invalid_body_is_refused(service, body, content_type, status):
    assert send(f"{service}/v1/extract", "POST", body, Content_Type=content_type).status == status


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/v1/extract?url=https://e.org/"),
        ("POST", "/v1/extract?format=text"),
        ("POST", "/v1/batch?"),
        ("GET", "/v1/extractors?"),
        ("GET", "/read?url=https://e.org/"),
        ("GET", "/explain?url=https://e.org/"),
        ("GET", "/settings?size=l"),
    ],
)
def test_an_unknown_parameter_is_refused_everywhere(service, method, path):
    response = send(f"{service}{path}&colour=red", method, b"<p>tea" if method == "POST" else None)
    assert response.status == 400
    assert "colour" in response.text


def test_unavailable_formats_and_methods_are_refused(service, site):
    assert send(extract_url(service, site.url("/news-ar")), Accept="image/png").status == 406
    refused = send(f"{service}/v1/extract", "DELETE")
    assert refused.status == 405
    assert refused.headers["content-type"] == "application/problem+json"


def test_a_url_in_the_path_returns_markdown(service, site):
    response = send(f"{service}/{site.url('/documentation')}")
    assert response.headers["content-type"] == "text/markdown; charset=utf-8"
    assert response.text.startswith('---\ntitle: "Retries and backoff"')
    assert "## The default policy" in response.text
    one_slash = f"{service}/{site.url('/documentation').replace('//', '/', 1)}"
    assert send(one_slash).body == response.body
    assert (
        send(f"{service}/{site.url('/documentation')}", Accept="text/html")
        .headers["content-type"]
        .startswith("text/plain")
    )
    site.pages["/query"] = lambda handler: handler.respond(f"<p>The request was for {handler.path}".encode())
    assert "/query?a=1&b=%20" in send(f"{service}/{site.url('/query?a=1&b=%20')}").text.replace("\\", "")


def test_links_of_an_index_page_are_in_json_and_in_text(service):
    body = b"<a href=/green>Green</a> <a href=/black>Black</a>"

    def sent(format_name):
        url = f"{service}/v1/extract?extractor=nodechar&format={format_name}"
        return send(url, "POST", body, Content_Type="text/html").text

    assert json.loads(sent("json"))["index_links"] == [
        {"text": "Green", "url": "/green"},
        {"text": "Black", "url": "/black"},
    ]
    assert sent("text") == "Green </green>\nBlack </black>\n"
    assert "[Green](/green)" in sent("markdown")


def test_responses_have_an_etag_and_pages_are_fetched_once():
    with Site() as site, serving(loopback_settings(site.port)) as base:
        site.pages["/"] = PAGE.encode()
        url = extract_url(base, site.url())
        first = send(url)
        assert first.headers["etag"].startswith('W/"')
        assert "max-age" in first.headers["cache-control"]
        again = send(url, If_None_Match=first.headers["etag"])
        assert (again.status, again.body) == (304, b"")
        assert send(url, If_None_Match='W/"other"').body == first.body
        assert send(f"{url}&format=text").headers["etag"] != first.headers["etag"]
        assert site.hits == ["/"]
        site.pages["/secret"] = lambda handler: handler.respond(PAGE.encode(), Cache_Control="no-store")
        for _ in range(2):
            send(extract_url(base, site.url("/secret")))
        assert site.hits.count("/secret") == 2
        metrics = send(f"{base}/metrics").text
        assert "tamis_cache_hits_total" in metrics


def test_responses_are_compressed_for_clients_that_accept_it(service, site):
    plain = send(extract_url(service, site.url("/news-ja")))
    compressed = send(extract_url(service, site.url("/news-ja")), Accept_Encoding="gzip")
    assert compressed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(compressed.body) == plain.body
    assert "Accept-Encoding" in compressed.headers["vary"]


def test_extractors_health_and_metrics_are_served(service):
    names = [each["name"] for each in json.loads(send(f"{service}/v1/extractors").body)["extractors"]]
    assert {"sift", "cetd", "body"} <= set(names)
    assert json.loads(send(f"{service}/healthz").body)["status"] == "ok"
    text = send(f"{service}/metrics").text
    sample = re.compile(r'[a-z_]+(?:\{(?:[a-z]+="[^"]*",?)+\})? [0-9.e+-]+(?:Inf)?')
    for line in text.splitlines():
        assert line.startswith("# ") or sample.fullmatch(line), line
    assert 'tamis_requests_total{path="/healthz",status="200"}' in text
    buckets = [
        float(line.rsplit(" ")[-1])
        for line in text.splitlines()
        if line.startswith("tamis_request_seconds_bucket{") and 'path="/healthz"' in line
    ]
    assert buckets == sorted(buckets)
    assert buckets[-1] >= 1


@pytest.mark.slow
def test_every_response_has_security_headers(service, site):
    for path in ("/", "/docs", "/healthz", "/nowhere", f"/read?url={site.url('/news-ar')}", "/read", "/openapi.json"):
        headers = send(service + path).headers
        assert headers["content-security-policy"].startswith("default-src 'none'")
        assert "sandbox" in headers["content-security-policy"]
        assert "allow-scripts" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "server" not in headers or "uvicorn" in headers["server"]


def test_html_is_sanitized(service):
    body = json.dumps({"html": "<p>a<p>b <a href='javascript:x()'>c</a><img src=x onerror=y()>", "format": "html"})
    response = send(f"{service}/v1/extract", "POST", body, Content_Type="application/json")
    assert "javascript" not in response.text
    assert "onerror" not in response.text
    assert "sandbox" in response.headers["content-security-policy"]


def test_other_host_headers_are_refused():
    with serving(loopback_settings(80, hostnames=frozenset({"localhost", "127.0.0.1", "[::1]"}))) as base:
        assert send(f"{base}/healthz").status == 200
        port = urlsplit(base).port
        for host, status in ((f"[::1]:{port}", 200), (f"LOCALHOST:{port}", 200), ("evil.example", 421), ("", 421)):
            with socket.create_connection(("127.0.0.1", port), 300) as connection:
                connection.sendall(f"GET /healthz HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
                assert f" {status} " in connection.makefile("rb").readline().decode()


def test_docs_list_every_path_of_the_openapi_document(service):
    page = send(f"{service}/docs").text
    document = json.loads(send(f"{service}/openapi.json").body)
    assert document["openapi"].startswith("3.1")
    for path in document["paths"]:
        assert path in page
