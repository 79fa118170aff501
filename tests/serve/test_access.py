"""Who is let in: framing, origins, keys, rates, CORS; and what is left behind: the cache file, the log."""

import base64
import json
import logging
import socket
import sqlite3
from urllib.parse import quote, urlsplit

import pytest
from starlette.datastructures import Headers

from tamis.cli.serve import serve as serve_command
from tamis.serve.cache import DiskCache, Entry
from tamis.serve.http.access import AccessPolicy
from tamis.serve.http.responses import Problem
from tamis.serve.settings import Settings
from tamis.sources.fetch import FetchLimits
from tests.serve.loopback import Site, loopback_settings, send, serving


def check(settings=None, path="/v1/extract", method="GET", client="192.0.2.1", **headers):
    """Return the status with which a request is refused, or None."""
    scope = {"type": "http", "path": path, "method": method, "client": (client, 1)}
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    try:
        (settings if isinstance(settings, AccessPolicy) else AccessPolicy(settings or Settings())).check(
            scope, Headers(names)
        )
    except Problem as problem:
        return problem.status
    return None


def test_a_request_with_two_lengths_is_refused(service):
    assert check(Content_Length="3", Transfer_Encoding="chunked") == 400
    with socket.create_connection(("127.0.0.1", urlsplit(service).port), 60) as connection:
        head = (
            "POST /v1/extract HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
        connection.sendall(head.encode() + b"0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        received = connection.makefile("rb").read()
    assert received.startswith(b"HTTP/1.1 400 ")
    assert received.count(b"HTTP/1.1") == 1  # what may hide behind it is not answered


@pytest.mark.parametrize(
    ("headers", "path", "method", "status"),
    [
        ({}, "/v1/extract", "GET", None),
        ({"Sec_Fetch_Site": "same-origin"}, "/v1/extract", "POST", None),
        ({"Sec_Fetch_Site": "none"}, "/read", "GET", None),
        ({"Sec_Fetch_Site": "cross-site"}, "/v1/extract", "GET", 403),
        ({"Sec_Fetch_Site": "same-site"}, "/read", "GET", 403),
        (
            {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "no-cors", "Sec_Fetch_Dest": "image"},
            "/read",
            "GET",
            403,
        ),
        (
            {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate", "Sec_Fetch_Dest": "iframe"},
            "/read",
            "GET",
            403,
        ),
        (
            {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate", "Sec_Fetch_Dest": "document"},
            "/read",
            "POST",
            403,
        ),
        (
            {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate", "Sec_Fetch_Dest": "document"},
            "/read",
            "GET",
            None,
        ),
        ({"Sec_Fetch_Site": "cross-site"}, "/healthz", "GET", None),
    ],
)
def test_requests_of_pages_elsewhere_are_refused_but_links_are_followed(headers, path, method, status):
    assert check(None, path, method, **headers) == status


def test_allowed_origins_may_use_the_api():
    settings = loopback_settings(80, cors_origins=frozenset({"https://app.example"}))
    headers = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "cors"}
    assert check(settings, Origin="https://app.example", **headers) is None
    assert check(settings, Origin="https://evil.example", **headers) == 403
    with serving(settings) as base:
        url = f"{base}/v1/extract?format=text&extractor=body"
        response = send(url, "POST", b"<p>tea", Origin="https://app.example", **headers)
        assert response.text == "tea\n"
        assert response.headers["access-control-allow-origin"] == "https://app.example"
        assert response.headers["cross-origin-resource-policy"] == "cross-origin"
        assert "Origin" in response.headers["vary"]
        preflight = {"Access_Control_Request_Method": "POST", "Access_Control_Request_Headers": "content-type"}
        allowed = send(url, "OPTIONS", Origin="https://app.example", **preflight)
        assert allowed.status == 200
        assert "POST" in allowed.headers["access-control-allow-methods"]
        refused = send(url, "OPTIONS", Origin="https://evil.example", **preflight)
        assert refused.status == 400
        assert "access-control-allow-origin" not in refused.headers
    assert (
        check(loopback_settings(80, cors_origins=frozenset({"*"})), Origin="https://any.example", **headers) is None
    )


def test_api_keys_open_everything_but_health_checks():
    settings = Settings(api_keys=frozenset({"sesame", "other"}))
    basic = base64.b64encode(b"me:sesame").decode()
    assert check(settings) == 401
    assert check(settings, X_API_Key="wrong") == 401
    assert check(settings, X_API_Key="") == 401
    assert check(settings, X_API_Key="other") is None
    assert check(settings, Authorization="Bearer sesame") is None
    assert check(settings, Authorization=f"Basic {basic}", path="/read") is None
    assert check(settings, Authorization="Basic !!!") == 401
    assert check(settings, path="/healthz") is None
    assert check(settings, path="/metrics") == 401
    with serving(loopback_settings(80, api_keys=frozenset({"sesame"}))) as base:
        assert "Basic" in send(f"{base}/").headers["www-authenticate"]
        page = send(f"{base}/", Accept="text/html")
        assert page.status == 401
        assert "API key" in page.text
        document = json.loads(send(f"{base}/openapi.json", X_API_Key="sesame").body)
        assert set(document["components"]["securitySchemes"]) == {"bearer", "basic", "header"}


def test_a_client_has_a_rate():
    # One request in 100 minutes: a busy machine does not wait that long between two of them.
    doors = AccessPolicy(Settings(rate_limit=0.01, rate_burst=3))
    assert [check(doors) for _ in range(5)] == [None, None, None, 429, 429]
    assert check(doors, client="192.0.2.2") is None
    assert check(doors, path="/healthz") is None
    assert [check(doors, client=f"2001:db8::{n}") for n in range(1, 5)] == [None, None, None, 429]
    with serving(loopback_settings(80, rate_limit=0.01, rate_burst=1)) as base:
        send(f"{base}/v1/extractors")
        refused = send(f"{base}/v1/extractors")
        assert refused.status == 429
        assert 1 <= int(refused.headers["retry-after"]) <= 6000


def test_trusted_proxies_name_the_client():
    def client(settings, address, forwarded):
        scope = {"client": (address, 1)}
        return AccessPolicy(settings).client(scope, Headers({"X-Forwarded-For": forwarded}))

    trusting = Settings(trusted_proxies=frozenset({"10.0.0.0/8"}))
    assert client(Settings(), "10.0.0.1", "192.0.2.9") == "10.0.0.1"
    assert client(trusting, "10.0.0.1", "192.0.2.9") == "192.0.2.9"
    assert client(trusting, "10.0.0.1", "evil, 192.0.2.9, 10.0.0.7") == "192.0.2.9"
    assert client(trusting, "198.51.100.1", "192.0.2.9") == "198.51.100.1"
    assert client(trusting, "10.0.0.1", "") == "10.0.0.1"


def test_every_limit_of_the_settings_has_a_flag_and_a_variable():
    options = {param.name: param for param in serve_command.params}
    for name, option in options.items():
        assert option.envvar == f"TAMIS_{name.upper()}"
        assert f"--{name.replace('_', '-')}" in option.opts
    renamed = {
        "policy": "allow_private",
        "limits": "fetch_timeout",
        "hostnames": "hostname",
        "api_keys": "api_key_file",
        "cors_origins": "cors_origin",
        "trusted_proxies": "trusted_proxy",
        "request_headers": "allow_header",
    }
    for name in Settings.__dataclass_fields__:
        assert renamed.get(name, name) in options, name
    for name in FetchLimits.__dataclass_fields__:
        assert {"timeout": "fetch_timeout"}.get(name, name) in options, name


def test_flags_and_variables_have_the_defaults_of_the_settings():
    defaults = Settings()
    for param in serve_command.params:
        if param.name in Settings.__dataclass_fields__ and param.name != "workers":
            assert param.default == getattr(defaults, param.name), param.name


def test_the_cache_file_is_private_and_has_no_urls(tmp_path):
    path = tmp_path / "cache.db"
    with Site() as site, serving(loopback_settings(site.port, cache_file=path)) as base:
        site.pages["/"] = b"<p>tea"
        with_password = site.url().replace("http://", "http://me:password1@")
        for url in (site.url("/?token=secret1"), with_password):
            assert send(f"{base}/v1/extract?url={quote(url, safe='')}&format=text").text == "tea\n"
        assert send(f"{base}/v1/extract?url={quote(with_password, safe='')}").text.count("password1") == 0
        assert len(site.hits) == 3  # what came back for a password is not stored
    assert path.stat().st_mode & 0o777 == 0o600
    stored = b"".join(each.read_bytes() for each in tmp_path.iterdir())
    assert b"password1" not in stored


def test_a_damaged_row_is_a_miss(tmp_path):
    path = tmp_path / "cache.db"
    disk = DiskCache(path, 100_000)
    damages = ["body = 'text'", "attributes = '{'", "attributes = '[]'", "etag = 'other'", "expires = 'soon'"]
    for damage in [*damages, "body = x'00'", "attributes = NULL", "used = NULL"]:
        disk.put("a", Entry.create(b"tea", {"n": 1}, 60))
        assert disk.get("a") is not None
        with sqlite3.connect(path) as database:
            database.execute(f"UPDATE entries_2 SET {damage}")
        assert disk.get("a") is None, damage
    disk.close()
    database.close()


def test_the_disk_cache_keeps_to_its_size(tmp_path):
    disk = DiskCache(tmp_path / "cache.db", 100_000)
    for number in range(60):
        disk.put(str(number % 45), Entry.create(b"x" * (number * 97 % 7000), {}, 60))
        actual = disk._database.execute("SELECT total(size) FROM entries_2").fetchone()[0]
        assert disk.size == actual <= 100_000
    disk.close()


def test_the_access_log_has_times_and_no_urls(caplog):
    caplog.set_level(logging.INFO, "tamis.access")
    with Site() as site:
        site.pages["/"] = b"<p>tea"
        for style in ("json", "plain"):
            caplog.clear()
            with serving(loopback_settings(site.port, access_log=style, cache_size=0)) as base:
                url = f"{base}/v1/extract?url={quote(site.url('/?token=secret1'))}"
                response = send(url, X_Request_ID="my-id-1")
                assert response.headers["x-request-id"] == "my-id-1"
                assert len(send(f"{base}/healthz", X_Request_ID="a b").headers["x-request-id"]) == 16
                send(f"{base}/{site.url('/secret2')}")
            lines = [record.getMessage() for record in caplog.records if record.name == "tamis.access"]
            assert len(lines) == 3
            assert "secret" not in "".join(lines)
            assert "my-id-1" in lines[0]
            if style == "json":
                values = json.loads(lines[0])
                assert (values["status"], values["path"], values["client"]) == (200, "/v1/extract", "127.0.0.1")
                assert {"total", "fetch", "work"} <= set(values["seconds"])
                assert values["seconds"]["total"] >= values["seconds"]["work"]
            else:
                assert '"GET /v1/extract" 200' in lines[0]
                assert "fetch=" in lines[0]


@pytest.mark.parametrize("mode", ["never", "auto", "always"])
def test_the_variable_of_the_container_chooses_which_pages_are_rendered(monkeypatch, mode):
    monkeypatch.setenv("TAMIS_RENDER", mode)
    assert serve_command.make_context("serve", []).params["render"] == mode
