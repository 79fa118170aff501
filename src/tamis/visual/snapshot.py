"""`Snapshot`: the browser's document as ``collect.js`` returns it, not yet matched with the rows of a page."""

import base64
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tamis.page.layout import LAYOUT_COLUMNS


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """The nodes of the browser's document, in document order.

    Attributes:
        node_type: as in a `Page`.
        tag: for elements, an index into `names`.
        length: for text runs, the length in UTF-16 code units.
        columns: the columns of `Layout`, one entry per node.
        names: tag names.
        html: the document as the browser serializes it, with each element's number in an attribute, if requested.
        url: the final URL.
        width: width of the document in CSS pixels.
        height: height of the document in CSS pixels.
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
    def from_packed(cls, packed: dict[str, Any]) -> "Snapshot":
        """Decode the value that ``collect.js`` returns."""

        def column(name: str, dtype: Any) -> npt.NDArray[Any]:  # noqa: ANN401 (a NumPy type)
            return np.frombuffer(base64.b64decode(packed[name]), dtype=dtype)

        return cls(
            node_type=column("node_type", np.uint8),
            tag=column("tag", np.uint32),
            length=column("length", np.uint32),
            columns={name: column(name, dtype) for name, dtype in LAYOUT_COLUMNS.items()},
            names=packed["names"],
            html=packed["html"],
            url=packed["url"],
            width=int(packed["width"]),
            height=int(packed["height"]),
        )
