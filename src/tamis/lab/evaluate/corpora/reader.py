"""Labelled pages, the protocol of corpus readers, and how files of a corpus are decoded."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

import turbohtml.detect

from tamis.errors import CorpusError, SourceError
from tamis.html.urls import hostname
from tamis.page import parse_page
from tamis.page.parse import decode, known_encoding
from tamis.sources.files import read_file

# Decode the files of a corpus, so that all tools receive the same text.

_LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a file, decompressed if it is gzip; raise `CorpusError` if it is missing or broken."""
    try:
        return read_file(path)
    except SourceError as error:
        raise CorpusError(f"{path.name} {error}") from error


def decode_markup(data: bytes, label: str | None = None) -> tuple[str, str]:
    r"""Decode markup as `tamis.extract` does; return the text and the encoding.

    `label` is the encoding that the corpus declares for the page. It takes precedence like an HTTP header, unless it
    is unknown or does not decode the bytes.

    >>> decode_markup(b"<meta charset=iso-8859-1>\x93tea\x94")[0]
    '<meta charset=iso-8859-1>“tea”'
    >>> decode_markup("thé".encode(), "utf8")
    ('thé', 'UTF-8')
    """
    known = known_encoding(label)
    if known is not None:
        encoding = parse_page(data[:4], encoding=known).encoding or known
        text = _decode(data, encoding)
        if "\ufffd" not in text:
            return text, encoding
    encoding = parse_page(data).encoding or "windows-1252"
    return _decode(data, encoding), encoding


def decode_page(data: bytes, label: str | None = None) -> tuple[str, str]:
    """Decode the markup of a page as `decode_markup` does; a page without any is a `CorpusError`."""
    if not data.strip():
        raise CorpusError("the page is empty")
    return decode_markup(data, label)


def decode_text(data: bytes) -> str:
    r"""Decode a plain text: as UTF-8 if it is valid, else in the detected encoding.

    >>> decode_text(b"caf\xe9")
    'café'
    """
    match = turbohtml.detect.detect(data)
    return _decode(data, match.encoding or "utf-8")


def _decode(data: bytes, encoding: str) -> str:
    text = decode(data, encoding.lower()).removeprefix("\ufeff")
    # No tool should fail because a corpus has half a surrogate pair.
    return _LONE_SURROGATE.sub("\ufffd", text)


# A page with its gold text, and a page that cannot be used.


@dataclass(frozen=True, slots=True)
class LabelledPage:
    """A page of a corpus. The reader decodes the markup, so that all tools receive the same text.

    Everything but the first three attributes is optional: not every corpus has it.

    Attributes:
        id: the name of the page in the corpus.
        html: the markup.
        gold: the content, as labelled by people.
        corpus: the name of the corpus.
        url: the URL of the page.
        page_type: the type of the page (article, forum, product …).
        required: short texts that must be in the content.
        forbidden: short texts that must not be in the content.
        title: the title.
        author: the author.
        date: the date of publication, as the corpus writes it.
        comments: user comments, if the corpus separates them from the gold text.
        language: the language.
        level: how hard the page is, as the corpus says: simple, mid, hard.
        tags: what the corpus says the page has: code, table, equation …
        parts: parts of the gold text by name (headline, body …).
        encoding: the encoding of the markup.
        gold_markdown: the content as Markdown, if the corpus keeps its structure.
    """

    id: str
    html: str
    gold: str
    corpus: str = ""
    url: str | None = None
    page_type: str | None = None
    required: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    title: str | None = None
    author: str | None = None
    date: str | None = None
    comments: str | None = None
    language: str | None = None
    level: str | None = None
    tags: tuple[str, ...] = ()
    parts: Mapping[str, str] = field(default_factory=dict)
    encoding: str | None = None
    gold_markdown: str | None = None

    @property
    def site(self) -> str | None:
        """The hostname without ``www.``, or None. Old corpora have malformed URLs.

        >>> LabelledPage("1", "", "", url="https://www.example.org/a").site
        'example.org'
        """
        return hostname(self.url, strip_www=True) or None


@dataclass(frozen=True, slots=True)
class BrokenPage:
    """A page of a corpus that cannot be used, and the reason."""

    id: str
    corpus: str
    reason: str


# The protocol of corpus readers, and what several of them share.

_MARKUP_SUFFIXES: Final = (".html", ".htm", ".html.gz", ".htm.gz")
#: Suffixes of gold files, the longest first. Dragnet appends one to the full name of the page.
_GOLD_SUFFIXES: Final = (".html.corrected.txt", ".txt", ".html", ".htm")


class CorpusReader(Protocol):
    """A reader of one corpus format: the files in which labelled pages are published."""

    @property
    def name(self) -> str:
        """The name of the format, as ``--corpus-format`` takes it."""

    @property
    def files(self) -> str:
        """The files of the format, for error messages."""

    def recognizes(self, folder: Path) -> bool:
        """Return whether a folder has the files of this format."""

    def page_ids(self, folder: Path) -> list[str]:
        """Return the names of all pages that have markup or a gold text, sorted."""

    def read(self, folder: Path, page_id: str) -> LabelledPage:
        """Read one page, or raise `CorpusError`."""


def sort_names(names: set[str]) -> list[str]:
    """Sort names, numbers by value and before other names.

    >>> sort_names({"10", "2", "a"})
    ['2', '10', 'a']
    """
    return sorted(names, key=lambda name: (not name.isdecimal(), int(name) if name.isdecimal() else 0, name))


def files_by_stem(folder: Path, suffixes: tuple[str, ...] = _MARKUP_SUFFIXES) -> dict[str, Path]:
    """Return the files of a folder that have one of the suffixes, by their name without it."""
    files: dict[str, Path] = {}
    for path in sorted(folder.iterdir()):
        for suffix in suffixes:
            if path.name.lower().endswith(suffix):
                files.setdefault(path.name[: -len(suffix)], path)
                break
    return files


def find_file(folder: Path, stem: str, suffixes: tuple[str, ...] = _MARKUP_SUFFIXES) -> Path | None:
    """Return the file with this name and one of the suffixes. The folder is listed only if the case differs."""
    for suffix in suffixes:
        path = folder / f"{stem}{suffix}"
        if path.is_file():
            return path
    return files_by_stem(folder, suffixes).get(stem)


@dataclass(frozen=True, slots=True)
class FolderPair:
    """A folder of pages and a folder of gold texts, whose files have the same names.

    Attributes:
        names: the pairs of folder names under which the corpus is published.
    """

    names: tuple[tuple[str, str], ...]

    def folders(self, folder: Path) -> tuple[Path, Path] | None:
        """Return the two folders, or None."""
        for pages, gold in self.names:
            if (folder / pages).is_dir() and (folder / gold).is_dir():
                return folder / pages, folder / gold
        return None

    def _require_folders(self, folder: Path) -> tuple[Path, Path]:
        folders = self.folders(folder)
        if folders is None:
            expected = " or ".join(f"{pages}/ and {gold}/" for pages, gold in self.names)
            raise CorpusError(f"{folder} has no {expected}")
        return folders

    def page_ids(self, folder: Path) -> list[str]:
        """Return the names that at least one of the folders has."""
        pages, gold = self._require_folders(folder)
        return sort_names({*files_by_stem(pages), *files_by_stem(gold, _GOLD_SUFFIXES)})

    def files(self, folder: Path, page_id: str) -> tuple[Path, Path]:
        """Return the file of a page and the file of its gold text."""
        pages, texts = self._require_folders(folder)
        gold = find_file(texts, page_id, _GOLD_SUFFIXES)
        if gold is None:
            raise CorpusError("has no gold text")
        page = find_file(pages, page_id)
        if page is None:
            raise CorpusError("has a gold text but no page")
        return page, gold

    def gold_sample(self, folder: Path, files: int = 20, size: int = 65536) -> bytes:
        """Return the beginnings of some gold files, to tell apart formats with the same folder names."""
        folders = self.folders(folder)
        if folders is None:
            return b""
        sample = []
        for path in list(files_by_stem(folders[1], _GOLD_SUFFIXES).values())[:files]:
            with path.open("rb") as file:
                sample.append(file.read(size))
        return b"\n".join(sample)
