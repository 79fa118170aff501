"""The citation of a page: BibTeX and CSL-JSON, from its metadata and what scholarly pages declare."""

import json
import re
import unicodedata
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from tamis.metadata.fields import Metadata
from tamis.render.registry import DEFAULT, Rendered, RenderOptions

if TYPE_CHECKING:
    from tamis.render.content import Content

#: What TeX reads as a command, and how BibTeX writes it.
_TEX: Final = str.maketrans({char: f"\\{char}" for char in "&%$#_"} | {"{": "", "}": "", "\\": ""})
#: The type of an entry by the part of the citation that the page has: of BibTeX, of CSL.
_TYPES: Final = (
    ("journal", "article", "article-journal"),
    ("conference", "inproceedings", "paper-conference"),
    ("book", "incollection", "chapter"),
    ("report_number", "techreport", "report"),
    ("institution", "phdthesis", "thesis"),
    ("isbn", "book", "book"),
)


def write_bibtex(content: "Content", options: RenderOptions) -> Rendered:
    """Return the citation of a page as an entry of BibTeX."""
    return Rendered(render_bibtex([(content, None)], options).rstrip("\n"), {})


def render_bibtex(contents: "Iterable[tuple[Content, str | None]]", options: RenderOptions = DEFAULT) -> str:
    r"""Return the citations of some pages as BibTeX, with a key for each.

    >>> import tamis
    >>> html = "<meta name=citation_doi content=10.1000/182><meta name=citation_journal_title content='Tea & Water'>"
    >>> html += "<meta name=citation_author content='Lee, Ann'><meta name=citation_date content=2024/05/01>"
    >>> page = f"{html}<h1>Leaves</h1>"
    >>> print(tamis.extract(page, "https://e.org/a", extractor="body").render("bibtex").text)
    @article{lee2024leaves,
      title = {{Leaves}},
      author = {Ann Lee},
      year = {2024},
      month = {5},
      journal = {Tea \& Water},
      doi = {10.1000/182},
      url = {https://e.org/a}
    }
    """
    del options  # a citation has no options
    entries: dict[str, str] = {}
    for content, _ in contents:
        key = base = _key(content.metadata)
        number = ord("a")
        while key in entries:
            number += 1
            key = f"{base}{chr(number)}" if number <= ord("z") else f"{base}{number}"
        entries[key] = _entry(key, content.metadata)
    return "".join(f"{entry}\n" for entry in entries.values())


def _entry(key: str, metadata: Metadata) -> str:
    parts, kind = metadata.citation, _types(metadata)[0]
    pages = "--".join(parts[part] for part in ("first_page", "last_page") if part in parts)
    container = {"inproceedings": "booktitle", "incollection": "booktitle", "article": "journal"}.get(kind)
    names = {
        "title": f"{{{_tex(metadata.title)}}}" if metadata.title else "",
        "author": _tex(" and ".join(metadata.authors)),
        "year": (metadata.date or "")[:4],
        "month": (metadata.date or "")[5:7].lstrip("0"),
        container or "": _tex(parts.get("journal") or parts.get("conference") or parts.get("book")),
        "volume": _tex(parts.get("volume")),
        "number": _tex(parts.get("issue") or parts.get("report_number")),
        "pages": _tex(pages),
        "publisher": _tex(parts.get("publisher")),
        ("school" if kind == "phdthesis" else "institution"): _tex(parts.get("institution")),
        "issn": parts.get("issn", ""),
        "isbn": parts.get("isbn", ""),
        "doi": metadata.doi or "",
        "howpublished": _tex(metadata.site) if kind == "misc" else "",
        "url": (metadata.canonical or metadata.url or "").translate({ord("{"): None, ord("}"): None}),
    }
    lines = [f"  {name} = {{{value}}}" for name, value in names.items() if name and value]
    return "\n".join([f"@{kind}{{{key},", ",\n".join(lines), "}"])


def write_csl(content: "Content", options: RenderOptions) -> Rendered:
    """Return the citation of a page as CSL-JSON: a list of one item."""
    return Rendered(render_csl([(content, None)], options).rstrip("\n"), {})


def render_csl(contents: "Iterable[tuple[Content, str | None]]", options: RenderOptions = DEFAULT) -> str:
    """Return the citations of some pages as CSL-JSON, which reference managers read."""
    del options  # a citation has no options
    return json.dumps([_csl_item(content.metadata) for content, _ in contents], ensure_ascii=False, indent=2) + "\n"


def _csl_item(metadata: Metadata) -> dict[str, Any]:
    parts = metadata.citation
    container = parts.get("journal") or parts.get("conference") or parts.get("book") or metadata.site
    names = [name.rpartition(" ") for name in metadata.authors]
    item = {
        "id": metadata.doi or metadata.canonical or metadata.url or _key(metadata),
        "type": _types(metadata)[1],
        "title": metadata.title,
        "author": [
            {"family": family, "given": given} if given else {"literal": family} for given, _, family in names
        ],
        "issued": {"date-parts": [[int(part) for part in metadata.date.split("-")]]} if metadata.date else None,
        "container-title": container,
        "volume": parts.get("volume"),
        "issue": parts.get("issue"),
        "number": parts.get("report_number"),
        "page": "-".join(parts[part] for part in ("first_page", "last_page") if part in parts),
        "publisher": parts.get("publisher") or parts.get("institution") or metadata.publisher,
        "ISSN": parts.get("issn"),
        "ISBN": parts.get("isbn"),
        "PMID": parts.get("pmid"),
        "DOI": metadata.doi,
        "URL": metadata.canonical or metadata.url,
        "language": metadata.language,
        "abstract": metadata.description,
    }
    return {name: value for name, value in item.items() if value}


def _types(metadata: Metadata) -> tuple[str, str]:
    """Return the type of the entry, of BibTeX and of CSL."""
    for part, bibtex, csl in _TYPES:
        if part in metadata.citation:
            return bibtex, csl
    return ("article", "article") if metadata.doi else ("misc", "webpage")


def _key(metadata: Metadata) -> str:
    """Return the key of an entry: the first author's last name, the year, and the first long word of the title."""
    words = [word for word in re.findall(r"\w+", metadata.title or "") if len(word) > 3]  # noqa: PLR2004 (not "the")
    author = metadata.authors[0].split()[-1] if metadata.authors else metadata.site or "page"
    text = f"{author}{(metadata.date or '')[:4]}{words[0] if words else ''}"
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"\W", "", plain) or "page"


def _tex(text: str | None) -> str:
    return (text or "").translate(_TEX)
