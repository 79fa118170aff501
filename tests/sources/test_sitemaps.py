"""Sitemaps in all their forms, and the commands that list the pages of a site for ``tamis batch -``."""

import gzip
import json

import pytest

from tamis.errors import SourceError
from tamis.sources.sitemaps import MAX_BYTES, SitemapEntry, list_pages, parse_sitemap
from tests.serve.loopback import Site

PAGE = b"<title>%b</title><article><h1>%b</h1><p>Boil the water, and wait. Then pour it over, and drink it hot."
FEED = """<rss version="2.0"><channel><title>Tea</title><item><link>/1</link></item><item><link>/2</link></item>
</channel></rss>"""


@pytest.fixture
def site():
    with Site() as site:
        for name in (b"1", b"2", b"3"):
            site.pages[f"/{name.decode()}"] = PAGE % (name, name)
        yield site


def urlset(*urls):
    entries = "".join(f"<url><loc>{url}</loc><lastmod>2024-01-02</lastmod></url>" for url in urls)
    return f'<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'


def index(*urls):
    entries = "".join(f"<sitemap><loc>{url}</loc></sitemap>" for url in urls)
    return f'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</sitemapindex>'


def test_urls_have_dates_and_are_absolute():
    sitemap = parse_sitemap(urlset(" /a ", "https://e.org/?a=1&amp;b=2", "<![CDATA[/c?d&e]]>", "mailto:x").encode())
    assert sitemap.pages == (SitemapEntry("https://e.org/?a=1&b=2", "2024-01-02"),)
    sitemap = parse_sitemap(urlset(" /a ", "<![CDATA[/c?d&e]]>").encode(), "https://e.org/sitemap.xml")
    assert [page.url for page in sitemap.pages] == ["https://e.org/a", "https://e.org/c?d&e"]


@pytest.mark.parametrize(
    "data", [b"<html><p>x", b"<urlset><url>", b"not a list of URLs", b"\x1f\x8b broken", b"<rss/>", b"{}"]
)
def test_anything_else_is_an_error(data):
    with pytest.raises(SourceError):
        parse_sitemap(data)


@pytest.mark.slow
def test_a_compressed_sitemap_has_a_limit():
    assert parse_sitemap(gzip.compress(urlset("https://e.org/").encode())).pages[0].url == "https://e.org/"
    with pytest.raises(SourceError, match="larger than"):
        parse_sitemap(gzip.compress(b"\n" * (MAX_BYTES + 1)))


def test_pages_of_a_site_are_found_by_robots_txt_and_indexes(site):
    site.pages["/robots.txt"] = f"User-agent: *\nSitemap: {site.url('/all.xml')}\n".encode()
    site.pages["/all.xml"] = index("/one.xml", "/two.txt", "/missing.xml", "/all.xml").encode()
    site.pages["/one.xml"] = gzip.compress(urlset("/1", "/2").encode())
    site.pages["/two.txt"] = f"{site.url('/2')}\n{site.url('/3')}\n".encode()
    urls = [page.url for page in list_pages(site.url("/some/page"), allow_private=True)]
    assert urls == [site.url("/1"), site.url("/2"), site.url("/3")]
    assert site.hits.count("/all.xml") == 1


def test_what_a_stranger_names_is_on_no_private_network(run_tamis):
    with Site() as site, Site() as other:
        other.pages |= {"/own.xml": urlset("/1").encode(), "/feed.xml": FEED.encode()}
        site.pages["/sitemap.xml"] = index("/own.xml", other.url("/own.xml")).encode()
        site.pages["/own.xml"] = urlset("/2").encode()
        link = f"<link rel=alternate type=application/rss+xml href={other.url('/feed.xml')}><p>The kettle."
        site.pages["/"] = link.encode()
        done = run_tamis("sitemap", site.url())
        assert (done.returncode, done.stdout) == (0, f"{site.url('/2')}\n")
        assert f"{other.url('/own.xml')}: port {other.port} is not allowed" in done.stderr
        assert run_tamis("sitemap", site.url(), "--allow-port", other.port).stdout == f"{site.url('/2')}\n"
        assert run_tamis("feed", site.url(), "--list").returncode == 2
        site.pages["/own.rss"] = FEED.replace("/1", other.url("/feed.xml")).encode()
        site.pages["/own"] = b"<link rel=alternate type=application/rss+xml href=/own.rss><p>The kettle."
        rows = [json.loads(line) for line in run_tamis("feed", site.url("/own")).stdout.splitlines()]
        assert all("not allowed" in row["error"] for row in rows)
        assert not other.hits
        opened = ("--allow-port", other.port, "--allow-private")
        assert run_tamis("sitemap", site.url(), *opened).stdout == f"{site.url('/2')}\n{other.url('/1')}\n"
        assert run_tamis("feed", site.url(), "--list", *opened).returncode == 0


def test_without_robots_txt_it_is_sitemap_xml(site):
    site.pages["/sitemap.xml"] = urlset("/1").encode()
    assert [page.url for page in list_pages(site.url(), allow_private=True)] == [site.url("/1")]


def test_a_site_without_a_sitemap_is_an_error(site, run_tamis):
    done = run_tamis("sitemap", site.url())
    assert done.returncode == 2
    assert "/sitemap.xml: the server returned 404" in done.stderr


@pytest.mark.slow
def test_listed_pages_go_to_batch(site, run_tamis, tmp_path):
    site.pages["/sitemap.xml"] = urlset("/1", "/2", "/3").encode()
    listed = run_tamis("sitemap", site.url(), "--max-pages", 2)
    assert listed.stdout == f"{site.url('/1')}\n{site.url('/2')}\n"
    assert "2 pages" in listed.stderr
    options = ["--allow-private", "--allow-port", site.port, "-j", 1, "--robots", "--cookie", "a=1"]
    done = run_tamis("batch", "-", "-o", tmp_path / "out.jsonl", *options, stdin=listed.stdout.encode())
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [(row["url"], row["title"]) for row in rows] == [(site.url("/1"), "1"), (site.url("/2"), "2")]
    assert site.headers[-1]["Cookie"] == "a=1"


@pytest.mark.parametrize("command", [("sitemap",), ("feed", "--allow-private")])
def test_an_output_that_exists_is_replaced_if_asked_for(site, run_tamis, tmp_path, command):
    site.pages |= {"/sitemap.xml": urlset("/1").encode(), "/feed.xml": FEED.encode()}
    words = (*command, site.url("/feed.xml" if "feed" in command else "/sitemap.xml"), "-o", tmp_path / "out.jsonl")
    assert run_tamis(*words).returncode in {0, 1}  # the pages are too short for articles
    written = (tmp_path / "out.jsonl").read_bytes()
    hits = len(site.hits)
    done = run_tamis(*words, "-e", "body") if "feed" in command else run_tamis(*words)
    assert (done.returncode, done.stderr.count("out.jsonl exists: give --overwrite to replace it")) == (2, 1)
    assert (tmp_path / "out.jsonl").read_bytes() == written
    assert len(site.hits) - hits <= 1  # of the feed alone
    assert run_tamis(*words, "--overwrite").returncode in {0, 1}


def test_a_feed_is_listed_also_from_a_page_that_names_it(site, run_tamis):
    site.pages["/feed.xml"] = FEED.encode()
    site.pages["/"] = b'<link rel="alternate" type="application/rss+xml" href="/feed.xml"><p>The kettle.'
    for name in (site.url("/feed.xml"), site.url("/")):
        done = run_tamis("feed", name, "--list", "--max-entries", 1, "--header", "Accept-Language: fr")
        assert (done.returncode, done.stdout) == (0, f"{site.url('/1')}\n")
        assert site.headers[-1]["Accept-Language"] == "fr"
    assert run_tamis("feed", site.url("/1"), "--list").returncode == 2


def test_articles_of_a_feed_heed_robots_txt_if_asked_to(site, run_tamis):
    site.pages["/feed.xml"] = FEED.encode()
    site.pages["/robots.txt"] = b"User-agent: *\nDisallow: /2\n"
    done = run_tamis("feed", site.url("/feed.xml"), "--robots", "--allow-private")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["error"] for row in rows] == [None, "robots.txt of the site disallows this page"]
