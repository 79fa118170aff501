"""Every extractor gives the same answer again, in threads, in processes and with other hash seeds."""

import json
import multiprocessing
import os
import subprocess
import sys
import warnings
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import pytest

import tamis
from tests.contract.digests import digests
from tests.needs import needs

THREADS = 16
EVERY = 6  #: each page makes the same point


@pytest.fixture(scope="module")
def expected():
    return digests(EVERY)


@pytest.mark.slow
def test_twice(expected):
    assert digests(EVERY) == expected


@pytest.mark.slow
def test_in_threads(expected):
    with ThreadPoolExecutor(THREADS) as executor:
        assert list(executor.map(digests, [EVERY] * THREADS)) == [expected] * THREADS


@pytest.mark.slow
@needs("fork")
def test_in_a_forked_process(expected):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # forking while threads of other tests may run
        with ProcessPoolExecutor(1, multiprocessing.get_context("fork")) as executor:
            assert executor.submit(digests, EVERY).result() == expected


@pytest.mark.slow
@pytest.mark.parametrize("seed", ["0", "4711"])
def test_in_a_new_process_with_another_hash_seed(expected, seed):
    path = os.pathsep.join([str(Path(tamis.__file__).parents[1]), str(Path(__file__).parents[2])])
    done = subprocess.run(
        [sys.executable, "-m", "tests.contract.digests", str(EVERY)],
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path},
        capture_output=True,
        check=True,
    )
    assert json.loads(done.stdout) == expected


@pytest.mark.slow
def test_in_a_spawned_process(expected):
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as executor:
        assert executor.submit(digests, EVERY).result() == expected
