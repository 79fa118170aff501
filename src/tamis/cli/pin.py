"""``tamis pin`` and ``tamis check``: pages with their output as regression cases.

A case is a folder: ``page.html`` with the page's bytes, ``expected.md`` with its output, and ``case.json`` with the
options that made it. ``tamis check`` also tries the rule of a site on the pages that it names.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import click

from tamis.cli.extraction_options import ExcludeOption, IncludeOption, OverwriteOption, UrlOption
from tamis.cli.fetch_options import FetchOptions
from tamis.cli.options import Argument, Option, make_command
from tamis.errors import OptionError, SourceError, TamisError

if TYPE_CHECKING:
    from tamis.api import Extraction
    from tamis.sites.rules import Rule
    from tamis.sources import Source

# ruff: noqa: B008 (groups of options are frozen)
# ruff: noqa: PLC0415 (numpy and the parser load where they are used, not for --help)

_CASE, _PAGE, _PROFILE = "case.json", "page.html", "profile.json"
_SUFFIXES: Final = {"markdown": "md", "text": "txt", "html": "html", "json": "json", "xml": "xml"}
_CONTEXT: Final = 6  #: words around a difference
_TOKEN: Final = re.compile(r"\n+|[^\s]+")
_MAX_WORDS: Final = 20_000  #: of a run of changed lines that is compared word by word


def _pin(  # noqa: PLR0917 (each is an option of the command line)
    pages: Annotated[list[str], Argument(help="Files or URLs.")],
    folder: Annotated[Path, Option("--output", "-o", help="Output path: the folder of the cases.")] = Path("pins"),
    name: Annotated[str | None, Option("--name", help="Name of the case; by default that of the page.")] = None,
    format: Annotated[str, Option("--format", "-f", help="Output format.")] = "markdown",  # noqa: A002
    extractor: Annotated[str, Option("--extractor", "-e", help="Extraction method.")] = "sift",
    profile: Annotated[
        Path | None, Option("--profile", help="A site profile, which is copied into the case.")
    ] = None,
    include: IncludeOption = None,
    exclude: ExcludeOption = None,
    url: UrlOption = None,
    overwrite: OverwriteOption = False,
    fetching: FetchOptions = FetchOptions(),
) -> None:
    """Save pages with their current output, to be compared by `tamis check`."""
    from tamis.render.registry import get_format
    from tamis.sources import open_pages

    format_name = get_format(format).name
    sources = list(open_pages(pages))
    if name is not None and len(sources) > 1:
        raise OptionError("--name is for one page")
    if url is not None and len(sources) > 1:
        raise OptionError("--url is for one page")
    if name is not None and (Path(name).is_absolute() or ".." in Path(name).parts):
        raise OptionError(f"--name is the name of a folder in {folder}, not {name!r}")
    names: set[str] = set()  # of the cases of this run
    for source in sources:
        try:
            html, final_url, encoding = source.read(**fetching.keywords())
        except SourceError as error:
            raise SourceError(f"{source.name}: {error}") from error
        # Pages of one name from different folders: tea, tea-2.
        free = (f"{source.stem}-{number}" if number > 1 else source.stem for number in count(1))
        case_name = name or next(each for each in free if each not in names)
        names.add(case_name)
        case = folder / case_name
        if (case / _CASE).exists() and not overwrite:
            raise OptionError(f"{case} exists; give --overwrite or another --name")
        values: dict[str, Any] = {
            "url": url or final_url,
            "encoding": encoding,
            "extractor": extractor,
            "format": format_name,
        }
        values |= {name: given for name, given in (("include", include), ("exclude", exclude)) if given}
        # First of all, so that a page that fails leaves no half of a case.
        output = _output(html, values, profile)
        saved_profile = _read_profile(profile)
        case.mkdir(parents=True, exist_ok=True)
        for old in case.glob("expected.*"):  # of another format
            old.unlink()
        (case / _PAGE).write_bytes(html)
        (case / _PROFILE).unlink(missing_ok=True)
        if saved_profile is not None:
            (case / _PROFILE).write_bytes(saved_profile)
        (case / _CASE).write_text(json.dumps(values, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        _expected(case, format_name).write_text(output, encoding="utf-8", errors="replace", newline="")
        click.echo(f"pinned {case}")


def _check(
    folders: Annotated[
        list[Path], Argument(help="Folders of cases, made by `tamis pin`; rules of sites, or a folder of them.")
    ],
    update: Annotated[bool, Option("--update", help="Pin the current outputs instead.")] = False,
) -> None:
    """Run pinned pages again, and show what changed as a word diff; try the rules of sites on their pages.

    Exit code 1 if a page changed, or a rule finds less on one than it says.
    """
    rules = [path for folder in folders for path in _rules(folder)]
    failed_rules = sum(_check_rule(path) for path in rules)
    cases = [case for folder in folders if folder not in rules for case in _cases(folder)]
    if rules and not cases:
        raise click.exceptions.Exit(min(failed_rules, 1))
    if not cases:
        raise OptionError(f"no cases in {', '.join(map(str, folders))}; make some with: tamis pin page.html")
    changed = failed = 0
    for case in cases:
        try:
            values = _read_case(case)
            expected = _expected(case, values["format"])
            profile = case / _PROFILE
            after = _output((case / _PAGE).read_bytes(), values, profile if profile.exists() else None)
            before = "" if update and not expected.exists() else expected.read_bytes().decode("utf-8", "replace")
        except (OSError, TamisError) as error:
            click.echo(f"{case}: {_reason(error)}")
            failed += 1
            continue
        # A checkout may have written the lines of the case with the line ends of its system.
        before = before.replace("\r\n", "\n")
        if before == after.replace("\r\n", "\n"):
            continue
        changed += 1
        click.echo(f"{case}: changed")
        for line in word_diff(before, after):
            click.echo(f"  {line}")
        if update:
            expected.write_text(after, encoding="utf-8", errors="replace", newline="")
    counted = f"{len(cases)} case{'s' if len(cases) > 1 else ''}, {changed} changed"
    counted += ", pinned again" if update and changed else ""
    click.echo(counted + (f", {failed} cannot be read" if failed else ""))
    if failed or failed_rules or (changed and not update):
        raise click.exceptions.Exit(1)


def _rules(path: Path) -> list[Path]:
    """Return the files of rules that a path names: itself, or those of a folder."""
    if path.suffix == ".toml":
        return [path]
    return sorted(path.glob("*.toml")) if path.is_dir() else []


def _check_rule(path: Path) -> int:
    """Print what a rule finds on each of its pages; return the number of pages on which it finds too little."""
    from tamis.sites.rules import read_rule
    from tamis.sources import open_pages

    rule = read_rule(_read_text(path), str(path))
    if not rule.pages:
        click.echo(f"{path}: names no pages to try it on")
        return 1
    failed = 0
    for name in rule.pages:
        try:
            (source,) = open_pages([name if "://" in name else str(path.parent / name)])
            found, problems = _try_rule(rule, path, source)
        except TamisError as error:
            found, problems = "", [str(error)]
        failed += bool(problems)
        click.echo(f"{path}: {name}: {'; '.join([*filter(None, [found]), *problems])}")
    return failed


def _try_rule(rule: "Rule", path: Path, source: "Source") -> tuple[str, list[str]]:
    """Return what a rule finds on a page, and what it should find and does not."""
    from tamis.api import extract
    from tamis.page import parse_page
    from tamis.sites.rules import page_url

    html, url, encoding = source.read()
    if page_url(parse_page(html), url) is None:  # a saved page that does not say where it is from
        url = f"https://{rule.hosts[0]}/{rule.paths[0].lstrip('/')}".replace("*", "any")
    extraction = extract(html, url, encoding=encoding, rules=path)
    if extraction.rule != rule.name:
        reasons = [each.reason for each in extraction.warnings if each.type == "site rule"]
        return "", reasons or [f"the rule is for other pages: hosts {', '.join(rule.hosts)}, paths {rule.paths[0]}"]
    posts = list(extraction.thread.posts.values()) if extraction.thread else []
    found = [f"{len(extraction.text.split())} words"] + ([f"{len(posts)} posts"] if rule.post else [])
    selectors = {"title": [rule.title], "content": list(rule.content), "post": [rule.post]}
    problems = [
        f"{key} finds nothing"
        for key, given in selectors.items()
        if any(given) and not any(map(extraction.page.select, given))
    ]
    for key in ("author", "date"):
        missing = sum(getattr(post, key) is None for post in posts)
        if getattr(rule, key) and missing:
            problems.append(f"{missing} of {len(posts)} posts have no {key}")
    return ", ".join(found), problems


def _read_text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise OptionError(f"cannot read {path}: {error}") from error


def _reason(error: OSError | TamisError) -> str:
    if isinstance(error, OSError) and error.filename:
        return f"cannot read {Path(error.filename).name}: {(error.strerror or str(error)).lower()}"
    return str(error)


def _read_profile(path: Path | None) -> bytes | None:
    """Return the bytes of a profile, which are copied into the case."""
    try:
        return path.read_bytes() if path is not None else None
    except OSError as error:
        raise OptionError(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from error


def _cases(folder: Path) -> list[Path]:
    if not folder.is_dir():
        raise SourceError(f"{folder} is not a folder")
    return sorted(path.parent for path in folder.rglob(_CASE))


def _read_case(case: Path) -> dict[str, Any]:
    try:
        values = json.loads((case / _CASE).read_text("utf-8"))
    except ValueError as error:
        raise OptionError(f"{_CASE} is not JSON: {error}") from error
    names = ("url", "encoding", "extractor", "format")
    if not isinstance(values, dict) or any(name not in values for name in names):
        raise OptionError(f"{_CASE} must have {', '.join(names)}")
    for name in names:
        is_optional = name in {"url", "encoding"}
        if not isinstance(values[name], str) and not (is_optional and values[name] is None):
            raise OptionError(f"{name} in {_CASE} is {values[name]!r}, not a string")
    for name in ("include", "exclude"):
        selectors = values.get(name, [])
        if not isinstance(selectors, list) or not all(isinstance(each, str) for each in selectors):
            raise OptionError(f"{name} in {_CASE} is {selectors!r}, not a list of CSS selectors")
    return values


def _expected(case: Path, format_name: str) -> Path:
    return case / f"expected.{_SUFFIXES.get(format_name, format_name)}"


def _output(html: bytes, values: dict[str, Any], profile: Path | None) -> str:
    """Return the output of a page, as its file has it: UTF-8 has no lone surrogates."""
    text = _extract(html, values, profile).render(values["format"]).text
    return text.encode("utf-8", "replace").decode("utf-8")


def _extract(html: bytes, values: dict[str, Any], profile: Path | None) -> "Extraction":
    """Extract the page of a case. Profiles of the environment do not count: the case has its own."""
    import os

    from tamis.api import extract
    from tamis.sites.rules import ENVIRONMENT

    saved = os.environ.pop(ENVIRONMENT, None)
    try:
        return extract(
            html,
            values["url"],
            extractor=values["extractor"],
            encoding=values["encoding"],
            profile=profile,
            include=values.get("include", ()),
            exclude=values.get("exclude", ()),
        )
    finally:
        if saved is not None:
            os.environ[ENVIRONMENT] = saved


@dataclass(frozen=True, slots=True)
class _Change:
    """A run of tokens that was replaced, with the words before and after it."""

    before: list[str]
    removed: list[str]
    added: list[str]
    after: list[str]

    def __str__(self) -> str:
        parts = [*self.before]
        if self.removed:
            parts.append(f"[-{_join(self.removed)}-]")
        if self.added:
            parts.append(f"{{+{_join(self.added)}+}}")
        return f"… {_join([*parts, *self.after])} …"


def _join(tokens: list[str]) -> str:
    return " ".join("¶" if token.startswith("\n") else token for token in tokens)


def word_diff(before: str, after: str) -> Iterator[str]:
    """Yield a line for each difference between two texts, as ``git diff --word-diff`` writes it.

    Lines are compared first, and the words of changed lines then, so that long texts stay cheap.

    >>> list(word_diff("Boil the water.", "Boil the milk."))
    ['… Boil the [-water.-] {+milk.+} …']
    """
    old_lines, new_lines = before.splitlines(keepends=True), after.splitlines(keepends=True)
    for tag, a, b, c, d in SequenceMatcher(None, old_lines, new_lines, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        old, new = (_TOKEN.findall("".join(lines)) for lines in (old_lines[a:b], new_lines[c:d]))
        if len(old) + len(new) > _MAX_WORDS:
            yield f"{len(old)} words became {len(new)}"
            continue
        changes = list(_changes(old, new))
        # White space alone: no word differs.
        yield from map(str, changes) if changes else ["white space changed"]


def _changes(old: list[str], new: list[str]) -> Iterator[_Change]:
    for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            yield _Change(old[max(0, a - _CONTEXT) : a], old[a:b], new[c:d], old[b : b + _CONTEXT])


pin = make_command(
    _pin,
    "pin",
    examples=(
        "tamis pin page.html -o cases/",
        "tamis check cases/",
    ),
)
check = make_command(
    _check,
    "check",
    examples=(
        "tamis check cases/",
        "tamis check rules/example.org.toml",
    ),
)
