"""A page for language models: Markdown in parts of a number of tokens, with links by number.

`max_tokens` is a limit of the whole answer, as text and as JSON: facts, warnings, content and the URLs of its links.
"""

import json
import re
from typing import TYPE_CHECKING, Any, Final

from tamis.html.text import estimate_tokens
from tamis.render.registry import DEFAULT
from tamis.render.shown import link_values

if TYPE_CHECKING:
    from tamis.api import Extraction

#: A link of Markdown from the end of its text, as the writer writes it: its URL has no spaces, or angle brackets.
_LINK: Final = re.compile(r"\]\((?:<([^<>\n]{1,4000})>|([^()\s<>]{1,4000}))\)")
_FACTS: Final = ("title", "authors", "date", "site", "language")
_MAX_WARNINGS: Final = 10
_MAX_CHARS: Final = 200  #: of a title, and of the text of a warning
_HEAD_SHARE: Final = 0.25  #: of the tokens, for what comes before the content
_TAIL_TOKENS: Final = 40  #: the number of the part, and how to continue


def page_parts(extraction: "Extraction", max_tokens: int, overlap: int = 0) -> list[dict[str, Any]]:
    """Return a page in parts: each as JSON values, with ``answer``, the part as text.

    A part begins with the last sentences of the one before, as many as fit into `overlap` tokens.

    >>> import tamis
    >>> page = tamis.extract('<p>Boil <a href="https://e.org/w">water</a>.', extractor="body")
    >>> (part,) = page_parts(page, 400)
    >>> part["markdown"], part["links"], part["tokens"]
    ('Boil [water][1].', {'1': 'https://e.org/w'}, 4)
    """
    urls = dict.fromkeys(link["url"] for link in link_values(extraction.document, DEFAULT))
    numbers = {url: str(number) for number, url in enumerate(urls, start=1)}
    head, lines = _head(extraction, int(max_tokens * _HEAD_SHARE))
    spent = _TAIL_TOKENS + max(estimate_tokens("\n".join(lines)), estimate_tokens(_dump(head)))

    def cost(text: str) -> int:
        markdown, links = _numbered(text, numbers)
        return max(estimate_tokens(_as_text(markdown, links)), estimate_tokens(_dump([markdown, links])))

    limit = max(1, max_tokens - spent)
    chunks = extraction.chunks(limit, count_tokens=cost, overlap=min(overlap, limit - 1))
    texts = [_numbered(chunk.text, numbers) for chunk in chunks] or [("", {})]
    parts = []
    for number, (markdown, links) in enumerate(texts, start=1):
        # What is known about the page is told once, with its first part.
        facts = head if number == 1 else {name: head[name] for name in ("url", "title")}
        cursor = f"{number}-{max_tokens}{f'-{overlap}' if overlap else ''}" if number < len(texts) else None
        about = [*(lines if number == 1 else lines[:1]), f"Part {number} of {len(texts)}"]
        more = f"To continue, call the tool again with cursor={cursor!r}." if cursor else ""
        values = {"markdown": markdown, "tokens": estimate_tokens(markdown), "links": links}
        values |= {"part": number, "parts": len(texts), "next_cursor": cursor}
        answer = "\n\n".join(filter(None, ("\n".join(about), _as_text(markdown, links), more)))
        parts.append({**facts, **values, "answer": answer})
    return parts


def _head(extraction: "Extraction", max_tokens: int) -> tuple[dict[str, Any], list[str]]:
    """Return what is known about a page, as values and as lines: as much of it as a number of tokens allows."""
    metadata = extraction.metadata.as_dict()
    empty = extraction.empty_reason
    values: dict[str, Any] = {"url": None, "title": None, "page_type": extraction.page_type, "empty_reason": empty}
    values |= {"metadata": {}, "warnings": []}
    lines: list[str] = []

    def add(line: str, name: str, value: object) -> None:
        nonlocal max_tokens
        tokens = 2 * estimate_tokens(line)  # in JSON, a value has its name and its quotation marks
        if value and tokens <= max_tokens:
            max_tokens -= tokens
            lines.append(line)
            if name in _FACTS:
                values["metadata"][name] = value
            if name == "warnings":
                values[name].append(value)
            elif name in {"url", "title"}:
                values[name] = value

    add(f"URL: {extraction.url}", "url", extraction.url)
    if empty:
        lines.append(f"No content: {empty}.")
    for name in _FACTS:
        value = extraction.title if name == "title" else metadata.get(name)
        value = value[:_MAX_CHARS] if isinstance(value, str) else value
        shown = ", ".join(value) if isinstance(value, (list, tuple)) else value
        add(f"{name.capitalize()}: {shown}", name, value)
    for warning in extraction.warnings[:_MAX_WARNINGS]:
        excerpt = warning.excerpt[:_MAX_CHARS]
        line = f"Warning: {warning.type} ({warning.reason}, {warning.count}){f': {excerpt!r}' if excerpt else ''}"
        add(line, "warnings", {"type": warning.type, "reason": warning.reason, "excerpt": excerpt})
    return values, lines


def _numbered(text: str, numbers: dict[str, str]) -> tuple[str, dict[str, str]]:
    """Return a text in which links are numbers, and the URLs of these numbers."""
    used: dict[str, str] = {}

    def number(match: re.Match[str]) -> str:
        url = match[1] or match[2]
        if url not in numbers:
            return match[0]
        used[numbers[url]] = url
        return f"][{numbers[url]}]"

    short = _LINK.sub(number, text)
    return short, dict(sorted(used.items(), key=lambda item: int(item[0])))


def _as_text(markdown: str, links: dict[str, str]) -> str:
    listed = "\n".join(f"[{number}]: {url}" for number, url in links.items())
    return f"{markdown}\n\n{listed}" if listed else markdown


def _dump(values: object) -> str:
    return json.dumps(values, ensure_ascii=False)
