"""What a worker process does with a page: extract it, render it, and sanitize what a browser may show."""

import json
from collections.abc import Callable
from dataclasses import asdict, replace
from html import escape
from typing import Any, Final

from tamis.api import Extraction, Limits, extract
from tamis.browser.scripted import Measure, needs_browser
from tamis.errors import BudgetError, OptionError
from tamis.explain.page_html import content_security_policy, explanation_page
from tamis.extractors import registry
from tamis.page import parse_page
from tamis.page.parse import known_encoding
from tamis.page.positions import decode
from tamis.render.front_matter import html_head
from tamis.render.json import as_dict
from tamis.render.registry import Format, Rendered, RenderOptions, get_format
from tamis.render.schema import SCHEMA
from tamis.render.shown import image_values, link_values
from tamis.serve.cache import compressed, make_etag
from tamis.serve.chunks import page_parts
from tamis.serve.jobs import SANDBOX_POLICY, Job, JobResult, load_json
from tamis.serve.reader.page import reader_page
from tamis.serve.sanitize import sanitize
from tamis.sources.feeds import parse_feed

_PLAIN_TYPES: Final = frozenset({"text/plain", "text/markdown", "text/x-markdown"})


def page_source(job: Job) -> tuple[str | bytes, dict[str, Any]]:
    """Return the HTML to extract from and the keywords of `tamis.extract`.

    >>> page_source(Job("1 < 2", "reader", media_type="text/plain"))[0]
    '<!doctype html><pre>1 &lt; 2</pre>'
    """
    if job.media_type in _PLAIN_TYPES:
        options = {name: value for name, value in job.options.items() if name not in {"include", "exclude"}}
        return f"<!doctype html><pre>{escape(_decoded(job), quote=False)}</pre>", options
    return job.html, job.options


def _decoded(job: Job) -> str:
    if isinstance(job.html, str):
        return job.html
    return decode(parse_page(job.html, encoding=known_encoding(job.encoding)))


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
        raise BudgetError(f"the page has more than {job.max_output / 1_000_000:g} MB of output; see --max-output")
    body, is_compressed = compressed(result.body)
    result = replace(result, body=body, gzip=is_compressed, job_attributes=job.attributes)
    return replace(result, etag=make_etag(body, result.attributes))


def _run_extraction(job: Job) -> JobResult:
    extraction, shown = _extract(job), RenderOptions(**job.shown)
    policy, content_type = SANDBOX_POLICY, get_format("json").content_type
    if isinstance(job.output, Format):
        text, content_type = _render(extraction, job.output, shown), job.output.content_type
    elif job.output == "reader":
        text, policy = reader_page(extraction, job.prefs)
        content_type = get_format("html").content_type
    elif job.output == "explain":
        text = explanation_page(extraction.explain())
        policy, content_type = EXPLANATION_POLICY, get_format("html").content_type
    elif job.output == "bundle":
        text = _dump(_bundle(extraction, job.names, shown))
    elif job.output == "parts":
        text = _dump(page_parts(extraction, job.max_tokens, job.overlap))
    else:
        text = extraction.to_markdown(with_metadata=True) + "\n"
        content_type = get_format("markdown").content_type
    return JobResult(
        text.encode("utf-8", "replace"),
        content_type,
        policy,
        extraction.empty_reason,
        needs_browser=job.may_render and needs_browser(extraction),
        measure=asdict(Measure.of(extraction)) if job.may_render else {},
    )


def _bundle(extraction: Extraction, names: tuple[str, ...], shown: RenderOptions) -> dict[str, Any]:
    """Return an extraction as JSON values: what is asked for, and what a client needs to judge it."""
    plain = shown.replace(with_metadata=False)
    outputs = {
        name: extraction.render_with(get_format(name), plain) for name in names if name in {"markdown", "html"}
    }
    if "text" in names:
        outputs["text"] = extraction.plain_text(shown)
    if "xml" in names:
        outputs["xml"] = extraction.render_with("xml", shown)
    warnings = [*extraction.warnings, *(warning for output in outputs.values() for warning in output.warnings)]
    renderers: dict[str, Callable[[], Any]] = {
        "markdown": lambda: outputs["markdown"].text,
        "html": lambda: sanitize(outputs["html"].text),
        "text": lambda: outputs["text"].text,
        "xml": lambda: outputs["xml"].text,
        "metadata": lambda: dict(extraction.metadata.as_dict()),
        "links": lambda: link_values(extraction.document, shown),
        "images": lambda: image_values(extraction.document, shown),
        "warnings": lambda: [warning.as_dict() for warning in warnings],
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


def _dump(values: dict[str, Any] | list[dict[str, Any]]) -> str:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))


def _list_extractors() -> JobResult:
    extractors = [registry.get(name) for name in registry.names()]
    values = [{"name": each.name, "summary": each.summary, "source": each.source} for each in extractors]
    body = json.dumps({"extractors": values}, ensure_ascii=False).encode()
    return JobResult(body, get_format("json").content_type)


def _extract(job: Job) -> Extraction:
    html, options = page_source(job)
    encoding = known_encoding(job.encoding) if isinstance(html, bytes) else None
    if job.max_output is not None:
        # Characters, of which a response may have several outputs and each may have several bytes: what is longer is
        # cut at a part, with a warning. A response that exceeds the limit even so is refused.
        limits = Limits(max_output=max(1, job.max_output // 4))
        options = {**options, "limits": replace(limits, max_nodes=job.max_nodes or limits.max_nodes)}
    return extract(html, job.url, encoding=encoding, **options)


def _render(extraction: Extraction, output: Format, shown: RenderOptions) -> str:
    if output.name == "json":  # on one line, as batches need it
        return extraction.within_limits("json", lambda part: Rendered(_dump(as_dict(part, shown)), {}), shown).text
    if output.name == "html":
        return _sanitized_html(extraction, shown)
    # Plain text without positions has a faster writer, see `tamis.render.text`.
    text = extraction.plain_text(shown).text if output.name == "text" else ""
    text = text or extraction.render_with(output, shown).text
    if not _HTML_TYPES.isdisjoint(output.media_types):
        text = sanitize(text)
    return text if not text or text.endswith("\n") else text + "\n"


def _sanitized_html(extraction: Extraction, shown: RenderOptions) -> str:
    body = sanitize(extraction.render_with("html", shown.replace(with_metadata=False)).text)
    if not shown.with_metadata:
        return body
    direction = extraction.document.direction
    return f'<!doctype html>\n<html dir="{direction}">{html_head(extraction.metadata)}<body>{body}</body></html>'
