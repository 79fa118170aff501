"""Client hints: whether a client gets text only, or images too. The server asks for the hints with ``Accept-CH``."""

from collections.abc import Mapping
from typing import Final

#: The hints that are read: data saver, effective connection type, bandwidth in Mbit/s.
HINTS: Final = ("Save-Data", "ECT", "Downlink")
_SLOW_TYPES: Final = frozenset({"slow-2g", "2g", "3g"})
#: Mbit/s. The Network Information draft calls a connection 3g up to 0.7.
_SLOW_DOWNLINK: Final = 0.7
MEDIA_CHOICES: Final = ("auto", "full", "text")


def prefers_text_only(headers: Mapping[str, str], media: str = "auto") -> bool:
    """Return whether a client gets text only, by its choice of `media` or, for ``auto``, by its hints.

    >>> prefers_text_only({"Save-Data": "on"}), prefers_text_only({"ECT": "4g", "Downlink": "10"})
    (True, False)
    >>> prefers_text_only({}, "text"), prefers_text_only({"Save-Data": "on"}, "full")
    (True, False)
    """
    if media != "auto":
        return media == "text"
    if headers.get("Save-Data", "").strip().lower() == "on":
        return True
    if headers.get("ECT", "").strip().lower() in _SLOW_TYPES:
        return True
    try:
        return 0 <= float(headers.get("Downlink", "")) <= _SLOW_DOWNLINK
    except ValueError:
        return False
