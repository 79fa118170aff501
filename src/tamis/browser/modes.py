"""Which pages a browser renders. The same three words in every command, in the service and in Python."""

from typing import Final, Literal, get_args

#: never: pages are read as they were served. auto: pages that show nothing or have low confidence, and that scripts
#: build, are rendered, and the better one of the two is kept. always: all pages are rendered.
RenderMode = Literal["never", "auto", "always"]
RENDER_MODES: Final[tuple[RenderMode, ...]] = get_args(RenderMode)
