"""Notes without links: numbers in the text, items with that number, and the headings above them."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

import numpy as np

from tamis.document.detectors.notes.model import Lines, Names, Notes, TextMark, line_label
from tamis.html import tags
from tamis.html.text import strip_invisible
from tamis.page import Page
from tamis.page.sums import Bools, in_subtree, prefix_sums

# Marks in the text that refer to notes without a link: raised numbers, and numbers in brackets.

#: What lines above notes read, in the languages that pages have most.
NOTE_HEADING: Final = re.compile(
    r"(?:foot|end)?-?\s?notes?(?:\s+(?:and|&)\s+references)?|references?|citations?|sources?|works cited|bibliography"
    r"|anmerkungen|fu(?:ß|ss)noten|einzelnachweise|quellen|notes? de bas de page|références|notas|referencias|note"
    r"|fotnoter|voetnoten|przypisy|примечания|注释|脚注|参考文献|註釋",
    re.IGNORECASE,
)
MAX_HEADING_CHARS: Final = 40
_MAX_LEVELS: Final = 4  #: from the text of a heading up to its element
_HR: Final = tags.IDS["hr"]


def drop_headings(page: Page, mask: Bools, notes: Notes, copies: Iterable[int] = ()) -> None:
    """Add the headings directly above notes to `notes.dropped`, and the rules above notes to `notes.rules`.

    `copies` are lists that repeat notes. A heading stays if its section has other text. So does the heading of a list
    in which some items are not notes.

    >>> from tamis.document.detectors.notes.model import NoteRange
    >>> from tamis.page import parse_page
    >>> page = parse_page("<p>Tea<hr><h2>Notes</h2><ol><li>Green.</ol>")
    >>> notes = Notes(notes={10: NoteRange("1", 12)})
    >>> drop_headings(page, page.is_text, notes)
    >>> [page.tag_name(row) for row in (*notes.dropped, *notes.rules)]
    ['h2', 'hr']
    """
    in_note = np.zeros(len(page), dtype=np.bool_)
    for start, note in notes.notes.items():
        in_note[start : note.stop] = True
    selected = np.flatnonzero(mask & page.is_text & (page.nonspace > 0) & ~in_note)
    starts = sorted(notes.notes)
    run: list[int] = []
    for number, start in enumerate(starts):
        run.append(start)
        stop = notes.notes[start].stop
        following = starts[number + 1] if number + 1 < len(starts) else len(page)
        index = int(np.searchsorted(selected, stop))
        after = int(selected[index]) if index < len(selected) else len(page)
        if after < following or following == len(page):
            _drop_above(page, notes, selected, run, after)
            run = []
        else:  # a rule between notes: Word has one above its footnotes and one above its endnotes
            notes.rules.update(row for row in range(stop, following) if page.tag[row] == _HR)
    for row in copies:
        index = int(np.searchsorted(selected, page.end[row]))
        _drop_above(page, notes, selected, [row], int(selected[index]) if index < len(selected) else len(page))


def _drop_above(
    page: Page, notes: Notes, selected: "np.ndarray[tuple[int], np.dtype[np.int64]]", run: list[int], after: int
) -> None:
    index = int(np.searchsorted(selected, run[0])) - 1
    before = int(selected[index]) if index >= 0 else page.body
    heading = _heading(page, before) if before > page.body else -1
    if heading >= 0 and _is_empty(page, heading, run, after):
        notes.dropped.add(heading)
        before = int(selected[index - 1]) if index > 0 else page.body
    notes.rules.update(row for row in range(before, run[0]) if page.tag[row] == _HR)


def _heading(page: Page, row: int) -> int:
    """Return the element of a heading, or of a line that reads as one above notes; -1 if a row is in none."""
    block = int(page.block_ancestor[row])
    if tags.HEADING[page.tag[block]]:
        return block
    text = page.row_text(row).strip()
    core = " ".join(text.split()).strip(" :.[]")
    if len(core) > MAX_HEADING_CHARS or not NOTE_HEADING.fullmatch(core):
        return -1
    around = takewhile(lambda k: page.row_text(k).strip() == text, page.ancestors(row, _MAX_LEVELS))
    return min(around, default=-1)


def _is_empty(page: Page, heading: int, run: list[int], after: int) -> bool:
    """Tell whether nothing but notes is below a heading."""
    if after < page.end[page.parent[run[-1]]] and page.tag[page.parent[run[-1]]] == tags.IDS["ol"]:
        return False  # an item without a reference
    core = " ".join(strip_invisible(page.row_text(heading)).split()).strip(" :.[]")
    if len(core) <= MAX_HEADING_CHARS and NOTE_HEADING.fullmatch(core):
        return True
    if after >= len(page):
        return True
    block = int(page.block_ancestor[after])
    return bool(tags.HEADING[page.tag[block]]) and page.tag_name(block) <= page.tag_name(heading)


_NOT_TEXT: Final = tags.tag_mask("code pre kbd samp tt a math button h1 h2 h3 h4 h5 h6 svg textarea select")
_BRACKETED: Final = re.compile(r"\[(\d{1,3}|[*†‡]{1,3})\]")
_RAISED: Final = re.compile(r"([\u00b9\u00b2\u00b3\u2070-\u2079]{1,3})")
_NUMBERS: Final = re.compile(r"[\[(]?(?:\d{1,3}|[*†‡§¶]{1,3})[\])]?(?:\s{0,2}[,;]\s{0,2}[\[(]?\d{1,3}[\])]?){0,9}")
_NUMBER: Final = re.compile(r"[\[(]?(\d{1,3}|[*†‡§¶]{1,3})[\])]?")
_UNIT_BEFORE: Final = re.compile(r"(?:^|[\s\d(/·])(?:[kcmdµn]?m|ft|in|mi|yd|sq|s|[a-zA-Z]|\d+)$")
_YEAR_BEFORE: Final = re.compile(r"(?<!\d)(?:1[0-9]|20)\d\d$")
Marks = list[tuple[int, TextMark]]  #: text rows and the references in them


def find_references(page: Page, mask: Bools, lines: Lines, taken: Bools) -> tuple[Marks, Marks]:
    """Return the raised numbers in selected text, else the numbers in brackets; and those that may be exponents."""
    excluded = taken | in_subtree(
        page.end, np.flatnonzero(_NOT_TEXT[page.tag] & page.is_element & ~tags.HEADING[page.tag])
    )
    raised, powers = _raised(page, mask & ~excluded)
    bracketed = [] if raised else _bracketed(page, mask & ~excluded & ~page.pre, lines)
    return (raised or bracketed, [] if bracketed else powers)


def _raised(page: Page, mask: Bools) -> tuple[Marks, Marks]:
    """Return the numbers in ``sup``, and apart from them those that may be exponents."""
    out: Marks = []
    powers: Marks = []
    for sup in page.rows_of("sup").tolist():
        row = next((k for k in range(sup + 1, min(int(page.end[sup]), sup + 4)) if mask[k]), -1)
        if row < 0 or page.offset[page.end[sup]] - page.offset[sup] > MAX_HEADING_CHARS:
            continue
        text = page.row_text(row)
        if page.row_text(sup).strip() != text.strip() or not _NUMBERS.fullmatch(text.strip()):
            continue
        start = int(page.offset[row])
        before = page.text[max(start - 8, int(page.offset[page.block_ancestor[row]])) : start]
        is_power = _UNIT_BEFORE.search(before) is not None and _YEAR_BEFORE.search(before) is None
        if not before.strip():
            continue
        marks = powers if is_power and text.strip()[:1] not in "[(*†‡§¶" else out
        marks += [
            (row, TextMark(start + match.start(), start + match.end(), match[1])) for match in _NUMBER.finditer(text)
        ]
    return out, powers


def _bracketed(page: Page, mask: Bools, lines: Lines) -> Marks:
    """Return the numbers in brackets, else the raised digits, that do not begin a line."""
    out: Marks = []
    matches = list(_BRACKETED.finditer(page.text)) if "[1]" in page.text or "[*]" in page.text else []
    if not matches and "¹" in page.text:
        matches = list(_RAISED.finditer(page.text))
    rows = np.searchsorted(page.offset, [match.start() for match in matches], side="right") - 1
    for match, row in zip(matches, rows.tolist(), strict=True):
        if not mask[row] or match.end() > page.offset[row + 1]:
            continue
        line_start = int(page.offset[lines.start_of(row)])
        before = page.text[max(line_start, match.start() - 8) : match.start()]
        if _is_in_sentence(before, bracket=match[0][0] == "["):
            label = unicodedata.normalize("NFKC", match[1])
            out.append((row, TextMark(match.start(), match.end(), label)))
    return out


def _is_in_sentence(before: str, *, bracket: bool) -> bool:
    """Tell whether a number behind some characters may be a reference: not at the start of a line, no exponent."""
    if bracket or not before.strip():
        return bool(before.strip())
    return _UNIT_BEFORE.search(before) is None or _YEAR_BEFORE.search(before) is not None


# Notes without links: a raised or bracketed number in the text, and a line or an item with that number below it.
#
# The notes are a list, or lines that begin with their number, after a rule, after a heading such as "Notes", in an
# element named as notes are, or with a form that only notes have. Their numbers must follow one another, and most of
# them must be referred to: so an exponent or a numbered list does not become a note.

_SUP, _OL, _ASIDE = (tags.IDS[name] for name in ("sup", "ol", "aside"))
_MIN_SHARE: Final = 0.5  #: of the notes that must be referred to
_MAX_ANNOUNCED_LEVELS: Final = 3  #: around notes, from them up to an element behind their heading
_MAX_LINES_BETWEEN: Final = 12  #: lines that one note may have before the next begins


@dataclass(frozen=True, slots=True)
class Definition:
    """A note that may be one: its label and its rows, and the mark at its beginning."""

    label: str
    start: int
    stop: int
    strong: bool


@dataclass(frozen=True, slots=True)
class UnlinkedNote:
    """A note and the references to it."""

    label: str
    start: int
    stop: int
    references: list[tuple[int, TextMark]]


def find_unlinked(
    page: Page, mask: Bools, names: Names, lines: Lines, taken: list[tuple[int, int]]
) -> list[UnlinkedNote]:
    """Return the notes without links. `taken` are the rows of notes and references that were found by their links."""
    excluded = np.zeros(len(page), dtype=np.bool_)
    for start, stop in taken:
        excluded[start:stop] = True
    references, powers = find_references(page, mask, lines, excluded)
    only_powers = not references
    if only_powers:
        references, powers = powers, []
    if not references:
        return []
    first_row = references[0][0]
    for run in _runs(page, names, lines, first_row):
        if excluded[run[0].start] or (only_powers and not names.is_note(run[0].start, levels=1)):
            continue  # what may be exponents refers only to what is named as notes
        found = _match(references, powers, run)
        if found:
            return found
    return []


def _runs(page: Page, names: Names, lines: Lines, after: int) -> list[list[Definition]]:
    """Return runs of numbered notes after a row, the last run of the page first."""
    runs = _line_runs(page, names, lines, after) + _list_runs(page, names, after)
    return sorted(runs, key=lambda run: run[0].start, reverse=True)


def _list_runs(page: Page, names: Names, after: int) -> list[list[Definition]]:
    """Return the ordered lists after a row whose items may be notes."""
    out: list[list[Definition]] = []
    items: dict[int, list[int]] = {}
    for row in page.rows_of("li").tolist():
        if row > after:
            items.setdefault(int(page.parent[row]), []).append(row)
    shown = prefix_sums(page.shown)
    for row, rows in items.items():
        if page.tag[row] != _OL or page.hidden[row]:
            continue
        start = page.attributes(row).get("start", "1")
        first = int(start) if start.isascii() and start.isdigit() and len(start) < 5 else 1  # noqa: PLR2004 (sane)
        strong = names.is_note(row, levels=3) or _is_announced(page, row) or page.tag[page.parent[row]] == _ASIDE
        if not strong and shown[-1] - shown[page.end[row]] > _MAX_LINES_BETWEEN:
            continue
        run = [Definition(str(first + k), item, int(page.end[item]), strong) for k, item in enumerate(rows)]
        if out and strong and out[-1][0].strong and first == int(out[-1][-1].label) + 1:
            out[-1] += run  # each note in an aside of its own
        else:
            out.append(run)
    return out


def _line_runs(page: Page, names: Names, lines: Lines, after: int) -> list[list[Definition]]:
    """Return runs of lines whose numbers follow one another."""
    starts = lines.first[lines.first > after].tolist()
    marked: list[tuple[int, int, str, bool]] = []  # the number of the line, its row, its label, its form
    for number, row in enumerate(starts):
        found = line_label(page.text, int(page.offset[row]))
        if found is None:
            continue
        label, _, strong = found
        raised = page.tag[page.parent[row]] == _SUP
        if page.tag[page.parent[row]] == tags.IDS["a"] and not page.row_text(row).strip("[]() .").isdigit():
            continue
        marked.append((number, row, label, strong or raised))
    out: list[list[Definition]] = []
    run: list[tuple[int, int, str, bool]] = []
    for entry in [*marked, None]:
        if entry is not None and run and _follows(run[-1], entry):
            run.append(entry)
            continue
        if run:
            out += _definitions(page, names, lines, run)
        run = [entry] if entry is not None and entry[2] in {"1", "*", "†", "a", "i"} else []
    return out


def _follows(before: tuple[int, int, str, bool], entry: tuple[int, int, str, bool]) -> bool:
    if entry[0] - before[0] > _MAX_LINES_BETWEEN:
        return False
    if before[2].isdigit() and entry[2].isdigit():
        return int(entry[2]) == int(before[2]) + 1
    return (before[2], entry[2]) in {("*", "†"), ("*", "**"), ("†", "‡"), ("**", "***"), ("a", "b"), ("b", "c")}


def _definitions(
    page: Page, names: Names, lines: Lines, run: list[tuple[int, int, str, bool]]
) -> list[list[Definition]]:
    first = run[0][1]
    block = int(page.block_ancestor[first])
    strong = all(entry[3] for entry in run)
    if not strong and not names.is_note(block) and not _is_announced(page, block):
        return []
    out = []
    starts = [lines.start_of(row) for _, row, _, _ in run]
    for number, (_, row, label, _) in enumerate(run):
        block = int(page.block_ancestor[row])
        begins_block = page.text[page.offset[block] : page.offset[row]].strip() == ""
        following = starts[number + 1] if number + 1 < len(run) else len(page)
        if begins_block and following >= page.end[block] and block > page.body:
            out.append(Definition(label, block, int(page.end[block]), strong=True))
        else:
            out.append(Definition(label, starts[number], min(following, int(page.end[block])), strong=True))
    return [out]


def _is_announced(page: Page, row: int) -> bool:
    """Tell whether a rule, or a short line such as "Notes", comes directly before an element or one around it."""
    for element in (row, *page.ancestors(row, _MAX_ANNOUNCED_LEVELS)):
        before = element - 1
        while before > page.body and page.is_text[before] and not page.nonspace[before]:
            before -= 1
        if page.tag[before] == _HR:
            return True
        block = int(page.block_ancestor[before])
        text = (
            page.row_text(block) if page.offset[page.end[block]] - page.offset[block] < 3 * MAX_HEADING_CHARS else ""
        )
        core = " ".join(text.split()).strip(" :.[]")
        if page.end[block] <= element and len(core) <= MAX_HEADING_CHARS and NOTE_HEADING.fullmatch(core):
            return True
        if before > page.parent[element]:
            return False
    return False


def _match(references: Marks, powers: Marks, run: list[Definition]) -> list[UnlinkedNote]:
    """Return the notes of a run with the references to them, if enough are referred to and in order."""
    by_label = {definition.label: definition for definition in run}
    start = run[0].start
    all_strong = all(note.strong for note in run)  # a note may stand below its paragraph
    uses: dict[str, list[tuple[int, TextMark]]] = {}
    highest = 0
    for row, mark in references:
        if mark.label not in by_label or row >= (by_label[mark.label].start if all_strong else start):
            continue
        if mark.label.isdigit():
            number = int(mark.label)
            first = int(run[0].label) if run[0].label.isdigit() else 1
            if number > max(highest, first - 1) + 2:  # a number far ahead is an exponent
                continue
            highest = max(highest, number)
        uses.setdefault(mark.label, []).append((row, mark))
    for row, mark in powers:  # the only mark with the number of a note, at its place among the others
        before, after = (
            (uses.get(str(int(mark.label) + step)) for step in (-1, 1)) if mark.label.isdigit() else (None,) * 2
        )
        in_order = (before is not None and before[0][0] < row) and (after is None or row < after[0][0])
        if row < start and mark.label in by_label and mark.label not in uses and in_order:
            uses[mark.label] = [(row, mark)]
    if not uses or len(uses) < _MIN_SHARE * len(by_label):
        return []
    if not run[0].strong and len(uses) < len(by_label):
        return []
    return [UnlinkedNote(note.label, note.start, note.stop, uses[note.label]) for note in run if note.label in uses]
