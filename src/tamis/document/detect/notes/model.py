"""`Notes`: what was found, by rows of the page."""

from dataclasses import dataclass, field

from tamis.page import Page
from tamis.page.sums import Bools


@dataclass(frozen=True, slots=True)
class NoteRange:
    """A note: its label, and the row after it. It begins at an element, or at a line of a paragraph."""

    label: str
    stop: int


@dataclass(frozen=True, slots=True)
class TextMark:
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
    backlinks: dict[int, str] = field(default_factory=dict)
    marks: dict[int, list[TextMark]] = field(default_factory=dict)
    dropped: set[int] = field(default_factory=set)
    rules: set[int] = field(default_factory=set)

    def __bool__(self) -> bool:
        return bool(self.notes or self.embedded or self.defined)

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

    def __init__(self) -> None:
        self._used: set[str] = set()
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
        """Return the next number that is no label yet, for a note without one."""
        number = self._next.get("", 1)
        while str(number) in self._used:
            number += 1
        self._next[""] = number + 1
        self._used.add(str(number))
        return str(number)
