"""The compiled core: every loop over the rows, characters and blocks of a page, in one extension.

Each file is plain Python and runs as it is; decorators have the C types (`shadow.py`). Import `core` from
`tamis._core.loader`.
"""
