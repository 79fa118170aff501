"""Training: labelled pages in, weights files out. Extraction does not need this package."""
