"""``tamis feed``: the articles of a feed as JSON Lines."""

import json
from collections import Counter
from pathlib import Path
from typing import Annotated

import click

from tamis.cli.options import Argument, Option, make_command
from tamis.cli.output import Destination, print_message

# ruff: noqa: PLC0415 (numpy, the parser and aiohttp load where a feed is read, not for --help)


def _feed(
    feed: Annotated[
        str, Argument(help="A feed (RSS, Atom, RDF or JSON Feed): a file, a URL, or - for standard input.")
    ],
    extractor: Annotated[str, Option("--extractor", "-e", help="Extraction method.")] = "sift",
    output: Annotated[
        Path | None, Option("--output", "-o", help="Output path: a file. Default: standard output.")
    ] = None,
    max_entries: Annotated[int | None, Option("--max-entries", min=1, help="Maximum number of entries.")] = None,
    articles_only: Annotated[
        bool, Option("--articles-only", help="Leave out index pages, empty pages and errors.")
    ] = False,
    timeout: Annotated[float, Option("--timeout", min=0.1, help="Seconds per page.")] = 15.0,
    allow_private: Annotated[
        bool, Option("--allow-private", help="Also fetch pages from private and loopback addresses.")
    ] = False,
) -> None:
    """Extract the articles of a feed and write them as JSON Lines (extra: fetch)."""
    from tamis.api.feeds import read_articles
    from tamis.api.options import Options
    from tamis.sources.feeds import parse_feed
    from tamis.sources.fetch import FetchLimits
    from tamis.sources.files import open_pages

    options = Options(extractor=extractor)
    options.resolve()  # an unknown name is an error before anything is downloaded
    (source,) = open_pages([feed])
    data, url, encoding = source.read()
    parsed = parse_feed(data, url, encoding)
    counts: Counter[str] = Counter()
    destination = Destination(output)
    try:
        for article in read_articles(
            parsed,
            options=options,
            limits=FetchLimits(timeout=timeout),
            allow_private=allow_private,
            max_entries=max_entries,
        ):
            row = article.as_dict()
            counts[row["status"]] += 1
            if articles_only and row["status"] != "article":
                continue
            destination.write(json.dumps(row, ensure_ascii=False) + "\n")
    finally:
        destination.close()
    summary = ", ".join(f"{count} {status}" for status, count in sorted(counts.items())) or "no entries"
    print_message(f"{parsed.title or feed}: {summary}")
    if not counts["article"]:
        raise click.exceptions.Exit(1)


command = make_command(
    _feed,
    "feed",
    examples=(
        "tamis feed https://example.org/feed.xml",
        "tamis feed feed.xml -o articles.jsonl --articles-only",
    ),
)
