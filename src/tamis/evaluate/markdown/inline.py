r"""Read the inline parts of a Markdown text: code spans, formulas, links, and the text without marks.

The scan goes from left to right once. What a mark may enclose is found beforehand (brackets, runs of backticks) or is
limited in length (formulas, tags, the destination of a link), so the cost is linear.
"""

import html
import re
from bisect import bisect_left
from dataclasses import dataclass, field
from typing import Final

#: The longest formula, tag and link destination that is recognized, in characters.
_MAX_SPAN: Final = 2000
_BACKTICKS: Final = re.compile(r"`+")
_MARK: Final = re.compile(r"[\\`$!\[\]<*_~]")
#: A URL between angle brackets.
AUTOLINK: Final = re.compile(r"<((?:https?://|mailto:)[^\s<>]{1,2000})>")
_TAG: Final = re.compile(r"<(?:/?[A-Za-z][^<>]{0,2000}|!--[^<>]{0,2000}--)>")
_PUNCTUATION: Final = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_PAIRED: Final = re.compile(r"\\.|[\[\]()]", re.DOTALL)
_CLOSING: Final = {"[": "]", "(": ")"}
_FOOTNOTE: Final = re.compile(r"\[\^[^\]\s]{1,100}\]:?")


@dataclass(slots=True)
class Inline:
    """What a text has: its plain text, code spans, formulas, and links as pairs of text and URL."""

    text: str = ""
    code: list[str] = field(default_factory=list)
    formulas: list[str] = field(default_factory=list)
    links: list[tuple[str, str]] = field(default_factory=list)


def read_inline(source: str) -> Inline:
    r"""Return the inline parts of a text.

    >>> read_inline("Boil `water()`, **then** [pour](/pour 'now') $t^2$.")
    Inline(text='Boil water(), then pour t^2.', code=['water()'], formulas=['t^2'], links=[('pour', '/pour')])
    """
    return _Inline(source).read()


class _Inline:
    """`at` is the next character; `out` is the plain text so far; `open_links` are links whose text is being read."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.at = 0
        self.out: list[str] = []
        self.result = Inline()
        self.pairs = matching_pairs(source)
        self.ticks: dict[int, list[int]] = {}
        for run in _BACKTICKS.finditer(source):
            self.ticks.setdefault(run.end() - run.start(), []).append(run.start())
        self.open_links: list[tuple[int, int, int, str | None]] = []  # close, end, start in `out`, URL

    def read(self) -> Inline:
        source = self.source
        while match := _MARK.search(source, self.at):
            self.out.append(source[self.at : match.start()])
            self.at = match.start()
            character = source[self.at]
            if character == "[" and (footnote := _FOOTNOTE.match(source, self.at)):
                self.at = footnote.end()
            elif character == "[" and self.at in self.pairs:
                self._link(self.pairs[self.at])
            elif character == "]" and self.open_links and self.open_links[-1][0] == self.at:
                self._close_link()
            elif not self._span(character):
                self._skip_mark(character)
        self.out.append(source[self.at :])
        self.result.text = html.unescape("".join(self.out))
        return self.result

    def _span(self, character: str) -> bool:
        """Read a code span, a formula, an escape or a tag that begins here; return False if there is none."""
        read = {"`": self._code, "$": self._dollars, "\\": self._escape, "<": self._tag}.get(character)
        return read is not None and read()

    def _escape(self) -> bool:
        """Read a formula between brackets with backslashes, or a mark that a backslash turns into a character."""
        source, at = self.source, self.at
        following = source[at + 1 : at + 2]
        closing = {"(": "\\)", "[": "\\]"}.get(following)
        end = source.find(closing, at + 2, at + _MAX_SPAN) if closing else -1
        if end > 0:
            self._formula(source[at + 2 : end], end + 2)
            return True
        if following not in _PUNCTUATION:
            return False
        self.out.append(html.escape(following) if following in "&<" else following)
        self.at += 2
        return True

    def _tag(self) -> bool:
        """Read an URL between angle brackets, or leave out a tag."""
        if link := AUTOLINK.match(self.source, self.at):
            self.result.links.append((link[1], link[1]))
            self.out.append(link[1])
            self.at = link.end()
            return True
        if tag := _TAG.match(self.source, self.at):
            self.out.append(" " if tag[0][1:3].lower() == "br" else "")
            self.at = tag.end()
            return True
        return False

    def _code(self) -> bool:
        run = _BACKTICKS.match(self.source, self.at)
        assert run is not None
        length = run.end() - run.start()
        starts = self.ticks[length]
        position = bisect_left(starts, run.end())
        if position == len(starts):
            self.out.append(run[0])
            self.at = run.end()
            return True
        code = " ".join(self.source[run.end() : starts[position]].split())
        self.result.code.append(code)
        self.out.append(html.escape(code, quote=False))
        self.at = starts[position] + length
        return True

    def _dollars(self) -> bool:
        """Read a formula between dollars; those of prices are followed by a space or a digit where one would end."""
        source, at = self.source, self.at
        mark = "$$" if source.startswith("$$", at) else "$"
        start = at + len(mark)
        end = source.find(mark, start, start + _MAX_SPAN)
        while end > 0 and source[end - 1] == "\\":
            end = source.find(mark, end + 1, start + _MAX_SPAN)
        inner = source[start:end] if end > 0 else ""
        if not inner.strip() or (
            mark == "$" and (inner[0].isspace() or inner[-1].isspace() or source[end + 1 : end + 2].isdigit())
        ):
            return False
        self._formula(inner, end + len(mark))
        return True

    def _formula(self, source: str, end: int) -> None:
        formula = source.strip()
        self.result.formulas.append(formula)
        self.out.append(html.escape(formula, quote=False))
        self.at = end

    def _link(self, close: int) -> None:
        """Enter the text of a link or an image; brackets without a destination are text."""
        destination = self._destination(close + 1)
        image = self.at > 0 and self.source[self.at - 1] == "!"
        if destination is None:
            self.out.append("[")
            self.at += 1
            return
        url, end = destination
        self.open_links.append((close, end, len(self.out), None if image else url))
        self.at += 1

    def _destination(self, at: int) -> tuple[str, int] | None:
        """Return the URL in parentheses at a position and where it ends; a title after it is left out."""
        end = self.pairs.get(at, -1) if self.source.startswith("(", at) else -1
        if not 0 < end - at < _MAX_SPAN:
            return None
        inner = self.source[at + 1 : end].strip()
        url = inner[1 : inner.find(">")] if inner.startswith("<") and ">" in inner else inner.partition(" ")[0]
        return url, end + 1

    def _close_link(self) -> None:
        _, end, start, url = self.open_links.pop()
        if url is None:  # an image: its description is not text of the page
            del self.out[start:]
        else:
            self.result.links.append((" ".join(html.unescape("".join(self.out[start:])).split()), url))
        self.at = end

    def _skip_mark(self, character: str) -> None:
        """Leave out marks of emphasis and the ``!`` of an image; keep other characters."""
        source, at = self.source, self.at
        end = at + 1
        while end < len(source) and source[end] == character and character in "*_~":
            end += 1
        before, after = source[at - 1 : at] if at else "", source[end : end + 1]
        inside_word = before.isalnum() and after.isalnum()
        emphasis = (
            (character == "*" and (before.strip() or after.strip()))
            or (character == "_" and not inside_word)
            or (character == "~" and end - at == len("~~"))
        )
        image = character == "!" and after == "["
        if not emphasis and not image:
            self.out.append(source[at:end])
        self.at = end


def matching_pairs(source: str) -> dict[int, int]:
    """Return the position of the closing bracket or parenthesis for each opening one, in linear time.

    >>> matching_pairs("[a](b)")
    {0: 2, 3: 5}
    """
    pairs: dict[int, int] = {}
    stacks: dict[str, list[int]] = {"]": [], ")": []}
    for match in _PAIRED.finditer(source):
        if match[0] in _CLOSING:
            stacks[_CLOSING[match[0]]].append(match.start())
        elif match[0] in stacks and stacks[match[0]]:
            pairs[stacks[match[0]].pop()] = match.start()
    return pairs
