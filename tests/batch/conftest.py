import importlib.util

import pytest

from tests.needs import skip_without

#: A module that subclasses a package that may be missing. pytest imports every module, for its doctests.
collect_ignore = [] if importlib.util.find_spec("datatrove") else ["trove.py"]


@pytest.fixture(scope="session")
def spark():
    """Return the runner of Spark. It starts once for all tests of a process."""
    skip_without("spark")
    skip_without("Java")
    from tests.batch.runners import Spark  # noqa: PLC0415 (an extra)

    runner = Spark(None)
    yield runner
    runner.close()
