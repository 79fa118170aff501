r"""The interface of html2text: a whole page as Markdown.

>>> html2text("<h1>Tea</h1><p>Boil <b>soft</b> water, <a href='/wait'>wait</a>.", "https://example.org/")
'# Tea\n\nBoil **soft** water, [wait](https://example.org/wait).\n\n'
"""

from tamis.api import extract
from tamis.compat.unsupported import warn_ignored

__all__ = ["HTML2Text", "html2text"]


class HTML2Text:
    r"""Converts pages to Markdown, with the most used settings of html2text's class of this name.

    Attributes:
        baseurl: the URL that links are resolved against.
        body_width: lines are not wrapped; any width but 0 is a warning.
        ignore_links: write the text of links alone.
        ignore_images: write no images.
        ignore_tables: write no tables.
        single_line_break: end blocks with one line break.

    >>> writer = HTML2Text()
    >>> writer.ignore_links = True
    >>> writer.handle("<p>Boil, then <a href='/wait'>wait</a>.")
    'Boil, then wait.\n\n'
    """

    def __init__(self, out: object = None, baseurl: str = "", bodywidth: int | None = None) -> None:
        warn_ignored("html2text", out=out)
        self.baseurl = baseurl
        self.body_width = bodywidth or 0
        self.ignore_links = False
        self.ignore_images = False
        self.ignore_tables = False
        self.single_line_break = False

    def handle(self, data: str) -> str:
        """Return a page as Markdown; without text, two line ends."""
        if not isinstance(data, str):
            raise TypeError(f"html2text takes str, not {type(data).__name__}; decode bytes first")
        warn_ignored("html2text", bodywidth=self.body_width)
        if not data.strip():
            return "\n\n"
        markdown = (
            extract(data, self.baseurl or None, extractor="body")
            .render(
                "markdown",
                links=not self.ignore_links,
                images=not self.ignore_images,
                tables=not self.ignore_tables,
                title=False,
            )
            .text
        )
        if self.single_line_break:
            markdown = markdown.replace("\n\n", "\n")
        return markdown + "\n\n"


def html2text(html: str, baseurl: str = "", bodywidth: int | None = None) -> str:
    """Return a whole page as Markdown.

    Args:
        html: the page.
        baseurl: the URL that links are resolved against.
        bodywidth: lines are not wrapped; any width but 0 is a warning.
    """
    return HTML2Text(None, baseurl, bodywidth).handle(html)
