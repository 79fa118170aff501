"""L3S-GN1: news pages, with copies in which each text has a class as its label.

C. Kohlschütter, P. Fankhauser, W. Nejdl: Boilerplate detection using shallow text features. WSDM 2010.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Final

import turbohtml

from tamis.errors import CorpusError
from tamis.evaluate.corpora.decode import decode_markup, read_bytes
from tamis.evaluate.corpora.page import LabelledPage
from tamis.evaluate.corpora.reader import FolderPair

#: The classes that mean content. 0 is unlabelled, 4 user comments, 5 related links.
_PART_OF_CLASS: Final = {"x-nc-sel1": "headline", "x-nc-sel2": "body", "x-nc-sel3": "supplement"}
_COMMENT_CLASS: Final = "x-nc-sel4"
_SELECTOR: Final = ",".join(f".{name}" for name in (*_PART_OF_CLASS, _COMMENT_CLASS))


def read_gold(html: str) -> tuple[str, dict[str, str], str]:
    r"""Return the gold text, its parts, and the user comments.

    Only elements without element children count: the annotation tool also put the classes on their ancestors.

    >>> read_gold('<div class=x-nc-sel2><span class=x-nc-sel1>Tea</span><span class=x-nc-sel2>Pour.</span></div>')
    ('Tea\nPour.', {'headline': 'Tea', 'body': 'Pour.'}, '')
    """
    texts: list[tuple[str, str]] = []
    comments: list[str] = []
    for element in turbohtml.parse(html, positions=False).select(_SELECTOR):
        if any(isinstance(child, turbohtml.Element) for child in element):
            continue
        text = " ".join(element.text.split())
        classes = set((element.attr("class") or "").split())
        part = next((part for name, part in _PART_OF_CLASS.items() if name in classes), None)
        if not text:
            continue
        if part is None:
            comments.append(text)
        else:
            texts.append((part, text))
    parts = {
        name: "\n".join(text for part, text in texts if part == name)
        for name in _PART_OF_CLASS.values()
        if any(part == name for part, _ in texts)
    }
    return "\n".join(text for _, text in texts), parts, "\n".join(comments)


@dataclass(frozen=True, slots=True)
class L3S:
    """``input/ID.html`` and ``GoldStandard/ID.txt`` (or ``original/`` and ``annotated/``), the gold labelled HTML."""

    name: ClassVar[str] = "l3s-gn1"
    files: ClassVar[str] = "input/*.html, GoldStandard/*.txt of HTML with classes x-nc-sel1..3"
    folders: ClassVar[FolderPair] = FolderPair((("input", "GoldStandard"), ("original", "annotated")))

    def recognizes(self, folder: Path) -> bool:
        """Return whether the gold files have the classes of the annotation tool."""
        return b"x-nc-sel" in self.folders.gold_sample(folder)

    def page_ids(self, folder: Path) -> list[str]:
        """Return the names of the pages."""
        return self.folders.page_ids(folder)

    def read(self, folder: Path, page_id: str) -> LabelledPage:
        """Read one page."""
        page, gold = self.folders.files(folder, page_id)
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
