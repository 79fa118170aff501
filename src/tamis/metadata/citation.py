"""What scholarly pages tell about their publication: Highwire Press, PRISM and Dublin Core in ``meta``, JSON-LD."""

import re
from typing import Final

from tamis.html.text import safe_url
from tamis.metadata.source import MetadataSource
from tamis.metadata.structured import Sourced, as_list, item_types, text_values

_DOI: Final = re.compile(r"\b10\.\d{4,9}/[^\s\"'<>&?#]{1,200}")
_DOI_NAMES: Final = (
    "citation_doi", "prism.doi", "bepress_citation_doi", "dc.identifier.doi", "dc.identifier", "dcterms.identifier",
    "doi", "eprints.doi", "rft_id",
)  # fmt: skip
#: The parts of a citation, and the ``meta`` names that have them: Highwire, PRISM, Eprints, BE Press, Dublin Core.
_NAMES: Final[dict[str, tuple[str, ...]]] = {
    "journal": (
        "citation_journal_title", "prism.publicationname", "bepress_citation_journal_title", "eprints.publication",
        "dc.relation.ispartof",
    ),
    "book": ("citation_book_title", "citation_inbook_title"),
    "conference": ("citation_conference_title", "citation_conference", "eprints.event_title"),
    "institution": (
        "citation_dissertation_institution", "citation_technical_report_institution", "eprints.institution",
    ),
    "volume": ("citation_volume", "prism.volume", "bepress_citation_volume", "dc.citation.volume", "eprints.volume"),
    "issue": ("citation_issue", "prism.number", "bepress_citation_issue", "dc.citation.issue", "eprints.number"),
    "first_page": ("citation_firstpage", "prism.startingpage", "bepress_citation_firstpage", "dc.citation.spage"),
    "last_page": ("citation_lastpage", "prism.endingpage", "bepress_citation_lastpage", "dc.citation.epage"),
    "publisher": ("citation_publisher", "dc.publisher", "dcterms.publisher", "eprints.publisher"),
    "issn": ("citation_issn", "prism.issn", "prism.eissn", "bepress_citation_issn", "eprints.issn"),
    "isbn": ("citation_isbn", "prism.isbn", "eprints.isbn"),
    "pmid": ("citation_pmid",),
    "arxiv": ("citation_arxiv_id",),
    "pdf": ("citation_pdf_url", "bepress_citation_pdf_url", "eprints.document_url"),
    "report_number": ("citation_technical_report_number",),
}  # fmt: skip
#: The same in JSON-LD of a scholarly article, and in the volume, the issue and the journal that it is part of.
_PROPERTIES: Final = {
    "volume": "volumeNumber", "issue": "issueNumber", "first_page": "pageStart", "last_page": "pageEnd",
    "issn": "issn", "isbn": "isbn",
}  # fmt: skip
_JOURNALS: Final = frozenset({"periodical", "journal", "newspaper"})
_SCHOLARLY: Final = frozenset({"scholarlyarticle", "medicalscholarlyarticle", "thesis", "report", "chapter", "book"})
_MAX_LEVELS: Final = 4  #: article, issue, volume, journal
#: Parts that only a publication has: without one of them, a page is not cited as one.
_OF_PUBLICATIONS: Final = frozenset(_NAMES) - {"publisher", "pdf", "isbn"}


def find_doi(source: MetadataSource) -> Sourced[str] | None:
    """Return the DOI of a page, in lower-case scheme and without the resolver.

    >>> from tamis.metadata.structured import read_structured
    >>> from tamis.page import parse_page
    >>> page = parse_page("<meta name=citation_doi content='https://doi.org/10.1000/182'>")
    >>> find_doi(MetadataSource(read_structured(page)))
    Sourced(value='10.1000/182', source='meta citation_doi')
    """
    values = [*source.structured.metas(*_DOI_NAMES)]
    for item in source.structured.main_items[:1]:
        for name in ("identifier", "sameAs", "doi", "@id"):
            entries = [entry.get("value") if isinstance(entry, dict) else entry for entry in as_list(item.get(name))]
            values += [Sourced(text, f"json-ld {name}") for text in entries if isinstance(text, str)]
    for value in values:
        found = _DOI.search(value.value[:400])
        if found:
            return Sourced(found[0].rstrip(".,;)"), value.source)
    return None


def find_citation(source: MetadataSource) -> Sourced[dict[str, str]] | None:
    """Return the parts of the citation of a scholarly page: journal, volume, issue, pages, ISSN and so on."""
    structured = source.structured
    parts: dict[str, str] = {}
    first = ""
    for part, names in _NAMES.items():
        value = structured.first_meta(*names)
        if value is not None:
            parts[part], first = value.value, first or value.source
    for item in structured.main_items[:1]:
        if _SCHOLARLY.isdisjoint(item_types(item)):
            continue
        for part, text in _json_ld_parts(item).items():
            if part not in parts:
                parts[part], first = text, first or "json-ld"
    if "pdf" in parts:
        url = safe_url(parts.pop("pdf"), source.base_url)
        parts |= {"pdf": url} if url else {}
    if _OF_PUBLICATIONS.isdisjoint(parts):
        return None
    return Sourced({part: parts[part] for part in _NAMES if part in parts}, first)


def _json_ld_parts(item: object) -> dict[str, str]:
    parts: dict[str, str] = {}
    for _ in range(_MAX_LEVELS):
        if not isinstance(item, dict):
            break
        for part, name in _PROPERTIES.items():
            value = next(iter(as_list(item.get(name))), None)
            if isinstance(value, str | int):
                parts.setdefault(part, str(value)[:100])
        if not _JOURNALS.isdisjoint(item_types(item)):
            for name in text_values(item.get("name"))[:1]:
                parts.setdefault("journal", name)
        item = next(iter(as_list(item.get("isPartOf"))), None)
    return parts
