"""The output formats of the interface of trafilatura: the same names, keys and order of fields."""

import csv
import io
import json
from dataclasses import dataclass
from html import escape
from typing import Any, Final

from tamis.api import Extraction
from tamis.compat.marked_text import Marks, marked_text
from tamis.compat.trafilatura_document import Document, etree, xml_text

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
_YAML_WORDS: Final = frozenset({"yes", "no", "on", "off", "true", "false", "null", "y", "n"})
#: The last keys of JSON, by attribute; the first have the names of the attributes.
_LAST_KEYS: Final = {
    "url": "source",
    "sitename": "source-hostname",
    "description": "excerpt",
    "categories": "categories",
    "tags": "tags",
}


@dataclass(frozen=True, slots=True)
class Shown:
    """What an output shows.

    Attributes:
        comments: readers' comments.
        tables: tables.
        images: images.
        links: the URLs of links.
        formatting: headings, emphasis and lists of plain text, as Markdown.
    """

    comments: bool = True
    tables: bool = True
    images: bool = False
    links: bool = False
    formatting: bool = False


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
            return _xml(document, with_metadata=with_metadata)
        case "xmltei":
            return _render(extraction, "xml", shown)
        case "html":
            return _html(extraction, document, shown, with_metadata=with_metadata)
        case "markdown":
            text = _render(extraction, "markdown", shown)
        case _:
            text = "\n".join(filter(None, (document.text, document.comments)))
    return _front_matter(document) + text if with_metadata else text


def _render(extraction: Extraction, name: Any, shown: Shown) -> str:  # noqa: ANN401 (one of the names above)
    return extraction.render(
        name, comments=shown.comments, tables=shown.tables, images=shown.images, links=shown.links, title=False
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


def _xml(document: Document, *, with_metadata: bool) -> str:
    tree = etree()
    root = tree.Element("doc")
    for name in _FRONT_MATTER if with_metadata else ("fingerprint",):
        if value := getattr(document, name):
            root.set(name, xml_text(";".join(value) if isinstance(value, list) else value))
    main, comments = tree.SubElement(root, "main"), tree.SubElement(root, "comments")
    main.extend(list(document.body))
    comments.extend(list(document.commentsbody))
    tree.indent(root)
    text: str = tree.tostring(root, encoding="unicode")
    return text


def _html(extraction: Extraction, document: Document, shown: Shown, *, with_metadata: bool) -> str:
    head = ""
    if with_metadata:
        values = {name: getattr(document, name) for name in _FRONT_MATTER}
        pairs = {
            name: ";".join(value) if isinstance(value, list) else value for name, value in values.items() if value
        }
        tags = "".join(f'<meta name="{name}" content="{escape(value)}"/>' for name, value in pairs.items())
        head = f"<head>{tags}</head>"
    return f"<html>{head}<body>{_render(extraction, 'html', shown)}</body></html>"
