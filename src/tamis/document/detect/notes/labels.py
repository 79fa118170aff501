"""What a reference reads: a number, a letter or a sign, with or without brackets."""

import re
import unicodedata
from typing import Final

_SIGNS: Final = "*†‡§¶‖#⁂✱∗"
_LABEL: Final = re.compile(
    r"(?:(?P<kind>notes?|footnotes?|endnotes?|fn|nb|n|ref)[ .\u00a0]{0,2})?"
    rf"(?P<number>\d{{1,4}}[a-z]?|[{_SIGNS}]{{1,4}})",
    re.IGNORECASE,
)
_LETTERS: Final = re.compile(r"[a-z]{1,2}|[ivxlc]{1,6}", re.IGNORECASE)
_WORD: Final = re.compile(r"[\w.:+-]{1,16}")
_BRACKETS: Final = "[](){}〔〕［］（）"
_MAX_CHARS: Final = 24
_AROUND: Final = re.compile(r"[\s,;–\[\]()-]{0,8}")

#: A mark at the beginning of a line: in brackets, with a point or bracket behind it, or as it is.
LINE_MARK: Final = re.compile(
    rf"\s{{0,20}}(?:\[\s?(?P<bracketed>[^\[\]\s]{{1,6}})\s?\][.:]?|\((?P<rounded>\d{{1,4}}|[a-z])\)"
    rf"|(?P<pointed>\d{{1,4}})[.):](?=\s|\D)|(?P<raised>[\u00b9\u00b2\u00b3\u2070-\u2079]{{1,4}})"
    rf"|(?P<sign>[{_SIGNS}]{{1,4}})|(?P<bare>\d{{1,4}})(?=\s|$|[^\d.,:%/-]))\s{{0,20}}"
)


def parse_label(text: str, *, any_word: bool = False) -> str:
    """Return the label that the text of a reference is; ``""`` if it is none.

    With `any_word`, a short word counts too: some references have names.

    >>> [parse_label(text) for text in ("1", "[12]", "(b)", "¹", "*", "note 3", "iv", "Usage", "2004-05")]
    ['1', '12', 'b', '1', '*', 'note3', 'iv', '', '']
    """
    if len(text) > 2 * _MAX_CHARS:
        return ""
    core = " ".join(text.split())
    if len(core) > _MAX_CHARS:
        return ""
    in_brackets = core[:1] in "[(（［〔" and core[-1:] in "])）］〕"
    core = core.strip(_BRACKETS).rstrip(".,:;)").strip()
    core = unicodedata.normalize("NFKC", core) if not core.isascii() and core not in _SIGNS else core
    match = _LABEL.fullmatch(core)
    if match:
        kind = (match["kind"] or "").lower()
        return kind + match["number"]
    if _LETTERS.fullmatch(core) and (in_brackets or len(core) == 1 or core.islower()):
        return core
    return core if any_word and _WORD.fullmatch(core) else ""


def line_label(text: str, position: int) -> tuple[str, int, bool] | None:
    """Return the label at the beginning of a line, the position behind it, and whether its form is that of a note.

    >>> line_label("[2] See below.", 0), line_label("3. Third", 0), line_label("Tea", 0)
    (('2', 4, True), ('3', 3, False), None)
    """
    match = LINE_MARK.match(text, position, position + 48)
    if match is None:
        return None
    strong = match["bracketed"] or match["raised"] or match["sign"]
    label = strong or match["rounded"] or match["pointed"] or match["bare"]
    label = unicodedata.normalize("NFKC", label) if match["raised"] else label
    if match["bracketed"] and not parse_label(f"[{label}]"):
        return None
    return label, match.end(), bool(strong)


def is_around_references(text: str) -> bool:
    """Tell whether a text has nothing but what is around references and between them.

    >>> is_around_references("[, "), is_around_references("see")
    (True, False)
    """
    return _AROUND.fullmatch(text) is not None
