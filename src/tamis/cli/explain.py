"""``tamis explain``: why the blocks of a page were kept or dropped, as text, as JSON, or as a page."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from tamis.cli.extraction_options import (
    ExcludeOption,
    ExtractorOption,
    FavorOption,
    IncludeOption,
    ProfileOption,
    UrlOption,
)
from tamis.cli.fetch_options import FetchOptions
from tamis.cli.options import Argument, Option, make_command
from tamis.cli.output import check_suffix, print_message
from tamis.errors import BrowserError, MissingExtraError, OptionError, SourceError

if TYPE_CHECKING:
    from tamis.explain import Explanation
    from tamis.metadata import Metadata
    from tamis.page import Page

_MAX_CANDIDATES = 4  #: of a field that are shown

# ruff: noqa: B008 (groups of options are frozen)
# ruff: noqa: PLC0415 (numpy and the parser load in the command, not for --help)


def _explain(  # noqa: PLR0917 (each is an option of the command line)
    page: Annotated[str, Argument(help="A file, a URL (https://…), or - for standard input.")],
    output: Annotated[
        Path | None,
        Option("--output", "-o", help="Output path: an HTML page, or JSON for a name in .json; - for stdout."),
    ] = None,
    as_json: Annotated[bool, Option("--json", help="Write JSON.")] = False,
    extractor: ExtractorOption = None,
    favor: FavorOption = None,
    profile: ProfileOption = None,
    include: IncludeOption = None,
    exclude: ExcludeOption = None,
    url: UrlOption = None,
    no_browser: Annotated[
        bool,
        Option("--no-browser", help="Start no Chromium, which figures and extractors by layout need."),
    ] = False,
    fetching: FetchOptions = FetchOptions(),
) -> None:
    """Explain why each block of a page is kept or dropped: as text, as JSON, or as a page to look at and mark."""
    from tamis.api.extraction import extract_with
    from tamis.cli.extract import read_options
    from tamis.cli.run import PageLoader
    from tamis.sources import open_pages

    check_suffix(output, ".html", ".htm", ".json")
    options = read_options(None, favor, extractor, profile)
    options = options.replace(include=include or (), exclude=exclude or ())
    sources = list(open_pages([page]))
    if len(sources) != 1:
        raise OptionError(f"{page} has several pages; name one")
    if output is not None and os.path.realpath(output) == os.path.realpath(sources[0].name):
        raise OptionError(f"{output} is the page that is read: name another output")
    try:
        loaded = PageLoader(fetch=fetching.keywords()).read(sources[0], options)
    except SourceError as error:
        raise SourceError(f"{sources[0].name}: {error}") from error
    as_json = as_json or (output is not None and output.suffix == ".json")
    parsed = loaded.page
    if (as_json or output is not None) and not no_browser:
        parsed = _with_layout(parsed)
    extraction = extract_with(parsed, url or loaded.url, options)
    explanation = extraction.explain()
    if as_json:
        text = explanation.json + "\n"
    elif output is not None:
        from tamis.explain.page_html import explanation_page

        text = explanation_page(explanation, Path(sources[0].stem).name)
    else:
        text = explanation_text(explanation) + metadata_text(extraction.metadata)
    _write(output, text)


def _with_layout(page: "Page") -> "Page":
    """Return the page with the layout of Chromium, if there is one; the explanation says what it lacks without."""
    from tamis.extractors import registry

    try:
        from tamis.browser import supply_layout

        return supply_layout(page, registry.get("cehtd"))[0]
    except (BrowserError, MissingExtraError):
        return page


def explanation_text(explanation: "Explanation") -> str:
    """Return an explanation for a terminal: a paragraph for each block."""
    lines = [f"{explanation!r}"[1:-1]]
    if explanation.note:
        lines.append(explanation.note)
    for block in explanation.blocks:
        excerpt = block.text if len(block.text) <= 100 else block.text[:99] + "…"  # noqa: PLR2004 (a line)
        flip = [f"    {block.flip.words}"] if block.flip else []
        lines += ["", f"{'+' if block.kept else '-'} {block.number + 1}. {excerpt}", f"    {block.words}", *flip]
    return "\n".join(lines) + "\n"


def metadata_text(metadata: "Metadata") -> str:
    """Return the fields of a page for a terminal: each value with its source, how sure it is, and the runners-up."""
    from tamis.metadata.fields import FIELDS, plain_value

    lines = ["", "metadata"]
    for field in FIELDS:
        for number, candidate in enumerate(metadata.candidates(field.name)[:_MAX_CANDIDATES]):
            value = plain_value(candidate.value)
            value = "; ".join(value) if isinstance(value, list) else str(value)
            value = value if len(value) <= 100 else value[:99] + "…"  # noqa: PLR2004 (a line)
            sure = "" if candidate.confidence is None else f", {candidate.confidence:.0%} sure"
            lines.append(
                f"  {'' if number else field.name:<20}{'or ' if number else ''}{value} ({candidate.source}{sure})"
            )
    return "\n".join(lines) + "\n"


def _write(output: Path | None, text: str) -> None:
    from tamis.cli.output import Destination

    if output is None or str(output) == "-":
        Destination(None).write(text)
        return
    output.write_text(text, encoding="utf-8", errors="replace")
    print_message(f"wrote {output}")


command = make_command(
    _explain,
    "explain",
    examples=(
        "tamis explain page.html",
        "tamis explain page.html -o why.html",
    ),
)
