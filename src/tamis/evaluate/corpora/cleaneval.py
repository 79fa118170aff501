"""CleanEval and CleanPortalEval: pages in a ``<text …>`` element, gold texts with ``<h> <p> <l>`` tags.

M. Baroni, F. Chantree, A. Kilgarriff, S. Sharoff: CleanEval: a competition for cleaning web pages. LREC 2008.
I. Endrédy, A. Novák: More effective boilerplate removal: the GoldMiner algorithm. Polibits 48 (2013).
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Final

from tamis.errors import CorpusError
from tamis.evaluate.corpora.decode import decode_markup, decode_text, read_bytes
from tamis.evaluate.corpora.page import LabelledPage
from tamis.evaluate.corpora.reader import FolderPair

_WRAPPER: Final = re.compile(rb"\A\s*<text\b([^>]*)>", re.IGNORECASE)
_WRAPPER_END: Final = re.compile(rb"</text>\s*\Z", re.IGNORECASE)
_ATTRIBUTE: Final = re.compile(rb"""\b(id|encoding)\s*=\s*["']?([^"'>]*)""", re.IGNORECASE)
_URL_LINE: Final = re.compile(r"\A\s*URL:[ \t]*(\S*)[^\n]*\n?", re.IGNORECASE)
_TAG: Final = re.compile(r"<\s*(/?)([hpl])\s*>", re.IGNORECASE)
_PART_OF_TAG: Final = {"h": "headings", "p": "paragraphs", "l": "lists"}


def unwrap(data: bytes) -> tuple[bytes, str | None, str | None]:
    r"""Return a page without its ``<text>`` wrapper, and the URL and the encoding that the wrapper declares.

    >>> unwrap(b'<text id="http://a.org/" encoding="utf8">\n<p>x</text>')
    (b'\n<p>x', 'http://a.org/', 'utf8')
    """
    match = _WRAPPER.match(data)
    if match is None:
        return data, None, None
    attributes = {name.lower(): value.decode("latin-1") for name, value in _ATTRIBUTE.findall(match[1])}
    return _WRAPPER_END.sub(b"", data[match.end() :]), attributes.get(b"id"), attributes.get(b"encoding")


def read_gold(text: str) -> tuple[str, dict[str, str], str | None]:
    r"""Return the gold text without tags, with one paragraph per block; its parts by tag; and the URL.

    The lines of a block are joined: the browser from which the annotators copied had wrapped them.

    >>> read_gold("URL: http://a.org\n<h>Tea\n<p>Pour\n  the tea.\n<l>a cup")
    ('Tea\n\nPour the tea.\n\na cup', {'headings': 'Tea', 'paragraphs': 'Pour the tea.', 'lists': 'a cup'},
    'http://a.org')
    """
    url_line = _URL_LINE.match(text)
    body = text[url_line.end() :] if url_line else text
    pieces = _TAG.split(body)
    blocks = [("paragraphs", pieces[0])]
    blocks += [(_PART_OF_TAG[tag.lower()], piece) for tag, piece in zip(pieces[2::3], pieces[3::3], strict=True)]
    joined = [(part, " ".join(block.split())) for part, block in blocks if block.strip()]
    parts = {
        name: "\n\n".join(block for part, block in joined if part == name)
        for name in _PART_OF_TAG.values()
        if any(part == name for part, _ in joined)
    }
    return "\n\n".join(block for _, block in joined), parts, (url_line[1] or None) if url_line else None


@dataclass(frozen=True, slots=True)
class CleanEval:
    """``input/ID.html`` and ``GoldStandard/ID.txt``, the latter with ``<h> <p> <l>`` tags below a line ``URL: …``."""

    name: ClassVar[str] = "cleaneval"
    files: ClassVar[str] = "input/*.html, GoldStandard/*.txt with <h> <p> <l> tags"
    folders: ClassVar[FolderPair] = FolderPair((("input", "GoldStandard"),))

    def recognizes(self, folder: Path) -> bool:
        """Return whether the gold texts have a line ``URL:`` or tags."""
        return bool(
            re.search(rb"^\s*(?:URL:|<[hpl]>)", self.folders.gold_sample(folder), re.IGNORECASE | re.MULTILINE)
        )

    def page_ids(self, folder: Path) -> list[str]:
        """Return the names of the pages."""
        return self.folders.page_ids(folder)

    def read(self, folder: Path, page_id: str) -> LabelledPage:
        """Read one page."""
        page, gold = self.folders.files(folder, page_id)
        data, wrapper_url, label = unwrap(read_bytes(page))
        if not data.strip():
            raise CorpusError("the page is empty")
        html, encoding = decode_markup(data, label)
        text, parts, url = read_gold(decode_text(read_bytes(gold)))
        return LabelledPage(id=page_id, html=html, gold=text, url=url or wrapper_url, parts=parts, encoding=encoding)
