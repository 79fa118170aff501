"""A cache of responses and pages: compressed, in memory up to a size, on disk if a file is given."""

import asyncio
import gzip
import hashlib
import json
import os
import sqlite3
import threading
import time
from collections import OrderedDict
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tamis.errors import SourceError

__all__ = ["Cache", "DiskCache", "Entry", "MemoryCache"]

# `Entry`: a body with what a response needs besides it. Bodies of responses are kept compressed.

_ENTRY_OVERHEAD: Final = 500  #: bytes of an entry besides its body, about
#: An entry larger than this share of a cache is not kept: it would push out all the others.
MAX_SHARE: Final = 1 / 4
MIN_COMPRESSED_BYTES: Final = 1000  #: shorter bodies are not worth compressing


@dataclass(frozen=True, slots=True)
class Entry:
    """A body and its attributes.

    Attributes:
        body: the bytes, compressed with gzip if the attribute ``gzip`` is true.
        attributes: what else is known about it, as JSON values.
        created: when it was made, in seconds since 1970.
        expires: when it stops being fresh.
        etag: its HTTP ETag, made of the body and the attributes.
    """

    body: bytes
    attributes: dict[str, Any]
    created: float
    expires: float
    etag: str

    @classmethod
    def create(cls, body: bytes, attributes: dict[str, Any], ttl: float, etag: str | None = None) -> "Entry":
        """Return an entry that is fresh for `ttl` seconds, with an ETag of its content.

        >>> etag = Entry.create(b"tea", {}, 60).etag
        >>> etag == Entry.create(b"tea", {}, 90).etag, etag == Entry.create(b"tee", {}, 60).etag
        (True, False)
        """
        now = time.time()
        return cls(body, attributes, now, now + ttl, etag or make_etag(body, attributes))

    @property
    def size(self) -> int:
        """The approximate size in bytes."""
        return len(self.body) + _ENTRY_OVERHEAD

    def is_intact(self) -> bool:
        """Return whether the body and the attributes are those that the ETag was made of."""
        return self.etag == make_etag(self.body, self.attributes)

    def plain_body(self) -> bytes:
        """Return the body, decompressed. For large bodies, call this in a thread."""
        return gzip.decompress(self.body) if self.attributes.get("gzip") else self.body


def make_etag(body: bytes, attributes: dict[str, Any]) -> str:
    """Return the ETag of a body and its attributes. It is weak: content may be sent compressed or not."""
    digest = hashlib.blake2b(json.dumps(attributes, sort_keys=True).encode(), digest_size=8)
    digest.update(body)
    return f'W/"{digest.hexdigest()}"'


def compressed(body: bytes) -> tuple[bytes, bool]:
    """Return a body compressed if that is worthwhile, and whether it is. The same body gives the same bytes."""
    if len(body) < MIN_COMPRESSED_BYTES:
        return body, False
    smaller = gzip.compress(body, 6, mtime=0)
    return (smaller, True) if len(smaller) < len(body) else (body, False)


# Cached entries in an SQLite file, over restarts. If the disk fails, the cache forgets and the service goes on.

#: Changes with the columns, so that a file of an older version is used without being misread.
_TABLE: Final = "entries_2"
_OWNER_ONLY: Final = 0o600
_TOUCH_SECONDS: Final = 60  #: how exact the order of use is; each use would otherwise be a write
_PURGE_SECONDS: Final = 60  #: how often stale entries are dropped
_DROPPED_AT_ONCE: Final = 20


class DiskCache:
    """Entries in an SQLite file that its owner alone can read. Keys are stored as hashes: URLs may hold secrets."""

    def __init__(self, path: Path, max_size: int) -> None:
        self.max_size = max_size
        self._lock = threading.Lock()
        self._purged = time.time()
        try:
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, _OWNER_ONLY))
            with suppress(OSError):  # the file system has no modes, or the file is another user's
                path.chmod(_OWNER_ONLY)
            self._database = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
            self._database.execute("PRAGMA journal_mode=WAL")
            self._database.execute("PRAGMA synchronous=NORMAL")
            self._database.execute(
                f"CREATE TABLE IF NOT EXISTS {_TABLE} (key BLOB PRIMARY KEY, body BLOB, attributes TEXT,"
                " created REAL, expires REAL, etag TEXT, used REAL, size INT) WITHOUT ROWID"
            )
            for column in ("used", "expires"):
                self._database.execute(f"CREATE INDEX IF NOT EXISTS {_TABLE}_{column} ON {_TABLE} ({column}, size)")
            # Counted once; from here on it is kept up to date.
            self._size = int(self._database.execute(f"SELECT total(size) FROM {_TABLE}").fetchone()[0])  # noqa: S608
        except (sqlite3.Error, OSError) as error:
            raise SourceError(f"cannot use {path} as a cache: {error}") from error

    @property
    def size(self) -> int:
        """The size of all entries."""
        return self._size

    def get(self, key: str) -> Entry | None:
        """Return a fresh entry. A damaged one is dropped."""
        query = f"SELECT body, attributes, created, expires, etag, used FROM {_TABLE} WHERE key = ?"  # noqa: S608
        hashed, now = _hash(key), time.time()
        with self._lock:
            try:
                with closing(self._database.execute(query, (hashed,))) as cursor:
                    row = cursor.fetchone()
                if row is None:
                    return None
                entry = _read_entry(row)
                if entry is None:
                    self._delete("key = ?", hashed)
                elif entry.expires > now:
                    if now - row[5] > _TOUCH_SECONDS:
                        self._database.execute(f"UPDATE {_TABLE} SET used = ? WHERE key = ?", (now, hashed))  # noqa: S608
                    return entry
            except (sqlite3.Error, ValueError, TypeError):
                pass
            return None

    def put(self, key: str, entry: Entry) -> None:
        """Store an entry. Stale and least recently used entries are dropped."""
        if entry.size > self.max_size * MAX_SHARE:
            return
        hashed, now = _hash(key), time.time()
        values = (
            hashed,
            entry.body,
            json.dumps(entry.attributes),
            entry.created,
            entry.expires,
            entry.etag,
            now,
            entry.size,
        )
        with self._lock:
            try:
                self._delete("key = ?", hashed)
                self._database.execute(f"INSERT INTO {_TABLE} VALUES (?,?,?,?,?,?,?,?)", values)  # noqa: S608
                self._size += entry.size
                if now - self._purged > _PURGE_SECONDS:
                    self._purged = now
                    self._delete("expires <= ?", now)
                while self._size > self.max_size and self._delete(
                    f"key IN (SELECT key FROM {_TABLE} ORDER BY used LIMIT ?)",  # noqa: S608
                    _DROPPED_AT_ONCE,
                ):
                    pass
            except sqlite3.Error:
                return

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._database.close()

    def _delete(self, condition: str, value: object) -> int:
        """Delete the entries that meet a condition and return how many they were."""
        query = f"DELETE FROM {_TABLE} WHERE {condition} RETURNING size"  # noqa: S608 (conditions are ours)
        with closing(self._database.execute(query, (value,))) as cursor:
            sizes = [row[0] for row in cursor.fetchall()]
        self._size -= sum(size for size in sizes if isinstance(size, int))
        return len(sizes)


def _read_entry(row: tuple[object, ...]) -> Entry | None:
    """Return the entry of a row, or None if the row is damaged."""
    body, attributes, created, expires, etag, used = row
    if not (isinstance(body, bytes) and isinstance(attributes, str) and isinstance(etag, str)):
        return None
    if not all(isinstance(number, float) for number in (created, expires, used)):
        return None
    values = json.loads(attributes)
    entry = Entry(body, values, float(created), float(expires), etag)  # type: ignore[arg-type]  # checked above
    return entry if isinstance(values, dict) and entry.is_intact() else None


def _hash(key: str) -> bytes:
    return hashlib.blake2b(key.encode("utf-8", "replace"), digest_size=16).digest()


# A small cache of responses and pages: in memory up to a size, and on disk if a file is given.


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
