"""Names that pages give to references, notes and the links back: classes, ids, roles, fragments."""

import re
from typing import Final

from tamis.page import Page

#: Names of notes, on the note or on an element around it.
_NOTE: Final = re.compile(
    r"(?:foot|end|side|margin)-?_?notes?|doc-(?:foot|end)notes?|doc-biblio|\bfns?\b|\breferences?\b|\breflist\b|cite_note"
    r"|\bbibliograph|\bbiblist\b|\bbibitem\b|\bnotes?(?:list|section|text)?\b|\b_?ftn\d|\b_?edn\d|sd(?:foot|end)note"
    r"|\bcitations?(?:list)?\b|references__|MsoFootnoteText|MsoEndnoteText",
    re.IGNORECASE,
)
#: Names of references, on the link or on an element directly around it.
_REFERENCE: Final = re.compile(
    r"doc-noteref|doc-biblioref|noteref|note-?_?ref|foot-?_?note|end-?_?note|side-?_?note|\bfn(?:ref)?\b|fnref|citation"
    r"|biblioref|ltx_cite|xref-bibr|\bbibr?\b|cite_ref|\bref-?link\b|MsoFootnoteReference|MsoEndnoteReference",
    re.IGNORECASE,
)
#: Names of links that lead back.
_BACK: Final = re.compile(
    r"back-?_?(?:ref|link|arrow)|doc-backlink|reversefootnote|footnote-?_?(?:back|return)|to-top|mw-cite-backlink"
    r"|return-?_?link|footnotes__back|data-footnote-backref|\btoc",
    re.IGNORECASE,
)
#: Fragments that name a note.
_FRAGMENT: Final = re.compile(
    r"(?:user-content-)?(?:_?ftn|_?edn|fn|foot-?_?notes?|end-?_?notes?|sn|en|notes?|n|cite_?note|sdfootnote|sdendnote|easy-footnote"
    r"|bib|b|cit|cite|citation|ref|reference|r|cr|source|f)[-_:.]{0,3}(?:[a-z]{0,12}[-_:.]{0,2}\d|[-\w:.%]{1,40}$)",
    re.IGNORECASE,
)
#: Fragments of references, which links in notes lead to.
_BACK_FRAGMENT: Final = re.compile(
    r"(?:user-content-)?(?:fn|_?ftn|_?edn|foot-?_?note|end-?_?note|note|cite_?)-?_?(?:ref|anchor|back)", re.IGNORECASE
)
_ARROWS: Final = frozenset("↩↑^⤴↵⏎⬆🔝▲←")
_ATTRIBUTES: Final = ("class", "role", "id", "rel", "epub:type", "data-component-name", "data-type")
_MAX_CHARS: Final = 400  #: of the names of one element that are read


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
            names = " ".join(attributes.get(name, "")[:_MAX_CHARS] for name in _ATTRIBUTES)
            if any(name.startswith("data-footnote") for name in attributes):
                names += " " + " ".join(name for name in attributes if name.startswith("data-footnote"))
            self._read[row] = names
        return names

    def is_note(self, row: int, levels: int = 3) -> bool:
        """Tell whether an element or one around it is named as notes are."""
        for _ in range(levels):
            if row <= self.page.body:
                return False
            named = self._is_note.get(row)
            if named is None:
                named = self._is_note[row] = _NOTE.search(self.of(row)) is not None
            if named:
                return True
            row = int(self.page.parent[row])
        return False

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
        text = page.row_text(row).strip() if page.offset[page.end[row]] - page.offset[row] < _MAX_CHARS else ""
        if text[:1] in _ARROWS:
            return True
        return _BACK.search(self.of(row)) is not None or _BACK.search(self.of(int(page.parent[row]))) is not None


def is_note_fragment(fragment: str) -> bool:
    """Tell whether a fragment is the name of a note.

    >>> [is_note_fragment(name) for name in ("fn1", "_ftn2", "cite_note-Lee-3", "footnote-4", "section-2", "fnref1")]
    [True, True, True, True, False, False]
    """
    return _FRAGMENT.match(fragment) is not None and _BACK_FRAGMENT.match(fragment) is None
