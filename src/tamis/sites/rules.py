"""Rules of known sites, as data: where the content, the posts and their parts are, by host and path.

A rule is a TOML file. It is evidence for pages on which general evidence does not suffice, not an extractor: where
its selectors find nothing, it steps aside with a warning. ``sites/known`` has those that come with the package; a
folder of one's own (the option ``rules``, or ``TAMIS_RULES``) has precedence.

    name = "Hacker News"
    hosts = ["news.ycombinator.com"]
    paths = ["/item*"]              # optional; any path without it
    content = [".comment-tree"]     # CSS selectors
    exclude = [".reply"]
    title = ".titleline > a"
    pages = ["https://news.ycombinator.com/item?id=1"]

    [posts]
    post = "tr.comtr"
    author = ".hnuser"
    date = ".age"
    body = ".commtext"
"""

import json
import os
import re
from fnmatch import fnmatchcase, translate
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from tamis.errors import OptionError
from tamis.html.urls import split_url
from tamis.lazy import dataclass
from tamis.page import Page
from tamis.page.restrict import read_selectors
from tamis.sites.profiles import normalize_host, page_url

#: Whether the rules of the package are used, or a folder of others that have precedence over them.
Rules = bool | str | Path
#: A folder of rules that is used where none is given.
ENVIRONMENT: Final = "TAMIS_RULES"
_TEXTS: Final = frozenset({"name", "title"})
_LISTS: Final = frozenset({"hosts", "paths", "content", "exclude", "pages"})
_ANY_PATH: Final = ("*",)
_POST_PARTS: Final = frozenset({"post", "author", "date", "body"})


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule; the module's docstring shows its file.

    Attributes:
        hosts: patterns of hosts without ``www.``.
        paths: patterns of paths.
        content: selectors of what is content.
        exclude: selectors of what is not.
        post, author, date, body: selectors of posts, and of their parts.
        pages: URLs or files of pages to try the rule on.
    """

    name: str
    hosts: tuple[str, ...]
    paths: tuple[str, ...] = _ANY_PATH
    content: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    title: str = ""
    post: str = ""
    author: str = ""
    date: str = ""
    body: str = ""
    pages: tuple[str, ...] = ()

    def matches(self, host: str, path: str) -> bool:
        """Tell whether the rule is for a page of a host.

        >>> rule = Rule("Tea", ("*.example.org", "example.org"), ("/t/*",))
        >>> rule.matches("forum.example.org", "/t/1"), rule.matches("example.org", "/about")
        (True, False)
        """
        return any(fnmatchcase(host, each) for each in self.hosts) and any(fnmatchcase(path, p) for p in self.paths)


def read_rule(text: str, name: str = "the rule") -> Rule:
    r"""Return the rule that a TOML file has.

    >>> read_rule('name = "Tea"\nhosts = ["tea.example"]\ncontent = ["main"]').content
    ('main',)

    Raises:
        OptionError: it is not TOML, lacks a name or hosts, or has an unknown key or an invalid selector.
    """
    import tomllib  # noqa: PLC0415 (a page without a URL needs no rules)

    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise OptionError(f"{name} is not TOML: {error}") from error
    posts = values.pop("posts", {})
    unknown = sorted({*values} - _TEXTS - _LISTS | ({*posts} - _POST_PARTS if isinstance(posts, dict) else {"posts"}))
    if unknown:
        raise OptionError(f"{name} has an unknown key: {unknown[0]}")
    if not values.get("name") or not values.get("hosts") or not (values.get("content") or posts.get("post")):
        raise OptionError(f"{name} needs a name, hosts, and selectors of content or of posts")
    fields: dict[str, Any] = {key: str(value) for key, value in {**values, **posts}.items() if key not in _LISTS}
    for key in _LISTS & set(values):
        if not isinstance(values[key], list) or not all(isinstance(each, str) for each in values[key]):
            raise OptionError(f"{name}: {key} must be a list of strings")
        fields[key] = tuple(values[key])
    for key in ("content", "exclude", "title", "post", "author", "date", "body"):
        if fields.get(key):
            read_selectors(fields[key], f"{key} of {name}")
    return Rule(**fields)


def format_rule(rule: Rule) -> str:
    """Return a rule as the TOML that `read_rule` reads.

    >>> rule = Rule("Tea", ("tea.example",), content=("main",), post=".post", author=".by")
    >>> print(format_rule(rule))
    name = "Tea"
    hosts = ["tea.example"]
    content = ["main"]
    <BLANKLINE>
    [posts]
    post = ".post"
    author = ".by"
    <BLANKLINE>
    >>> read_rule(format_rule(rule)) == rule
    True
    """
    # A string of JSON is one of TOML, unless it has a DEL.
    values = {
        name: getattr(rule, name) for name in ("name", "hosts", "paths", "content", "exclude", "title", "pages")
    }
    posts = {name: getattr(rule, name) for name in ("post", "author", "date", "body")}
    if rule.paths == _ANY_PATH:
        del values["paths"]
    lines = [f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in values.items() if value]
    lines += ["", "[posts]"] if rule.post else []
    lines += [f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in posts.items() if value]
    return "\n".join(lines) + "\n"


@lru_cache(maxsize=8)
def _shipped() -> tuple[Rule, ...]:
    paths = sorted(Path(__file__).with_name("known").glob("*.toml"))
    return tuple(read_rule(path.read_text("utf-8"), path.name) for path in paths)


@lru_cache(maxsize=1)
def _shipped_hosts() -> re.Pattern[str]:
    """Return one pattern of all hosts that the rules of the package are for: few pages are of one."""
    return re.compile("|".join(translate(host) for rule in _shipped() for host in rule.hosts))


@lru_cache(maxsize=1)
def _shipped_names() -> re.Pattern[str]:
    """Return a pattern of what stands in every URL that a rule of the package is for."""
    hosts = {host.removeprefix("*") for rule in _shipped() for host in rule.hosts}
    return re.compile("|".join(map(re.escape, sorted(hosts))), re.IGNORECASE)


@lru_cache(maxsize=64)
def _version(path: Path, _mtime: int) -> Rule:
    return read_rule(path.read_text("utf-8"), str(path))


def load_rules(rules: Rules) -> tuple[Rule, ...]:
    """Return the rules of a folder, or one file, before those of the package; none if `rules` is false.

    Raises:
        OptionError: the folder does not exist, or a rule is invalid.
    """
    return () if rules is False else (*_own_rules(rules), *_shipped())


def _own_rules(rules: Rules) -> tuple[Rule, ...]:
    given = os.environ.get(ENVIRONMENT) if isinstance(rules, bool) else rules
    if not given:
        return ()
    path = Path(given)
    if not path.exists():
        raise OptionError(f"not a directory or file of rules: {path}")
    own = sorted(path.glob("*.toml")) if path.is_dir() else [path]
    return tuple(_version(each, each.stat().st_mtime_ns) for each in own)


def find_rule(page: Page, url: str | None, rules: Rules) -> Rule | None:
    """Return the first rule that is for a page, by its URL, else by the one that it declares."""
    if rules is False:
        return None
    known, found = _own_rules(rules), page_url(page, url)
    if found is None or not (known or _shipped_names().search(found)):
        return None
    parts = split_url(found)
    if parts is None or not parts.hostname:
        return None
    host = normalize_host(parts.hostname)
    if _shipped_hosts().match(host):
        known += _shipped()
    return next((rule for rule in known if rule.matches(host, parts.path or "/")), None)
