# The memory of a string, for all parts.
cdef extern from "Python.h":
    int PyUnicode_KIND(object)
    void *PyUnicode_DATA(object)
    unsigned int PyUnicode_READ(int kind, const void *, Py_ssize_t) nogil
    bint is_space "Py_UNICODE_ISSPACE"(unsigned int) nogil
