"""How much of the structure of a page was kept: F1 by element, between two Markdown texts.

An element is right if the other text has the same one: code without regard to white space, a formula, the words of a
heading, the words and the URL of a link. Code blocks and tables that differ a little count in part.
"""

import re
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from typing import Any, Final
from urllib.parse import unquote, urldefrag, urljoin

from tamis.lab.evaluate.markdown import Elements, markdown_text, read_elements, read_inline
from tamis.lab.evaluate.metrics import Match, split_words

#: Code blocks and tables count in part if they have this share of their lines (or cells) in common.
MIN_SIMILARITY: Final = 0.5
#: How many code blocks or tables without an equal one are compared with one another.
_MAX_COMPARED: Final = 100

#: An element as it is compared: equal keys are equal elements; the parts are for those that count in part.
_Key = tuple[Hashable, ...]


def structure(predicted: str, gold: str, url: str | None = None) -> dict[str, Match]:
    r"""Compare the elements of two Markdown texts, type by type.

    Types that neither text has are left out. `url` is what relative links are resolved against.

    >>> structure("# Tea\n\nSee [pot](/pot).", "## Tea\n\n[pot](http://a.example/pot) $x$", "http://a.example/")["links"].f1
    1.0
    >>> {name: match.f1 for name, match in structure("# Tea\n\n# Pot", "# Tea\n\n$x$").items()}
    {'formulas': 0.0, 'headings': 0.6666666666666666}
    """
    left, right = read_elements(predicted), read_elements(gold)
    matches = {}
    for name, read_keys in _TYPES.items():
        left_keys, right_keys = read_keys(left, url), read_keys(right, url)
        if left_keys or right_keys:
            partial = _partial_overlap if name in {"code", "tables"} else _no_overlap
            matches[name] = _match(left_keys, right_keys, partial)
    return matches


def _code(elements: Elements, _url: str | None) -> list[_Key]:
    blocks = (tuple(" ".join(line.split()) for line in block.splitlines()) for block in elements.code)
    return [lines for block in blocks if (lines := tuple(line for line in block if line))]


def _inline_code(elements: Elements, _url: str | None) -> list[_Key]:
    return [("".join(code.split()),) for code in elements.inline_code if code.strip()]


def _formulas(elements: Elements, _url: str | None) -> list[_Key]:
    return [("".join(formula.split()),) for formula in elements.formulas if formula.strip()]


def _tables(elements: Elements, _url: str | None) -> list[_Key]:
    tables: list[_Key] = []
    for rows in elements.tables:
        cells = [(column, " ".join(split_words(cell))) for row in rows for column, cell in enumerate(row) if cell]
        if cells:
            tables.append(tuple(cells))
    return tables


def _headings(elements: Elements, _url: str | None) -> list[_Key]:
    return [words for heading in elements.headings if (words := tuple(split_words(heading)))]


def _links(elements: Elements, url: str | None) -> list[_Key]:
    keys: list[_Key] = []
    for text, target in elements.links:
        words = tuple(split_words(text))
        if words:
            keys.append((words, _resolve(target, url)))
    return keys


def _resolve(target: str, url: str | None) -> str:
    """Return an absolute URL without its scheme and its fragment; tools differ in both.

    If the URL of the page is not known, hosts are not compared: one of the two texts may have relative links.

    >>> _resolve("/pot#lid", "https://a.example/tea"), _resolve("https://a.example/pot", None)
    ('a.example/pot', 'pot')
    """
    try:
        target = target.replace("\\", "")
        absolute = urldefrag(urljoin(url or "", target)).url or target
    except ValueError:  # malformed, such as an unclosed bracket
        return target
    rest = (absolute.partition("://")[2] or absolute).rstrip("/")
    if url is not None:
        return rest
    path = rest.partition("/")[2] if "://" in absolute else rest.lstrip("/")
    return path or rest


_TYPES: Final[dict[str, Callable[[Elements, str | None], list[Any]]]] = {
    "code": _code,
    "inline_code": _inline_code,
    "formulas": _formulas,
    "tables": _tables,
    "headings": _headings,
    "links": _links,
}
#: The types of elements, in the order of the columns of a table.
ELEMENT_TYPES: Final = tuple(_TYPES)


def _match(left: Sequence[_Key], right: Sequence[_Key], partial: Callable[[list[_Key], list[_Key]], float]) -> Match:
    equal = Counter(left) & Counter(right)
    overlap = partial(list((Counter(left) - equal).elements()), list((Counter(right) - equal).elements()))
    return Match.from_counts(equal.total() + overlap, len(left), len(right))


def _no_overlap(_left: list[_Key], _right: list[_Key]) -> float:
    return 0.0


def _partial_overlap(left: list[_Key], right: list[_Key]) -> float:
    """Pair similar elements, the most similar ones first, and return the sum of their similarities."""
    bags = [Counter(key) for key in right[:_MAX_COMPARED]]
    pairs = []
    for row, key in enumerate(left[:_MAX_COMPARED]):
        bag = Counter(key)
        for column, other in enumerate(bags):
            similarity = 2 * (bag & other).total() / (bag.total() + other.total())
            if similarity >= MIN_SIMILARITY:
                pairs.append((-similarity, row, column))
    total, rows, columns = 0.0, set(), set()
    for negative, row, column in sorted(pairs):
        if row not in rows and column not in columns:
            rows.add(row)
            columns.add(column)
            total -= negative
    return total


# Pooled counts: exact elements of all pages, for figures that no small page outweighs.

_FENCE: Final = re.compile(r"^\s*(?:>\s?)*\s*(`{3,}|~{3,})\s*([\w+#.-]*)")
_HEADING: Final = re.compile(r"^(#{1,6})\s+(.*)$")
_ITEM: Final = re.compile(r"^(\s*)(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s)?(.*)$")
_NOTE: Final = re.compile(r"^\s*\[\^([^\]\s]+)\]:\s*(.*)$")
_REFERENCE: Final = re.compile(r"\[\^([^\]\s]+)\](?!:)")
_PICTURE: Final = re.compile(r"!\[[^\]]*\]\(<?([^\s)>]+)")
_CALLOUT: Final = re.compile(r"^\[!(\w+)\][-+]?\s*(.*)$")
POOLED_PARTS: Final = ("equal", "predicted", "gold")  #: what is counted of each type
_TITLE: Final = re.compile(r"^# .*$", re.MULTILINE)
_ANY_HEADING: Final = re.compile(r"^#{1,6} (.*)$", re.MULTILINE)
#: The columns of the pooled table.
POOLED_TYPES: Final = (
    "headings", "heading_text", "items", "code", "code_language", "inline_code", "cells", "formulas", "references",
    "notes", "links", "pictures", "callouts", "quotes",
)  # fmt: skip


def without_title(predicted: str, gold: str) -> tuple[str, str]:
    r"""Return both texts without the title of the page: the first heading of level 1 of the first text.

    >>> without_title("# Tea\n\nBoil.\n\n## Pot", "## Tea\n\nBoil.")
    ('\n\nBoil.\n\n## Pot', '\n\nBoil.')
    """
    title = _TITLE.search(predicted)
    if title is None:
        return predicted, gold
    words = split_words(read_inline(title[0].lstrip("# ")).text)
    own = (match for match in _ANY_HEADING.finditer(gold) if split_words(read_inline(match[1]).text) == words)
    same = next(own, None)
    gold = gold[: same.start()] + gold[same.end() :] if same else gold
    return predicted[: title.start()] + predicted[title.end() :], gold


def _file_name(target: str) -> str:
    """Return the name of a file, whatever service delivers it, and in whatever size.

    >>> _file_name("https://cdn.example/w_600/https%3A%2F%2Fe.org%2Fcat.png?x=1")
    'cat.png'
    """
    return unquote(target).partition("?")[0].rstrip("/").rpartition("/")[2]


def pooled(predicted: str, gold: str, url: str | None = None) -> dict[str, tuple[int, int, int]]:
    r"""Return for each type how many elements are equal, how many the first text has, and how many the second.

    A heading counts with its level, an item of a list with its nesting, code with all its lines.

    >>> pooled("## Tea\n\n- green", "# Tea\n\n- green\n  - black")["items"]
    (1, 1, 2)
    """
    left, right = _exact_elements(predicted, url), _exact_elements(gold, url)
    out = {}
    for name in POOLED_TYPES:
        first, second = Counter(left[name]), Counter(right[name])
        if first or second:
            out[name] = ((first & second).total(), first.total(), second.total())
    return out


def _exact_elements(markdown: str, url: str | None) -> dict[str, list[_Key]]:
    elements = read_elements(markdown)
    out: dict[str, list[_Key]] = {name: [] for name in POOLED_TYPES}
    out["inline_code"] = _inline_code(elements, url)
    out["formulas"] = _formulas(elements, url)
    out["links"] = _links(elements, url)
    out["cells"] = [(cell,) for table in _tables(elements, url) for cell in table]
    lines = _without_fences(markdown, out)
    _read_quotes(lines, out)
    indents: list[int] = []
    for line in lines:
        bare = re.sub(r"^\s*(?:>\s?)+", "", line)
        if heading := _HEADING.match(bare.strip()):
            words = tuple(split_words(read_inline(heading[2]).text))
            if words:
                out["headings"].append((len(heading[1]), words))
                out["heading_text"].append(words)
        elif item := _ITEM.match(bare):
            indent = len(item[1].expandtabs(4))
            while indents and indents[-1] > indent:
                indents.pop()
            if not indents or indents[-1] < indent:
                indents.append(indent)
            words = tuple(split_words(read_inline(item[2]).text))
            if words:
                out["items"].append((len(indents), words))
        elif note := _NOTE.match(bare):
            out["notes"].append(tuple(split_words(read_inline(note[2]).text)))
        elif bare.strip() and not bare.startswith((" ", "\t")):
            indents = []
        out["references"] += [(label,) for label in _REFERENCE.findall(bare)]
        out["pictures"] += [(_file_name(target),) for target in _PICTURE.findall(bare)]
    return out


def _without_fences(markdown: str, out: dict[str, list[_Key]]) -> list[str]:
    """Return the lines outside of code, and add the code."""
    lines: list[str] = []
    fence, language = "", ""
    code: list[str] = []
    for line in markdown.splitlines():
        match = _FENCE.match(line)
        if fence:
            if match and match[1].startswith(fence) and not match[2]:
                key = tuple(" ".join(text.split()) for text in code if text.strip())
                if key:
                    out["code"].append(key)
                    out["code_language"].append((language, *key))
                fence = ""
            else:
                code.append(re.sub(r"^\s*(?:>\s?)+", "", line) if line.lstrip().startswith(">") else line)
        elif match:
            fence, language, code = match[1], match[2].lower(), []
        else:
            lines.append(line)
    return lines


def _read_quotes(lines: list[str], out: dict[str, list[_Key]]) -> None:
    """Add the quotations and callouts: runs of lines with a mark before them."""
    run: list[str] = []
    for line in [*lines, ""]:
        if line.lstrip().startswith(">"):
            run.append(line.lstrip()[1:].strip())
            continue
        if run:
            callout = _CALLOUT.match(run[0])
            words = tuple(split_words(markdown_text("\n".join(run[1:] if callout else run))))
            if callout:
                out["callouts"].append((callout[1].lower(), words))
            elif words:
                out["quotes"].append(words)
        run = []
