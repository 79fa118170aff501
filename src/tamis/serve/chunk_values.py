"""Content for language models: Markdown in pieces of a number of tokens, with links by number."""

import re
from typing import TYPE_CHECKING, Any, Final

from tamis.html.text import BYTES_PER_TOKEN, estimate_tokens
from tamis.render.options import DEFAULT
from tamis.render.shown_spans import link_values
from tamis.serve.index_pages import grouped_links, is_index_page

if TYPE_CHECKING:
    from tamis.api import Extraction

#: A link of Markdown from the end of its text, as the writer writes it: its URL has no spaces, or angle brackets.
_LINK: Final = re.compile(r"\]\((?:<([^<>\n]{1,4000})>|([^()\s<>]{1,4000}))\)")
_MIN_SHARE: Final = 0.5  #: of a piece, below which it is not divided at a space


def chunk_response(extraction: "Extraction", max_tokens: int) -> dict[str, Any]:
    """Return an extraction as chunks of Markdown.

    >>> import tamis
    >>> page = tamis.extract('<p>Boil <a href="https://e.org/w">water</a>.', extractor="body")
    >>> chunk_response(page, 100)["chunks"]
    [{'text': 'Boil [water][1].', 'tokens': 4, 'links': {'1': 'https://e.org/w'}}]
    """
    numbers = {link["url"]: str(number) for number, link in enumerate(_unique_links(extraction), start=1)}
    if is_index_page(extraction) and (groups := grouped_links(extraction.page, extraction.url)):
        numbers = {url: str(n) for n, url in enumerate({u: 0 for g in groups for _, u in g.links}, start=1)}
        blocks = []
        for group in groups:
            blocks += [f"## {group.heading}"] if group.heading else []
            blocks += [f"- [{text}][{numbers[url]}]" for text, url in group.links]
        texts = _join(blocks, max_tokens)
    else:
        texts = [piece for chunk in extraction.chunks(max_tokens) for piece in _fit(chunk.text, max_tokens)]
    return {
        "url": extraction.url,
        "title": extraction.title,
        "page_type": extraction.page_type,
        "empty_reason": extraction.empty_reason,
        "metadata": extraction.metadata.as_dict(),
        "warnings": [warning.as_dict() for warning in extraction.warnings],
        "chunks": [_numbered(text, numbers) for text in texts],
    }


def _unique_links(extraction: "Extraction") -> list[dict[str, str]]:
    links = link_values(extraction.document, DEFAULT)
    return list({link["url"]: link for link in links}.values())


def _numbered(text: str, numbers: dict[str, str]) -> dict[str, Any]:
    """Return a chunk in which links are numbers, with the URLs of these numbers."""
    used: dict[str, str] = {}

    def number(match: re.Match[str]) -> str:
        url = match[1] or match[2]
        if url not in numbers:
            return match[0]
        used[numbers[url]] = url
        return f"][{numbers[url]}]"

    short = _LINK.sub(number, text)
    by_number = {value: key for key, value in numbers.items()}
    used |= {found: by_number[found] for found in re.findall(r"\]\[(\d{1,6})\]", short) if found in by_number}
    return {"text": short, "tokens": estimate_tokens(short), "links": dict(sorted(used.items(), key=_as_number))}


def _as_number(item: tuple[str, str]) -> int:
    return int(item[0])


def _join(blocks: list[str], max_tokens: int) -> list[str]:
    """Return lines joined to texts of at most so many tokens."""
    texts: list[str] = []
    size, limit = 0, max_tokens * BYTES_PER_TOKEN
    for block in blocks:
        length = len(block.encode("utf-8", "replace")) + 1
        if texts and size + length <= limit:
            texts[-1] += "\n" + block
            size += length
        else:
            texts.append(block)
            size = length
    return texts


def _fit(text: str, max_tokens: int) -> list[str]:
    """Return a text in pieces that fit. Only a block that is too large is divided, at a space if there is one."""
    limit = max_tokens * BYTES_PER_TOKEN
    if len(text.encode("utf-8", "replace")) <= limit:
        return [text]
    pieces, rest = [], text
    while rest:
        piece = rest[:limit].encode("utf-8", "replace")[:limit].decode("utf-8", "ignore")
        if len(piece) < len(rest):
            space = max(piece.rfind(" "), piece.rfind("\n"))
            piece = piece[: space + 1] if space > _MIN_SHARE * len(piece) else piece
        if not piece:  # a limit of less than a character
            piece = rest[:1]
        pieces.append(piece.strip("\n"))
        rest = rest[len(piece) :]
    return [piece for piece in pieces if piece.strip()]
