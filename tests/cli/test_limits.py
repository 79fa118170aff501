"""Limits of a page as flags: a partial result with a warning."""

import json
import threading

import pytest

import tamis
from tamis import Limits
from tests.serve.loopback import Site

PAGE = b"<p>Boil the water, and wait.</p>" * 500


@pytest.mark.slow
@pytest.mark.parametrize(
    "flags", [("--max-bytes", 2000), ("--max-nodes", 100), ("--max-output", "20kB"), ("--max-seconds", 0.001)]
)
def test_page_beyond_a_limit_is_read_in_part(run_tamis, flags):
    whole = json.loads(run_tamis("-", "--json", "-e", "body", stdin=PAGE).stdout)
    done = run_tamis("-", "--json", "-e", "body", *flags, stdin=PAGE)
    part = json.loads(done.stdout)
    assert whole["warnings"] == []
    assert "limit reached" in [warning["type"] for warning in part["warnings"]]
    assert part["text"].count("Boil") < whole["text"].count("Boil") == 500


def test_a_page_at_a_url_may_have_as_many_bytes(run_tamis):
    with Site() as site:
        site.pages["/"] = PAGE
        done = run_tamis(site.url(), "-e", "body", "--max-bytes", "10kB")
        assert (done.returncode, done.stdout) == (2, "")
        assert "the page is larger than 0.01 MB; see --max-bytes" in done.stderr
        assert run_tamis(site.url(), "-e", "body", "--max-bytes", "1MB").stdout.count("Boil") == 500
        site.pages["/large"] = bytes(Limits().max_bytes)  # by default as many as the library reads
        assert len(tamis.fetch(site.url("/large"), allow_private=True, timeout=600).body) == Limits().max_bytes


@pytest.mark.slow
def test_a_server_that_is_silent_is_left_after_the_time_that_is_given(run_tamis, tmp_path):
    release = threading.Event()
    with Site() as site:
        site.pages["/"] = site.pages["/sitemap.xml"] = lambda _: release.wait()
        flags = ("--fetch-timeout", "200ms")
        try:
            for command in ([], ["explain"], ["sitemap"], ["feed"]):
                done = run_tamis(*command, site.url(), *flags)
                assert "no response within 0.2 seconds; see --fetch-timeout" in done.stderr
            allowed = ("--allow-private", "--allow-port", site.port)
            run_tamis("batch", site.url(), "-o", tmp_path / "rows.jsonl", "-j", 1, *allowed, *flags)
            assert "no response within 0.2 seconds" in (tmp_path / "rows.jsonl").read_text("utf-8")
        finally:
            release.set()


def test_page_within_the_limits_is_read_as_without_them(run_tamis):
    flags = ["--max-bytes", "1MB", "--max-nodes", 10**5, "--max-seconds", "60s", "--max-output", "1MB"]
    assert run_tamis("-", *flags, stdin=PAGE).stdout == run_tamis("-", stdin=PAGE).stdout


@pytest.mark.parametrize("flags", [("--max-bytes", 0), ("--max-seconds", 0), ("--max-output", -1)])
def test_limit_that_is_none_is_wrong_usage(run_tamis, flags):
    done = run_tamis("-", *flags, stdin=PAGE)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) <= 5
