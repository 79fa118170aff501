"""Several pages in one output: how each format separates and names them."""

from html import escape
from typing import TYPE_CHECKING

from tamis.cli.output import Destination

if TYPE_CHECKING:
    from tamis.api import Extraction

# ruff: noqa: PLC0415 (writers load where they are used, not for --help)


class Bundle:
    """Pages one after the other, each below a line with its name, as ``head`` prints files."""

    def __init__(self, destination: Destination) -> None:
        self.destination, self.count = destination, 0

    def add(self, name: str, extraction: "Extraction", text: str) -> None:
        """Write a page."""
        self.destination.write(("\n" if self.count else "") + self.framed(name, extraction, text))
        self.count += 1

    def framed(self, name: str, _extraction: "Extraction", text: str) -> str:
        """Return a page with its name."""
        return f"==> {name} <==\n{text}"

    def close(self) -> None:
        """Write what follows the last page."""


class MarkdownBundle(Bundle):
    """Pages after a comment with their name, a rule between them."""

    def framed(self, name: str, _extraction: "Extraction", text: str) -> str:
        """Return a page with its name."""
        return ("---\n\n" if self.count else "") + f"<!-- {_comment(name)} -->\n\n{text}"


class HtmlBundle(Bundle):
    """An ``article`` per page, with its name, its URL, and its metadata as microdata if the options ask for it."""

    def framed(self, name: str, extraction: "Extraction", text: str) -> str:
        """Return a page in its element."""
        data = f' data-source="{escape(name)}"' + (f' data-url="{escape(extraction.url)}"' if extraction.url else "")
        if not extraction.render_options.with_metadata:
            return f"<article{data}>{text.strip()}</article>\n"
        from tamis.render.front_matter import shown_fields

        values = [
            f'<meta itemprop="{field}" content="{escape(str(item))}">'
            for field, value in shown_fields(extraction.metadata).items()
            for item in (value if isinstance(value, list) else [value])
        ]
        body = extraction.render("html", with_metadata=False).text
        return f"<article itemscope{data}>{''.join(values)}{body}</article>\n"


class XmlBundle(Bundle):
    """A ``teiCorpus`` with a ``TEI`` per page; ``n`` is its name."""

    _ROOT = '<TEI xmlns="http://www.tei-c.org/ns/1.0">'

    def framed(self, name: str, _extraction: "Extraction", text: str) -> str:
        """Return a page without its XML declaration; the first one after the header of the corpus."""
        from tamis.metadata.fields import Metadata
        from tamis.render.front_matter import tei_header

        start = ""
        if not self.count:
            header = tei_header(Metadata(title="Web pages"))
            start = (
                f'<?xml version="1.0" encoding="UTF-8"?>\n<teiCorpus xmlns="http://www.tei-c.org/ns/1.0">{header}\n'
            )
        return start + f'<TEI n="{escape(name)}">' + text.partition(self._ROOT)[2]

    def close(self) -> None:
        """End the corpus."""
        if self.count:
            self.destination.write("</teiCorpus>\n")


BUNDLES = {"markdown": MarkdownBundle, "html": HtmlBundle, "xml": XmlBundle}


def _comment(name: str) -> str:
    """Return a name without what ends a comment."""
    return name.replace("--", "- -").replace(">", "")
