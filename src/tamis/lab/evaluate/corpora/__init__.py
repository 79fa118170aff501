"""Corpora of labelled pages, and a reader for each format in which they are published."""

from tamis.lab.evaluate.corpora.corpus import READERS, Corpus, get_reader, open_corpora, open_corpus, unique_corpora
from tamis.lab.evaluate.corpora.reader import BrokenPage, CorpusReader, LabelledPage

__all__ = [
    "READERS",
    "BrokenPage",
    "Corpus",
    "CorpusReader",
    "LabelledPage",
    "get_reader",
    "open_corpora",
    "open_corpus",
    "unique_corpora",
]
