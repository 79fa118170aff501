"""The cache keeps what was asked for last, up to a size and for a time; on disk over restarts."""

import time

import pytest

from tamis.errors import SourceError
from tamis.serve.cache import Cache, Disk, Entry, Memory
from tests.serve.loopback import Site, ask, open_settings, run, serving


def entry(size, seconds=60.0, **facts):
    return Entry.of(b"x" * size, facts, seconds)


def test_what_was_not_asked_for_longest_goes_first():
    memory = Memory(10_000)
    for name in "abc":
        memory.put(name, entry(2000))
    memory.get("a")
    memory.put("d", entry(2000))
    memory.put("e", entry(2000))
    assert [name for name in "abcde" if memory.get(name)] == ["a", "d", "e"] or memory.get("b") is None
    assert memory.size <= memory.limit
    memory.put("huge", entry(9000))  # alone it would push out all the others
    assert memory.get("huge") is None
    assert memory.get("a") is not None


def test_the_size_never_exceeds_the_limit():
    memory = Memory(50_000)
    for number in range(1000):
        memory.put(str(number % 70), entry(number * 13 % 9000))
        assert 0 <= memory.size <= memory.limit
    assert memory.size == sum(one.size for one in memory._entries.values())


def test_what_is_too_old_is_not_given(tmp_path):
    memory, disk = Memory(10_000), Disk(tmp_path / "c.db", 10_000)
    for store in (memory, disk):
        store.put("a", entry(10, seconds=-1))
        assert store.get("a") is None
    assert memory.size == 0
    disk.close()


def test_the_disk_is_bounded_and_remembers(tmp_path):
    path = tmp_path / "cache.db"
    disk = Disk(path, 100_000)
    for number in range(40):
        disk.put(str(number), entry(5000, number=number))
    assert disk.get("0") is None
    last = disk.get("39")
    assert last is not None
    assert last.facts == {"number": 39}
    disk.close()
    again = Disk(path, 100_000)
    assert again.get("39") == last
    again.close()
    assert again.get("39") is None  # a disk that fails is a cache that forgets


def test_memory_is_asked_before_the_disk(tmp_path):
    async def work():
        cache = Cache(100_000, tmp_path / "c.db")
        await cache.put("a", entry(10))
        cache.memory = Memory(100_000)
        assert await cache.get("a") is not None
        assert cache.memory.get("a") is not None
        assert await cache.get("b") is None
        assert (cache.hits, cache.misses) == (1, 1)
        cache.close()

    run(work())


def test_a_file_that_is_no_cache_is_told(tmp_path):
    (tmp_path / "c.db").write_bytes(b"something else entirely" * 100)
    with pytest.raises(SourceError, match="cannot keep a cache"):
        Disk(tmp_path / "c.db", 1000)
    with pytest.raises(SourceError, match="cannot keep a cache"):
        Disk(tmp_path / "missing" / "c.db", 1000)


@pytest.mark.slow
def test_answers_outlive_the_server(tmp_path):
    with Site() as site:
        site.pages["/"] = b"<article><h1>Tea</h1><p>Boil water, then wait, and drink."
        settings = open_settings(site.port, cache_file=tmp_path / "cache.db")
        tags = []
        for _ in range(2):
            with serving(settings) as base:
                answer = ask(f"{base}/read?url={site.url()}")
                assert answer.status == 200
                tags.append(answer.headers["etag"])
        assert site.hits == ["/"]
        assert tags[0] == tags[1]
        with serving(open_settings(site.port, cache_file=tmp_path / "cache.db", cache_seconds=0)) as base:
            time.sleep(0.01)
            for path in ("/?a", "/?a"):
                ask(f"{base}/read?url={site.url(path)}")
        assert site.hits == ["/", "/?a", "/?a"]
