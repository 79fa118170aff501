"""Notes: references in the text, the notes that they refer to, and the links and marks that lead back.

`find_notes` finds notes that are linked to (`linked`), notes that only share a number with their reference
(`unlinked`), and notes inside the text: side notes, hidden notes and ``data-`` attributes (`embedded`).
"""
