"""What the columns and the loops number: declared here once, used by compiled and by Python code."""

from enum import IntEnum, IntFlag
from typing import Final

#: The types of rows.
OTHER: Final = 0  #: the document, a comment, a doctype, a template's fragment
ELEMENT: Final = 1
TEXT: Final = 2


class Hidden(IntFlag):
    """Why a row is not shown to a reader."""

    ATTRIBUTE = 1  #: the ``hidden`` attribute
    ARIA = 2  #: ``aria-hidden="true"``
    DISPLAY = 4  #: ``display: none`` in its style attribute
    VISIBILITY = 8  #: ``visibility: hidden`` in its style attribute
    ELEMENT = 16  #: an element that is not rendered: ``template``, ``noscript``, ``head`` …
    EXCLUDED = 32  #: left out by the caller, see `tamis.page.selectors`


class Boilerplate(IntFlag):
    """On which condition an element is evident boilerplate. `ALWAYS` and `IF_NOTICE` also hold in content."""

    IF_LINKS = 1  #: it consists of short links
    IF_SHORT = 2  #: it has few words
    ALWAYS = 4
    IF_LIST = 8  #: it is a list of short links
    IF_NOTICE = 16  #: it is as short as a notice
    CONTENT = 32  #: it is content: conditions do not hold in it


class Clue(IntFlag):
    """What is done with the elements of a tag, where one looks for clues of code, formulas and notes."""

    REPORTED = 1  #: its flags are reported
    AROUND_LISTED = 4  #: its rows are listed where they contain a selected row
    LISTED = 8  #: its rows are listed
    UNNAMED = 16  #: its class, and all it contains, is left out where it has no blocks
    CODE = 32
    MATH = 64


class Reason(IntEnum):
    """Why the default extractor keeps a row or leaves it out."""

    UNLIKELY = 0
    CONTENT = 1
    COMMENT = 2
    KEPT = 3  #: by an option
    DROPPED = 4  #: by an option
    BOILERPLATE = 5  #: evident boilerplate, which the networks do not see
    RULE = 6


#: FNV-1a of 64 bits (Fowler, Noll and Vo): the offset basis and the prime.
SEED: Final = 0xCBF29CE484222325
PRIME: Final = 0x100000001B3
MASK_64: Final = 0xFFFFFFFFFFFFFFFF  #: Python integers do not overflow: keep 64 bits
#: Knuth's multiplicative hashing, which spreads keys over a table: multipliers for 64 and for 32 bits.
MIX: Final = 0x9E3779B97F4A7C15
MIX_32: Final = 0x9E3779B1
