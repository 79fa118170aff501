# The types of fill.py, for compiling it as _fill. Nothing here changes what it does.
cimport cython

cdef int _KINDS, _WIDE, _STOP, _COMMA, _PUNCTUATION, _DIGIT, _UPPER, _SYMBOL, _HEIGHTS

@cython.locals(
    rows=cython.int, count=cython.int, block=cython.int, row=cython.int, begun=cython.int[::1], until=cython.int[::1],
    holds=cython.uchar[::1],
)
cpdef tuple block_ranges(int[::1] start, int[::1] end, unsigned char[::1] kind)

@cython.locals(
    start=cython.int[::1], stop=cython.int[::1], own=cython.int[::1], first=cython.int[::1],
    kinds=cython.int[:, ::1], words_of=cython.int[::1], ink_of=cython.int[::1], begins=cython.uchar[::1],
    ends=cython.uchar[::1], alphabetic=cython.double, ideographic=cython.double,
    tag=cython.uchar[::1], parent=cython.int[::1], link=cython.uchar[::1], meaning=bytes,
    count=cython.int, block=cython.int, kind=cython.int, low=cython.int, high=cython.int, words=cython.int,
    dark=cython.int, linked=cython.int, bold=cython.int, place=cython.int, row=cython.int, anchors=cython.int,
    breaks=cython.int, pictures=cython.int, fields=cython.int, before=cython.int, means=cython.int, wide=cython.int,
    begin=cython.int, end=cython.int, weight=cython.double, inked=cython.double,
    size=cython.float[::1], ink=cython.float[::1], link_ink=cython.float[::1], stops=cython.float[::1],
    counts=cython.int[::1],
)
cpdef tuple fill_text(float[:, ::1] out, tuple blocks, tuple tally, tuple rows)

@cython.locals(
    rows=cython.int, row=cython.int, above=cython.int, holds=cython.int, head_of=cython.int[::1],
    elements=cython.int[::1], is_head=cython.uchar[::1],
)
cpdef tuple find_branch_points(int[::1] parent, int[::1] end, int[::1] begun, unsigned char[::1] kind, int body)

@cython.locals(
    host=cython.int[::1], parent=cython.int[::1], end=cython.int[::1], begun=cython.int[::1], elements=cython.int[::1],
    head_of=cython.int[::1], twins=cython.int[::1], count=cython.int, above=cython.int[::1], total=cython.double,
    block=cython.int, row=cython.int, height=cython.int, up=cython.int, first=cython.int, last=cython.int,
    number=cython.int, size=cython.double, ink=cython.double, within=cython.int, at=cython.int, low=cython.int,
    high=cython.int, sums=cython.double[::1], size_of=cython.float[::1], ink_of=cython.float[::1],
    link_of=cython.float[::1], stops_of=cython.float[::1], tag=cython.uchar[::1], is_prose=bytes,
)
cpdef object fill_ancestor_levels(float[:, ::1] out, tuple blocks, tuple page, tuple heads, tuple measures, int body)

@cython.locals(
    size=cython.float[::1], ink=cython.float[::1], link_ink=cython.float[::1], stops=cython.float[::1],
    count=cython.int, block=cython.int, place=cython.int, row=cython.int, main=cython.int, first=cython.int,
    last=cython.int, stop=cython.int, height=cython.int, total=cython.double, share=cython.double, most=cython.double,
    score=cython.double[::1], prose=cython.double[::1],
)
cpdef object fill_prose(float[:, ::1] out, int[::1] above, int[::1] end, int[::1] begun, tuple measures)

@cython.locals(
    count=cython.int, block=cython.int, h1=cython.int, title=cython.int, heading=cython.int, total=cython.double,
    before=cython.double, best=cython.double, since=cython.double, at_title=cython.double,
)
cpdef object fill_positions(float[:, ::1] out, float[::1] size, unsigned char[::1] level, const float[::1] match, int far)
