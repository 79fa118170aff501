"""The state of an unfinished run, in a file beside its output: which pages have rows, and where the output ends."""

import hashlib
import json
import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from tamis.errors import OptionError

_VERSION: Final = 2


class DoneNumbers:
    """The numbers of the pages that have rows: all below one, and some above it where the order is free.

    >>> done = DoneNumbers()
    >>> for number in (0, 1, 5, 6, 9):
    ...     done.add(number)
    >>> done.as_json()
    {'below': 2, 'ranges': [[5, 7], [9, 10]]}
    >>> 6 in DoneNumbers.from_json(done.as_json()), 4 in done
    (True, False)
    """

    def __init__(self, below: int = 0, above: Iterable[int] = ()) -> None:
        self._below, self._above = below, set(above)

    def add(self, number: int) -> None:
        """Add a number."""
        if number != self._below:
            self._above.add(number)
            return
        self._below += 1
        while self._below in self._above:
            self._above.remove(self._below)
            self._below += 1

    def __contains__(self, number: int) -> bool:
        return number < self._below or number in self._above

    def as_json(self) -> dict[str, Any]:
        """Return the numbers as JSON."""
        ranges: list[list[int]] = []
        for number in sorted(self._above):
            if ranges and ranges[-1][1] == number:
                ranges[-1][1] += 1
            else:
                ranges.append([number, number + 1])
        return {"below": self._below, "ranges": ranges}

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> "DoneNumbers":
        """Return the numbers that `as_json` wrote."""
        return cls(values["below"], (number for start, end in values["ranges"] for number in range(start, end)))


class StateFile:
    """The file of a state. It is replaced as a whole, never half written.

    Attributes:
        sites: a folder beside it for the profiles of a site-aware batch.
    """

    def __init__(self, output: Path, settings: tuple[Any, ...]) -> None:
        self._path = output.with_name(output.name + ".state")
        self.sites = output.with_name(output.name + ".sites")
        self._fingerprint = hashlib.sha256(repr(settings).encode()).hexdigest()

    def load(self, *, resume: bool, overwrite: bool) -> dict[str, Any] | None:
        """Return the state to go on from; None to begin.

        Raises:
            OptionError: there is a state that cannot be resumed, or that was not asked for.
        """
        if not self._path.exists() or overwrite:
            shutil.rmtree(self.sites, ignore_errors=True)  # of other pages, perhaps
            return None
        if not resume:
            raise OptionError(f"{self._path} is of an interrupted run: give --resume to go on, or --overwrite")
        try:
            saved: dict[str, Any] = json.loads(self._path.read_text("utf-8"))
        except (ValueError, OSError) as error:
            raise OptionError(f"{self._path} cannot be read: {error}; give --overwrite to begin anew") from error
        if saved.get("version") != _VERSION or saved.get("fingerprint") != self._fingerprint:
            raise OptionError(
                f"{self._path} is of a run with other sources or options; give --overwrite to begin anew"
            )
        return saved

    def save(self, values: dict[str, Any]) -> None:
        """Replace the state."""
        content = {"version": _VERSION, "fingerprint": self._fingerprint, **values}
        partial = self._path.with_name(self._path.name + ".partial")
        with partial.open("w", encoding="utf-8") as file:
            json.dump(content, file)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(self._path)

    def remove(self) -> None:
        """Remove the state: the run is finished."""
        self._path.unlink(missing_ok=True)
        shutil.rmtree(self.sites, ignore_errors=True)
