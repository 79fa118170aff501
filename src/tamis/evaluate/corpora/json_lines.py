"""Formats with a page in each line of a JSON Lines file: what their readers share."""

import json
import re
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from tamis.errors import CorpusError

#: The longest line, and how many lines, that are read to recognize the format of a file.
_SAMPLE_BYTES: Final = 1 << 26
_SAMPLE_LINES: Final = 20
#: A quotation mark inside a JSON string has a backslash before it, so this is a key of the record.
_ID_PATTERN: Final = r'(?<!\\)"{}"\s{{0,8}}:\s{{0,8}}"([^"\\]{{1,500}})"'


def first_record(path: Path) -> dict[str, Any]:
    """Return the first record of a file, or an empty one if it has none. Damaged and empty lines are passed over."""
    if path.suffix != ".jsonl" or not path.is_file():
        return {}
    with path.open("rb") as file:
        for _ in range(_SAMPLE_LINES):
            try:
                record = json.loads(file.readline(_SAMPLE_BYTES))
            except ValueError:
                continue
            if isinstance(record, dict):
                return record
    return {}


@lru_cache(maxsize=64)
def record_offsets(path: Path, key: str) -> dict[str, int]:
    """Return where in a file each record begins, by its name; read once per process.

    The name is the value of `key`, or else the number of the line. Records are not parsed: their pages are large.
    """
    pattern = re.compile(_ID_PATTERN.format(key).encode())
    offsets: dict[str, int] = {}
    position = 0
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            match = pattern.search(line)
            name = match[1].decode("utf-8", "replace") if match else str(number)
            if line.strip():
                offsets[name if name not in offsets else f"{name}#{number}"] = position
            position += len(line)
    return offsets


def read_line(path: Path, key: str, page_id: str) -> dict[str, Any]:
    """Return a record by its name."""
    offset = record_offsets(path, key).get(page_id)
    if offset is None:
        raise CorpusError("has no record")
    with path.open("rb") as file:
        file.seek(offset)
        line = file.readline()
    try:
        record = json.loads(line)
    except ValueError as error:
        raise CorpusError(f"its line is not JSON: {error}") from error
    if not isinstance(record, dict):
        raise CorpusError("its line is not a JSON object")
    return record


def text_value(record: dict[str, Any], *keys: str) -> str | None:
    """Return the first value of the keys that is a text with more than white space."""
    return next((value for key in keys if isinstance(value := record.get(key), str) and value.strip()), None)
