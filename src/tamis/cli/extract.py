"""``tamis extract``: pages in, content out."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tamis.cli.page_loader import PageLoader
from tamis.errors import BrowserError, MissingExtraError, OptionError, SourceError, TamisError
from tamis.render.options import RenderOptions
from tamis.render.registry import Format, formats, get_format

if TYPE_CHECKING:
    from tamis.api import Extraction, Options
    from tamis.sources import Source

_FORMATS = ", ".join(entry.name for entry in formats())


def command(  # noqa: PLR0917 (each is an option of the command line)
    pages: Annotated[
        list[str] | None, typer.Argument(help="Files, folders, addresses (https://…), or - for stdin.")
    ] = None,
    extractor: Annotated[str | None, typer.Option("--extractor", "-e", help="Which method chooses.")] = None,
    profile: Annotated[
        Path | None, typer.Option("--profile", help="What was learned about a site, see `tamis train`.")
    ] = None,
    format: Annotated[  # noqa: A002 (named as the flag)
        str, typer.Option("--format", "-f", help=f"Output format: {_FORMATS}.", show_default=True)
    ] = "text",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="A file, or for several pages a folder.")
    ] = None,
    url: Annotated[str | None, typer.Option("--url", help="The page's address, to resolve its links.")] = None,
    encoding: Annotated[str | None, typer.Option("--encoding", help="What the HTTP header said.")] = None,
    favor: Annotated[
        str | None, typer.Option("--favor", help="precision, recall, or a number: above 0 keeps less.")
    ] = None,
    with_metadata: Annotated[
        bool, typer.Option("--with-metadata", help="Begin with title, authors, date … of the page.")
    ] = False,
    links: Annotated[bool, typer.Option("--links/--no-links", help="Write the addresses of links.")] = True,
    images: Annotated[bool, typer.Option("--images/--no-images", help="Write pictures.")] = True,
    tables: Annotated[bool, typer.Option("--tables/--no-tables", help="Write tables of data.")] = True,
    comments: Annotated[
        bool, typer.Option("--comments/--no-comments", help="Write what readers wrote, after the content.")
    ] = False,
    provenance: Annotated[
        bool, typer.Option("--provenance", help="JSON: say where every part stands in the page.")
    ] = False,
    render: Annotated[
        bool, typer.Option("--render", help="Read the page after its scripts ran in Chromium (extra: visual).")
    ] = False,
    allow_network: Annotated[
        bool,
        typer.Option("--allow-network", help="With --render: files may load what they ask for; addresses always do."),
    ] = False,
    layout: Annotated[
        Path | None, typer.Option("--layout", help="A folder from `tamis render`, for methods that look at layout.")
    ] = None,
    list_extractors: Annotated[
        bool, typer.Option("--list-extractors", help="Print the extractors and stop.")
    ] = False,
) -> None:
    """Extract the main content of pages."""
    if list_extractors:
        _print_extractors()
        return
    if not pages:
        raise OptionError("no page given; try: tamis page.html, tamis https://…, tamis - < page.html")
    from tamis.api.options import Options, read_favor  # noqa: PLC0415 (numpy and the parser load here, not for --help)

    options = Options(encoding=encoding, favor=read_favor(favor))
    shown = RenderOptions(
        links=links,
        images=images,
        tables=tables,
        comments=comments,
        with_metadata=with_metadata,
        provenance=provenance,
    )
    if profile is not None:
        from tamis.extractors.profiles import load_profile  # noqa: PLC0415 (only where asked for)

        if extractor is not None:
            raise OptionError("a profile names its own method: give --profile or --extractor, not both")
        options = options.replace(extractor=load_profile(profile))
    if extractor is not None:
        options = options.replace(extractor=extractor)
        options.resolve()  # a wrong name is told before any page is read
    if allow_network and not render:
        raise OptionError("--allow-network is about --render: a page that is not rendered loads nothing")
    if render and layout is not None:
        raise OptionError("a page that is rendered has its own layout: give --render or --layout, not both")
    loader = PageLoader(render, allow_network, layout)
    _run(pages, options, shown, loader, get_format(format), output, url)


def _run(
    names: list[str],
    options: "Options",
    shown: RenderOptions,
    loader: PageLoader,
    entry: Format,
    output: Path | None,
    url: str | None,
) -> None:
    from tamis.sources import open_pages  # noqa: PLC0415 (as above)

    sources = list(open_pages(names))
    if entry.name == "csv":
        _write_table(sources, options, shown, loader, output, url)
        return
    folder = output if output is not None and (len(sources) > 1 or output.is_dir()) else None
    if folder is not None and folder.exists() and not folder.is_dir():
        raise OptionError(f"{folder} is a file; several pages need a folder")
    failed = 0
    written: set[str] = set()
    for source in sources:
        found = _extracted(source, options, shown, loader, url)
        if found is None:
            failed += 1
            continue
        text = _written(found, entry)
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / _file_name(source.stem, entry, written)).write_text(text, encoding="utf-8")
        elif output is not None:
            _write_file(output, text)
        else:
            if len(sources) > 1 and entry.name == "text":
                typer.echo(f"==> {source.name} <==")
            _print(text)
    if failed:
        raise typer.Exit(code=2 if failed == len(sources) else 1)


def _extracted(
    source: "Source", options: "Options", shown: RenderOptions, loader: PageLoader, url: str | None
) -> "Extraction | None":
    """Return what a page holds; what goes wrong with it is said, and does not stop the others."""
    from tamis.api import extract_page  # noqa: PLC0415 (as above)

    try:
        loaded = loader.read(source, options)
        found = extract_page(loaded.page, url or loaded.url, options=options, render_options=shown)
    except (BrowserError, MissingExtraError):  # it would be so for every page
        raise
    except TamisError as error:
        typer.echo(f"tamis: {source.name}: {error}", err=True)
        return None
    for said in (loaded.remark, found.selection.note, found.empty_reason):
        if said:
            typer.echo(f"tamis: {source.name}: {said}", err=True)
    return found


def _write_table(
    sources: "list[Source]",
    options: "Options",
    shown: RenderOptions,
    loader: PageLoader,
    output: Path | None,
    url: str | None,
) -> None:
    """Write all pages into one table, a line each."""
    from tamis.render.csv import render_csv  # noqa: PLC0415 (only where asked for)

    read = ((_extracted(source, options, shown, loader, url), source.name) for source in sources)
    found = [(one, name) for one, name in read if one is not None]
    table = render_csv([one for one, _ in found], [name for _, name in found])
    if output is not None:
        _write_file(output, table)
    else:
        _print(table)
    if len(found) < len(sources):
        raise typer.Exit(code=1 if found else 2)


def _write_file(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise SourceError(f"cannot write {path}: {error.strerror}") from error


def _file_name(stem: str, entry: Format, written: set[str]) -> str:
    """Return a name for a page's output that no other page of this run has."""
    name, number = f"{stem}.{entry.suffix}", 1
    while name in written:
        number += 1
        name = f"{stem}-{number}.{entry.suffix}"
    written.add(name)
    return name


def _written(found: "Extraction", entry: Format) -> str:
    text = found.text if entry.name == "text" else found.render(entry).text
    return text.rstrip("\n") + "\n" if text else ""


def _print(text: str) -> None:
    """Print UTF-8 whatever the locale says: the web is not ASCII."""
    stream = typer.get_binary_stream("stdout")
    stream.write(text.encode("utf-8"))
    stream.flush()


def _print_extractors() -> None:
    from tamis.extractors import registry  # noqa: PLC0415 (loads every method)

    rows = [(found.name, found.source, found.summary) for found in map(registry.get, registry.names())]
    wide = [max(len(row[column]) for row in rows) for column in range(2)]
    for name, source, summary in rows:
        typer.echo(f"{name:<{wide[0]}}  {source:<{wide[1]}}  {summary}")
