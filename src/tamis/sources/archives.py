"""Pages in zip and tar archives. Nothing is unpacked to disk, and no page is read beyond its limit."""

import io
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any, Final

from tamis.errors import SourceError
from tamis.sources.files import PAGE_SUFFIXES, open_binary, read_page
from tamis.sources.records import Record

#: What the readers of damaged archives raise. NotImplementedError, of an unknown compression, is a RuntimeError.
BROKEN: Final = (
    OSError, zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, EOFError, RuntimeError, ValueError,
    struct.error, OverflowError, MemoryError,
)  # fmt: skip
_MAX_PAGE: Final = 1_000_000_000  #: bytes of a page where the batch has no limit of its own
_ENTRY: Final = b"PK\x01\x02"  #: what an entry of a zip archive's directory begins with
_MEMBER: Final = b"PK\x03\x04"  #: and what a member does
_ENTRY_SIZE: Final = 46
_NEWEST: Final = zipfile.MAX_EXTRACT_VERSION
_UTF8: Final = 0x800  #: the flag that says that a name is UTF-8


def read_zip(name: str, max_bytes: int | None) -> Iterator[Record]:
    """Yield the pages of a zip archive, in the order of their names."""
    try:
        with open_zip(name) as archive:
            for member in page_members(archive):
                try:
                    with archive.open(member) as page:
                        yield _read_member(page, member.filename, max_bytes)
                except BROKEN as error:
                    yield Record(member.filename, error=f"damaged in the archive: {error}")
    except (SourceError, *BROKEN) as error:
        yield Record("(end)", error=f"{name} could not be read to its end: {error}")


@contextmanager
def open_zip(name: str) -> Iterator[zipfile.ZipFile]:
    """Open a zip archive, also one with an entry that the standard library refuses together with all others."""
    with open_binary(name) as file, zipfile.ZipFile(_Directory(file)) as archive:
        yield archive


class _Directory(io.RawIOBase):
    """A zip archive whose directory is read as `zipfile` takes it.

    A name that is marked as UTF-8 and is not, and a version that `zipfile` does not know, would end the reading of
    the whole archive. The mark is removed, and the version lowered: if the member cannot be read, it is one error.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._unmarked: set[int] = set()  # where the members are whose names are not UTF-8

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def read(self, size: int = -1) -> bytes:
        position = self._file.tell()
        data = self._file.read(size)
        if data.startswith(_ENTRY):
            return self._readable(data)
        if position in self._unmarked and data.startswith(_MEMBER):
            flags = struct.unpack_from("<H", data, 6)[0] & ~_UTF8
            return data[:6] + struct.pack("<H", flags) + data[8:]
        return data

    def _readable(self, data: bytes) -> bytes:
        directory, start = bytearray(data), 0
        while directory[start : start + 4] == _ENTRY and start + _ENTRY_SIZE <= len(directory):
            version, flags = struct.unpack_from("<BxH", directory, start + 6)
            lengths = struct.unpack_from("<HHH", directory, start + 28)
            struct.pack_into("<B", directory, start + 6, min(version, _NEWEST))
            name = directory[start + _ENTRY_SIZE : start + _ENTRY_SIZE + lengths[0]]
            if flags & _UTF8:
                try:
                    name.decode("utf-8")
                except UnicodeDecodeError:
                    struct.pack_into("<H", directory, start + 8, flags & ~_UTF8)
                    self._unmarked.add(struct.unpack_from("<I", directory, start + 42)[0])
            start += _ENTRY_SIZE + sum(lengths)
        return bytes(directory)


def page_members(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """Return the pages of a zip archive, in the order of their names."""
    pages = [member for member in archive.infolist() if member.filename.lower().endswith(PAGE_SUFFIXES)]
    return sorted(pages, key=lambda member: member.filename)


def read_tar(name: str, max_bytes: int | None) -> Iterator[Record]:
    """Yield the pages of a tar archive, plain or compressed, in the order of the archive.

    After a damaged header, reading goes on at the next one that is sound.
    """
    try:
        with (
            open_binary(name) as file,
            tarfile.open(fileobj=file, mode="r|*", ignore_zeros=True, tarinfo=_CountingTarInfo) as archive,
        ):
            for member in archive:
                yield from _damage(archive, name)
                if member.isfile() and member.name.lower().endswith(PAGE_SUFFIXES):
                    page = archive.extractfile(member)
                    assert page is not None
                    try:
                        yield _read_member(page, member.name, max_bytes)
                    except SourceError as error:
                        yield Record(member.name, error=f"damaged in the archive: {error}")
            yield from _damage(archive, name)
    except (SourceError, *BROKEN) as error:
        yield Record("(end)", error=f"{name} could not be read to its end: {error}")


class _CountingTarInfo(tarfile.TarInfo):
    """A member of an archive; headers that are damaged are noted at the archive, which passes over them."""

    @classmethod
    def fromtarfile(cls, tarfile_: tarfile.TarFile) -> "_CountingTarInfo":
        try:
            return super().fromtarfile(tarfile_)
        except tarfile.InvalidHeaderError:  # type: ignore[attr-defined]  # documented by its base, HeaderError
            archive: Any = tarfile_
            archive.damaged_at = getattr(archive, "damaged_at", None) or tarfile_.offset
            raise


def _damage(archive: tarfile.TarFile, name: str) -> Iterator[Record]:
    """Yield a record for the damage since the last call, if there is any."""
    position = getattr(archive, "damaged_at", None)
    if position is not None:
        archive.damaged_at = None  # type: ignore[attr-defined]
        yield Record(f"{name}@{position}", error="damaged header in the archive")


def _read_member(page: IO[bytes], name: str, max_bytes: int | None) -> Record:
    limit = _MAX_PAGE if max_bytes is None else max_bytes
    body = read_page(page, name, limit)
    if len(body) > limit:
        return Record(name, error=f"larger than {limit} bytes", too_large=True)
    return Record(name, body=body)
