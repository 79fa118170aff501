"""Methods that select the main content of a page: one paper, one file."""
