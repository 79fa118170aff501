"""A corpus is a folder and the layout that reads it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from tamis.errors import CorpusError, OptionError
from tamis.evaluate.corpora.cleaneval import CleanEval
from tamis.evaluate.corpora.dragnet import Dragnet
from tamis.evaluate.corpora.folders import Golden, Plain, Readability
from tamis.evaluate.corpora.l3s import L3S
from tamis.evaluate.corpora.layout import Layout
from tamis.evaluate.corpora.page import BrokenPage, LabelledPage
from tamis.evaluate.corpora.records import ArticleBenchmark, Wcxb

#: In the order in which they are asked: the stricter ones first.
LAYOUTS: Final[tuple[Layout, ...]] = (
    Wcxb(),
    ArticleBenchmark(),
    L3S(),
    CleanEval(),
    Dragnet(),
    Readability(),
    Golden(),
    Plain(),
)


@dataclass(frozen=True, slots=True)
class Corpus:
    """Labelled pages in a folder. Pages are read one by one, as they are asked for."""

    name: str
    folder: Path
    layout: Layout

    def ids(self) -> list[str]:
        """Return the names of all pages, usable or not."""
        return self.layout.ids(self.folder)

    def read(self, page_id: str) -> LabelledPage | BrokenPage:
        """Read a page; one that cannot be used comes with the reason."""
        try:
            return replace(self.layout.read(self.folder, page_id), corpus=self.name)
        except CorpusError as error:
            return BrokenPage(page_id, self.name, str(error))

    def __iter__(self) -> Iterator[LabelledPage | BrokenPage]:
        return map(self.read, self.ids())


def layout_named(name: str) -> Layout:
    """Return the layout of a name.

    >>> layout_named("dragnet").shape
    'input/*.html, GoldStandard/*.txt (or HTML/, Corrected/) with a COMMENTS marker'
    """
    for layout in LAYOUTS:
        if layout.name == name:
            return layout
    raise OptionError(f"no layout is named {name!r}; there are {', '.join(each.name for each in LAYOUTS)}")


def open_corpora(path: Path, layout: str | None = None) -> list[Corpus]:
    """Open the corpora in a folder: the folder itself, or else those folders in it that are laid out as one.

    The layout is found out from the files, unless it is named.
    """
    if not path.is_dir():
        raise CorpusError(f"{path} is not a folder" if path.exists() else f"no such folder: {path}")
    known = LAYOUTS if layout is None else (layout_named(layout),)
    here = _fitting(path, known)
    if here is not None:
        return [Corpus(_name(path), path, here)]
    found = []
    for inner in sorted(path.iterdir()):
        fit = _fitting(inner, known) if inner.is_dir() else None
        if fit is not None:
            found.append(Corpus(f"{path.resolve().name}/{inner.name}", inner, fit))
    if not found:
        shapes = "\n".join(f"  {each.name}: {each.shape}" for each in known)
        raise CorpusError(f"{path} is laid out like no corpus that is known here:\n{shapes}")
    return found


def open_corpus(path: Path | str, layout: str | None = None) -> Corpus:
    """Open the one corpus in a folder; see `open_corpora`.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = (Path(folder) / "a.html").write_text("<p>tea</p>"), (Path(folder) / "a.txt").write_text("tea")
    ...     corpus = open_corpus(folder)
    ...     corpus.layout.name, [page.gold for page in corpus]
    ('plain', ['tea'])
    """
    found = open_corpora(Path(path), layout)
    if len(found) > 1:
        raise CorpusError(f"{path} has several corpora: {', '.join(each.folder.name for each in found)}; name one")
    return found[0]


def _fitting(folder: Path, known: tuple[Layout, ...]) -> Layout | None:
    try:
        return next((layout for layout in known if layout.fits(folder)), None)
    except OSError:  # a folder that may not be read is no corpus
        return None


def _name(path: Path) -> str:
    """Return a name that tells splits apart: ``dev`` alone says nothing."""
    whole = path.resolve()
    generic = {"dev", "test", "train", "eval", "final", "test-pages"}
    return f"{whole.parent.name}/{whole.name}" if whole.name in generic else whole.name
