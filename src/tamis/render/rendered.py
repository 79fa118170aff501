"""`Rendered`: an output, with the position of each part of the document in it."""

from dataclasses import dataclass

from tamis.document.parts import Part


@dataclass(frozen=True, slots=True, eq=False)
class Rendered:
    """An output and the range of each part of the document in it: ``text[slice(*spans[part])]``."""

    text: str
    spans: dict[Part, tuple[int, int]]

    def text_of(self, part: Part) -> str:
        """Return the text of a part in this output; an empty string if the part was left out."""
        start, stop = self.spans.get(part, (0, 0))
        return self.text[start:stop]
