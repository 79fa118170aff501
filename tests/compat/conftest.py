import pytest

from tamis.compat import unsupported


@pytest.fixture(autouse=True)
def _warn_again():
    """Let each test see the warnings that come once per process."""
    unsupported._WARNED.clear()
