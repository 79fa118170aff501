"""The reader: a page to read for people, its routes, its settings, dates and formulas as they are drawn."""
