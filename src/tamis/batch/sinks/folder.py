"""A folder that mirrors the input: a file for each page with content, and ``rows.jsonl`` with a line per page."""

import hashlib
import os
import re
from pathlib import Path
from typing import IO, Any, Final

from tamis.batch.rows import RowOptions
from tamis.batch.worker import Encoded, Encoding, encode_json

INDEX: Final = "rows.jsonl"
_UNSAFE: Final = re.compile(r'[\x00-\x1f<>:"|?*\\]')
_MAX_NAME: Final = 200  #: characters of one name; file systems allow 255 bytes


class FolderSink:
    """Files by page. The first column is their content; the others are in ``rows.jsonl`` beside the file's name."""

    encoding: Encoding = "values"

    def __init__(self, path: Path, options: RowOptions, suffix: str) -> None:
        self._path, self._suffix = path, suffix
        self._content = options.columns[0]
        self._index: IO[bytes] | None = None

    def open(self, state: dict[str, Any] | None) -> None:
        """Begin anew, or cut the index off where the state ends."""
        self._path.mkdir(parents=True, exist_ok=True)
        index = self._path / INDEX
        if state is None:
            self._index = index.open("wb")
            return
        self._index = index.open("r+b")
        self._index.truncate(state["bytes"])
        self._index.seek(state["bytes"])

    def write(self, rows: list[Encoded]) -> dict[str, Any]:
        """Write the files of a chunk, then their lines in the index."""
        assert self._index is not None
        lines = []
        for row in rows:
            assert isinstance(row, dict)
            content = row.get(self._content)
            values = {name: value for name, value in row.items() if name != self._content}
            values["file"] = None
            if isinstance(content, str):
                values["file"] = self._file_name(str(row["id"]))
                target = self._path / values["file"]
                target.parent.mkdir(parents=True, exist_ok=True)
                partial = target.with_name(target.name + ".partial")
                partial.write_bytes(content.encode("utf-8", "replace") + b"\n")
                partial.replace(target)
            lines.append(encode_json(values))
        self._index.write(b"".join(lines))
        self._index.flush()
        os.fsync(self._index.fileno())
        return {"bytes": self._index.tell()}

    def _file_name(self, identity: str) -> str:
        """Return the path of a page's file: that of the page, with another suffix; never outside the folder.

        Two pages never have one file: ``.html`` is replaced, any other suffix is kept, and where a name had to be
        changed a hash of the page's id follows.
        """
        parts = [_UNSAFE.sub("_", part)[:_MAX_NAME] for part in identity.replace("#", "/").split("/")]
        parts = [part for part in parts if part not in {"", ".", ".."}] or ["page"]
        if "/".join(parts) != identity:
            parts[-1] += "-" + hashlib.sha256(identity.encode("utf-8", "replace")).hexdigest()[:8]
        return f"{'/'.join(parts).removesuffix('.html')}.{self._suffix}"

    def finish(self) -> None:
        """Nothing is left to do: every file is written."""

    def clean(self) -> None:
        """Nothing is left to remove."""

    def close(self) -> None:
        """Close the index."""
        if self._index is not None:
            self._index.close()
