"""TEI as trafilatura arranges it: a header with the metadata, a division with the content, one with the comments."""

from copy import deepcopy
from datetime import UTC, datetime
from typing import Any, Final

from tamis.compat.trafilatura_document import Document
from tamis.compat.trafilatura_tree import etree, write_tree, xml_text

# ruff: noqa: ANN401 (elements are those of lxml or of the standard library)

_NAMESPACE: Final = "http://www.tei-c.org/ns/1.0"
#: Elements of the header that contain nothing but elements.
_CONTAINERS: Final = frozenset(
    {
        "TEI",
        "abstract",
        "appInfo",
        "application",
        "availability",
        "biblFull",
        "creation",
        "encodingDesc",
        "fileDesc",
        "keywords",
        "notesStmt",
        "profileDesc",
        "publicationStmt",
        "sourceDesc",
        "teiHeader",
        "text",
        "textClass",
        "titleStmt",
    }
)


def write_tei(document: Document) -> str:
    """Return a document as TEI, without an XML declaration: parsers of strings refuse one that names an encoding."""
    tree = etree()
    root = tree.Element("TEI", {"xmlns": _NAMESPACE})
    _Header(document).write(root)
    text = tree.SubElement(tree.SubElement(root, "text"), "body")
    for name, body in (("entry", document.body), ("comments", document.commentsbody)):
        division = tree.SubElement(text, "div", {"type": name})
        division.extend(deepcopy(list(body)))
        _convert(tree, division)
    return write_tree(root, _CONTAINERS)


def _convert(tree: Any, division: Any) -> None:
    """Change the elements of trafilatura's XML that TEI has not, or not in this place."""
    for head in list(division.iter("head")):
        head.tag = "ab"
        head.set("type", "header")
    for graphic in list(division.iter("graphic")):
        graphic.set("url", graphic.attrib.pop("src"))
        if alt := graphic.attrib.pop("alt", None):
            tree.SubElement(graphic, "desc").text = alt
    for parent in [division, *division.iter("quote")]:
        for index, child in enumerate(list(parent)):
            if child.tag == "code":  # a phrase in TEI, not a block
                parent[index] = tree.Element("p")
                parent[index].append(child)


class _Header:
    """Writes the header."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._tree = etree()

    def write(self, root: Any) -> None:
        from importlib.metadata import version  # noqa: PLC0415 (loads much; no other format needs it)

        document = self._document
        header = self._add(root, "teiHeader")
        description = self._add(header, "fileDesc")
        self._title(description)
        publication = self._add(description, "publicationStmt")
        if document.license:
            self._add(publication, "publisher", self._publisher())
            self._add(self._add(publication, "availability"), "p", document.license)
        else:
            self._add(publication, "p")
        notes = [("id", document.id), ("fingerprint", document.fingerprint)]
        if any(value for _, value in notes):
            element = self._add(description, "notesStmt")
            for name, value in notes:
                if value:
                    self._add(element, "note", value, type=name)
        self._source(self._add(description, "sourceDesc"))
        self._profile(self._add(header, "profileDesc"))
        information = self._add(self._add(header, "encodingDesc"), "appInfo")
        application = self._add(information, "application", version=version("tamis"), ident="tamis")
        self._add(application, "label", "Tamis")

    def _title(self, parent: Any) -> None:
        statement = self._add(parent, "titleStmt")
        self._add(statement, "title", self._document.title, type="main")
        for author in (self._document.author or "").split("; "):
            if author:
                self._add(statement, "author", author)

    def _publisher(self) -> str:
        site, host = self._document.sitename, self._document.hostname
        return f"{site} ({host})" if site and host else site or host or "N/A"

    def _source(self, parent: Any) -> None:
        document = self._document
        sigle = ", ".join(filter(None, (document.sitename, document.date)))
        self._add(parent, "bibl", ", ".join(filter(None, (document.title, sigle))))
        self._add(parent, "bibl", sigle, type="sigle")
        full = self._add(parent, "biblFull")
        self._title(full)
        publication = self._add(full, "publicationStmt")
        self._add(publication, "publisher", self._publisher())
        if document.url:
            self._add(publication, "ptr", type="URL", target=document.url)
        if document.date:
            self._add(publication, "date", document.date)

    def _profile(self, parent: Any) -> None:
        document = self._document
        self._add(self._add(parent, "abstract"), "p", document.description)
        terms = [("categories", document.categories), ("tags", document.tags)]
        if any(values for _, values in terms):
            keywords = self._add(self._add(parent, "textClass"), "keywords")
            for name, values in terms:
                if values:
                    self._add(keywords, "term", ",".join(values), type=name)
        day = document.filedate or datetime.now(UTC).date().isoformat()
        self._add(self._add(parent, "creation"), "date", day, type="download")

    def _add(self, parent: Any, name: str, text: object = None, **attributes: str) -> Any:
        clean = {key: xml_text(value) for key, value in attributes.items()}
        element = self._tree.SubElement(parent, name, clean)
        if text:
            element.text = xml_text(str(text))
        return element
