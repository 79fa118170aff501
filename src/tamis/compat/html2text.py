r"""The interface of html2text: a whole page as Markdown.

>>> html2text("<h1>Tea</h1><p>Boil <b>soft</b> water, <a href='/wait'>wait</a>.", "https://example.org/")
'# Tea\n\nBoil **soft** water, [wait](https://example.org/wait).\n\n'
"""

from dataclasses import replace
from itertools import chain
from typing import Any, Final

from tamis.api import extract
from tamis.compat.marked_text import Rewriter, WithoutEmphasis
from tamis.compat.markup import warn_ignored
from tamis.document.document import flatten
from tamis.document.parts import Figure, Image, Link, Paragraph, Part, Span, Table, Text
from tamis.render.markdown import render_markdown
from tamis.render.options import RenderOptions

__all__ = ["HTML2Text", "html2text"]

_BODY_WIDTH: Final = 78  # html2text's default; lines are not wrapped
#: The settings that have an effect, with html2text's defaults.
_SETTINGS: Final[dict[str, Any]] = {
    "ignore_links": False,
    "ignore_mailto_links": False,
    "skip_internal_links": True,
    "ignore_images": False,
    "images_to_alt": False,
    "default_image_alt": "",
    "ignore_emphasis": False,
    "ignore_tables": False,
    "single_line_break": False,
}
#: The settings that have no effect: html2text's default, then other values that describe what is written anyway.
_IGNORED: Final[dict[str, tuple[Any, ...]]] = {
    "unicode_snob": (False, True),
    "escape_snob": (False, True),
    "links_each_paragraph": (False, 0),
    "inline_links": (True,),
    "protect_links": (False,),
    "google_doc": (False,),
    "google_list_indent": (36,),
    "images_as_html": (False,),
    "images_with_size": (False,),
    "bypass_tables": (False,),
    "ul_item_mark": ("*", "-"),
    "emphasis_mark": ("_", "*"),
    "strong_mark": ("**",),
    "use_automatic_links": (True,),
    "hide_strikethrough": (False,),
    "mark_code": (False,),
    "backquote_code_style": (False, True),
    "wrap_list_items": (False,),
    "wrap_links": (True, False),
    "wrap_tables": (False,),
    "pad_tables": (False,),
    "tag_callback": (None,),
    "open_quote": ('"',),
    "close_quote": ('"',),
    "include_sup_sub": (False, True),
}


class HTML2Text:
    r"""Converts pages to Markdown, with the settings of html2text's class of this name as attributes.

    Any other setting of html2text is an attribute too; one that is set and has no effect is a warning.

    Attributes:
        baseurl: the URL that links are resolved against.
        body_width: lines are not wrapped; any width but 0 and the default is a warning.
        ignore_links: write the text of links alone.
        ignore_mailto_links: write the text of links to mail addresses alone.
        skip_internal_links: write the text of links within the page alone.
        ignore_images: write no images.
        images_to_alt: write the alternative texts of images alone.
        default_image_alt: the alternative text of images that have none.
        ignore_emphasis: write no marks of emphasis.
        ignore_tables: write the rows of tables as lines of text.
        single_line_break: end blocks with one line break.

    >>> writer = HTML2Text()
    >>> writer.ignore_links = True
    >>> writer.handle("<p>Boil, then <a href='/wait'>wait</a>.")
    'Boil, then wait.\n\n'
    """

    ignore_links: bool
    ignore_mailto_links: bool
    skip_internal_links: bool
    ignore_images: bool
    images_to_alt: bool
    default_image_alt: str
    ignore_emphasis: bool
    ignore_tables: bool
    single_line_break: bool

    def __init__(self, out: object = None, baseurl: str = "", bodywidth: int = _BODY_WIDTH) -> None:
        warn_ignored("html2text", out=out)
        self.baseurl = baseurl
        self.body_width = bodywidth
        for name, value in chain(_SETTINGS.items(), ((name, values[0]) for name, values in _IGNORED.items())):
            setattr(self, name, value)

    def handle(self, data: str) -> str:
        """Return a page as Markdown; without text, two line ends."""
        if not isinstance(data, str):
            raise TypeError(f"html2text takes str, not {type(data).__name__}; decode bytes first")
        warn_ignored(
            "html2text",
            bodywidth=self.body_width not in {0, _BODY_WIDTH, None},
            **{name: getattr(self, name) not in values for name, values in _IGNORED.items()},
        )
        if not data.strip():
            return "\n\n"
        document = _Settings(self).document(extract(data, self.baseurl or None, extractor="body").document)
        if self.ignore_emphasis:
            document = _WithoutStress().document(document)
        options = RenderOptions(links=not self.ignore_links, images=not self.ignore_images)
        markdown = render_markdown(document, options).text
        if self.single_line_break:
            markdown = _without_blank_lines(markdown)
        return markdown + "\n\n"


class _WithoutStress(WithoutEmphasis):
    """Leaves italics and bold out, which html2text calls emphasis, and keeps deleted text marked."""

    tags = frozenset({"em", "strong", "mark"})


class _Settings(Rewriter):
    """Applies the settings to links, images and tables."""

    def __init__(self, writer: HTML2Text) -> None:
        self._writer = writer
        self._page = (writer.baseurl or "").partition("#")[0]

    def part(self, part: Part) -> tuple[Part, ...]:
        writer = self._writer
        if isinstance(part, Table) and writer.ignore_tables:
            rows = (_row_spans(row.cells) for row in part.rows)
            lines = filter(None, (part.caption, *rows))
            return tuple(
                Paragraph(spans=self.spans(line), element=part.element, first=part.first, stop=part.stop)
                for line in lines
            )
        if isinstance(part, Figure):
            if writer.images_to_alt and not writer.ignore_images:
                alts = tuple(Text(f"{image.alt or writer.default_image_alt}\n") for image in part.images)
                caption = (*alts, *part.caption) if part.caption_selected else alts
                part = replace(part, images=(), caption=caption, caption_selected=True)
            part = replace(part, images=tuple(map(self._with_alt, part.images)))
        return super().part(part)

    def span(self, span: Span) -> tuple[Span, ...]:
        writer = self._writer
        if isinstance(span, Image):
            if writer.images_to_alt:
                return () if writer.ignore_images else (Text(self._with_alt(span).alt),)
            return (self._with_alt(span),)
        if isinstance(span, Link) and not span.role:
            url, _, fragment = span.href.partition("#")
            internal = writer.skip_internal_links and fragment and url in {"", self._page}
            mail = writer.ignore_mailto_links and span.href.startswith("mailto:")
            if internal or mail:
                return self.spans(span.spans)
        return super().span(span)

    def _with_alt(self, image: Image) -> Image:
        return image if image.alt else replace(image, alt=self._writer.default_image_alt)


def _row_spans(cells: tuple[Any, ...]) -> tuple[Span, ...]:
    """Return the text of the cells of a row with spaces between them."""
    texts = [spans for cell in cells if (spans := flatten(cell.parts))]
    return tuple(chain.from_iterable((Text(" "), *spans) if index else spans for index, spans in enumerate(texts)))


def _without_blank_lines(markdown: str) -> str:
    r"""Return Markdown without the blank lines between blocks; those of fenced code stay.

    >>> _without_blank_lines("Tea\n\n```\na\n\nb\n```\n\nCup").splitlines()
    ['Tea', '```', 'a', '', 'b', '```', 'Cup']
    """
    lines, fence = [], ""
    for line in markdown.split("\n"):
        text = line.lstrip(" >")
        marks = text[: len(text) - len(text.lstrip("`"))]
        if fence:
            fence = "" if text == fence else fence
        elif len(marks) > 2:  # noqa: PLR2004 (the shortest fence)
            fence = marks
        elif not text:
            continue
        lines.append(line)
    return "\n".join(lines)


def html2text(html: str, baseurl: str = "", bodywidth: int | None = None) -> str:
    """Return a whole page as Markdown.

    Args:
        html: the page.
        baseurl: the URL that links are resolved against.
        bodywidth: lines are not wrapped; any width but 0 is a warning.
    """
    return HTML2Text(None, baseurl, _BODY_WIDTH if bodywidth is None else bodywidth).handle(html)
