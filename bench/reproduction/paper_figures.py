"""What the papers print, in percent."""

from typing import Final

NEWS_ROWS: Final = ("news/2005", "news/2009", "news/2013")

#: LCS F1 by corpus, where the paper measured the same kind of page. Song's news are NYTimes, Yahoo! and BBC; Yu's are
#: The Economist, and for Chinese Sina, Global, Sohu and Firefox News; Prasad's figure is text-based, not LCS.
F1: Final[dict[str, dict[str, str]]] = {
    "cetd": {"cleaneval/final": "93.7", **dict.fromkeys(NEWS_ROWS, "84.5–97.1")},
    "cectd": {"cleaneval/final": "96.5", **dict.fromkeys(NEWS_ROWS, "89.0–98.9")},
    "cectd-s": {"cleaneval/final": "91.5", **dict.fromkeys(NEWS_ROWS, "86.4–96.6")},
    "cehtd": {"cleaneval/final": "94.5", **dict.fromkeys(NEWS_ROWS, "90.3–97.8")},
    "ceds": {"chinese": "97.5–98.5", **dict.fromkeys(NEWS_ROWS, "97.0")},
    "coreex": dict.fromkeys(NEWS_ROWS, "97.9"),
}
#: Song 2015, tables 5 to 7: precision, recall and F1 on CleanEval.
SONG: Final = {
    "bte": (88.87, 95.83, 92.22),
    "ccb": (80.61, 92.71, 86.24),
    "dsc": (91.94, 62.01, 74.07),
    "fe": (73.87, 9.97, 17.56),
    "kfe": (79.28, 69.61, 74.13),
    "lqf": (88.60, 94.02, 91.23),
    "cetr": (91.26, 86.08, 88.59),
    "cetd": (92.96, 94.52, 93.73),
    "cectd-s": (90.35, 92.60, 91.46),
    "cectd": (95.87, 97.15, 96.51),
    "cehtd": (94.97, 94.07, 94.52),
}
#: Yu 2017, table II: F1.
YU: Final = {"fe": 66.47, "ccb": 85.57, "cetr": 90.22, "cetd": 94.53, "ceds": 98.21}
#: Prasad 2008, table 1: text-based precision, recall, F1.
PRASAD: Final = {
    "coreex-r1": ("R1 basic scoring", 83.87, 2.71, 5.3),
    "coreex-r2": ("R2 weighted scoring", 95.62, 90.88, 93.2),
    "coreex-r3": ("R3 + subset selection", 97.76, 91.83, 94.7),
    "coreex-r4": ("R4 + ignoring forms", 97.83, 95.41, 96.6),
    "coreex-r5": ("R5 + removing scripts", 97.15, 98.62, 97.9),
    "coreex-r6": ("R6 + XHTML", 96.85, 98.68, 97.8),
}
#: Liu 2017, totals of tables 2 and 3: accurate, acceptable (accurate ones included) and wrong pages of 976.
LIU: Final = {"nodechar": (84.3, 96.4, 3.6), "vips-leaf": (83.3, 94.4, 5.6)}
#: Bing 2008, section 5: share of pages whose sentence F is above 0.9, and above 0.8, for U1, U2 and U4.
BING: Final = ("90 / 86 / 90.5", "92.6 / 92.4 / –")
