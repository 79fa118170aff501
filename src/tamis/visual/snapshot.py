"""What a browser answers about a document, before it is matched with the rows of a page."""

import base64
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tamis.page.layout import COLUMNS


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """A browser's document in document order, as ``collect.js`` reads it: not yet matched with a page's rows.

    Attributes:
        node_type: as in a `Page`.
        tag: an index into `names`, for elements.
        length: of text runs, in UTF-16 units.
        columns: those of `Layout`.
        names: of elements.
        html: the document as the browser writes it, each element with its number in an attribute, where asked for.
        url: where the browser ended.
        width: of the page.
        height: likewise.
    """

    node_type: npt.NDArray[np.uint8]
    tag: npt.NDArray[np.uint32]
    length: npt.NDArray[np.uint32]
    columns: dict[str, npt.NDArray[Any]]
    names: list[str]
    html: str | None
    url: str
    width: int
    height: int

    @classmethod
    def unpack(cls, answer: dict[str, Any]) -> "Snapshot":
        """Return what the browser answered."""

        def column(name: str, kind: Any) -> npt.NDArray[Any]:  # noqa: ANN401 (a NumPy type)
            return np.frombuffer(base64.b64decode(answer[name]), dtype=kind)

        corners = column("box", np.float32).reshape(-1, 4)
        columns = {name: corners[:, place] for place, name in enumerate(("left", "top", "right", "bottom"))}
        for name in ("visibility", "size", "weight", "colour", "inline"):
            columns[name] = column(name, COLUMNS[name])
        columns["background"] = column("ground", np.uint32)
        return cls(
            column("kind", np.uint8),
            column("tag", np.uint32),
            column("length", np.uint32),
            columns,
            answer["names"],
            answer["html"],
            answer["url"],
            int(answer["width"]),
            int(answer["height"]),
        )
