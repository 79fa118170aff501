"""The choice of blocks: the probability-ranked prefix with the highest expected F1, and what belongs to it.

Blocks are ranked by their probability to be content. Of all prefixes of that ranking, the one with the highest F1 is
kept, computed as if the probabilities were true. `favor` shifts the logits first: a shift above 0 favors precision,
one below 0 favors recall. Then structure among the kept blocks is completed, and so are half-kept lists and tables.
"""

import math
from bisect import bisect_left
from collections import Counter
from typing import Final

import numpy as np
import numpy.typing as npt

from tamis._core.loader import core
from tamis.errors import OptionError, closest_name
from tamis.html import tags
from tamis.html.callouts import callout_type
from tamis.page import Page
from tamis.page.sums import Bools, in_subtree, prefix_sums

Floats = npt.NDArray[np.float64]

#: The logit shift of each word for `favor`.
FAVOR_SHIFTS: Final = {"precision": 1.5, "recall": -1.5, "balance": 0.0}

#: Words of a page of which networks, having learned clean pages, take everything for content.
SHORT_PAGE: Final = 150.0


def logit_shift_for(favor: str | float | None) -> float:
    """Return the logit shift of a `favor`: a word, a finite number of logits, or None for no shift.

    >>> logit_shift_for("precision"), logit_shift_for(None), logit_shift_for(-0.5)
    (1.5, 0.0, -0.5)
    """
    if favor is None:
        return 0.0
    if isinstance(favor, str) and favor in FAVOR_SHIFTS:
        return FAVOR_SHIFTS[favor]
    if isinstance(favor, (int, float)) and not isinstance(favor, bool) and math.isfinite(favor):
        return float(favor)
    meant = closest_name(favor, FAVOR_SHIFTS)
    hint = f"; did you mean {meant}?" if meant else ""
    raise OptionError(f"favor must be 'precision', 'recall', 'balance' or a number, not {favor!r}{hint}")


def sigmoid(logits: Floats) -> Floats:
    """Return the probabilities of logits.

    >>> sigmoid(np.array([0.0])).tolist()
    [0.5]
    """
    return np.asarray(1 / (1 + np.exp(-np.minimum(np.maximum(logits, -30), 30))))  # np.clip is slower to call


def choose_blocks(probs: Floats, size: Floats) -> tuple[npt.NDArray[np.bool_], float]:
    """Return which blocks to keep, and the expected F1.

    >>> kept, expected_f1 = choose_blocks(np.array([0.9, 0.1, 0.8]), np.array([10.0, 10.0, 10.0]))
    >>> kept.tolist(), round(expected_f1, 3)
    ([True, False, True], 0.895)
    """
    kept = np.zeros(len(probs), dtype=np.bool_)
    if not len(probs):
        return kept, 0.0
    order = (-probs).argsort(kind="stable")
    _, expected_f1 = core.keep_best(order, probs, size, kept.view(np.uint8))
    return kept, expected_f1


# What belongs to kept blocks.
#

# Structure in kept text: code, callouts and section headings among kept paragraphs are kept, captions with tables.
#
# A model judges each block by itself. Few of the pages that it learned from have code or callouts, and people who
# label pages disagree about short headings. A reader misses all three: a section without its heading runs into the
# one above.

#: Code without ``pre``: tables of code hosts and highlighters, and what editors draw.
_CODE_NAMES: Final = ("js-file-line-container", "syntaxhighlighter", "crayon-table", "cm-content", "CodeMirror-code")
_CODE_SELECTOR: Final = ",".join(f".{name}" for name in _CODE_NAMES)
#: Callout boxes of documentation systems. Names that cookie banners and forms have too (alert, notice) are not here.
_CALLOUT_NAMES: Final = (
    "admonition", "callout", "markdown-alert", "notecard", "custom-block", "starlight-aside", "information-macro",
)  # fmt: skip
_CALLOUT_SELECTOR: Final = ",".join(f"[class*='{name}']" for name in _CALLOUT_NAMES)
_CODE_PART, _CALLOUT_PART = 1, 2
_PARTS: Final = core.Parts({_CODE_PART: [name.lower() for name in _CODE_NAMES], _CALLOUT_PART: _CALLOUT_NAMES})
_ENTRIES: Final = tags.tag_mask("li td th dd dt")
_IS_ENTRY: Final = _ENTRIES.tobytes()
_BR: Final = tags.IDS["br"]
_MAX_LEVELS: Final = 8  #: from an element up to one with text around it
_MIN_CHARS: Final = 80  #: of the text around it that decides; labels and buttons of code have fewer
_MIN_SHARE: Final = 0.5  #: of that text, which must be kept
#: Headings of links to share a text, and of contents: nothing is left of their section.
_LINK_HEADINGS: Final = frozenset({
    "share", "share this", "share on", "share via", "share this post", "share this article", "share this story",
    "teilen", "partager", "compartir", "condividi", "compartilhar", "delen", "поделиться", "contents",
    "table of contents",
})  # fmt: skip
#: Labels of advertisements, without white space and the signs around them. On seven corpora 44 such blocks were kept;
#: one is in the gold text.
_AD_LABELS: Final = frozenset({
    "advertisement", "advertisements", "sponsoredcontent", "sponsoredlinks", "anzeige", "werbung", "publicité",
    "publicidad", "pubblicità", "publicidade", "reklama", "реклама", "広告", "广告", "廣告",
})  # fmt: skip
#: Labels of links to the rest of a text or to share it, of forms and of players, written likewise. Of the 30 that
#: were kept on eight corpora, two are in the gold text. ("Learn more" and "Related:" are not here: half of them are.)
_LINK_LABELS: Final = frozenset({
    "readmore", "continuereading", "continuereadingthemainstory", "keepreading", "weiterlesen", "mehrlesen",
    "lirelasuite", "lireaussi", "àlireaussi", "leermás", "leetambién", "leggianche", "leggitutto", "leiamais",
    "leiatambém", "vejatambém", "leesook", "leesmeer", "leesverder", "czytajwięcej", "czytajtakże", "läsmer",
    "lesogså", "читатьдалее", "читайтетакже", "続きを読む", "devamınıoku", "relatedstories", "relatedarticles",
    "sharethisarticle", "sharethispost", "sharethisstory", "pinit", "copylink", "printthisarticle", "emailthis",
    "subscribenow", "signupnow", "enteryouremail", "enteryouremailaddress", "youremail", "youremailaddress",
    "clicktoenlarge", "playvideo", "watchvideo", "clicktoplay", "loading", "acceptcookies", "acceptallcookies",
})  # fmt: skip
_LABELS: Final = _AD_LABELS | _LINK_LABELS
#: Whether a block of this many characters may be such a label, with up to four signs.
_MAY_BE_LABEL: Final = bytes(
    any(0 <= chars - len(label) <= 4 for label in _LABELS)  # noqa: PLR2004 (signs)
    for chars in range(max(map(len, _LABELS)) + 5)
)
_LABEL_SIGNS: Final = "-–—:.…()[]*›»>→!"  #: around a label
_MAX_AD_CHARS: Final = 250  #: of an element that begins with such a label, and is an advertisement
#: Of a box with a field for an address, or with a notice and a control. On three corpora 2 % of the 12,283 words of
#: the former are gold, and 1 of 45 texts that stand three times or more on a page, each time beside a control.
_MAX_BOX_CHARS: Final = 400
_MIN_NOTICE_CHARS, _MIN_NOTICES = 48, 3
_NOT_A_BOX: Final = tags.tag_mask("html body main article")
#: Of an appeal: a box of several blocks that ends with its only link or button. Most of its text stands elsewhere in
#: such a box.
_MAX_APPEAL_CHARS: Final = 1000
_MIN_COPIED_SHARE: Final = 0.75
_MIN_APPEAL_BLOCKS: Final = 2
_MIN_BUTTON_SHARE: Final = 0.9  #: of the last block that is in the link
_LAYOUT: Final = tags.tag_mask("html body main article section td th table tbody tr form")
_MAX_QUOTED_CHARS: Final = 400  #: of a quotation that is kept because of the text around it
_MAX_NAME_CHARS: Final = 300  #: of a heading; a longer one is not a heading
_MAX_SECTION_LEVELS: Final = 3  #: from a heading up to the element with its section
#: Of the characters of a table that stays. Swept .1, .25, .5: WCXB dev .91156, .91168, .91177; without .91170.
_MIN_TABLE_SHARE: Final = 0.5
_HEADINGS: Final = ("h1", "h2", "h3", "h4", "h5", "h6")
_LEVELS: Final = bytes(_HEADINGS.index(name) + 1 if name in _HEADINGS else 0 for name in tags.NAMES)
_MAX_SHARE: Final = 0.3  #: of the page: a box with more is its layout

Sums = npt.NDArray[np.int64]


def complete_structure(
    page: Page, kept: Bools, excluded: Bools, *, quotations: bool = False, cards: bool = True, appeals: bool = True
) -> Bools:
    """Return the kept blocks with the code, formulas, callouts, headings and captions among them.

    The `excluded` blocks stay out. With `quotations`, short quotations among them are kept too. Those of articles are
    content; the posts of a forum quote each other. Without `cards`, cards of other articles between its paragraphs
    are left out; without `appeals`, boxes that ask for something twice.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<main><p>" + "Boil the water, and wait. " * 5 + "<pre>tea.brew()</pre></main>")
    >>> complete_structure(page, np.array([True, False]), np.zeros(2, dtype=np.bool_)).tolist()
    [True, True]
    """
    if not kept.any() or kept.all():
        return kept
    out = kept.copy()
    elements = _code_and_callouts(page)
    if quotations and page.tag_count("blockquote"):
        elements = np.array(sorted({*elements.tolist(), *page.rows_of("blockquote").tolist()}))
    if len(elements):
        _add_elements(page, elements, kept, out)
    _complete_headings(page, out)
    _drop_empty_sections(page, out)
    _add_captions(page, out)
    _drop_repeats(page, out)
    _drop_labels(page, out)
    _drop_boxes(page, out)
    if not cards:
        core.drop_cards(page.columns, page.block_chars, out.view(np.uint8))
    if not appeals:
        _drop_appeals(page, out)
    return _without(out, excluded, kept)


def _without(out: Bools, excluded: Bools, kept: Bools) -> Bools:
    """Return what is kept now without the excluded blocks that were not kept before."""
    core.leave_excluded(out.view(np.uint8), excluded.view(np.uint8), kept.view(np.uint8))
    return out


def _code_and_callouts(page: Page) -> npt.NDArray[np.int64]:
    """Return the code blocks, displayed formulas and callouts of a page."""
    rows = page.rows_of("pre").tolist() if page.tag_count("pre") else []
    if page.tag_count("code"):
        breaks = prefix_sums((page.tag == _BR) & ~page.pre)
        codes, alone = _with_text(page, page.rows_of("code"))
        rows += codes[(breaks[page.end[codes]] > breaks[codes]) | alone].tolist()  # several lines
    if page.tag_count("math"):
        formulas, alone = _with_text(page, page.rows_of("math"))
        rows += formulas[alone].tolist()  # displayed ones
    found, _ = core.part_bits(list(page.text_classes[1]), _PARTS)
    if found:
        classes = "\n".join(page.text_classes[1])
        if found & _CODE_PART and any(name in classes for name in _CODE_NAMES):
            rows += page.select(_CODE_SELECTOR)
        if found & _CALLOUT_PART and any(name in classes for name in _CALLOUT_NAMES):
            rows += [row for row in page.select(_CALLOUT_SELECTOR) if _is_callout(page, row)]
    return np.array(sorted(rows), dtype=np.int64)


def _with_text(page: Page, rows: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], Bools]:
    """Return those of the rows that have text, and whether it is a block of its own."""
    blocks = page.blocks
    text = prefix_sums(blocks.block_of >= 0)
    rows = rows[text[page.end[rows]] > text[rows]]
    first = blocks.block_of[blocks.rows[np.searchsorted(blocks.rows, rows)]]
    return rows, (blocks.start[first] >= rows) & (blocks.stop[first] <= page.end[rows])


def _is_callout(page: Page, row: int) -> bool:
    kind, is_box = callout_type(page.attributes(row))
    return is_box and kind.isalpha()


def _add_elements(page: Page, elements: npt.NDArray[np.int64], kept: Bools, out: Bools) -> None:
    """Add the elements with kept text around them."""
    blocks = page.blocks
    kept_rows = np.zeros(len(page), dtype=np.bool_)
    kept_rows[blocks.rows] = kept[blocks.block_of[blocks.rows]]
    shown = np.where(page.shown, page.nonspace, 0)
    around = np.where(in_subtree(page.end, elements), 0, shown)
    sums = prefix_sums(around), prefix_sums(around * kept_rows)
    total = prefix_sums(shown)
    starts, stops = np.searchsorted(blocks.rows, elements), np.searchsorted(blocks.rows, page.end[elements])
    for row, start, stop in zip(elements.tolist(), starts.tolist(), stops.tolist(), strict=True):
        end, rows = page.end[row], blocks.rows[start:stop]
        most = _MAX_QUOTED_CHARS if page.tag[row] == tags.IDS["blockquote"] else _MAX_SHARE * total[-1]
        if total[end] - total[row] > most and not tags.PRE[page.tag[row]]:
            continue
        if _is_in_kept_text(page, row, *sums):
            out[blocks.block_of[rows]] = True


def _is_in_kept_text(page: Page, row: int, around: Sums, kept: Sums) -> bool:
    """Tell whether half of the text around an element is kept: in the nearest element that has some."""
    for _ in range(_MAX_LEVELS):
        row = int(page.parent[row])
        end = int(page.end[row])
        chars = int(around[end] - around[row])
        if chars >= _MIN_CHARS or (chars and _ENTRIES[page.tag[row]]):
            return bool(kept[end] - kept[row] >= _MIN_SHARE * chars)
        if row <= page.body:
            break
    return False


def _complete_headings(page: Page, out: Bools) -> None:
    """Add the headings of sections that are kept, and drop those of links to share a text."""
    blocks = page.blocks
    headings, missing, alone = core.find_headings(page.columns, page.block_chars, out.view(np.uint8))
    names = [_name(page, row) for row in blocks.container[headings].tolist()] if missing else []
    counts = Counter(names) if missing else {}
    for index, first_kept in missing:
        if counts[names[index]] > 1 or not names[index]:
            continue  # the posts of a thread repeat its title
        box, following = int(blocks.container[headings[index]]), int(blocks.rows[blocks.first[first_kept]])
        for _ in range(_MAX_SECTION_LEVELS):
            box = int(page.parent[box])
            if page.end[box] > following:
                out[headings[index]] = True
                break
    for block in alone:
        if page.row_text(int(blocks.container[block])).strip(" :…\n\t").casefold() in _LINK_HEADINGS:
            out[block] = False


def _drop_empty_sections(page: Page, out: Bools) -> None:
    """Drop headings whose section has text, none of which is kept; not three of one level, which are a list.

    Of 310 such headings on six corpora (every third page of WCXB dev), 208 are not in the gold text; of those that
    are, most are the names of products or articles, in such lists.
    """
    empty = core.find_empty_sections(page.columns, page.block_chars, out.view(np.uint8), _LEVELS)
    if empty:
        out[empty] = False


def _name(page: Page, heading: int) -> str:
    """Return the text of a heading without what an answer puts before it."""
    text = page.row_text(heading) if page.offset[page.end[heading]] - page.offset[heading] < _MAX_NAME_CHARS else ""
    return text.rpartition("Re:")[2].strip().casefold()


def _drop_repeats(page: Page, out: Bools) -> None:
    """Drop kept blocks that repeat the kept block before them: copies for other sizes of the screen."""
    flags = out.view(np.uint8)
    for first, second in core.find_repeated_pairs(page.columns, page.block_chars, flags, _IS_ENTRY):
        if not _are_alike(page, first, second) and _block_text(page, first) == _block_text(page, second):
            out[second] = False


def _drop_labels(page: Page, out: Bools) -> None:
    """Drop labels of links and forms, and those of advertisements with the short element that begins with one."""
    first, last, _ = page.block_ranges
    flags = out.view(np.uint8)
    for block in core.find_labels(
        page.columns, page.block_chars, flags, _MAY_BE_LABEL, page.text, _LABELS, _LABEL_SIGNS
    ):
        label = "".join(_block_text(page, block).split()).casefold().strip(_LABEL_SIGNS)
        out[block] = False
        if label not in _AD_LABELS:
            continue
        box = int(page.blocks.container[block])
        while box > 0 and last[box] - first[box] == 1:
            box = int(page.parent[box])
        blocks = slice(int(first[box]), int(last[box]))
        if blocks.start == block and not _LAYOUT[page.tag[box]] and page.block_chars[blocks].sum() <= _MAX_AD_CHARS:
            out[blocks] = False


def _drop_boxes(page: Page, out: Bools) -> None:  # noqa: C901 (two kinds of boxes)
    """Drop boxes that ask for an address, and notices that stand beside a control again and again.

    These are newsletters, and placeholders for embedded content without consent. They are found without words.
    """
    if not page.tag_count("input") + page.tag_count("button"):
        return
    fields, buttons = page.rows_of("input").tolist(), page.rows_of("button").tolist()
    controls = sorted(fields + buttons) if fields and buttons else fields or buttons
    asking = [
        row
        for row, (kind, name) in zip(fields, page.attribute_table(fields, ("type", "name")), strict=True)
        if (kind and kind.lower() == "email") or (name and "email" in name.lower())
    ]
    often: list[int] = []
    if len(controls) >= _MIN_NOTICES:
        often = core.find_equal_blocks(
            page.columns, page.block_chars, page.text, _MIN_NOTICE_CHARS, _MAX_BOX_CHARS, _MIN_NOTICES
        )
    if not asking and not often:
        return
    first, last, _ = page.block_ranges
    chars = prefix_sums(page.block_chars)

    def box_of(row: int, *, smallest: bool) -> int:
        """Return the largest small element around a row, or the smallest one with a control; 0 if there is none."""
        box = 0
        while row > 0 and not _NOT_A_BOX[page.tag[row]] and chars[last[row]] - chars[first[row]] <= _MAX_BOX_CHARS:
            number = bisect_left(controls, row)
            if number < len(controls) and controls[number] < page.end[row]:
                box = row
                if smallest:
                    break
            row = int(page.parent[row])
        return box

    boxes = [box_of(row, smallest=False) for row in asking]
    texts: dict[str, list[int]] = {}
    for block in often:
        texts.setdefault(_block_text(page, block), []).append(block)
    for same in texts.values():
        around = [box_of(int(page.blocks.container[block]), smallest=True) for block in same]
        if len(same) >= _MIN_NOTICES and all(around):
            boxes += around
    for box in filter(None, boxes):
        out[first[box] : last[box]] = False


def _drop_appeals(page: Page, out: Bools) -> None:
    """Drop boxes that end with their only link or button, and most of whose text stands in another such box.

    These ask for donations or a subscription, once in the article and once below it. On ten corpora they are rare: 74
    kept words on one page, none of them gold. Of texts that stand twice beside a link, without these conditions, nine
    tenths are.
    """
    copied = core.find_equal_blocks(
        page.columns, page.block_chars, page.text, _MIN_NOTICE_CHARS, _MAX_APPEAL_CHARS, 2
    )
    if not out[copied].any():
        return
    first, last, _ = page.block_ranges
    is_copied = np.zeros(len(out), dtype=np.bool_)
    is_copied[copied] = True
    chars, copied_chars = prefix_sums(page.block_chars), prefix_sums(page.block_chars * is_copied)
    controls = sorted(row for name in ("a", "button") if page.tag_count(name) for row in page.rows_of(name).tolist())
    boxes: dict[str, set[int]] = {}
    for block in copied:
        row, box = int(page.blocks.container[block]), 0
        while row > 0 and not _NOT_A_BOX[page.tag[row]]:
            size = chars[last[row]] - chars[first[row]]
            also = copied_chars[last[row]] - copied_chars[first[row]]
            if size > _MAX_APPEAL_CHARS or also < _MIN_COPIED_SHARE * size:
                break
            row, box = int(page.parent[row]), row
        if _ends_with_control(page, box, controls):
            boxes.setdefault(_block_text(page, block), set()).add(box)
    for box in {box for same in boxes.values() if len(same) > 1 for box in same}:
        out[first[box] : last[box]] = False


def _ends_with_control(page: Page, box: int, controls: list[int]) -> bool:
    """Tell whether the last of several blocks of an element is the only link or button in it."""
    first, last, _ = page.block_ranges
    index = bisect_left(controls, box)
    inside = controls[index : bisect_left(controls, page.end[box])]
    if not box or len(inside) != 1 or last[box] - first[box] < _MIN_APPEAL_BLOCKS:
        return False
    start = page.offset[page.blocks.start[last[box] - 1]]
    control, stop = page.offset[inside[0]], page.offset[page.end[inside[0]]]
    whole = len("".join(page.text[start : page.offset[page.end[box]]].split()))
    return bool(control >= start and len("".join(page.text[control:stop].split())) >= _MIN_BUTTON_SHARE * whole)


def _are_alike(page: Page, first: int, second: int) -> bool:
    """Tell whether two blocks are siblings with the same class: their author repeats himself."""
    boxes = [int(page.blocks.container[block]) for block in (first, second)]
    parents, classes = {int(page.parent[box]) for box in boxes}, {page.attributes(box).get("class") for box in boxes}
    return len(parents) == len(classes) == 1


def _block_text(page: Page, block: int) -> str:
    start, stop = page.offset[page.blocks.start[block]], page.offset[page.blocks.stop[block]]
    return " ".join(page.text[start:stop].split())


def _add_captions(page: Page, out: Bools) -> None:
    """Add the captions of tables, and the sources below quotations, of which half is kept."""
    rows = [*page.rows_of("caption").tolist()] if page.tag_count("caption") else []
    if page.tag_count("blockquote"):
        rows += [row for name in ("footer", "cite") for row in page.rows_of(name).tolist()]
    if not rows:
        return
    blocks = page.blocks
    edges = np.array(rows, dtype=np.int64)
    edges = np.stack([page.parent[edges], page.end[page.parent[edges]], edges, page.end[edges]], axis=1)
    kept = prefix_sums(out[blocks.block_of[blocks.rows]])
    for row, places in zip(rows, np.searchsorted(blocks.rows, edges).tolist(), strict=True):
        box = int(page.parent[row])
        is_source = page.tag[row] != tags.IDS["caption"]
        if is_source and page.tag[box] != tags.IDS["blockquote"]:
            continue
        start, stop, first, last = places
        count = first - start + stop - last
        if count and 2 * int(kept[first] - kept[start] + kept[stop] - kept[last]) >= count:
            out[blocks.block_of[blocks.rows[first:last]]] = True


# Whole lists and tables: if half or more of the items or rows are kept, all are.
#
# A model judges each block by itself, and leaves holes in a list of ingredients or a table of results. Items are
# those of one ``ul`` or ``ol``, rows those of one ``table`` that is not for layout.


_LIST_TAGS: Final = tags.tag_mask("ul ol dl")
_ITEM_TAGS: Final = tags.tag_mask("li dt dd")
_MAX_LIST_CHARS: Final = 2000  #: a longer list is a thread, a listing or a layout
#: The mean probability from which a list is kept whole. Of 202 lists of 2,303 labelled pages with items left out, 151
#: are as short. From here on, 60 % of what was left out is in the gold text; below, 12 % of what was kept. With
#: definition lists, words F1 rises on five of nine pages that change, by .04 in sum.
_MIN_LIST_PROBABILITY: Final = 0.4


def settle_lists(page: Page, kept: Bools, probs: Floats, excluded: Bools) -> Bools:
    """Return the kept blocks with short lists whole, or without them where few of their items were kept.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<p>Take</p><ul><li>flour<li>water<li>salt</ul>")
    >>> kept = np.array([True, True, False, False])
    >>> settle_lists(page, kept, np.full(4, 0.45), np.zeros(4, dtype=np.bool_)).tolist()
    [True, True, True, True]
    >>> settle_lists(page, kept, np.full(4, 0.2), np.zeros(4, dtype=np.bool_)).tolist()
    [True, False, False, False]
    >>> page = parse_page("<p>Words</p><dl><dt>Tea<dd>A drink.<dt>Pot<dd>A vessel.</dl>")
    >>> settle_lists(page, np.array([True, True, False, False, True]), np.full(5, 0.45), np.zeros(5, np.bool_)).all()
    np.True_
    """
    if not (page.tag_count("li") or page.tag_count("dd")) or not kept.any() or kept.all():
        return kept
    first, last, _ = page.block_ranges
    lists = np.flatnonzero(_LIST_TAGS[page.tag] & page.is_element)
    chars, counts = prefix_sums(page.block_chars), prefix_sums(kept)
    begin, end = first[lists], last[lists]
    some = counts[end] - counts[begin]
    partly = (some > 0) & (some < end - begin) & (chars[end] - chars[begin] <= _MAX_LIST_CHARS)
    out = kept.copy()
    for row in lists[partly][::-1].tolist():  # the inner ones first
        items = [k for k in page.children(row) if _ITEM_TAGS[page.tag[k]] and chars[last[k]] > chars[first[k]]]
        is_kept = [bool(out[first[k] : last[k]].any()) for k in items]
        if all(is_kept) or not any(is_kept):
            continue
        blocks = slice(int(first[row]), int(last[row]))
        weights = page.block_chars[blocks]
        if float((probs[blocks] * weights).sum()) >= _MIN_LIST_PROBABILITY * float(weights.sum()):
            for item, is_in in zip(items, is_kept, strict=True):
                out[first[item] : last[item]] |= not is_in
        elif 2 * int(weights[out[blocks]].sum()) < int(weights.sum()):
            out[blocks] = False
    return _without(out, excluded, kept)


def complete_groups(page: Page, kept: Bools, excluded: Bools) -> Bools:
    """Return the kept blocks with the rest of lists and tables of which half is kept; `excluded` blocks stay out.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<ul><li>flour<li>water<li>salt</ul>")
    >>> complete_groups(page, np.array([True, False, True]), np.zeros(3, dtype=np.bool_)).tolist()
    [True, True, True]
    """
    if not (page.tag_count("li") or page.tag_count("tr")) or not kept.any() or kept.all():
        return kept
    out = kept.copy()
    core.complete_groups(page.columns, page.block_chars, kept.view(np.uint8), out.view(np.uint8))
    if page.tag_count("tr"):
        _complete_tables(page, out)
    return _without(out, excluded, kept)


def _complete_tables(page: Page, out: Bools) -> None:
    """Keep the rest of data tables of which a part is kept, and drop what is kept of those where it is little.

    Captions do not count: a long one is not a reason to drop the rows below it.
    """
    first, last, _ = page.block_ranges
    counted = page.block_chars.copy()
    for caption in page.rows_of("caption").tolist():
        counted[first[caption] : last[caption]] = 0
    for table in page.data_tables:
        blocks = slice(int(first[table]), int(last[table]))
        kept = out[blocks]
        if kept.any() and not kept.all():
            chars = counted[blocks]
            out[blocks] = bool(chars[kept].sum() >= _MIN_TABLE_SHARE * chars.sum())
