"""``tamis render``: pages rendered by Chromium, their boxes saved or their content shaded."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tamis.errors import OptionError, RenderError, SourceError

if TYPE_CHECKING:
    from tamis.page import Page
    from tamis.visual.config import Settings

# ruff: noqa: PLC0415 (numpy, the parser and playwright load in the command, not for --help)


def command(  # noqa: PLR0917 (each is an option of the command line)
    pages: Annotated[list[str], typer.Argument(help="Files, folders, or - for stdin.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="A folder: the boxes of each page as a Parquet file.")
    ] = None,
    shade: Annotated[
        Path | None, typer.Option("--shade", help="A picture (PNG) of the page with its content shaded.")
    ] = None,
    extractor: Annotated[
        str | None, typer.Option("--extractor", "-e", help="Which method chooses what is shaded.")
    ] = None,
    corpus: Annotated[
        bool, typer.Option("--corpus", help="The folders hold labelled pages; draw them as `tamis eval` reads them.")
    ] = False,
    scripts: Annotated[
        bool, typer.Option("--scripts", help="Run scripts; saves the document they leave, too, as NAME.html.")
    ] = False,
    allow_network: Annotated[bool, typer.Option("--allow-network", help="Let pages load what they ask for.")] = False,
    viewport: Annotated[str | None, typer.Option("--viewport", help="WIDTHxHEIGHT; 1280x1024 if not given.")] = None,
    phone: Annotated[bool, typer.Option("--phone", help="Draw as a phone does.")] = False,
    timeout: Annotated[float | None, typer.Option("--timeout", min=0.1, help="Seconds for each page.")] = None,
    jobs: Annotated[int | None, typer.Option("--jobs", "-j", min=1, help="Pages at once.")] = None,
) -> None:
    """Draw pages with Chromium and keep their layout, or a picture of what is content (extra: visual)."""
    if (output is None) == (shade is None):
        raise OptionError("give --output and a folder for layout, or --shade and a file for a picture")
    settings = _settings(viewport, phone=phone, scripts=scripts, network=allow_network, timeout=timeout, jobs=jobs)
    if shade is not None:
        _shade(pages, shade, extractor, settings)
    elif output is not None:
        if extractor is not None:
            raise OptionError("--extractor chooses what --shade shades; boxes are the same for all")
        _save(_labelled(pages) if corpus else _given(pages), output, settings)


def _settings(
    viewport: str | None,
    *,
    phone: bool,
    scripts: bool,
    network: bool,
    timeout: float | None,
    jobs: int | None,
) -> "Settings":
    from dataclasses import replace

    from tamis.visual.config import PHONE, Settings, read_size

    base = PHONE if phone else Settings()
    width, height = read_size(viewport) if viewport else (base.width, base.height)
    return replace(
        base,
        width=width,
        height=height,
        scripts=scripts,
        network=network,
        timeout=timeout or base.timeout,
        pages=jobs or base.pages,
    )


def _given(names: list[str]) -> "Iterator[tuple[str, Page | SourceError]]":
    """Give the pages of files and folders by a name for their output; for one that cannot be read, why."""
    from tamis.page import parse_page
    from tamis.sources import open_pages

    for source in open_pages(names):
        if source.is_url:
            raise OptionError(f"{source.name} is an address; to read it rendered: tamis {source.name} --render")
        try:
            markup, _, charset = source.read()
        except SourceError as error:
            yield source.stem, error
            continue
        yield source.stem, parse_page(markup, encoding=charset)


def _labelled(names: list[str]) -> "Iterator[tuple[str, Page | SourceError]]":
    """Give the pages of corpora; one without a label is left out, as the evaluation leaves it out."""
    from tamis.evaluate.corpora import BrokenPage, open_corpora
    from tamis.page import parse_page

    for name in names:
        for corpus in open_corpora(Path(name)):
            for page in corpus:
                if not isinstance(page, BrokenPage):
                    yield page.id, parse_page(page.html)


def _save(pages: "Iterator[tuple[str, Page | SourceError]]", folder: Path, settings: "Settings") -> None:
    from tamis.visual.browser import Browser
    from tamis.visual.store import save_layout

    stems: list[str] = []
    failed = rendered = unmatched = differing = 0

    def readable() -> "Iterator[Page]":
        nonlocal failed
        for stem, page in pages:
            if isinstance(page, SourceError):
                failed += 1
                typer.echo(f"tamis: {stem}: {page}", err=True)
            else:
                stems.append(stem)
                yield page

    with Browser(settings) as browser:
        for place, page in enumerate(browser.draw_all(readable())):
            if isinstance(page, RenderError):
                failed += 1
                typer.echo(f"tamis: {stems[place]}: {page}", err=True)
                continue
            assert page.layout is not None, "drawn"
            path = save_layout(folder, stems[place], page, page.layout)
            if settings.scripts:
                assert isinstance(page.markup, str), "as the browser wrote it"
                path.with_suffix(".html").write_text(page.markup, encoding="utf-8")
            rendered += 1
            unmatched += page.layout.unmatched
            differing += page.layout.unmatched > 0
    typer.echo(f"{rendered} pages rendered into {folder}, {failed} failed", err=True)
    if unmatched:
        told = f"{unmatched} rows of {differing} pages have no match in the browser and count as invisible"
        typer.echo(told, err=True)
    if failed:
        raise typer.Exit(code=1 if rendered else 2)


def _shade(names: list[str], picture: Path, extractor: str | None, settings: "Settings") -> None:
    from tamis.api import Options, extract_page
    from tamis.visual.browser import Browser
    from tamis.visual.highlight import shade

    options = Options() if extractor is None else Options(extractor=extractor)
    options.resolve()  # a wrong name is told before a browser starts
    pages = list(_given(names))
    if len(pages) != 1:
        raise OptionError(f"--shade draws one page, not {len(pages)}")
    stem, page = pages[0]
    if isinstance(page, SourceError):
        raise SourceError(f"{stem}: {page}")
    with Browser(settings) as browser:
        snapshot, plain = browser.picture(page)
    found = extract_page(snapshot, options=options)
    try:
        picture.write_bytes(shade(plain, snapshot, found.selection))
    except OSError as error:
        raise SourceError(f"cannot write {picture}: {error.strerror}") from error
    typer.echo(f"wrote {picture}: {len(found.blocks)} blocks of content by {found.extractor}", err=True)
