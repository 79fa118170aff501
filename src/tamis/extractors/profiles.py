"""Site profiles: small files of what was learned about one site, each loaded as an extractor.

``tamis learn``, ``tamis train ridge --site`` and ``tamis train sst`` write them. A file names its kind. A folder of
profiles has one file per host: ``example.org.json``.
"""

import json
import re
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Final

from tamis.errors import OptionError
from tamis.extractors import registry
from tamis.extractors.base import Extractor
from tamis.extractors.sift import Sift
from tamis.model.weights import Weights, from_json
from tamis.sites.profile import FORMAT, SiteProfile

#: Hosts that can be the name of a file.
_HOST: Final = re.compile(r"\w[\w.-]{0,200}")


def load_profile(path: Path | str) -> Extractor:
    """Return the extractor that a profile file describes.

    >>> from tempfile import TemporaryDirectory
    >>> from tamis.model.weights import Weights, save_weights
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
        from tamis.extractors.ridge import Ridge  # noqa: PLC0415 (only the requested method)

        return Ridge.from_weights(weights)
    if weights.method == "sst":
        from tamis.extractors.baselines.sst import Sst  # noqa: PLC0415 (likewise)

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
