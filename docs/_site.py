"""What mkdocs adds to the documents: generated references, documents of the root, links to the repository."""

import inspect
import posixpath
import re
import tomllib
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import click
from mkdocs.structure.files import File

import tamis
from tamis import Limits, errors
from tamis.cli.app import app
from tamis.cli.batch import command as batch
from tamis.cli.serve import mcp, serve
from tamis.extractors.weights import from_json
from tamis.metadata.fields import FIELDS
from tamis.sources.quantities import Duration, Size, show_duration, show_size

ROOT = Path(__file__).parents[1]
REPOSITORY = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["urls"]["Repository"]
NOTICE = (ROOT / "NOTICE").read_text("utf-8")
#: Documents of the root that are pages of the site.
PAGES = {
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "README.md": "index.md",
}
#: What is read from the environment besides the settings of the service.
VARIABLES = {
    "TAMIS_PROFILES": "a folder of site profiles, used if no profile is given",
    "TAMIS_RULES": "a folder of rules of sites, which has precedence",
    "TAMIS_CHROMIUM": "the browser; `none` for no browser",
    "TAMIS_PURE": "`1` runs the sources of the compiled core",
    "TAMIS_REQUIRE_COMPILED": "`1` makes a missing compiled core an error",
    "XDG_CACHE_HOME": "where JavaScript tools are installed",
    "NO_COLOR": "no colours in the terminal",
}
#: What is known to go wrong with each weights file; NOTICE has the terms of its data.
FAILURES = {
    "sift": (
        "Products, collections, listings and forums lose most. Sentences that advertise, appeals for donations and "
        "long notes about an author are kept ([limits](../limits.md)). Labels are mostly English."
    ),
    "sift-open": "As `sift`; more is lost on news, blogs and pages of the 2000s, of which WCXB has few.",
    "ridge": (
        "Of two articles on a page one is kept. After a list of short items the rest of a text may be lost. "
        "A box of sentences beside the text is kept."
    ),
}
#: An option as inline code: it should not break after its dashes.
OPTION = re.compile(r"<code>(-[\w-]+)</code>")
LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)\s#]+)(#[^)\s]*)?\)")


def on_files(files: Any, config: Any) -> Any:  # noqa: ANN401 (mkdocs has no types)
    """Add the generated pages."""
    pages = {
        "reference/api.md": api_reference(),
        "reference/command-line.md": command_reference(),
        "reference/metadata.md": metadata_reference(),
        "reference/settings.md": settings_reference(),
        "reference/errors.md": errors_reference(),
        "reference/weights.md": weights_reference(),
    }
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
    parts = [
        "# Command line\n",
        "All commands and options, from their definitions. `tamis page.html` is `tamis extract`.\n",
    ]
    for name, command in commands(app):
        parts += [f"## tamis {name}\n", f"{plain(command.help)}\n"]
        if command.params:
            parts += ["| option | |", "| --- | --- |"]
            parts += [f"| {names(param)} | {plain(getattr(param, 'help', None))} |" for param in command.params]
        parts.append("")
    return "\n".join(parts)


def commands(group: click.Group, prefix: str = "") -> Iterator[tuple[str, click.Command]]:
    """Yield all commands with their names, those of groups behind them."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield prefix + name, command
        if isinstance(command, click.Group):
            yield from commands(command, f"{prefix}{name} ")


def metadata_reference() -> str:
    """Return the page of all fields of the metadata, with what each is read from."""
    parts = [
        "# Metadata fields\n",
        "All fields, from `tamis.metadata.fields`. [Metadata](../metadata.md) says how they are read.\n",
        "| field | type | what it is | read from, the most trusted first | shown in |",
        "| --- | --- | --- | --- | --- |",
    ]
    for each in FIELDS:
        reads = "; ".join(reader.reads for reader in each.readers)
        outputs = ["JSON", *["front matter"] * each.in_front_matter, *["CSV"] * each.in_csv]
        parts.append(f"| `{each.name}` | {each.type} | {each.summary} | {reads} | {', '.join(outputs)} |")
    return "\n".join(parts)


def settings_reference() -> str:
    """Return the page of everything that can be set, from the objects that hold it."""
    parts = [
        "# Settings\n",
        "## Options that are variables of the environment\n",
        "| option | variable | of | default | |",
        "| --- | --- | --- | --- | --- |",
    ]
    uses: dict[str, dict[str, click.Option]] = {}
    for command in (serve, mcp, batch):
        for param in command.params:
            if isinstance(param, click.Option) and param.envvar:
                uses.setdefault(param.name or "", {})[command.name or ""] = param
    for name, found in uses.items():
        param = next(iter(found.values()))
        defaults = dict.fromkeys(default_of(each) for each in found.values())
        help_ = plain((param.help or "").partition(" Default:")[0])
        parts.append(
            f"| `{param.opts[0]}` | `TAMIS_{name.upper()}` | {', '.join(found)} | {' / '.join(defaults)} | {help_} |"
        )
    parts += ["\n## One page\n", "`tamis.Limits`; `--max-bytes` and so on in the command.\n", *limits_table()]
    parts += ["\n## Environment\n", "| variable | |", "| --- | --- |"]
    parts += [f"| `{name}` | {meaning} |" for name, meaning in VARIABLES.items()]
    return "\n".join(parts)


def default_of(option: click.Option) -> str:
    """Return the default of an option as its help says it."""
    default, show = option.default, getattr(option.type, "show", None)
    if option.name == "workers":
        return "one per core"
    if " Default: " in (option.help or ""):
        return (option.help or "").partition(" Default: ")[2].rstrip(".")
    if option.multiple or option.is_flag or not isinstance(default, str | int | float):
        return "none"
    if show:
        return show(float(default))
    return f"{default:,}" if type(default) is int and option.name != "port" else str(default)


def limits_table() -> list[str]:
    """Return the limits of one page, with what the docstring says of each."""
    entry = re.compile(r"^        (\w+): (.*?)(?=\n        \w+:|\n\n)", re.MULTILINE | re.DOTALL)
    described = dict(entry.findall(Limits.__doc__ or ""))
    rows = [
        f"| `{each.name}` | {shown_default(each.default, each.type)} | {plain(described[each.name])} |"
        for each in fields(Limits)
    ]
    return ["| limit | default | |", "| --- | --- | --- |", *rows]


def shown_default(value: object, kind: object) -> str:
    """Return a default as a person would write it, by the type of its field.

    >>> shown_default(20_000_000, Size), shown_default(30.0, Duration)
    ('20MB', '30s')
    >>> shown_default(None, Path), shown_default(2000, int)
    ('none', '2,000')
    """
    if value is None:
        return "none"
    type_ = getattr(kind, "__origin__", kind)
    if isinstance(value, int | float) and type_ in {Size, Duration}:
        return show_size(value) if type_ is Size else show_duration(value)
    return f"{value:,}" if isinstance(value, int) else str(value)


def errors_reference() -> str:
    """Return the page of all errors, from their classes."""
    classes = [
        value for value in vars(errors).values() if inspect.isclass(value) and value.__module__ == errors.__name__
    ]
    parts = [
        "# Errors\n",
        "All errors that Tamis raises on purpose, from `tamis.errors`. A page without content raises none.\n",
        "| error | is also | when |",
        "| --- | --- | --- |",
    ]
    for each in classes:
        bases = ", ".join(f"`{base.__name__}`" for base in each.__bases__ if base is not Exception)
        parts.append(f"| `{each.__name__}` | {bases} | {plain((each.__doc__ or '').partition(chr(10) * 2)[0])} |")
    return "\n".join(parts)


def weights_reference() -> str:
    """Return a model card for each weights file: what the file says of itself, its terms and its failures."""
    parts = [
        "# Model cards\n",
        "One card for each weights file, from the file itself. [Sift](../sift.md) describes the training.\n",
    ]
    for path in sorted((ROOT / "src" / "tamis").glob("*/weights/*.json")):
        card = dict(from_json(path.read_text("utf-8")).card)
        terms = re.search(rf"^- {re.escape(path.name)}: (.*?)(?=^- |^$)", NOTICE, re.MULTILINE | re.DOTALL)
        assert terms is not None, f"NOTICE has no terms for {path.name}"
        rows = {
            "file": f"`{path.relative_to(ROOT).as_posix()}`",
            "date": card.pop("date"),
            "data": ", ".join(f"`{each}`" for each in card.pop("data")),
            "terms": plain(terms[1]),
            "folds": card.pop("folds", "of pages"),
            "figures on pages that were left out": shown_values(card.pop("cross-validation")),
            "known failures": FAILURES[path.stem],
            "settings": shown_values({name: value for name, value in card.items() if name != "note"}),
        }
        parts += [f"## {path.stem}\n", "| | |", "| --- | --- |"]
        parts += [f"| {name} | {value} |" for name, value in rows.items()]
        parts.append("")
    return "\n".join(parts)


def shown_values(value: object) -> str:
    """Return values of a card as one line.

    >>> shown_values({"words F1": 0.8829, "pages": {"news": 3, "all": 5}})
    'words F1 0.8829; pages: news 3, all 5'
    """
    if isinstance(value, dict):
        nested = any(isinstance(each, dict | list) for each in value.values())
        shown = [f"{key}{':' * isinstance(each, dict | list)} {shown_values(each)}" for key, each in value.items()]
        return ("; " if nested else ", ").join(shown)
    return ", ".join(map(shown_values, value)) if isinstance(value, list) else str(value)


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
