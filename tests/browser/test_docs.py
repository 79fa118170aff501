"""The Python code of docs/visual.md runs. Lines with ``>>>`` need no browser; pytest collects them by themselves."""

import re
from pathlib import Path

import tamis

DOCUMENT = Path(__file__).parents[2] / "docs" / "visual.md"
HTML = "<p>old</p><script>document.querySelector('p').textContent = 'Built by a script.'</script>"


def test_python_examples_run(chromium):  # noqa: ARG001
    supplied, configured = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL)
    namespace = {"html": HTML}
    exec(supplied, namespace)
    assert namespace["failure"] is None
    assert namespace["extraction"].page.layout is not None
    assert namespace["extraction"].text == "old"
    exec(configured, namespace)
    assert namespace["extraction"].text == "Built by a script."
    assert [type(page) for page in namespace["rendered"]] == [tamis.Page, tamis.Page]
