"""Where pages come from: files, folders, standard input, URLs."""

from tamis.sources.files import Source, open_pages

__all__ = ["Source", "open_pages"]
