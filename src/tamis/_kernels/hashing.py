"""The numbers of the two hashes that the loops over features use."""

from typing import Final

#: Fowler, Noll and Vo's hash of 64 bits: where it begins, and what each letter multiplies it by.
SEED: Final = 0xCBF29CE484222325
PRIME: Final = 0x100000001B3
ALL: Final = 0xFFFFFFFFFFFFFFFF  #: 64 bits, where numbers have no end
#: Spreads keys over a table: Knuth's multiplicative hashing, of 64 bits and of 32.
MIX: Final = 0x9E3779B97F4A7C15
MIX_32: Final = 0x9E3779B1
