"""The choice of blocks, from their logits to the rows that are kept, in one call: `choose`.

Blocks are ranked by their probability to be content. Of all prefixes of that ranking, the one with the highest F1 is
kept, computed as if the probabilities were true. Rules leave out links, comments and islands, lists, tables and other
structure are completed, and each text row gets the probability and the reason of its block. Blocks are bytes here:
1 where they are kept.
"""

from array import array
from collections.abc import Mapping
from math import exp
from typing import TYPE_CHECKING, Any, Final

from tamis._core import enums
from tamis._core import shadow as cython
from tamis._core.completion import IS_HEADING, complete_groups, settle_lists
from tamis._core.structure import complete_structure
from tamis.html import tags

if TYPE_CHECKING:
    from numpy import float32, float64, uint8
    from numpy.typing import NDArray

    from tamis._core.blocks import Columns

    Bytes = NDArray[uint8]
    Doubles = NDArray[float64]

cython.declare(
    _MIN_HEADING_PROBABILITY="double", SHORT_PAGE="double", _MIN_BODY="double", _MAX_LOGIT="double",
    _LINK_PENALTY="double", _MAX_LINK_SHARE="double", _MAX_TITLE_MATCH="double", _ISLAND_GAP="int",
    _MAX_ISLAND_SHARE="double", _MAX_ISLAND_PROBABILITY="double", _MIN_FRAGMENT_SHARE="double", _IS_CONTENT="int",
    _IS_COMMENT="int", _IS_RULED_OUT="int", _LI_TAG="int", _DD_TAG="int", _TR_TAG="int", _H1_TAG="int",
    _MIN_TITLE_MATCH="double", _MIN_MAIN_SHARE="double", _MIN_MAIN_BLOCKS="int",
)  # fmt: skip

#: Words of a page of which networks, having learned clean pages, take everything for content.
SHORT_PAGE: Final = 150.0
#: Comments are left out where the rest of the selection has at least this many words; else they are the content.
_MIN_BODY: Final = 40.0
#: Of a heading that is kept with the text below it. The heading of a box beside the text has less.
_MIN_HEADING_PROBABILITY: Final = 0.02
_CHROME_TAGS: Final = ("nav", "footer", "aside")
_CHROME_NAMES: Final = ("nav", "footer", "related", "popular", "share", "sidebar", "newsletter", "cookie")
_MAX_LOGIT: Final = 30.0  #: beyond it, probabilities are as good as 0 and 1
#: Logits that blocks of nothing but links lose on an article, unless they have half of the words of its title. On
#: pages that no network has seen: news +0.0009, Dragnet +0.0027 (titles too: +0.0018), L3S-GN1 +0.0014, WCXB dev
#: -0.0002. Swept 1, 2, 3 (titles too): news +0.0005, +0.0009, +0.0010, WCXB dev +0.0002, -0.0002, -0.0004.
_LINK_PENALTY: Final = 2.0
#: Of a page whose links are told from its text. One with more has a link that was left open: of 673 articles of four
#: corpora 7 have as much, and the penalty changes none of them.
_MAX_LINK_SHARE: Final = 0.7
_MAX_TITLE_MATCH: Final = 0.5
#: Of a group of kept blocks on an article: the blocks up to the next group, the share of the size of the largest
#: group, and the mean probability. It is the list of other articles, far below. On pages that no network has seen, 32
#: pages of ten corpora are better and 4 worse. Swept 1 to 32, 0.03 to 0.5, 0.6 to 1.
_ISLAND_GAP, _MAX_ISLAND_SHARE, _MAX_ISLAND_PROBABILITY = 24, 0.3, 0.8
#: Of the heading of the main article, as its feature `title_match` has it; and of that article, in what is kept. Of
#: 660 pages of six corpora with several such headings, none changes.
_MIN_TITLE_MATCH, _MIN_MAIN_SHARE, _MIN_MAIN_BLOCKS = 0.5, 0.2, 3
#: Of a fragment of HTML, from which on it is content, all of it: on five corpora 26 pages are fragments (CleanEval,
#: which lost their heads), and its F1 falls by 0.0007.
_MIN_FRAGMENT_SHARE: Final = 0.5
_IS_CONTENT, _IS_COMMENT, _IS_RULED_OUT = map(int, (enums.Reason.CONTENT, enums.Reason.COMMENT, enums.Reason.RULE))
_LI_TAG, _DD_TAG, _TR_TAG, _H1_TAG = tags.IDS["li"], tags.IDS["dd"], tags.IDS["tr"], tags.IDS["h1"]


@cython.cclass
class ChoiceColumns:
    """The features that a choice reads, by their names in the feature schema."""

    chrome_tags = cython.declare("int[::1]", visibility="readonly")
    chrome_names = cython.declare("int[::1]", visibility="readonly")
    comments = cython.declare("int[::1]", visibility="readonly")
    all_links = cython.declare("int", visibility="readonly")
    in_code = cython.declare("int", visibility="readonly")
    in_figure = cython.declare("int", visibility="readonly")
    in_h1 = cython.declare("int", visibility="readonly")
    title_match = cython.declare("int", visibility="readonly")

    def __init__(self, column: Mapping[str, int]) -> None:
        self.chrome_tags = array("i", [column[f"ancestor:{name}"] for name in _CHROME_TAGS])
        self.chrome_names = array("i", [column[f"near:{name}"] for name in _CHROME_NAMES])
        self.comments = array("i", [column["near:comment"], column["far:comment"]])
        self.all_links, self.in_code = column["all_links"], column["ancestor:pre"]
        self.in_figure, self.in_h1 = column["ancestor:figure"], column["container:h1"]
        self.title_match = column["title_match"]


@cython.ccall
@cython.returns("tuple")
@cython.locals(
    page="Columns", text="str", source="object", matrix="const float[:, :]", columns="ChoiceColumns",
    size="const double[::1]", logits="const double[::1]", tables="list", boxes="list", favor="double",
    minimum="double", is_article="bint", may_have_comments="bint", is_fragment="bint", is_declared="bint",
    quotations="bint", kept="unsigned char[::1]", reasons="unsigned char[::1]", mask="unsigned char[::1]",
    score="double[::1]", reason="unsigned char[::1]", count="int", block="int", expected_f1="double",
    probs="double[::1]", lowered="double[::1]", penalty="double[::1]", order="int[::1]", merged="int[::1]",
    comments="unsigned char[::1]", excluded="unsigned char[::1]", chosen="unsigned char[::1]",
    before="unsigned char[::1]", has_kept="bint", has_comments="bint",
    is_likely="bint", is_heading="bint", is_beside="bint",
)  # fmt: skip
def choose(  # noqa: C901, PLR0912, PLR0917 (all steps in one call, compiled)
    page: "Columns",
    text: str,
    source: Any,  # noqa: ANN401 (where attributes are read)
    matrix: "NDArray[float32]",
    columns: ChoiceColumns,
    size: "Doubles",
    logits: "Doubles",
    tables: list[int],
    boxes: list[int],
    kept: "Bytes",
    reasons: "Bytes",
    mask: "Bytes",
    score: "Doubles",
    reason: "Bytes",
    *,
    favor: float,
    minimum: float,
    is_article: bool,
    may_have_comments: bool,
    is_fragment: bool,
    is_declared: bool,
    quotations: bool,
) -> tuple[float, bool]:
    """Choose the blocks of a page; return the expected F1, and whether the ranking has kept any.

    Args:
        page: the page.
        text: its text.
        source: where its attributes are read.
        matrix: the features, blocks by features.
        columns: the features that are read.
        size: the size of each block.
        logits: its logit; above 0 is likely content.
        tables: the rows of the tables that contain data.
        boxes: the rows of code and callouts that are known by their class.
        kept: filled with the blocks to keep.
        reasons: filled with the reason of each block.
        mask: filled with whether each row is kept; zero before.
        score: filled with the probability of each row; zero before.
        reason: filled with the reason of each row; zero before.
        favor: logits by which blocks must be likelier to be kept.
        minimum: the least expected F1; below it, nothing is kept.
        is_article: whether the page is one: other articles on it are not content.
        may_have_comments: whether comments are left out.
        is_fragment: whether all of the page is content, if most of it is kept.
        is_declared: whether the metadata declare the content, so that nothing is kept.
        quotations: whether short quotations are content.
    """
    count = len(size)
    probs: Any = array("d", bytes(8 * count))
    lowered: Any = array("d", bytes(8 * count))
    penalty: Any = array("d", bytes(8 * count))
    order, merged = array("i", bytes(4 * count)), array("i", bytes(4 * count))
    comments: Any = bytearray(count)
    excluded: Any = bytearray(count)
    chosen = bytearray(count)
    with cython.nogil:
        if is_article:
            _penalize_links(matrix, columns, size, penalty)
        for block in range(count):
            probs[block] = _probability(logits[block])
            lowered[block] = _probability(logits[block] - favor - penalty[block])
        _rank(lowered, order, merged)
        expected_f1 = _settle(matrix, columns, order, lowered, size, minimum, may_have_comments, kept, comments)
        has_comments = has_kept = False
        for block in range(count):
            has_comments = has_comments or comments[block] != 0
        if is_fragment and favor <= 0 and not has_comments:
            _keep_fragment(matrix, columns, size, kept)
        for block in range(count):
            has_kept = has_kept or kept[block] != 0
            if is_declared:
                kept[block] = 0
            # What would be kept without the rules.
            is_likely = penalty[block] > 0 and probs[block] >= expected_f1 / 2
            chosen[block] = 1 if kept[block] or is_likely else 0
            # Comments, and the headings of boxes beside the text, are not kept with what is around them.
            is_heading = IS_HEADING[page.tag[page.container[block]]] != 0
            is_beside = is_heading and probs[block] < _MIN_HEADING_PROBABILITY
            excluded[block] = 1 if comments[block] or is_beside else 0
        if is_article:
            _drop_islands(kept, lowered, size)
    if is_article and page.tag_first[_H1_TAG + 1] - page.tag_first[_H1_TAG] > 1:
        _drop_next_articles(page, matrix, columns, size, kept)
    before: Any = bytearray(kept)
    if page.tag_first[_LI_TAG + 1] > page.tag_first[_LI_TAG] or page.tag_first[_TR_TAG + 1] > page.tag_first[_TR_TAG]:
        complete_groups(page, before, comments, tables, kept)
        before = bytearray(kept)
    if page.tag_first[_LI_TAG + 1] > page.tag_first[_LI_TAG] or page.tag_first[_DD_TAG + 1] > page.tag_first[_DD_TAG]:
        settle_lists(page, before, probs, comments, kept)
        before = bytearray(kept)
    complete_structure(
        page, text, source, before, excluded, boxes, kept,
        quotations=quotations, cards=not is_article, appeals=not is_article,
    )  # fmt: skip
    with cython.nogil:
        if is_article:
            _drop_lone_headings(page, matrix, columns, kept)
        for block in range(count):
            if comments[block]:
                reasons[block] = _IS_COMMENT
            elif kept[block]:
                reasons[block] = _IS_CONTENT
            else:
                reasons[block] = _IS_RULED_OUT if chosen[block] else 0
        _fill_rows(page, kept, probs, reasons, mask, score, reason)
    return expected_f1, bool(has_kept)


@cython.cfunc
@cython.nogil
@cython.returns("double")
@cython.exceptval(check=False)
@cython.locals(logit="double")
def _probability(logit: float) -> float:
    """Return the probability of a logit.

    >>> _probability(0.0), _probability(1000.0) == _probability(30.0)
    (0.5, True)
    """
    logit = min(max(logit, -_MAX_LOGIT), _MAX_LOGIT)
    return 1 / (1 + exp(-logit))


@cython.cfunc
@cython.nogil
@cython.returns("void")
@cython.exceptval(check=False)
@cython.locals(
    matrix="const float[:, :]", columns="ChoiceColumns", size="const double[::1]", out="double[::1]", block="int",
    total="double", linked="double",
)  # fmt: skip
def _penalize_links(matrix: "NDArray[float32]", columns: ChoiceColumns, size: "Doubles", out: "Doubles") -> None:
    """Write the logits that each block of an article loses before the choice: those of links."""
    total = linked = 0.0
    for block in range(len(size)):
        total += size[block]
        if matrix[block, columns.all_links] > 0:
            linked += size[block]
    if linked > _MAX_LINK_SHARE * total:
        return
    for block in range(len(size)):
        if matrix[block, columns.all_links] > 0 and matrix[block, columns.title_match] < _MAX_TITLE_MATCH:
            out[block] = _LINK_PENALTY


@cython.ccall
@cython.locals(
    matrix="const float[:, :]", columns="ChoiceColumns", size="const double[::1]", out="double[::1]",
)  # fmt: skip
def penalize_links(matrix: "NDArray[float32]", columns: ChoiceColumns, size: "Doubles", out: "Doubles") -> None:
    """Write the logits that each block of an article loses before the choice: those of links."""
    _penalize_links(matrix, columns, size, out)


@cython.cfunc
@cython.nogil
@cython.returns("void")
@cython.exceptval(check=False)
@cython.locals(
    probs="const double[::1]", order="int[::1]", merged="int[::1]", count="int", width="int", start="int",
    middle="int", stop="int", left="int", right="int", k="int",
)  # fmt: skip
def _rank(probs: "Doubles", order: Any, merged: Any) -> None:  # noqa: ANN401 (arrays)
    """Write the blocks into `order`, those with high probabilities first, equal ones as they are; `merged` is room.

    >>> order = array("i", [0] * 5)
    >>> _rank(array("d", [0.5, 0.9, 0.5, 0.1, 0.9]), order, array("i", order))
    >>> list(order)
    [1, 4, 0, 2, 3]
    """
    count = len(probs)
    for k in range(count):
        order[k] = k
    width = 1
    while width < count:
        start = 0
        while start < count:  # merge two runs
            middle = min(start + width, count)
            stop = min(middle + width, count)
            left, right = start, middle
            for k in range(start, stop):
                if left < middle and (right >= stop or probs[order[left]] >= probs[order[right]]):
                    merged[k] = order[left]
                    left += 1
                else:
                    merged[k] = order[right]
                    right += 1
            start = stop
        for k in range(count):
            order[k] = merged[k]
        width *= 2


@cython.cfunc
@cython.nogil
@cython.returns("bint")
@cython.exceptval(check=False)
@cython.locals(matrix="const float[:, :]", columns="const int[::1]", block="int", k="int")
def _has_any(matrix: "NDArray[float32]", columns: Any, block: int) -> bool:  # noqa: ANN401 (an array)
    """Tell whether a block has one of some features."""
    for k in range(len(columns)):  # noqa: SIM110 (compiled, without an object for each)
        if matrix[block, columns[k]] > 0:
            return True
    return False


@cython.cfunc
@cython.nogil
@cython.returns("double")
@cython.exceptval(check=False)
@cython.locals(
    matrix="const float[:, :]", columns="ChoiceColumns", order="const int[::1]", probs="const double[::1]",
    size="const double[::1]", minimum="double", in_article="bint", kept="unsigned char[::1]",
    comments="unsigned char[::1]", expected_f1="double", total="double", body="double", block="int", count="int",
    found="bint",
)  # fmt: skip
def _settle(  # noqa: C901, PLR0912, PLR0917 (loops over blocks, compiled)
    matrix: "NDArray[float32]",
    columns: ChoiceColumns,
    order: Any,  # noqa: ANN401 (an array)
    probs: "Doubles",
    size: "Doubles",
    minimum: float,
    in_article: bool,  # noqa: FBT001 (compiled)
    kept: "Bytes",
    comments: "Bytes",
) -> float:
    """Mark the blocks to keep, and the blocks left out as comments; return the expected F1.

    Comments are blocks in elements that are named so, beside the body of an article. A page of nothing but comments
    is a discussion, and keeps them. The networks have learned that what is alone on a short page is content. Of short
    pages with a menu they know too few to tell, so what says itself that it is chrome is left out of them.
    """
    count = len(size)
    expected_f1 = _keep_best(order, probs, size, kept)
    total = 0.0
    for block in range(count):
        total += size[block]
        if expected_f1 < minimum:
            kept[block] = 0
    if total < SHORT_PAGE:
        for block in range(count):
            if _is_chrome(matrix, columns, block):
                kept[block] = 0
    if in_article:
        body = 0.0
        found = False
        for block in range(count):
            if kept[block]:
                if _has_any(matrix, columns.comments, block) and not matrix[block, columns.in_code] > 0:
                    comments[block] = 1  # one in code is content
                    found = True
                else:
                    body += size[block]
        for block in range(count if found else 0):
            if body < _MIN_BODY:
                comments[block] = 0
            elif comments[block]:
                kept[block] = 0
    return expected_f1


@cython.ccall
@cython.returns("double")
@cython.locals(
    matrix="const float[:, :]", columns="ChoiceColumns", probs="const double[::1]", size="const double[::1]",
    minimum="double", kept="unsigned char[::1]", comments="unsigned char[::1]", in_article="bint", order="int[::1]",
    merged="int[::1]",
)  # fmt: skip
def settle_choice(
    matrix: "NDArray[float32]",
    columns: ChoiceColumns,
    probs: "Doubles",
    size: "Doubles",
    minimum: float,
    kept: "Bytes",
    comments: "Bytes",
    *,
    in_article: bool,
) -> float:
    """Mark the blocks to keep, and the blocks left out as comments; return the expected F1. This is for training.

    Args:
        matrix: the features, blocks by features.
        columns: the features that are read.
        probs: the probability of each block.
        size: its size.
        minimum: the least expected F1; below it, nothing is kept.
        kept: filled with the blocks to keep; zero before.
        comments: filled with the blocks that are left out; zero before.
        in_article: whether the page may be an article with comments.
    """
    order, merged = array("i", bytes(4 * len(size))), array("i", bytes(4 * len(size)))
    with cython.nogil:
        _rank(probs, order, merged)
    return _settle(matrix, columns, order, probs, size, minimum, in_article, kept, comments)


@cython.cfunc
@cython.nogil
@cython.returns("bint")
@cython.exceptval(check=False)
@cython.locals(matrix="const float[:, :]", columns="ChoiceColumns", block="int")
def _is_chrome(matrix: "NDArray[float32]", columns: ChoiceColumns, block: int) -> bool:
    """Tell whether a block says itself that it is chrome."""
    return _has_any(matrix, columns.chrome_tags, block) or (
        matrix[block, columns.all_links] > 0 and _has_any(matrix, columns.chrome_names, block)
    )


@cython.cfunc
@cython.nogil
@cython.returns("bint")
@cython.exceptval(check=False)
@cython.locals(matrix="const float[:, :]", columns="ChoiceColumns", block="int")
def _is_in_rest(matrix: "NDArray[float32]", columns: ChoiceColumns, block: int) -> bool:
    """Tell whether a block is neither chrome nor a title or a caption, which outputs with pictures have anyway."""
    return not (
        _is_chrome(matrix, columns, block) or matrix[block, columns.in_figure] > 0 or matrix[block, columns.in_h1] > 0
    )


@cython.cfunc
@cython.nogil
@cython.returns("void")
@cython.exceptval(check=False)
@cython.locals(
    matrix="const float[:, :]", columns="ChoiceColumns", size="const double[::1]", kept="unsigned char[::1]",
    block="int", own="double", rest="double", count="int",
)  # fmt: skip
def _keep_fragment(matrix: "NDArray[float32]", columns: ChoiceColumns, size: "Doubles", kept: "Bytes") -> None:
    """Keep all of a fragment of HTML but chrome, titles and captions, if most of it is kept."""
    count = len(size)
    own = rest = 0.0
    for block in range(count):
        if kept[block]:
            own += size[block]
        if _is_in_rest(matrix, columns, block):
            rest += size[block]
    if own < _MIN_FRAGMENT_SHARE * rest:
        return
    for block in range(count):
        if _is_in_rest(matrix, columns, block):
            kept[block] = 1


@cython.cfunc
@cython.nogil
@cython.returns("double")
@cython.exceptval(check=False)
@cython.locals(
    order="const int[::1]", probs="const double[::1]", size="const double[::1]", kept="unsigned char[::1]",
    count="Py_ssize_t", k="Py_ssize_t", best="Py_ssize_t", hits="double", total="double", half_f1="double",
    highest="double", all_hits="double",
)  # fmt: skip
def _keep_best(order: Any, probs: "Doubles", size: "Doubles", kept: "Bytes") -> float:  # noqa: ANN401 (an array)
    """Keep the prefix of an order of blocks with the highest expected F1; return that F1.

    >>> kept = bytearray(2)
    >>> f1 = _keep_best([1, 0], [0.1, 0.9], [10.0, 10.0], kept)
    >>> float(f1), list(kept)
    (0.9, [0, 1])
    """
    count = len(order)
    if count == 0:
        return 0.0
    all_hits = hits = total = 0.0
    for k in range(count):
        all_hits += probs[order[k]] * size[order[k]]
    all_hits = max(all_hits, 1e-9)
    best, highest = 0, -1.0
    for k in range(count):
        hits += probs[order[k]] * size[order[k]]
        total += size[order[k]]
        half_f1 = hits / (total + all_hits)
        if half_f1 > highest:
            best, highest = k, half_f1
    for k in range(best + 1):
        kept[order[k]] = 1
    return 2 * highest


@cython.ccall
@cython.returns("double")
@cython.locals(
    probs="const double[::1]", size="const double[::1]", kept="unsigned char[::1]", order="int[::1]",
    merged="int[::1]",
)  # fmt: skip
def keep_best(probs: "Doubles", size: "Doubles", kept: "Bytes") -> float:
    """Keep the prefix of the ranking of some blocks with the highest expected F1; return that F1."""
    order, merged = array("i", bytes(4 * len(size))), array("i", bytes(4 * len(size)))
    _rank(probs, order, merged)
    return _keep_best(order, probs, size, kept)


@cython.cfunc
@cython.nogil
@cython.returns("void")
@cython.exceptval(check=False)
@cython.locals(
    kept="unsigned char[::1]", probs="const double[::1]", size="const double[::1]", block="int", count="int",
    first="int", last="int", groups="int", k="int", own="double", largest="double", weight="double",
)  # fmt: skip
def _drop_islands(kept: "Bytes", probs: "Doubles", size: "Doubles") -> None:  # noqa: C901 (loops over blocks, compiled)
    """Drop small groups of improbable blocks of an article that are far from the others.

    >>> kept = bytearray([1] * 4 + [0] * 30 + [1])
    >>> _drop_islands(kept, [0.99] * 34 + [0.6], [20.0] * 35)
    >>> sum(kept)
    4
    """
    count, groups, last = len(kept), 0, -2 * _ISLAND_GAP
    own = largest = weight = 0.0
    for block in range(count):
        if kept[block]:
            if block - last > _ISLAND_GAP:
                groups += 1
                own = 0.0
            own += size[block]
            largest = max(largest, own)
            last = block
    if groups <= 1:
        return
    first = -1
    for block in range(count + 1):
        if block < count and not kept[block]:
            continue
        if first >= 0 and (block == count or block - last > _ISLAND_GAP):
            if own < _MAX_ISLAND_SHARE * largest and weight < _MAX_ISLAND_PROBABILITY * own:
                for k in range(first, last + 1):
                    kept[k] = 0
            first = -1
        if block < count:
            if first < 0:
                first = block
                own = weight = 0.0
            own += size[block]
            weight += probs[block] * size[block]
            last = block


@cython.cfunc
@cython.locals(
    page="Columns", matrix="const float[:, :]", columns="ChoiceColumns", size="const double[::1]",
    kept="unsigned char[::1]", first="int[::1]", last="int[::1]", parent="int[::1]", low="int", high="int", k="int",
    row="int", main="int", own="int", block="int", count="int", is_title="bint", child="int[::1]", counts="int[::1]",
    sizes="double[::1]", is_main="bint",
)  # fmt: skip
def _drop_next_articles(  # noqa: C901, PLR0912 (loops over headings, compiled)
    page: "Columns", matrix: "NDArray[float32]", columns: ChoiceColumns, size: "Doubles", kept: "Bytes"
) -> None:
    """Drop the articles that an endless scroll put below the one of the page.

    These are in elements like its own, with headings like its own. Its heading is the title that the page declares.
    """
    first, last, parent = page.first_block, page.last_block, page.parent
    low, high, count = page.tag_first[_H1_TAG], page.tag_first[_H1_TAG + 1], len(kept)
    child, counts = array("i", bytes(4 * len(parent))), array("i", bytes(4 * (count + 1)))
    sizes = array("d", bytes(8 * (count + 1)))
    with cython.nogil:
        main = -1
        is_title = True
        for k in range(low, high):
            row = page.tag_rows[k]
            if last[row] > first[row]:
                is_title = matrix[first[row], columns.title_match] >= _MIN_TITLE_MATCH
                if is_title and main < 0:
                    main = row
        if main >= 0 and not is_title:  # the last heading is that of another article
            row = main
            while row > 0:  # of each ancestor of the title: the element that contains it
                child[parent[row]] = row
                row = parent[row]
            for block in range(count):
                counts[block + 1] = counts[block] + (1 if kept[block] else 0)
                sizes[block + 1] = sizes[block] + (size[block] if kept[block] else 0.0)
            for k in range(low, high):
                row = page.tag_rows[k]
                if row < main or last[row] == first[row]:
                    continue
                if matrix[first[row], columns.title_match] >= _MIN_TITLE_MATCH:
                    continue
                while child[parent[row]] == 0:
                    row = parent[row]
                own = child[parent[row]]
                if row == page.tag_rows[k] or own == main:
                    continue
                is_main = (
                    counts[last[own]] - counts[first[own]] > _MIN_MAIN_BLOCKS
                    and sizes[last[own]] - sizes[first[own]] >= _MIN_MAIN_SHARE * sizes[count]
                )
                if is_main and page.tag[row] == page.tag[own] and page.class_ids[row] == page.class_ids[own]:
                    for block in range(first[row], last[row]):
                        kept[block] = 0


@cython.cfunc
@cython.nogil
@cython.returns("void")
@cython.exceptval(check=False)
@cython.locals(
    page="Columns", matrix="const float[:, :]", columns="ChoiceColumns", kept="unsigned char[::1]", block="int",
    row="int", k="int", others="int", has_text="bint", is_heading="bint",
)  # fmt: skip
def _drop_lone_headings(page: "Columns", matrix: "NDArray[float32]", columns: ChoiceColumns, kept: "Bytes") -> None:
    """Drop headings of boxes whose other blocks are links that are not kept, below the first text of an article.

    Of 881 pages of eight corpora 13 are better and none is worse. Without a text above, 4 lose a headline or the line
    below it; with other blocks than links, 6 more are better and 2 worse.
    """
    has_text = False
    for block in range(len(kept)):
        if not kept[block]:
            continue
        row = page.container[block]
        is_heading = IS_HEADING[page.tag[row]] != 0
        has_text = has_text or not is_heading
        if not has_text or not is_heading:
            continue
        while row > 0 and page.last_block[row] - page.first_block[row] <= 1:
            row = page.parent[row]
        others = 0
        for k in range(page.first_block[row], page.last_block[row]):
            others += 1 if k != block and (kept[k] or not matrix[k, columns.all_links] > 0) else 0
        if not others:
            kept[block] = 0


@cython.cfunc
@cython.nogil
@cython.returns("void")
@cython.exceptval(check=False)
@cython.locals(
    page="Columns", kept="const unsigned char[::1]", probs="const double[::1]", reasons="const unsigned char[::1]",
    mask="unsigned char[::1]", score="double[::1]", reason="unsigned char[::1]", text_rows="int[::1]",
    block_of="int[::1]", k="int", row="int", block="int",
)  # fmt: skip
def _fill_rows(
    page: "Columns",
    kept: "Bytes",
    probs: "Doubles",
    reasons: "Bytes",
    mask: "Bytes",
    score: "Doubles",
    reason: "Bytes",
) -> None:
    """Give each text row whether its block is kept, the probability of its block, and the reason."""
    text_rows, block_of = page.text_rows, page.block_of
    for k in range(len(text_rows)):
        row = text_rows[k]
        block = block_of[row]
        mask[row] = kept[block]
        score[row] = probs[block]
        reason[row] = reasons[block]


@cython.ccall
@cython.locals(
    page="Columns", kept="const unsigned char[::1]", reasons="const unsigned char[::1]", mask="unsigned char[::1]",
    reason="unsigned char[::1]", k="int", row="int",
)  # fmt: skip
def change_rows(page: "Columns", kept: "Bytes", reasons: "Bytes", mask: "Bytes", reason: "Bytes") -> None:
    """Give each text row whether its block is kept, and the reason, after a choice was changed."""
    for k in range(len(page.text_rows)):
        row = page.text_rows[k]
        mask[row], reason[row] = kept[page.block_of[row]], reasons[page.block_of[row]]
