"""`Notes`: what was found, and what references and notes are called, look like and stand in."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import field
from typing import Final, NamedTuple

import numpy as np

from tamis.html import tags
from tamis.lazy import dataclass, lazy_pattern
from tamis.page import Page
from tamis.page.sums import Bools

# `Notes`: what was found, by rows of the page.


class NoteRange(NamedTuple):
    """A note: its label, and the row after it. It begins at an element, or at a line of a paragraph."""

    label: str
    stop: int


class TextMark(NamedTuple):
    """A reference, or the mark at the beginning of a note, in a text row: its range in `Page.text` and its label.

    A mark without a label is left out.
    """

    start: int
    stop: int
    label: str


@dataclass(slots=True)
class Notes:
    """The notes of the content.

    Attributes:
        references: labels by the row of an element that is a reference.
        text_references: references in text rows.
        references_after: labels by the row before which a reference follows a phrase with a note.
        notes: the notes below the text, by the row where each begins.
        embedded: labels by the row of an element in the text whose content is a note.
        defined: labels and texts by the row of an element that has its note as an attribute.
        cited: labels by the URL that citations lead to, and the row of the first of each.
        backlinks: labels by the row of a link from a note to its reference.
        marks: the number or sign at the beginning of a note, by text row.
        dropped: elements that only open or close a note, and headings with nothing but notes below them.
        rules: ``hr`` elements directly above notes.
    """

    references: dict[int, str] = field(default_factory=dict)
    text_references: dict[int, list[TextMark]] = field(default_factory=dict)
    references_after: dict[int, str] = field(default_factory=dict)
    notes: dict[int, NoteRange] = field(default_factory=dict)
    embedded: dict[int, str] = field(default_factory=dict)
    defined: dict[int, tuple[str, str]] = field(default_factory=dict)
    cited: dict[str, tuple[str, int]] = field(default_factory=dict)
    backlinks: dict[int, str] = field(default_factory=dict)
    marks: dict[int, list[TextMark]] = field(default_factory=dict)
    dropped: set[int] = field(default_factory=set)
    rules: set[int] = field(default_factory=set)

    def __bool__(self) -> bool:
        return bool(self.notes or self.embedded or self.defined or self.cited)

    def kept_with(self, page: Page, mask: Bools) -> Bools:
        """Return the selected rows and the notes that they refer to."""
        if not self.notes:
            return mask
        out = mask.copy()
        for row, note in self.notes.items():
            out[row : note.stop] |= page.shown[row : note.stop]
        return out

    def unselected(self, page: Page, mask: Bools) -> frozenset[int]:
        """Return the rows of the notes of which less than half is selected, such as the number alone."""
        out = []
        for row, note in self.notes.items():
            chars, shown = page.nonspace[row : note.stop], page.shown[row : note.stop]
            if 2 * int((chars * (mask[row : note.stop] & shown)).sum()) < int((chars * shown).sum()):
                out.append(row)
        return frozenset(out)


class Labels:
    """Gives each note a label that no other note has. Chapters may each number their notes from one."""

    def __init__(self, used: Iterable[str] = ()) -> None:
        self._used: set[str] = set(used)
        self._next: dict[str, int] = {}

    def new(self, wanted: str) -> str:
        """Return the wanted label, or the wanted label with a number. Linear however often one label is wanted.

        >>> labels = Labels()
        >>> labels.new("1"), labels.new("1"), labels.new("1")
        ('1', '1-2', '1-3')
        """
        label, number = wanted, self._next.get(wanted, 2)
        while label in self._used:
            label, number = f"{wanted}-{number}", number + 1
        self._next[wanted] = number
        self._used.add(label)
        return label

    def free_number(self) -> str:
        """Return the next number that is not a label yet, for a note without one."""
        number = self._next.get("", 1)
        while str(number) in self._used:
            number += 1
        self._next[""] = number + 1
        self._used.add(str(number))
        return str(number)


# Names that pages give to references, notes and the links back: classes, ids, roles, fragments.

#: Names of notes, on the note or on an element around it.
_NOTE: Final = lazy_pattern(
    r"(?:foot|end|side|margin)-?_?notes?|doc-(?:foot|end)notes?|doc-biblio|\bfns?\b|\breferences?\b|\breflist\b|cite_note"
    r"|\bbibliograph|\bbiblist\b|\bbibitem\b|\bnotes?(?:list|section|text)?\b|\b_?ftn\d|\b_?edn\d|sd(?:foot|end)note"
    r"|\bcitations?(?:list)?\b|references__|MsoFootnoteText|MsoEndnoteText",
    re.IGNORECASE,
)
#: Names of references, on the link or on an element directly around it.
_REFERENCE: Final = lazy_pattern(
    r"doc-noteref|doc-biblioref|noteref|note-?_?ref|foot-?_?note|end-?_?note|side-?_?note|\bfn(?:ref)?\b|fnref|citation"
    r"|biblioref|ltx_cite|xref-bibr|\bbibr?\b|cite_ref|\bref-?link\b|MsoFootnoteReference|MsoEndnoteReference",
    re.IGNORECASE,
)
#: Names of links that lead back.
_BACK: Final = lazy_pattern(
    r"back-?_?(?:ref|link|arrow)|doc-backlink|reversefootnote|footnote-?_?(?:back|return)|to-top|mw-cite-backlink"
    r"|return-?_?link|footnotes__back|data-footnote-backref|\btoc",
    re.IGNORECASE,
)
#: Fragments that name a note.
_FRAGMENT: Final = lazy_pattern(
    r"(?:user-content-)?(?:_?ftn|_?edn|fn|foot-?_?notes?|end-?_?notes?|sn|en|notes?|n|cite_?note|sdfootnote|sdendnote|easy-footnote"
    r"|bib|b|cit|cite|citation|ref|reference|r|cr|source|f)[-_:.]{0,3}(?:[a-z]{0,12}[-_:.]{0,2}\d|[-\w:.%]{1,40}$)",
    re.IGNORECASE,
)
#: Fragments of references, which links in notes lead to.
_BACK_FRAGMENT: Final = lazy_pattern(
    r"(?:user-content-)?(?:fn|_?ftn|_?edn|foot-?_?note|end-?_?note|note|cite_?)-?_?(?:ref|anchor|back)", re.IGNORECASE
)
_ARROWS: Final = frozenset("↩↑^⤴↵⏎⬆🔝▲←")
_ATTRIBUTES: Final = ("class", "role", "id", "rel", "epub:type", "data-component-name", "data-type")
_MAX_NAME_CHARS: Final = 400  #: of the names of one element that are read


class Names:
    """Reads the names of elements; each element is read once."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._read: dict[int, str] = {}
        self._is_note: dict[int, bool] = {}

    def of(self, row: int) -> str:
        """Return the class, role, id and similar names of an element, as one short text."""
        names = self._read.get(row)
        if names is None:
            attributes = self.page.attributes(row)
            names = " ".join(attributes.get(name, "")[:_MAX_NAME_CHARS] for name in _ATTRIBUTES)
            if any(name.startswith("data-footnote") for name in attributes):
                names += " " + " ".join(name for name in attributes if name.startswith("data-footnote"))
            self._read[row] = names
        return names

    def is_note(self, row: int, levels: int = 3) -> bool:
        """Tell whether an element or one around it is named as notes are."""
        around = (row, *self.page.ancestors(row, levels - 1)) if row > self.page.body else ()
        return any(map(self._is_named, around))

    def _is_named(self, row: int) -> bool:
        named = self._is_note.get(row)
        if named is None:
            named = self._is_note[row] = _NOTE.search(self.of(row)) is not None
        return named

    def is_reference(self, row: int) -> bool:
        """Tell whether a link, or an element directly around it, is named as references are."""
        page = self.page
        around = int(page.parent[row])
        names = self.of(row)
        if page.tag_name(around) in {"sup", "span", "cite", "small"}:
            names += " " + self.of(around)
        return _REFERENCE.search(names) is not None

    def is_back(self, row: int) -> bool:
        """Tell whether a link is named, or reads, as one that leads back."""
        page = self.page
        text = page.row_text(row).strip() if page.offset[page.end[row]] - page.offset[row] < _MAX_NAME_CHARS else ""
        if text[:1] in _ARROWS:
            return True
        if "footref" in self.of(row):  # Org gives references the role of links back
            return False
        return _BACK.search(self.of(row)) is not None or _BACK.search(self.of(int(page.parent[row]))) is not None


def is_note_fragment(fragment: str) -> bool:
    """Tell whether a fragment is the name of a note.

    >>> [is_note_fragment(name) for name in ("fn1", "_ftn2", "cite_note-Lee-3", "footnote-4", "section-2", "fnref1")]
    [True, True, True, True, False, False]
    """
    return _FRAGMENT.match(fragment) is not None and _BACK_FRAGMENT.match(fragment) is None


def back_fragment(fragment: str) -> str:
    """Return the fragment of the reference that belongs to that of a note.

    >>> back_fragment("_ftn1"), back_fragment("fn:2")
    ('_ftnref1', 'fnref:2')
    """
    return re.sub(r"(ftn|edn|fn|note)", r"\1ref", fragment, count=1)


# What a reference reads: a number, a letter or a sign, with or without brackets.

_SIGNS: Final = "*†‡§¶‖#⁂✱∗"
_LABEL: Final = lazy_pattern(
    r"(?:(?P<kind>notes?|footnotes?|endnotes?|fn|nb|n|ref)[ .\u00a0]{0,2})?"
    rf"(?P<number>\d{{1,4}}[a-z]?|[{_SIGNS}]{{1,4}})",
    re.IGNORECASE,
)
_LETTERS: Final = lazy_pattern(r"[a-z]{1,2}|[ivxlc]{1,6}", re.IGNORECASE)
_WORD: Final = lazy_pattern(r"[\w.:+-]{1,16}")
_BRACKETS: Final = "[](){}〔〕［］（）"
_MAX_LABEL_CHARS: Final = 24
_AROUND: Final = lazy_pattern(r"[\s,;–\[\]()-]{0,8}")

#: A mark at the beginning of a line: in brackets, with a point or bracket behind it, or as it is.
LINE_MARK: Final = lazy_pattern(
    rf"\s{{0,20}}(?:\[\s?(?P<bracketed>[^\[\]\s]{{1,6}})\s?\][.:]?|\((?P<rounded>\d{{1,4}}|[a-z])\)"
    rf"|(?P<pointed>\d{{1,4}})[.):](?=\s|\D)|(?P<raised>[\u00b9\u00b2\u00b3\u2070-\u2079]{{1,4}})"
    rf"|(?P<sign>[{_SIGNS}]{{1,4}})|(?P<bare>\d{{1,4}})(?=\s|$|[^\d.,:%/-]))\s{{0,20}}"
)


def parse_label(text: str, *, any_word: bool = False) -> str:
    """Return the label that the text of a reference is; ``""`` if it is not a label.

    With `any_word`, a short word counts too: some references have names.

    >>> [parse_label(text) for text in ("1", "[12]", "(b)", "¹", "*", "note 3", "iv", "Usage", "2004-05")]
    ['1', '12', 'b', '1', '*', 'note3', 'iv', '', '']
    """
    if len(text) > 2 * _MAX_LABEL_CHARS:
        return ""
    core = " ".join(text.split())
    if len(core) > _MAX_LABEL_CHARS:
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


# Lines: runs of inline content between the edges of blocks and ``br``. A note may be one line of a paragraph.

_BR = tags.IDS["br"]
_MAX_INLINE_LEVELS: Final = 8  #: from a text row up to the outermost inline element around it


class Lines:
    """The lines of a page's shown text.

    Attributes:
        first: the first shown text row of each line.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        breaks = np.cumsum((page.tag == _BR) & page.is_element).astype(np.int64)
        self._number = page.inline_run.astype(np.int64) + breaks  # grows at every edge
        shown = np.flatnonzero(page.shown & (np.arange(len(page)) > page.body))
        numbers = self._number[shown]
        is_first = np.ones(len(shown), dtype=np.bool_)
        is_first[1:] = numbers[1:] != numbers[:-1]
        self.first = shown[is_first]
        self._first_numbers = numbers[is_first]

    def start_of(self, row: int) -> int:
        """Return the row where the line of a row begins: its first text, or the inline element around that."""
        index = int(np.searchsorted(self._first_numbers, self._number[row]))
        if index == len(self.first) or self._first_numbers[index] != self._number[row]:
            return row
        return self.top_of(min(int(self.first[index]), row), row)

    def top_of(self, row: int, within: int | None = None) -> int:
        """Return the outermost inline element that begins a line with a row; the row itself if there is none."""
        page = self.page
        number = self._number[row]
        for parent in page.ancestors(row, _MAX_INLINE_LEVELS):
            if tags.BLOCK[page.tag[parent]] or not page.is_element[parent]:
                break
            if self._number[parent] != number or (within is not None and page.end[parent] <= within):
                break
            row = parent
        return row

    def stop_of(self, row: int) -> int:
        """Return the row after the last row of the line of a row, or the end of its block."""
        stop = int(np.searchsorted(self._number, self._number[row], side="right"))
        return min(stop, len(self.page))
