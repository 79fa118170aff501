import pytest

from tamis.compat import markup


@pytest.fixture(autouse=True)
def _warn_again():
    """Let each test see the warnings that come once per process."""
    markup._WARNED.clear()
