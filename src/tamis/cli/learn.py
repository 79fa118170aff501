"""``tamis learn``: a profile or a rule of a site, from some of its pages."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from tamis.cli.fetch_options import FetchOptions
from tamis.cli.options import Argument, Option, make_command
from tamis.cli.output import check_suffix, print_message
from tamis.errors import OptionError, SourceError

if TYPE_CHECKING:
    from tamis.sift.site import SiteProfile
    from tamis.sites.learn import SiteLearner, SitePage
    from tamis.sites.learn_rule import RulePage
    from tamis.sources import Source

# ruff: noqa: B008 (groups of options are frozen)
# ruff: noqa: PLC0415 (numpy and the parser load where they are used, not for --help)


def _learn(
    pages: Annotated[list[str], Argument(help="Pages of a site: files, folders, URLs.")],
    output: Annotated[
        Path,
        Option(
            "--output",
            "-o",
            help="Output path: a profile (site.json), a folder for one profile per host, or a rule (site.toml).",
        ),
    ],
    host: Annotated[
        str | None, Option("--site-host", help="Host of the site. Default: the one that the pages declare.")
    ] = None,
    extractor: Annotated[str, Option("--extractor", "-e", help="Extraction method: sift or sift-open.")] = "sift",
    fetching: FetchOptions = FetchOptions(),
) -> None:
    """Learn a site from some of its pages: a profile for --profile, or a rule of CSS selectors that you can edit.

    Labels are read from files beside the pages: tea.txt has the content of tea.html, or tea.json has blocks that were
    marked in the page of `tamis explain`.
    """
    from tamis.page import parse_page
    from tamis.page.parse import binary_type
    from tamis.sites.learn import SiteLearner
    from tamis.sites.rules import is_file_name, normalize_host, page_host
    from tamis.sources import open_pages

    in_folder = output.is_dir() or not output.suffix
    check_suffix(None if in_folder else output, ".json", ".toml")
    if host is not None:
        host = normalize_host(host)
        if not is_file_name(host):
            raise OptionError(f"--site-host must be a host such as example.org, not {host!r}")
    learners: dict[str, SiteLearner] = {}
    rule_pages: list[RulePage] = []
    for source in open_pages(pages):
        try:
            page = _read(source, fetching)
        except SourceError as error:
            print_message(f"{source.name}: {error}")
            continue
        binary = binary_type(page.html) if isinstance(page.html, bytes) else None
        if binary is not None:
            print_message(f"{source.name}: not a web page but {binary}")
            continue
        if output.suffix == ".toml":
            rule_pages.append(_rule_page(page, _page_name(source, output), extractor))
            continue
        key = (host or page_host(parse_page(page.html), page.url)) if in_folder else ""
        learners.setdefault(key, SiteLearner(extractor)).add(page)
    if output.suffix == ".toml":
        _write_rule(rule_pages, output, host)
    elif in_folder:
        _write_folder(learners, output)
    else:
        learner = learners.get("") or SiteLearner(extractor)
        named = [name for name in learner.hosts if name]
        if host is None and len(named) > 1:
            listed = ", ".join(sorted(named)[:3])
            raise OptionError(
                f"the pages are of {len(named)} hosts ({listed} …): give --site-host, or a folder as output"
            )
        profile = learner.profile(host)
        _write(profile, output)


def _rule_page(site_page: "SitePage", name: str, extractor: str) -> "RulePage":
    """Return a page with what is content on it: by its labels, else by the extractor."""
    from tamis.api import extract
    from tamis.document.detectors.post_parts import is_content
    from tamis.document.detectors.posts import find_thread
    from tamis.sites.learn import read_labels
    from tamis.sites.learn_rule import PostRows, RulePage

    extraction = extract(site_page.html, site_page.url, extractor=extractor, rules=False)
    page, selected = extraction.page, extraction.selection.mask
    labels = read_labels(page, site_page)
    if labels is not None:
        selected = labels.correct(page, selected)
    thread = find_thread(page)
    if thread is None or not is_content(page, selected, thread):
        return RulePage(page, selected, site_page.url, name, extraction.title)
    posts = [PostRows(row, facts.author_row, facts.date_row) for row, facts in thread.posts.items()]
    return RulePage(page, selected, site_page.url, name, extraction.title, posts, thread.body)


def _page_name(source: "Source", output: Path) -> str:
    """Return where a page can be read again: a URL, or a path from the folder of the rule."""
    if source.is_url or source.name == "-":
        return source.name.removeprefix("-")
    return Path(os.path.relpath(source.name, output.parent)).as_posix()


def _write_rule(pages: "list[RulePage]", path: Path, host: str | None) -> None:
    from tamis.sites.learn_rule import learn_rule
    from tamis.sites.rules import format_rule

    rule = learn_rule(pages, host=host)
    path.write_text(format_rule(rule), encoding="utf-8")
    found = [f"content {', '.join(rule.content)}"] if rule.content else []
    found += [f"posts {rule.post}"] if rule.post else []
    click.echo(f"wrote {path}: {'; '.join(found)}; try it with: tamis check {path}")


def _write_folder(learners: "dict[str, SiteLearner]", folder: Path) -> None:
    from tamis.sites.rules import is_file_name

    enough = {host: learner for host, learner in learners.items() if learner.is_enough and is_file_name(host)}
    for host, learner in sorted(learners.items()):
        if host not in enough:
            why = "too few pages to learn from" if is_file_name(host) else "no host; give --site-host"
            print_message(f"{host or 'unknown host'}: {_count(learner.hosts.total(), 'page')}, {why}")
    if not enough:
        raise OptionError(
            "no host has enough pages: 4 different ones, or labelled ones; is the host unknown? --site-host"
        )
    folder.mkdir(parents=True, exist_ok=True)
    for host, learner in sorted(enough.items()):
        profile = learner.profile(host)
        _write(profile, folder / f"{profile.host}.json")


def _write(profile: "SiteProfile", path: Path) -> None:
    path.write_text(profile.as_json(), encoding="utf-8")
    click.echo(f"wrote {path}: {describe(profile)}")
    if not profile.texts and not profile.templates and not profile.offsets:
        print_message(
            f"{path} changes nothing: no text or template repeats, and no two labelled pages share a template"
        )


def describe(profile: "SiteProfile") -> str:
    """Return what was learned, in one line."""
    texts, templates = _count(len(profile.texts), "text"), _count(len(profile.templates), "template")
    facts = [f"{texts} and {templates} on most of {_count(profile.pages, 'page')}"]
    if profile.offsets:
        facts.append(f"labels of {_count(len(profile.offsets), 'template')}")
    return ", ".join([*facts, profile.host or "host unknown"])


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"


def _read(source: "Source", fetching: FetchOptions) -> "SitePage":
    """Return a page with the labels beside it."""
    from tamis.sites.learn import SitePage
    from tamis.sources.files import read_file

    html, url, _ = source.read(**fetching.keywords())
    content = marks = None
    if not source.is_url and source.name != "-":
        beside = Path(source.name)
        stem = beside.name.removesuffix(".gz").rpartition(".")[0]
        text, marked = beside.with_name(f"{stem}.txt"), beside.with_name(f"{stem}.json")
        content = read_file(text).decode("utf-8", "replace") if text.is_file() else None
        marks = read_file(marked).decode("utf-8", "replace") if marked.is_file() else None
    return SitePage(html, url, Path(source.name).name if not source.is_url else source.name, content, marks)


command = make_command(
    _learn,
    "learn",
    examples=(
        "tamis learn crawl/example.org/ -o example.org.json",
        "tamis learn crawl/example.org/ -o example.org.toml",
    ),
)
