"""Trafilatura's elements as plain text or Markdown, as it writes them: ``- `` before items, ``|`` around cells."""

import re
from collections.abc import Callable
from typing import Any, Final

# ruff: noqa: ANN401 (elements are those of lxml or of the standard library)

#: Characters that Markdown could read as marks anywhere in a text, and a backslash before one of them.
_MARKS: Final = re.compile(r"\\(?=[\\*_`\[\]<~])|[*_`\[\]<~]")
_NUMBER: Final = re.compile(r"\d+(?=[.)](?:\s|$))")
_MATH: Final = re.compile(r"\\\((.+?)\\\)|\\\[(.+?)\\\]", re.DOTALL)
_SPACES: Final = re.compile(r"\s+")
_MARKERS: Final = {"#b": ("**", "**"), "#i": ("*", "*"), "#u": ("<u>", "</u>")}
_MARKERS_OF_HTML: Final = {"#sub": ("<sub>", "</sub>"), "#sup": ("<sup>", "</sup>")}
_LEVELS: Final = {f"h{level}": "#" * level for level in range(1, 7)}
#: Inline elements; any other is a block.
_INLINE: Final = frozenset({"hi", "ref", "del", "graphic", "lb", "span", "done"})
_MAX_DEPTH: Final = 50  #: elements within elements; deeper ones give their text alone


def xmltotxt(xmloutput: Any, include_formatting: bool) -> str:  # noqa: FBT001 (as in trafilatura)
    r"""Return trafilatura's elements as plain text, or with formatting as Markdown.

    >>> from xml.etree import ElementTree
    >>> tree = ElementTree.fromstring("<body><head rend='h2'>Tea</head><list><item>Boil.</item></list></body>")
    >>> xmltotxt(tree, False), xmltotxt(tree, True)
    ('Tea\n- Boil.', '## Tea\n\n- Boil.\n')
    """
    if xmloutput is None:
        return ""
    text = _Writer(formatting=include_formatting).blocks(xmloutput)
    return f"{text}\n" if include_formatting and text else text


class _Writer:
    """Writes elements as text."""

    def __init__(self, *, formatting: bool) -> None:
        self._formatting = formatting
        self._between = "\n\n" if formatting else "\n"
        self._depth = 0

    def blocks(self, parent: Any) -> str:
        """Return the blocks of an element, and the text between them as blocks of their own."""
        out: list[str] = []
        for run in _runs(parent):
            if isinstance(run, list):
                text = self._start(self._inline(run).strip("\n ") if self._formatting else self._inline(run).strip())
            else:
                text = self._block(run)
            if text.strip():
                fenced = text.startswith("```") or (bool(out) and out[-1].endswith("```"))
                out += ["\n" if fenced else self._between] if out else []
                out.append(text)
        return "".join(out)

    def _block(self, element: Any) -> str:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            text = _SPACES.sub(" ", "".join(element.itertext()))
        else:
            text = self._known_block(element)
        self._depth -= 1
        return text

    def _known_block(self, element: Any) -> str:
        match element.tag:
            case "head":
                text = _SPACES.sub(" ", self._inline([element])).strip()
                return f"{_LEVELS.get(element.get('rend', ''), '##')} {text}" if self._formatting and text else text
            case "list":
                return self._list(element)
            case "table":
                return self._table(element)
            case "code":
                return self._code(element)
            case "p":
                return self._start(self._inline([element]).strip())
            case _:
                return self.blocks(element)

    def _list(self, element: Any, indent: str = "") -> str:
        lines: list[str] = []
        number = 0
        for item in element:
            if item.tag != "item":
                lines.append(indent + self._block(item))
                continue
            marker = f"{number + 1}. " if self._formatting and element.get("rend") == "ol" else "- "
            text = self._item(item, indent, marker)
            if text.strip():
                number += 1
                lines.append(text)
        return "\n".join(lines)

    def _item(self, item: Any, indent: str, marker: str) -> str:
        """Return an item: its text after its marker, inner lists on lines of their own, text after them below."""
        out = ""
        inner = indent + "  "
        for run in _runs(item, inline=frozenset({"p", "head", "code", "quote"})):
            if not isinstance(run, list) and run.tag == "list":
                out += ("\n" if out else "") + self._inner_list(run, inner)
                continue
            text = self._flat(run) if isinstance(run, list) else self._block(run)
            if not text.strip():
                continue
            if not out:
                out = indent + marker + self._start(text.strip())
            else:
                out += f"\n\n{inner}{text.strip()}" if self._formatting else f"\n{text.strip()}"
        return out

    def _inner_list(self, element: Any, indent: str) -> str:
        if self._depth > _MAX_DEPTH:
            return indent + _SPACES.sub(" ", "".join(element.itertext())).strip()
        self._depth += 1
        text = self._list(element, indent)
        self._depth -= 1
        return text

    def _flat(self, run: list[Any]) -> str:
        """Return inline content and blocks among it as one text, with spaces where blocks begin and end."""
        out = ""
        for part in _merged(run):
            if isinstance(part, str):
                text = self._escaped(part)
            elif part.tag == "graphic":
                out, text = (f"{out.rstrip(' ')} " if out.strip() else ""), f"{self._element(part)} "
            elif part.tag in {"p", "head", "quote", "item", "list", "row", "cell", "table"}:
                text = self._content(part, flat=True).strip(" ")
                out, text = (f"{out.rstrip(' ')} " if out.strip() else ""), f"{text} "
            else:
                text = self._element(part)
            out += text.lstrip(" ") if out.endswith((" ", "\n")) else text
        return re.sub(r" (?=\n| *[,.;:])", "", out) if "\n" in out else out

    def _table(self, table: Any) -> str:
        lines: list[str] = []
        width = max((len(row) for row in table.iter("row")), default=0)
        for row in table:
            if row.tag != "row":
                continue
            cells = [self._cell(cell) for cell in row]
            if not any(cells):
                continue
            lines.append("".join(f"| {cell} " for cell in cells) + "| ")
            if any(cell.get("role") for cell in row):
                lines.append("|" + "---|" * width)
        return "\n".join(lines)

    def _cell(self, cell: Any) -> str:
        text = _SPACES.sub(" ", self._content(cell, flat=True)).strip()
        return text.replace("|", r"\|")

    def _code(self, element: Any) -> str:
        text = _verbatim(element)
        if not self._formatting:
            return text
        fence = "`" * max(3, 1 + _longest_run(text))
        return f"{fence}\n{text.strip(chr(10))}\n{fence}" if "\n" in text.strip() else _code_span(text)

    def _start(self, text: str) -> str:
        """Return a text that begins a block, escaped where Markdown would read its first characters as a mark."""
        if not self._formatting or text.startswith(("**", "***", "![", "[")):
            return text
        number = _NUMBER.match(text)
        if number:
            return f"{number[0]}\\{text[number.end() :]}"
        return f"\\{text}" if text[:1] in {"#", ">"} or re.match(r"[+-]\s", text) else text

    def _inline(self, run: list[Any]) -> str:
        """Return inline content: text, elements, or the content of one block."""
        if len(run) == 1 and not isinstance(run[0], str) and run[0].tag not in _INLINE and run[0].tag != "code":
            block = run[0]
            run = [block.text or "", *(piece for child in block for piece in (child, child.tail or ""))]
        return "".join(self._escaped(part) if isinstance(part, str) else self._element(part) for part in _merged(run))

    def _content(self, element: Any, *, flat: bool = False) -> str:
        if self._depth > _MAX_DEPTH:
            return self._escaped("".join(element.itertext()))
        self._depth += 1
        pieces = [element.text or "", *(piece for child in element for piece in (child, child.tail or ""))]
        text = self._flat(pieces) if flat else self._inline(pieces)
        self._depth -= 1
        return text

    def _element(self, element: Any) -> str:  # noqa: PLR0911 (one case per kind of element)
        match element.tag:
            case "lb":
                return "\n"
            case "graphic":
                names = " ".join(filter(None, (element.get("title"), element.get("alt"))))
                return f"![{self._escaped(names)}]({_destination(element.get('src') or '')})"
            case "code":
                return _around(_code_span, _verbatim(element)) if self._formatting else _verbatim(element)
            case "ref":
                target = element.get("target")
                text = self._content(element)
                text = text if self._formatting else re.sub(r"([\[\]])", r"\\\1", text)
                return _around(lambda inner: f"[{inner}]({_destination(target)})" if target else f"[{inner}]", text)
            case "hi" if self._formatting and element.get("rend") == "#t":
                return _around(_code_span, _verbatim(element))
            case "hi" if self._formatting:
                return self._emphasis(element)
            case "del" if self._formatting:
                return _around(lambda text: f"~~{text}~~", self._content(element))
            case _:
                return self._content(element)

    def _emphasis(self, element: Any) -> str:
        rend = element.get("rend", "")
        inner = list(element)
        if len(inner) == 1 and inner[0].tag == "hi" and inner[0].get("rend") == rend and not element.text:
            return self._content(element)  # twice the same
        before, after = (_MARKERS | _MARKERS_OF_HTML).get(rend, ("", ""))
        return _around(lambda text: f"{before}{text}{after}", self._content(element))

    def _escaped(self, text: str) -> str:
        """Return text in which no character is a mark of Markdown; formulas get dollar signs instead."""
        if not self._formatting or not text:
            return text
        out, last = [], 0
        for formula in _MATH.finditer(text):
            out.append(_MARKS.sub(r"\\\g<0>", text[last : formula.start()]))
            out.append(f"${formula[1]}$" if formula[1] else f"$$\n{formula[2].strip()}\n$$")
            last = formula.end()
        return "".join([*out, _MARKS.sub(r"\\\g<0>", text[last:])])


def _runs(parent: Any, inline: frozenset[str] = frozenset()) -> list[Any]:
    """Return the content of an element in order: blocks, and lists of the text and inline elements between them."""
    runs: list[Any] = []
    run: list[Any] = [parent.text or ""]
    for child in parent:
        is_inline = (
            child.tag in _INLINE or child.tag in inline or (child.tag == "code" and _is_within_text(run, child))
        )
        if is_inline:
            run.append(child)
        else:
            runs += [run, child]
            run = []
        run.append(child.tail or "")
    return [entry for entry in (*runs, run) if not isinstance(entry, list) or any(part != "" for part in entry)]


def _is_within_text(run: list[Any], code: Any) -> bool:
    """Return whether code stands in a line of text: not at the top, where it is a block."""
    before = any(not isinstance(part, str) or part.strip() for part in run)
    return "\n" not in _verbatim(code).strip() and (before or bool((code.tail or "").strip()))


def _merged(run: list[Any]) -> list[Any]:
    """Return a run in which the same emphasis that follows itself, or with white space between, is one."""
    out: list[Any] = []
    for part in run:
        if part == "":
            continue
        last = out[-1] if out else None
        if _is_same(last, part):
            out[-1] = _joined(last, part, "")
        elif (
            len(out) > 1
            and isinstance(last, str)
            and not last.strip()
            and "\n" not in last
            and _is_same(out[-2], part)
        ):
            out[-2:] = [_joined(out[-2], part, last)]
        else:
            out.append(part)
    return out


def _is_same(first: Any, second: Any) -> bool:
    both = all(not isinstance(part, str) and part is not None and part.tag == "hi" for part in (first, second))
    return both and first.get("rend") == second.get("rend")


def _joined(first: Any, second: Any, between: str) -> Any:
    """Return a copy of two elements as one."""
    joined = first.makeelement(first.tag, dict(first.attrib))
    joined.text = first.text
    for child in first:
        copied = _copy(child)
        joined.append(copied)
    text = between + (second.text or "")
    if len(joined):
        joined[-1].tail = (joined[-1].tail or "") + text
    else:
        joined.text = (joined.text or "") + text
    joined.extend(_copy(child) for child in second)
    return joined


def _copy(element: Any) -> Any:
    from copy import deepcopy  # noqa: PLC0415 (few texts need it)

    return deepcopy(element)


def _around(write: Callable[[str], str], text: str) -> str:
    """Return a text with marks around it, white space at its ends outside of them."""
    inner = text.strip()
    if not inner:
        return text
    start = text.index(inner)
    return text[:start] + write(inner) + text[start + len(inner) :]


def _verbatim(element: Any) -> str:
    """Return the text of an element, with line breaks."""
    if all(child.tag == "lb" or not len(child) for child in element):
        pieces = (("\n" if child.tag == "lb" else child.text or "") + (child.tail or "") for child in element)
        return (element.text or "") + "".join(pieces)
    return "".join(element.itertext())


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)


def _code_span(text: str) -> str:
    fence = "`" * (1 + _longest_run(text))
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def _destination(url: str) -> str:
    r"""Return a URL as Markdown writes it in a link.

    >>> _destination("a b>c"), _destination("/tea")
    ('<a b\\>c>', '/tea')
    """
    return "<" + re.sub(r"([\\<>])", r"\\\1", url) + ">" if re.search(r"[\s()<>]", url) else url
