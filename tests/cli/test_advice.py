"""``tamis URL`` says what to try where a page gave little."""

import pytest

from tests.serve.loopback import Site

ARTICLE = b"<article><h1>Tea</h1>" + b"<p>Boil the water, and wait. Then pour it over the leaves.</p>" * 9


@pytest.fixture
def site():
    with Site() as site:
        yield site


def test_a_page_that_scripts_build(site, run_tamis):
    site.pages["/"] = b"<title>Tea</title><div id=root></div><script src=/app.js></script>"
    assert "this page is built by scripts: try --render" in run_tamis(site.url()).stderr


def test_a_file_that_scripts_build(run_tamis):
    page = b"<title>Tea</title><div id=root></div><script src=/app.js></script>"
    done = run_tamis("-", stdin=page)
    assert "this page is built by scripts: try --render, and --allow-network if" in done.stderr
    assert "scripts" not in run_tamis("-", stdin=b"<title>Tea</title><div id=root></div>").stderr


def test_a_pdf(site, run_tamis):
    site.pages["/"] = b"%PDF-1.7\n\x00\x01\x02" + bytes(200)
    done = run_tamis(site.url())
    assert done.returncode == 1
    assert "this is a PDF document: save it and convert it first" in done.stderr


@pytest.mark.parametrize(
    ("status", "advice"),
    [
        (403, "the site refuses programs"),
        (401, "the page needs a login"),
        (429, "fewer requests"),
        (404, "no such page"),
    ],
)
def test_what_a_refusal_means(site, run_tamis, status, advice):
    site.pages["/"] = lambda handler: handler.respond(b"no", status)
    done = run_tamis(site.url(), "--retries", 0)
    assert done.returncode == 2
    assert f"the server returned {status}" in done.stderr
    assert advice in done.stderr


def test_a_consent_wall(site, run_tamis):
    site.pages["/"] = lambda handler: handler.respond(b"", 302, Location="/consent?continue=/")
    site.pages["/consent"] = b"<h1>Before you continue</h1><p>We use cookies and data, to deliver our services.</p>"
    done = run_tamis(site.url())
    assert "the site asks for consent first, at 127.0.0.1: give the --cookie" in done.stderr


def test_an_article_needs_no_advice(site, run_tamis):
    site.pages["/"] = ARTICLE
    site.pages["/old"] = lambda handler: handler.respond(b"", 302, Location="/")
    done = run_tamis(site.url("/old"))
    assert (done.returncode, done.stderr) == (0, "")


def test_headers_of_the_commands(site, run_tamis, tmp_path):
    site.pages["/"] = ARTICLE
    run_tamis(site.url(), "--header", "Accept-Language: fr", "--cookie", "a=1", "--user-agent", "Teapot/1")
    sent = site.headers[-1]
    assert (sent["Accept-Language"], sent["Cookie"], sent["User-Agent"]) == ("fr", "a=1", "Teapot/1")
    for command in (["explain"], ["compare", "--tools", "body"], ["pin", "-o", tmp_path]):
        assert run_tamis(*command, site.url(), "--cookie", "b=2").returncode == 0
        assert site.headers[-1]["Cookie"] == "b=2"
    run_tamis("learn", site.url(), "-o", tmp_path / "site.json", "--cookie", "b=3")
    assert site.headers[-1]["Cookie"] == "b=3"
    done = run_tamis(site.url(), "--header", "nonsense")
    assert done.returncode == 2
    assert "write it as 'Accept-Language: fr'" in done.stderr
