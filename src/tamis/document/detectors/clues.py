r"""Tell quickly what selected text cannot have: code, formulas, notes, protected addresses.

The detectors of this package look at the whole page and take longer than the selection itself. Most pages have
nothing for them, and a look at the tags, classes and characters in and around the selected text shows it. A clue is
necessary, not sufficient: where it is missing, the detector finds nothing that changes the words of the text.
"""

from typing import Final, NamedTuple

import numpy as np

from tamis._core.enums import Clue
from tamis._core.loader import core
from tamis.document.detectors.anchors import ANCHOR_PARTS
from tamis.document.detectors.code import EDITOR_PARTS
from tamis.document.detectors.formulas.signs import (
    CLASS_PARTS,
    CLASS_WORDS,
    TAG_WORDS,
    URL_WORDS,
    is_tex_name,
)
from tamis.document.detectors.gutters import CODE_BOX, CODE_CLASS, CODE_TAGS, NUMBER_CLASSES, consecutive_numbers
from tamis.document.detectors.notes.embedded import NOTE_CLASS, NOTE_TAGS
from tamis.document.detectors.notes.model import Names, parse_label
from tamis.html import tags
from tamis.html.attributes import EMAIL_ATTRIBUTE, KINDS, NOTE_ID_ATTRIBUTE, NOTE_TEXT_ATTRIBUTES, TEX_ATTRIBUTES
from tamis.html.text import ANCHOR_SIGNS
from tamis.lazy import lazy_pattern
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
_EMAIL_KIND: Final = KINDS[EMAIL_ATTRIBUTE]
_FORMULA_KINDS: Final = frozenset(KINDS[name] for name in (*TEX_ATTRIBUTES, "data-math-style"))
_NOTE_KINDS: Final = frozenset(KINDS[name] for name in (*NOTE_TEXT_ATTRIBUTES, NOTE_ID_ATTRIBUTE))
# Parts of classes, a bit for each group: all are searched for at once.
_CODE_PART, _NUMBER_PART, _FORMULA_PART, _FORMULA_WORD, _NOTE_PART, _UNFOLDED_PART, _ANCHOR_PART = (
    1 << bit for bit in range(7)
)
_PARTS: Final = core.Parts(
    {
        # Each name of a code box contains one of these.
        _CODE_PART: (*map(str.lower, EDITOR_PARTS), "code", "highlight", "hljs", "prettyprint", "shiki", "chroma",
                     "programlisting", "monaco", "listing"),
        _NUMBER_PART: [f" {name.lower()}" for name in NUMBER_CLASSES],
        _FORMULA_PART: {part.lower() for part in CLASS_PARTS},
        _FORMULA_WORD: [f" {name}" for name in CLASS_WORDS],
        _NOTE_PART: ("note", "fn", "refbody"),
        _UNFOLDED_PART: ("footnote", "sidenote", "marginnote"),  # notes that a box to tick shows
        _ANCHOR_PART: ANCHOR_PARTS,
    }
)  # fmt: skip
_DOLLAR: Final = lazy_pattern(r"\$")
_TEX_SIGN: Final = lazy_pattern(r"[\\^_={}+<>]")
_MAX_WORDS: Final = 3  #: between dollars, without a sign of TeX
_MAX_REFERENCE: Final = 60  #: characters of a link that refers to a note
_MIN_NUMBERS: Final = 3  #: of a column of line numbers


class Clues(NamedTuple):
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
    if not len(page.blocks):
        return Clues()
    return page.once("clues", mask, lambda: _Finder(page, mask).find() if mask.any() else Clues())


class _Finder:
    """The tags, classes and text in and around the selected rows."""

    def __init__(self, page: Page, mask: Bools) -> None:
        self.page, self.mask = page, mask
        classes = page.classes
        self.start, self.stop, self.seen, numbers, around, listed, self.above = core.clue_rows(
            page.columns, page.class_column, mask.view(np.uint8), len(classes), _FLAGS
        )
        start, stop = self.start, self.stop
        found = [classes[number - 1] for number in numbers]
        self.parts, self.parts_of = core.part_bits(found, _PARTS)
        self.names = found
        self.classes = " ".join(found) if self.parts else ""
        tag = page.tag.tobytes()  # reading a number from bytes is much faster than from an array
        self.raised = [row for row in around if tag[row] == _SUP]
        self.links = [row for row in around if tag[row] != _SUP] if self.raised else around
        self.scripts = [row for row in listed if tag[row] == _SCRIPT]
        self.images = [row for row in listed if tag[row] == _IMG]
        custom = [row for row in (*listed, *self.above) if tag[row] == tags.OTHER]
        self.custom = {page.tag_name(row) for row in custom}
        self.text = page.text[page.offset[start] : page.offset[stop]]

    def find(self) -> Clues:
        marked = self._marked()
        classes = self.classes.lower()
        return Clues(
            code=bool(self.seen & Clue.CODE) or self._may_have_code(),
            formulas=not marked.isdisjoint(_FORMULA_KINDS) or self._may_have_formulas(classes),
            notes=not marked.isdisjoint(_NOTE_KINDS) or self._may_have_notes(),
            emails=_EMAIL_KIND in marked,
            anchors=bool(self.parts & _ANCHOR_PART),
        )

    def _marked(self) -> set[int]:
        """Return the kinds of the attributes of formulas, notes and addresses in the element around the rows."""
        rows, kinds, _ = self.page.listed
        if not kinds or max(kinds) < _EMAIL_KIND:  # those that are looked for are the last
            return set()
        around = next((row for row in self.above if self.page.end[row] >= self.stop), 0)
        stop = self.page.end[around]
        return {kind for row, kind in zip(rows, kinds, strict=True) if around < row < stop and kind >= _EMAIL_KIND}

    def _may_have_code(self) -> bool:
        """Tell whether there is an editor, or selected rows are line numbers: consecutive, or named so."""
        page = self.page
        if self.parts & _CODE_PART:
            names = zip(self.names, self.parts_of, strict=True)
            code_names = " ".join([name for name, parts in names if parts & _CODE_PART])
            if any(part in code_names for part in EDITOR_PARTS) or CODE_BOX.search(code_names):
                return True
        rows = core.number_rows(page.columns, self.mask.view(np.uint8), 1)  # one sign behind each
        is_named = bool(self.parts & _NUMBER_PART) and not NUMBER_CLASSES.isdisjoint(self.classes.split())
        if not rows or (len(rows) < _MIN_NUMBERS and not is_named and not page.words[rows].max() > 1):
            return False
        numbers = consecutive_numbers(page, rows)
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
        page, text = self.page, self.text
        # One sign is found many times faster than several.
        if "\\" in text or "`" in text or ("]" in text and "tex]" in text) or self._may_have_dollar_formulas():
            return True
        if self.seen & Clue.MATH or self.parts & _FORMULA_PART:
            return True
        if self.parts & _FORMULA_WORD and not CLASS_WORDS.isdisjoint(classes.split()):
            return True
        types = page.attribute_values(self.scripts, "type")
        if any(script_type.startswith("math/") for script_type in types):
            return True
        images = page.attribute_table(self.images, ("src", "alt"))
        urls = "\n".join([url for url, _ in images if url and not url.startswith("data:")])
        if any(word in urls for word in URL_WORDS):
            return True
        if any(name is not None and "\\" in name and is_tex_name(name) for _, name in images):
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

    def _may_have_notes(self) -> bool:
        """Tell whether there is an element named as a note, a raised number, or a link that may refer to a note."""
        if ("[" in self.text and "[1]" in self.text) or "¹" in self.text:
            return True
        if any(map(self._may_refer, self.page.fragment_links(self.links))):
            return True
        labels = (parse_label(self.page.row_text(row)) for row in self.raised)
        if any(label and not label.isalpha() for label in labels):  # letters are references only in links
            return True
        if not NOTE_TAGS.isdisjoint(self.custom):
            return True
        if self.page.tag_count("input") and self.parts & _UNFOLDED_PART:
            return True
        words = self.classes.split() if self.parts & _NOTE_PART else ()
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
