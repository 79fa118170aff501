"""A small cache: answers and pages by key, in memory up to a size, and on disk where a file is given."""

import asyncio
import hashlib
import json
import sqlite3
import threading
import time
from collections import OrderedDict
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tamis.errors import SourceError


@dataclass(frozen=True, slots=True)
class Entry:
    """A body with what is to be known about it, good until a time (seconds since 1970)."""

    body: bytes
    facts: dict[str, Any]
    expires: float
    tag: str = field(default="")

    @classmethod
    def of(cls, body: bytes, facts: dict[str, Any], seconds: float) -> "Entry":
        """Return an entry that is good for so many seconds, tagged by what it holds.

        >>> Entry.of(b"tea", {}, 60).tag == Entry.of(b"tea", {}, 90).tag != Entry.of(b"tee", {}, 60).tag
        True
        """
        known = json.dumps(facts, sort_keys=True).encode()
        digest = hashlib.blake2b(body + b"\0" + known, digest_size=8).hexdigest()
        # Weak: the same content may go out compressed or not.
        return cls(body, facts, time.time() + seconds, f'W/"{digest}"')

    @property
    def size(self) -> int:
        """Bytes that it takes, about."""
        return len(self.body) + 500


class Memory:
    """Entries in memory; the ones not asked for longest go first when there is no room."""

    def __init__(self, limit: int) -> None:
        self.limit, self.size = limit, 0
        self._entries: OrderedDict[str, Entry] = OrderedDict()

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: str) -> Entry | None:
        """Return an entry that is still good."""
        entry = self._entries.get(key)
        if entry is None:
            return None
        if entry.expires <= time.time():
            self._drop(key)
            return None
        self._entries.move_to_end(key)
        return entry

    def put(self, key: str, entry: Entry) -> None:
        """Keep an entry, unless it alone would take more than a quarter of the room."""
        self._drop(key)
        if entry.size > self.limit // 4:
            return
        self._entries[key] = entry
        self.size += entry.size
        while self.size > self.limit:
            self._drop(next(iter(self._entries)))

    def _drop(self, key: str) -> None:
        entry = self._entries.pop(key, None)
        if entry is not None:
            self.size -= entry.size


class Disk:
    """Entries in an SQLite file. A disk that fails makes a cache that forgets, not a service that fails."""

    def __init__(self, path: Path, limit: int) -> None:
        self.limit = limit
        self._lock = threading.Lock()
        try:
            self._base = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
            self._base.execute("PRAGMA journal_mode=WAL")
            self._base.execute(
                "CREATE TABLE IF NOT EXISTS entries"
                "(key TEXT PRIMARY KEY, body BLOB, facts TEXT, expires REAL, tag TEXT, used REAL, size INT)"
            )
        except sqlite3.Error as error:
            raise SourceError(f"cannot keep a cache in {path}: {error}") from error

    def get(self, key: str) -> Entry | None:
        """Return an entry that is still good."""
        with self._lock:
            try:
                with closing(
                    self._base.execute("SELECT body, facts, expires, tag FROM entries WHERE key = ?", (key,))
                ) as found:
                    row = found.fetchone()
                if row is None or row[2] <= time.time():
                    return None
                self._base.execute("UPDATE entries SET used = ? WHERE key = ?", (time.time(), key))
                return Entry(row[0], json.loads(row[1]), row[2], row[3])
            except (sqlite3.Error, ValueError):
                return None

    def put(self, key: str, entry: Entry) -> None:
        """Keep an entry; what is no longer good, and what was not asked for longest, makes room."""
        if entry.size > self.limit // 4:
            return
        values = (key, entry.body, json.dumps(entry.facts), entry.expires, entry.tag, time.time(), entry.size)
        with self._lock:
            try:
                self._base.execute("INSERT OR REPLACE INTO entries VALUES (?,?,?,?,?,?,?)", values)
                self._base.execute("DELETE FROM entries WHERE expires <= ?", (time.time(),))
                while (self._base.execute("SELECT total(size) FROM entries").fetchone()[0]) > self.limit:
                    self._base.execute(
                        "DELETE FROM entries WHERE key IN (SELECT key FROM entries ORDER BY used LIMIT 10)"
                    )
            except sqlite3.Error:
                return

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._base.close()


class Cache:
    """Memory first, then the disk where there is one."""

    def __init__(self, limit: int, path: Path | None = None) -> None:
        self.memory = Memory(limit)
        self.disk = Disk(path, 16 * limit) if path is not None else None
        self.hits = self.misses = 0

    async def get(self, key: str) -> Entry | None:
        """Return an entry that is still good."""
        entry = self.memory.get(key)
        if entry is None and self.disk is not None:
            entry = await asyncio.to_thread(self.disk.get, key)
            if entry is not None:
                self.memory.put(key, entry)
        self.hits += entry is not None
        self.misses += entry is None
        return entry

    async def put(self, key: str, entry: Entry) -> None:
        """Keep an entry."""
        self.memory.put(key, entry)
        if self.disk is not None:
            await asyncio.to_thread(self.disk.put, key, entry)

    def close(self) -> None:
        """Close the file, where there is one."""
        if self.disk is not None:
            self.disk.close()
