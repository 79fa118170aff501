"""A small cache of responses and pages: in memory up to a size, and on disk if a file is given."""

import asyncio
import hashlib
import json
import sqlite3
import threading
import time
from collections import OrderedDict
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tamis.errors import SourceError

_ENTRY_OVERHEAD: Final = 500  #: bytes of an entry besides its body, about
#: An entry larger than this share of the cache is not kept: it would push out all the others.
_MAX_SHARE: Final = 1 / 4


@dataclass(frozen=True, slots=True)
class Entry:
    """A cached body.

    Attributes:
        body: the bytes.
        attributes: what else is known about it, as JSON values.
        expires: when it stops being fresh, in seconds since 1970.
        etag: its HTTP ETag.
    """

    body: bytes
    attributes: dict[str, Any]
    expires: float
    etag: str

    @classmethod
    def create(cls, body: bytes, attributes: dict[str, Any], ttl: float) -> "Entry":
        """Return an entry that is fresh for `ttl` seconds, with an ETag of its content.

        >>> etag = Entry.create(b"tea", {}, 60).etag
        >>> etag == Entry.create(b"tea", {}, 90).etag, etag == Entry.create(b"tee", {}, 60).etag
        (True, False)
        """
        encoded = json.dumps(attributes, sort_keys=True).encode()
        digest = hashlib.blake2b(body + b"\0" + encoded, digest_size=8).hexdigest()
        # Weak: the same content may be sent compressed or not.
        return cls(body, attributes, time.time() + ttl, f'W/"{digest}"')

    @property
    def size(self) -> int:
        """The approximate size in bytes."""
        return len(self.body) + _ENTRY_OVERHEAD


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
        if entry.size > self.max_size * _MAX_SHARE:
            return
        self._entries[key] = entry
        self.size += entry.size
        while self.size > self.max_size:
            self._drop(next(iter(self._entries)))

    def _drop(self, key: str) -> None:
        entry = self._entries.pop(key, None)
        if entry is not None:
            self.size -= entry.size


class DiskCache:
    """Entries in an SQLite file. If the disk fails, the cache forgets and the service goes on."""

    def __init__(self, path: Path, max_size: int) -> None:
        self.max_size = max_size
        self._lock = threading.Lock()
        try:
            self._database = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
            self._database.execute("PRAGMA journal_mode=WAL")
            self._database.execute(
                "CREATE TABLE IF NOT EXISTS responses"
                "(key TEXT PRIMARY KEY, body BLOB, attributes TEXT, expires REAL, etag TEXT, used REAL, size INT)"
            )
        except sqlite3.Error as error:
            raise SourceError(f"cannot use {path} as a cache: {error}") from error

    def get(self, key: str) -> Entry | None:
        """Return a fresh entry."""
        query = "SELECT body, attributes, expires, etag FROM responses WHERE key = ?"
        with self._lock:
            try:
                with closing(self._database.execute(query, (key,))) as cursor:
                    row = cursor.fetchone()
                if row is None or row[2] <= time.time():
                    return None
                self._database.execute("UPDATE responses SET used = ? WHERE key = ?", (time.time(), key))
                return Entry(row[0], json.loads(row[1]), row[2], row[3])
            except (sqlite3.Error, ValueError):
                return None

    def put(self, key: str, entry: Entry) -> None:
        """Store an entry. Stale and least recently used entries are dropped."""
        if entry.size > self.max_size * _MAX_SHARE:
            return
        values = (
            key,
            entry.body,
            json.dumps(entry.attributes),
            entry.expires,
            entry.etag,
            time.time(),
            entry.size,
        )
        with self._lock:
            try:
                self._database.execute("INSERT OR REPLACE INTO responses VALUES (?,?,?,?,?,?,?)", values)
                self._database.execute("DELETE FROM responses WHERE expires <= ?", (time.time(),))
                while self._database.execute("SELECT total(size) FROM responses").fetchone()[0] > self.max_size:
                    self._database.execute(
                        "DELETE FROM responses WHERE key IN (SELECT key FROM responses ORDER BY used LIMIT 10)"
                    )
            except sqlite3.Error:
                return

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._database.close()


class Cache:
    """The memory first, then the disk if there is one."""

    def __init__(self, max_size: int, path: Path | None = None) -> None:
        self.memory = MemoryCache(max_size)
        self.disk = DiskCache(path, 16 * max_size) if path is not None else None
        self.hits = self.misses = 0

    async def get(self, key: str) -> Entry | None:
        """Return a fresh entry."""
        entry = self.memory.get(key)
        if entry is None and self.disk is not None:
            entry = await asyncio.to_thread(self.disk.get, key)
            if entry is not None:
                self.memory.put(key, entry)
        self.hits += entry is not None
        self.misses += entry is None
        return entry

    async def put(self, key: str, entry: Entry) -> None:
        """Store an entry."""
        self.memory.put(key, entry)
        if self.disk is not None:
            await asyncio.to_thread(self.disk.put, key, entry)

    def close(self) -> None:
        """Close the file, if there is one."""
        if self.disk is not None:
            self.disk.close()
