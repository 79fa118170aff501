"""What the reader of a layout is, and what readers share: pairs of folders."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from tamis.errors import CorpusError
from tamis.evaluate.corpora.page import LabelledPage

_MARKUP: Final = (".html", ".htm", ".html.gz", ".htm.gz")
#: Gold files, longest first: Dragnet names them after the whole name of the page.
_TEXT: Final = (".html.corrected.txt", ".txt", ".html", ".htm")


class Layout(Protocol):
    """The way a corpus is laid out in a folder."""

    @property
    def name(self) -> str:
        """What ``--layout`` calls it."""

    @property
    def shape(self) -> str:
        """Its files, for a person."""

    def fits(self, folder: Path) -> bool:
        """Return whether a folder looks like it."""

    def ids(self, folder: Path) -> list[str]:
        """Return the names of the pages, in order: all that the corpus has a page or a gold text for."""

    def read(self, folder: Path, page_id: str) -> LabelledPage:
        """Read one page; a `CorpusError` says why not."""


def in_order(names: set[str]) -> list[str]:
    """Return names in the order a person expects: 2 before 10.

    >>> in_order({"10", "2", "a"})
    ['2', '10', 'a']
    """
    return sorted(names, key=lambda name: (not name.isdecimal(), int(name) if name.isdecimal() else 0, name))


def stems(folder: Path, suffixes: tuple[str, ...] = _MARKUP) -> dict[str, Path]:
    """Return the files of a folder that end in one of `suffixes`, by name without it."""
    found: dict[str, Path] = {}
    for path in sorted(folder.iterdir()):
        for suffix in suffixes:
            if path.name.lower().endswith(suffix):
                found.setdefault(path.name[: -len(suffix)], path)
                break
    return found


def file_of(folder: Path, stem: str, suffixes: tuple[str, ...] = _MARKUP) -> Path | None:
    """Return the file of a name that ends in one of `suffixes`, without listing the folder where it can be helped."""
    for suffix in suffixes:
        path = folder / f"{stem}{suffix}"
        if path.is_file():
            return path
    return stems(folder, suffixes).get(stem)


@dataclass(frozen=True, slots=True)
class Pairs:
    """Two folders, one of pages and one of gold texts, whose files have the same names.

    Attributes:
        names: the pairs of folder names that this layout is published under.
    """

    names: tuple[tuple[str, str], ...]

    def folders(self, folder: Path) -> tuple[Path, Path] | None:
        """Return the two folders, None where there are none."""
        for pages, gold in self.names:
            if (folder / pages).is_dir() and (folder / gold).is_dir():
                return folder / pages, folder / gold
        return None

    def _both(self, folder: Path) -> tuple[Path, Path]:
        found = self.folders(folder)
        if found is None:
            wanted = " or ".join(f"{pages}/ and {gold}/" for pages, gold in self.names)
            raise CorpusError(f"{folder} has no {wanted}")
        return found

    def ids(self, folder: Path) -> list[str]:
        """Return the names that either folder has."""
        pages, gold = self._both(folder)
        return in_order({*stems(pages), *stems(gold, _TEXT)})

    def files(self, folder: Path, page_id: str) -> tuple[Path, Path]:
        """Return the page and its gold text."""
        pages, texts = self._both(folder)
        gold = file_of(texts, page_id, _TEXT)
        if gold is None:
            raise CorpusError("has no gold text")
        page = file_of(pages, page_id)
        if page is None:
            raise CorpusError("has a gold text but no page")
        return page, gold

    def gold_sample(self, folder: Path, files: int = 20, size: int = 65536) -> bytes:
        """Return the beginnings of some gold files, to tell layouts apart that share their folders' names."""
        found = self.folders(folder)
        if found is None:
            return b""
        sample = []
        for path in list(stems(found[1], _TEXT).values())[:files]:
            with path.open("rb") as file:
                sample.append(file.read(size))
        return b"\n".join(sample)
