# The types of infer.py, for compiling it as _infer. Nothing here changes what it does.
cimport cython

@cython.locals(
    first=cython.float[::1], first_bias=cython.float[::1], second=cython.float[::1], second_bias=cython.float[::1],
    out=cython.float[::1], out_bias=cython.float, kinds=cython.float[::1], kinds_bias=cython.float[::1],
    count=cython.Py_ssize_t, units=cython.Py_ssize_t, width=cython.Py_ssize_t, told=cython.Py_ssize_t,
    hidden=cython.float[::1], longest=cython.Py_ssize_t, start=cython.Py_ssize_t, state=cython.float[::1],
    fresh=cython.float[::1], bias=cython.float[::1], pooled=cython.float[::1], spots=cython.int[::1],
    k=cython.Py_ssize_t, layer=cython.Py_ssize_t, beside=cython.float[::1], whole=cython.float[::1],
    own=cython.float[::1], unit=cython.Py_ssize_t, value=cython.float, logits=cython.float[::1],
    block=cython.Py_ssize_t, chances=cython.float[::1], kind=cython.Py_ssize_t, low=cython.Py_ssize_t,
    second_value=cython.float, third_value=cython.float, fourth_value=cython.float, features=cython.int[::1],
    values=cython.float[::1], ends=cython.int[::1], tiles=cython.Py_ssize_t, tile=cython.Py_ssize_t, spans=cython.int[::1],
)
cpdef tuple infer(tuple packed, float[::1] share, tuple net, tuple reaches, float[::1] room)

cpdef Py_ssize_t room_for(Py_ssize_t count, Py_ssize_t units, Py_ssize_t width, Py_ssize_t longest)

@cython.locals(
    count=cython.Py_ssize_t, width=cython.Py_ssize_t, start=cython.Py_ssize_t, step=cython.Py_ssize_t,
    stride=cython.Py_ssize_t, one=cython.float[16], two=cython.float[16], three=cython.float[16], four=cython.float[16],
    five=cython.float[16], six=cython.float[16], spots=cython.int[::1], spans=cython.int[::1],
    begin=cython.Py_ssize_t, adds=cython.bint, tile=cython.Py_ssize_t, last=cython.Py_ssize_t,
    done=cython.Py_ssize_t, block=cython.Py_ssize_t, unit=cython.Py_ssize_t, lane=cython.Py_ssize_t,
    base=cython.Py_ssize_t, k=cython.Py_ssize_t, at=cython.Py_ssize_t, row=cython.Py_ssize_t, value=cython.float,
    low=cython.Py_ssize_t, nought=cython.float,
)
cdef object product(
    float[::1] out, float[::1] values, float[::1] weights, float[::1] bias, tuple taken, tuple layout
)

@cython.locals(
    width=cython.Py_ssize_t, unit=cython.Py_ssize_t, block=cython.Py_ssize_t, low=cython.Py_ssize_t,
    weight=cython.float,
)
cdef object pool(const float[::1] state, Py_ssize_t start, const float[::1] share, float[::1] out)

@cython.locals(
    feature=cython.Py_ssize_t, block=cython.Py_ssize_t, some=cython.int, count=cython.Py_ssize_t,
    most=cython.Py_ssize_t, tiles=cython.Py_ssize_t, tile=cython.Py_ssize_t, used=cython.int[::1],
    ends=cython.int[::1], many=cython.Py_ssize_t, size=cython.Py_ssize_t, k=cython.Py_ssize_t, low=cython.Py_ssize_t,
    one=cython.int, two=cython.int, three=cython.int, four=cython.int, five=cython.int, six=cython.int,
)
cpdef object pack(const int[:, ::1] bits, int[::1] values, int[::1] features)

@cython.locals(spans=cython.int[::1], tile=cython.Py_ssize_t)
cdef object _all(Py_ssize_t tiles, int[::1] spots)

@cython.locals(spots=cython.int[::1], k=cython.Py_ssize_t)
cdef object _spots(Py_ssize_t width, Py_ssize_t reach)
