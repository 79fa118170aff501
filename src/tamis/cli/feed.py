"""``tamis feed`` and ``tamis sitemap``: the pages of a site, listed or extracted."""

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from tamis.cli.extraction_options import OverwriteOption
from tamis.cli.fetch_options import AccessOptions, FetchOptions, RobotsOption
from tamis.cli.options import Argument, Option, make_command
from tamis.cli.output import Destination, print_message
from tamis.errors import OptionError

if TYPE_CHECKING:
    from tamis.sources.feeds import Feed
    from tamis.sources.fetch import FetchKeywords

# ruff: noqa: B008 (groups of options are frozen)
# ruff: noqa: PLC0415 (numpy, the parser and aiohttp load where a feed is read, not for --help)

_OutputOption = Annotated[
    Path | None, Option("--output", "-o", help="Output path: a file. Default: standard output.")
]


def _feed(  # noqa: PLR0917 (each is an option of the command line)
    feed: Annotated[
        str,
        Argument(
            help="A feed (RSS, Atom, RDF or JSON Feed), or a page that names one: a file, a URL, or - for standard "
            "input."
        ),
    ],
    list_only: Annotated[
        bool, Option("--list", help="Write the URLs of the entries, one on each line, for `tamis batch -`.")
    ] = False,
    extractor: Annotated[str, Option("--extractor", "-e", help="Extraction method.")] = "sift",
    output: _OutputOption = None,
    overwrite: OverwriteOption = False,
    max_entries: Annotated[int | None, Option("--max-entries", min=1, help="Maximum number of entries.")] = None,
    articles_only: Annotated[
        bool, Option("--articles-only", help="Leave out index pages, empty pages and errors.")
    ] = False,
    access: AccessOptions = AccessOptions(),
    fetching: FetchOptions = FetchOptions(),
    robots: RobotsOption = False,
) -> None:
    """Extract the articles of a feed and write them as JSON Lines, or list them (extra: fetch)."""
    from tamis.api.feeds import read_articles
    from tamis.api.options import Options

    keywords = _keywords(feed, access, fetching, robots=robots)
    options = Options(extractor=extractor)
    options.resolve()  # an unknown name is an error before anything is downloaded
    parsed = _read_feed(feed, keywords)
    counts: Counter[str] = Counter()
    destination = Destination(output, may_replace=overwrite)
    destination.check()
    try:
        if list_only:
            for entry in parsed.entries[:max_entries]:
                counts["listed"] += 1
                destination.write(f"{entry.url}\n")
        else:
            for article in read_articles(parsed, options=options, max_entries=max_entries, **keywords):
                row = article.as_dict()
                counts[row["status"]] += 1
                if articles_only and row["status"] != "article":
                    continue
                destination.write(json.dumps(row, ensure_ascii=False) + "\n")
    finally:
        destination.close()
    summary = ", ".join(f"{count} {status}" for status, count in sorted(counts.items())) or "no entries"
    print_message(f"{parsed.title or feed}: {summary}")
    if not counts["article"] and not counts["listed"]:
        raise click.exceptions.Exit(1)


def _keywords(name: str, access: AccessOptions, fetching: FetchOptions, *, robots: bool) -> "FetchKeywords":
    """Return how pages are fetched. The port of the URL is allowed: a person has named it."""
    keywords = fetching.keywords(robots=robots)
    keywords["policy"] = access.policy().with_port_of(name)
    return keywords


def _read_feed(name: str, keywords: "FetchKeywords") -> "Feed":
    """Return a feed, or the first one that a page names."""
    from tamis.errors import SourceError
    from tamis.sources.feeds import find_feeds, is_same_origin, parse_feed
    from tamis.sources.files import open_pages

    if Path(name).is_dir():
        raise OptionError(f"a feed is a file or a URL, not a folder: {name}")
    (source,) = open_pages([name])
    data, url, encoding = source.read(**keywords)
    try:
        return parse_feed(data, url, encoding)
    except SourceError:
        named = find_feeds(data, url)
        if not named:
            raise
    (source,) = open_pages(named[:1])
    own = keywords.copy()
    own["allow_private"] = is_same_origin(named[0], name)  # what a stranger names is on no private network
    data, url, encoding = source.read(**own)
    return parse_feed(data, url, encoding)


command = make_command(
    _feed,
    "feed",
    examples=(
        "tamis feed https://example.org/feed.xml -o articles.jsonl --articles-only",
        "tamis feed https://example.org --list | tamis batch - -o rows.jsonl",
    ),
)


def _sitemap(
    url: Annotated[str, Argument(help="A site, or its sitemap: XML, text, gzipped, or an index of others.")],
    output: _OutputOption = None,
    overwrite: OverwriteOption = False,
    max_pages: Annotated[int | None, Option("--max-pages", min=1, help="Maximum number of pages.")] = None,
    access: AccessOptions = AccessOptions(),
    fetching: FetchOptions = FetchOptions(),
    robots: RobotsOption = False,
) -> None:
    """List the pages of a site, one URL on each line, for `tamis batch -` (extra: fetch)."""
    from itertools import islice

    from tamis.sources.sitemaps import list_pages

    if not url.lower().startswith(("http://", "https://")):
        raise OptionError(f"expected the URL of a site or a sitemap, got {url!r}")
    destination = Destination(output, may_replace=overwrite)
    destination.check()
    count = 0
    try:
        keywords = _keywords(url, access, fetching, robots=robots)
        pages = list_pages(url, is_trusted=True, report=print_message, **keywords)
        for entry in islice(pages, max_pages):
            destination.write(f"{entry.url}\n")
            count += 1
    finally:
        destination.close()
    print_message(f"{url}: {count} page{'' if count == 1 else 's'}")
    if not count:
        raise click.exceptions.Exit(1)


sitemap = make_command(
    _sitemap,
    "sitemap",
    examples=(
        "tamis sitemap https://example.org",
        "tamis sitemap https://example.org | tamis batch - -o rows.parquet --robots",
    ),
)
