"""Profiles of sites in `tamis.extract`: which one is used for a page, and when it is left out."""

import os
from dataclasses import replace
from pathlib import Path
from typing import Final

from tamis.api.options import Options, Profile
from tamis.errors import OptionError
from tamis.extractors.base import Extractor
from tamis.extractors.profiles import find_profile, load_profile, with_site
from tamis.extractors.sift import Sift
from tamis.html.urls import hostname
from tamis.page import Page
from tamis.sites.profile import SiteProfile

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
    if method.name not in {found.name, Options().extractor}:
        raise OptionError(f"{_name(profile)} is a profile of {found.name}, not of {method.name}")
    return found


def _name(profile: Profile) -> str:
    return f"the profile of {profile.host}" if isinstance(profile, SiteProfile) else str(profile)


def resolve_for_page(options: Options, page: Page, url: str | None) -> tuple[Extractor, str | None]:
    """Return the extractor for a page, and a warning if the profile is of another host.

    Without a profile in the options, the folder that the environment names is searched for one. It is used only with
    the extractor that it was learned with.
    """
    if options.profile is None:
        options = _from_environment(options, page, url)
        if options.profile is None:
            return options.resolve(), None
    host = page_host(page, url)
    method = options.resolve(host)
    site_host = normalize_host(method.site.host) if isinstance(method, Sift) and method.site is not None else ""
    if isinstance(method, Sift) and method.site is not None and host and site_host not in {"", host}:
        reason = f"the page is of {host}, and the profile of {method.site.host}; the profile was not used"
        return replace(method, site=None), reason
    return method, None


def _from_environment(options: Options, page: Page, url: str | None) -> Options:
    folder = os.environ.get(ENVIRONMENT)
    if not folder:
        return options
    found = find_profile(Path(folder), page_host(page, url))
    if found is None or options.resolve().name not in {found.name, Options().extractor}:
        return options
    return options.replace(profile=folder)


def normalize_host(host: str) -> str:
    """Return a host, or the host of a URL, as profiles name it: in lower case and ASCII, without ``www.`` and port.

    >>> normalize_host("https://WWW.Example.org:8080/tea"), normalize_host("bücher.example."), normalize_host("")
    ('example.org', 'xn--bcher-kva.example', '')
    """
    host = host.strip().lower()
    host = (hostname(host if "://" in host else f"//{host}") or host).rstrip(".").removeprefix("www.")
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
    host = normalize_host(hostname(url))
    if host:
        return host
    for row in page.select("link[rel~='canonical' i][href],meta[property='og:url'][content]"):
        attributes = page.attributes(row)
        host = normalize_host(hostname(attributes.get("href") or attributes.get("content")))
        if host:
            return host
    return ""
