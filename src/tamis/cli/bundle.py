"""Several pages in one output: how each format separates and names them."""

from html import escape
from typing import TYPE_CHECKING, ClassVar, Final

if TYPE_CHECKING:
    from tamis.api import Extraction

# ruff: noqa: PLC0415 (writers load where they are used, not for --help)


class Bundle:
    """Pages one after the other, each below a line with its name, as ``head`` prints files.

    Attributes:
        separator: what is written between two pages.
        end: what is written after the last page.
    """

    separator: ClassVar[str] = "\n"
    end: ClassVar[str] = ""

    @staticmethod
    def start() -> str:
        """Return what is written before the first page."""
        return ""

    @staticmethod
    def framed(name: str, extraction: "Extraction", text: str) -> str:  # noqa: ARG004 (other formats need it)
        """Return a page with its name."""
        return f"==> {name} <==\n{text}"


class MarkdownBundle(Bundle):
    """Pages after a comment with their name, a rule between them."""

    separator = "\n---\n\n"

    @staticmethod
    def framed(name: str, extraction: "Extraction", text: str) -> str:  # noqa: ARG004 (other formats need it)
        """Return a page with its name."""
        return f"<!-- {_comment(name)} -->\n\n{text}"


class HtmlBundle(Bundle):
    """An ``article`` per page, with its name, its URL, and its metadata as microdata if the options ask for it."""

    @staticmethod
    def framed(name: str, extraction: "Extraction", text: str) -> str:
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

    end = "</teiCorpus>\n"

    @staticmethod
    def start() -> str:
        """Return the header of the corpus."""
        from tamis.metadata.fields import Metadata
        from tamis.render.front_matter import tei_header

        header = tei_header(Metadata(title="Web pages"))
        return f'<?xml version="1.0" encoding="UTF-8"?>\n<teiCorpus xmlns="{_TEI}">{header}\n'

    @staticmethod
    def framed(name: str, extraction: "Extraction", text: str) -> str:  # noqa: ARG004 (other formats need it)
        """Return a page without its XML declaration."""
        return f'<TEI n="{escape(name)}">' + text.partition(f'<TEI xmlns="{_TEI}">')[2]


_TEI: Final = "http://www.tei-c.org/ns/1.0"
_BUNDLES: Final = {"markdown": MarkdownBundle, "html": HtmlBundle, "xml": XmlBundle}


def bundle_for(format_name: str) -> Bundle:
    """Return how a format separates and names pages."""
    return _BUNDLES.get(format_name, Bundle)()


def _comment(name: str) -> str:
    """Return a name without what ends a comment."""
    return name.replace("--", "- -").replace(">", "")
