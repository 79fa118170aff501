"""Detectors: what the rows of a page are, told from markup: notes, formulas, code, captions, tables, posts."""
