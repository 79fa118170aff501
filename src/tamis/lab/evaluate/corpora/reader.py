"""Labelled pages, the base of corpus readers, and how files of a corpus are decoded."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Final

import turbohtml.detect

from tamis.errors import CorpusError, SourceError
from tamis.html.text import hostname
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
        gold: the content, as labelled by people.
        page_type: the type of the page (article, forum, product …).
        required: short texts that must be in the content.
        forbidden: short texts that must not be in the content.
        date: the date of publication, as the corpus writes it.
        comments: user comments, if the corpus separates them from the gold text.
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


# The base of corpus readers.

_MARKUP_SUFFIXES: Final = (".html", ".htm", ".html.gz", ".htm.gz")


@dataclass(frozen=True, slots=True)
class NamedFiles:
    """The files of a folder whose names are those of pages, before one of the suffixes.

    Attributes:
        folder: the folder, in that of the corpus.
        suffixes: the longest first. One that begins with a slash is a file in a folder with the name of the page.
    """

    folder: str
    suffixes: tuple[str, ...] = _MARKUP_SUFFIXES

    def by_name(self, root: Path) -> dict[str, Path]:
        """Return the files by the names of their pages."""
        files: dict[str, Path] = {}
        folder = root / self.folder
        for path in sorted(folder.iterdir()) if folder.is_dir() else ():
            for suffix in self.suffixes:
                if suffix.startswith("/") and (path / suffix[1:]).is_file():
                    files[path.name] = path / suffix[1:]
                elif path.name.lower().endswith(suffix):
                    files.setdefault(path.name[: -len(suffix)], path)
                    break
        return files

    def find(self, root: Path, name: str) -> Path | None:
        """Return the file of a page. The folder is listed only if the case of a suffix differs."""
        paths = (root / self.folder / f"{name}{suffix}" for suffix in self.suffixes)
        return next((path for path in paths if path.is_file()), None) or self.by_name(root).get(name)

    def read(self, root: Path, name: str) -> bytes:
        """Return the markup of a page."""
        path = self.find(root, name)
        if path is None:
            raise CorpusError("has a gold text but no page")
        return read_bytes(path)


class CorpusReader:
    """A reader of one corpus format: files of pages, each with a file of its gold text, unless a reader differs.

    Attributes:
        name: the name of the format, as ``--corpus-format`` takes it.
        files: the files of the format, for error messages.
        pairs: where the pages and the gold texts are, in each form in which the corpus is published.
    """

    name: ClassVar[str]
    files: ClassVar[str]
    pairs: ClassVar[tuple[tuple[NamedFiles, NamedFiles], ...]] = ()

    def recognizes(self, folder: Path) -> bool:
        """Return whether a folder has the files of this format."""
        return self._pair(folder) is not None

    def page_ids(self, folder: Path) -> list[str]:
        """Return the names of all pages that have markup or a gold text, sorted."""
        pages, golds = self._required_pair(folder)
        return sort_names({*pages.by_name(folder), *golds.by_name(folder)})

    def read(self, folder: Path, page_id: str) -> LabelledPage:
        """Read one page, or raise `CorpusError`."""
        pages, golds = self._required_pair(folder)
        gold = golds.find(folder, page_id)
        if gold is None:
            raise CorpusError("has no gold text")
        data, values = self.unwrap(pages.read(folder, page_id))
        html, encoding = decode_page(data, values.pop("encoding", None))
        return LabelledPage(page_id, html, encoding=encoding, **(values | self.labels(gold, html)))

    def unwrap(self, data: bytes) -> tuple[bytes, dict[str, Any]]:
        """Return the markup in a file, and what the file says of it."""
        return data, {}

    def labels(self, gold: Path, html: str) -> dict[str, Any]:  # noqa: ARG002 (for those that override it)
        """Return the attributes of a page that the file of its gold text has; that text is ``"gold"``."""
        raise CorpusError("has no gold text")  # a reader without files of gold texts overrides `read`

    def _pair(self, folder: Path) -> tuple[NamedFiles, NamedFiles] | None:
        """Return the first pair that has files of the same names."""
        return next((pair for pair in self.pairs if pair[0].by_name(folder).keys() & pair[1].by_name(folder)), None)

    def _required_pair(self, folder: Path) -> tuple[NamedFiles, NamedFiles]:
        for pair in self.pairs:
            if all((folder / files.folder).is_dir() for files in pair):
                return pair
        raise CorpusError(f"{folder} has no {self.files}")

    def gold_sample(self, folder: Path) -> bytes:
        """Return the beginnings of some gold files, to tell apart formats with the same folder names."""
        pair = self._pair(folder)
        sample = []
        for path in list(pair[1].by_name(folder).values())[:20] if pair else ():
            with path.open("rb") as file:
                sample.append(file.read(65536))
        return b"\n".join(sample)


def sort_names(names: set[str]) -> list[str]:
    """Sort names, numbers by value and before other names.

    >>> sort_names({"10", "2", "a"})
    ['2', '10', 'a']
    """
    return sorted(names, key=lambda name: (not name.isdecimal(), int(name) if name.isdecimal() else 0, name))


def read_record(path: Path) -> dict[str, Any]:
    """Return the object in a JSON file."""
    try:
        record = json.loads(read_bytes(path))
    except ValueError as error:
        raise CorpusError(f"{path.name} is not JSON: {error}") from error
    if not isinstance(record, dict):
        raise CorpusError(f"{path.name} is not a JSON object")
    return record


def metadata_labels(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return the attributes of a page that a record of its metadata has.

    >>> metadata_labels({"page_type": "category"})["page_type"]  # an older name of WCXB
    'collection'
    """
    page_type = metadata.get("page_type")
    return {
        "page_type": "collection" if page_type == "category" else page_type,
        "required": tuple(metadata.get("with") or ()),
        "forbidden": tuple(metadata.get("without") or ()),
        **{name: metadata.get(name) for name in ("url", "title", "author", "date", "language")},
    }
