# What choice.py imports from `math`.
cdef extern from "math.h" nogil:
    double exp(double)
