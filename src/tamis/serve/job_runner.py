"""What a worker process does with a page: extract it, render it, and sanitize what a browser may show."""

import json
from collections.abc import Callable
from dataclasses import asdict, replace
from typing import Any, Final

from tamis.api import Extraction, Limits, extract
from tamis.errors import BudgetError, EncodingNameError, OptionError
from tamis.explain.page_html import content_security_policy, explanation_page
from tamis.extractors import registry
from tamis.render.front_matter import front_matter, html_head
from tamis.render.json import as_dict
from tamis.render.media import image_values, link_values
from tamis.render.registry import Format, get_format
from tamis.render.schema import SCHEMA
from tamis.serve.chunk_values import chunk_values
from tamis.serve.entries import compressed, make_etag
from tamis.serve.index_pages import grouped_links, is_index_page
from tamis.serve.jobs import Job, JobResult, load_json
from tamis.serve.page_source import needs_scripts, page_source
from tamis.serve.pages import SANDBOX_POLICY
from tamis.serve.reader import reader_page
from tamis.serve.sanitize import sanitize
from tamis.sources.feeds import parse_feed

#: Of explanations: their own script runs, which lets people mark blocks and save the marks, in an origin of its own.
EXPLANATION_POLICY: Final = (
    f"{content_security_policy()}; frame-ancestors 'none'; sandbox allow-scripts allow-downloads allow-popups"
)
#: Media types that browsers show as HTML: a format of one of them is sanitized, whoever registered it.
_HTML_TYPES: Final = frozenset({"text/html", "application/xhtml+xml"})


def run_job(job: Job) -> JobResult:
    r"""Do a job. The body of the result is compressed if that is worthwhile.

    >>> run_job(Job("<h1>Tea</h1><p>Boil water.", get_format("markdown"), options={"extractor": "body"})).body
    b'# Tea\n\nBoil water.\n'
    """
    match job.output:
        case "ping":
            result = JobResult(b"{}", get_format("json").content_type)
        case "extractors":
            result = _list_extractors()
        case "schema":
            result = JobResult(json.dumps(SCHEMA, ensure_ascii=False).encode(), get_format("json").content_type)
        case "request":
            return JobResult(b"", "", value=_parse_json(job.html))
        case "feed":
            result = _read_feed(job)
        case _:
            result = _run_extraction(job)
    if job.max_output is not None and len(result.body) > job.max_output:
        raise BudgetError(f"the page has more than {job.max_output / 1_000_000:g} MB of output")
    body, is_compressed = compressed(result.body)
    result = replace(result, body=body, gzip=is_compressed, job_attributes=job.attributes)
    return replace(result, etag=make_etag(body, result.attributes))


def _run_extraction(job: Job) -> JobResult:
    extraction = _extract(job)
    policy, content_type = SANDBOX_POLICY, get_format("json").content_type
    if isinstance(job.output, Format):
        text, content_type = _render(extraction, job.output), job.output.content_type
    elif job.output == "reader":
        text, policy = reader_page(extraction, job.prefs)
        content_type = get_format("html").content_type
    elif job.output == "explain":
        text = explanation_page(extraction.explain())
        policy, content_type = EXPLANATION_POLICY, get_format("html").content_type
    elif job.output == "bundle":
        text = _dump(_bundle(extraction, job.names))
    elif job.output == "chunks":
        text = _dump(chunk_values(extraction, job.max_tokens))
    else:
        text, content_type = _markdown_view(extraction), get_format("markdown").content_type
    return JobResult(
        text.encode("utf-8", "replace"), content_type, policy, extraction.empty_reason, needs_scripts(extraction)
    )


def _bundle(extraction: Extraction, names: tuple[str, ...]) -> dict[str, Any]:
    """Return an extraction as JSON values: what is asked for, and what a client needs to judge it."""
    renderers: dict[str, Callable[[], Any]] = {
        "markdown": lambda: extraction.render("markdown", with_metadata=False).text,
        "html": lambda: sanitize(extraction.render("html", with_metadata=False).text),
        "text": lambda: extraction.text,
        "xml": lambda: extraction.render("xml").text,
        "metadata": lambda: dict(extraction.metadata.as_dict()),
        "links": lambda: link_values(extraction.document, extraction.render_options),
        "images": lambda: image_values(extraction.document, extraction.render_options),
        "warnings": lambda: [warning.as_dict() for warning in extraction.warnings],
    }
    return {
        "url": extraction.url,
        "title": extraction.title,
        "page_type": extraction.page_type,
        "confidence": extraction.confidence,
        "empty_reason": extraction.empty_reason,
        **{name: renderers[name]() for name in names},
    }


def _read_feed(job: Job) -> JobResult:
    data = job.html if isinstance(job.html, bytes) else job.html.encode("utf-8", "replace")
    feed = parse_feed(data, job.url, job.encoding)
    return JobResult(_dump(asdict(feed)).encode("utf-8", "replace"), get_format("json").content_type)


def _parse_json(body: str | bytes) -> Any:  # noqa: ANN401 (any JSON value)
    try:
        return load_json(body)
    except ValueError as error:
        raise OptionError(str(error)) from error


def _dump(values: dict[str, Any]) -> str:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))


def _list_extractors() -> JobResult:
    extractors = [registry.get(name) for name in registry.names()]
    values = [{"name": each.name, "summary": each.summary, "source": each.source} for each in extractors]
    body = json.dumps({"extractors": values}, ensure_ascii=False).encode()
    return JobResult(body, get_format("json").content_type)


def _extract(job: Job) -> Extraction:
    html, options = page_source(job)
    encoding = job.encoding if isinstance(html, bytes) else None
    if job.max_output is not None:
        # Characters, of which a response may have several outputs and each may have several bytes: what is longer is
        # cut at a part, with a warning. A response that exceeds the limit even so is refused.
        limits = Limits(max_output=max(1, job.max_output // 4))
        options = {**options, "limits": replace(limits, max_nodes=job.max_nodes or limits.max_nodes)}
    try:
        return extract(html, job.url, encoding=encoding, **options)
    except EncodingNameError:
        # A server that declares an unknown encoding does not know; the page itself may.
        return extract(html, job.url, **options)


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
