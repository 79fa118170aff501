import importlib.util
import shutil

import pytest

#: A module that subclasses a package that may be missing. pytest imports every module, for its doctests.
collect_ignore = [] if importlib.util.find_spec("datatrove") else ["trove.py"]


@pytest.fixture(scope="session")
def spark():
    """Return the runner of Spark. It starts once for all tests of a process."""
    pytest.importorskip("pyspark", reason="pyspark is not installed: pip install 'tamis[spark]'")
    if shutil.which("java") is None:
        pytest.skip("no Java: `make test` installs it where apt-get works")
    from tests.batch.runners import Spark  # noqa: PLC0415 (an extra)

    runner = Spark(None)
    yield runner
    runner.close()
