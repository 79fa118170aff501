"""The protocol of corpus readers, and what several of them share."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from tamis.errors import CorpusError
from tamis.evaluate.corpora.page import LabelledPage

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
