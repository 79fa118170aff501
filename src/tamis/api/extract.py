"""`extract`: the one way from HTML to content."""

import os
import re
import warnings
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from tamis.api.extraction import Extraction
from tamis.api.options import Favor, Limits, Options, parse_within
from tamis.document.warnings import ContentWarning
from tamis.errors import MarkupTypeError, OptionError, SourceError
from tamis.extractors.base import Extractor, Selection, checked_select
from tamis.html.text import replace_surrogates
from tamis.lazy import lazy_pattern
from tamis.page import Page
from tamis.page.parse import known_encoding
from tamis.page.restrict import leaves_out_text, restrict, unrestricted
from tamis.page.sums import in_subtree
from tamis.sites.profiles import Profile, for_page
from tamis.sites.rules import Rule, Rules, find_rule
from tamis.sources.fetched import Fetched

if TYPE_CHECKING:
    from tamis.document.detectors.post_facts import Thread

#: What `extract` takes.
Source = str | bytes | os.PathLike[str] | Fetched | Page
#: A string that is evidently the URL or the name of a page, not its HTML.
_URL: Final = lazy_pattern(r"\s*(?:https?|file)://\S+\s*", re.IGNORECASE)
_PATH: Final = lazy_pattern(r"\s*[^<>\n\r]{1,250}\.(?:html?|xhtml|php|aspx?|mht|txt|gz)\s*", re.IGNORECASE)
_LIMITS: Final = Limits()
_LONGEST: Final = 4096  # characters of a URL or a path


def extract(
    html: Source,
    url: str | None = None,
    *,
    extractor: str | Extractor | None = None,
    favor: Favor | None = None,
    encoding: str | None = None,
    profile: Profile | None = None,
    include: str | Sequence[str] = (),
    exclude: str | Sequence[str] = (),
    limits: Limits | None = None,
    rules: Rules = True,
) -> Extraction:
    """Extract the main content of a page.

    The keywords say what is content; the methods of the `Extraction` say how it is shown. A page without content is
    not an error: its `Extraction` is false and has an `empty_reason`.

    Args:
        html: the page: HTML, the `Path` of a file (plain or gzipped), what `tamis.fetch` returned, or a parsed
            `tamis.Page`. Bytes are decoded as browsers do.
        url: the page's URL, to resolve its links.
        extractor: the name of a registered extractor, or an extractor. None is ``"sift"``; with `include`, which says
            what the content is, it is ``"body"`` unless there is a profile.
        favor: ``"precision"``, ``"recall"``, ``"balance"`` or a number of logits (above 0 keeps less).
        encoding: the character encoding from the HTTP header, for bytes.
        profile: what was learned about the page's site (``tamis learn``): a file, a folder of files that are named
            for hosts, or the profile. None searches the folder that ``TAMIS_PROFILES`` names, if it is set.
        include: one or several CSS selectors. Only what is in an element that one of them matches can be content.
        exclude: one or several CSS selectors. What is in an element that one of them matches is left out.
        limits: how much of the page is read and written; beyond them the result is partial, with a warning.
        rules: use the rules of known sites; False turns them off, and a folder or a file of others has precedence.

    >>> extraction = extract("<h1>Tea</h1><p>Water just off the boil, three minutes, no more.</p>", extractor="body")
    >>> extraction.title
    'Tea'
    >>> print(extraction.text)
    Tea
    <BLANKLINE>
    Water just off the boil, three minutes, no more.
    >>> extract("<nav>Home</nav><main><p>Tea<p class=ad>Buy!</main>", include="main", exclude=".ad").text
    'Tea'
    >>> extract(b"").empty_reason
    'the page is empty'
    """
    if isinstance(html, str):
        _warn_if_no_html(html)
    options = Options(extractor, favor, encoding, limits or _LIMITS, profile, include, exclude, rules)
    return extract_with(html, url, options)


def extract_with(html: Source, url: str | None, options: Options) -> Extraction:
    """Extract the main content of a page with options as one value, as clients of the library do."""
    method = options.named_extractor()  # an unknown name is an error before the page is parsed
    if isinstance(html, Page):
        return _extract(unrestricted(html), url, method, options)
    if isinstance(html, Fetched):
        url = url or html.url
        if options.encoding is None:
            options = options.replace(encoding=known_encoding(html.encoding))
        html = html.body
    elif not isinstance(html, (str, bytes)) and isinstance(html, os.PathLike):
        html = _read(Path(html), options.limits)
    if not isinstance(html, (str, bytes)):
        raise MarkupTypeError(f"expected HTML as str or bytes, a Path or a Page, got {type(html).__name__}")
    page, reached = parse_within(html, options.encoding, options.limits, method)
    extraction = _extract(page, url, method, options)
    return replace(extraction, limits_reached=reached) if reached else extraction


def _extract(page: Page, url: str | None, method: Extractor, options: Options) -> Extraction:
    """Select the content of a page."""
    if url is not None and not isinstance(url, str):
        raise OptionError(f"url must be a str or None, not {type(url).__name__}")
    url = replace_surrogates(url) if url else url
    method, profile_warning = for_page(method, options.profile, page, url)
    if page.binary_type is not None:
        nothing = Selection.from_mask(page, np.zeros(len(page), dtype=np.bool_))
        return Extraction(page, nothing, url, method.name, options=options)
    if options.include or options.exclude:
        page = restrict(page, options.include, options.exclude)
    selection = checked_select(method, page)
    if options.favor is not None:
        selection = selection.reselect(options.favor)
    rule = find_rule(page, url, options.rules) if selection.page_type is not None else None
    thread = rule_warning = None
    if rule is not None:
        selection, thread, rule_warning = _with_rule(page, selection, rule)
    elif selection.page_type == "forum" or (selection.page_type is not None and page.tag_count("pre")):
        # few pages have posts
        from tamis.document.detectors.discussion import complete_thread  # noqa: PLC0415
        from tamis.document.detectors.posts import find_thread  # noqa: PLC0415

        # Of other pages, code in readers' comments may be selected.
        thread = find_thread(page) if selection.mask.any() else None
        selection = complete_thread(page, selection, thread)
    if profile_warning is not None:
        selection = replace(selection, profile_warning=profile_warning)
    if selection.metadata_fallback is not None and leaves_out_text(page):
        selection = replace(selection, metadata_fallback=None)  # the page shows content, which was left out
    used = rule.name if rule is not None and rule_warning is None else None
    return Extraction(page, selection, url, method.name, (), used, thread, rule_warning, options)


def _with_rule(
    page: Page, selection: Selection, rule: Rule
) -> "tuple[Selection, Thread | None, ContentWarning | None]":
    """Return the selection and the thread that the rule of a site says; a warning if it finds nothing."""
    from tamis.document.detectors.post_facts import DeclaredPosts  # noqa: PLC0415 (few sites have a rule)
    from tamis.document.detectors.posts import find_thread  # noqa: PLC0415

    posts = page.select(rule.post) if rule.post else []
    content = [row for selector in rule.content for row in page.select(selector)]
    parts = [page.select(selector) if selector else [] for selector in (rule.author, rule.date, rule.body)]
    thread = find_thread(page, 1, DeclaredPosts(dict.fromkeys(posts, "declared"), *parts)) if posts else None
    mask = page.shown & in_subtree(page.end, np.array(sorted({*content, *posts}), dtype=np.int64))
    excluded = sorted({row for selector in rule.exclude for row in page.select(selector)})
    mask &= ~in_subtree(page.end, np.array(excluded, dtype=np.int64))
    if thread is not None:
        mask = (mask & ~thread.chrome) | thread.body | thread.byline
    if not mask.any():
        reason = f"the rule of {rule.name} found nothing on this page, and was not used"
        return selection, None, ContentWarning("site rule", reason, 1)
    titles = page.select(rule.title) if rule.title else []
    title = page.collapsed_text(titles[0]).strip() if titles else ""
    title = title or selection.title or ""
    return replace(selection, mask=mask, metadata_fallback=None, title=title or None), thread, None


def _read(path: Path, limits: Limits) -> bytes:
    from tamis.sources.files import read_file  # noqa: PLC0415 (most pages are not files)

    try:
        return read_file(path, limits.max_bytes)
    except SourceError as error:
        raise SourceError(f"{path} {error}") from error


def _warn_if_no_html(html: str) -> None:
    """Warn when a string is evidently a URL or a file name: its characters would be taken for the page."""
    if len(html) > _LONGEST or "<" in html:
        return
    if _URL.fullmatch(html):
        kind, advice = "a URL", "to download the page: tamis.extract(tamis.fetch(url))"
    elif _PATH.fullmatch(html):
        kind, advice = "a path", "to read a file: tamis.extract(Path(name))"
    else:
        return
    message = f"expected HTML, got what looks like {kind}: {html.strip()!r}; {advice}"
    warnings.warn(message, UserWarning, stacklevel=3)
