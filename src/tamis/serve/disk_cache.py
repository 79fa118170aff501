"""Cached entries in an SQLite file, over restarts. If the disk fails, the cache forgets and the service goes on."""

import hashlib
import json
import os
import sqlite3
import threading
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from tamis.errors import SourceError
from tamis.serve.entries import MAX_SHARE, Entry

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
