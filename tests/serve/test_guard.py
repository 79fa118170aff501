"""Nothing is read from where it may not be read, however it is spelled. Every target here is on loopback."""

import socket
from ipaddress import ip_network
from urllib.parse import quote

import pytest
from aiohttp.abc import AbstractResolver

from tamis.errors import BlockedURLError, FetchError, InvalidURLError
from tamis.sources.fetch import Fetcher, Limits
from tamis.sources.ssrf import NetworkScope, Policy
from tests.serve.loopback import Site, ask, open_settings, run, serving

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
#: Spellings whose address leads to the canary through something else; without the guard they would leave loopback.
THROUGH = [
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
REFUSED = {
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


@pytest.mark.parametrize("kind", REFUSED)
def test_addresses_that_are_not_public_are_refused(kind):
    assert [address for address in REFUSED[kind] if Policy().allows(address)] == []


def test_public_addresses_are_allowed():
    assert all(
        Policy().allows(address) for address in ("93.184.216.34", "8.8.8.8", "2606:4700::1111", "2a00:1450::5")
    )


def test_ones_own_network_is_allowed_where_asked_for_and_clouds_secrets_are_not():
    own = Policy(scope=NetworkScope.PRIVATE)
    assert all(
        own.allows(address) for address in ("127.0.0.1", "10.1.2.3", "192.168.1.1", "::1", "fd00::1", "8.8.8.8")
    )
    assert not any(own.allows(address) for address in ("169.254.169.254", "224.0.0.1", "::ffff:127.0.0.1", "0.0.0.0"))
    some = Policy(networks=(ip_network("10.1.0.0/16"),))
    assert some.allows("10.1.2.3")
    assert not some.allows("10.2.0.1")


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
    async def work():
        async with Fetcher(policy, limits or Limits(seconds=60), resolver) as fetcher:
            return await fetcher.get(url)

    return run(work())


def test_no_spelling_reaches_the_canary(canary):
    policy = Policy(ports=frozenset({80, 443, canary.port}))
    for spelling in SPELLINGS + THROUGH:
        with pytest.raises(FetchError):
            fetch(f"http://{spelling}:{canary.port}/", policy)
    assert canary.hits == []


def test_the_same_spellings_reach_it_without_the_guard(canary):
    reached = 0
    for spelling in SPELLINGS:
        before = len(canary.hits)
        try:
            fetch(f"http://{spelling}:{canary.port}/", Policy(scope=NetworkScope.ANY, ports=None))
        except FetchError:  # this system does not understand that spelling
            continue
        reached += len(canary.hits) > before
    assert reached >= 15  # how many depends on the system and on the HTTP client


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
def test_what_is_not_http_is_not_read(canary, url):
    with pytest.raises(FetchError):
        fetch(url.format(canary.port), Policy(scope=NetworkScope.ANY, ports=frozenset({80, canary.port})))
    assert canary.hits == []


@pytest.fixture
def allowed():
    """A server on 127.0.0.2, which the policy of these tests takes for a public one."""
    try:
        with Site("127.0.0.2") as allowed:
            yield allowed
    except OSError:
        pytest.skip("this system has one loopback address only")


def allowing(*sites):
    return Policy(networks=(ip_network("127.0.0.2/32"),), ports=frozenset(site.port for site in sites))


def redirect(to):
    return lambda handler: handler.answer(b"", 302, Location=to)


def test_no_redirect_leads_to_the_canary(canary, allowed):
    policy = allowing(canary, allowed)
    targets = [f"http://{spelling}:{canary.port}/" for spelling in SPELLINGS + THROUGH]
    targets += [f"//127.0.0.1:{canary.port}/", f"\thttp://127.0.0.1:{canary.port}/", "file:///etc/passwd"]
    targets += [f"http://127.0.0.1:{canary.port}\\@127.0.0.2/", f"ftp://127.0.0.1:{canary.port}/"]

    async def work():
        async with Fetcher(policy, Limits(seconds=60)) as fetcher:
            for number, target in enumerate(targets):
                if not target.isascii():  # a header is ASCII; these are tested as addresses above
                    continue
                allowed.pages[f"/{number}"] = redirect(target)
                with pytest.raises(FetchError):
                    await fetcher.get(allowed.url(f"/{number}"))

    run(work())
    assert canary.hits == []
    assert len(allowed.hits) >= 30


class Answers(AbstractResolver):
    """A resolver whose answers for any name change from one question to the next."""

    def __init__(self, *answers):
        self.answers, self.asked = list(answers), 0

    async def resolve(self, host, port=0, family=socket.AF_INET):  # noqa: ARG002 (aiohttp's)
        answer = self.answers[min(self.asked, len(self.answers) - 1)]
        self.asked += 1
        return [
            {"hostname": host, "host": one, "port": port, "family": socket.AF_INET, "proto": 0, "flags": 0}
            for one in answer
        ]

    async def close(self):
        pass


def test_a_name_cannot_be_bound_again(canary, allowed):
    allowed.pages["/"] = lambda handler: handler.answer(b"", 302, Location="/again", Connection="close")
    allowed.pages["/again"] = b"<p>fine"
    policy = Policy(networks=(ip_network("127.0.0.2/32"),), ports=frozenset({allowed.port, canary.port}))
    url = f"http://name.example:{allowed.port}/"
    with Site("127.0.0.1", allowed.port) as shadow:  # what the name is bound to after the first question
        with pytest.raises(BlockedURLError):
            fetch(f"http://name.example:{canary.port}/", policy, Answers(["127.0.0.1"]))
        allowed.pages["/"] = redirect(f"http://other.example:{allowed.port}/again")
        with pytest.raises(BlockedURLError):
            fetch(url, policy, Answers(["127.0.0.2"], ["127.0.0.1"]))
        assert fetch(url, policy, Answers(["127.0.0.2"])).body == b"<p>fine"
        # Of several addresses, only those that are allowed are tried.
        assert fetch(url, policy, Answers(["127.0.0.1", "127.0.0.2"])).body == b"<p>fine"
        assert shadow.hits == []
    assert canary.hits == []


def test_only_listed_ports_are_read(canary, allowed):
    policy = Policy(networks=(ip_network("127.0.0.0/8"),), ports=frozenset({80, 443, allowed.port}))
    with pytest.raises(InvalidURLError, match="port"):
        fetch(canary.url(), policy)
    allowed.pages["/"] = redirect(canary.url())
    with pytest.raises(InvalidURLError, match="port"):
        fetch(allowed.url(), policy)
    assert canary.hits == []


def test_proxies_of_the_environment_are_ignored(canary, allowed, monkeypatch):
    for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, canary.url())
    allowed.pages["/"] = b"<p>direct"
    assert fetch(allowed.url(), allowing(allowed)).body == b"<p>direct"
    assert canary.hits == []


def test_the_service_guards_every_way_in(canary):
    settings = open_settings(policy=Policy(ports=frozenset({80, 443, canary.port})))
    lines = "".join(f'{{"url":"http://{spelling}:{canary.port}/"}}\n' for spelling in SPELLINGS)
    with serving(settings) as base:
        for spelling in SPELLINGS:
            target = f"http://{spelling}:{canary.port}/"
            for path in (f"/v1/extract?url={quote(target, safe='')}", f"/read?url={quote(target, safe='')}"):
                assert ask(base + path).status in {400, 403, 502}
            assert ask(f"{base}/{quote(target, safe=':/@[]%')}").status in {400, 403, 502}
        answers = ask(f"{base}/v1/batch", "POST", lines.encode(), Content_Type="application/x-ndjson")
        assert answers.text.count('"error"') == len(SPELLINGS)
        metrics = ask(f"{base}/metrics").text
    assert canary.hits == []
    assert 'tamis_fetches_total{result="refused"}' in metrics
