# C types of features.py. They do not change what it computes.
cimport cython

cdef double ALPHABETIC, IDEOGRAPHIC, LONG_BLOCK, MIN_TEMPLATE
cdef float MAX_ANCESTORS
cdef int _ELEMENT, NEAR_BLOCKS, MAX_DISTANCE, MAX_LABEL, QUOTE, _MAX_ARTICLES, _BODY_DEPTH, _P, _DIV, _H1, _ARTICLE
cdef bytes _COUNTED_TAGS, _HEADING_LEVEL
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

cdef class LevelColumns:
    cdef readonly int size, blocks, mean_size, density, similar_siblings, share_of_page, link_share, stop_rate
    cdef readonly int position, paragraph_share

cdef class ProseColumns:
    cdef readonly int blocks_before_prose, blocks_after_prose, in_prose, levels_to_prose, prose_share

cdef class FeatureColumns:
    cdef readonly TextColumns text
    cdef readonly PositionColumns position
    cdef readonly LevelColumns level
    cdef readonly ProseColumns prose
    cdef readonly int[::1] of_container, of_ancestor, of_near, of_far, counted
    cdef readonly int template_blocks, template_size, template_link_share, depth, container_body, article_share
    cdef readonly int article_number, page_blocks, page_size, page_linked_headings, page_prices, page_h1
    cdef readonly int repeats, quotes_earlier, in_metadata
    cdef readonly int page_link_share, page_paragraph_share, page_stop_rate, page_long_share, page_template_share

@cython.locals(
    start=cython.int[::1], stop=cython.int[::1], text_rows=cython.int[::1], first=cython.int[::1],
    by_class=cython.int[:, ::1], words_of=cython.int[::1], nonspace_of=cython.int[::1],
    first_class=cython.uchar[::1], last_class=cython.uchar[::1],
    tag=cython.uchar[::1], parent=cython.int[::1], link=cython.uchar[::1],
    count=cython.int, block=cython.int, char_class=cython.int, low=cython.int, high=cython.int, words=cython.int,
    chars=cython.int, linked=cython.int, bold=cython.int, k=cython.int, row=cython.int, links=cython.int,
    breaks=cython.int, images=cython.int, fields=cython.int, opening=cython.int, roles=cython.int, wide=cython.int,
    begins=cython.int, ends=cython.int, size=cython.double, nonspace=cython.double,
    sizes=cython.float[::1], nonspaces=cython.float[::1], link_nonspaces=cython.float[::1], stops=cython.float[::1],
    counts=cython.int[::1],
)
cpdef tuple fill_text(float[:, ::1] out, TextColumns columns, Columns page)

@cython.locals(
    container_column=cython.int[::1], ancestor_column=cython.int[::1], near_column=cython.int[::1],
    far_column=cython.int[::1], tag=cython.uchar[::1], first_block=cython.int[::1], last_block=cython.int[::1],
    container=cython.int[::1], named=cython.int[::1], name_of=cython.int[::1], first=cython.int[::1],
    categories=cython.int[::1], blocks=cython.int, used=cython.uchar[::1], block=cython.int,
    column=cython.int, row=cython.int, size=cython.int, k=cython.int, name=cython.int, place=cython.int,
    category=cython.int, count=cython.float,
)
cpdef object fill_ancestors(float[:, ::1] out, FeatureColumns columns, Columns page, tuple names)

@cython.locals(
    count=cython.int, block=cython.int, h1=cython.int, title=cython.int, heading=cython.int, total=cython.double,
    before=cython.double, best=cython.double, at_heading=cython.double, at_title=cython.double,
    heading_match=cython.double, heading_links=cython.double,
)
cpdef object fill_positions(
    float[:, ::1] out, PositionColumns columns, const float[::1] sizes, const unsigned char[::1] level,
    const float[::1] match,
    int max_distance
)

@cython.locals(
    size=cython.float[::1], nonspace=cython.float[::1], linked=cython.float[::1], stops=cython.float[::1],
    tag=cython.uchar[::1], container=cython.int[::1], counts=cython.int[::1], count=cython.int, row=cython.int,
    k=cython.int, total=cython.double, chars=cython.double, link_chars=cython.double, ends=cython.double,
    in_paragraphs=cython.double, in_long=cython.double, in_templates=cython.double, own=cython.double,
    linked_headings=cython.int, block=cython.int,
)
cpdef object fill_page(
    float[:, ::1] out, FeatureColumns columns, Columns page, tuple sizes, const unsigned char[::1] level
)

@cython.locals(
    tag=cython.uchar[::1], first_block=cython.int[::1], last_block=cython.int[::1], count=cython.int,
    articles=cython.int, sums=cython.double[::1], innermost=cython.int[::1], sizes=cython.double[::1],
    largest=cython.double, row=cython.int, block=cython.int,
)
cpdef object fill_articles(float[:, ::1] out, FeatureColumns columns, Columns page, const float[::1] size_of)

cdef int LEVELS
cdef bytes _IS_PARAGRAPH, _DRAWS_NOTHING

@cython.locals(
    parent=cython.int[::1], end=cython.int[::1], first_block=cython.int[::1], node_type=cython.uchar[::1],
    tag=cython.uchar[::1], rows=cython.int, row=cython.int, above=cython.int, blocks=cython.int,
    branch_point=cython.int[::1], elements_before=cython.int[::1], is_branch_point=cython.uchar[::1],
)
cpdef tuple find_branch_points(Columns page, int body)

@cython.locals(
    tag=cython.uchar[::1], parent=cython.int[::1], end=cython.int[::1], first_block=cython.int[::1],
    container=cython.int[::1],
    size_of=cython.float[::1], nonspace_of=cython.float[::1], linked_of=cython.float[::1], stops_of=cython.float[::1],
    count=cython.int, sums=cython.double[::1], block=cython.int, k=cython.int, level_rows=cython.int[::1],
    total=cython.double, row=cython.int, level=cython.int, above=cython.int, first=cython.int, last=cython.int,
    blocks=cython.int, low=cython.int, high=cython.int, size=cython.double, nonspace=cython.double,
    linked=cython.double, stops=cython.double, paragraphs=cython.double, elements=cython.int,
)
cpdef object fill_levels(
    float[:, ::1] out, LevelColumns columns, Columns page, const int[::1] branch_point, const int[::1] elements_before,
    const int[::1] similar_siblings, tuple sizes, int body
)

@cython.locals(
    end=cython.int[::1], first_block=cython.int[::1], size_of=cython.float[::1], nonspace_of=cython.float[::1],
    linked_of=cython.float[::1], stops_of=cython.float[::1], count=cython.int, score=cython.double[::1],
    prose=cython.double[::1], total=cython.double, share=cython.double, highest=cython.double, main=cython.int,
    block=cython.int, k=cython.int, row=cython.int, first=cython.int, last=cython.int, stop=cython.int,
    level=cython.int,
)
cpdef object fill_prose(
    float[:, ::1] out, ProseColumns columns, Columns page, const int[::1] level_rows, tuple sizes
)

cdef unsigned long long _TAG_COUNT, _MAX_SIGNATURES, _SEED, _PRIME, _MASK_64, _MIX
cdef int _GRAM, _GRAM_SLOTS
cdef unsigned int _MASK_32, _MIX_32

@cython.locals(mask=cython.int)
cdef int _mask_for(int count) noexcept

@cython.locals(slot=cython.int)
cdef int _slot_for(unsigned long long[::1] keys, unsigned long long key, int mask) noexcept

@cython.locals(class_id=cython.ulonglong, tag_id=cython.ulonglong)
cdef unsigned long long _signature(int[::1] class_ids, unsigned char[::1] tag, int row) noexcept

@cython.locals(
    parent=cython.int[::1], class_ids=cython.int[::1], tag=cython.uchar[::1], rows=cython.int, row=cython.int, key=cython.ulonglong,
    slot=cython.int, mask=cython.int, branch_points=cython.int, out=cython.int[::1], slot_of=cython.int[::1],
    members=cython.int[::1], keys=cython.ulonglong[::1],
)
cpdef object count_similar_siblings(Columns page, const unsigned char[::1] is_branch_point)

@cython.locals(
    class_ids=cython.int[::1], tag=cython.uchar[::1], parent=cython.int[::1], container=cython.int[::1],
    size_of=cython.float[::1], nonspace_of=cython.float[::1],
    linked_of=cython.float[::1], count=cython.int, block=cython.int, above=cython.int, top=cython.int,
    key=cython.ulonglong, slot=cython.int, mask=cython.int, slot_of=cython.int[::1], members=cython.int[::1],
    pairs=cython.ulonglong[::1], triples=cython.ulonglong[::1], sizes=cython.double[::1],
    nonspaces=cython.double[::1], linked=cython.double[::1],
)
cpdef object fill_templates(float[:, ::1] out, FeatureColumns columns, Columns page, tuple sizes_of)

@cython.locals(
    starts=cython.int[::1], stops=cython.int[::1], offset=cython.int[::1],
    count=cython.int, block=cython.int, start=cython.int, stop=cython.int, first=cython.int, last=cython.int,
    low=cython.int, high=cython.int, mask=cython.int, slot=cython.int, other=cython.int, is_quote=cython.bint,
    keys=cython.ulonglong[::1], quotes=cython.ulonglong[::1], members=cython.int[::1], quoted=cython.uchar[::1],
    slot_of=cython.int[::1], grams=cython.uchar[::1],
)
cpdef object fill_repeats(float[:, ::1] out, FeatureColumns columns, Columns page, str text, str metadata)

@cython.locals(key=cython.ulonglong, k=cython.Py_ssize_t)
cdef unsigned long long _hash_of_all(str text, Py_ssize_t start, Py_ssize_t stop) noexcept

cdef unsigned long long _hash_of(str text, Py_ssize_t start, Py_ssize_t stop) noexcept

@cython.locals(key=cython.uint, length=cython.int, char=cython.Py_UCS4, table=cython.uchar[::1])
cdef object _grams_of(str text)

@cython.locals(key=cython.uint, length=cython.int, k=cython.Py_ssize_t)
cdef bint _may_contain(unsigned char[::1] table, str text, Py_ssize_t start, Py_ssize_t stop) noexcept

@cython.locals(
    container=cython.int[::1], tag=cython.uchar[::1], count=cython.int, root=cython.int, block=cython.int,
    sizes=tuple, heading_level=cython.uchar[::1],
)
cpdef object measure_blocks(
    float[:, ::1] out, FeatureColumns columns, Columns page, tuple names, const float[::1] match, int body
)
