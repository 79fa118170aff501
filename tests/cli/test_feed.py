"""``tamis feed`` against a real server on loopback."""

import json

import pytest
from click.testing import CliRunner

from tamis.cli.app import app
from tests.serve.loopback import Site

PROSE = "The baker gets up at four, and the street smells of bread by five. " * 30
ARTICLE = f"<title>Bread</title><nav><a href=/>Home</a></nav><article><h1>Bread</h1><p>{PROSE}</p></article>".encode()
INDEX = (
    "<title>News</title><ul>" + "".join(f"<li><a href=/{n}>Headline {n}</a>" for n in range(60)) + "</ul>"
).encode()


def run(*words):
    return CliRunner().invoke(app, ["feed", *map(str, words)])


@pytest.fixture
def site():
    with Site() as site:
        items = [{"url": site.url(path), "title": path} for path in ("/bread", "/news", "/gone", "/bread#again")]
        site.pages |= {
            "/bread": ARTICLE,
            "/news": INDEX,
            "/feed.json": json.dumps({"title": "Loaf", "items": items}).encode(),
        }
        yield site


def rows(text):
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


def test_articles_index_pages_and_errors_are_told_apart(site, tmp_path):
    output = tmp_path / "out.jsonl"
    result = run(site.url("/feed.json"), "--allow-private", "-o", output)
    assert result.exit_code == 0, result.output
    found = rows(output.read_text("utf-8"))
    assert [row["status"] for row in found] == ["article", "index", "error", "article"]
    assert found[0]["title"] == "Bread"
    assert found[0]["url"] == site.url("/bread")
    assert "smells of bread by five" in found[0]["text"]
    assert "404" in found[2]["error"]
    assert found[0]["entry"]["title"] == "/bread"


def test_articles_only_leaves_the_rest_out(site, tmp_path):
    output = tmp_path / "out.jsonl"
    assert run(site.url("/feed.json"), "--allow-private", "--articles-only", "-o", output).exit_code == 0
    assert {row["status"] for row in rows(output.read_text("utf-8"))} == {"article"}


def test_entries_on_private_networks_are_refused_by_default(site, tmp_path):
    feed = tmp_path / "feed.json"
    feed.write_bytes(site.pages["/feed.json"])
    before = list(site.hits)
    result = run(feed, "-o", tmp_path / "out.jsonl")
    assert result.exit_code == 1
    assert {row["status"] for row in rows((tmp_path / "out.jsonl").read_text("utf-8"))} == {"error"}
    assert site.hits == before


def test_a_feed_from_a_file_and_a_limit(site, tmp_path):
    feed = tmp_path / "feed.json"
    feed.write_bytes(site.pages["/feed.json"])
    result = run(feed, "--allow-private", "--allow-port", site.port, "--max-entries", 1, "-e", "coreex")
    assert result.exit_code == 0
    assert [row["status"] for row in rows(result.stdout)] == ["article"]


@pytest.mark.parametrize("kind", ["rss", "atom"])
def test_feeds_in_xml_are_read_from_a_server(site, kind):
    link = site.url("/bread")
    site.pages["/feed"] = {
        "rss": f"<rss version='2.0'><channel><title>Loaf</title><item><link>{link}</link></item></channel></rss>",
        "atom": f"<feed xmlns='http://www.w3.org/2005/Atom'><entry><link href='{link}'/></entry></feed>",
    }[kind].encode()
    result = run(site.url("/feed"), "--allow-private", "-e", "coreex")
    assert result.exit_code == 0, result.output
    (row,) = rows(result.stdout)
    assert (row["status"], row["title"]) == ("article", "Bread")
