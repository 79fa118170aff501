import shutil

import pytest


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
