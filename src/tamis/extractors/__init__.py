"""Methods that choose the content of a page: one paper, one file."""
