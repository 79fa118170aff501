"""Character classes, for all scripts.

A table over the Basic Multilingual Plane is made from the Unicode database on first use (some milliseconds) and
indexed by whole arrays; code points beyond it are ideographs, emoji or letters by range.
"""

import unicodedata
from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

OTHER: Final = 0
SPACE: Final = 1
LETTER: Final = 2  #: letters without case, and marks
UPPER: Final = 3
LOWER: Final = 4
DIGIT: Final = 5
WIDE: Final = 6  #: ideographs, kana, hangul: written without spaces, each counts as a word
STOP: Final = 7  #: ends a sentence
COMMA: Final = 8  #: divides a sentence
PUNCTUATION: Final = 9
SYMBOL: Final = 10
CLASSES: Final = 11  #: the number of classes

#: Sentence ends of the scripts of the web: Latin, CJK, Arabic, Devanagari, Armenian, Ethiopic, Thai, Khmer …
_STOPS: Final = ".!?…。！？．؟۔।॥։።፧៕｡‼⁇⁈⁉⸮"
#: Commas, colons and semicolons of the same scripts.
_COMMAS: Final = ",;:，、；：،؛፣፤፥･､"
_BY_CATEGORY: Final = {
    **dict.fromkeys(("Lu", "Lt"), UPPER),
    "Ll": LOWER,
    **dict.fromkeys(("Lo", "Lm", "Mn", "Mc", "Me"), LETTER),
    **dict.fromkeys(("Nd", "Nl", "No"), DIGIT),
    **dict.fromkeys(("Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po"), PUNCTUATION),
    **dict.fromkeys(("Sm", "Sc", "Sk", "So"), SYMBOL),
    **dict.fromkeys(("Zs", "Zl", "Zp"), SPACE),
    **dict.fromkeys(("Cc", "Cf", "Cs", "Co", "Cn"), OTHER),
}
#: Inclusive ranges of the BMP that are written without spaces between words.
_WIDE_RANGES: Final = (
    (0x2E80, 0x2FDF), (0x3005, 0x3007), (0x3040, 0x30FF), (0x3100, 0x31FF), (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF), (0xAC00, 0xD7AF), (0xF900, 0xFAFF), (0xFF66, 0xFF9F),
)  # fmt: skip
_PRIVATE: Final = (0xD800, 0xF8FF)  #: surrogates, and what is for private use
CURRENCY_SIGNS: Final = "$£¥₹€"  #: of prices, each in class SYMBOL
BMP_SIZE: Final = 0x10000  #: the code points of the Basic Multilingual Plane
#: Beyond it: emoji, ideographs, and tags, which are invisible; the rest are letters.
EMOJI: Final = (0x1F000, 0x1FAFF)
IDEOGRAPHS: Final = 0x20000
TAGS: Final = 0xE0000


@cache
def bmp_classes() -> bytes:
    """Return the class of each code point of the Basic Multilingual Plane."""
    table = np.full(BMP_SIZE, WIDE, dtype=np.uint8)
    table[_PRIVATE[0] : _PRIVATE[1] + 1] = OTHER
    # These ranges are three quarters of the plane. The rest is looked up one by one, each time a program starts.
    start = 0
    for first, last in sorted((*_WIDE_RANGES, _PRIVATE, (BMP_SIZE, BMP_SIZE))):
        categories = map(unicodedata.category, map(chr, range(start, first)))
        table[start:first] = list(map(_BY_CATEGORY.__getitem__, categories))
        start = last + 1
    for space in "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f\x85":
        table[ord(space)] = SPACE
    for stop in _STOPS:
        table[ord(stop)] = STOP
    for comma in _COMMAS:
        table[ord(comma)] = COMMA
    return table.tobytes()


def classify(codes: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint8]:
    """Return the class of each code point.

    >>> classify(np.array([ord(c) for c in "Aé9 。漢"], dtype=np.uint32)).tolist()
    [3, 4, 5, 1, 7, 6]
    """
    table = np.frombuffer(bmp_classes(), dtype=np.uint8)
    if not len(codes) or int(codes.max()) < BMP_SIZE:
        return table[codes]
    out = table[np.minimum(codes, BMP_SIZE - 1)]
    out[codes >= BMP_SIZE] = LETTER
    out[(codes >= EMOJI[0]) & (codes <= EMOJI[1])] = SYMBOL
    out[codes >= IDEOGRAPHS] = WIDE
    out[codes >= TAGS] = OTHER
    return out
