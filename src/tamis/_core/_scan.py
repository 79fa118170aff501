"""The columns of a page from its serialization: the Python side of scan.c, which has the reasons.

This file runs compiled alone: `walk` and `NodeAttributes` (columns.py) make the same from the parser's nodes. The
names that it does not define are those of scan.h, declared in the `.pxd`.
"""
# mypy: ignore-errors
# ruff: noqa: ANN001, ANN202, ANN204, F821 (names and types are in the .pxd)

from array import array

import cython
import numpy as np

from tamis.html import attributes, tags

if not cython.compiled:
    raise ImportError("this part of the core runs compiled alone")

_SCAN_FLAGS = {
    "br hr img input link meta area base basefont bgsound col embed frame keygen param source track wbr": IS_VOID,
    "script style xmp iframe noembed noframes": IS_LITERAL,
    "script": IS_SCRIPT,
    "template": IS_TEMPLATE,
    "pre textarea listing": DROPS_LINE_END,
    "svg": IS_SVG,
    "math": IS_MATH,
    "foreignObject desc title": IS_SVG_TEXT,
    "mi mo mn ms mtext": IS_MATH_TEXT,
    "annotation-xml": IS_ANNOTATION,
    "plaintext": IS_PLAINTEXT,
    "a": IS_A,
}
_READ_ATTRIBUTES = {
    "class": KIND_CLASS,
    "href": KIND_HREF,
    "name": KIND_NAME,
    "type": KIND_TYPE,
    "encoding": KIND_ENCODING,
}
_HASH_SIGN = 35
_MAX_CODE = 1000  #: pieces of code that are set aside
_REFERENCES = (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&nbsp;", "\xa0"), ("&amp;", "&"))


def _name_table(values):
    """Return a hash table of names, at most an eighth full: keys, values, and the last slot."""
    size = 16
    while size < 8 * len(values):
        size *= 2
    keys, numbers = array("Q", bytes(8 * size)), array("i", bytes(4 * size))
    for name, value in values.items():
        key = hash_name(name)
        slot = (key >> 32) & (size - 1)
        while keys[slot]:
            slot = (slot + 1) & (size - 1)
        keys[slot], numbers[slot] = key, value
    return keys, numbers, size - 1


def _tag_values():
    names = {name: number for number, name in enumerate(tags.NAMES) if number}
    out = {}
    for name in {*names, *(name for line in _SCAN_FLAGS for name in line.split())}:
        number = names.get(name, 0)
        flags = _TAG_FLAGS[number] & (_IS_BLOCK | _IS_LINK | _IS_PRE | _IS_RAW | _IS_NOTHING) if number else 0
        for line, flag in _SCAN_FLAGS.items():
            if name in line.split():
                flags |= flag
        out[name] = flags << 8 | number
    return out


def _attribute_values():
    listed = {name: KIND_LISTED + kind for kind, name in enumerate(attributes.LISTED)}
    return _READ_ATTRIBUTES | listed | {"style": KIND_STYLE, "aria-hidden": KIND_ARIA}


_TAG_TABLE = _name_table(_tag_values())
_ATTRIBUTE_TABLE = _name_table(_attribute_values())


def scan(source, code=None):
    """Return the columns of a page from the serialization of its document; None where the nodes must be walked.

    The columns are those of `walk`, with the text as one string; then the attributes, the class number of each row
    (0 for none), the classes, and the listed attributes: rows, kinds and values. `code` was set aside before the
    document was parsed (`tamis.page.parse.Code`). None also where it would not be found again.
    """
    tag_keys, tag_numbers, tag_mask = _TAG_TABLE
    attribute_keys, attribute_numbers, attribute_mask = _ATTRIBUTE_TABLE
    html.tags.keys, html.tags.values = cython.address(tag_keys[0]), cython.address(tag_numbers[0])
    html.tags.mask = tag_mask
    html.attributes.keys = cython.address(attribute_keys[0])
    html.attributes.values = cython.address(attribute_numbers[0])
    html.attributes.mask = attribute_mask
    kind, length, data = PyUnicode_KIND(source), PyUnicode_GET_LENGTH(source), PyUnicode_DATA(source)
    count = len(code.places) if code is not None else 0
    code_rows = np.zeros(count + 1, dtype=np.int32)
    code_row = cython.address(code_rows[0])
    with cython.nogil:
        status = scan_page(data, kind, length, cython.address(html), code_row, count, cython.address(found))
    if status or found.code_found != count:
        scan_free(cython.address(found))
        if status < 0:
            raise MemoryError
        return None
    rows = found.row_count
    numbers = np.empty((9, rows + 1), dtype=np.int32)
    flags = np.empty((5, rows), dtype=np.uint8)
    ints, bytes_ = numbers, flags
    with cython.nogil:
        for row in range(rows):
            ints[0, row] = found.rows[row].parent
            ints[1, row] = found.rows[row].end
            ints[2, row] = found.rows[row].depth
            ints[3, row] = found.rows[row].offset
            ints[4, row] = found.rows[row].block_ancestor
            ints[5, row] = found.rows[row].inline_run
            ints[6, row] = found.rows[row].start
            ints[7, row] = found.rows[row].stop
            ints[8, row] = found.rows[row].class_id
            bytes_[0, row] = found.rows[row].node_type
            bytes_[1, row] = found.rows[row].tag
            bytes_[2, row] = found.rows[row].link
            bytes_[3, row] = found.rows[row].pre
            bytes_[4, row] = found.rows[row].literal
        ints[3, rows] = found.text_length
    text = PyUnicode_FromKindAndData(kind, found.text, found.text_length)
    classes = [_value(source, found.classes[k].start, found.classes[k].stop) for k in range(found.class_count)]
    listed_rows, listed_kinds, values = [], [], []
    for k in range(found.listed_count):
        number = found.listed[k].kind
        listed_rows.append(found.listed[k].row)
        listed_kinds.append(
            _STYLE_KIND if number == KIND_STYLE else _ARIA_KIND if number == KIND_ARIA else number - KIND_LISTED
        )
        values.append(_value(source, found.listed[k].start, found.listed[k].stop))
    scan_free(cython.address(found))
    columns = [numbers[k, :rows] for k in range(9)]
    code_places = {code_rows[k]: k for k in range(count)}
    read = SerializedAttributes(source, columns[6], columns[7], flags[0], flags[4], code, code_places)
    return (
        *flags[:2], *columns[:3], numbers[3], *flags[2:4], *columns[4:6], text, read, columns[8], classes,
        (listed_rows, listed_kinds, values),
    )  # fmt: skip


def find_code(markup, minimum):
    """Return the places of the code of scripts and styles in markup, of `minimum` characters or more; see scan.h."""
    most = _MAX_CODE
    places = np.empty(2 * most, dtype=np.intp)
    first, length = cython.address(places[0]), len(markup)
    if isinstance(markup, str):
        kind, data = PyUnicode_KIND(markup), PyUnicode_DATA(markup)
        with cython.nogil:
            count = find_code_(data, kind, length, minimum, first, most)
    else:
        letters = markup
        with cython.nogil:
            count = find_code_(letters, 1, length, minimum, first, most)
    return [(places[2 * k], places[2 * k + 1]) for k in range(count)]


def may_reopen(markup, max_nodes):
    """Return False only if `tamis.page.parse.reopening_limit` finds fewer elements that are opened again."""
    length = len(markup)
    if isinstance(markup, str):
        kind, data = PyUnicode_KIND(markup), PyUnicode_DATA(markup)
        with cython.nogil:
            found = may_reopen_text(data, kind, length, max_nodes)
    else:
        letters = markup
        with cython.nogil:
            found = may_reopen_(letters, length, max_nodes)
    return found != 0


def release_memory():
    """Give memory that is not used any more back to the system."""
    with cython.nogil:
        release_memory_()


def has_surrogates(text):
    """Return whether a text has a lone surrogate."""
    kind, data, length = PyUnicode_KIND(text), PyUnicode_DATA(text), len(text)
    with cython.nogil:
        found = has_surrogates_(data, kind, length)
    return found != 0


def count_page_characters(text, offset, bmp_classes):
    """Return what `count_characters` returns, from the text itself; the columns are NumPy arrays."""
    rows = offset.shape[0] - 1
    by_class = np.zeros((rows, _CLASS_COUNT), dtype=np.int32)
    numbers, classes = np.zeros((2, rows), dtype=np.int32), np.zeros((2, rows), dtype=np.uint8)
    counts.classes, counts.other, counts.space, counts.letter = _CLASS_COUNT, _OTHER, _SPACE, _LETTER
    counts.wide, counts.symbol = _WIDE_CLASS, _SYMBOL_CLASS
    counts.bmp_size, counts.tags, counts.ideographs = _BMP_SIZE, _TAGS, _IDEOGRAPHS
    counts.emoji_first, counts.emoji_last = _EMOJI_FIRST, _EMOJI_LAST
    counts.currencies[0], counts.currencies[1], counts.currencies[2] = _DOLLAR, _POUND, _YEN
    counts.currencies[3], counts.currencies[4] = _RUPEE, _EURO
    counts.other_count = counts.currency_count = 0
    class_view, number_view, edge_view = by_class, numbers, classes
    counts.by_class = cython.address(class_view[0, 0])
    counts.words, counts.nonspace = cython.address(number_view[0, 0]), cython.address(number_view[1, 0])
    counts.first_class, counts.last_class = cython.address(edge_view[0, 0]), cython.address(edge_view[1, 0])
    kind, data = PyUnicode_KIND(text), PyUnicode_DATA(text)
    table = bmp_classes
    offsets = cython.address(offset[0])
    with cython.nogil:
        count_text(data, kind, offsets, rows, table, cython.address(counts))
    return by_class, numbers[0], numbers[1], classes[0], classes[1], counts.other_count, counts.currency_count


def _value(source, start, stop):
    """Return a part of a serialization without character references."""
    value = PyUnicode_Substring(source, start, stop)
    if "&" in value:
        for reference, character in _REFERENCES:
            value = value.replace(reference, character)
    return value


class SerializedAttributes:
    """The attributes and names of elements, read from the serialization of a page where they are asked for.

    It has the methods of `NodeAttributes` (columns.py).
    """

    def __init__(self, source, start, stop, node_type, literal, code=None, code_places=None):
        self.source, self.code, self.code_places = source, code, code_places
        self.start, self.stop, self.node_type, self.literal = start, stop, node_type, literal

    def _find(self, row, key):
        if self.node_type[row] != _ELEMENT_ROW:
            return None
        kind, data = PyUnicode_KIND(self.source), PyUnicode_DATA(self.source)
        at = name_end(data, kind, self.start[row] + 1)
        while next_attribute(
            data, kind, cython.address(at), cython.address(name), cython.address(value), cython.address(own)
        ):
            if own == key:
                return _value(self.source, value.start, value.stop)
        return None

    def value(self, row, name):
        """Return the value of an attribute of a row, or None."""
        return self._find(row, hash_name(name))

    def values(self, rows, name):
        """Return the values of an attribute, for those of the rows that have it."""
        key = hash_name(name)
        out = []
        for row in rows:
            found = self._find(row, key)
            if found is not None:
                out.append(found)
        return out

    def column(self, rows, name):
        """Return the value of an attribute for each of the rows, None where it has none."""
        key = hash_name(name)
        return [self._find(row, key) for row in rows]

    def table(self, rows, names):
        """Return the values of some attributes for each of the rows, None where it has none."""
        keys = [hash_name(wanted) for wanted in names]
        count = len(keys)
        out = []
        kind, data = PyUnicode_KIND(self.source), PyUnicode_DATA(self.source)
        for row in rows:
            values = [None] * count
            out.append(values)
            if self.node_type[row] != _ELEMENT_ROW:
                continue
            at = name_end(data, kind, self.start[row] + 1)
            while next_attribute(
                data, kind, cython.address(at), cython.address(name), cython.address(value), cython.address(own)
            ):
                for k in range(count):
                    key = keys[k]
                    if own == key:
                        values[k] = _value(self.source, value.start, value.stop)
        return out

    def with_fragment(self, rows):
        """Return those of the rows that are links to a URL with a fragment."""
        key = hash_name("href")
        out = []
        kind, data = PyUnicode_KIND(self.source), PyUnicode_DATA(self.source)
        for row in rows:
            if self.node_type[row] != _ELEMENT_ROW:
                continue
            at = name_end(data, kind, self.start[row] + 1)
            while next_attribute(
                data, kind, cython.address(at), cython.address(name), cython.address(value), cython.address(own)
            ):
                if own == key:
                    k = value.start
                    while k < value.stop and PyUnicode_READ(kind, data, k) != _HASH_SIGN:
                        k += 1
                    if k < value.stop and PyUnicode_READ(kind, data, value.stop - 1) != _HASH_SIGN:
                        out.append(row)
                    break
        return out

    def by_row(self, name):
        """Return the values of an attribute by row, for the elements that have it, in document order."""
        key = hash_name(name)
        out = {}
        for row in range(self.node_type.shape[0]):
            found = self._find(row, key)
            if found is not None:
                out[row] = found
        return out

    def all(self, row):
        """Return all attributes of a row."""
        out = {}
        if self.node_type[row] != _ELEMENT_ROW:
            return out
        kind, data = PyUnicode_KIND(self.source), PyUnicode_DATA(self.source)
        at = name_end(data, kind, self.start[row] + 1)
        while next_attribute(
            data, kind, cython.address(at), cython.address(name), cython.address(value), cython.address(own)
        ):
            key = PyUnicode_Substring(self.source, name.start, name.stop)
            found = _value(self.source, value.start, value.stop)
            out[key] = " ".join(found.split()) if key in attributes.TOKEN_LISTS else found
        return out

    def tag(self, row):
        """Return the name of an element as the parser spells it."""
        kind, data = PyUnicode_KIND(self.source), PyUnicode_DATA(self.source)
        start = self.start[row] + 1
        return PyUnicode_Substring(self.source, start, name_end(data, kind, start))

    def raw_text(self, row):
        """Return the text of a text row, also that of a script; None for other rows."""
        if self.node_type[row] != _TEXT_ROW:
            return None
        if not self.literal[row]:
            return _value(self.source, self.start[row], self.stop[row])
        if self.code_places and row in self.code_places:
            return self.code.text(self.code_places[row])
        return PyUnicode_Substring(self.source, self.start[row], self.stop[row])
