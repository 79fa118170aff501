"""Pages in zip and tar archives. Nothing is unpacked to disk, and no page is read beyond its limit."""

import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from typing import Final

from tamis.errors import SourceError
from tamis.sources.files import PAGE_SUFFIXES, open_binary, read_page
from tamis.sources.records import Record

_BROKEN: Final = (OSError, zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, EOFError, RuntimeError)


def read_zip(name: str, max_bytes: int | None) -> Iterator[Record]:
    """Yield the pages of a zip archive, in the order of their names."""
    try:
        with open_binary(name) as file, zipfile.ZipFile(file) as archive:
            for member in page_members(archive):
                try:
                    with archive.open(member) as page:
                        yield Record(member.filename, body=read_page(page, member.filename, max_bytes))
                except _BROKEN as error:
                    yield Record(member.filename, error=f"damaged in the archive: {error}")
    except (SourceError, *_BROKEN) as error:
        yield Record("(end)", error=f"{name} could not be read to its end: {error}")


def page_members(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """Return the pages of a zip archive, in the order of their names."""
    pages = [member for member in archive.infolist() if member.filename.lower().endswith(PAGE_SUFFIXES)]
    return sorted(pages, key=lambda member: member.filename)


def read_tar(name: str, max_bytes: int | None) -> Iterator[Record]:
    """Yield the pages of a tar archive, plain or compressed, in the order of the archive."""
    try:
        with open_binary(name) as file, tarfile.open(fileobj=file, mode="r|*") as archive:
            for member in archive:
                if member.isfile() and member.name.lower().endswith(PAGE_SUFFIXES):
                    page = archive.extractfile(member)
                    assert page is not None
                    try:
                        yield Record(member.name, body=read_page(page, member.name, max_bytes))
                    except SourceError as error:
                        yield Record(member.name, error=f"damaged in the archive: {error}")
    except (SourceError, *_BROKEN) as error:
        yield Record("(end)", error=f"{name} could not be read to its end: {error}")
