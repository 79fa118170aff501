"""The protocol of extractors, their registry, and files of learned weights."""
