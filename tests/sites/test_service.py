"""The service uses the folder of profiles that its environment names."""

import pytest

from tamis.sites.learn import SitePage, learn_site
from tests.sites.pages import NOTICE, TOPICS, page

pytest.importorskip("starlette")

from tamis.render.registry import get_format
from tamis.serve.jobs import Job
from tamis.serve.worker import run_job


def test_profile_of_the_host_is_used(tmp_path, monkeypatch):
    profile = learn_site([SitePage(page(topic)) for topic in TOPICS])
    (tmp_path / "valley.example.json").write_text(profile.as_json())
    job = Job(page("Rain").encode(), get_format("markdown"), "https://valley.example/rain")
    assert NOTICE in run_job(job).body.decode()
    monkeypatch.setenv("TAMIS_PROFILES", str(tmp_path))
    assert NOTICE not in run_job(job).body.decode()
