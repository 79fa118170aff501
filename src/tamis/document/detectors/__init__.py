"""Detectors: find footnotes, formulas, code, captions, data tables, posts and comments in the markup of a page.

They read the columns of a page and know the document model, but not the builder that uses them.
"""
