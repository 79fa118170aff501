"""The rows of each sink in docs/scale.md are what the commands beside them print."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_rows_of_each_sink_are_as_shown(tmp_path):
    shutil.copy(ROOT / "examples" / "pages" / "page.html", tmp_path)
    (block,) = re.findall(r"```shell-session\n(.*?)```", (ROOT / "docs" / "scale.md").read_text("utf-8"), re.DOTALL)
    environment = {**os.environ, "PYTHON": sys.executable}
    for part in block.split("$ ")[1:]:
        command, _, shown = part.partition("\n")
        command = re.sub(r"^tamis ", '"$PYTHON" -m tamis ', re.sub(r"^python ", '"$PYTHON" ', command))
        done = subprocess.run(command, shell=True, capture_output=True, check=True, cwd=tmp_path, env=environment)
        assert done.stdout.decode().replace("\r\n", "\n") == shown
