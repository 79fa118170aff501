"""Every test starts with no worker processes of its own and leaves none behind."""

import multiprocessing

import pytest


@pytest.fixture(autouse=True)
def workers():
    """Return a function that lists the worker processes of this test. Other tests may have left some."""

    def running():
        return {process for process in multiprocessing.active_children() if process.name == "tamis-worker"}

    before = running()
    yield lambda: sorted(running() - before, key=lambda process: process.pid)
    assert running() - before == set()
