"""``tamis extract``: pages in, content out."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tamis.errors import OptionError, SourceError, TamisError

if TYPE_CHECKING:
    from tamis.api import Extraction, Options


class Format(StrEnum):
    """How the content is written."""

    txt = "txt"
    html = "html"
    json = "json"


def command(
    pages: Annotated[
        list[str] | None, typer.Argument(help="Files, folders, addresses (https://…), or - for stdin.")
    ] = None,
    extractor: Annotated[str | None, typer.Option("--extractor", "-e", help="Which method chooses.")] = None,
    profile: Annotated[
        Path | None, typer.Option("--profile", help="What was learned about a site, see `tamis train`.")
    ] = None,
    form: Annotated[Format, typer.Option("--format", "-f", help="How to write the content.")] = Format.txt,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="A file, or for several pages a folder.")
    ] = None,
    url: Annotated[str | None, typer.Option("--url", help="The page's address, to resolve its links.")] = None,
    encoding: Annotated[str | None, typer.Option("--encoding", help="What the HTTP header said.")] = None,
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
    from tamis.api import Options  # noqa: PLC0415 (numpy and the parser load here, not for --help)

    options = Options(encoding=encoding)
    if profile is not None:
        from tamis.extractors.profiles import load_profile  # noqa: PLC0415 (only where asked for)

        if extractor is not None:
            raise OptionError("a profile names its own method: give --profile or --extractor, not both")
        options = options.changed(extractor=load_profile(profile))
    if extractor is not None:
        options = options.changed(extractor=extractor)
        options.resolve()  # a wrong name is told before any page is read
    _run(pages, options, form, output, url)


def _run(names: list[str], options: "Options", form: Format, output: Path | None, url: str | None) -> None:
    from tamis.api import extract  # noqa: PLC0415 (as above)
    from tamis.sources import open_pages  # noqa: PLC0415 (as above)

    sources = list(open_pages(names))
    folder = output if output is not None and (len(sources) > 1 or output.is_dir()) else None
    if folder is not None and folder.exists() and not folder.is_dir():
        raise OptionError(f"{folder} is a file; several pages need a folder")
    failed = 0
    written: set[str] = set()
    for source in sources:
        try:
            markup, address, charset = source.read()
            given = options.changed(encoding=options.encoding or charset)
            found = extract(markup, url or address, options=given)
        except TamisError as error:
            typer.echo(f"tamis: {source.name}: {error}", err=True)
            failed += 1
            continue
        if found.empty:
            typer.echo(f"tamis: {source.name}: {found.empty}", err=True)
        text = _written(found, form)
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / _file_name(source.stem, form, written)).write_text(text, encoding="utf-8")
        elif output is not None:
            _write_file(output, text)
        else:
            if len(sources) > 1 and form is Format.txt:
                typer.echo(f"==> {source.name} <==")
            _print(text)
    if failed:
        raise typer.Exit(code=2 if failed == len(sources) else 1)


def _write_file(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise SourceError(f"cannot write {path}: {error.strerror}") from error


def _file_name(stem: str, form: Format, written: set[str]) -> str:
    """Return a name for a page's output that no other page of this run has."""
    name, number = f"{stem}.{form}", 1
    while name in written:
        number += 1
        name = f"{stem}-{number}.{form}"
    written.add(name)
    return name


def _written(found: "Extraction", form: Format) -> str:
    if form is Format.json:
        from tamis.render.json import render_json  # noqa: PLC0415 (only where asked for)

        return render_json(found) + "\n"
    text = found.html if form is Format.html else found.text
    return text + "\n" if text else ""


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
