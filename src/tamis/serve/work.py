"""What a worker process does with a page: extract it, write it in the form that was asked for, sanitise it last."""

import json

from tamis.api import Extraction, extract
from tamis.errors import EncodingNameError
from tamis.extractors import registry
from tamis.render.front_matter import front_matter, html_head
from tamis.render.json import as_dict
from tamis.serve.index_pages import grouped_links, is_catalogue
from tamis.serve.jobs import MEDIA_TYPES, Answer, Job
from tamis.serve.pages import BARE_POLICY
from tamis.serve.reader import reader_page
from tamis.serve.sanitize import clean


def answer(job: Job) -> Answer:
    r"""Do a job.

    >>> answer(Job("<h1>Tea</h1><p>Boil water.", form="markdown", options={"extractor": "body"})).body
    b'# Tea\n\nBoil water.\n'
    """
    if job.form == "extractors":
        return _extractors()
    found = _extracted(job)
    policy = BARE_POLICY
    match job.form:
        case "reader":
            text, policy = reader_page(found, job.look)
        case "simple":
            text = _simple(found)
        case "json":
            text = json.dumps(as_dict(found), ensure_ascii=False, separators=(",", ":"))
        case "html":
            text = _clean_html(found)
        case "txt":
            text = found.text + "\n" if found.text else ""
        case _:
            text = found.markdown + "\n" if found.markdown else ""
    kind = MEDIA_TYPES.get(job.form) or MEDIA_TYPES["html" if job.form == "reader" else "markdown"]
    return Answer(text.encode("utf-8", "replace"), kind, policy, found.empty_reason)


def _extractors() -> Answer:
    found = [registry.get(name) for name in registry.names()]
    values = [{"name": one.name, "summary": one.summary, "source": one.source} for one in found]
    return Answer(json.dumps({"extractors": values}, ensure_ascii=False).encode(), MEDIA_TYPES["json"])


def _extracted(job: Job) -> Extraction:
    try:
        return extract(job.markup, job.url, encoding=job.encoding, **job.options)
    except EncodingNameError:
        # A server that names an encoding that is none does not know; the page itself may.
        return extract(job.markup, job.url, **job.options)


def _clean_html(found: Extraction) -> str:

    body = clean(found.render("html", with_metadata=False).text)
    if not found.render_options.with_metadata:
        return body
    direction = found.document.direction
    return f'<!doctype html>\n<html dir="{direction}">{html_head(found.metadata)}<body>{body}</body></html>'


def _simple(found: Extraction) -> str:
    """Return Markdown with what is known about the page first; of a page without content, its links."""
    groups = grouped_links(found.page, found.url) if is_catalogue(found) else []
    if not groups:
        return found.render("markdown", with_metadata=True).text + "\n"
    out = [front_matter(found.metadata)]
    for group in groups:
        heading = [f"## {_flat(group.heading)}"] if group.heading else []
        out.append("\n\n".join([*heading, "\n".join(f"- [{_flat(text)}](<{to}>)" for text, to in group.links)]))
    return "\n\n".join(out) + "\n"


def _flat(text: str) -> str:
    """Return text that Markdown takes for nothing but text."""
    return "".join("\\" + char if char in "\\`*_[]<>#!|" else char for char in text)
