"""The laboratory: measuring extractors on labelled pages, and training. It imports the rest; nothing imports it."""
