# The C types of fill.py, which is compiled as _fill. They do not change what it computes.
cimport cython

cdef int _CLASSES, _WIDE, _STOP, _COMMA, _PUNCTUATION, _DIGIT, _UPPER, _SYMBOL
cdef int _LINK, _BREAK, _IMAGE, _FIELD, _BOLD
cdef bytes _ROLES_OF_TAG

cdef class TextColumns:
    cdef readonly int size, words, text_nodes, links, line_breaks, images, form_fields
    cdef readonly int link_share, stop_rate, comma_rate, punctuation_share, digit_share, uppercase_share, symbol_share
    cdef readonly int ideograph_share, word_length, starts_uppercase, starts_digit, starts_punctuation, ends_stop
    cdef readonly int ends_punctuation, all_links, is_short, bold_share

cdef class PositionColumns:
    cdef readonly int size_since_heading, size_since_title, block_position, text_position, heading_level, has_h1
    cdef readonly int after_h1, h1_distance, title_match, best_title_match, after_title, title_distance
    cdef readonly int heading_title_match, heading_link_share, link_share

@cython.locals(
    start=cython.int[::1], stop=cython.int[::1], text_rows=cython.int[::1], first=cython.int[::1],
    by_class=cython.int[:, ::1], words_of=cython.int[::1], nonspace_of=cython.int[::1],
    first_class=cython.uchar[::1], last_class=cython.uchar[::1], alphabetic=cython.double, ideographic=cython.double,
    tag=cython.uchar[::1], parent=cython.int[::1], link=cython.uchar[::1],
    count=cython.int, block=cython.int, char_class=cython.int, low=cython.int, high=cython.int, words=cython.int,
    chars=cython.int, linked=cython.int, bold=cython.int, k=cython.int, row=cython.int, links=cython.int,
    breaks=cython.int, images=cython.int, fields=cython.int, opening=cython.int, roles=cython.int, wide=cython.int,
    begins=cython.int, ends=cython.int, size=cython.double, nonspace=cython.double,
    sizes=cython.float[::1], nonspaces=cython.float[::1], link_nonspaces=cython.float[::1], stops=cython.float[::1],
    counts=cython.int[::1],
)
cpdef tuple fill_text(float[:, ::1] out, TextColumns columns, tuple blocks, tuple char_counts, tuple rows)

@cython.locals(
    count=cython.int, block=cython.int, h1=cython.int, title=cython.int, heading=cython.int, total=cython.double,
    before=cython.double, best=cython.double, at_heading=cython.double, at_title=cython.double,
    heading_match=cython.double, heading_links=cython.double,
)
cpdef object fill_positions(
    float[:, ::1] out, PositionColumns columns, float[::1] sizes, unsigned char[::1] level, const float[::1] match,
    int max_distance
)

@cython.locals(
    size=cython.float[::1], nonspace=cython.float[::1], linked=cython.float[::1], stops=cython.float[::1],
    level=cython.uchar[::1], all_links=cython.float[::1], template_blocks=cython.float[::1], paragraph=cython.int,
    long_block=cython.double, min_template=cython.double, total=cython.double, chars=cython.double,
    link_chars=cython.double, ends=cython.double, in_paragraphs=cython.double, in_long=cython.double,
    in_templates=cython.double, own=cython.double, linked_headings=cython.int, block=cython.int,
)
cpdef tuple page_sums(tuple sizes, tuple blocks, unsigned char[::1] container_tags, tuple limits)
