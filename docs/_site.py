"""What mkdocs adds to the documents: generated references, documents of the root, links to the repository."""

import inspect
import posixpath
import re
import tomllib
from pathlib import Path
from typing import Any

import click
from mkdocs.structure.files import File

import tamis
from tamis.cli.app import app

ROOT = Path(__file__).parents[1]
REPOSITORY = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["urls"]["Repository"]
#: Documents of the root that are pages of the site.
PAGES = {
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "README.md": "index.md",
}
#: An option as inline code: it should not break after its dashes.
OPTION = re.compile(r"<code>(-[\w-]+)</code>")
LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)\s#]+)(#[^)\s]*)?\)")


def on_files(files: Any, config: Any) -> Any:  # noqa: ANN401 (mkdocs has no types)
    """Add the generated pages."""
    pages = {"reference/api.md": api_reference(), "reference/command-line.md": command_reference()}
    pages |= {page: moved(name) for name, page in PAGES.items() if name != "README.md"}
    for uri, content in pages.items():
        files.append(File.generated(config, uri, content=content))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:  # noqa: ANN401 (likewise)
    """Lead links to files outside of docs/ to pages of the site, or to the repository."""
    if page.file.generated_by:
        return markdown
    return relink(markdown, posixpath.join("docs", posixpath.dirname(page.file.src_uri)))


def on_page_content(html: str, **_: Any) -> str:  # noqa: ANN401 (likewise)
    """Mark options, so that the style sheet keeps them on one line."""
    return OPTION.sub(r'<code class="option">\1</code>', html)


def moved(name: str) -> str:
    """Return a document of the root, with links that hold in docs/."""
    return relink((ROOT / name).read_text("utf-8"), "")


def relink(markdown: str, folder: str) -> str:
    """Return a document of a folder of the repository with its relative links resolved.

    >>> relink("[a](../LICENSE), [b](sift.md#x)", "docs").replace(REPOSITORY, "…")
    '[a](…/blob/HEAD/LICENSE), [b](sift.md#x)'
    """

    def replace(match: re.Match[str]) -> str:
        path, anchor = posixpath.normpath(posixpath.join(folder, match[1])), match[2] or ""
        if path in PAGES:
            return f"]({posixpath.relpath(posixpath.join('docs', PAGES[path]), folder or 'docs')}{anchor})"
        if (ROOT / path).is_dir() and path.startswith("docs/"):
            path += "/README.md"
        if path.startswith("docs/"):
            return f"]({posixpath.relpath(path, folder or 'docs')}{anchor})"
        return f"]({REPOSITORY}/blob/HEAD/{path}{anchor})"

    return LINK.sub(replace, markdown)


def api_reference() -> str:
    """Return the page of everything public in `tamis`, by what it is."""
    groups: dict[str, list[str]] = {"Functions": [], "Classes": [], "Errors": []}
    for name in tamis.__all__:
        value = getattr(tamis, name)
        is_error = inspect.isclass(value) and issubclass(value, Exception)
        group = "Errors" if is_error else "Classes" if inspect.isclass(value) else "Functions"
        groups[group].append(f"::: {value.__module__}.{value.__qualname__}\n")
    parts = ["# Python\n", "Everything that `import tamis` offers, from the docstrings.\n"]
    for title, entries in groups.items():
        parts += [f"## {title}\n", *entries]
    return "\n".join(parts)


def command_reference() -> str:
    """Return the page of all commands, from their definitions."""
    context = click.Context(app)
    parts = [
        "# Command line\n",
        "All commands and options, from their definitions. `tamis page.html` is `tamis extract`.\n",
    ]
    for name in app.list_commands(context):
        command = app.get_command(context, name)
        assert command is not None
        parts += [f"## tamis {name}\n", f"{plain(command.help)}\n", "| option | |", "| --- | --- |"]
        parts += [f"| {names(param)} | {plain(getattr(param, 'help', None))} |" for param in command.params]
        parts.append("")
    return "\n".join(parts)


def names(param: Any) -> str:  # noqa: ANN401 (a parameter of click)
    """Return the names of an option, or of an argument in capitals."""
    if param.param_type_name == "argument":
        return f"`{param.name.upper()}`"
    return ", ".join(f"`{each}`" for each in (*param.opts, *param.secondary_opts))


def plain(text: str | None) -> str:
    """Return a help text as one line of a Markdown table."""
    return (
        " ".join((text or "").replace("\b", "").split()).replace("|", "\\|").replace("<", "&lt;").replace("[", "\\[")
    )
