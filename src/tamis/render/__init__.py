"""From a selection to something to read. Rendering never changes what was selected."""
