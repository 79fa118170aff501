"""L3S-GN1: news pages whose gold is the same page with each text marked.

C. Kohlschütter, P. Fankhauser, W. Nejdl: Boilerplate detection using shallow text features. WSDM 2010.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Final

import turbohtml

from tamis.errors import CorpusError
from tamis.evaluate.corpora.decode import decode_markup, read_bytes
from tamis.evaluate.corpora.layout import Pairs
from tamis.evaluate.corpora.page import LabelledPage

#: The classes of the corpus that are content; 0 is unmarked, 4 comments on the page, 5 related links.
_CONTENT: Final = {"x-nc-sel1": "headline", "x-nc-sel2": "body", "x-nc-sel3": "supplement"}
_COMMENTS: Final = "x-nc-sel4"
_MARKS: Final = ",".join(f".{name}" for name in (*_CONTENT, _COMMENTS))


def read_gold(html: str) -> tuple[str, dict[str, str], str]:
    r"""Return the gold text, its parts, and what readers wrote.

    Only elements without element children count: the marker also put its classes on what encloses them.

    >>> read_gold('<div class=x-nc-sel2><span class=x-nc-sel1>Tea</span><span class=x-nc-sel2>Pour.</span></div>')
    ('Tea\nPour.', {'headline': 'Tea', 'body': 'Pour.'}, '')
    """
    found: list[tuple[str, str]] = []
    comments: list[str] = []
    for element in turbohtml.parse(html, positions=False).select(_MARKS):
        if any(isinstance(child, turbohtml.Element) for child in element):
            continue
        text = " ".join(element.text.split())
        classes = set((element.attr("class") or "").split())
        part = next((part for name, part in _CONTENT.items() if name in classes), None)
        if not text:
            continue
        if part is None:
            comments.append(text)
        else:
            found.append((part, text))
    parts = {
        name: "\n".join(text for part, text in found if part == name)
        for name in _CONTENT.values()
        if any(part == name for part, _ in found)
    }
    return "\n".join(text for _, text in found), parts, "\n".join(comments)


@dataclass(frozen=True, slots=True)
class L3S:
    """``input/ID.html`` and ``GoldStandard/ID.txt`` (or ``original/`` and ``annotated/``), the gold marked HTML."""

    name: ClassVar[str] = "l3s-gn1"
    shape: ClassVar[str] = "input/*.html, GoldStandard/*.txt of HTML with classes x-nc-sel1..3"
    pairs: ClassVar[Pairs] = Pairs((("input", "GoldStandard"), ("original", "annotated")))

    def fits(self, folder: Path) -> bool:
        """Return whether the gold has the marker's classes."""
        return b"x-nc-sel" in self.pairs.gold_sample(folder)

    def ids(self, folder: Path) -> list[str]:
        """Return the names of the pages."""
        return self.pairs.ids(folder)

    def read(self, folder: Path, page_id: str) -> LabelledPage:
        """Read one page."""
        page, gold = self.pairs.files(folder, page_id)
        data = read_bytes(page)
        if not data.strip():
            raise CorpusError("the page is empty")
        html, encoding = decode_markup(data)
        text, parts, comments = read_gold(decode_markup(read_bytes(gold))[0])
        return LabelledPage(
            id=page_id,
            html=html,
            gold=text,
            page_type="article",
            parts=parts,
            comments=comments or None,
            encoding=encoding,
        )
