"""A small cache of responses and pages: in memory up to a size, and on disk if a file is given."""

import asyncio
import time
from collections import OrderedDict
from pathlib import Path

from tamis.serve.disk_cache import DiskCache
from tamis.serve.entries import MAX_SHARE, Entry

__all__ = ["Cache", "DiskCache", "Entry", "MemoryCache"]


class MemoryCache:
    """Entries in memory. The least recently used ones are dropped when the cache is full."""

    def __init__(self, max_size: int) -> None:
        self.max_size, self.size = max_size, 0
        self._entries: OrderedDict[str, Entry] = OrderedDict()

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: str) -> Entry | None:
        """Return a fresh entry."""
        entry = self._entries.get(key)
        if entry is None:
            return None
        if entry.expires <= time.time():
            self._drop(key)
            return None
        self._entries.move_to_end(key)
        return entry

    def put(self, key: str, entry: Entry) -> None:
        """Store an entry, unless it is too large."""
        self._drop(key)
        if entry.size > self.max_size * MAX_SHARE:
            return
        self._entries[key] = entry
        self.size += entry.size
        while self.size > self.max_size:
            self._drop(next(iter(self._entries)))

    def _drop(self, key: str) -> None:
        entry = self._entries.pop(key, None)
        if entry is not None:
            self.size -= entry.size


class Cache:
    """The memory first, then the disk if there is one."""

    def __init__(self, max_size: int, path: Path | None = None) -> None:
        self.memory = MemoryCache(max_size)
        self.disk = DiskCache(path, 16 * max_size) if path is not None else None
        self.hits = self.misses = 0

    async def get(self, key: str, max_age: float | None = None) -> Entry | None:
        """Return a fresh entry. With `max_age`, one that is at most that many seconds old."""
        entry = self.memory.get(key)
        if entry is None and self.disk is not None:
            entry = await asyncio.to_thread(self.disk.get, key)
            if entry is not None:
                self.memory.put(key, entry)
        if entry is not None and max_age is not None and time.time() - entry.created > max_age:
            entry = None
        self.hits += entry is not None
        self.misses += entry is None
        return entry

    async def put(self, key: str, entry: Entry) -> None:
        """Store an entry, if it is fresh at all."""
        if entry.expires <= time.time():
            return
        self.memory.put(key, entry)
        if self.disk is not None:
            await asyncio.to_thread(self.disk.put, key, entry)

    def close(self) -> None:
        """Close the file, if there is one."""
        if self.disk is not None:
            self.disk.close()
