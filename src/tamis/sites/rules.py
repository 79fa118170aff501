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
from dataclasses import replace
from fnmatch import fnmatchcase, translate
from functools import lru_cache
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

from tamis.errors import OptionError
from tamis.extractors import registry
from tamis.extractors.registry import Extractor
from tamis.extractors.weights import Weights, from_json
from tamis.html.text import hostname, split_url
from tamis.lazy import dataclass
from tamis.page import Page
from tamis.page.selectors import read_selectors
from tamis.sift.extractor import Sift
from tamis.sift.site import FORMAT, SiteProfile

# Site profiles: small files of what was learned about one site, each loaded as an extractor.
#
# ``tamis learn``, ``tamis train ridge --site`` and ``tamis train sst`` write them. A file names its kind. A folder of
# profiles has one file per host: ``example.org.json``.

#: Whether the rules of the package are used, or a folder of others that have precedence over them.
Rules = bool | str | Path
#: A folder of rules that is used where none is given.
RULES_ENVIRONMENT: Final = "TAMIS_RULES"
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
def _shipped_names() -> tuple[str, ...]:
    """Return what URLs contain that a rule is for, in lower case. A pattern takes ten times as long to search."""
    return tuple({host.removeprefix("*").lower() for rule in _shipped() for host in rule.hosts})


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
    given = os.environ.get(RULES_ENVIRONMENT) if isinstance(rules, bool) else rules
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
    known = _own_rules(rules)
    if not known:
        urls = "\n".join(_urls(page, url)).lower()
        if not urls or not any(name in urls for name in _shipped_names()):  # as on most pages
            return None
    parts = split_url(page_url(page, url))
    if parts is None or not parts.hostname:
        return None
    host = normalize_host(parts.hostname)
    if _shipped_hosts().match(host):
        known += _shipped()
    return next((rule for rule in known if rule.matches(host, parts.path or "/")), None)


#: What was learned about a site: a file, a folder of files that are named for hosts, or the profile itself.
Profile = str | Path | SiteProfile
#: Hosts that can be the name of a file.
_HOST: Final = re.compile(r"\w[\w.-]{0,200}")


def load_profile(path: Path | str) -> Extractor:
    """Return the extractor that a profile file describes.

    >>> from tempfile import TemporaryDirectory
    >>> from tamis.extractors.weights import Weights, save_weights
    >>> with TemporaryDirectory() as folder:
    ...     save_weights(Path(folder) / "site.json", Weights("sst", {"noisy": ["2a"], "pages": 3}))
    ...     load_profile(Path(folder) / "site.json")
    Sst(noisy=frozenset({42}), pages=3)

    Raises:
        OptionError: the file is not a profile.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise OptionError(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from error
    except UnicodeDecodeError as error:
        raise OptionError(f"{path} is not text: {error.reason}") from error
    content = _site_content(text)
    if content is not None:
        return with_site(SiteProfile.from_json(content, str(path)))
    return _from_weights(from_json(text, str(path)), path)


def _site_content(text: str) -> dict[str, object] | None:
    """Return the object of a file that names itself a site profile."""
    try:
        content = json.loads(text)
    except ValueError:
        return None
    is_site = isinstance(content, dict) and str(content.get("format", "")).startswith(FORMAT.rstrip("0123456789"))
    return content if is_site else None


def with_site(profile: SiteProfile) -> Extractor:
    """Return the extractor of a site profile: the one that it was learned with."""
    method = registry.get(profile.extractor)
    if not isinstance(method, Sift):
        raise OptionError(f"a site profile is for sift, not for {profile.extractor}")
    return replace(method, site=profile)


def _from_weights(weights: Weights, path: Path | str) -> Extractor:
    if weights.method == "ridge":
        from tamis.papers.ridge import Ridge  # noqa: PLC0415 (only the requested method)

        return Ridge.from_weights(weights)
    if weights.method == "sst":
        from tamis.papers.baselines.sst import Sst  # noqa: PLC0415 (likewise)

        return Sst.from_weights(weights)
    raise OptionError(f"{path} has weights for {weights.method!r}; a profile is for ridge or sst")


def is_file_name(host: str) -> bool:
    """Tell whether a host can be the name of a file in a folder of profiles.

    >>> is_file_name("example.org"), is_file_name("../etc"), is_file_name("")
    (True, False, False)
    """
    return _HOST.fullmatch(host) is not None


def find_profile(folder: Path, host: str) -> Extractor | None:
    """Return the extractor of the profile of a host in a folder, or None if there is none.

    A file is read again only after it has changed.
    """
    if not is_file_name(host):
        return None
    path = folder / f"{host.removeprefix('www.')}.json"
    try:
        status = path.stat()
    except OSError:
        return None
    return _load_version(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=64)
def _load_version(path: Path, _mtime: int, _size: int) -> Extractor:
    return load_profile(path)


# Profiles of sites in `tamis.extract`: which one is used for a page, and when it is left out.

#: A folder of profiles that is used where none is given.
ENVIRONMENT: Final = "TAMIS_PROFILES"


def with_profile(method: Extractor, profile: Profile, host: str | None) -> Extractor:
    """Return the extractor of a profile, or the given one if a folder has no profile for the host.

    Raises:
        OptionError: the profile is of another extractor than the one that was chosen (other than the default), or the
            file cannot be read.
    """
    found: Extractor | None
    if isinstance(profile, SiteProfile):
        found = with_site(profile)
    elif Path(profile).is_dir():
        found = find_profile(Path(profile), host or "")
    else:
        found = load_profile(profile)
    if found is None:
        return method
    if found.name == method.name and isinstance(found, Sift):
        return replace(method, site=found.site) if isinstance(method, Sift) else found
    if method.name not in {found.name, registry.DEFAULT}:
        raise OptionError(f"{_name(profile)} is a profile of {found.name}, not of {method.name}")
    return found


def _name(profile: Profile) -> str:
    return f"the profile of {profile.host}" if isinstance(profile, SiteProfile) else str(profile)


def for_page(method: Extractor, profile: Profile | None, page: Page, url: str | None) -> tuple[Extractor, str | None]:
    """Return the extractor for a page, and a warning if the profile is of another host.

    Without a profile, the folder that the environment names is searched for one. It is used only with the extractor
    that it was learned with.
    """
    host = None
    if profile is None:
        folder = os.environ.get(ENVIRONMENT)
        if not folder:
            return method, None
        host = page_host(page, url)
        found = find_profile(Path(folder), host)
        if found is None or method.name not in {found.name, registry.DEFAULT}:
            return method, None
        profile = folder
    host = page_host(page, url) if host is None else host
    method = with_profile(method, profile, host)
    site_host = normalize_host(method.site.host) if isinstance(method, Sift) and method.site is not None else ""
    if isinstance(method, Sift) and method.site is not None and host and site_host not in {"", host}:
        reason = f"the page is of {host}, and the profile of {method.site.host}; the profile was not used"
        return replace(method, site=None), reason
    return method, None


def normalize_host(host: str) -> str:
    """Return a host, or the host of a URL, as profiles name it: in lower case and ASCII, without ``www.`` and port.

    >>> normalize_host("https://WWW.Example.org:8080/tea"), normalize_host("bücher.example."), normalize_host("")
    ('example.org', 'xn--bcher-kva.example', '')
    """
    host = host.strip().lower()
    host = (hostname(host if "://" in host else f"//{host}") or host).rstrip(".").removeprefix("www.")
    if host.isascii():
        return host
    try:
        return host.encode("idna").decode("ascii")
    except UnicodeError:  # a label that is empty, too long or not allowed
        return host


def page_host(page: Page, url: str | None) -> str:
    """Return the host of a page without ``www.``: of its URL, else of the URL that it declares; empty if unknown.

    >>> from tamis.page import parse_page
    >>> page_host(parse_page('<link rel=canonical href="https://www.example.org/tea">'), None)
    'example.org'
    """
    return normalize_host(hostname(page_url(page, url)))


def page_url(page: Page, url: str | None) -> str | None:
    """Return the URL of a page, else the first one that it declares and that has a host."""
    return next(filter(hostname, _urls(page, url)), None)


def _urls(page: Page, url: str | None) -> list[str]:
    """Return the URL of a page, and those that it declares."""
    found = [(-1, url), *((meta.row, meta.content) for meta in page.metas if meta.property == "og:url")]
    found += [(row, href) for row, rel, href in page.link_elements if rel and "canonical" in rel.lower().split()]
    return [each for _, each in sorted(found, key=itemgetter(0)) if each]
