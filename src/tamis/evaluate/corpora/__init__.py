"""Corpora of labelled pages, and a reader for each format in which they are published."""

from tamis.evaluate.corpora.corpus import READERS, Corpus, get_reader, open_corpora, open_corpus, unique_corpora
from tamis.evaluate.corpora.page import BrokenPage, LabelledPage
from tamis.evaluate.corpora.reader import CorpusReader

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
