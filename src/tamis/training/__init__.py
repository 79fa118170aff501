"""Training: labelled pages in, weight files out. Nothing here is needed to extract."""
