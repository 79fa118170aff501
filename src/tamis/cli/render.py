"""``tamis render``: render pages with Chromium; save their layouts, or a screenshot with the content highlighted."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from tamis.cli.fetch_options import AccessOptions, AllowNetworkOption
from tamis.cli.options import Argument, Option, make_command
from tamis.cli.output import print_message
from tamis.cli.settings import setting
from tamis.errors import OptionError, RenderError, SourceError
from tamis.sources.quantities import Duration

if TYPE_CHECKING:
    from tamis.browser import BrowserConfig
    from tamis.page import Page
    from tamis.sources.guard import Policy

# ruff: noqa: B008 (`Duration` is a number, groups of options are frozen)
# ruff: noqa: PLC0415 (numpy, the parser and playwright load in the command, not for --help)


def _render(  # noqa: PLR0917 (each is an option of the command line)
    pages: Annotated[list[str], Argument(help="Files, folders, or - for standard input.")],
    output: Annotated[
        Path | None,
        Option("--output", "-o", help="Output path: a folder for the layouts, one Parquet file per page."),
    ] = None,
    highlight: Annotated[
        Path | None, Option("--highlight", help="File for a screenshot (PNG) with the content highlighted.")
    ] = None,
    extractor: Annotated[str | None, Option("--extractor", "-e", help="Extraction method, for --highlight.")] = None,
    corpus: Annotated[
        bool, Option("--corpus", help="The folders are corpora: read their pages as `tamis eval` does.")
    ] = False,
    scripts: Annotated[
        bool, Option("--scripts", help="Run scripts, and save the document that they leave as NAME.html.")
    ] = False,
    allow_network: AllowNetworkOption = False,
    access: AccessOptions = AccessOptions(),
    viewport: Annotated[
        str | None, Option("--viewport", help="Size of the viewport: WIDTHxHEIGHT. Default: 1280x1024.")
    ] = None,
    phone: Annotated[bool, Option("--phone", help="Render as on a phone.")] = False,
    render_timeout: Annotated[Duration, setting("render_timeout")] = Duration(60),
    jobs: Annotated[
        int | None, Option("--jobs", "-j", min=1, help="Number of parallel jobs: pages rendered at once.")
    ] = None,
) -> None:
    """Render pages with Chromium and save their layouts, or a screenshot of the content (extra: browser)."""
    if (output is None) == (highlight is None):
        raise OptionError("give either --output with a folder for layouts, or --highlight with a file")
    policy = access.policy()
    config = _browser_config(
        viewport,
        phone=phone,
        scripts=scripts,
        network=allow_network,
        policy=policy,
        timeout=render_timeout,
        jobs=jobs,
    )
    if highlight is not None:
        _save_highlight(pages, highlight, extractor, config)
    elif output is not None:
        if extractor is not None:
            raise OptionError("--extractor belongs to --highlight; the layout does not depend on it")
        _save_layouts(_corpus_pages(pages) if corpus else _source_pages(pages), output, config)


def _browser_config(
    viewport: str | None,
    *,
    phone: bool,
    scripts: bool,
    network: bool,
    policy: "Policy",
    timeout: float,
    jobs: int | None,
) -> "BrowserConfig":
    from dataclasses import replace

    from tamis.browser.config import PHONE, BrowserConfig, parse_viewport

    base = PHONE if phone else BrowserConfig()
    width, height = parse_viewport(viewport) if viewport else (base.width, base.height)
    return replace(
        base,
        width=width,
        height=height,
        scripts=scripts,
        network=network,
        policy=policy,
        timeout=timeout,
        concurrency=jobs or base.concurrency,
    )


def _source_pages(names: list[str]) -> "Iterator[tuple[str, Page | SourceError]]":
    """Yield the pages of files and folders, each with a stem for its output; for an unreadable one, the error."""
    from tamis.page import parse_page
    from tamis.sources import open_pages

    for source in open_pages(names):
        if source.is_url:
            raise OptionError(f"{source.name} is a URL; to extract it rendered: tamis {source.name} --render")
        stem = Path(source.stem).name  # a folder of layouts has no subfolders
        try:
            markup, _, charset = source.read()
        except SourceError as error:
            yield stem, error
            continue
        yield stem, parse_page(markup, encoding=charset)


def _corpus_pages(names: list[str]) -> "Iterator[tuple[str, Page | SourceError]]":
    """Yield the labelled pages of corpora; pages without a label are skipped, as in the evaluation."""
    corpora = import_module("tamis.lab.evaluate.corpora")  # by name: the program does not import the laboratory
    from tamis.page import parse_page

    for name in names:
        for corpus in corpora.open_corpora(Path(name)):
            for page in corpus:
                if not isinstance(page, corpora.BrokenPage):
                    yield page.id, parse_page(page.html)


def _save_layouts(pages: "Iterator[tuple[str, Page | SourceError]]", folder: Path, config: "BrowserConfig") -> None:
    from tamis.browser import Browser
    from tamis.browser.store import save_layout

    stems: list[str] = []
    failed = rendered = unmatched_rows = unmatched_pages = 0

    def readable_pages() -> "Iterator[Page]":
        nonlocal failed
        for stem, page in pages:
            if isinstance(page, SourceError):
                failed += 1
                print_message(f"{stem}: {page}")
            else:
                stems.append(stem)
                yield page

    with Browser(config) as browser:
        for index, page in enumerate(browser.render_all(readable_pages())):
            if isinstance(page, RenderError):
                failed += 1
                print_message(f"{stems[index]}: {page}")
                continue
            assert page.layout is not None, "the page was rendered"
            path = save_layout(folder, stems[index], page, page.layout)
            if config.scripts:
                assert isinstance(page.markup, str), "the browser's document"
                path.with_suffix(".html").write_text(page.markup, encoding="utf-8")
            rendered += 1
            unmatched_rows += page.layout.unmatched
            unmatched_pages += page.layout.unmatched > 0
    print_message(f"{rendered} page{'' if rendered == 1 else 's'} rendered into {folder}, {failed} failed")
    if unmatched_rows:
        message = (
            f"{unmatched_rows} rows of {unmatched_pages} pages have no match in the browser and count as invisible"
        )
        print_message(message)
    if failed:
        raise click.exceptions.Exit(1 if rendered else 2)


def _save_highlight(names: list[str], file: Path, extractor: str | None, config: "BrowserConfig") -> None:
    from tamis.api import Options
    from tamis.api.extraction import extract_with
    from tamis.browser import Browser
    from tamis.browser.supply import highlight

    options = Options() if extractor is None else Options(extractor=extractor)
    options.resolve()  # an unknown name is an error before a browser starts
    pages = list(_source_pages(names))
    if len(pages) != 1:
        raise OptionError(f"--highlight takes one page, not {len(pages)}")
    stem, page = pages[0]
    if isinstance(page, SourceError):
        raise SourceError(f"{stem}: {page}")
    with Browser(config) as browser:
        page, screenshot = browser.screenshot(page)
    extraction = extract_with(page, None, options)
    file.write_bytes(highlight(screenshot, page, extraction.selection))
    print_message(f"wrote {file}: {len(extraction.blocks)} blocks of content by {extraction.extractor}")


command = make_command(
    _render,
    "render",
    examples=(
        "tamis render pages/ -o layouts/",
        "tamis render page.html --highlight out.png",
    ),
)
