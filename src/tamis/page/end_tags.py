"""Assign end tags to elements without asking the parser.

Elements that end between two start tags have their end tags there, in order. Where that is not certain (an end tag
that fits no element, or leaves one open), the rows are returned for the caller to ask the parser.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from tamis.html import tags
from tamis.page.source_tokens import END, START, Ints, SourceTokens
from tamis.page.sums import Bools

if TYPE_CHECKING:
    from tamis.page.columns import Page

#: Elements whose end tag may be omitted, and the end tags that then close them ("generate implied end tags").
_OMISSIBLE: Final = tags.tag_mask("dd dt li optgroup option p rb rp rt rtc")
_CLOSERS: Final = tags.tag_mask(
    "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer header"
    " hgroup li dd dt main menu nav ol pre section summary td th ul"
)
#: The same for the parts of a table.
_OMISSIBLE_IN_TABLE: Final = _OMISSIBLE | tags.tag_mask("tbody td tfoot th thead tr")
_TABLE_CLOSERS: Final = tags.tag_mask("table tbody tfoot thead tr")
#: Each occurs once. Its end tag may come before content that still belongs to it, and its start tag may be repeated.
FRAME: Final = tags.tag_mask("body frameset head html")
#: The parser is asked for these. In ``head`` the content of a ``noscript`` may end it; a ``form`` between the rows of
#: a table is empty.
_ASK_PARSER: Final = FRAME | tags.tag_mask("form noscript")
#: Elements that are reopened after an end tag closed their parent: their end tag need not match what they contain.
_FORMATTING: Final = tags.tag_mask("a b big code em font i nobr s small strike strong tt u")


class _TagIds(dict[object, int]):
    """Tag ids by name, 0 for unknown names, so that ``map`` can look up whole lists without a Python frame."""

    def __missing__(self, key: object) -> int:
        return 0


_TAG_ID: Final = _TagIds(tags.IDS).__getitem__


@dataclass(frozen=True, slots=True)
class StartTags:
    """Elements that have a start tag of their own, in document order, and its token.

    Attributes:
        row: the row of each element.
        token: the index of its start tag among the tokens of the source.
    """

    row: Ints
    token: Ints


def match_end_tags(
    page: "Page", tokens: SourceTokens, starts: StartTags, reopened: Ints, closed: Bools, stop: Ints
) -> Ints:
    """Write the end of each element's end tag into `stop`; return the rows for which the parser must be asked.

    A gap is what lies between two start tags. The elements that end in it are the first element and its ancestors, up
    to but without the parent of the second. End tags close them from the innermost outwards.

    Args:
        page: the page.
        tokens: the tokens of its source.
        starts: its start tags.
        reopened: formatting elements that the parser opened again; they share a start tag.
        closed: the elements that have no end tag.
        stop: for each row, where its start tag ends; -1 for rows without one.
    """
    tag_ids = np.frombuffer(bytes(map(_TAG_ID, tokens.tags)), dtype=np.uint8)
    end_tags = tokens.of_type(END)
    end_tags = end_tags[~FRAME[tag_ids[end_tags]]]
    end_gap = np.searchsorted(starts.token, end_tags) - 1
    # A start tag without an element may have closed an element all the same.
    has_element = np.zeros(len(tag_ids), dtype=np.bool_)
    has_element[starts.token] = True
    start_tags = tokens.of_type(START)
    ignored = start_tags[~has_element[start_tags]]
    elements = starts.row[~(closed | FRAME[page.tag])[starts.row]][::-1]  # the innermost first
    element_gap = np.searchsorted(starts.row, page.end[elements]) - 1
    order = np.argsort(element_gap, kind="stable")
    elements, element_gap = elements[order], element_gap[order]
    # A gap is regular if its end tags are those of its elements. Gap -1, before the first element, is the last entry.
    gaps = len(starts.row)
    regular = _count_gaps(end_gap, gaps) == _count_gaps(element_gap, gaps)
    regular[-1] = False
    regular[np.searchsorted(starts.token, ignored) - 1] = False
    regular[np.searchsorted(starts.row, reopened) - 1] = False
    regular[np.searchsorted(starts.row, page.end[reopened]) - 1] = False
    end_names, element_names = tag_ids[end_tags[regular[end_gap]]], page.tag[elements[regular[element_gap]]]
    regular[end_gap[regular[end_gap]][(end_names != element_names) | (end_names == tags.OTHER)]] = False
    stop[elements[regular[element_gap]]] = tokens.end[end_tags[regular[end_gap]]]
    rest = np.sort(np.concatenate((end_tags[~regular[end_gap]], ignored)))
    return _match_irregular(page, tokens, starts, rest, reopened, closed, stop)


def _count_gaps(gap: Ints, size: int) -> Ints:
    """Return how often each gap occurs; gap -1 comes last."""
    return np.bincount(np.where(gap < 0, size, gap), minlength=size + 1)


def _match_irregular(
    page: "Page",
    tokens: SourceTokens,
    starts: StartTags,
    rest: Ints,
    reopened: Ints,
    closed: Bools,
    stop: Ints,
) -> Ints:
    """Match one by one the tags of gaps where end tags are omitted or too many; return the rows to ask for."""
    rows: list[int] = starts.row.tolist()
    next_rows = [*rows[1:], len(page)]
    parents: list[int] = page.parent.tolist()
    ends: list[int] = page.end.tolist()
    has_tag: list[bool] = (stop >= 0).tolist()
    reopened_rows = set(reopened.tolist())
    uncertain = reopened_rows.copy()
    unmatched: dict[int, list[int]] = {}  # gaps by tag id
    last_gap, row, limit = -2, -1, 0
    for token, gap in zip(rest.tolist(), (np.searchsorted(starts.token, rest) - 1).tolist(), strict=True):
        name = tokens.tags[token]
        assert name is not None, "tags have names"
        if gap != last_gap:
            last_gap = gap
            row, limit = (rows[gap], next_rows[gap]) if gap >= 0 else (-1, 0)
        tag_id = tags.IDS.get(name, tags.OTHER)
        candidate = row if tokens.types[token] == END else -1
        matches = False
        while candidate >= 0 and ends[candidate] <= limit:
            matches = has_tag[candidate] and not closed[candidate] and page.tag_name(candidate) == name
            implied = not has_tag[candidate] and candidate not in reopened_rows
            omitted = has_tag[candidate] and _may_be_omitted(int(page.tag[candidate]), tag_id)
            if matches or not (closed[candidate] or implied or omitted):
                break
            candidate = parents[candidate]
        if matches:
            stop[candidate] = tokens.end[token]
            row = parents[candidate]
            continue
        unmatched.setdefault(tag_id, []).append(gap)
        while row >= 0 and ends[row] <= limit:
            if has_tag[row]:
                uncertain.add(row)
            row = parents[row]
        row = -1  # the remaining end tags of this gap are uncertain too
    ask = _ASK_PARSER[page.tag[starts.row]]
    in_order = not len(reopened) and not page.tag_count("template")  # templates keep what their tables cannot contain
    for tag_id, unmatched_gaps in unmatched.items():
        same_tag = page.tag[starts.row] == tag_id
        if in_order and not _FORMATTING[tag_id]:  # the tag can only have closed an element that was open there
            low = np.searchsorted(unmatched_gaps, np.arange(len(starts.row)))
            high = np.searchsorted(unmatched_gaps, np.searchsorted(starts.row, page.end[starts.row]))
            same_tag &= high > low
        ask |= same_tag
    return np.union1d(starts.row[ask], np.array(sorted(uncertain), dtype=np.int64))


def _may_be_omitted(open_tag: int, closer: int) -> bool:
    """Return whether an end tag may close an ancestor of an element whose own end tag is missing."""
    return bool(
        (_OMISSIBLE[open_tag] and _CLOSERS[closer]) or (_OMISSIBLE_IN_TABLE[open_tag] and _TABLE_CLOSERS[closer])
    )
