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
    second_value=cython.float, third_value=cython.float, fourth_value=cython.float,
)
cpdef tuple infer(object matrix, float[::1] share, list used, tuple net, tuple reaches)

@cython.locals(
    count=cython.Py_ssize_t, width=cython.Py_ssize_t, start=cython.Py_ssize_t, step=cython.Py_ssize_t,
    one=cython.float[16], two=cython.float[16], three=cython.float[16], four=cython.float[16],
    five=cython.float[16], six=cython.float[16], spots_of=cython.Py_ssize_t,
    done=cython.Py_ssize_t, block=cython.Py_ssize_t, unit=cython.Py_ssize_t, lane=cython.Py_ssize_t,
    base=cython.Py_ssize_t, k=cython.Py_ssize_t, at=cython.Py_ssize_t, row=cython.Py_ssize_t, value=cython.float,
    low=cython.Py_ssize_t, nought=cython.float,
)
cdef object product(
    float[::1] out, float[::1] values, float[::1] weights, float[::1] bias, int[::1] spots,
    tuple layout
)

@cython.locals(
    some=cython.float[16], size=cython.Py_ssize_t, place=cython.Py_ssize_t, lane=cython.Py_ssize_t,
    low=cython.Py_ssize_t,
)
cdef object add(float[::1] state, Py_ssize_t start, const float[::1] values)

@cython.locals(
    width=cython.Py_ssize_t, unit=cython.Py_ssize_t, block=cython.Py_ssize_t, low=cython.Py_ssize_t,
    weight=cython.float,
)
cdef object pool(const float[::1] state, Py_ssize_t start, const float[::1] share, float[::1] out)

@cython.locals(feature=cython.Py_ssize_t, block=cython.Py_ssize_t, some=cython.int, out=list)
cpdef list used_features(const int[:, ::1] bits)

@cython.locals(spots=cython.int[::1], k=cython.Py_ssize_t)
cdef object _spots(Py_ssize_t width, Py_ssize_t reach)
