"""Sift, the default extractor, whole: from a page to the blocks that are kept. Start at `extractor.py`."""
