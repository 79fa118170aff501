"""The marks that browsers draw around a ``q`` element."""

from typing import Final

OPENING_QUOTE: Final = "\N{LEFT DOUBLE QUOTATION MARK}"
CLOSING_QUOTE: Final = "\N{RIGHT DOUBLE QUOTATION MARK}"
