"""Which languages are written from right to left, for pages that leave the direction to their style sheets."""

from typing import Final

_RIGHT_TO_LEFT: Final = frozenset(
    ("ar", "arc", "ckb", "dv", "fa", "he", "iw", "ks", "ps", "sd", "syr", "ug", "ur", "yi")
)


def is_right_to_left(language: str) -> bool:
    """Tell whether a language, as ``lang`` names it, is written from right to left.

    >>> is_right_to_left("ar-EG"), is_right_to_left("HE"), is_right_to_left("en"), is_right_to_left("")
    (True, True, False, False)
    """
    return language.partition("-")[0].lower() in _RIGHT_TO_LEFT
