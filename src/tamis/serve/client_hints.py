"""What a client can bear: text alone, or pictures too. The server asks for the hints with ``Accept-CH``."""

from collections.abc import Mapping
from typing import Final

#: Client hints that decide: the data saver, the effective connection type, the bandwidth in Mbit/s.
HINTS: Final = ("Save-Data", "ECT", "Downlink")
_SLOW: Final = frozenset({"slow-2g", "2g", "3g"})
#: Mbit/s. The Network Information draft calls a connection 3g up to 0.7.
_THIN: Final = 0.7
MEDIA: Final = ("auto", "full", "text")


def wants_text(headers: Mapping[str, str], media: str = "auto") -> bool:
    """Whether a client gets text alone: because it says so, or because of its connection.

    >>> wants_text({"Save-Data": "on"}), wants_text({"ECT": "4g", "Downlink": "10"}), wants_text({}, "text")
    (True, False, True)
    >>> wants_text({"Save-Data": "on"}, "full")
    False
    """
    if media != "auto":
        return media == "text"
    if headers.get("Save-Data", "").strip().lower() == "on":
        return True
    if headers.get("ECT", "").strip().lower() in _SLOW:
        return True
    try:
        return 0 <= float(headers.get("Downlink", "")) <= _THIN
    except ValueError:
        return False
