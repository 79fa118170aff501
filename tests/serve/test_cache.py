"""The cache keeps the most recently used entries, up to a size and for a time; on disk over restarts."""

import pytest

from tamis.errors import SourceError
from tamis.serve.cache import Cache, DiskCache, Entry, MemoryCache
from tests.serve.loopback import Site, loopback_settings, run, send, serving


def entry(size, ttl=60.0, **attributes):
    return Entry.create(b"x" * size, attributes, ttl)


def test_the_least_recently_used_entry_is_dropped_first():
    memory = MemoryCache(10_000)
    for name in "abc":
        memory.put(name, entry(2000))
    memory.get("a")
    memory.put("d", entry(2000))
    memory.put("e", entry(2000))
    assert [name for name in "abcde" if memory.get(name)] == ["a", "d", "e"] or memory.get("b") is None
    assert memory.size <= memory.max_size
    memory.put("huge", entry(9000))  # more than a quarter of the cache
    assert memory.get("huge") is None
    assert memory.get("a") is not None


def test_the_size_never_exceeds_the_maximum():
    memory = MemoryCache(50_000)
    for number in range(1000):
        memory.put(str(number % 70), entry(number * 13 % 9000))
        assert 0 <= memory.size <= memory.max_size
    assert memory.size == sum(each.size for each in memory._entries.values())


def test_stale_entries_are_not_returned(tmp_path):
    memory, disk = MemoryCache(10_000), DiskCache(tmp_path / "c.db", 10_000)
    for store in (memory, disk):
        store.put("a", entry(10, ttl=-1))
        assert store.get("a") is None
    assert memory.size == 0
    disk.close()


def test_the_disk_cache_is_bounded_and_persistent(tmp_path):
    path = tmp_path / "cache.db"
    disk = DiskCache(path, 100_000)
    for number in range(40):
        disk.put(str(number), entry(5000, number=number))
    assert disk.get("0") is None
    last = disk.get("39")
    assert last is not None
    assert last.attributes == {"number": 39}
    disk.close()
    reopened = DiskCache(path, 100_000)
    assert reopened.get("39") == last
    reopened.close()
    assert reopened.get("39") is None  # if the disk fails, the cache forgets


def test_the_memory_is_searched_before_the_disk(tmp_path):
    async def check():
        cache = Cache(100_000, tmp_path / "c.db")
        await cache.put("a", entry(10))
        cache.memory = MemoryCache(100_000)
        assert await cache.get("a") is not None
        assert cache.memory.get("a") is not None
        assert await cache.get("b") is None
        assert (cache.hits, cache.misses) == (1, 1)
        cache.close()

    run(check())


def test_an_invalid_cache_file_is_an_error(tmp_path):
    (tmp_path / "c.db").write_bytes(b"something else entirely" * 100)
    with pytest.raises(SourceError, match="as a cache"):
        DiskCache(tmp_path / "c.db", 1000)
    with pytest.raises(SourceError, match="as a cache"):
        DiskCache(tmp_path / "missing" / "c.db", 1000)


@pytest.mark.parametrize("place", [0.0, 0.3, 0.6, 0.9])
def test_a_cache_file_that_is_damaged_while_it_is_used_forgets(tmp_path, place):
    """No entry is ever returned that is not what was put."""
    path = tmp_path / "c.db"
    disk = DiskCache(path, 1_000_000)
    entries = {str(number): entry(4000, number=number) for number in range(40)}
    for key, value in entries.items():
        disk.put(key, value)
    disk.close()
    data = bytearray(path.read_bytes())
    begin = int(len(data) * place)
    data[begin : begin + len(data) // 4] = b"\xa5" * (len(data) // 4)
    disk = DiskCache(path, 1_000_000) if place else None
    path.write_bytes(data)
    if disk is None:
        with pytest.raises(SourceError, match="as a cache"):
            DiskCache(path, 1_000_000)
        return
    for key, value in entries.items():
        assert disk.get(key) in (None, value)
        disk.put(key, value)
        assert disk.get(key) in (None, value)
    assert any(disk.get(key) is None for key in entries) or disk.size
    disk.close()


@pytest.mark.slow
def test_a_service_whose_cache_is_damaged_goes_on(tmp_path):
    path = tmp_path / "cache.db"
    with Site() as site, serving(loopback_settings(site.port, cache_file=path, cache_size=4000)) as base:
        site.pages["/"] = b"<article><h1>Tea</h1><p>Boil water, then wait, and drink."
        assert send(f"{base}/v1/extract?url={site.url()}&format=text").status == 200
        for file in (path, path.with_name(path.name + "-wal")):
            if file.exists():
                file.write_bytes(b"\xa5" * file.stat().st_size)
        for number in range(3):
            response = send(f"{base}/v1/extract?url={site.url(f'/?{number}')}&format=text")
            assert (response.status, "Boil water" in response.text) == (200, True)


@pytest.mark.slow
def test_responses_persist_over_restarts(tmp_path):
    with Site() as site:
        site.pages["/"] = b"<article><h1>Tea</h1><p>Boil water, then wait, and drink."
        settings = loopback_settings(site.port, cache_file=tmp_path / "cache.db")
        etags = []
        for _ in range(2):
            with serving(settings) as base:
                response = send(f"{base}/read?url={site.url()}")
                assert response.status == 200
                etags.append(response.headers["etag"])
        assert site.hits == ["/"]
        assert etags[0] == etags[1]
        with serving(loopback_settings(site.port, cache_file=tmp_path / "cache.db", cache_ttl=0)) as base:
            for path in ("/?a", "/?a"):
                send(f"{base}/read?url={site.url(path)}")
        assert site.hits == ["/", "/?a", "/?a"]
