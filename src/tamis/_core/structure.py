"""The code, callouts, headings and captions among the kept blocks of a page; repeats, labels and boxes are left out.

A model judges each block by itself. Few of the pages that it learned from have code or callouts, and people who label
pages disagree about short headings. A reader misses all three: a section without its heading runs into the one above.
`tamis.sift.choice` calls `complete_structure` after the lists and tables are complete. Blocks are bytes here: 1 where
they are kept.
"""

from array import array
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from tamis._core import shadow as cython
from tamis._core.completion import CAPTION, IS_HEADING, _is_complete, _leave_excluded, _sum_chars
from tamis._core.shadow import PyUnicode_DATA, PyUnicode_KIND, PyUnicode_READ, is_space
from tamis._core.text import HASH_SEED, add_to_hash
from tamis.html import tags

if TYPE_CHECKING:
    from numpy import uint8
    from numpy.typing import NDArray

    from tamis._core.blocks import Columns

    Bytes = NDArray[uint8]

cython.declare(
    _IS_SECTION_HEADING="bytes", _MIN_SECTION_CHARS="int", _MAX_LINE_CHARS="int", _MIN_REPEATED_CHARS="int",
    _MIN_LISTED="int", _PARAGRAPH="int", _MAX_CARD_CHARS="int", _MIN_PARAGRAPHS="int",
    _MIN_PARAGRAPH_CHARS="int", _MAX_CARD_LEVELS="int", _LINKED="double", _IS_CARD="bytes", _IS_NO_CARD="bytes",
    _IS_ENTRY="bytes", _MAY_BE_LABEL="bytes", _LEVELS_OF_TAG="bytes", _IS_NO_BOX="bytes", _IS_LAYOUT="bytes",
    _IS_PRE_TAG="bytes", _PRE_TAG="int", _CODE_TAG="int", _MATH_TAG="int", _QUOTATION="int", _FOOTER="int",
    _CITE="int", _LINE_END="int", _MAX_LEVELS="int", _MIN_CHARS="int", _MIN_SHARE="double", _MAX_AD_CHARS="int",
    _MAX_BOX_CHARS="int", _MIN_NOTICE_CHARS="int", _MIN_NOTICES="int", _MAX_QUOTED_CHARS="int", _MAX_NAME_CHARS="int",
    _MAX_SECTION_LEVELS="int", _MAX_SHARE="double", _INPUT="int", _BUTTON="int", _MAX_APPEAL_CHARS="int",
    _MIN_COPIED_SHARE="double", _MIN_APPEAL_BLOCKS="int", _MIN_BUTTON_SHARE="double", _LINK_TAG="int",
    _FIRST_WIDE="unsigned int", _WIDE_CHARS="int",
)  # fmt: skip

_PRE_TAG, _CODE_TAG, _MATH_TAG = tags.IDS["pre"], tags.IDS["code"], tags.IDS["math"]
_QUOTATION, _FOOTER, _CITE = tags.IDS["blockquote"], tags.IDS["footer"], tags.IDS["cite"]
_LINE_END, _INPUT, _BUTTON = tags.IDS["br"], tags.IDS["input"], tags.IDS["button"]
_PARAGRAPH, _LINK_TAG = tags.IDS["p"], tags.IDS["a"]
_IS_ENTRY: Final = tags.tag_mask("li td th dd dt").tobytes()
_IS_PRE_TAG: Final = tags.PRE.tobytes()
_IS_SECTION_HEADING: Final = tags.tag_mask("h2 h3 h4 h5 h6").tobytes()  #: the model knows headlines
_LEVELS_OF_TAG: Final = bytes(int(name[1]) if tags.HEADING[tag] else 0 for tag, name in enumerate(tags.NAMES))
_MAX_LEVELS: Final = 8  #: from an element up to one with text around it
_MIN_CHARS: Final = 80  #: of the text around it that decides; labels and buttons of code have fewer
_MIN_SHARE: Final = 0.5  #: of that text, which must be kept
_MAX_QUOTED_CHARS: Final = 400  #: of a quotation that is kept because of the text around it
_MAX_SHARE: Final = 0.3  #: of the page: a box with more is its layout
_MIN_SECTION_CHARS: Final = 40  #: below a heading; a teaser may have fewer
_MAX_LINE_CHARS: Final = 100  #: that are not kept between a heading and its text: date and author of a post
_MAX_NAME_CHARS: Final = 300  #: of a heading; a longer one is not a heading
_MAX_SECTION_LEVELS: Final = 3  #: from a heading up to the element with its section
#: Headings of links to share a text, and of contents: nothing is left of their section.
_LINK_HEADINGS: Final = frozenset({
    "share", "share this", "share on", "share via", "share this post", "share this article", "share this story",
    "teilen", "partager", "compartir", "condividi", "compartilhar", "delen", "поделиться", "contents",
    "table of contents",
})  # fmt: skip
_MIN_LISTED: Final = 3  #: headings of one level with nothing below them that are a list
_MIN_REPEATED_CHARS: Final = 25  #: of a block that is left out because it repeats the one before it
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
_IS_LAYOUT: Final = tags.tag_mask("html body main article section td th table tbody tr form").tobytes()
#: Of a box with a field for an address, or with a notice and a control. On three corpora 2 % of the 12,283 words of
#: the former are gold, and 1 of 45 texts that stand three times or more on a page, each time beside a control.
_MAX_BOX_CHARS: Final = 400
_MIN_NOTICE_CHARS, _MIN_NOTICES = 48, 3
_FIRST_WIDE, _WIDE_CHARS = (
    0x2E80,
    3,
)  #: from here on (Chinese, Japanese, Korean), a letter is as much as so many others
_IS_NO_BOX: Final = tags.tag_mask("html body main article").tobytes()
#: Of a card of another article between the paragraphs of one: a box with a heading that is a link. On five corpora 9
#: such boxes were kept, and none of their 129 words is gold. (Boxes that end with a link are gold as often as not.)
_MAX_CARD_CHARS: Final = 800
_IS_CARD: Final = tags.tag_mask("div section aside").tobytes()
_IS_NO_CARD: Final = tags.tag_mask("html body main article").tobytes()
_MIN_PARAGRAPHS, _MIN_PARAGRAPH_CHARS = 3, 48  #: of the article around it
_LINKED: Final = 0.9  #: of the characters of a heading that is a link
_MAX_CARD_LEVELS: Final = 8  #: from the heading up to the card


@cython.ccall
@cython.locals(
    page="Columns", text="str", source="object", kept="const unsigned char[::1]",
    excluded="const unsigned char[::1]", boxes="list", quotations="bint", cards="bint", appeals="bint",
    out="unsigned char[::1]",
    marked="unsigned char[::1]", before="int[::1]", breaks="int[::1]", row="int", rows="int", found="bint",
)  # fmt: skip
def complete_structure(
    page: "Columns",
    text: str,
    source: Any,  # noqa: ANN401 (where attributes are read)
    kept: "Bytes",
    excluded: "Bytes",
    boxes: list[int],
    out: "Bytes",
    *,
    quotations: bool,
    cards: bool,
    appeals: bool,
) -> None:
    """Complete the code, formulas, callouts, headings and captions among the kept blocks; drop labels and boxes.

    Args:
        page: the page.
        text: its text.
        source: where its attributes are read.
        kept: which blocks are kept.
        excluded: which blocks stay out.
        boxes: the rows of code and callouts that are known by their class.
        out: a copy of `kept`, which is completed.
        quotations: keep short quotations too. Those of articles are content; the posts of a forum quote each other.
        cards: keep cards of other articles between the paragraphs of one.
        appeals: keep boxes that ask for something, twice or with a button.
    """
    if _is_complete(kept):
        if not appeals:
            _drop_appeals(page, text, out)
        return
    rows = len(page.tag)
    marked, before, breaks = bytearray(rows), array("i", bytes(4 * rows + 4)), array("i", bytes(4 * rows + 4))
    for row in boxes:
        marked[row] = 1
    with cython.nogil:
        for row in range(rows):
            before[row + 1] = before[row] + (1 if page.block_of[row] >= 0 else 0)
        found = _mark_elements(page, quotations, before, breaks, marked)
    if found or boxes:
        _add_elements(page, kept, marked, before, out)
    _complete_headings(page, text, out)
    _drop_empty_sections(page, out)
    _add_captions(page, before, out)
    _drop_repeats(page, text, source, out)
    _drop_labels(page, text, out)
    _drop_boxes(page, text, source, out)
    if not cards:
        _drop_cards(page, out)
    if not appeals:
        _drop_appeals(page, text, out)
    _leave_excluded(out, excluded, kept)


@cython.cfunc
@cython.nogil
@cython.returns("bint")
@cython.exceptval(check=False)
@cython.locals(
    page="Columns", quotations="bint", before="const int[::1]", marked="unsigned char[::1]",
    tag="unsigned char[::1]", end="int[::1]", pre="unsigned char[::1]", row="int", own="int", block="int",
    found="bint", breaks="int[::1]",
)  # fmt: skip
def _mark_elements(page: "Columns", quotations: bool, before: Any, breaks: Any, marked: Any) -> bool:  # noqa: ANN401, FBT001 (arrays; compiled)
    """Mark code blocks, displayed formulas and, if wanted, quotations; tell whether there are any.

    Code is a block if it has several lines, or is all of a block. `before` counts the text rows before each row.
    """
    tag, end, pre = page.tag, page.end, page.pre
    found = False
    for row in range(len(tag)):
        breaks[row + 1] = breaks[row] + (1 if tag[row] == _LINE_END and not pre[row] else 0)
    for row in range(len(tag)):
        own = tag[row]
        if own in (_CODE_TAG, _MATH_TAG):
            if before[end[row]] == before[row]:
                continue
            block = page.block_of[page.text_rows[before[row]]]
            if (page.start[block] >= row and page.stop[block] <= end[row]) or (
                own == _CODE_TAG and breaks[end[row]] > breaks[row]
            ):
                marked[row] = 1
                found = True
        elif own == _PRE_TAG or (quotations and own == _QUOTATION):
            marked[row] = 1
            found = True
    return found


@cython.cfunc
@cython.locals(
    page="Columns", kept="const unsigned char[::1]", marked="const unsigned char[::1]",
    before="const int[::1]", out="unsigned char[::1]", end="int[::1]", block_of="int[::1]", rows="int", row="int",
    inside="int", chars="int", k="int", total="int[::1]", around="int[::1]", selected="int[::1]", most="double",
)  # fmt: skip
def _add_elements(page: "Columns", kept: "Bytes", marked: Any, before: Any, out: "Bytes") -> None:  # noqa: ANN401 (arrays)
    """Add the marked elements with kept text around them."""
    end, block_of = page.end, page.block_of
    rows = len(end)
    # Sums before each row: of the characters that are shown, of those around the elements, of those that are kept.
    total, around = array("i", bytes(4 * rows + 4)), array("i", bytes(4 * rows + 4))
    selected = array("i", bytes(4 * rows + 4))
    with cython.nogil:
        inside = 0  # the end of the elements that are open
        for row in range(rows):
            if marked[row] and end[row] > inside:
                inside = end[row]
            chars = page.nonspace[row] if block_of[row] >= 0 else 0
            total[row + 1] = total[row] + chars
            if row < inside:
                chars = 0
            around[row + 1] = around[row] + chars
            selected[row + 1] = selected[row] + (chars if chars and kept[block_of[row]] else 0)
        for row in range(rows):
            if not marked[row]:
                continue
            most = _MAX_QUOTED_CHARS if page.tag[row] == _QUOTATION else _MAX_SHARE * total[rows]
            if total[end[row]] - total[row] > most and not _IS_PRE_TAG[page.tag[row]]:
                continue
            if _is_in_kept_text(page, row, around, selected):
                for k in range(before[row], before[end[row]]):
                    out[block_of[page.text_rows[k]]] = 1


@cython.cfunc
@cython.nogil
@cython.returns("bint")
@cython.exceptval(check=False)
@cython.locals(
    page="Columns", row="int", around="const int[::1]", selected="const int[::1]", level="int",
    end="int", chars="int", is_kept="bint",
)  # fmt: skip
def _is_in_kept_text(page: "Columns", row: int, around: Any, selected: Any) -> bool:  # noqa: ANN401 (arrays)
    """Tell whether half of the text around an element is kept: in the nearest element that has some."""
    for level in range(_MAX_LEVELS):  # noqa: B007 (typed)
        row = page.parent[row]
        end = page.end[row]
        chars = around[end] - around[row]
        if chars >= _MIN_CHARS or (chars and _IS_ENTRY[page.tag[row]]):
            is_kept: bool = selected[end] - selected[row] >= _MIN_SHARE * chars
            return is_kept
        if row <= page.body:
            break
    return False


@cython.cfunc
@cython.locals(
    page="Columns", text="str", out="unsigned char[::1]", container="int[::1]", tag="unsigned char[::1]",
    parent="int[::1]", end="int[::1]", offset="int[::1]", count="int", block="int", stop="int", start="int",
    index="int", first_kept="int", total="int", selected="int", box="int", following="int", level="int",
    sums="int[::1]", headings="list", missing="list", alone="list", names="list", name="str",
)  # fmt: skip
def _complete_headings(page: "Columns", text: str, out: "Bytes") -> None:  # noqa: C901, PLR0912 (compiled)
    """Add the headings of sections that are kept, and drop those of links to share a text."""
    container, tag, parent, end, offset = page.container, page.tag, page.parent, page.end, page.offset
    count = len(container)
    headings: list[int] = []
    for block in range(count):
        if _IS_SECTION_HEADING[tag[container[block]]]:
            headings.append(block)  # noqa: PERF401 (compiled)
    if not headings:
        return
    sums = array("i", bytes(8 * (count + 1)))
    _sum_chars(page.block_chars, out, sums)
    missing: list[tuple[int, int]] = []  # the index of a heading above a section that is kept, and its first block
    alone: list[int] = []  # those that are kept with a section of which nothing is
    stop = count
    for index in range(len(headings) - 1, -1, -1):
        block = headings[index]
        start = block + 1
        total, selected = sums[2 * stop] - sums[2 * start], sums[2 * stop + 1] - sums[2 * start + 1]
        if out[block]:
            if total > 0 and selected == 0:
                alone.append(block)
        elif total >= _MIN_SECTION_CHARS and 2 * selected >= total:
            first_kept = start
            while first_kept < stop and not out[first_kept]:
                first_kept += 1
            if first_kept < stop and sums[2 * first_kept] - sums[2 * start] <= _MAX_LINE_CHARS:
                missing.append((index, first_kept))
        stop = block
    names: list[str] = []
    for block in headings if missing else []:
        box = container[block]
        name = text[offset[box] : offset[end[box]]] if offset[end[box]] - offset[box] < _MAX_NAME_CHARS else ""
        names.append(name.rpartition("Re:")[2].strip().casefold())  # without what an answer puts before it
    counts = Counter(names)
    for index, first_kept in missing:
        if counts[names[index]] > 1 or not names[index]:
            continue  # the posts of a thread repeat its title
        block = headings[index]
        box, following = container[block], page.text_rows[page.first[first_kept]]
        for level in range(_MAX_SECTION_LEVELS):  # noqa: B007 (typed)
            box = parent[box]
            if end[box] > following:
                out[block] = 1
                break
    for block in alone:
        box = container[block]
        if text[offset[box] : offset[end[box]]].strip(" :…\n\t").casefold() in _LINK_HEADINGS:
            out[block] = 0


@cython.cfunc
@cython.locals(
    page="Columns", out="unsigned char[::1]", container="int[::1]", tag="unsigned char[::1]", chars="int[::1]",
    count="int", block="int", level="int", has_heading="bint", has_text="bint", sums="int[::1]",
    left="unsigned char[::1]", empty="int[::1]", empty_count="int", ends="int[::1]", counts="int[::1]", stop="int",
    k="int",
)  # fmt: skip
def _drop_empty_sections(page: "Columns", out: "Bytes") -> None:  # noqa: C901 (compiled)
    """Drop headings below the first level whose section has text, none of which is kept; not three of one level.

    Three are a list. Of 310 such headings on six corpora (every third page of WCXB dev), 208 are not in the gold
    text; of those that are, most are the names of products or articles, in such lists.
    """
    container, tag, chars = page.container, page.tag, page.block_chars
    count = len(container)
    has_heading = has_text = False
    for block in range(count):
        if out[block]:
            level = _LEVELS_OF_TAG[tag[container[block]]]
            has_heading = has_heading or level > 0
            has_text = has_text or level == 0
    if not has_heading or not has_text:
        return
    sums, left, empty = array("i", bytes(4 * (count + 1))), bytearray(out), array("i", bytes(4 * count))
    for block in range(count):
        sums[block + 1] = sums[block] + (0 if _LEVELS_OF_TAG[tag[container[block]]] else chars[block])
    ends = array("i", [count] * 8)  # by level: where the section ends that is open
    counts = array("i", [0] * 8)
    empty_count = 0
    for block in range(count - 1, -1, -1):
        level = _LEVELS_OF_TAG[tag[container[block]]]
        if not level:
            continue
        stop = ends[level]
        for k in range(level, 8):
            ends[k] = block
        if not left[block] or level == 1 or sums[stop] == sums[block + 1]:
            continue
        k = block + 1
        while k < stop and not left[k]:
            k += 1
        if k == stop:
            empty[empty_count] = block
            empty_count += 1
            counts[level] += 1
            left[block] = 0
    for k in range(empty_count):
        if counts[_LEVELS_OF_TAG[tag[container[empty[k]]]]] < _MIN_LISTED:
            out[empty[k]] = 0


@cython.cfunc
@cython.locals(
    page="Columns", before="const int[::1]", out="unsigned char[::1]", tag="unsigned char[::1]", parent="int[::1]",
    end="int[::1]", row="int", box="int", own="int", k="int", count="int", selected="int", kept="int[::1]",
    size="int",
)  # fmt: skip
def _add_captions(page: "Columns", before: Any, out: "Bytes") -> None:  # noqa: ANN401 (an array)
    """Add the captions of tables, and the sources below quotations, of which half is kept."""
    tag, parent, end = page.tag, page.parent, page.end
    if (
        page.tag_first[CAPTION] == page.tag_first[CAPTION + 1]
        and page.tag_first[_QUOTATION] == page.tag_first[_QUOTATION + 1]
    ):
        return
    size = len(page.text_rows)
    kept = array("i", bytes(4 * (size + 1)))
    for k in range(size):
        kept[k + 1] = kept[k] + (1 if out[page.block_of[page.text_rows[k]]] else 0)
    for row in range(1, len(tag)):
        own, box = tag[row], parent[row]
        if own != CAPTION and (own not in (_FOOTER, _CITE) or tag[box] != _QUOTATION):
            continue
        count = before[row] - before[box] + before[end[box]] - before[end[row]]
        selected = kept[before[row]] - kept[before[box]] + kept[before[end[box]]] - kept[before[end[row]]]
        if count and 2 * selected >= count:
            for k in range(before[row], before[end[row]]):
                out[page.block_of[page.text_rows[k]]] = 1


@cython.cfunc
@cython.returns("str")
@cython.locals(page="Columns", text="str", block="int")
def _block_text(page: "Columns", text: str, block: int) -> str:
    """Return the text of a block with its white space collapsed."""
    return " ".join(text[page.offset[page.start[block]] : page.offset[page.stop[block]]].split())


@cython.cfunc
@cython.locals(
    page="Columns", text="str", source="object", out="unsigned char[::1]", container="int[::1]", start="int[::1]",
    tag="unsigned char[::1]", pre="unsigned char[::1]", chars="int[::1]", before="int", block="int", first="int",
    second="int", is_alike="bint",
)  # fmt: skip
def _drop_repeats(page: "Columns", text: str, source: Any, out: "Bytes") -> None:  # noqa: ANN401
    """Drop kept blocks that repeat the kept block before them: copies for other sizes of the screen.

    Cells, items and code may repeat. So may siblings with the same class: their author repeats himself.
    """
    container, start, tag, pre, chars = page.container, page.start, page.tag, page.pre, page.block_chars
    before = -1
    for block in range(len(container)):
        if not out[block]:
            continue
        if (
            before >= 0
            and chars[block] == chars[before]
            and chars[block] >= _MIN_REPEATED_CHARS
            and not _IS_ENTRY[tag[container[block]]]
            and not pre[start[block]]
        ):
            first, second = container[before], container[block]
            is_alike = page.parent[first] == page.parent[second] and source.all(first).get("class") == source.all(
                second
            ).get("class")
            if not is_alike and _block_text(page, text, before) == _block_text(page, text, block):
                out[block] = 0
        before = block


@cython.cfunc
@cython.locals(
    page="Columns", text="str", out="unsigned char[::1]", chars="int[::1]", first="int", last="int", block="int",
    longest="int", size="int", box="int", k="int", label="str",
)  # fmt: skip
def _drop_labels(page: "Columns", text: str, out: "Bytes") -> None:  # noqa: C901 (compiled)
    """Drop labels of links and forms, and those of advertisements with the short element that begins with one.

    They are looked for from the block before the first kept one to the last.
    """
    chars = page.block_chars
    first, last, longest = -1, -1, len(_MAY_BE_LABEL)
    for block in range(len(chars)):
        if out[block]:
            if first < 0:
                first = block
            last = block
    for block in range(max(0, first - 1), last + 1):
        if chars[block] >= longest or not _MAY_BE_LABEL[chars[block]]:
            continue
        label = "".join(text[page.offset[page.start[block]] : page.offset[page.stop[block]]].split())
        label = label.casefold().strip(_LABEL_SIGNS)
        if label not in _LABELS:
            continue
        out[block] = 0
        if label not in _AD_LABELS:
            continue
        box = page.container[block]
        while box > 0 and page.last_block[box] - page.first_block[box] == 1:
            box = page.parent[box]
        if page.first_block[box] != block or _IS_LAYOUT[page.tag[box]]:
            continue
        size = 0
        for k in range(block, page.last_block[box]):
            size += chars[k]
        for k in range(block, page.last_block[box] if size <= _MAX_AD_CHARS else block):
            out[k] = 0


@cython.cfunc
@cython.locals(
    page="Columns", text="str", source="object", out="unsigned char[::1]", fields="list", controls="int",
    asking="list", often="list", boxes="list", around="list", same="list", texts="dict", row="int", box="int",
    count="int", k="int", block="int", sums="int[::1]", controls_before="int[::1]", rows="int",
)  # fmt: skip
def _drop_boxes(page: "Columns", text: str, source: Any, out: "Bytes") -> None:  # noqa: ANN401, C901 (compiled)
    """Drop boxes that ask for an address, and notices that stand beside a control again and again.

    These are newsletters, and placeholders for embedded content without consent. They are found without words.
    """
    fields = [page.tag_rows[k] for k in range(page.tag_first[_INPUT], page.tag_first[_INPUT + 1])]
    controls = len(fields) + page.tag_first[_BUTTON + 1] - page.tag_first[_BUTTON]
    if not controls:
        return
    asking = [
        row
        for row, (kind, name) in zip(fields, source.table(fields, ("type", "name")), strict=True)
        if (kind and kind.lower() == "email") or (name and "email" in name.lower())
    ]
    often: list[int] = (
        _find_equal_blocks(page, text, _MAX_BOX_CHARS, _MIN_NOTICES) if controls >= _MIN_NOTICES else []
    )
    if not asking and not often:
        return
    rows, count = len(page.tag), len(page.block_chars)
    sums, controls_before = array("i", bytes(4 * (count + 1))), array("i", bytes(4 * (rows + 1)))
    for block in range(count):
        sums[block + 1] = sums[block] + page.block_chars[block]
    for row in range(rows):
        controls_before[row + 1] = controls_before[row] + (
            1 if page.tag[row] == _INPUT or page.tag[row] == _BUTTON else 0
        )
    boxes = [_box_around(page, row, sums, controls_before, False) for row in asking]  # noqa: FBT003 (compiled)
    texts: dict[str, list[int]] = {}
    for block in often:
        texts.setdefault(_block_text(page, text, block), []).append(block)
    for same in texts.values():
        around = [_box_around(page, page.container[block], sums, controls_before, True) for block in same]  # noqa: FBT003
        if len(same) >= _MIN_NOTICES and all(around):
            boxes += around
    for box in boxes:
        if box:
            for block in range(page.first_block[box], page.last_block[box]):
                out[block] = 0


@cython.cfunc
@cython.returns("int")
@cython.exceptval(check=False)
@cython.locals(
    page="Columns", row="int", sums="const int[::1]", controls_before="const int[::1]", smallest="bint", box="int",
)  # fmt: skip
def _box_around(page: "Columns", row: int, sums: Any, controls_before: Any, smallest: bool) -> int:  # noqa: ANN401, FBT001
    """Return the largest small element with a control around a row, or the smallest one; 0 if there is none."""
    box = 0
    while (
        row > 0
        and not _IS_NO_BOX[page.tag[row]]
        and sums[page.last_block[row]] - sums[page.first_block[row]] <= _MAX_BOX_CHARS
    ):
        if controls_before[page.end[row]] > controls_before[row]:
            box = row
            if smallest:
                break
        row = page.parent[row]
    return box


@cython.cfunc
@cython.nogil
@cython.returns("bint")
@cython.exceptval(check=False)
@cython.locals(page="Columns", kind="int", data="const void *", block="int", chars="int", k="int", is_long="bint")
def _is_long(page: "Columns", kind: int, data: str, block: int) -> bool:
    """Tell whether a block has the length of a notice."""
    chars = page.block_chars[block]
    if chars < _MIN_NOTICE_CHARS <= chars * _WIDE_CHARS:
        for k in range(page.offset[page.start[block]], page.offset[page.stop[block]]):
            if PyUnicode_READ(kind, data, k) >= _FIRST_WIDE:
                chars += _WIDE_CHARS - 1
    is_long: bool = chars >= _MIN_NOTICE_CHARS
    return is_long


@cython.cfunc
@cython.returns("list")
@cython.locals(
    page="Columns", text="str", longest="int", minimum="int", chars="int[::1]", start="int[::1]", stop="int[::1]",
    offset="int[::1]", count="int", block="int", k="int", of_length="int[::1]", key="unsigned long long",
    keys="unsigned long long[::1]", blocks_of="dict", kind="int", data="const void *", code="unsigned int",
)  # fmt: skip
def _find_equal_blocks(page: "Columns", text: str, longest: int, minimum: int) -> list[int]:
    """Return the blocks, of a notice's length or more, of which `minimum` have the same characters.

    White space does not count.
    """
    start, stop, offset, chars = page.start, page.stop, page.offset, page.block_chars
    count = len(chars)
    of_length = array("i", bytes(4 * (longest + 1)))
    kind, data, keys = PyUnicode_KIND(text), PyUnicode_DATA(text), array("Q", bytes(8 * count))
    with cython.nogil:
        for block in range(count):
            if chars[block] <= longest and _is_long(page, kind, data, block):
                of_length[chars[block]] += 1
        for block in range(count):
            if chars[block] <= longest and of_length[chars[block]] >= minimum and _is_long(page, kind, data, block):
                key = HASH_SEED
                for k in range(offset[start[block]], offset[stop[block]]):
                    code = PyUnicode_READ(kind, data, k)
                    if not is_space(code):
                        key = add_to_hash(key, code)
                keys[block] = key
    blocks_of: dict[int, list[int]] = {}
    for block in range(count):
        if keys[block]:
            blocks_of.setdefault(int(keys[block]), []).append(int(block))
    return sorted([block for same in blocks_of.values() if len(same) >= minimum for block in same])


#: Of an appeal: a box of several blocks that ends with its only link or button. Most of its text stands elsewhere in
#: such a box, or the control is a button and the box stands between kept blocks. (Boxes that end with a link are gold
#: as often as not; of those with a button, one was kept on 600 pages of three corpora: a calculator.)
_MAX_APPEAL_CHARS: Final = 1000
_MIN_COPIED_SHARE: Final = 0.75
_MIN_APPEAL_BLOCKS: Final = 2
_MIN_BUTTON_SHARE: Final = 0.9  #: of the last block that is in the link


@cython.cfunc
@cython.locals(
    page="Columns", text="str", out="unsigned char[::1]", copied="list", is_copied="unsigned char[::1]",
    sums="int[::1]", controls="int[::1]", count="int", rows="int", row="int", box="int", size="int", block="int",
    found="bint", boxes="dict", same="set", buttons="list", asking="list",
)  # fmt: skip
def _drop_appeals(page: "Columns", text: str, out: "Bytes") -> None:
    """Drop boxes that end with their only link or button, and most of whose text stands in another such box.

    These ask for donations or a subscription, once in the article and once below it. On ten corpora they are rare: 74
    kept words on one page, none of them gold. Of texts that stand twice beside a link, without these conditions, nine
    tenths are. A box that ends with a button is dropped between kept blocks, too: it asks for consent, or to sign in.
    """
    copied = _find_equal_blocks(page, text, _MAX_APPEAL_CHARS, 2)
    buttons = [page.tag_rows[row] for row in range(page.tag_first[_BUTTON], page.tag_first[_BUTTON + 1])]
    count, rows, found = len(out), len(page.tag), bool(buttons)
    is_copied: Any = bytearray(count)
    for block in copied:
        is_copied[block] = 1
        found = found or out[block] != 0
    if not found:
        return
    sums, controls = array("i", bytes(8 * (count + 1))), array("i", bytes(4 * (rows + 1)))
    _sum_chars(page.block_chars, is_copied, sums)
    for row in range(rows):
        controls[row + 1] = controls[row] + (1 if page.tag[row] in (_LINK_TAG, _BUTTON) else 0)
    boxes: dict[str, set[int]] = {}
    for block in copied:
        row, box = page.container[block], 0
        while row > 0 and not _IS_NO_BOX[page.tag[row]]:
            size = sums[2 * page.last_block[row]] - sums[2 * page.first_block[row]]
            if (
                size > _MAX_APPEAL_CHARS
                or sums[2 * page.last_block[row] + 1] - sums[2 * page.first_block[row] + 1] < _MIN_COPIED_SHARE * size
            ):
                break
            box, row = row, page.parent[row]
        if _ends_with_control(page, text, box, controls):
            boxes.setdefault(_block_text(page, text, block), set()).add(int(box))
    asking = [box for same in boxes.values() if len(same) > 1 for box in same]
    asking += [_button_box(page, text, out, row, sums, controls) for row in buttons]
    for box in asking:
        for block in range(page.first_block[box], page.last_block[box] if box else 0):
            out[block] = 0


@cython.cfunc
@cython.returns("int")
@cython.locals(
    page="Columns", text="str", out="unsigned char[::1]", button="int", sums="const int[::1]",
    controls="const int[::1]", row="int", box="int", block="int", before="bint", after="bint",
)  # fmt: skip
def _button_box(page: "Columns", text: str, out: "Bytes", button: int, sums: Any, controls: Any) -> int:  # noqa: ANN401 (arrays; compiled)
    """Return the kept box that ends with a button and stands between kept blocks of one element; 0 if it does not."""
    row, box = button, 0
    while row > 0 and not _IS_NO_BOX[page.tag[row]] and controls[page.end[row]] - controls[row] == 1:
        if sums[2 * page.last_block[row]] - sums[2 * page.first_block[row]] > _MAX_BOX_CHARS:
            break
        box, row = row, page.parent[row]
    if not _ends_with_control(page, text, box, controls) or not out[page.first_block[box]]:
        return 0
    before = after = False
    for block in range(page.first_block[row], page.last_block[row]):
        before = before or (out[block] != 0 and block < page.first_block[box])
        after = after or (out[block] != 0 and block >= page.last_block[box])
    return box if before and after else 0


@cython.cfunc
@cython.returns("bint")
@cython.locals(
    page="Columns", text="str", box="int", controls="const int[::1]", row="int", start="int", whole="int",
    own="int", is_last="bint",
)  # fmt: skip
def _ends_with_control(page: "Columns", text: str, box: int, controls: Any) -> bool:  # noqa: ANN401 (an array)
    """Tell whether the last of several blocks of an element is the only link or button in it."""
    if (
        not box
        or controls[page.end[box]] - controls[box] != 1
        or page.last_block[box] - page.first_block[box] < _MIN_APPEAL_BLOCKS
    ):
        return False
    row = box
    while controls[row + 1] == controls[box]:
        row += 1
    start = page.offset[page.start[page.last_block[box] - 1]]
    whole = len("".join(text[start : page.offset[page.end[box]]].split()))
    own = len("".join(text[page.offset[row] : page.offset[page.end[row]]].split()))
    is_last: bool = page.offset[row] >= start and own >= _MIN_BUTTON_SHARE * whole
    return is_last


@cython.cfunc
@cython.locals(
    page="Columns", chars="int[::1]", out="unsigned char[::1]", container="int[::1]", tag="unsigned char[::1]",
    parent="int[::1]", end="int[::1]", link="unsigned char[::1]", first_block="int[::1]", last_block="int[::1]",
    nonspace="int[::1]", count="int", rows="int", members="int[::1]", first="int[::1]", last="int[::1]",
    is_article="bint", block="int", heading_block="int", row="int", box="int", shown="int", linked="int", k="int",
    size="int",
)  # fmt: skip
def _drop_cards(page: "Columns", out: "Bytes") -> None:  # noqa: C901, PLR0912 (loops over blocks and levels, compiled)
    """Drop boxes with a heading that is a link, between the paragraphs of an article: they lead to other articles."""
    chars = page.block_chars
    container, tag, parent, end, link = page.container, page.tag, page.parent, page.end, page.link
    first_block, last_block, nonspace = page.first_block, page.last_block, page.nonspace
    count, rows = len(container), len(parent)
    members, first, last = array("i", bytes(4 * rows)), array("i", bytes(4 * rows)), array("i", bytes(4 * rows))
    is_article = False
    for block in range(count):
        row = container[block]
        if out[block] and tag[row] == _PARAGRAPH and chars[block] >= _MIN_PARAGRAPH_CHARS:
            box = parent[row]
            if not members[box]:
                first[box] = block
            last[box] = block
            members[box] += 1
            is_article = is_article or members[box] >= _MIN_PARAGRAPHS
    if not is_article:
        return
    for heading_block in range(count):
        row = container[heading_block]
        if not IS_HEADING[tag[row]] or parent[row] <= 0:
            continue
        if heading_block and container[heading_block - 1] == row:
            continue  # a heading of several lines
        shown = linked = 0
        for k in range(row, end[row]):
            shown += nonspace[k]
            if link[k]:
                linked += nonspace[k]
        if not linked or linked < _LINKED * shown:
            continue
        for _ in range(_MAX_CARD_LEVELS):
            box = parent[row]
            if members[box] >= _MIN_PARAGRAPHS and first[box] < first_block[row] and last_block[row] <= last[box]:
                if _IS_CARD[tag[row]]:
                    for block in range(first_block[row], last_block[row]):
                        out[block] = 0
                break
            row = box
            if row <= 0 or _IS_NO_CARD[tag[row]]:
                break
            size = 0
            for block in range(first_block[row], last_block[row]):
                size += chars[block]
                if size > _MAX_CARD_CHARS:
                    break
            if size > _MAX_CARD_CHARS:
                break
