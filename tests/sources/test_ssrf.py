"""No page is fetched from a blocked network, however its URL is spelled. Every target here is on loopback."""

import socket
from ipaddress import ip_network
from urllib.parse import quote

import pytest
from aiohttp.abc import AbstractResolver

from tamis.errors import BlockedURLError, FetchError, InvalidURLError
from tamis.sources.fetch import Fetcher, FetchLimits
from tamis.sources.guard import NetworkScope, Policy
from tests.needs import skip_without
from tests.serve.loopback import Site, loopback_settings, run, send, serving

#: Spellings that end at the canary's address; each is followed by the canary's port.
SPELLINGS = [
    "127.0.0.1",
    "127.1",
    "127.0.1",
    "2130706433",
    "0x7f000001",
    "0x7F000001",
    "0x7f.1",
    "0x7f.0.0.1",
    "0x7f.0x0.0x0.0x1",
    "0177.0.0.1",
    "0177.1",
    "00177.0.0.01",
    "017700000001",
    "127.0.0.1.",
    "localhost",
    "localhost.",
    "LocalHost",
    "0",
    "0x0",
    "0.0.0.0",
    "000.000.000.000",
    "１２７.０.０.１",
    "①②⑦.⓪.⓪.①",
    "127。0。0。1",
    "127．0．0．1",
    "user@127.0.0.1",
    "example.org@127.0.0.1",
    "example.org:80@127.0.0.1",
    "example.org%40@127.0.0.1",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[0000:0000:0000:0000:0000:0000:0000:0001]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[0:0:0:0:0:ffff:127.0.0.1]",
]
#: Addresses of other networks, some of which embed the canary's address. Without the guard they would leave loopback.
OTHER_NETWORKS = [
    "[::127.0.0.1]",
    "[::7f00:1]",
    "[64:ff9b::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[64:ff9b:1::7f00:1]",
    "[2002:7f00:1::]",
    "[2001:0:7f00:1::]",
    "[fec0::1]",
    "[fe80::1]",
    "[fc00::1]",
    "[ff02::1]",
    "10.0.0.1",
    "169.254.169.254",
    "192.168.0.1",
    "100.64.0.1",
    "192.88.99.1",
    "192.0.0.8",
    "224.0.0.1",
    "255.255.255.255",
]
BLOCKED = {
    "loopback": ["127.0.0.1", "127.255.255.254", "::1"],
    "private": ["10.0.0.1", "172.16.0.1", "192.168.1.1", "fc00::1", "fd12::1"],
    "shared": ["100.64.0.1"],
    "link-local": ["169.254.169.254", "fe80::1", "fe80::1%lo"],
    "site-local": ["fec0::1"],
    "multicast": ["224.0.0.1", "239.1.1.1", "ff02::1", "ff0e::1"],
    "unspecified": ["0.0.0.0", "0.1.2.3", "::"],
    "reserved": ["240.0.0.1", "255.255.255.255", "4000::1"],
    "documentation": ["192.0.2.1", "198.51.100.1", "203.0.113.1", "2001:db8::1", "3fff::1"],
    "benchmarks": ["198.18.0.1"],
    "protocols": ["192.0.0.8", "192.88.99.1", "5f00::1"],
    "IPv4 inside": [
        "::ffff:127.0.0.1",
        "::ffff:93.184.216.34",
        "::127.0.0.1",
        "::93.184.216.34",
        "64:ff9b::7f00:1",
        "64:ff9b::5db8:d822",
        "64:ff9b:1::1",
        "2002:7f00:1::",
        "2002:5db8:d822::1",
        "2001:0:7f00:1::",
    ],
    "no address": ["", "localhost", "0177.0.0.1", "2130706433", "１２７.０.０.１"],
}


@pytest.mark.parametrize("network", BLOCKED)
def test_special_addresses_are_blocked(network):
    assert [ip for ip in BLOCKED[network] if Policy().allows(ip)] == []


def test_public_addresses_are_allowed():
    assert all(Policy().allows(ip) for ip in ("93.184.216.34", "8.8.8.8", "2606:4700::1111", "2a00:1450::5"))


def test_private_scope_allows_private_networks_but_not_link_local():
    private = Policy(scope=NetworkScope.PRIVATE)
    assert all(private.allows(ip) for ip in ("127.0.0.1", "10.1.2.3", "192.168.1.1", "::1", "fd00::1", "8.8.8.8"))
    assert not any(private.allows(ip) for ip in ("169.254.169.254", "224.0.0.1", "::ffff:127.0.0.1", "0.0.0.0"))
    listed = Policy(networks=(ip_network("10.1.0.0/16"),))
    assert listed.allows("10.1.2.3")
    assert not listed.allows("10.2.0.1")


@pytest.fixture
def canary():
    """A server on 127.0.0.1, and on ::1 at the same port where there is one, that must stay untouched."""
    with Site() as canary:
        canary.pages["/"] = b"<p>tweet"
        try:
            second = Site("::1", canary.port, canary.pages, canary.hits).__enter__()
        except OSError:
            second = None
        yield canary
        if second is not None:
            second.__exit__()


def fetch(url, policy, resolver=None, limits=None):
    async def download():
        async with Fetcher(policy, limits or FetchLimits(timeout=60), resolver) as fetcher:
            return await fetcher.get(url)

    return run(download())


@pytest.mark.slow
def test_no_spelling_of_loopback_reaches_the_canary(canary):
    policy = Policy(ports=frozenset({80, 443, canary.port}))
    for spelling in SPELLINGS + OTHER_NETWORKS:
        with pytest.raises(FetchError):
            fetch(f"http://{spelling}:{canary.port}/", policy)
    assert canary.hits == []


@pytest.mark.slow
def test_the_same_spellings_reach_the_canary_without_the_guard(canary):
    reached = 0
    for spelling in SPELLINGS:
        before = len(canary.hits)
        try:
            fetch(f"http://{spelling}:{canary.port}/", Policy(scope=NetworkScope.ANY, ports=None))
        except FetchError:  # this system does not know that spelling
            continue
        reached += len(canary.hits) > before
    assert reached >= 15  # how many depends on the system and on the HTTP client


@pytest.mark.slow
@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "ftp://127.0.0.1:{}/",
        "gopher://127.0.0.1:{}/_x",
        "dict://127.0.0.1:{}/x",
        "unix:/var/run/docker.sock",
        "data:text/html,<p>x",
        "javascript:alert(1)",
        "ws://127.0.0.1:{}/",
        "//127.0.0.1:{}/",
        "http:127.0.0.1:{}/",
        "http:///127.0.0.1:{}/",
        "http://",
        "127.0.0.1:{}",
        "http://127.0.0.1:{}:80/",
        "http://[::1",
        "",
    ],
)
def test_urls_other_than_http_are_refused(canary, url):
    with pytest.raises(FetchError):
        fetch(url.format(canary.port), Policy(scope=NetworkScope.ANY, ports=frozenset({80, canary.port})))
    assert canary.hits == []


@pytest.fixture
def allowed():
    """A server on 127.0.0.2, which the policy of these tests allows."""
    skip_without("a second loopback address")
    with Site("127.0.0.2") as allowed:
        yield allowed


def policy_for(*sites):
    return Policy(networks=(ip_network("127.0.0.2/32"),), ports=frozenset(site.port for site in sites))


def redirect(to):
    return lambda handler: handler.respond(b"", 302, Location=to)


@pytest.mark.slow
def test_no_redirect_reaches_the_canary(canary, allowed):
    policy = policy_for(canary, allowed)
    targets = [f"http://{spelling}:{canary.port}/" for spelling in SPELLINGS + OTHER_NETWORKS]
    targets += [f"//127.0.0.1:{canary.port}/", f"\thttp://127.0.0.1:{canary.port}/", "file:///etc/passwd"]
    targets += [f"http://127.0.0.1:{canary.port}\\@127.0.0.2/", f"ftp://127.0.0.1:{canary.port}/"]

    async def download():
        async with Fetcher(policy, FetchLimits(timeout=60)) as fetcher:
            for number, target in enumerate(targets):
                if not target.isascii():  # a header is ASCII; these are tested as URLs above
                    continue
                allowed.pages[f"/{number}"] = redirect(target)
                with pytest.raises(FetchError):
                    await fetcher.get(allowed.url(f"/{number}"))

    run(download())
    assert canary.hits == []
    assert len(allowed.hits) >= 30


class ChangingResolver(AbstractResolver):
    """A resolver that returns other addresses for each query."""

    def __init__(self, *results):
        self.results, self.queries = list(results), 0

    async def resolve(self, host, port=0, family=socket.AF_INET):  # noqa: ARG002 (aiohttp's)
        addresses = self.results[min(self.queries, len(self.results) - 1)]
        self.queries += 1
        return [
            {"hostname": host, "host": address, "port": port, "family": socket.AF_INET, "proto": 0, "flags": 0}
            for address in addresses
        ]

    async def close(self):
        pass


@pytest.mark.slow
def test_a_rebound_name_does_not_reach_the_canary(canary, allowed):
    allowed.pages["/"] = lambda handler: handler.respond(b"", 302, Location="/again", Connection="close")
    allowed.pages["/again"] = b"<p>fine"
    policy = Policy(networks=(ip_network("127.0.0.2/32"),), ports=frozenset({allowed.port, canary.port}))
    url = f"http://name.example:{allowed.port}/"
    with Site("127.0.0.1", allowed.port) as shadow:  # what the name resolves to after the first query
        with pytest.raises(BlockedURLError):
            fetch(f"http://name.example:{canary.port}/", policy, ChangingResolver(["127.0.0.1"]))
        allowed.pages["/"] = redirect(f"http://other.example:{allowed.port}/again")
        with pytest.raises(BlockedURLError):
            fetch(url, policy, ChangingResolver(["127.0.0.2"], ["127.0.0.1"]))
        assert fetch(url, policy, ChangingResolver(["127.0.0.2"])).body == b"<p>fine"
        # Of several addresses, only those that are allowed are tried.
        assert fetch(url, policy, ChangingResolver(["127.0.0.1", "127.0.0.2"])).body == b"<p>fine"
        assert shadow.hits == []
    assert canary.hits == []


@pytest.mark.slow
def test_other_ports_are_refused(canary, allowed):
    policy = Policy(networks=(ip_network("127.0.0.0/8"),), ports=frozenset({80, 443, allowed.port}))
    with pytest.raises(InvalidURLError, match="port"):
        fetch(canary.url(), policy)
    allowed.pages["/"] = redirect(canary.url())
    with pytest.raises(InvalidURLError, match="port"):
        fetch(allowed.url(), policy)
    assert canary.hits == []


@pytest.mark.slow
def test_proxies_of_the_environment_are_ignored(canary, allowed, monkeypatch):
    for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, canary.url())
    allowed.pages["/"] = b"<p>direct"
    assert fetch(allowed.url(), policy_for(allowed)).body == b"<p>direct"
    assert canary.hits == []


def test_every_route_of_the_service_is_guarded(canary):
    settings = loopback_settings(policy=Policy(ports=frozenset({80, 443, canary.port})))
    lines = "".join(f'{{"url":"http://{spelling}:{canary.port}/"}}\n' for spelling in SPELLINGS)
    with serving(settings) as base:
        for spelling in SPELLINGS:
            target = f"http://{spelling}:{canary.port}/"
            for path in (f"/v1/extract?url={quote(target, safe='')}", f"/read?url={quote(target, safe='')}"):
                assert send(base + path).status in {400, 403, 502}
            assert send(f"{base}/{quote(target, safe=':/@[]%')}").status in {400, 403, 502}
        response = send(f"{base}/v1/batch", "POST", lines.encode(), Content_Type="application/x-ndjson")
        assert response.text.count('"error"') == len(SPELLINGS)
        metrics = send(f"{base}/metrics").text
    assert canary.hits == []
    assert 'tamis_fetches_total{result="blocked"}' in metrics
