"""The detectors as one ordered table: what starts each, whom it yields to, and what it may do with words.

`Findings` runs the table over a page and its selected rows. Each detector adds what it found, by row, and returns
claims: the ranges of rows that it marks, moves, replaces or deletes, with its evidence. The document keeps the
claims, so that every word of the selection that an output lacks has a reason with a name.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from enum import Flag, auto
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from tamis.document.detectors.code import CodeBlocks, find_code_blocks, has_styled_code
from tamis.document.detectors.notes.embedded import CITATION_ATTRIBUTE
from tamis.document.detectors.notes.model import Labels, Notes
from tamis.document.detectors.text import (
    Clues,
    find_anchors,
    find_clues,
    protected_emails,
    rows_after_gap,
    rows_of_lines,
    table_roles,
)
from tamis.html import tags
from tamis.html.attributes import KINDS
from tamis.lazy import cached_property, dataclass
from tamis.page import Page
from tamis.page.deadline import check_time
from tamis.page.parse import base_url
from tamis.page.sums import Bools, prefix_sums

# A detector is imported where its trigger holds: plain text reads the table, and most pages need few of them.
if TYPE_CHECKING:
    from tamis.document.detectors.formulas.delimited import DelimitedFormula
    from tamis.document.detectors.formulas.find import FormulaMatch
    from tamis.document.detectors.media import Media
    from tamis.document.detectors.post_parts import PostFacts, Thread
    from tamis.document.detectors.roles import CalloutFacts
    from tamis.document.parts import FormulaSpan, Image, Link, Text


class Effect(Flag):
    """What a detector does with the words of the rows that it claims."""

    MARK = auto()  #: they stay, as another part or span
    MOVE = auto()  #: they stay, at another place
    REPLACE = auto()  #: other words take their place: TeX, an address
    DELETE = auto()  #: no output has them
    ADD = auto()  #: words that were not selected, or that the page has in an attribute


@dataclass(frozen=True, slots=True)
class Claim:
    """A range of rows that a detector claims.

    Attributes:
        detector: the name of the detector.
        effect: what becomes of the words.
        first: the first row.
        stop: the row after the last.
        evidence: why: "line number", "permalink", "reference".
    """

    detector: str
    effect: Effect
    first: int
    stop: int
    evidence: str


# Inserts: formulas, references to notes and marks of notes that take the place of characters in a text row.


@dataclass(frozen=True, slots=True)
class Insert:
    """A span in place of a range of `Page.text`.

    Attributes:
        start: where the range begins.
        stop: where it ends.
        span: a formula, a reference or backlink without its text, or other text; None where nothing takes its place.
        rows_stop: the row after the last row that it takes characters from.
    """

    start: int
    stop: int
    span: "FormulaSpan | Link | Text | None"
    rows_stop: int = 0


def formula_inserts(page: Page, formulas: "list[DelimitedFormula]") -> tuple[dict[int, list[Insert]], set[int]]:
    """Return the formulas of each text row, and the rows inside of formulas that go over several."""
    if not formulas:
        return {}, set()
    from tamis.document.parts import FormulaSpan, Text

    inserts: dict[int, list[Insert]] = {}
    covered: set[int] = set()
    for formula in formulas:
        span = FormulaSpan(formula.tex, formula.display) if formula.tex else Text("$") if formula.tex == "" else None
        stop = min(formula.stop, int(page.offset[formula.first + 1]))
        inserts.setdefault(formula.first, []).append(Insert(formula.start, stop, span, formula.last + 1))
        if formula.last > formula.first:
            covered.update(range(formula.first + 1, formula.last))
            rest = Insert(int(page.offset[formula.last]), formula.stop, None, formula.last + 1)
            inserts.setdefault(formula.last, []).append(rest)
    return inserts, covered


def note_inserts(inserts: dict[int, list[Insert]], notes: Notes) -> None:
    """Add the references and marks of notes in text rows."""
    from tamis.document.parts import Link

    rows: set[int] = set()
    for role, marks_by_row in (("noteref", notes.text_references), ("backlink", notes.marks)):
        for row, marks in marks_by_row.items():
            rows.add(row)
            for mark in marks:
                href = f"#fnref-{mark.label}" if role == "backlink" else ""
                link = Link(href, (), role, mark.label) if mark.label else None
                inserts.setdefault(row, []).append(Insert(mark.start, mark.stop, link, row + 1))
    for row in rows:
        inserts[row].sort(key=lambda insert: insert.start)


class Findings:
    """What was found in a page, by row.

    Attributes:
        page, url: the page and its URL.
        mask: the selected rows, and those of notes that they refer to.
        hidden: what browsers do not show, without the notes that they show on demand.
        clues: what the selection may have, by the triggers that the plain text also uses.
        thread: the posts of the page; None if it has none.
        comments: whether these are readers' comments.
        bylines: selected rows of authors and dates, which are attributes of their posts.
        formulas, text_formulas: those that are elements, by row, and those between delimiters.
        inserts: formulas, references and marks in text rows.
        covered: rows inside of formulas that go over several.
        after_gap: text rows before which a space is missing.
        lines: text rows outside of ``pre`` whose line ends count.
        items: elements that are items of a listing.
        unselected_notes: notes that are there because selected text refers to them.
        captions: unselected captions of pictures that are shown.
        boxes: figures without a ``figure`` element that have a picture.
        selected: the rows that were selected.
        added: rows that posts, items and captions lack, which plain text is without.
        claims: what the detectors claim, in their order.
        stop: the row after the last that is wanted.
    """

    def __init__(
        self,
        page: Page,
        mask: Bools,
        url: str | None,
        thread: "Thread | None" = None,
        *,
        comments: bool = False,
        clues: Clues | None = None,
    ) -> None:
        self.page, self.url = page, url
        self.mask, self.hidden, self.thread, self.comments = mask, page.hidden, thread, comments
        self.clues = clues or find_clues(page, mask)
        self.emails: dict[int, str] = {}
        self.notes = Notes()
        self.unselected_notes: frozenset[int] = frozenset()
        self.formulas: dict[int, FormulaMatch] = {}
        self.text_formulas: list[DelimitedFormula] = []
        self.inserts: dict[int, list[Insert]] = {}
        self.covered: set[int] = set()
        self.captioned_boxes: dict[int, int] = {}
        self.images: dict[int, Image] = {}
        self.captions: frozenset[int] = frozenset()
        self.media: dict[int, Media] = {}
        self.posts: dict[int, PostFacts] = {}
        self.selected = mask
        self.added: Bools = np.zeros(len(page), dtype=np.bool_)  # rest of posts, titles of items
        self.bylines: Bools = np.zeros(len(page), dtype=np.bool_)
        self.callouts: dict[int, CalloutFacts] = {}
        self.code = CodeBlocks()
        self.headings: dict[int, int] = {}
        self.items: frozenset[int] = frozenset()
        self.aria_tables: dict[int, str] = {}
        self.tables: frozenset[int] = frozenset()
        self.header_rows: frozenset[int] = frozenset()
        self.after_gap: frozenset[int] = frozenset()
        self.lines: frozenset[int] = frozenset()
        self.claims: list[Claim] = []

    @cached_property
    def base(self) -> str | None:
        """The URL that links are relative to."""
        return base_url(self.page, self.url)

    def run(self) -> "Findings":
        """Run the table, and count what the builder asks of each subtree."""
        self.page.find_class_parts(_class_parts())
        for detector in DETECTORS:
            check_time()
            if detector.trigger(self.page, self.clues):
                self.claims += detector.find(self)
        self._count()
        return self

    def _count(self) -> None:
        """Count over the rows what the builder asks of each subtree."""
        page = self.page
        self.marked = frozenset(self.notes.references.values())  # labels of notes whose reference is an element
        self.boxes = frozenset(
            box for box in self.captioned_boxes if any(box < row < page.end[box] for row in self.images)
        )
        visible = self.hidden == 0
        self.text_count = prefix_sums(page.is_text & visible & (page.offset[1:] > page.offset[:-1]))
        self.shown_count = prefix_sums(page.shown)
        self.block_count = prefix_sums(tags.BLOCK[page.tag] & visible)
        self.break_count = prefix_sums((page.tag == tags.IDS["br"]) & visible)
        wanted = self.mask.copy()
        wanted[[*self.images, *self.formulas, *self.media, *self.inserts]] = True
        first, self.stop = int(np.argmax(wanted)), len(wanted) - int(np.argmax(wanted[::-1]))
        rules = page.rows_of("hr")
        wanted[rules[(rules > first) & (rules < self.stop)]] = True
        wanted[list(self.notes.rules)] = False
        self.wanted_count = prefix_sums(wanted)

    def subtrees(self, detector: str, effect: Effect, rows: Iterable[int], evidence: str) -> list[Claim]:
        """Return a claim on the subtree of each row."""
        return [Claim(detector, effect, row, int(self.page.end[row]), evidence) for row in rows]


def without_deleted(mask: Bools, claims: Iterable[Claim]) -> Bools:
    """Return the selected rows without those that claims delete; the same mask if they delete nothing."""
    deleted = [claim for claim in claims if claim.effect is Effect.DELETE]
    if not deleted:
        return mask
    out = mask.copy()
    for claim in deleted:
        out[claim.first : claim.stop] = False
    return out


@cache
def _class_parts() -> tuple[str, ...]:
    """Return what classes are searched for: by posts, callouts and captions. One pass finds all."""
    from tamis.document.detectors import images, post_parts, roles

    return (*post_parts.CLASSES, *roles.CLASSES, *images.CLASSES)


# The detectors, in the order of the table.


def _emails(found: Findings) -> list[Claim]:
    found.emails = protected_emails(found.page)
    return [Claim("emails", Effect.REPLACE, row, row + 1, "protected address") for row in found.emails]


def _anchors(found: Findings) -> list[Claim]:
    ranges = find_anchors(found.page, found.mask, may_be_named=found.clues.anchors)
    claims = [Claim("anchors", Effect.DELETE, first, stop, evidence) for first, stop, evidence in ranges]
    found.mask = without_deleted(found.mask, claims)
    return claims


def _annotations(found: Findings) -> list[Claim]:
    selected = found.page.count_selected(found.mask)
    rows = [k for k in found.page.rows_of("rt").tolist() if selected[found.page.end[k]] > selected[k]]
    return found.subtrees("annotations", Effect.REPLACE, rows, "ruby annotation")


def _notes(found: Findings) -> list[Claim]:
    from tamis.document.detectors.notes.find import find_notes

    page = found.page
    found.notes = notes = find_notes(page, found.mask, found.base)
    found.unselected_notes = notes.unselected(page, found.mask)
    if not found.comments:  # comments keep no notes: those belong to the content
        found.mask = notes.kept_with(page, found.mask)
    if notes.embedded:
        found.hidden, found.mask = found.hidden.copy(), found.mask.copy()
    for row in notes.embedded:  # they may be hidden until a reader asks for them
        end = int(page.end[row])
        found.hidden[row:end] = 0
        found.mask[row:end] |= page.is_text[row:end] & (page.nonspace[row:end] > 0)
    marks = [row for row, places in notes.marks.items() if places]
    unlinked = {mark.label for places in notes.text_references.values() for mark in places}
    return [
        *(
            Claim(
                "notes",
                Effect.ADD if row in found.unselected_notes else Effect.MOVE,
                row,
                note.stop,
                "note without links" if note.label in unlinked else "note",
            )
            for row, note in notes.notes.items()
        ),
        *found.subtrees("notes", Effect.MOVE, notes.embedded, "note in the text"),
        *(Claim("notes", Effect.ADD, row, row + 1, "note in an attribute") for row in notes.defined),
        *found.subtrees("notes", Effect.REPLACE, notes.references, "note mark"),
        *(Claim("notes", Effect.REPLACE, row, row + 1, "note mark") for row in (*notes.text_references, *marks)),
        *found.subtrees("notes", Effect.REPLACE, notes.backlinks, "note mark"),
        *found.subtrees("notes", Effect.DELETE, sorted(notes.dropped), "heading or switch of notes"),
    ]


def _citations(found: Findings) -> list[Claim]:
    from tamis.document.detectors.notes.embedded import find_citations

    cited = find_citations(found.page, found.mask, found.base)
    notes = replace(found.notes, references=found.notes.references | {}, cited={})
    labels = Labels(set(notes.references.values()))
    for row, url in cited.items():
        if url not in notes.cited:
            notes.cited[url] = labels.free_number(), row
        notes.references[row] = notes.cited[url][0]
    if cited:
        found.notes = notes
    return found.subtrees("citations", Effect.REPLACE, cited, "citation")


def _formulas(found: Findings) -> list[Claim]:
    from tamis.document.detectors.formulas.find import content_formulas

    formulas = content_formulas(found.page, found.mask)
    found.formulas, found.text_formulas = formulas.elements, formulas.delimited
    found.inserts, found.covered = formula_inserts(found.page, formulas.delimited)
    return [
        *(
            Claim("formulas", Effect.REPLACE, row, formula.stop, f"formula: {formula.source}")
            for row, formula in found.formulas.items()
        ),
        *(
            Claim("formulas", Effect.REPLACE, formula.first, formula.last + 1, f"formula in text: {formula.source}")
            for formula in formulas.delimited
        ),
    ]


def _note_marks(found: Findings) -> list[Claim]:
    note_inserts(found.inserts, found.notes)
    return []


def _images(found: Findings) -> list[Claim]:
    from tamis.document.detectors.images import (
        find_captioned_boxes,
        find_images,
        find_unselected_captions,
        is_attachment,
    )

    page = found.page
    found.captioned_boxes = find_captioned_boxes(page)
    images = find_images(page, found.mask, found.base, frozenset(found.captioned_boxes))
    around = found.thread.around if found.thread and found.thread.is_discussion else None  # avatars and badges
    found.images = {
        row: image
        for row, image in images.items()
        if row not in found.formulas and (around is None or not around[row] or is_attachment(page, row))
    }
    found.captions = find_unselected_captions(page, found.mask, found.images, frozenset(found.captioned_boxes))
    if found.captions:
        found.mask = found.mask.copy()
    for row in found.captions:  # a picture that is shown is shown with its caption
        rows = slice(row, int(page.end[row]))
        found.added[rows] |= page.shown[rows] & ~found.mask[rows]
        found.mask[rows] |= page.shown[rows]
    return [
        *found.subtrees("images", Effect.MARK, found.images, "picture"),
        *found.subtrees("images", Effect.ADD, sorted(found.captions), "caption"),
    ]


def _media(found: Findings) -> list[Claim]:
    from tamis.document.detectors.media import find_media

    found.media = find_media(found.page, found.mask, found.base, found.url, frozenset(found.captioned_boxes))
    return found.subtrees("media", Effect.ADD, found.media, "player")


def _posts(found: Findings) -> list[Claim]:
    from tamis.document.detectors.post_parts import is_content
    from tamis.document.detectors.posts import find_thread

    thread = found.thread = found.thread or find_thread(found.page)
    if thread is None:
        return []
    found.posts = thread.posts
    found.bylines = thread.byline & found.mask
    chrome = thread.chrome & found.mask if thread.is_discussion else np.zeros_like(found.mask)
    added = np.zeros_like(found.mask)
    if not found.comments and is_content(found.page, found.mask, thread):
        added = thread.body & ~found.mask
        found.added |= added
    found.mask = (found.mask | added) & ~found.bylines & ~chrome
    return [
        *(Claim("posts", Effect.ADD, row, row + 1, "rest of a post") for row in np.flatnonzero(added).tolist()),
        *found.subtrees("posts", Effect.MARK, found.posts, "post"),
        *(Claim("posts", Effect.REPLACE, row, row + 1, "byline") for row in np.flatnonzero(found.bylines).tolist()),
        *(
            Claim("posts", Effect.DELETE, row, row + 1, "buttons of a post")
            for row in np.flatnonzero(chrome).tolist()
        ),
    ]


def _items(found: Findings) -> list[Claim]:
    from tamis.document.detectors.items import find_item_titles, find_items, find_section_headings

    if found.posts or found.comments:
        return []
    titles = find_item_titles(found.page, found.mask)
    headings = find_section_headings(found.page, found.mask)
    if titles or headings:
        found.mask = found.mask.copy()
    for row in (*titles, *headings):
        rows = slice(row, int(found.page.end[row]))
        found.mask[rows] |= found.page.shown[rows]
        found.added[rows] |= found.page.shown[rows]
    found.items = frozenset(find_items(found.page, found.mask))
    return [
        *found.subtrees("items", Effect.MARK, sorted(found.items), "item of a listing"),
        *found.subtrees("items", Effect.ADD, titles, "title of an item"),
        *found.subtrees("items", Effect.ADD, headings, "heading of a section"),
    ]


def _callouts(found: Findings) -> list[Claim]:
    from tamis.document.detectors.roles import find_callouts

    found.callouts = find_callouts(found.page, found.mask, found.notes.notes)
    return found.subtrees("callouts", Effect.MARK, found.callouts, "callout")


def _code(found: Findings) -> list[Claim]:
    found.code = code = find_code_blocks(found.page, found.mask)
    if code.rest:
        found.mask = found.mask.copy()
        found.mask[code.rest] = True
    return [
        *(Claim("code", Effect.ADD, row, row + 1, "rest of a code block") for row in code.rest),
        *found.subtrees("code", Effect.MARK, sorted(code.blocks), "code without pre"),
        *(Claim("code", Effect.DELETE, row, row + 1, evidence) for row, evidence in code.dropped.items()),
    ]


def _tables(found: Findings) -> list[Claim]:
    from tamis.document.detectors.roles import find_aria_tables, header_rows

    found.aria_tables = find_aria_tables(found.page, table_roles(found.page))
    by_role = {row for row, role in found.aria_tables.items() if role == "table"}
    found.tables = frozenset(
        row
        for row in found.page.data_tables | by_role
        if not any(row <= post < found.page.end[row] for post in found.posts)
    )
    found.header_rows = frozenset(header_rows(found.page))
    return found.subtrees("tables", Effect.MARK, sorted(found.tables), "data table")


def _headings(found: Findings) -> list[Claim]:
    from tamis.document.detectors.roles import find_aria_headings

    found.headings = find_aria_headings(found.page, found.page.attribute("role"))
    return found.subtrees("headings", Effect.MARK, found.headings, "role of a heading")


def _gaps(found: Findings) -> list[Claim]:
    found.lines = rows_of_lines(found.page, found.mask)
    found.after_gap = frozenset(rows_after_gap(found.page, found.mask))
    return []


_STYLE: Final = KINDS["style"]


def _built(_found: Findings) -> list[Claim]:
    """Claim nothing: the builder reads these from the page when it comes to them."""
    return []


@dataclass(frozen=True, slots=True)
class Detector:
    """A detector.

    Plain text follows the claims: it lacks the rows that they delete, and is written from the document where they do
    anything else with selected words, or where the builder alone reads what the trigger is for.

    Attributes:
        name: its name, in claims and in `yields_to`.
        effects: what it may do with words.
        trigger: tells quickly whether it may find something. It looks at columns and clues alone.
        find: adds what it found to the findings and returns its claims.
        yields_to: the detectors that go first and whose rows it leaves alone.
        in_text: whether plain text follows it. What the others find concerns the document alone: pictures, items, and
            the rest of posts, whose buttons are not selected (`tamis.document.detectors.discussion`).
    """

    name: str
    effects: Effect
    trigger: Callable[[Page, Clues], bool]
    find: Callable[[Findings], list[Claim]] = _built
    yields_to: tuple[str, ...] = ()
    in_text: bool = True

    @property
    def is_built(self) -> bool:
        """Whether the builder reads what the trigger is for."""
        return self.find is _built


def _always(_page: Page, _clues: Clues) -> bool:
    return True


def _has_signs(_page: Page, clues: Clues) -> bool:
    return clues.anchors or clues.signs or clues.buttons


def _has_citations(page: Page, _clues: Clues) -> bool:
    return any("citation" in name for name in page.attribute(CITATION_ATTRIBUTE).values())


def _has_alerts(page: Page, _clues: Clues) -> bool:
    return bool(page.tag_count("blockquote")) and "[!" in page.text


def _has_printed_pages(page: Page, _clues: Clues) -> bool:
    return bool(page.tag_count("pre")) and "[Page 1]" in page.text


#: Who goes first, and who yields to whom. Plain text and the document both run by this table.
DETECTORS: Final = (
    Detector("plain text", Effect.MARK, lambda page, _: page.is_text_only),
    Detector("emails", Effect.REPLACE, lambda _, clues: clues.emails, _emails),
    Detector("anchors", Effect.DELETE, _has_signs, _anchors),
    Detector("posts", Effect.MARK | Effect.REPLACE | Effect.DELETE | Effect.ADD, _always, _posts, in_text=False),
    Detector("items", Effect.MARK | Effect.ADD, _always, _items, ("posts",), in_text=False),
    Detector(
        "notes",
        Effect.MOVE | Effect.REPLACE | Effect.ADD | Effect.DELETE,
        lambda _, clues: clues.notes,
        _notes,
        ("anchors",),
    ),
    Detector("citations", Effect.REPLACE, _has_citations, _citations, ("notes",), in_text=False),
    Detector("annotations", Effect.REPLACE, lambda page, _: bool(page.tag_count("rt")), _annotations),
    Detector("formulas", Effect.REPLACE, lambda _, clues: clues.formulas, _formulas, ("notes",)),
    Detector(
        "note marks", Effect.REPLACE, lambda _, clues: clues.notes, _note_marks, ("notes", "formulas"), in_text=False
    ),
    Detector("images", Effect.MARK | Effect.ADD, _always, _images, ("notes", "formulas"), in_text=False),
    Detector("media", Effect.ADD, _always, _media, ("images",), in_text=False),
    Detector("callouts", Effect.MARK, _always, _callouts, ("notes",), in_text=False),
    Detector("alerts", Effect.MARK | Effect.DELETE, _has_alerts),
    Detector("printed pages", Effect.DELETE, _has_printed_pages),
    Detector(
        "code",
        Effect.MARK | Effect.DELETE | Effect.ADD,
        lambda page, clues: clues.code or (_STYLE in page.listed[1] and has_styled_code(page)),
        _code,
        ("notes",),
    ),
    Detector(
        "tables",
        Effect.MARK,
        lambda page, _: bool(page.tag_count("table") or table_roles(page)),
        _tables,
        in_text=False,
    ),
    Detector("headings", Effect.MARK, lambda page, _: bool(page.attribute("role")), _headings, in_text=False),
    Detector("gaps", Effect.MARK, _always, _gaps, ("notes", "images"), in_text=False),
    Detector("quotations", Effect.ADD, lambda page, _: bool(page.tag_count("q"))),
)
