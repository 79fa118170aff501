"""Values of a parameter that all make the same point: plain ``pytest`` takes some of them, ``make test`` all."""

import pytest


def sampled(values, every):
    """Return the values for a parameter, each but every nth one marked slow."""
    return [
        value if number % every == 0 else pytest.param(value, marks=pytest.mark.slow)
        for number, value in enumerate(values)
    ]
