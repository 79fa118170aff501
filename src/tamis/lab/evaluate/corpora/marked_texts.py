"""Corpora with marks in their gold texts: CleanEval, L3S-GN1 and Dragnet."""

import re
from pathlib import Path
from typing import Any, Final

import turbohtml

from tamis.lab.evaluate.corpora.reader import CorpusReader, NamedFiles, decode_markup, decode_text, read_bytes

#: Dragnet appends a suffix to the full name of the page.
_GOLD_SUFFIXES: Final = (".html.corrected.txt", ".txt", ".html", ".htm")


def _pair(pages: str, golds: str) -> tuple[NamedFiles, NamedFiles]:
    return NamedFiles(pages), NamedFiles(golds, _GOLD_SUFFIXES)


# CleanEval and CleanPortalEval: pages in a ``<text …>`` element, gold texts with ``<h> <p> <l>`` tags.
#
# M. Baroni, F. Chantree, A. Kilgarriff, S. Sharoff: CleanEval: a competition for cleaning web pages. LREC 2008.
# I. Endrédy, A. Novák: More effective boilerplate removal: the GoldMiner algorithm. Polibits 48 (2013).

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


def read_cleaneval_gold(text: str) -> tuple[str, dict[str, str], str | None]:
    r"""Return the gold text without tags, with one paragraph per block; its parts by tag; and the URL.

    The lines of a block are joined: the browser from which the annotators copied had wrapped them.

    >>> read_cleaneval_gold("URL: http://a.org\n<h>Tea\n<p>Pour\n  the tea.\n<l>a cup")
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


class CleanEval(CorpusReader):
    """``input/ID.html`` and ``GoldStandard/ID.txt``, the latter with ``<h> <p> <l>`` tags below a line ``URL: …``."""

    name = "cleaneval"
    files = "input/*.html, GoldStandard/*.txt with <h> <p> <l> tags"
    pairs = (_pair("input", "GoldStandard"),)

    def recognizes(self, folder: Path) -> bool:
        """Return whether the gold texts have a line ``URL:`` or tags."""
        return bool(re.search(rb"^\s*(?:URL:|<[hpl]>)", self.gold_sample(folder), re.IGNORECASE | re.MULTILINE))

    def unwrap(self, data: bytes) -> tuple[bytes, dict[str, Any]]:
        """Return a page without its wrapper, and the URL and the encoding that this declares."""
        markup, url, encoding = unwrap(data)
        return markup, {"url": url, "encoding": encoding}

    def labels(self, gold: Path, _html: str) -> dict[str, Any]:
        """Return the gold text with its parts."""
        text, parts, url = read_cleaneval_gold(decode_text(read_bytes(gold)))
        return {"gold": text, "parts": parts} | ({"url": url} if url else {})


# L3S-GN1: news pages, with copies in which each text has a class as its label.
#
# C. Kohlschütter, P. Fankhauser, W. Nejdl: Boilerplate detection using shallow text features. WSDM 2010.

#: The classes that mean content. 0 is unlabelled, 4 user comments, 5 related links.
_PART_OF_CLASS: Final = {"x-nc-sel1": "headline", "x-nc-sel2": "body", "x-nc-sel3": "supplement"}
_COMMENT_CLASS: Final = "x-nc-sel4"
_SELECTOR: Final = ",".join(f".{name}" for name in (*_PART_OF_CLASS, _COMMENT_CLASS))


def read_l3s_gold(html: str) -> tuple[str, dict[str, str], str]:
    r"""Return the gold text, its parts, and the user comments.

    Only elements without element children count: the annotation tool also put the classes on their ancestors.

    >>> read_l3s_gold('<div class=x-nc-sel2><span class=x-nc-sel1>Tea</span><span class=x-nc-sel2>Pour.</span></div>')
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


class L3S(CorpusReader):
    """``input/ID.html`` and ``GoldStandard/ID.txt`` (or ``original/`` and ``annotated/``), the gold labelled HTML."""

    name = "l3s-gn1"
    files = "input/*.html, GoldStandard/*.txt of HTML with classes x-nc-sel1..3"
    pairs = (_pair("input", "GoldStandard"), _pair("original", "annotated"))

    def recognizes(self, folder: Path) -> bool:
        """Return whether the gold files have the classes of the annotation tool."""
        return b"x-nc-sel" in self.gold_sample(folder)

    def labels(self, gold: Path, _html: str) -> dict[str, Any]:
        """Return the gold text with its parts, and the comments."""
        text, parts, comments = read_l3s_gold(decode_markup(read_bytes(gold))[0])
        return {"gold": text, "page_type": "article", "parts": parts, "comments": comments or None}


# Dragnet: gold texts with comments after a marker.
#
# M. Peters, D. Lecocq: Content extraction using diverse feature sets. WWW 2013 companion.

#: The line between content and comments in a gold file, from the README of the corpus. The spaces after it vary.
_MARKER: Final = "!@#$%^&*()"


def read_dragnet_gold(text: str) -> tuple[str, str | None]:
    r"""Return the content and the comments of a gold file.

    >>> read_dragnet_gold("The news.\n!@#$%^&*()  COMMENTS\nFirst!")
    ('The news.', 'First!')
    """
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if line.strip().startswith(_MARKER):
            return "\n".join(lines[:number]).strip(), "\n".join(lines[number + 1 :]).strip()
    return text.strip(), None


class Dragnet(CorpusReader):
    """``input/ID.html`` and ``GoldStandard/ID.txt``, or ``HTML/`` and ``Corrected/`` as first published.

    Formats with tags in their gold texts are tried before this one.
    """

    name = "dragnet"
    files = "input/*.html, GoldStandard/*.txt (or HTML/, Corrected/) with a COMMENTS marker"
    pairs = (_pair("input", "GoldStandard"), _pair("HTML", "Corrected"))

    def labels(self, gold: Path, _html: str) -> dict[str, Any]:
        """Return the gold text and the comments."""
        text, comments = read_dragnet_gold(decode_text(read_bytes(gold)))
        return {"gold": text, "comments": comments}
