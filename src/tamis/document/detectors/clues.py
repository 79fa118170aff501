r"""Tell quickly what selected text cannot have: code, formulas, notes, protected addresses.

The detectors of this package look at the whole page and take longer than the selection itself. Most pages have
nothing for them, and a look at the tags, classes and characters in and around the selected text shows it. A clue is
necessary, not sufficient: where it is missing, the detector finds nothing that changes the words of the text.
"""

import re
from dataclasses import dataclass
from typing import Final

import numpy as np

from tamis._core.enums import Clue
from tamis._core.loader import core
from tamis.document.detectors.anchors import ANCHOR_PARTS
from tamis.document.detectors.code import EDITOR_PARTS
from tamis.document.detectors.formulas.signs import (
    CLASS_PARTS,
    CLASS_WORDS,
    TAG_WORDS,
    TEX_ATTRIBUTES,
    URL_WORDS,
    is_tex_name,
)
from tamis.document.detectors.gutters import CODE_BOX, CODE_CLASS, CODE_TAGS, NUMBER_CLASSES, consecutive_numbers
from tamis.document.detectors.notes.embedded import ID_ATTRIBUTE, NOTE_CLASS, NOTE_TAGS, TEXT_ATTRIBUTES
from tamis.document.detectors.notes.model import Names, parse_label
from tamis.html import characters, tags
from tamis.html.text import ANCHOR_SIGNS
from tamis.page import Page
from tamis.page.sums import Bools


def _flags() -> bytes:
    out = bytearray(len(tags.NAMES))
    for names, flag in (
        ("a sup", Clue.AROUND_LISTED),
        ("math", Clue.REPORTED | Clue.MATH),
        ("img script", Clue.LISTED),
        # Elements without text whose class says nothing about code, formulas and notes.
        ("br hr wbr script style link meta source track input option param col svg", Clue.UNNAMED),
    ):
        for name in names.split():
            out[tags.IDS[name]] |= flag
    out[tags.OTHER] |= Clue.LISTED
    for tag in np.flatnonzero(CODE_TAGS):
        out[tag] |= Clue.REPORTED | Clue.CODE
    return bytes(out)


_FLAGS: Final = _flags()
_SCRIPT, _IMG, _SUP = tags.IDS["script"], tags.IDS["img"], tags.IDS["sup"]
_FORMULA_ATTRIBUTES: Final = frozenset({*TEX_ATTRIBUTES, "data-math-style"})
_NOTE_ATTRIBUTES: Final = frozenset({*TEXT_ATTRIBUTES, ID_ATTRIBUTE})
_EMAIL_ATTRIBUTE: Final = "data-cfemail"
#: One pass of the parser looks for all attributes with which formulas, notes and addresses are written.
_MARKED: Final = ",".join(f"[{name}]" for name in (*_FORMULA_ATTRIBUTES, *_NOTE_ATTRIBUTES, _EMAIL_ATTRIBUTE))
_MAX_MARKED: Final = 50  #: elements whose attributes are read; where there are more, each may be on the page
_FORMULA_PARTS: Final = tuple({part.lower() for part in CLASS_PARTS})
_NOTE_PARTS: Final = ("note", "fn", "refbody")
_UNFOLDED_PARTS: Final = ("footnote", "sidenote", "marginnote")  #: of notes that a box to tick shows
_DOLLAR: Final = re.compile(r"\$")
_TEX_SIGN: Final = re.compile(r"[\\^_={}+<>]")
_MAX_WORDS: Final = 3  #: between dollars, without a sign of TeX
_MAX_REFERENCE: Final = 60  #: characters of a link that refers to a note
_MIN_NUMBERS: Final = 3  #: of a column of line numbers


@dataclass(frozen=True, slots=True)
class Clues:
    """What selected text may have: code, formulas, notes, protected addresses, links that lead to its headings."""

    code: bool = False
    formulas: bool = False
    notes: bool = False
    emails: bool = False
    anchors: bool = False


def find_clues(page: Page, mask: Bools) -> Clues:
    r"""Return what selected text may have.

    >>> from tamis.page import parse_page
    >>> page = parse_page(r"<nav><code>x</code></nav><p>Tea for $5 or \(x\).</p>")
    >>> find_clues(page, page.is_text & (page.nonspace > 1))
    Clues(code=False, formulas=True, notes=False, emails=False, anchors=False)
    """
    return _Finder(page, mask).find() if len(page.blocks) and mask.any() else Clues()


class _Finder:
    """The tags, classes and text in and around the selected rows."""

    def __init__(self, page: Page, mask: Bools) -> None:
        self.page, self.mask = page, mask
        flags = mask.view(np.uint8)
        selected = flags.tobytes()
        self.start, self.stop = start, stop = _neighbourhood(page, selected.find(1), selected.rfind(1))
        ids, names = page.text_classes
        self.seen, numbers, without_text, around, listed = core.clue_rows(
            page.columns, flags, start, stop, len(names), _FLAGS
        )
        self.above: list[int] = []  # the ancestors of the first row
        row = int(page.parent[start])
        while row > 0:
            self.above.append(row)
            row = int(page.parent[row])
        if CODE_TAGS[page.tag[self.above]].any():
            self.seen |= Clue.CODE
        numbers += ids[self.above].tolist()
        classes = {names[number - 1] for number in numbers if number}
        classes.update(page.attribute_values(without_text, "class"))
        self.classes = " ".join(classes)
        tag = page.tag.tobytes()  # reading a number from bytes is much faster than from an array
        self.raised = [row for row in around if tag[row] == _SUP]
        self.links = [row for row in around if tag[row] != _SUP]
        self.listed = [(row, tag[row]) for row in listed]
        custom = [row for row in (*listed, *self.above) if tag[row] == tags.OTHER]
        self.custom = {page.tag_name(row) for row in custom}
        self.text = page.text[page.offset[start] : page.offset[stop]]

    def find(self) -> Clues:
        marked = self._marked()
        classes = self.classes.lower()
        return Clues(
            code=bool(self.seen & Clue.CODE) or self._may_have_code(),
            formulas=not marked.isdisjoint(_FORMULA_ATTRIBUTES) or self._may_have_formulas(classes),
            notes=not marked.isdisjoint(_NOTE_ATTRIBUTES) or self._may_have_notes(classes),
            emails=_EMAIL_ATTRIBUTE in marked,
            anchors=any(part in classes for part in ANCHOR_PARTS),
        )

    def _marked(self) -> frozenset[str]:
        """Return the attributes of formulas, notes and addresses that the page has."""
        around = next((row for row in self.above if self.page.end[row] >= self.stop), 0)
        elements = self.page.elements(_MARKED, around)
        if len(elements) > _MAX_MARKED:
            return frozenset({*_FORMULA_ATTRIBUTES, *_NOTE_ATTRIBUTES, _EMAIL_ATTRIBUTE})
        return frozenset(name for element in elements for name in element.attrs)

    def _may_have_code(self) -> bool:
        """Tell whether there is an editor, or selected rows are line numbers: consecutive, or named so."""
        page = self.page
        if any(part in self.classes for part in EDITOR_PARTS) or CODE_BOX.search(self.classes):
            return True
        counts = page.char_counts
        rows = np.flatnonzero((counts.first_class == characters.DIGIT) & self.mask)
        is_named = not NUMBER_CLASSES.isdisjoint(self.classes.split())
        if not len(rows) or (len(rows) < _MIN_NUMBERS and not is_named and not counts.words[rows].max() > 1):
            return False
        # Every word is digits, with one sign behind it at most.
        rows = rows[counts.by_class[rows, characters.DIGIT] + counts.words[rows] >= counts.nonspace[rows]]
        numbers = consecutive_numbers(page, rows.tolist())
        if not numbers:
            return False
        longest = count = 0
        expected = -1
        for first, last in numbers.values():
            count = (count if first == expected else 0) + last - first + 1
            expected = last + 1
            longest = max(longest, count)
        if longest < _MIN_NUMBERS and not is_named:
            return False
        return bool(CODE_TAGS[page.tag].any()) or CODE_CLASS.search(" ".join(page.text_classes[1])) is not None

    def _may_have_formulas(self, classes: str) -> bool:  # noqa: PLR0911 (one return per sign)
        page = self.page
        if any(sign in self.text for sign in ("\\", "`", "tex]")) or self._may_have_dollar_formulas():
            return True
        if self.seen & Clue.MATH or any(part in classes for part in _FORMULA_PARTS):
            return True
        if not CLASS_WORDS.isdisjoint(classes.split()):
            return True
        types = page.attribute_values([row for row, tag in self.listed if tag == _SCRIPT], "type")
        if any(script_type.startswith("math/") for script_type in types):
            return True
        images = page.attribute_values([row for row, tag in self.listed if tag == _IMG], "src")
        urls = "\n".join(url for url in images if not url.startswith("data:"))
        if any(word in urls for word in URL_WORDS):
            return True
        names = page.attribute_values([row for row, tag in self.listed if tag == _IMG], "alt")
        if any(map(is_tex_name, names)):
            return True
        return any(name.startswith(TAG_WORDS) for name in self.custom)

    def _may_have_dollar_formulas(self) -> bool:
        """Tell whether text between two dollars of one line may be a formula, and no price."""
        page, text = self.page, self.text
        if "$" not in text:
            return False
        places = [match.start() for match in _DOLLAR.finditer(text)]
        rows = np.searchsorted(page.offset, np.array(places) + page.offset[self.start], side="right") - 1
        lines = page.inline_run[rows].tolist()
        for k, place in enumerate(places[1:]):
            if lines[k] == lines[k + 1]:
                content = text[places[k] + 1 : place]
                if not content or _TEX_SIGN.search(content):
                    return True
                if not content[0].isdigit() and len(content.split()) <= _MAX_WORDS:
                    return True
        return False

    def _may_have_notes(self, classes: str) -> bool:
        """Tell whether there is an element named as a note, a raised number, or a link that may refer to a note."""
        if "[1]" in self.text or "¹" in self.text:
            return True
        if any(map(self._may_refer, self.page.fragment_links(self.links))):
            return True
        labels = (parse_label(self.page.row_text(row)) for row in self.raised)
        if any(label and not label.isalpha() for label in labels):  # letters are references only in links
            return True
        if not NOTE_TAGS.isdisjoint(self.custom):
            return True
        if self.page.tag_count("input") and any(part in classes for part in _UNFOLDED_PARTS):
            return True
        words = self.classes.split() if any(part in classes for part in _NOTE_PARTS) else ()
        return any(NOTE_CLASS.fullmatch(word) for word in words)

    def _may_refer(self, row: int) -> bool:
        """Tell whether a link with a fragment may be a reference to a note: it is short, and no sign at a heading."""
        page = self.page
        if page.offset[page.end[row]] - page.offset[row] > _MAX_REFERENCE:
            return False
        text = page.row_text(row)
        if page.pre[row] or text.strip() in ANCHOR_SIGNS:  # the number of a line, a link to a heading
            return False
        any_word = text[:1] == "[" or Names(page).is_reference(row)
        return bool(parse_label(text) or (parse_label(text, any_word=True) and any_word))


def _neighbourhood(page: Page, first: int, last: int) -> tuple[int, int]:
    """Return the rows from the first to the last selected one, and on to the text that is nearest on both sides."""
    shown, run = page.blocks.rows, page.inline_run
    before, after = np.searchsorted(shown, (first, last + 1))
    start = int(shown[before - 1]) + 1 if before else 0
    stop = int(shown[after]) if after < len(shown) else len(page)
    # A formula may be in the line of the first or last row, beside text that is not selected.
    line_start, line_stop = np.searchsorted(run, run[first], "left"), np.searchsorted(run, run[last], "right")
    return min(start, int(line_start)), max(stop, int(line_stop))
