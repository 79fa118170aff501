"""The API over a real server: what goes in, what comes out, and what is said when it cannot."""

import gzip
import json
import re
import socket
from urllib.parse import quote, urlsplit

import pytest
from jsonschema import Draft202012Validator

from tamis.render.schema import SCHEMA
from tests.serve.loopback import Site, ask, open_settings, serving

PAGE = "<title>Tea</title><main><h1>Tea</h1><p>Boil <b>soft</b> water, then <a href=/wait>wait</a>.</p></main>"


def extract_url(base, target, **params):
    more = "".join(f"&{name}={quote(str(value))}" for name, value in params.items())
    return f"{base}/v1/extract?url={quote(target, safe='')}{more}"


def test_an_address_in_every_format(service, site):
    url = extract_url(service, site.url("/news-zh"))
    found = ask(url)
    assert found.status == 200
    assert found.headers["content-type"] == "application/json"
    values = json.loads(found.body)
    Draft202012Validator(SCHEMA).validate(values)
    assert values["url"] == site.url("/news-zh")
    by_name = {form: ask(f"{url}&format={form}") for form in ("markdown", "text", "html")}
    kinds = {"markdown": "text/markdown", "text": "text/plain", "html": "text/html"}
    for form, kind in kinds.items():
        assert by_name[form].headers["content-type"] == f"{kind}; charset=utf-8"
        assert ask(url, Accept=f"image/png, {kind}, */*;q=0.1").body == by_name[form].body
    assert by_name["text"].text.strip() == values["text"]
    assert "<p>" in by_name["html"].text
    assert "Accept" in found.headers["vary"]


def test_options_are_those_of_extract(service):
    def sent(**more):
        body = json.dumps({"html": PAGE, "url": "https://e.org/", "extractor": "body", "format": "markdown", **more})
        return ask(f"{service}/v1/extract", "POST", body, Content_Type="application/json").text

    assert sent() == "# Tea\n\nBoil **soft** water, then [wait](https://e.org/wait).\n"
    assert sent(links=False) == "# Tea\n\nBoil **soft** water, then wait.\n"
    assert sent(metadata=True).startswith('---\ntitle: "Tea"\n')
    assert "<title>Tea</title>" in sent(metadata=True, format="html")
    long = (
        "<nav><a href=/>Home</a></nav><main>" + "<p>A paragraph about tea, with words, commas, and a point.</p>" * 9
    )
    both = [sent(html=long, extractor="sift", favor=favor, format="text") for favor in (-8, 19.5)]
    assert len(both[0]) > len(both[1])


def test_bytes_are_decoded_by_their_header(service):
    body = "<p>schöne Grüße".encode("cp1252")
    kind = "text/html; charset=windows-1252"
    found = ask(f"{service}/v1/extract?extractor=body&format=text", "POST", body, Content_Type=kind)
    assert found.text == "schöne Grüße\n"
    unknown = ask(f"{service}/v1/extract?format=text", "POST", b"<p>tea", Content_Type="text/html; charset=klingon")
    assert unknown.status == 200


def test_a_page_without_content_says_why(service):
    found = ask(f"{service}/v1/extract?format=text", "POST", b"%PDF-1.7", Content_Type="application/octet-stream")
    assert found.status == 200
    assert found.headers["tamis-empty-reason"] == "not a web page but a PDF document"
    assert json.loads(ask(f"{service}/v1/extract", "POST", b"", Content_Type="text/html").body)["empty_reason"]


@pytest.mark.parametrize(
    ("path", "status", "said"),
    [
        ("/v1/extract", 400, "url is missing"),
        ("/v1/extract?url=", 400, "url is an address"),
        ("/v1/extract?url=ftp://e.org", 400, "only http and https"),
        ("/v1/extract?url=http://e.org:22/", 400, "port 22"),
        ("/v1/extract?url=SITE&format=pdf", 400, "format is one of"),
        ("/v1/extract?url=SITE&links=maybe", 400, "links is true or false"),
        ("/v1/extract?url=SITE&favor=nan", 400, "favor is a number"),
        ("/v1/extract?url=SITE&colour=red", 400, "nothing is named 'colour'"),
        ("/v1/extract?url=SITE&url=SITE", 400, "twice"),
        ("/v1/extract?url=SITE&html=x", 400, "belongs into a body"),
        ("/v1/extract?url=SITE&extractor=nothing", 400, "no extractor is named"),
        ("/v1/extract?url=SITE/missing", 502, "the server answered 404"),
        ("/v1/extract?url=http://10.0.0.1:PORT/", 403, "a network that is not read from"),
        ("/nowhere", 404, "nothing here"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(service, site, path, status, said):
    found = ask(service + path.replace("SITE", site.url("/news-ar")).replace("PORT", str(site.port)))
    assert found.status == status
    assert found.headers["content-type"] == "application/problem+json"
    problem = json.loads(found.body)
    assert problem["status"] == status
    assert said in problem["detail"]


@pytest.mark.parametrize(
    ("body", "kind", "status"),
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
def test_bodies_are_checked(service, body, kind, status):
    assert ask(f"{service}/v1/extract", "POST", body, Content_Type=kind).status == status


def test_formats_that_are_not_there_and_methods_that_are_not(service, site):
    assert ask(extract_url(service, site.url("/news-ar")), Accept="image/png").status == 406
    refused = ask(f"{service}/v1/extract", "DELETE")
    assert refused.status == 405
    assert refused.headers["content-type"] == "application/problem+json"


def test_the_address_behind_ours_gives_markdown(service, site):
    found = ask(f"{service}/{site.url('/documentation')}")
    assert found.headers["content-type"] == "text/markdown; charset=utf-8"
    assert found.text.startswith('---\ntitle: "Retries and backoff"')
    assert "## The default policy" in found.text
    one_slash = f"{service}/{site.url('/documentation').replace('//', '/', 1)}"
    assert ask(one_slash).body == found.body
    assert (
        ask(f"{service}/{site.url('/documentation')}", Accept="text/html")
        .headers["content-type"]
        .startswith("text/plain")
    )
    site.pages["/query"] = lambda handler: handler.answer(f"<p>I was asked for {handler.path}".encode())
    assert "/query?a=1&b=%20" in ask(f"{service}/{site.url('/query?a=1&b=%20')}").text.replace("\\", "")


def test_a_page_of_links_is_a_list_of_links_in_markdown(service, site):
    links = "".join(f"<li><a href=/story/{n}>Story number {n}</a></li>" for n in range(20))
    site.pages["/front"] = f"<title>Front</title><h2>News</h2><ul>{links}</ul>".encode()
    text = ask(f"{service}/{site.url('/front')}").text
    assert "## News" in text
    assert f"- [Story number 7](<{site.url('/story/7')}>)" in text


def test_answers_have_a_tag_and_are_fetched_once():
    with Site() as site, serving(open_settings(site.port)) as base:
        site.pages["/"] = PAGE.encode()
        url = extract_url(base, site.url())
        first = ask(url)
        assert first.headers["etag"].startswith('W/"')
        assert "max-age" in first.headers["cache-control"]
        again = ask(url, If_None_Match=first.headers["etag"])
        assert (again.status, again.body) == (304, b"")
        assert ask(url, If_None_Match='W/"other"').body == first.body
        assert ask(f"{url}&format=text").headers["etag"] != first.headers["etag"]
        assert site.hits == ["/"]
        site.pages["/secret"] = lambda handler: handler.answer(PAGE.encode(), Cache_Control="no-store")
        for _ in range(2):
            ask(extract_url(base, site.url("/secret")))
        assert site.hits.count("/secret") == 2
        metrics = ask(f"{base}/metrics").text
        assert "tamis_cache_hits_total" in metrics


def test_answers_are_compressed_for_those_who_like_it(service, site):
    plain = ask(extract_url(service, site.url("/news-ja")))
    small = ask(extract_url(service, site.url("/news-ja")), Accept_Encoding="gzip")
    assert small.headers["content-encoding"] == "gzip"
    assert gzip.decompress(small.body) == plain.body
    assert "Accept-Encoding" in small.headers["vary"]


def test_extractors_health_and_metrics(service):
    names = [one["name"] for one in json.loads(ask(f"{service}/v1/extractors").body)["extractors"]]
    assert {"sift", "cetd", "body"} <= set(names)
    assert json.loads(ask(f"{service}/healthz").body)["status"] == "ok"
    text = ask(f"{service}/metrics").text
    sample = re.compile(r'[a-z_]+(?:\{(?:[a-z]+="[^"]*",?)+\})? [0-9.e+-]+(?:Inf)?')
    for line in text.splitlines():
        assert line.startswith("# ") or sample.fullmatch(line), line
    assert 'tamis_requests_total{path="/healthz",status="200"}' in text
    buckets = [
        int(line.rsplit(" ")[-1])
        for line in text.splitlines()
        if line.startswith('tamis_request_seconds_bucket{path="/healthz"')
    ]
    assert buckets == sorted(buckets)
    assert buckets[-1] >= 1


def test_every_answer_is_dressed(service, site):
    for path in ("/", "/docs", "/healthz", "/nowhere", f"/read?url={site.url('/news-ar')}", "/read", "/openapi.json"):
        headers = ask(service + path).headers
        assert headers["content-security-policy"].startswith("default-src 'none'")
        assert "sandbox" in headers["content-security-policy"]
        assert "allow-scripts" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "server" not in headers or "uvicorn" in headers["server"]


def test_html_is_sanitised_last(service):
    body = json.dumps({"html": "<p>a<p>b <a href='javascript:x()'>c</a><img src=x onerror=y()>", "format": "html"})
    found = ask(f"{service}/v1/extract", "POST", body, Content_Type="application/json")
    assert "javascript" not in found.text
    assert "onerror" not in found.text
    assert "sandbox" in found.headers["content-security-policy"]


def test_only_its_own_names_are_answered_to():
    with serving(open_settings(80, names=frozenset({"localhost", "127.0.0.1", "[::1]"}))) as base:
        assert ask(f"{base}/healthz").status == 200
        port = urlsplit(base).port
        for host, status in ((f"[::1]:{port}", 200), (f"LOCALHOST:{port}", 200), ("evil.example", 421), ("", 421)):
            with socket.create_connection(("127.0.0.1", port), 300) as line:
                line.sendall(f"GET /healthz HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
                assert f" {status} " in line.makefile("rb").readline().decode()


def test_the_documentation_names_every_route(service):
    page = ask(f"{service}/docs").text
    described = json.loads(ask(f"{service}/openapi.json").body)
    assert described["openapi"].startswith("3.1")
    for path in described["paths"]:
        assert path in page
