"""Constants of the hash functions that the loops over features use."""

from typing import Final

#: FNV-1a of 64 bits (Fowler, Noll and Vo): the offset basis and the prime.
SEED: Final = 0xCBF29CE484222325
PRIME: Final = 0x100000001B3
MASK_64: Final = 0xFFFFFFFFFFFFFFFF  #: Python integers do not overflow: keep 64 bits
#: Knuth's multiplicative hashing, which spreads keys over a table: multipliers for 64 and for 32 bits.
MIX: Final = 0x9E3779B97F4A7C15
MIX_32: Final = 0x9E3779B1
