"""Run the cells of a notebook without Jupyter, and write what they print into it.

    python examples/notebook.py examples/tour.ipynb           # run it; fails if a stored output differs
    python examples/notebook.py examples/tour.ipynb --write   # run it and store the outputs

Cells are plain Python. The value of a last expression is shown as Jupyter shows it, as text.
"""

import argparse
import ast
import contextlib
import io
import json
import os
import sys
from pathlib import Path
from typing import Any


def run_cell(source: str, namespace: dict[str, Any]) -> tuple[str, str | None]:
    """Run a cell; return what it printed, and the representation of its last expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "<cell>", "exec"), namespace)  # noqa: S102 (a cell is meant to be run)
        value = None
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), namespace)  # noqa: S307 (likewise)
    return printed.getvalue(), None if value is None else repr(value)


def run_notebook(path: Path) -> list[list[dict[str, Any]]]:
    """Run all code cells in the folder of the notebook; return the outputs of each, as the file has them."""
    notebook = json.loads(path.read_text("utf-8"))
    namespace: dict[str, Any] = {"__name__": "__main__"}
    outputs = []
    before = Path.cwd()
    os.chdir(path.parent)
    try:
        for number, cell in enumerate(code_cells(notebook), 1):
            printed, value = run_cell("".join(cell["source"]), namespace)
            outputs.append(_outputs(printed, value, number))
    finally:
        os.chdir(before)
    return outputs


def code_cells(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the cells that have code."""
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def _outputs(printed: str, value: str | None, number: int) -> list[dict[str, Any]]:
    outputs: list[dict[str, Any]] = []
    if printed:
        outputs.append({"name": "stdout", "output_type": "stream", "text": printed.splitlines(keepends=True)})
    if value is not None:
        data = {"text/plain": value.splitlines(keepends=True)}
        outputs.append({"data": data, "execution_count": number, "metadata": {}, "output_type": "execute_result"})
    return outputs


def main() -> int:
    """Run a notebook from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("notebook", type=Path)
    parser.add_argument("--write", action="store_true", help="store the outputs in the notebook")
    arguments = parser.parse_args()
    path = arguments.notebook.resolve()
    outputs = run_notebook(path)
    notebook = json.loads(path.read_text("utf-8"))
    cells = code_cells(notebook)
    if not arguments.write:
        differing = [number for number, cell in enumerate(cells, 1) if cell["outputs"] != outputs[number - 1]]
        if differing:
            print(f"outputs differ in cells {', '.join(map(str, differing))}; run with --write", file=sys.stderr)
        return 1 if differing else 0
    for number, (cell, stored) in enumerate(zip(cells, outputs, strict=True), 1):
        cell.update(execution_count=number, outputs=stored)
    path.write_text(json.dumps(notebook, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
