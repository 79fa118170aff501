"""A corpus: a folder (or a file) of labelled pages and the reader of its format."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from tamis.errors import CorpusError, OptionError
from tamis.lab.evaluate.corpora.folders import Defuddle, Golden, Plain, Readability, TypedParts
from tamis.lab.evaluate.corpora.marked_texts import L3S, CleanEval, Dragnet
from tamis.lab.evaluate.corpora.reader import BrokenPage, CorpusReader, LabelledPage
from tamis.lab.evaluate.corpora.records import ArticleBenchmark, ChatNoir, Wcxb, WebMainBench, first_record

#: In the order in which they are tried: the stricter ones first.
READERS: Final[tuple[CorpusReader, ...]] = (
    WebMainBench(),
    ChatNoir(),
    Wcxb(),
    ArticleBenchmark(),
    L3S(),
    CleanEval(),
    Dragnet(),
    Readability(),
    Defuddle(),
    TypedParts(),
    Golden(),
    Plain(),
)
#: Where a folder may have JSON Lines files that are corpora.
_JSON_LINES: Final = ("*.jsonl", "ground-truth/*.jsonl", "dataset/*.jsonl", "dataset/*/*.jsonl")


@dataclass(frozen=True, slots=True)
class Corpus:
    """A folder of labelled pages, or a JSON Lines file of them. Each page is read when it is needed."""

    name: str
    folder: Path
    reader: CorpusReader

    def page_ids(self) -> list[str]:
        """Return the names of all pages, including broken ones."""
        return self.reader.page_ids(self.folder)

    def read(self, page_id: str) -> LabelledPage | BrokenPage:
        """Read a page. A page that cannot be used is returned as `BrokenPage` with the reason."""
        try:
            return replace(self.reader.read(self.folder, page_id), corpus=self.name)
        except CorpusError as error:
            return BrokenPage(page_id, self.name, str(error))

    def __iter__(self) -> Iterator[LabelledPage | BrokenPage]:
        return map(self.read, self.page_ids())


def get_reader(name: str) -> CorpusReader:
    """Return the reader of a corpus format.

    >>> get_reader("dragnet").files
    'input/*.html, GoldStandard/*.txt (or HTML/, Corrected/) with a COMMENTS marker'
    """
    for reader in READERS:
        if reader.name == name:
            return reader
    raise OptionError(f"no corpus format is named {name!r}; there are {', '.join(reader.name for reader in READERS)}")


def open_corpora(path: Path, corpus_format: str | None = None) -> list[Corpus]:
    """Open the corpora in a folder: the folder itself, or else the corpora among its files and subfolders.

    The format is recognized from the files, unless it is given. `path` may also be a JSON Lines file of pages.
    """
    if not path.exists():
        raise CorpusError(f"no such folder: {path}")
    readers = READERS if corpus_format is None else (get_reader(corpus_format),)
    corpora = _open_path(path, readers, _corpus_name(path))
    if not corpora and path.is_dir():
        for subfolder in sorted(path.iterdir()):
            if subfolder.is_dir():
                corpora += _open_path(subfolder, readers, f"{path.resolve().name}/{subfolder.name}")
    if not corpora:
        formats = "\n".join(f"  {reader.name}: {reader.files}" for reader in readers)
        if path.is_dir():
            problem = "has none of the known corpus formats"
        elif path.suffix != ".jsonl":
            problem = "is neither a folder nor a .jsonl file; the known corpus formats are"
        elif not first_record(path):
            problem = "has no JSON object in its first lines; the known corpus formats are"
        else:
            problem = "has records of none of the known corpus formats"
        raise CorpusError(f"{path} {problem}:\n{formats}")
    return corpora


def unique_corpora(corpora: Iterable[Corpus]) -> list[Corpus]:
    """Return corpora without repetitions; those that would have the same name are named by their paths.

    Results name their corpus: those of two folders with one name would be mixed up.
    """
    distinct = list({corpus.folder.resolve(): corpus for corpus in corpora}.values())
    counts = Counter(corpus.name for corpus in distinct)
    return [
        replace(corpus, name=corpus.folder.as_posix()) if counts[corpus.name] > 1 else corpus for corpus in distinct
    ]


def open_corpus(path: Path | str, corpus_format: str | None = None) -> Corpus:
    """Open the only corpus in a folder; see `open_corpora`.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = (Path(folder) / "a.html").write_text("<p>tea</p>"), (Path(folder) / "a.txt").write_text("tea")
    ...     corpus = open_corpus(folder)
    ...     corpus.reader.name, [page.gold for page in corpus]
    ('plain', ['tea'])
    """
    corpora = open_corpora(Path(path), corpus_format)
    if len(corpora) > 1:
        names = ", ".join(corpus.folder.name for corpus in corpora)
        raise CorpusError(f"{path} has several corpora: {names}; name one")
    return corpora[0]


def _open_path(path: Path, readers: tuple[CorpusReader, ...], name: str) -> list[Corpus]:
    """Return the corpora of a path: its JSON Lines files, each a corpus of its own, or the folder as a whole."""
    if path.is_file():
        reader = _find_reader(path, readers)
        return [Corpus(path.stem, path, reader)] if reader else []
    files = sorted({file for pattern in _JSON_LINES for file in path.glob(pattern)})
    corpora = [
        Corpus(f"{name}/{file.stem}", file, reader) for file in files if (reader := _find_reader(file, readers))
    ]
    if corpora:
        return corpora
    reader = _find_reader(path, readers)
    return [Corpus(name, path, reader)] if reader else []


def _find_reader(folder: Path, readers: tuple[CorpusReader, ...]) -> CorpusReader | None:
    try:
        return next((reader for reader in readers if reader.recognizes(folder)), None)
    except OSError:  # an unreadable folder is not a corpus
        return None


def _corpus_name(path: Path) -> str:
    """Return the name of the folder, with its parent if it is the name of a split: ``dev`` alone says nothing."""
    resolved = path.resolve()
    splits = {"dev", "test", "train", "eval", "final", "test-pages"}
    return f"{resolved.parent.name}/{resolved.name}" if resolved.name in splits else resolved.name
