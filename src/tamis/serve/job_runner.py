"""What a worker process does with a page: extract it, render it, and sanitize what a browser may show."""

import json
from typing import Final

from tamis.api import Extraction, extract
from tamis.errors import EncodingNameError
from tamis.extractors import registry
from tamis.render.front_matter import front_matter, html_head
from tamis.render.json import as_dict
from tamis.render.registry import Format, get_format
from tamis.render.schema import SCHEMA
from tamis.serve.index_pages import grouped_links, is_index_page
from tamis.serve.jobs import Job, JobResult
from tamis.serve.pages import SANDBOX_POLICY
from tamis.serve.reader import reader_page
from tamis.serve.sanitize import sanitize

#: Media types that browsers show as HTML: a format of one of them is sanitized, whoever registered it.
_HTML_TYPES: Final = frozenset({"text/html", "application/xhtml+xml"})


def run_job(job: Job) -> JobResult:
    r"""Do a job.

    >>> run_job(Job("<h1>Tea</h1><p>Boil water.", get_format("markdown"), options={"extractor": "body"})).body
    b'# Tea\n\nBoil water.\n'
    """
    if job.output == "extractors":
        return _list_extractors()
    if job.output == "schema":
        return JobResult(json.dumps(SCHEMA, ensure_ascii=False).encode(), get_format("json").content_type)
    extraction = _extract(job)
    policy = SANDBOX_POLICY
    if isinstance(job.output, Format):
        text, content_type = _render(extraction, job.output), job.output.content_type
    elif job.output == "reader":
        text, policy = reader_page(extraction, job.prefs)
        content_type = get_format("html").content_type
    else:
        text, content_type = _markdown_view(extraction), get_format("markdown").content_type
    return JobResult(text.encode("utf-8", "replace"), content_type, policy, extraction.empty_reason)


def _list_extractors() -> JobResult:
    extractors = [registry.get(name) for name in registry.names()]
    values = [{"name": each.name, "summary": each.summary, "source": each.source} for each in extractors]
    body = json.dumps({"extractors": values}, ensure_ascii=False).encode()
    return JobResult(body, get_format("json").content_type)


def _extract(job: Job) -> Extraction:
    try:
        return extract(job.html, job.url, encoding=job.encoding, **job.options)
    except EncodingNameError:
        # A server that declares an unknown encoding does not know; the page itself may.
        return extract(job.html, job.url, **job.options)


def _render(extraction: Extraction, output: Format) -> str:
    if output.name == "json":  # on one line, as batches need it
        values = as_dict(extraction, extraction.render_options)
        return json.dumps(values, ensure_ascii=False, separators=(",", ":"))
    if output.name == "html":
        return _sanitized_html(extraction)
    # Plain text without positions has a faster writer, see `tamis.render.row_text`.
    text = (extraction.text if output.name == "text" else "") or extraction.render(output).text
    if not _HTML_TYPES.isdisjoint(output.media_types):
        text = sanitize(text)
    return text if not text or text.endswith("\n") else text + "\n"


def _sanitized_html(extraction: Extraction) -> str:
    body = sanitize(extraction.render("html", with_metadata=False).text)
    if not extraction.render_options.with_metadata:
        return body
    direction = extraction.document.direction
    return f'<!doctype html>\n<html dir="{direction}">{html_head(extraction.metadata)}<body>{body}</body></html>'


def _markdown_view(extraction: Extraction) -> str:
    """Return Markdown with front matter. An index page is a list of its links."""
    groups = grouped_links(extraction.page, extraction.url) if is_index_page(extraction) else []
    if not groups:
        return extraction.render("markdown", with_metadata=True).text + "\n"
    sections = [front_matter(extraction.metadata)]
    for group in groups:
        heading = [f"## {_escape_markdown(group.heading)}"] if group.heading else []
        items = "\n".join(f"- [{_escape_markdown(text)}](<{url}>)" for text, url in group.links)
        sections.append("\n\n".join([*heading, items]))
    return "\n\n".join(sections) + "\n"


def _escape_markdown(text: str) -> str:
    return "".join("\\" + char if char in "\\`*_[]<>#!|" else char for char in text)
