import subprocess
import sys

import pytest


@pytest.mark.slow
@pytest.mark.parametrize(
    ("statement", "absent"),
    [
        ("import tamis", ["tamis.compat", "numpy", "turbohtml"]),
        ("import tamis.compat", ["numpy", "turbohtml", "tamis.api"]),
        ("import tamis.compat.trafilatura", ["trafilatura", "lxml", "aiohttp", "tamis.compat.newspaper"]),
        ("import tamis.compat.newspaper", ["newspaper", "lxml", "aiohttp", "tamis.compat.trafilatura"]),
    ],
)
def test_a_module_is_imported_only_if_it_is_named(statement, absent):
    program = f"import sys\n{statement}\nprint([name for name in {absent} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
