"""The output formats of the interface of trafilatura: the same names, keys and order of fields."""

import csv
import io
import json
from copy import deepcopy
from html import escape
from typing import Any, Final

from tamis.api import Extraction
from tamis.compat.marked_text import Marks, marked_text
from tamis.compat.rewrite import WithoutEmphasis
from tamis.compat.trafilatura_document import Document
from tamis.compat.trafilatura_tei import write_tei
from tamis.compat.trafilatura_tree import Shown, etree, write_tree, xml_text
from tamis.render.content import shown_document
from tamis.render.html import render_html
from tamis.render.options import RenderOptions

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


def plain_lines(extraction: Extraction, shown: Shown) -> str:
    """Return the content as trafilatura writes plain text: a line per paragraph, or Markdown with formatting."""
    if shown.formatting:
        return extraction.render(
            "markdown", tables=shown.tables, images=shown.images, links=shown.links, title=False
        ).text
    if shown.links or shown.images:
        marks = Marks(links="markdown" if shown.links else "", images="markdown" if shown.images else "")
        text = marked_text(extraction.document, marks, tables=shown.tables)
    else:
        text = extraction.text if shown.tables else extraction.render("text", tables=False).text
    return "\n".join(line for line in text.splitlines() if line.strip())


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
        case "markdown" if shown.formatting:
            text = _markdown(extraction, shown)
        case _:
            text = "\n".join(filter(None, (document.text, document.comments)))
    return _front_matter(document) + text if with_metadata else text


def _markdown(extraction: Extraction, shown: Shown) -> str:
    return extraction.render(
        "markdown", comments=shown.comments, tables=shown.tables, images=shown.images, links=shown.links, title=False
    ).text


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
