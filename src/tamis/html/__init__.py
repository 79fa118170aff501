"""Facts about HTML and Unicode that every layer reads: tags, character classes, URLs."""
