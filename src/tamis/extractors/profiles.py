"""Site profiles: small files of learned weights for one site, each loaded as an extractor.

``tamis train ridge --site`` and ``tamis train sst`` write them.
"""

from pathlib import Path

from tamis.errors import OptionError
from tamis.extractors.base import Extractor
from tamis.model.weights import load_weights


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
    weights = load_weights(Path(path))
    if weights.method == "ridge":
        from tamis.extractors.ridge import Ridge  # noqa: PLC0415 (only the requested method)

        return Ridge.from_weights(weights)
    if weights.method == "sst":
        from tamis.extractors.baselines.sst import Sst  # noqa: PLC0415 (likewise)

        return Sst.from_weights(weights)
    raise OptionError(f"{path} has weights for {weights.method!r}; a profile is for ridge or sst")
