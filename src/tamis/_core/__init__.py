"""The compiled core: every loop over the rows, characters and blocks of a page, in one extension.

Each file is plain Python and runs as it is; the `.pxd` beside it has the C types. Import `core` from
`tamis._core.loader`.
"""
