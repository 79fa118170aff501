"""What mkdocstrings does not know: doctests in docstrings as code, and our dataclasses."""

from typing import Any

import griffe


class FenceDoctests(griffe.Extension):
    """Puts a fence around each run of lines that begins with ``>>>``, and knows our dataclasses."""

    def on_module_members(self, *, mod: griffe.Module, **_: Any) -> None:  # noqa: ANN401 (what griffe passes)
        """Show the parameters of a class whose methods are compiled on first use (`tamis.lazy`)."""
        imported = mod.members.get("dataclass")
        if isinstance(imported, griffe.Alias) and imported.target_path == "tamis.lazy.dataclass":
            imported.target_path = "dataclasses.dataclass"

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:  # noqa: ANN401 (what griffe passes)
        """Change the docstring of an object before it is parsed."""
        if obj.docstring is not None:
            obj.docstring.value = fence(obj.docstring.value)


def fence(text: str) -> str:
    r"""Return a docstring with its doctests in fences; a doctest ends at an empty line.

    >>> fence("Return it.\n\n>>> f()\n1").replace("`", "'").splitlines()
    ['Return it.', '', "'''pycon", '>>> f()', '1', "'''"]
    """
    lines: list[str] = []
    indent = None
    for line in [*text.split("\n"), ""]:
        if indent is None and line.lstrip().startswith(">>>"):
            indent = line[: len(line) - len(line.lstrip())]
            lines.append(f"{indent}```pycon")
        elif indent is not None and not line.strip():
            lines.append(f"{indent}```")
            indent = None
        lines.append(line)
    return "\n".join(lines[:-1])
