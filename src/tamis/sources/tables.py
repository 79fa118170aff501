"""Parquet and Arrow files: a column of HTML, with columns ``id`` and ``url`` if present.

What a file claims is checked before it is unpacked: a page of Parquet may say that a few bytes are gigabytes.
"""

import struct
from collections.abc import Iterator
from typing import IO, Any, Final

from tamis.errors import SourceError, needs_extra
from tamis.sources.files import open_binary
from tamis.sources.lines import from_values
from tamis.sources.quantities import show_size
from tamis.sources.records import Record

_ROWS: Final = 64  #: rows that are read at once: few, because a row may be megabytes
_BATCH_BYTES: Final = 256_000_000  #: or fewer, where a value of a dictionary may be so large
#: Bytes of a value where the batch has no limit of its own.
_MAX_VALUE: Final = 1_000_000_000
#: Beside one large value, a page of Parquet or a buffer of Arrow has others: writers begin a new page after 1 MB.
_REST: Final = 64_000_000
_COLUMNS: Final = frozenset(
    {"id", "url", "source_url", "uri", "html", "content", "body", "raw_content", "encoding", "http_status", "crawled"}
)


def read_arrow(name: str, max_bytes: int | None) -> Iterator[Record]:
    """Yield the pages of a Parquet, Arrow IPC or Feather file, one for each row. A damaged part is one error."""
    with needs_extra("pyarrow", "batch"):
        import pyarrow as pa  # noqa: PLC0415 (an extra)
    limit = (_MAX_VALUE if max_bytes is None else max_bytes) + _REST
    row = 0
    try:
        with open_binary(name) as file:
            parts = _parquet_parts(file, limit) if name.lower().endswith(".parquet") else _ipc_parts(file, limit)
            for part in parts:
                if isinstance(part, Record):
                    yield part
                    continue
                try:
                    columns = _columns(part)
                except (ValueError, pa.ArrowException) as error:
                    rows = f"rows {row + 1} to {row + part.num_rows}"
                    yield Record(rows, error=f"damaged: {error}")
                    row += part.num_rows
                    continue
                for index in range(part.num_rows):
                    row += 1
                    values = {column: _value(array[index].as_py(), is_text) for column, array, is_text in columns}
                    yield from_values(values, f"row {row}")
    except (SourceError, OSError, ValueError, MemoryError, pa.ArrowException) as error:
        yield Record("(end)", error=f"{name} could not be read to its end: {error}")


def _columns(batch: Any) -> list[tuple[str, Any, bool]]:  # noqa: ANN401 (pyarrow has no types)
    """Return the name, the values, and whether they are text, of each wanted column; of two of one name the first.

    Text is looked at as bytes: Arrow would refuse what is not UTF-8, and a page is decoded from bytes.
    """
    import pyarrow as pa  # noqa: PLC0415 (an extra)

    binary = {pa.string(): pa.binary(), pa.large_string(): pa.large_binary()}
    found: dict[str, tuple[Any, bool]] = {}
    for number, name in enumerate(batch.schema.names):
        if name in _COLUMNS and name not in found:
            array = batch.column(number)
            is_text = array.type in binary
            array = array.view(binary[array.type]) if is_text else array
            array.validate(full=True)  # positions that lie outside of the data would end the process
            found[name] = array, is_text
    return [(name, array, is_text) for name, (array, is_text) in found.items()]


def _value(value: object, is_text: bool) -> object:  # noqa: FBT001 (a fact about the value)
    if is_text and isinstance(value, bytes):
        try:
            return value.decode("utf-8")
        except UnicodeDecodeError:
            return value
    return value


def _parquet_parts(file: IO[bytes], limit: int) -> Iterator[Any]:
    """Yield the batches of a Parquet file; for rows that are damaged or too large, a record with an error."""
    import pyarrow as pa  # noqa: PLC0415 (an extra)
    import pyarrow.parquet as pq  # noqa: PLC0415 (an extra)

    table = pq.ParquetFile(file)
    wanted = list(dict.fromkeys(column for column in table.schema_arrow.names if column in _COLUMNS))
    for group in range(table.num_row_groups):
        if table.metadata.row_group(group).num_rows == 0:
            continue  # it has no pages whose headers could be read
        try:
            largest = _largest_page(file, table.metadata.row_group(group), set(wanted))
            if largest > limit:
                message = f"a value would unpack to {show_size(largest)}, more than {show_size(limit)}"
                yield Record(f"row group {group}", error=message, too_large=True)
                continue
            rows = max(1, min(_ROWS, _BATCH_BYTES // max(1, largest)))
            yield from table.iter_batches(rows, columns=wanted, row_groups=[group])
        except (OSError, ValueError, KeyError, IndexError, MemoryError, pa.ArrowException) as error:
            yield Record(f"row group {group}", error=f"damaged Parquet data: {error}")


def _largest_page(file: IO[bytes], group: Any, wanted: set[str]) -> int:  # noqa: ANN401 (pyarrow has no types)
    """Return the bytes that the largest page of the wanted columns unpacks to, by the headers of the pages."""
    largest = 0
    position = file.tell()
    for index in range(group.num_columns):
        chunk = group.column(index)
        if chunk.path_in_schema.partition(".")[0] not in wanted:
            continue
        starts = [chunk.data_page_offset, *([chunk.dictionary_page_offset] if chunk.has_dictionary_page else [])]
        start = min(each for each in starts if each is not None)
        end = start + chunk.total_compressed_size
        while start < end:
            file.seek(start)
            header = file.read(_MAX_HEADER)
            unpacked, packed, size = _page_sizes(header)
            largest = max(largest, unpacked)
            if size + packed <= 0:
                raise ValueError("a page without a size")
            start += size + packed
    file.seek(position)
    return largest


_MAX_HEADER: Final = 65_536  #: bytes of a page's header, with the smallest and the largest value in it


def _page_sizes(data: bytes) -> tuple[int, int, int]:
    """Return the sizes that the header of a Parquet page gives, unpacked and packed, and its own size.

    The header is a struct of Thrift's compact protocol: field 2 is ``uncompressed_page_size``, 3 is
    ``compressed_page_size``.
    """
    reader = _Compact(data)
    fields: dict[int, int] = {}
    for field, kind in reader.fields():
        if kind in _Compact.INTEGERS:
            fields[field] = reader.integer()
        else:
            reader.skip(kind, 0)
    if not {2, 3} <= fields.keys() or fields[2] < 0 or fields[3] < 0:
        raise ValueError("the header of a page has no sizes")
    return fields[2], fields[3], reader.position


class _Compact:
    """A reader of Thrift's compact protocol, of what is needed to pass over fields."""

    INTEGERS: Final = frozenset({4, 5, 6})  #: i16, i32 and i64
    _SIZES: Final = {1: 0, 2: 0, 3: 1, 7: 8}  #: bytes of truth values, of a byte and of a double
    _BINARY, _LIST, _SET, _STRUCT, _MAX_DEPTH = 8, 9, 10, 12, 8

    def __init__(self, data: bytes) -> None:
        self.data, self.position = data, 0

    def byte(self) -> int:
        """Return the next byte."""
        self.position += 1
        return self.data[self.position - 1]  # an IndexError ends the header

    def varint(self) -> int:
        """Return the next number of variable length."""
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80 or shift > 63:  # noqa: PLR2004 (the highest bit: more follows; 64 bits)
                return value

    def integer(self) -> int:
        """Return the next signed number (zigzag)."""
        value = self.varint()
        return (value >> 1) ^ -(value & 1)

    def fields(self) -> Iterator[tuple[int, int]]:
        """Yield the number and the type of each field of a struct. The caller passes over its value."""
        number = 0
        while head := self.byte():
            number = number + (head >> 4) if head >> 4 else self.integer()
            yield number, head & 0x0F

    def skip(self, kind: int, depth: int) -> None:
        """Pass over a value."""
        if depth > self._MAX_DEPTH:
            raise ValueError("the header of a page is nested too deeply")
        if kind in self.INTEGERS:
            self.varint()
        elif kind in self._SIZES:  # the two truth values are in the type
            self.position += self._SIZES[kind]
        elif kind == self._BINARY:
            length = self.varint()
            self.position += length
        elif kind in {self._LIST, self._SET}:
            head = self.byte()
            count = self.varint() if head >> 4 == 0x0F else head >> 4  # noqa: PLR2004 (a long list)
            for _ in range(min(count, len(self.data))):
                self.skip(head & 0x0F, depth + 1)
        elif kind == self._STRUCT:
            for _, inner in self.fields():
                self.skip(inner, depth + 1)
        else:
            raise ValueError("the header of a page is damaged")


def _ipc_parts(file: IO[bytes], limit: int) -> Iterator[Any]:
    """Yield the batches of an Arrow file or stream; for one that is damaged or too large, a record with an error."""
    import pyarrow as pa  # noqa: PLC0415 (an extra)

    sizes = _batch_sizes(file, limit)
    file.seek(0)
    try:
        reader = pa.ipc.open_file(file)
    except pa.ArrowInvalid:
        file.seek(0)
        reader = None
    stream = iter(pa.ipc.open_stream(file)) if reader is None else None
    for number in range(len(sizes) if reader is None else reader.num_record_batches):
        if number < len(sizes) and sizes[number] > limit:
            message = f"a value would unpack to {show_size(sizes[number])}, more than {show_size(limit)}"
            yield Record(f"batch {number}", error=message, too_large=True)
            if reader is None:
                raise SourceError("a stream ends at the first part that cannot be read")
            continue
        try:
            yield next(stream) if stream is not None else reader.get_batch(number)
        except (OSError, ValueError, MemoryError, pa.ArrowException) as error:
            if reader is None:
                raise
            yield Record(f"batch {number}", error=f"damaged Arrow data: {error}")


_DICTIONARY, _BATCH = 2, 3  #: types of messages, in Arrow's Message.fbs


def _batch_sizes(file: IO[bytes], limit: int) -> list[int]:
    """Return the bytes that the largest buffer of each batch unpacks to, by what stands before its packed bytes.

    Only the metadata of the messages is read, which are FlatBuffers.
    """
    file.seek(0)
    file.seek(8 if file.read(6) == b"ARROW1" else 0)
    sizes: list[int] = []
    try:
        while size := _message_size(file):
            metadata = file.read(size)
            start = file.tell()
            message = _Table(metadata, struct.unpack_from("<I", metadata)[0])
            kind = message.number(1, "B")
            body = message.number(3, "q")
            if kind in {_DICTIONARY, _BATCH}:
                header = message.table(2)
                batch = header.table(1) if kind == _DICTIONARY else header
                largest = _largest_buffer(file, start, batch)
                if kind == _BATCH:
                    sizes.append(largest)
                elif largest > limit:
                    raise SourceError(f"a dictionary would unpack to {show_size(largest)}")
            file.seek(start + max(0, body))
    except (struct.error, OverflowError) as error:
        raise SourceError("damaged Arrow data") from error
    return sizes


def _message_size(file: IO[bytes]) -> int:
    """Return the size of the next message's metadata; 0 at the end."""
    head = file.read(4)
    if head == b"\xff\xff\xff\xff":
        head = file.read(4)
    return max(0, int.from_bytes(head, "little", signed=True)) if len(head) == 4 else 0  # noqa: PLR2004 (an int32)


def _largest_buffer(file: IO[bytes], start: int, batch: "_Table") -> int:
    if not batch.offset(3):  # not packed: a buffer is as large as it says
        return 0
    largest = 0
    for position, length in batch.structs(2, "<qq"):
        if length > 0:
            file.seek(start + position)
            largest = max(largest, int.from_bytes(file.read(8), "little", signed=True))
    return largest


class _Table:
    """A table of FlatBuffers. What lies outside of the data is a `struct.error`."""

    def __init__(self, data: bytes, position: int) -> None:
        self._data, self._position = data, position
        self._fields = position - int(struct.unpack_from("<i", data, position)[0])
        if self._fields < 0:
            raise struct.error

    def offset(self, field: int) -> int:
        """Return where a field is; 0 if it is not there."""
        at = 4 + 2 * field
        size = struct.unpack_from("<H", self._data, self._fields)[0]
        return int(struct.unpack_from("<H", self._data, self._fields + at)[0]) if at < size else 0

    def number(self, field: int, kind: str) -> int:
        """Return a number; 0 if it is not there."""
        offset = self.offset(field)
        return int(struct.unpack_from(f"<{kind}", self._data, self._position + offset)[0]) if offset else 0

    def table(self, field: int) -> "_Table":
        """Return a table inside of this one."""
        return _Table(self._data, self._target(field))

    def structs(self, field: int, layout: str) -> list[tuple[int, ...]]:
        """Return a list of structs."""
        if not self.offset(field):
            return []
        start = self._target(field)
        count = int(struct.unpack_from("<I", self._data, start)[0])
        size = struct.calcsize(layout)
        if start + 4 + count * size > len(self._data):
            raise struct.error
        return [struct.unpack_from(layout, self._data, start + 4 + size * index) for index in range(count)]

    def _target(self, field: int) -> int:
        position = self._position + self.offset(field)
        return position + int(struct.unpack_from("<I", self._data, position)[0])
