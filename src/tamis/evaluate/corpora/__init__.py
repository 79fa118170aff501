"""Labelled pages: readers for the layouts that corpora are published in."""

from tamis.evaluate.corpora.corpus import LAYOUTS, Corpus, layout_named, open_corpora, open_corpus
from tamis.evaluate.corpora.layout import Layout
from tamis.evaluate.corpora.page import BrokenPage, LabelledPage

__all__ = [
    "LAYOUTS",
    "BrokenPage",
    "Corpus",
    "LabelledPage",
    "Layout",
    "layout_named",
    "open_corpora",
    "open_corpus",
]
