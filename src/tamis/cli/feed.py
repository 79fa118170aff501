"""``tamis feed``: the articles of a feed as JSON Lines."""

import json
from collections import Counter
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from tamis.cli.output import print_message
from tamis.errors import SourceError

# ruff: noqa: PLC0415 (numpy, the parser and aiohttp load where a feed is read, not for --help)


def command(
    feed: Annotated[
        str, typer.Argument(help="A feed (RSS, Atom, RDF or JSON Feed): a file, a URL, or - for standard input.")
    ],
    extractor: Annotated[str, typer.Option("--extractor", "-e", help="Extraction method.")] = "sift",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Output path: a file. Default: standard output.")
    ] = None,
    max_entries: Annotated[
        int | None, typer.Option("--max-entries", min=1, help="Maximum number of entries.")
    ] = None,
    articles_only: Annotated[
        bool, typer.Option("--articles-only", help="Leave out index pages, empty pages and errors.")
    ] = False,
    timeout: Annotated[float, typer.Option("--timeout", min=0.1, help="Seconds per page.")] = 15.0,
    allow_private: Annotated[
        bool, typer.Option("--allow-private", help="Also fetch pages from private and loopback addresses.")
    ] = False,
) -> None:
    """Extract the articles of a feed and write them as JSON Lines (extra: fetch)."""
    from tamis.api.feeds import read_articles
    from tamis.api.options import Options
    from tamis.sources.feeds import parse_feed
    from tamis.sources.fetch import Limits
    from tamis.sources.files import open_pages

    options = Options(extractor=extractor)
    options.resolve()  # an unknown name is an error before anything is downloaded
    (source,) = open_pages([feed])
    data, url, encoding = source.read()
    parsed = parse_feed(data, url, encoding)
    counts: Counter[str] = Counter()
    try:
        opened = (
            output.open("w", encoding="utf-8") if output else nullcontext(typer.get_text_stream("stdout", "utf-8"))
        )
    except OSError as error:
        raise SourceError(f"cannot write {output}: {error.strerror}") from error
    with opened as stream:
        for article in read_articles(
            parsed,
            options=options,
            limits=Limits(timeout=timeout),
            allow_private=allow_private,
            max_entries=max_entries,
        ):
            row = article.as_dict()
            counts[row["status"]] += 1
            if articles_only and row["status"] != "article":
                continue
            stream.write(json.dumps(row, ensure_ascii=False) + "\n")
            stream.flush()
    summary = ", ".join(f"{count} {status}" for status, count in sorted(counts.items())) or "no entries"
    print_message(f"{parsed.title or feed}: {summary}")
    if not counts["article"]:
        raise typer.Exit(code=1)
