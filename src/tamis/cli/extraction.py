"""What ``tamis extract`` does with its arguments. Nothing here needs typer, which takes long to import."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from tamis.cli.fields import check_field
from tamis.cli.output import PARQUET, RECORDS, choose_format, stdin_is_piped
from tamis.cli.page_job import PageJob
from tamis.cli.page_loader import PageLoader
from tamis.cli.run import Run
from tamis.errors import OptionError
from tamis.render.options import RenderOptions

if TYPE_CHECKING:
    from tamis.api import Options

# ruff: noqa: PLC0415 (numpy, the parser and the extractors load where they are used, not for --help)


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of ``tamis extract``, named as its parameters; `tamis.cli.extract` says what each means."""

    pages: list[str] | None = None
    extractor: str | None = None
    profile: Path | None = None
    format: str | None = None
    as_json: bool = False
    as_markdown: bool = False
    as_html: bool = False
    output: str | None = None
    field: str | None = None
    include: str | None = None
    chunks: int | None = None
    url: str | None = None
    encoding: str | None = None
    favor: str | None = None
    with_metadata: bool = False
    links: bool = True
    images: bool = True
    tables: bool = True
    comments: bool = False
    title: bool | None = None
    provenance: bool = False
    structure: Literal["rebuilt", "original"] = "rebuilt"
    render: Literal["always", "auto"] | None = None
    allow_network: bool = False
    layout: Path | None = None
    jobs: int | None = None
    max_bytes: int | None = None
    max_nodes: int | None = None
    max_seconds: float | None = None
    max_output: float | None = None
    quiet: bool = False
    verbose: bool = False


def extract_pages(given: Arguments) -> int:
    """Extract pages and write what they hold; return the exit code."""
    # Nothing here multiplies large matrices, and to start a thread for each core takes NumPy 0.04 s and more.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    options = read_options(given.encoding, given.favor, given.extractor, given.profile)
    limits = {
        "max_bytes": given.max_bytes,
        "max_nodes": given.max_nodes,
        "max_seconds": given.max_seconds,
        "max_output": given.max_output and max(1, round(given.max_output * 1_000_000)),
    }
    options = _with_limits(options, {name: value for name, value in limits.items() if value is not None})
    if given.allow_network and not given.render:
        raise OptionError("--allow-network needs --render: a page that is not rendered loads nothing")
    if given.render and given.layout is not None:
        raise OptionError("a rendered page has its own layout: give --render or --layout, not both")
    if given.quiet and given.verbose:
        raise OptionError("give --quiet or --verbose, not both")
    shortcuts = {"--json": given.as_json, "--markdown": given.as_markdown, "--html": given.as_html}
    named = {flag: flag.lstrip("-") for flag, is_given in shortcuts.items() if is_given}
    if given.format is not None:
        named["--format"] = given.format
    output = None if given.output == "-" else given.output
    format_name = choose_format(named, output)
    _check_combination(format_name, named, given)
    if given.chunks is not None and not named:
        format_name = "markdown"
    render_options = RenderOptions(
        links=given.links,
        images=given.images,
        tables=given.tables,
        comments=given.comments,
        with_metadata=given.with_metadata,
        provenance=given.provenance,
        structure=given.structure,
        title=given.title if given.title is not None or format_name in RECORDS or given.field is not None else True,
        include=tuple(dict.fromkeys(name.strip() for name in given.include.split(","))) if given.include else (),
    )
    verbosity = -1 if given.quiet else 1 if given.verbose else 0
    loader = PageLoader(given.render, given.allow_network, given.layout)
    job = PageJob(
        options,
        render_options,
        loader,
        format_name,
        url=given.url,
        field=given.field,
        chunks=given.chunks,
        verbosity=verbosity,
    )
    return Run(job, output, given.jobs, verbosity).write(given.pages or _piped_page())


def _piped_page() -> list[str]:
    """Return the name of standard input, if there is any."""
    if not stdin_is_piped():
        raise OptionError("no page given; try: tamis page.html, tamis https://…, cat page.html | tamis")
    return ["-"]


def read_options(encoding: str | None, favor: str | None, extractor: str | None, profile: Path | None) -> "Options":
    """Return how the content is chosen. An unknown name is an error before any page is read."""
    from tamis.api.options import Options, read_favor

    options = Options(encoding=encoding, favor=read_favor(favor))
    if extractor is not None:
        options = options.replace(extractor=extractor)
        options.resolve()
    if profile is None:
        return options
    if not profile.is_dir():
        _check_profile(profile, extractor)
    return options.replace(profile=profile)


def _with_limits(options: "Options", limits: dict[str, Any]) -> "Options":
    """Return options with the limits that were given."""
    from tamis.api.limits import Limits

    return options.replace(limits=Limits(**limits)) if limits else options


def _check_combination(format_name: str, named: dict[str, str], given: Arguments) -> None:
    """Raise an `OptionError` for an unknown field, and for options that have no meaning together."""
    if given.field is not None:
        check_field(given.field)
    if given.include and format_name not in {"json", "jsonl", PARQUET}:
        raise OptionError("--with adds outputs to JSON: give --json, too")
    if given.field is not None and given.chunks is not None:
        raise OptionError("give --field or --chunks, not both")
    if given.chunks is not None and named and format_name not in {"markdown", "text", "json", "jsonl"}:
        raise OptionError(f"the text of chunks is markdown or text, not {format_name}")


def _check_profile(path: Path, extractor: str | None) -> None:
    """Raise an `OptionError` for an invalid profile, and for one of another extractor than the one that is named."""
    from tamis.extractors.profiles import load_profile

    method = load_profile(path)
    if extractor is not None and extractor != method.name:
        raise OptionError(f"{path} is a profile of {method.name}, not of {extractor}")
