# The types of infer.py, for compiling it as _infer. Nothing here changes what it does.
cimport cython

@cython.locals(
    values=cython.float[::1], features=cython.int[::1], ends=cython.int[::1], spots=cython.int[::1],
    weights=cython.float[::1], steady=cython.int[::1], inputs=cython.Py_ssize_t, units=cython.Py_ssize_t,
    width=cython.Py_ssize_t, told=cython.Py_ssize_t, reaches=tuple, count=cython.Py_ssize_t, tiles=cython.Py_ssize_t,
    layers=cython.Py_ssize_t, spans=cython.int[::1], k=cython.Py_ssize_t, tile=cython.Py_ssize_t,
    start=cython.Py_ssize_t, whole=cython.Py_ssize_t, state=cython.Py_ssize_t, fresh=cython.Py_ssize_t,
    hidden=cython.Py_ssize_t, pooled=cython.Py_ssize_t, bias=cython.Py_ssize_t, at=cython.Py_ssize_t,
    unit=cython.Py_ssize_t, layer=cython.Py_ssize_t, value=cython.float, low=cython.Py_ssize_t,
    first=cython.Py_ssize_t, last=cython.Py_ssize_t, logits=cython.float[::1], block=cython.Py_ssize_t,
    second_value=cython.float, third_value=cython.float, fourth_value=cython.float, chances=cython.float[::1],
    kind=cython.Py_ssize_t,
)
cpdef tuple infer(tuple packed, float[::1] share, tuple net, float[::1] room)

cpdef Py_ssize_t room_for(Py_ssize_t count, Py_ssize_t units, Py_ssize_t width, Py_ssize_t longest)

@cython.locals(
    count=cython.Py_ssize_t, width=cython.Py_ssize_t, begin=cython.Py_ssize_t, start=cython.Py_ssize_t,
    stride=cython.Py_ssize_t, step=cython.Py_ssize_t, adds=cython.bint, base_weight=cython.Py_ssize_t,
    base_bias=cython.Py_ssize_t, low_spot=cython.Py_ssize_t, high_spot=cython.Py_ssize_t,
    one=cython.float[16], two=cython.float[16], three=cython.float[16], four=cython.float[16],
    five=cython.float[16], six=cython.float[16], tile=cython.Py_ssize_t, last=cython.Py_ssize_t,
    done=cython.Py_ssize_t, block=cython.Py_ssize_t, unit=cython.Py_ssize_t, lane=cython.Py_ssize_t,
    base=cython.Py_ssize_t, k=cython.Py_ssize_t, at=cython.Py_ssize_t, row=cython.Py_ssize_t, value=cython.float,
    low=cython.Py_ssize_t, own=cython.Py_ssize_t, nought=cython.float,
)
cdef object product(
    float[::1] room, float[::1] values, float[::1] weights, int[::1] spots, int[::1] spans, tuple layout
)

@cython.locals(unit=cython.Py_ssize_t, block=cython.Py_ssize_t, low=cython.Py_ssize_t, weight=cython.float)
cdef object _pool(float[::1] room, Py_ssize_t start, const float[::1] share, Py_ssize_t out, Py_ssize_t width)

@cython.locals(
    feature=cython.Py_ssize_t, block=cython.Py_ssize_t, some=cython.int, count=cython.Py_ssize_t,
    most=cython.Py_ssize_t, tiles=cython.Py_ssize_t, tile=cython.Py_ssize_t, used=cython.int[::1],
    ends=cython.int[::1], many=cython.Py_ssize_t, size=cython.Py_ssize_t, k=cython.Py_ssize_t, low=cython.Py_ssize_t,
    one=cython.int, two=cython.int, three=cython.int, four=cython.int, five=cython.int, six=cython.int,
)
cpdef object pack(const int[:, ::1] bits, int[::1] values, int[::1] features)
