"""The source of a page before it is read: plain text, parts of a page by CSS selectors, pages made by scripts."""

from html import escape
from typing import Any, Final

import turbohtml

from tamis.api import Extraction
from tamis.errors import OptionError
from tamis.html import tags
from tamis.page import parse_page
from tamis.page.positions import decode
from tamis.serve.jobs import Job

_PLAIN_TYPES: Final = frozenset({"text/plain", "text/markdown", "text/x-markdown"})
#: Characters of content below which a page with scripts seems to be made by them. A page of an application without
#: its scripts has a title, a notice and perhaps a footer.
_MAX_UNRENDERED_CHARS: Final = 250
_SCRIPT: Final = tags.tag_mask("script")


def page_source(job: Job) -> tuple[str | bytes, dict[str, Any]]:
    """Return the HTML to extract from and the keywords of `tamis.extract`.

    >>> page_source(Job("1 < 2", "reader", media_type="text/plain"))[0]
    '<!doctype html><pre>1 &lt; 2</pre>'
    >>> html, options = page_source(Job("<p class=ad>Buy!<main><p>Tea", "reader", keep="main", drop=".ad"))
    >>> html, options
    ('<!DOCTYPE html><html><head></head><body><main><p>Tea</p></main></body></html>', {'extractor': 'body'})
    """
    if job.media_type in _PLAIN_TYPES:
        return f"<!doctype html><pre>{escape(_decoded(job), quote=False)}</pre>", job.options
    if job.keep is None and job.drop is None:
        return job.html, job.options
    options = job.options
    document = turbohtml.parse(_decoded(job))
    for element in _select(document, job.drop, "exclude"):
        element.decompose()
    if job.keep is not None:
        kept = _outermost(_select(document, job.keep, "include"))
        sources = [element.serialize() for element in kept]
        body = document.select_one("body")
        head = document.select_one("head")
        if body is not None:
            html = f"<!DOCTYPE html><html>{head.serialize() if head else ''}<body>{''.join(sources)}</body></html>"
            # The client has chosen the content: all of it is kept, unless an extractor is asked for.
            return html, {"extractor": "body", **options}
    return document.serialize(), options


def _decoded(job: Job) -> str:
    if isinstance(job.html, str):
        return job.html
    try:
        return decode(parse_page(job.html, encoding=job.encoding))
    except OptionError:
        return decode(parse_page(job.html))


def _select(document: Any, selector: str | None, name: str) -> list[Any]:  # noqa: ANN401 (turbohtml's)
    if selector is None:
        return []
    try:
        return list(document.select(selector))
    except ValueError as error:
        raise OptionError(f"'{name}' is no CSS selector that is understood: {selector[:100]}") from error


def _outermost(elements: list[Any]) -> list[Any]:
    """Return the elements that are in no other one. They are in document order, so the last one kept decides."""
    kept: list[Any] = []
    inside: set[int] = set()
    for element in elements:
        if id(element) in inside:
            continue
        kept.append(element)
        inside.update(id(inner) for inner in element.descendants)
    return kept


def needs_scripts(extraction: Extraction) -> bool:
    """Return whether a page seems to be made by its scripts: it has some, and hardly any content."""
    page = extraction.page
    if not bool(_SCRIPT[page.tag].any()):
        return False
    return int(page.nonspace[extraction.selection.mask].sum()) < _MAX_UNRENDERED_CHARS
