"""The output formats of the interface of trafilatura: the same names, keys and order of fields."""

import csv
import io
import json
from copy import deepcopy
from datetime import UTC, datetime
from html import escape
from typing import Any, Final

from tamis.api import Extraction
from tamis.compat.marked_text import WithoutEmphasis
from tamis.compat.trafilatura_document import Document
from tamis.compat.trafilatura_tree import Shown, etree, write_tree, xml_text
from tamis.render.html import render_html
from tamis.render.registry import RenderOptions
from tamis.render.shown import shown_document

FORMATS: Final = frozenset({"csv", "html", "json", "markdown", "python", "txt", "xml", "xmltei"})
_FRONT_MATTER: Final = (
    "title",
    "author",
    "url",
    "hostname",
    "description",
    "sitename",
    "date",
    "categories",
    "tags",
    "fingerprint",
    "id",
    "license",
)
_COLUMNS: Final = (
    "url",
    "id",
    "fingerprint",
    "hostname",
    "title",
    "image",
    "date",
    "text",
    "comments",
    "license",
    "pagetype",
)
#: The attributes of XML and the ``meta`` elements of HTML, in trafilatura's order.
_ATTRIBUTES: Final = (
    "sitename",
    "title",
    "author",
    "date",
    "url",
    "hostname",
    "description",
    "categories",
    "tags",
    "license",
    "id",
    "fingerprint",
    "language",
)
_YAML_WORDS: Final = frozenset({"yes", "no", "on", "off", "true", "false", "null", "y", "n"})
#: The last keys of JSON, by attribute; the first have the names of the attributes.
_LAST_KEYS: Final = {
    "url": "source",
    "sitename": "source-hostname",
    "description": "excerpt",
    "categories": "categories",
    "tags": "tags",
}


def write(extraction: Extraction, document: Document, form: str, shown: Shown, *, with_metadata: bool) -> str:
    """Return a document in one of `FORMATS`."""
    match form:
        case "json":
            return _json(document, with_metadata=with_metadata)
        case "csv":
            return _csv(document)
        case "xml":
            return _xml(document)
        case "xmltei":
            return write_tei(document)
        case "html":
            return _html(extraction, document, shown, with_metadata=with_metadata)
        case _:
            text = "\n".join(filter(None, (document.text, document.comments)))
    return _front_matter(document) + text if with_metadata else text


def _front_matter(document: Document) -> str:
    """Return the metadata as YAML. What YAML could read as anything but a string is written as JSON."""
    values = {name: value for name in _FRONT_MATTER if (value := getattr(document, name))}
    lines = [
        f"{name}: {value if _is_plain(name, value) else json.dumps(value, ensure_ascii=False)}"
        for name, value in values.items()
    ]
    return "\n".join(["---", *lines, "---", ""])


def _is_plain(name: str, value: str | list[str]) -> bool:
    if isinstance(value, list) or name in {"date", "fingerprint", "id"} or value.lower() in _YAML_WORDS:
        return False
    return (
        value[0].isalpha()
        and value.isprintable()
        and ": " not in value
        and " #" not in value
        and value[-1] not in ": "
    )


def _json(document: Document, *, with_metadata: bool) -> str:
    if not with_metadata:
        values: dict[str, Any] = {"text": document.text, "comments": document.comments}
    else:
        fields = document.as_dict()
        values = {name: fields[name] for name in fields if name not in {"body", "commentsbody", *_LAST_KEYS}}
        for name, key in _LAST_KEYS.items():
            values[key] = ";".join(fields[name]) if isinstance(fields[name], list) else fields[name]
    return json.dumps(values, ensure_ascii=False)


def _csv(document: Document) -> str:
    out = io.StringIO()
    values = [getattr(document, name) or "null" for name in _COLUMNS]
    csv.writer(out, delimiter="\t", quoting=csv.QUOTE_MINIMAL).writerow(values)
    return out.getvalue()


def _attributes(document: Document) -> dict[str, str]:
    """Return the metadata that XML and HTML write, as strings."""
    values = {name: getattr(document, name) for name in _ATTRIBUTES}
    return {
        name: xml_text(";".join(value) if isinstance(value, list) else str(value))
        for name, value in values.items()
        if value
    }


def _xml(document: Document) -> str:
    tree = etree()
    root = tree.Element("doc", _attributes(document))
    for name, body in (("main", document.body), ("comments", document.commentsbody)):
        tree.SubElement(root, name).extend(deepcopy(list(body)))  # the caller keeps the document
    return write_tree(root)


def _html(extraction: Extraction, document: Document, shown: Shown, *, with_metadata: bool) -> str:
    head = ""
    if with_metadata:
        pairs = _attributes(document).items()
        head = "".join(f'<meta name="{name}" content="{escape(value)}"/>' for name, value in pairs)
        head = f"<head>{head}</head>"
    options = RenderOptions(
        comments=shown.comments, tables=shown.tables, images=shown.images, links=shown.links, title=False
    )
    content, _ = shown_document(extraction, options)
    if not shown.formatting:
        content = WithoutEmphasis().document(content)
    return f"<html>{head}<body>{render_html(content, options).text}</body></html>"


# TEI as trafilatura arranges it: a header with the metadata, a division with the content, one with the comments.

# ruff: noqa: ANN401 (elements are those of lxml or of the standard library)

_NAMESPACE: Final = "http://www.tei-c.org/ns/1.0"
#: Elements of the header that contain nothing but elements.
_TEI_CONTAINERS: Final = frozenset(
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
    return write_tree(root, _TEI_CONTAINERS)


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
