r"""The interface of html2text: a whole page as Markdown, in html2text's own style.

It reads tags as they come and hides nothing, as html2text does; for the main content alone, `tamis.extract`.

>>> print(html2text("<h1>Tea</h1><ul><li>Boil <b>soft</b> water, <a href='/wait'>wait</a>.</ul>", "https://e.org/"))
# Tea
<BLANKLINE>
  * Boil **soft** water, [wait](https://e.org/wait).
<BLANKLINE>
<BLANKLINE>
"""

import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field
from html import unescape
from html.parser import HTMLParser
from string import punctuation
from typing import Any, Final
from unicodedata import normalize
from urllib.parse import urljoin

from tamis.compat import import_paths
from tamis.compat.markup import warn_ignored

__all__ = ["HTML2Text", "html2text"]

#: The version of html2text whose interface this is.
__version__: Final = (2025, 4, 15)

__getattr__ = import_paths(
    __name__,
    ("cli", "config", "elements", "utils"),
    {
        "main": "run `tamis page.html --format markdown`",
        "escape_md": "use HTML2Text().handle()",
        "wrap_read": "open the file, and call HTML2Text().handle()",
    },
)

_BODY_WIDTH: Final = 78  # html2text's default
#: The settings and html2text's defaults.
_SETTINGS: Final[dict[str, Any]] = {
    "ignore_links": False,
    "ignore_mailto_links": False,
    "skip_internal_links": True,
    "ignore_images": False,
    "images_to_alt": False,
    "images_as_html": False,
    "images_with_size": False,
    "default_image_alt": "",
    "ignore_emphasis": False,
    "ignore_tables": False,
    "bypass_tables": False,
    "pad_tables": False,
    "single_line_break": False,
    "unicode_snob": False,
    "escape_snob": False,
    "links_each_paragraph": False,
    "inline_links": True,
    "protect_links": False,
    "use_automatic_links": True,
    "hide_strikethrough": False,
    "mark_code": False,
    "backquote_code_style": False,
    "wrap_links": True,
    "wrap_list_items": False,
    "wrap_tables": False,
    "ul_item_mark": "*",
    "emphasis_mark": "_",
    "strong_mark": "**",
    "open_quote": '"',
    "close_quote": '"',
    "include_sup_sub": False,
    "tag_callback": None,
}
#: The settings that have no effect, and html2text's defaults: Google's documents of old.
_IGNORED: Final[dict[str, Any]] = {"google_doc": False, "google_list_indent": 36}

_EMPHASIS: Final = {"em": "emphasis_mark", "i": "emphasis_mark", "u": "emphasis_mark"}
_STRONG: Final = {"strong": "strong_mark", "b": "strong_mark"}
_DELETED: Final = frozenset({"del", "strike", "s"})
_CODE: Final = frozenset({"code", "tt", "kbd"})
_SILENT: Final = frozenset({"head", "style", "script"})
_BLOCKS: Final = frozenset(
    {"p", "div", "section", "article", "main", "header", "footer", "nav", "aside", "figure", "form"}
)
_TABLE_TAGS: Final = frozenset({"table", "tr", "td", "th", "thead", "tbody", "tfoot"})
#: What html2text writes for entities of characters that ASCII has no letter for.
_ASCII: Final = {
    "\u2018": "'",
    "\u2019": "'",
    "\u201c": '"',
    "\u201d": '"',
    "\xa9": "(C)",
    "\u2014": "--",
    "\u2013": "-",
    "\xa0": "\xa0",
    "\u2192": "->",
    "\u2190": "<-",
    "\xb7": "*",
    "\u0153": "oe",
    "\xe6": "ae",
    "\u2026": "...",
    "\u200e": "",
    "\u200f": "",
}
_SPACES: Final = re.compile(r"[ \t\n\r\f]+")
#: What would begin a list or a rule: a number with a dot, a plus sign, dashes.
_LINE_START: Final = re.compile(r"^(\s*\d+)(\.)(?=\s)|^(\s*)(\+)(?=\s)|^(\s*)(-)(?=[\s-])", re.MULTILINE)
_BACKSLASH: Final = re.compile(r"\\(?=[\\`*_{}\[\]()#+\-.!])")
_MARKS: Final = re.compile(r"[\\`*_{}\[\]()#+.!-]")
_LIST_LINE: Final = re.compile(r"\s*(?:[*+-]|\d+\.)\s")
_LINK: Final = re.compile(r"\[[^]]+\]\([^)]+\)|\[[^]]+\]:\s|<https?://")
_ABSOLUTE: Final = re.compile(r"^[a-zA-Z+]+://")


@dataclass(slots=True)
class _Link:
    """An open link; `start` is where its text begins in the output."""

    url: str
    title: str
    start: int
    text: list[str] = field(default_factory=list)


class HTML2Text(HTMLParser):
    r"""Converts pages to Markdown, with the settings of html2text's class of this name as attributes.

    All settings of html2text have an effect but `google_doc` and `google_list_indent`, which are a warning if set.

    >>> writer = HTML2Text()
    >>> writer.ignore_links = True
    >>> writer.handle("<p>Boil, then <a href='/wait'>wait</a>. <img src='tea.png' alt='Tea'>")
    'Boil, then wait. ![Tea](tea.png)\n\n'
    """

    def __init__(
        self, out: Callable[[str], None] | None = None, baseurl: str = "", bodywidth: int = _BODY_WIDTH
    ) -> None:
        super().__init__(convert_charrefs=False)
        self.out = out
        self.baseurl = baseurl
        self.body_width = bodywidth
        for name, value in (_SETTINGS | _IGNORED).items():
            setattr(self, name, value)
        self._begin()

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 (settings are of several types; for type checkers)
        raise AttributeError(name)

    def _begin(self) -> None:
        self._parts: list[str] = []
        self._newlines, self._space, self._at_start = 0, False, True
        self._silent, self._quotes, self._pre = 0, 0, 0
        self._fresh_pre = False
        self._lists: list[tuple[str, int]] = []
        self._links: list[_Link | None] = []
        self._references: list[tuple[str, str]] = []
        self._written_references = 0
        self._abbreviations: dict[str, str] = {}
        self.abbr_data: list[str] | None = None
        self._marks: list[str] = []  # of emphasis that has no text yet
        self._after_mark = self._blank_before = False
        self._row: list[str] | None = None
        self._first_row, self._cell_space = True, False

    def handle(self, data: str) -> str:
        """Return a page as Markdown, with two line ends after it."""
        if not isinstance(data, str):
            raise TypeError(f"html2text takes str, not {type(data).__name__}; decode bytes first")
        warn_ignored("html2text", **{name: getattr(self, name) != value for name, value in _IGNORED.items()})
        self.reset()
        self._begin()
        self.feed(data.replace("</' + 'script>", "</ignore>"))
        self.feed("")
        text = self.finish()
        if self.out is not None:
            self.out(text)
        return text

    def finish(self) -> str:
        """Return the Markdown of what was fed, and start again."""
        super().close()
        self._end_paragraph()
        notes = "".join(f"\n\n  *[{short}]: {long}" for short, long in self._abbreviations.items())
        text = "".join(self._parts).rstrip("\n") + self._pending_references() + notes
        text = _padded(text) if self.pad_tables else text.replace(_TABLE, "")
        text = self._wrapped(text.rstrip())
        self.reset()
        self._begin()
        return text.replace("\xa0", " " if not self.unicode_snob else "\xa0") + "\n\n"

    def close(self) -> str:  # type: ignore[override]  # as in html2text
        """Return the Markdown of what was fed."""
        return self.finish()

    # Events of the parser.

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Write what a tag begins with."""
        self._tag(tag, {name: value or "" for name, value in attrs}, attrs, start=True)

    def handle_endtag(self, tag: str) -> None:
        """Write what a tag ends with."""
        self._tag(tag, {}, [], start=False)

    def handle_data(self, data: str) -> None:
        """Write text."""
        self._text(data)

    def handle_charref(self, name: str) -> None:
        """Write a numbered character."""
        self._entity(f"&#{name};")

    def handle_entityref(self, name: str) -> None:
        """Write a named character."""
        self._entity(f"&{name};")

    def _entity(self, reference: str) -> None:
        char = unescape(reference)
        if not self.unicode_snob and len(char) == 1 and not char.isascii():
            plain = normalize("NFKD", char).encode("ascii", "ignore").decode()
            char = _ASCII.get(char, plain if plain.isalpha() else char)
        self._text(char, is_entity=True)

    # Text.

    def _text(self, data: str, *, is_entity: bool = False) -> None:
        if self._silent:
            return
        if self._pre:
            self._preformatted(data)
            return
        if self.abbr_data is not None:
            self.abbr_data.append(data)
        if data.strip(" \t\n\r\f") and not is_entity and "`" not in self._marks:
            data = self._escaped(data)
        collapsed = _SPACES.sub(" ", data)
        inner = collapsed.strip(" ")
        self._space = self._space or collapsed.startswith(" ")
        if not inner:
            self._blank_before = True
            return
        if self._marks:
            self._begin_marks()
        elif self._after_mark and not self._space and inner[0] not in punctuation and not inner[0].isspace():
            self._space = inner[0].isalnum() or self._space
        self._write(inner)
        self._space = collapsed.endswith(" ")

    def _escaped(self, data: str) -> str:
        if self.escape_snob:
            return _MARKS.sub(r"\\\g<0>", data)
        data = _BACKSLASH.sub(r"\\\\", data)
        if self._newlines or self._at_start or self._ends_line():
            data = _LINE_START.sub(lambda found: "".join(filter(None, _with_backslash(found))), data, count=1)
        return data

    def _ends_line(self) -> bool:
        return bool(self._parts) and self._parts[-1].endswith("\n")

    def _begin_marks(self) -> None:
        """Write the marks of emphasis that begins; before a letter, it needs a space."""
        before = self._last_char()
        if before and not self._newlines and (before.isalnum() or before in "*_~"):
            self._space = self._space or self._marks != ["`"]
        marks, self._marks = "".join(self._marks), []
        self._write(marks)

    def _last_char(self) -> str:
        return next((part[-1] for part in reversed(self._parts) if part), "")

    def _write(self, text: str) -> None:
        """Write text after the line breaks or the space that are due."""
        if self._newlines and not self._at_start:
            count = 1 if self.single_line_break else self._newlines - self._ends_line()
            self._parts.append(("\n" + "> " * self._quotes) * count)
        elif self._at_start and self._quotes and not self._ends_quote():
            self._parts.append("> " * self._quotes)
        elif self._space and not self._at_start and not self._ends_line() and self._last_char() != " ":
            self._parts.append(" ")
        self._newlines, self._space, self._at_start = 0, False, False
        self._after_mark = self._blank_before = False
        self._parts.append(text)

    def _ends_quote(self) -> bool:
        return "".join(self._parts[-1:]).endswith("> ")

    def _paragraph(self) -> None:
        """A block begins or ends: two line breaks are due."""
        self._newlines, self._space = max(self._newlines, 2), False

    def _line(self) -> None:
        """A line ends: a line break is due."""
        self._newlines, self._space = max(self._newlines, 1), False

    def _end_paragraph(self) -> None:
        if self.links_each_paragraph:
            self._parts.append(self._pending_references())

    def _pending_references(self) -> str:
        new = list(enumerate(self._references, 1))[self._written_references :]
        self._written_references = len(self._references)
        return "".join(
            f"\n\n   [{number}]: {urljoin(self.baseurl, url)}" + (f" ({title})" if title else "")
            for number, (url, title) in new
        ) + ("\n" if new else "")

    def _preformatted(self, data: str) -> None:
        indent = "> " * self._quotes + self._list_indent + "    " * (not self.backquote_code_style)
        if self._fresh_pre:
            self._fresh_pre = False
            self._open_pre(indent)
            if self.backquote_code_style or self.mark_code:
                data = data.removeprefix("\n")
            elif not data.startswith("\n"):
                data = f"\n{data}"
        self._parts.append(data.replace("\n", "\n" + indent))

    @property
    def _list_indent(self) -> str:
        """The spaces before a line of code in a list."""
        return "  " * bool(self._lists) + "".join(" " * (2 if kind == "ul" else 3) for kind, _ in self._lists)

    def _open_pre(self, indent: str) -> None:
        is_apart = not self._parts or self._parts[-1].endswith("\n") or self._quotes or self._lists
        blank = "" if is_apart else "\n"
        if self.mark_code:
            self._parts.append(f"{blank}\n[code]\n\n{indent}")
        elif self.backquote_code_style:
            self._parts.append(f"{blank}\n{indent}```\n{indent}")
        elif self._parts and self._lists:
            self._parts.append(f" \n{indent}")
        elif self._parts:
            blank = "\n" if self._blank_before else ""  # html2text counts the space between a paragraph and code
            self._parts.append(f"{blank}\n{indent}\n{indent}")
        self._newlines, self._at_start, self._space = 0, False, False

    def _close_pre(self) -> None:
        if self._fresh_pre:
            self._fresh_pre = False
            return
        if self.backquote_code_style:
            self._parts.append("\n" + "> " * self._quotes + self._list_indent + "```")
        if self.mark_code:
            self._parts.append("\n[/code]")
        self._paragraph()

    # Tags.

    def _tag(self, tag: str, attrs: dict[str, str], raw: object, *, start: bool) -> None:  # noqa: C901, PLR0912
        if self.tag_callback is not None and self.tag_callback(self, tag, attrs if raw else {}, start) is True:
            return
        if tag in _SILENT:
            self._silent = max(0, self._silent + (1 if start else -1))
            return
        if self._silent and tag != "body":
            return
        if tag == "body":
            self._silent = 0
        elif len(tag) == 2 and tag[0] == "h" and tag[1] in "123456":  # noqa: PLR2004 (h1 to h6)
            self._paragraph()
            if start:
                self._write("#" * int(tag[1]) + " ")
        elif tag in _BLOCKS:
            self._block(start=start)
        elif tag == "br" and start:
            self._break()
        elif tag == "hr" and start:
            self._paragraph()
            self._write("* * *")
            self._paragraph()
        elif tag == "blockquote":
            self._quote(start=start)
        elif tag in _EMPHASIS or tag in _STRONG or tag in _DELETED or tag in _CODE:
            self._emphasis(tag, start=start)
        elif tag == "abbr":
            self._abbr(attrs, start=start)
        elif tag == "q":
            self._write(self.open_quote if start else self.close_quote)
        elif tag in {"sup", "sub"} and self.include_sup_sub:
            self._write(f"<{tag}>" if start else f"</{tag}>")
        elif tag == "a" and not self.ignore_links:
            self._link(attrs, start=start)
        elif tag == "img" and start and not self.ignore_images:
            self._image(attrs)
        elif tag in {"dl", "dt", "dd"}:
            self._definitions(tag, start=start)
        elif tag in {"ul", "ol", "li"}:
            self._list_tag(tag, attrs, start=start)
        elif tag in _TABLE_TAGS:
            self._table_tag(tag, start=start)
        elif tag == "pre":
            self._pre = 1 if start else 0
            if start:
                self._fresh_pre = True
            else:
                self._close_pre()

    def _block(self, *, start: bool) -> None:
        if self._lists and start and self._at_start:
            return
        if self._row is not None or (self._links and self._links[-1] is not None):
            self._space = self._last_char() != "["
            return
        self._paragraph()
        if not start:
            self._end_paragraph()

    def _break(self) -> None:
        if self._pre:
            self._preformatted("\n")
        elif self._at_start or self._row is not None:
            self._space = True
        else:
            waiting = self._newlines
            self._newlines = 0
            if waiting:
                self._write("")
            self._parts.append("  \n" + "> " * self._quotes)
            self._space = False

    def _quote(self, *, start: bool) -> None:
        self._paragraph()
        if start:
            if not self._at_start:  # the blank line before a quotation is not a part of it
                self._write("")
            self._quotes += 1
            self._at_start = True
        else:
            self._quotes = max(0, self._quotes - 1)

    def _emphasis(self, tag: str, *, start: bool) -> None:
        if tag in _CODE:
            mark = "" if self._pre else "`"
        elif tag in _DELETED:
            mark = "~~" if not self.hide_strikethrough else ""
        else:
            mark = "" if self.ignore_emphasis else getattr(self, (_EMPHASIS | _STRONG)[tag])
        if not mark:
            return
        if start:
            self._marks.append(mark)
        elif mark in self._marks:  # there was no text
            self._marks.reverse()
            self._marks.remove(mark)
            self._marks.reverse()
        else:
            space, self._space = self._space, False
            self._parts.append(mark)
            self._space, self._after_mark = space, mark != "`"

    def _abbr(self, attrs: dict[str, str], *, start: bool) -> None:
        if start:
            self.abbr_data, self._long = [], attrs.get("title", "")
        elif self.abbr_data is not None:
            if self._long:
                self._abbreviations["".join(self.abbr_data).strip()] = self._long
            self.abbr_data = None

    def _link(self, attrs: dict[str, str], *, start: bool) -> None:
        if start:
            url = attrs.get("href", "")
            internal = self.skip_internal_links and url.startswith("#")
            mail = self.ignore_mailto_links and url.startswith("mailto:")
            if "href" not in attrs or internal or mail:
                self._links.append(None)
                return
            if self._marks:
                self._begin_marks()
            self._write("[")
            self._at_start = False
            self._links.append(_Link(url, attrs.get("title", ""), len(self._parts) - 1))
            return
        link = self._links.pop() if self._links else None
        if link is None:
            return
        text = "".join(self._parts[link.start + 1 :])
        if not text.strip() and not self._newlines:
            del self._parts[link.start :]
            self._parts.append("[")
        self._newlines = 0
        is_same = self.use_automatic_links and _unescaped(text) == link.url and _ABSOLUTE.match(link.url)
        if is_same:
            del self._parts[link.start :]
            self._parts.append(f"<{link.url}>")
        elif self.inline_links:
            target = _escaped_url(urljoin(self.baseurl, link.url))
            target = f"<{target}>" if self.protect_links else target
            quoted = link.title.replace('"', '\\"')
            self._parts.append(f"]({target}" + (f' "{quoted}")' if link.title.strip() else ")"))
        else:
            self._parts.append(f"][{self._reference(link.url, link.title)}]")

    def _reference(self, url: str, title: str) -> int:
        if (url, title) not in self._references:
            self._references.append((url, title))
        return self._references.index((url, title)) + 1

    def _image(self, attrs: dict[str, str]) -> None:
        source = attrs.get("src", "")
        if not source and not self.images_to_alt:
            return
        alt = attrs.get("alt") or self.default_image_alt
        if self._marks:
            self._begin_marks()
        sized = self.images_with_size and ("width" in attrs or "height" in attrs)
        if self.images_as_html or sized:
            names = [
                f"src='{source}'",
                *(f"{name}='{attrs[name]}'" for name in ("width", "height") if attrs.get(name)),
            ]
            names += [f"alt='{alt}'"] if alt else []
            self._write(f"<img {' '.join(names)} />")
        elif self.images_to_alt:
            self._write(_escaped_text(alt))
        elif self.inline_links:
            self._write(f"![{_escaped_text(alt)}]({_escaped_url(urljoin(self.baseurl, source))})")
        else:
            self._write(f"![{_escaped_text(alt)}][{self._reference(source, attrs.get('title', ''))}]")

    def _definitions(self, tag: str, *, start: bool) -> None:
        if tag == "dl" or (tag == "dt" and not start):
            self._paragraph()
        elif tag == "dt":
            self._line()
        elif start:
            self._newlines = max(self._newlines, 1)
            self._write("    ")
        else:
            self._line()

    def _list_tag(self, tag: str, attrs: dict[str, str], *, start: bool) -> None:
        if tag == "li":
            if not start:
                self._line()
                return
            self._line()
            kind, number = self._lists[-1] if self._lists else ("ul", 0)
            indent = "  " + "".join(" " * (2 if outer == "ul" else 3) for outer, _ in self._lists[:-1])
            if kind == "ol":
                number += 1
                self._lists[-1] = (kind, number)
            self._write(indent + (f"{number}. " if kind == "ol" else f"{self.ul_item_mark} "))
            self._at_start = True
        elif start:
            (self._line if self._lists else self._paragraph)()
            first = attrs.get("start", "1")
            self._lists.append((tag, int(first) - 1 if first.lstrip("-").isdigit() else 0))
        else:
            if self._lists:
                self._lists.pop()
            self._at_start = False
            (self._line if self._lists else self._paragraph)()

    def _table_tag(self, tag: str, *, start: bool) -> None:
        if self.bypass_tables:
            self._table_as_html(tag, start=start)
            return
        match tag:
            case "table":
                self._first_row = True
                (self._line if self.ignore_tables else self._paragraph)()
                if self.pad_tables:
                    self._write(_TABLE)
                    (self._line if start else self._paragraph)()
            case "tr" if start:
                self._row = []
            case "tr" if self._row is not None:
                self._end_row(len(self._row))
                self._row = None
            case "td" | "th" if start and self._row is not None:
                if self._row:
                    spaces = " " * (self._cell_space + self._space)  # at the end of the cell, and between cells
                    self._parts.append((" " * self._cell_space + " ") if self.ignore_tables else f"{spaces}| ")
                else:
                    self._write("")
                self._space, self._at_start = False, True
                self._row.append("")
            case "td" | "th":
                self._at_start, self._cell_space, self._space = False, self._space, False

    def _table_as_html(self, tag: str, *, start: bool) -> None:
        if tag in {"thead", "tbody", "tfoot"}:
            return
        if tag in {"table", "tr"} or start:
            (self._paragraph if tag == "table" and start else self._line)()
        self._write(f"<{tag}>" if start else f"</{tag}>")
        if not start:
            self._line()

    def _end_row(self, cells: int) -> None:
        self._at_start, self._space = False, False
        self._parts.append("  ")
        self._line()
        if self._first_row and cells and not self.ignore_tables:
            self._write("|".join(["---"] * cells) + "  ")
            self._line()
        self._first_row = False

    # Wrapping.

    def _wrapped(self, text: str) -> str:
        """Return text with lines of at most the body's width; lists, tables and code keep their lines."""
        if not self.body_width:
            return text
        out = []
        for line in text.split("\n"):
            if len(line) <= self.body_width or self._keeps(line):
                out.append(line)
                continue
            quote = re.match(r"(?:> )*", line)
            prefix = quote[0] if quote else ""
            indent = prefix + ("    " if self.wrap_list_items and _LIST_LINE.match(line) else "")
            lines = textwrap.wrap(
                line[len(prefix) :],
                self.body_width,
                break_long_words=False,
                initial_indent=prefix,
                subsequent_indent=indent,
            )
            end = "  " if line.endswith("  ") else ""
            out.append("\n".join(lines) + end)
        return "\n".join(out)

    def _keeps(self, line: str) -> bool:
        if line.startswith(("    ", "\t")) and not self._is_item(line):
            return True
        if not self.wrap_links and _LINK.search(line):
            return True
        if not self.wrap_tables and " | " in line and not line.startswith(">"):
            return True
        return self._is_item(line) and not self.wrap_list_items

    @staticmethod
    def _is_item(line: str) -> bool:
        return bool(_LIST_LINE.match(line))


_TABLE: Final = "\x02"  #: around a table that is to be padded, until all of it is known


def _padded(text: str) -> str:
    """Return text in which the columns of tables have one width each."""
    pieces = text.split(_TABLE)
    for index in range(1, len(pieces), 2):
        rows = [line.rstrip() for line in pieces[index].split("\n") if line.strip()]
        cells = [[cell.strip() for cell in re.split(r"(?<!\\)\|", row)] for row in rows]
        columns = max((len(row) for row in cells), default=0)
        filled = [row + [""] * (columns - len(row)) for row in cells]
        widths = [max(3, *(len(row[column]) for row in filled)) for column in range(columns)]
        lines = [
            "|" + "|".join("-" * (width + 2) for width in widths) + "|"
            if set("".join(row)) == {"-"}
            else "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"
            for row in filled
        ]
        pieces[index] = "\n".join(lines)
    return re.sub(r"\n{3,}", "\n\n", "".join(pieces))


def _with_backslash(found: re.Match[str]) -> list[str]:
    before, mark = next((found[n] or "", found[n + 1]) for n in (1, 3, 5) if found[n + 1])
    return [before, "\\", mark]


def _escaped_url(url: str) -> str:
    return re.sub(r"([()\[\]])", r"\\\1", url)


def _escaped_text(text: str) -> str:
    return re.sub(r"([()\[\]])", r"\\\1", text)


def _unescaped(text: str) -> str:
    return re.sub(r"\\(?=[-\\`*_{}\[\]()#+.!])", "", text).strip()


def html2text(html: str, baseurl: str = "", bodywidth: int | None = None) -> str:
    """Return a whole page as Markdown.

    Args:
        html: the page.
        baseurl: the URL that links are resolved against.
        bodywidth: the width of lines; 0 for no wrapping.
    """
    return HTML2Text(None, baseurl, _BODY_WIDTH if bodywidth is None else bodywidth).handle(html)
