"""CleanEval and CleanPortalEval: pages in a ``<text …>`` element, gold with ``<h> <p> <l>`` marks.

M. Baroni, F. Chantree, A. Kilgarriff, S. Sharoff: CleanEval: a competition for cleaning web pages. LREC 2008.
I. Endrédy, A. Novák: More effective boilerplate removal: the GoldMiner algorithm. Polibits 48 (2013).
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Final

from tamis.errors import CorpusError
from tamis.evaluate.corpora.decode import decode_markup, decode_text, read_bytes
from tamis.evaluate.corpora.layout import Pairs
from tamis.evaluate.corpora.page import LabelledPage

_WRAPPER: Final = re.compile(rb"\A\s*<text\b([^>]*)>", re.IGNORECASE)
_WRAPPER_END: Final = re.compile(rb"</text>\s*\Z", re.IGNORECASE)
_ATTRIBUTE: Final = re.compile(rb"""\b(id|encoding)\s*=\s*["']?([^"'>]*)""", re.IGNORECASE)
_ADDRESS: Final = re.compile(r"\A\s*URL:[ \t]*(\S*)[^\n]*\n?", re.IGNORECASE)
_MARK: Final = re.compile(r"<\s*(/?)([hpl])\s*>", re.IGNORECASE)
_PART: Final = {"h": "headings", "p": "paragraphs", "l": "lists"}


def unwrap(data: bytes) -> tuple[bytes, str | None, str | None]:
    r"""Return a page without its ``<text>`` wrapper, the address and the encoding that the wrapper names.

    >>> unwrap(b'<text id="http://a.org/" encoding="utf8">\n<p>x</text>')
    (b'\n<p>x', 'http://a.org/', 'utf8')
    """
    match = _WRAPPER.match(data)
    if match is None:
        return data, None, None
    told = {name.lower(): value.decode("latin-1") for name, value in _ATTRIBUTE.findall(match[1])}
    return _WRAPPER_END.sub(b"", data[match.end() :]), told.get(b"id"), told.get(b"encoding")


def read_gold(text: str) -> tuple[str, dict[str, str], str | None]:
    r"""Return the gold text without marks, a block a paragraph; its parts by mark; and the address.

    Lines are joined within a block: they were wrapped by the browser the annotators copied from.

    >>> read_gold("URL: http://a.org\n<h>Tea\n<p>Pour\n  the tea.\n<l>a cup")
    ('Tea\n\nPour the tea.\n\na cup', {'headings': 'Tea', 'paragraphs': 'Pour the tea.', 'lists': 'a cup'},
    'http://a.org')
    """
    address = _ADDRESS.match(text)
    body = text[address.end() :] if address else text
    pieces = _MARK.split(body)
    blocks = [("paragraphs", pieces[0])]
    blocks += [(_PART[mark.lower()], piece) for mark, piece in zip(pieces[2::3], pieces[3::3], strict=True)]
    joined = [(part, " ".join(block.split())) for part, block in blocks if block.strip()]
    parts = {
        name: "\n\n".join(block for part, block in joined if part == name)
        for name in _PART.values()
        if any(part == name for part, _ in joined)
    }
    return "\n\n".join(block for _, block in joined), parts, (address[1] or None) if address else None


@dataclass(frozen=True, slots=True)
class CleanEval:
    """``input/ID.html`` and ``GoldStandard/ID.txt``, the latter marked ``<h> <p> <l>`` below a line ``URL: …``."""

    name: ClassVar[str] = "cleaneval"
    shape: ClassVar[str] = "input/*.html, GoldStandard/*.txt with <h> <p> <l> marks"
    pairs: ClassVar[Pairs] = Pairs((("input", "GoldStandard"),))

    def fits(self, folder: Path) -> bool:
        """Return whether the gold texts have a line ``URL:`` or marks."""
        return bool(re.search(rb"^\s*(?:URL:|<[hpl]>)", self.pairs.gold_sample(folder), re.IGNORECASE | re.MULTILINE))

    def ids(self, folder: Path) -> list[str]:
        """Return the names of the pages."""
        return self.pairs.ids(folder)

    def read(self, folder: Path, page_id: str) -> LabelledPage:
        """Read one page."""
        page, gold = self.pairs.files(folder, page_id)
        data, wrapped_address, label = unwrap(read_bytes(page))
        if not data.strip():
            raise CorpusError("the page is empty")
        html, encoding = decode_markup(data, label)
        text, parts, address = read_gold(decode_text(read_bytes(gold)))
        return LabelledPage(
            id=page_id, html=html, gold=text, url=address or wrapped_address, parts=parts, encoding=encoding
        )
