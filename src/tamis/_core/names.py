"""Scan names, titles and clues: the words in ``class`` and ``id``, evident boilerplate, the words of a title."""

from array import array
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from tamis._core import enums
from tamis._core import shadow as cython
from tamis._core.shadow import PyUnicode_DATA, PyUnicode_KIND, PyUnicode_READ
from tamis._core.text import HASH_SEED, add_to_hash, hash_name
from tamis.html import attributes, characters

if TYPE_CHECKING:
    from numpy import float32, int32, uint8
    from numpy.typing import NDArray

    from tamis._core.blocks import Columns

    Ints = NDArray[int32]
    Floats = NDArray[float32]
    Bytes = NDArray[uint8]

cython.declare(
    _SLOTS="int",
    _MAX_TITLE_CHARS="int", _ELEMENT_TYPE="int", _REPORTED="int", _AROUND_LISTED="int", _LISTED="int", _UNNAMED="int",
    _CODE_CLUE="int", _DIGIT_CHARS="int", _CHARS_PER_WORD="double", _LONG_LINK_BLOCK="double", _SHORT_LINK="double",
    _MAX_FOOTER="double", _MAX_NOTICE="double", _MAX_MEAN_WORDS="double", _MIN_LINKS="double",
    _MIN_LIST_LINKS="double", _MAX_PAGE_SHARE="double", _ID_KIND="int", _ROLE_KIND="int", _ITEMPROP_KIND="int",
    _MIN_LIST_BLOCKS="int", _IF_LINKS="int", _IF_SHORT="int", _ALWAYS="int", _IF_LIST="int", _IF_NOTICE="int",
    _CONTENT="int", _BEGINNINGS="int", _SPACE_CODE="int", _LAST_ASCII="int", _LETTER_BITS="int",
)  # fmt: skip

# Words are compared by their hashes of 64 bits. A word that collides with one of the four hundred is about as likely
# as a memory error.
_MAX_TITLE_CHARS: Final = 2000  # that are compared with each block; the longest title of the corpora is shorter
_SLOTS: Final = 4096  # a tenth of them used


def word_table(category_of: dict[str, int]) -> tuple[Any, Any]:
    """Return a hash table from lowercase words to their categories: the hashes, and the numbers."""
    keys, values = array("Q", bytes(8 * _SLOTS)), array("i", bytes(4 * _SLOTS))
    for word, category in category_of.items():
        key = hash_name(word)
        slot = (key >> 32) & (_SLOTS - 1)
        while keys[slot]:
            slot = (slot + 1) & (_SLOTS - 1)
        keys[slot], values[slot] = key, category
    return keys, values


@cython.ccall
@cython.returns("tuple")
@cython.locals(
    names="list", table="tuple", categories="int", keys="unsigned long long[::1]", values="int[::1]",
    letters="unsigned char[::1]", first="int[::1]", numbers="int[::1]", last_name="int[::1]", name="int", size="int",
    key="unsigned long long", after_lower="bint", upper="bint", lower="bint", in_word="bint", k="Py_ssize_t",
    letter="unsigned char", slot="int", category="int",
)  # fmt: skip
def categorize(names: list[str], table: tuple[Any, Any], categories: int) -> tuple[Any, Any]:
    """Return the categories of each name: those of name k are ``numbers[first[k] : first[k + 1]]``.

    A name is split into words at other characters than letters and digits, and where camelCase has a capital. All
    names are read as one string of bytes. A null byte ends each: no name has one, because the parser replaces it as
    the standard says.

    >>> table = word_table({"related": 0, "posts": 1, "nav": 2})
    >>> first, numbers = categorize(["relatedPosts__list", "x1", "nav"], table, 3)
    >>> list(first), list(numbers)
    ([0, 2, 2, 3], [0, 1, 2])
    """
    keys, values = table
    letters = bytearray("\0".join([*names, ""]), "utf-8", "replace")
    first, numbers = array("i", bytes(4 * (len(names) + 1))), array("i", bytes(4 * len(letters)))
    last_name = array("i", bytes(4 * categories))  # the last name, from 1, that each category was found in
    with cython.nogil:
        name = 1
        size = 0
        key = HASH_SEED
        after_lower = False
        for k in range(len(letters)):
            letter = letters[k]
            upper = 65 <= letter <= 90  # noqa: PLR2004 (A to Z)
            lower = 97 <= letter <= 122  # noqa: PLR2004 (a to z)
            in_word = upper or lower or 48 <= letter <= 57 or letter > 127  # noqa: PLR2004 (digits; beyond ASCII)
            if not in_word or (upper and after_lower):
                slot = (key >> 32) & (_SLOTS - 1)
                while keys[slot] != 0 and keys[slot] != key:
                    slot = (slot + 1) & (_SLOTS - 1)
                if keys[slot] != 0:
                    category = values[slot]
                    if last_name[category] != name:
                        last_name[category] = name
                        numbers[size] = category
                        size += 1
                key = HASH_SEED
                if letter == 0 and name < len(first):  # never write beyond the array, whatever a parser lets through
                    first[name] = size
                    name += 1
            if in_word:
                key = add_to_hash(key, letter | 32 if upper else letter)
            after_lower = lower
    return first, numbers[:size]


_ID_KIND, _ROLE_KIND, _ITEMPROP_KIND = (attributes.KINDS[name] for name in ("id", "role", "itemprop"))


@cython.cclass
class Names:
    """The names of the elements that contain blocks, and the categories of their words.

    Attributes:
        named: the row of each name. An element may have several.
        name_of: the number of each name.
        first: the categories of name k are ``categories[first[k] : first[k + 1]]``.
        categories: indices into `tamis.sift.schema.NAME_CATEGORIES`.
    """

    named = cython.declare("int[::1]", visibility="readonly")
    name_of = cython.declare("int[::1]", visibility="readonly")
    first = cython.declare("int[::1]", visibility="readonly")
    categories = cython.declare("int[::1]", visibility="readonly")


@cython.ccall
@cython.returns("Names")
@cython.locals(
    page="Columns", listed="tuple", classes="list", table="tuple", category_count="int", k="int", row="int",
    kind="int", is_name="bint", capacity="Py_ssize_t", size="Py_ssize_t", named="int[::1]", name_of="int[::1]",
    listed_rows="list", kinds="list", values="list", names="list", out="Names",
)  # fmt: skip
def read_names(
    page: "Columns",
    listed: tuple[list[int], list[int], list[str]],
    classes: list[str],
    table: tuple[Any, Any],
    category_count: int,
) -> Names:
    """Return the classes, ids, roles and item properties of the elements with blocks.

    Args:
        page: the page.
        listed: its listed attributes: rows, kinds and values.
        classes: its classes, by the numbers of ``page.class_column`` from 1.
        table: the categories of words, as `word_table` returns them.
        category_count: how many categories there are.
    """
    listed_rows, kinds, values = listed
    names = [classes[k - 1] for k in page.class_order]
    capacity = 4 * (len(page.class_ids) + len(kinds))
    named, name_of = array("i", bytes(capacity)), array("i", bytes(capacity))
    size = 0
    for row in range(len(page.class_ids)):
        if page.class_ids[row]:
            named[size], name_of[size] = row, page.class_ids[row] - 1
            size += 1
    for k in range(len(kinds)):
        kind, row = kinds[k], listed_rows[k]
        is_name = kind in (_ID_KIND, _ROLE_KIND, _ITEMPROP_KIND)
        if is_name and page.has_blocks[row] and values[k]:
            named[size], name_of[size] = row, len(names)
            names.append(values[k])
            size += 1
    out = Names()
    out.named, out.name_of = named[:size], name_of[:size]
    out.first, out.categories = categorize(names, table, category_count)
    return out


# What makes an element boilerplate, one bit each; `tamis.sift.features` has the tags and names.
_IF_LINKS, _IF_SHORT, _ALWAYS, _IF_LIST, _IF_NOTICE, _CONTENT = map(int, enums.Boilerplate)


_CHARS_PER_WORD: Final = 5.0
_LONG_LINK_BLOCK: Final = 20.0  #: words of a block that is no link of a menu
_SHORT_LINK: Final = 4.0  #: words of a link in a list
_MAX_FOOTER: Final = 300.0  #: words
_MAX_NOTICE: Final = 120.0  #: words
_MIN_LIST_BLOCKS: Final = 6  #: blocks of a list of links
_MAX_MEAN_WORDS: Final = 6.0  #: of the blocks of a menu
_MIN_LINKS: Final = 0.7  #: share of the characters of a menu that are in links
_MIN_LIST_LINKS: Final = 0.9  #: the same for a list without a name
_MAX_PAGE_SHARE: Final = 0.5  #: the largest share of the page: an element with more is its layout


@cython.ccall
@cython.returns("list")
@cython.locals(
    page="Columns", names="Names", tag_flags="bytes", category_flags="bytes", tag="unsigned char[::1]",
    end="int[::1]", first_block="int[::1]", last_block="int[::1]", has_blocks="unsigned char[::1]",
    nonspace="int[::1]", link="unsigned char[::1]", text_rows="int[::1]", first="int[::1]", named="int[::1]",
    name_of="int[::1]", first_category="int[::1]", categories="int[::1]", count="int", row_count="int",
    chars="long long[::1]", linked="long long[::1]", longs="int[::1]", others="int[::1]", block="int", high="int",
    low="int", own="long long", own_linked="long long", k="int", row="int", place="int",
    row_flags="unsigned char[::1]", flag="unsigned char", size="long long", link_chars="long long", is_short="bint",
    total="long long", left="long long", content_end="int", out="list", found="int[::1]", found_count="int",
)  # fmt: skip
def boilerplate_ranges(  # noqa: C901 (three loops, compiled)
    page: "Columns", names: Names, tag_flags: bytes, category_flags: bytes
) -> list[tuple[int, int]]:
    """Return the ranges of rows that are evident boilerplate, in document order; none contains another.

    Args:
        page: the page.
        names: the names of its elements.
        tag_flags: for each tag, the bits of `tamis._core.enums.Boilerplate`.
        category_flags: the same for each category of names.
    """
    tag, end, first_block, last_block = page.tag, page.end, page.first_block, page.last_block
    has_blocks, nonspace, link, text_rows, first = (
        page.has_blocks, page.nonspace, page.link, page.text_rows, page.first
    )  # fmt: skip
    named, name_of, first_category, categories = names.named, names.name_of, names.first, names.categories
    count, row_count = len(first), len(tag)
    chars, linked = array("q", bytes(8 * (count + 1))), array("q", bytes(8 * (count + 1)))
    longs, others = array("i", bytes(4 * (count + 1))), array("i", bytes(4 * (count + 1)))
    row_flags, found = bytearray(row_count), array("i", bytes(4 * (count + 1)))  # each range has a block
    found_count = 0
    with cython.nogil:
        for block in range(count):
            high = first[block + 1] if block + 1 < count else len(text_rows)
            own = own_linked = 0
            for k in range(first[block], high):
                row = text_rows[k]
                own += nonspace[row]
                if link[row]:
                    own_linked += nonspace[row]
            chars[block + 1] = chars[block] + own
            linked[block + 1] = linked[block] + own_linked
            longs[block + 1] = longs[block] + (own > _LONG_LINK_BLOCK * _CHARS_PER_WORD)
            others[block + 1] = others[block] + (own > _SHORT_LINK * _CHARS_PER_WORD)
        for row in range(row_count):
            row_flags[row] = tag_flags[tag[row]]
        for k in range(len(named)):
            for place in range(first_category[name_of[k]], first_category[name_of[k] + 1]):
                row_flags[named[k]] |= category_flags[categories[place]]
        total = chars[count]
        left = total
        content_end = row = 0
        while row < row_count:
            if not has_blocks[row]:
                row = end[row] if tag[row] else row + 1
                continue
            flag = row_flags[row]
            low, high = first_block[row], last_block[row]
            size = chars[high] - chars[low]
            if flag and size <= _MAX_PAGE_SHARE * total:
                link_chars = linked[high] - linked[low]
                is_short = longs[high] == longs[low] and size <= _MAX_MEAN_WORDS * _CHARS_PER_WORD * (high - low)
                if (
                    flag & _ALWAYS
                    or (flag & _IF_NOTICE and size <= _MAX_NOTICE * _CHARS_PER_WORD)
                    or (
                        row >= content_end
                        and (
                            (flag & _IF_LINKS and is_short and link_chars >= _MIN_LINKS * size)
                            or (flag & _IF_SHORT and size <= _MAX_FOOTER * _CHARS_PER_WORD)
                            or (
                                flag & _IF_LIST
                                and high - low >= _MIN_LIST_BLOCKS
                                and others[high] == others[low]
                                and link_chars >= _MIN_LIST_LINKS * size
                            )
                        )
                    )
                ):
                    found[found_count] = row
                    found_count += 1
                    left -= size
                    row = end[row]
                    continue
            if flag & _CONTENT and end[row] > content_end:
                content_end = end[row]
            row += 1
    out: list[tuple[int, int]] = [(found[k], end[found[k]]) for k in range(found_count)]
    return out if left * 10 >= total else []


@cython.ccall
@cython.locals(
    page="Columns", text="str", title="str", offset="int[::1]", starts="int[::1]", stops="int[::1]", count="int",
    block="int", start="int", stop="int", longest="int", shortest="int", block_text="str", word="str",
    title_words="set", words="set", long_words="list", out="float[::1]", beginnings="int[::1]", known="int",
    kind="int", data="const void *",
)  # fmt: skip
def title_overlap(page: "Columns", text: str, title: str) -> Any:  # noqa: ANN401 (an array)
    """Return the overlap of each block's words with those of a title, from 0 to 1; 0 for blocks of another length.

    Args:
        page: the page.
        text: its text.
        title: the title; an empty one has no words.

    >>> import tamis
    >>> page = tamis.parse_page("<p>Fresh bread</p><p>Other</p>")
    >>> list(title_overlap(page.columns, page.text, "Bread"))
    [0.6666666865348816, 0.0]
    """
    offset, starts, stops = page.offset, page.start, page.stop
    count = len(starts)
    out = array("f", bytes(4 * count))
    title = title[:_MAX_TITLE_CHARS]
    title_words = set(title.casefold().split())
    if not title_words:
        return out
    # Only a block that contains a longer word of the title is split into words. In scripts of short words, any word.
    long_words = [word for word in title_words if len(word) > 3] or list(title_words)  # noqa: PLR2004
    longest, shortest = len(title) + 40, len(title) // 4
    # The first letters of these words. Where there are many words, or short ones, any block may have one of them.
    beginnings = array("i", bytes(4 * (_BEGINNINGS + 1)))
    known = 0
    for word in long_words:
        if word.isascii() and known < _BEGINNINGS and len(word) > 3:  # noqa: PLR2004
            beginnings[known] = int.from_bytes(word[:4].encode("ascii"), "little")
            known += 1
        elif word.isascii():
            known = _BEGINNINGS + 1
            break
    kind, data = PyUnicode_KIND(text), PyUnicode_DATA(text)
    for block in range(count):
        start, stop = offset[starts[block]], offset[stops[block]]
        if stop - start > longest or stop - start < shortest:
            continue
        if known <= _BEGINNINGS and not _has_beginning(kind, data, start, stop, beginnings, known):
            continue
        block_text = text[start:stop].casefold()
        for word in long_words:
            if word in block_text:
                words = set(block_text.split())
                out[block] = 2.0 * len(words & title_words) / (len(words) + len(title_words))
                break
    return out


_BEGINNINGS: Final = 16


@cython.cfunc
@cython.nogil
@cython.returns("bint")
@cython.exceptval(check=False)
@cython.locals(
    kind="int", data="const void *", start="Py_ssize_t", stop="Py_ssize_t", beginnings="int[::1]", count="int",
    key="int", letter="int", k="Py_ssize_t", number="int",
)  # fmt: skip
def _has_beginning(kind: int, data: str, start: int, stop: int, beginnings: Any, count: int) -> bool:  # noqa: ANN401 (an array)
    """Tell whether a part of a text may contain a word: one of their first four letters, or a sign beyond ASCII.

    >>> table = array("i", [0x61657262])
    >>> [_has_beginning(1, "Fresh bread", 0, stop, table, 1) for stop in (11, 9)], "brea".encode()[::-1].hex()
    ([True, False], '61657262')
    """
    key = 0
    for k in range(start, stop):
        letter = PyUnicode_READ(kind, data, k)
        if letter > 127:  # noqa: PLR2004 (its small letter may be one of ASCII)
            return True
        if 65 <= letter <= 90:  # noqa: PLR2004 (A to Z)
            letter |= 32
        key = key >> 8 | letter << 24
        for number in range(count):
            if beginnings[number] == key:  # of ASCII: both are below 2 ** 31
                return True
    return False


_ELEMENT_TYPE: Final = enums.ELEMENT
_DIGIT_CHARS: Final = characters.DIGIT
_REPORTED, _AROUND_LISTED, _LISTED, _UNNAMED, _CODE_CLUE, _ = map(int, enums.Clue)


@cython.cclass
class Parts:
    """Parts of names that are searched for together: each sets bits where a name contains it, in any case.

    Args:
        groups: the bits of each group and its parts in lower case. A part that begins with a space is a whole word.
    """

    head = cython.declare("int[::1]")
    next = cython.declare("int[::1]")
    first = cython.declare("int[::1]")
    bits = cython.declare("long long[::1]")
    is_word = cython.declare("unsigned char[::1]")
    letters = cython.declare("unsigned char[::1]")

    def __init__(self, groups: "dict[int, Iterable[str]]") -> None:
        parts = [(part, int(bits)) for bits, group in groups.items() for part in group]
        self.head, self.next = array("i", bytes(4 * _HEADS)), array("i", bytes(4 * (len(parts) + 1)))
        self.first, self.bits = array("i", bytes(4 * (len(parts) + 1))), array("q", bytes(8 * (len(parts) + 1)))
        self.is_word = bytearray(len(parts) + 1)
        letters = bytearray()
        for number, (part, bits) in enumerate(parts, 1):
            encoded = part.strip().encode("ascii")
            self.first[number - 1] = len(letters)
            letters += encoded
            head = (encoded[0] & _LETTER_BITS) << 5 | encoded[1] & _LETTER_BITS
            self.next[number], self.head[head] = self.head[head], number
            self.bits[number], self.is_word[number] = bits, part[0] == " "
        self.first[len(parts)] = len(letters)
        self.letters = letters


@cython.ccall
@cython.returns("tuple")
@cython.locals(
    names="list", parts="Parts", letters="unsigned char[::1]", head="int[::1]", following="int[::1]",
    first="int[::1]", part_letters="unsigned char[::1]", bits_of="long long[::1]", is_word="unsigned char[::1]",
    out="long long", length="Py_ssize_t", k="Py_ssize_t", number="int", begin="int", size="int", same="int",
    each="long long[::1]",
    name="Py_ssize_t",
)  # fmt: skip
def part_bits(names: list[str], parts: Parts) -> tuple[int, Any]:
    """Return the bits of all parts that the names contain, and those of each name. A sign beyond ASCII ends a word.

    >>> parts = Parts({1: ["code"], 2: [" eq"], 4: [" tex"]})
    >>> bits, each = part_bits(["text MyCodeBox", "eq"], parts)
    >>> bits, list(each), part_bits([], parts)[0]
    (3, [1, 2], 0)
    """
    letters = bytearray("\0".join([*names, ""]).lower(), "utf-8", "replace")
    head, following, first, part_letters = parts.head, parts.next, parts.first, parts.letters
    bits_of, is_word = parts.bits, parts.is_word
    each = array("q", bytes(8 * (len(names) + 1)))
    out = name = 0
    length = len(letters)
    for k in range(length - 1):
        if letters[k] == 0:
            name += name < len(names)
        number = head[(letters[k] & _LETTER_BITS) << 5 | letters[k + 1] & _LETTER_BITS]
        while number:
            begin, size = first[number - 1], first[number] - first[number - 1]
            if each[name] & bits_of[number] != bits_of[number] and k + size <= length:
                same = 0
                while same < size and letters[k + same] == part_letters[begin + same]:
                    same += 1
                if same >= size and (
                    not is_word[number]
                    or (
                        (k == 0 or letters[k - 1] <= _SPACE_CODE or letters[k - 1] > _LAST_ASCII)
                        and (
                            k + size == length or letters[k + size] <= _SPACE_CODE or letters[k + size] > _LAST_ASCII
                        )
                    )
                ):
                    each[name] |= bits_of[number]
                    out |= bits_of[number]
            number = following[number]
    return out, each[: len(names)]


_SPACE_CODE, _LAST_ASCII = 32, 127
_LETTER_BITS, _HEADS = (
    31,
    1024,
)  #: parts are found by five bits of their first two letters: the table stays in the cache


@cython.ccall
@cython.returns("tuple")
@cython.locals(
    page="Columns", class_ids="const int[::1]", selected="const unsigned char[::1]", classes="int", flags="bytes",
    node_type="unsigned char[::1]", tag="unsigned char[::1]", end="int[::1]", has_blocks="unsigned char[::1]",
    parent="int[::1]", text_rows="int[::1]", inline_run="int[::1]", rows="int", first="int", last="int", start="int",
    stop="int", k="int", row="int", nearest="int", number="int", flag="unsigned char", seen="int",
    seen_classes="unsigned char[::1]", class_numbers="list", around="list", listed="list", above="list",
)  # fmt: skip
def clue_rows(  # noqa: C901, PLR0912, PLR0915 (loops over rows, compiled)
    page: "Columns", class_ids: "Ints", selected: "Bytes", classes: int, flags: bytes
) -> tuple[int, int, int, list[int], list[int], list[int], list[int]]:
    """Return what is among the selected rows and beside them, for `tamis.document.detectors.text`.

    The rows are those from the first to the last selected one, on to the text that is nearest on both sides, and to
    the ends of the first and the last line: a formula may be there, beside text that is not selected.

    Args:
        page: the page.
        class_ids: the class number of each row.
        selected: which rows are selected; at least one is.
        classes: the highest class number.
        flags: the bits of `tamis._core.enums.Clue` of each tag.

    Returns:
        The first row and the one after the last; the flags of the tags that are reported; the class numbers of the
        elements, and of those around the first row; the rows of the two lists; the elements around the first row.
    """
    node_type, tag, end, has_blocks = page.node_type, page.tag, page.end, page.has_blocks
    parent, text_rows, inline_run = page.parent, page.text_rows, page.inline_run
    rows = len(tag)
    first, last = 0, rows - 1
    while first < last and not selected[first]:
        first += 1
    while last > first and not selected[last]:
        last -= 1
    start, stop = 0, rows
    for k in range(len(text_rows)):
        if text_rows[k] < first:
            start = text_rows[k] + 1
        elif text_rows[k] > last:
            stop = text_rows[k]
            break
    row = first
    while row > 0 and inline_run[row - 1] == inline_run[first]:
        row -= 1
    start = min(row, start)
    row = last + 1
    while row < rows and inline_run[row] == inline_run[last]:
        row += 1
    stop = max(row, stop)
    seen_classes = bytearray(classes + 1)
    seen = 0
    class_numbers: list[int] = []
    around: list[int] = []
    listed: list[int] = []
    above: list[int] = []
    row = parent[start]
    while row > 0:
        above.append(int(row))
        seen |= flags[tag[row]] & _CODE_CLUE
        number = class_ids[row]
        if number and not seen_classes[number]:
            seen_classes[number] = 1
            class_numbers.append(int(number))
        row = parent[row]
    nearest = row = start  # `nearest` is the first selected row that follows
    while row < stop:
        if node_type[row] != _ELEMENT_TYPE:
            row += 1
            continue
        flag = flags[tag[row]]
        while nearest < stop and (nearest < row or not selected[nearest]):
            nearest += 1
        if flag & _REPORTED:
            seen |= flag
        if flag & _AROUND_LISTED and nearest < stop and nearest < end[row]:
            around.append(int(row))
        if flag & _LISTED:
            listed.append(int(row))
        if flag & _UNNAMED and not has_blocks[row]:
            row = end[row]  # nothing in it is of interest
            continue
        number = class_ids[row]
        if number and not seen_classes[number]:
            seen_classes[number] = 1
            class_numbers.append(int(number))
        row += 1
    return int(start), int(stop), seen, class_numbers, around, listed, above


@cython.ccall
@cython.returns("list")
@cython.locals(
    page="Columns", selected="const unsigned char[::1]", wanted="bytes", row="int", following="int", out="list",
)  # fmt: skip
def elements_around(page: "Columns", selected: "Bytes", wanted: bytes) -> list[int]:
    """Return the elements that contain selected rows and whose tag is `wanted`, one byte for each, in order."""
    out: list[int] = []
    following = len(selected)  # the selected row that follows
    for row in range(len(selected) - 1, -1, -1):
        if selected[row]:
            following = row
        elif following < page.end[row] and wanted[page.tag[row]]:
            out.append(int(row))
    out.reverse()
    return out


@cython.ccall
@cython.returns("list")
@cython.locals(
    page="Columns", selected="const unsigned char[::1]", signs="int", nonspace="int[::1]", words="int[::1]",
    by_class="int[:, ::1]", first_class="unsigned char[::1]", row="int", out="list",
)  # fmt: skip
def number_rows(page: "Columns", selected: "Bytes", signs: int) -> list[int]:
    """Return the selected text rows that may be numbers: words have digits, and at most so many `signs` each."""
    nonspace, words, by_class, first_class = page.nonspace, page.words, page.by_class, page.first_class
    out: list[int] = []
    for row in range(len(selected)):
        if (
            selected[row]
            and first_class[row] == _DIGIT_CHARS
            and by_class[row, _DIGIT_CHARS] + signs * words[row] >= nonspace[row]
        ):
            out.append(int(row))  # noqa: PERF401 (compiled, a loop knows the type of its row)
    return out
