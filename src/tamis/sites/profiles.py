"""Site profiles: small files of what was learned about one site, each loaded as an extractor.

``tamis learn``, ``tamis train ridge --site`` and ``tamis train sst`` write them. A file names its kind. A folder of
profiles has one file per host: ``example.org.json``.
"""

import json
import os
import re
from dataclasses import replace
from functools import lru_cache
from operator import itemgetter
from pathlib import Path
from typing import Final

from tamis.errors import OptionError
from tamis.extractors import registry
from tamis.extractors.base import Extractor
from tamis.extractors.weights import Weights, from_json
from tamis.html.urls import hostname
from tamis.page import Page
from tamis.sift.extractor import Sift
from tamis.sift.site import FORMAT, SiteProfile

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
        raise OptionError(f"cannot read {path}: {error.strerror}") from error
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
    if hostname(url):
        return url
    found = [(row, href) for row, rel, href in page.link_elements if rel and "canonical" in rel.lower().split()]
    found += [(meta.row, meta.content) for meta in page.metas if meta.property == "og:url"]
    return next((each for _, each in sorted(found, key=itemgetter(0)) if hostname(each)), None)
